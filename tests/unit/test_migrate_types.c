/* SPDX-License-Identifier: Apache-2.0
 *
 * A migration of what YAML made something else of, and of what Karmada has to
 * be told.
 */
#include "check.h"
#include "migrate_fixture.h"

#define NAMED(metadata)                                                                            \
    "{'apiVersion':'types.kubefed.io/v1beta1','kind':'FederatedDeployment','metadata':" metadata   \
    ",'spec':{" TEMPLATE("") "," NAMES("{'name':'a'}") "}}"

/* What YAML makes of `no`, `1e3` and `~`: an object that is not read as another one. */
static const struct {
    const char *object, *why;
} typed_cases[] = {
    {NAMED("{'namespace':false,'name':'web'}"), "metadata.namespace: want string, got boolean"},
    {NAMED("{'namespace':7,'name':'web'}"), "metadata.namespace: want string, got integer"},
    {NAMED("{'namespace':null,'name':'web'}"), "metadata.namespace: left out: required"},
    {NAMED("{'name':'web'}"), "metadata.namespace: left out: required"},
    {NAMED("{'namespace':'shop','name':1000}"), "metadata.name: want string, got integer"},
    {NAMED("{'namespace':'shop','name':null}"), "metadata.name: required"},
    {NAMED("true"), "metadata: want object, got boolean"},
    {"{'apiVersion':'types.kubefed.io/v1beta1','kind':true,'metadata':{'name':'x'}}",
     "kind: want string, got boolean"},
    {WEB("'template':{'metadata':{'labels':{'on':true}},'spec':{}}," NAMES("{'name':'a'}")),
     "spec.template.metadata.labels.on: want string, got boolean"},
    {WEB("'template':{'metadata':{'annotations':{'v':1.5}},'spec':{}}," NAMES("{'name':'a'}")),
     "spec.template.metadata.annotations.v: want string, got real"},
    {WEB(TEMPLATE("") "," NAMES("{'name':false}")),
     "spec.placement.clusters[0]: want an object with a name"},
    {WEB(TEMPLATE("") "," NAMES(
         "{'name':'a'}") ",'overrides':[{'clusterName':'a',"
                         "'clusterOverrides':[{'op':false,'path':'/x','value':'x'}]}]"),
     "clusterOverrides[0].op: want string, got boolean"},
};

static void
test_types(void)
{
    for (size_t i = 0; i < sizeof(typed_cases) / sizeof(typed_cases[0]); i++) {
        struct migrated f = {.migration = migration_new()};
        bool is_told = false;

        migrated_add_all(&f, three_clusters);
        migrated_add(&f, typed_cases[i].object);
        migrated_finish(&f);
        for (size_t n = 0; n < f.result.n_notes; n++) {
            is_told |= strstr(f.result.notes[n].text, typed_cases[i].why) != NULL;
        }
        CHECK_MSG(is_told, "case %zu: nothing of \"%s\"", i, typed_cases[i].why);
        CHECK_MSG(f.result.n_documents == 0, "case %zu: it is carried over", i);
        CHECK(f.result.n_lost > 0);
        migrated_release(&f);
    }
}

/* A cluster whose labels are not known may be selected, or not: nothing is told of selectors. */
static void
test_unread_labels(void)
{
    struct migrated f = {.migration = migration_new()};

    migrated_add(&f, CLUSTER("a", "'region':'eu'"));
    migrated_add(&f, CLUSTER("b", "'region':false"));
    migrated_add(&f, NAMESPACE(EVERYWHERE));
    migrated_add(
        &f, WEB(TEMPLATE("") ",'placement':{'clusterSelector':{'matchLabels':{'region':'eu'}}},"
                             "'overrides':[" COUNT("a", "2") "]"));
    migrated_add(&f,
                 FEDERATED("FederatedDeployment", "cache", TEMPLATE("") "," NAMES("{'name':'b'}")));
    migrated_finish(&f);
    CHECK(migrated_find(&f, "Deployment", "web") == NULL);
    CHECK(migrated_find(&f, "PropagationPolicy", "web") == NULL);
    migrated_release(&f);
}

/* Karmada knows the replicas of a ReplicaSet only where it is told how to count them. */
static void
test_replica_sets(void)
{
    static const char *const counts[] = {"'overrides':[" COUNT("a", "2") "]", "'overrides':[]"};

    for (size_t i = 0; i < 2; i++) {
        struct migrated f = {.migration = migration_new()};
        char set[1024];

        snprintf(set, sizeof(set), FEDERATED("FederatedReplicaSet", "web", "%s"),
                 TEMPLATE("'replicas':1,") "," NAMES("{'name':'a'},{'name':'b'}"));
        snprintf(set + strlen(set) - 2, sizeof(set) - strlen(set) + 2, ",%s}}", counts[i]);
        migrated_add_all(&f, three_clusters);
        migrated_add(&f, NAMESPACE(EVERYWHERE));
        migrated_add(&f, set);
        migrated_finish(&f);
        const struct value *interpreter =
            migrated_find(&f, "ResourceInterpreterCustomization", "ballast-replicasets");
        const struct value *policy = migrated_find(&f, "PropagationPolicy", "web");

        CHECK_INT(f.result.n_lost, 0);
        CHECK((interpreter != NULL) == (i == 0));
        if (i == 0 && CHECK(f.result.n_documents > 0)) {
            migrated_check(value_get(value_get(interpreter, "spec"), "target"),
                           "{'apiVersion':'apps/v1','kind':'ReplicaSet'}");
            CHECK(f.result.documents[0] == interpreter); /* before what needs it */
            migrated_check(
                value_get(value_get(value_get(policy, "spec"), "placement"), "replicaScheduling"),
                WEIGHTS(WEIGHT("a", "2") "," WEIGHT("b", "1")));
        }
        migrated_release(&f);
    }
}

void suite_migrate_types(void);

void
suite_migrate_types(void)
{
    check_suite("migrate_types");
    check_test("members of a wrong type", test_types);
    check_test("clusters whose labels cannot be read", test_unread_labels);
    check_test("divided ReplicaSets", test_replica_sets);
}
