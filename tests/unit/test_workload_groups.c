/* SPDX-License-Identifier: Apache-2.0
 *
 * Workload affinity groups: where mates count as being, what that leaves for a
 * binding, and what a run that goes on does to it.
 */
#include "ballast/schedule/workload_groups.h"

#include "../finders.h"
#include "ballast/base/str.h"
#include "ballast/cycle/cycle.h"
#include "check.h"
#include "small_fleet.h"

#define API "'apiVersion':'work.karmada.io/v1alpha2'"
#define DYNAMIC                                                                                    \
    "'replicaScheduling':{'replicaSchedulingType':'Divided','replicaDivisionPreference':"          \
    "'Weighted','weightPreference':{'dynamicWeight':'AvailableReplicas'}},"                        \
    "'spreadConstraints':[{'spreadByField':'cluster','minGroups':1,'maxGroups':1}]"
#define AFFINITY(name) "'workloadAffinityGroups':{'affinityGroup':'" name "'}"
#define ANTI(name) "'workloadAffinityGroups':{'antiAffinityGroup':'" name "'}"

/* A Deployment of two replicas; `targets` is the inside of spec.clusters, `rest` more of the object
 * behind its spec, which `spec` ends. */
#define BINDING_OF(kind)                                                                           \
    "{" API ",'kind':'" kind "','metadata':{'namespace':'%s','name':'%s','resourceVersion':'1',"   \
    "'labels':{" OWNED "}},"                                                                       \
    "'spec':{'resource':{'apiVersion':'apps/v1','kind':'Deployment','namespace':'%s','name':"      \
    "'%s'},'replicas':2,'replicaRequirements':{'resourceRequest':{'cpu':'1'}},'placement':{%s},"   \
    "'clusters':[%s],%s}%s}"

static void
add(struct small_fleet *f, const char *namespace_, const char *name, const char *targets,
    const char *spec, const char *rest)
{
    small_fleet_add(f, "", BINDING_OF("ResourceBinding"), namespace_, name, namespace_, name,
                    DYNAMIC, targets, spec, rest);
}

#define M1 "{'name':'m1','replicas':2}"
#define M2 "{'name':'m2','replicas':2}"
#define M3 "{'name':'m3','replicas':2}"
#define M1_M2 M1 "," M2

/* m1, m2 and m3, and in ns the binding x with that spec. */
static void
open_three(struct small_fleet *f, const char *targets, const char *spec)
{
    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_cluster(f, "m2");
    small_fleet_cluster(f, "m3");
    add(f, "ns", "x", targets, spec, "");
}

static struct workload_groups *
groups_of(struct small_fleet *f, bool as_upstream)
{
    struct error err = ERROR_INIT;

    f->fleet = fleet_builder_finish(f->builder, small_fleet_now(), &err);
    return CHECK_OK(f->fleet != NULL, err) ? workload_groups_new(f->arena, f->fleet, as_upstream)
                                           : NULL;
}

static const struct binding *
binding_named(const struct small_fleet *f, const char *name)
{
    return fleet_find_binding(f->fleet, BINDING_RESOURCE, "ns", name);
}

/* By cluster: . passed, A refused by affinity, X by anti-affinity. */
static const char *
verdicts(struct workload_groups *groups, const struct binding *binding)
{
    static char text[8];
    uint32_t n = groups != NULL ? workload_groups_fleet(groups)->n_clusters : 3;

    for (uint32_t i = 0; i < n; i++) {
        enum filter_verdict verdict = workload_groups_verdict(groups, binding, i);

        text[i] = 'X';
        if (verdict != FILTER_WORKLOAD_ANTI_AFFINITY) {
            text[i] = ".A"[verdict == FILTER_WORKLOAD_AFFINITY];
        }
    }
    text[n] = '\0';
    return text;
}

/* Of x with its mates y and z, "" for those that are not there. */
static const struct rule_case {
    const char *name, *x, *spec, *y, *z;
    const char *want, *want_as_upstream;
} rule_cases[] = {
    {"nobody is anywhere", "", AFFINITY("g"), "'clusters':[]", "", "...", "..."},
    {"one mate", "", AFFINITY("g"), "'clusters':[" M2 "]", "", "A.A", "A.A"},
    {"a mate in two clusters", "", AFFINITY("g"), "'clusters':[" M1_M2 "]", "", "..A", "..A"},
    {"where all mates are", "", AFFINITY("g"), "'clusters':[" M1_M2 "]", "'clusters':[" M2 "]",
     "A.A", "A.A"},
    {"mates apart", "", AFFINITY("g"), "'clusters':[" M1 "]", "'clusters':[" M2 "]", "AAA", "AAA"},
    {"targets are exempt", M1, AFFINITY("g"), "'clusters':[" M2 "]", "", "..A", "..A"},
    {"a target of 0 replicas is one", "", AFFINITY("g"), "'clusters':[{'name':'m2','replicas':0}]",
     "", "A.A", "A.A"},
    {"a mate in a cluster that is gone", "", AFFINITY("g"),
     "'clusters':[{'name':'gone','replicas':2}]", "", "AAA", "AAA"},
    {"being evicted does not bind", "", AFFINITY("g"),
     "'clusters':[],'gracefulEvictionTasks':[{'fromCluster':'m1'}]", "", "...", "..."},
    {"apart from one", "", ANTI("g"), "'clusters':[" M2 "]", "", ".X.", ".X."},
    {"apart from two", "", ANTI("g"), "'clusters':[" M2 "]", "'clusters':[" M2 "," M3 "]", ".XX",
     ".XX"},
    {"together already", M2, ANTI("g"), "'clusters':[" M2 "]", "", "...", "..."},
    {"a mate that is being evicted", "", ANTI("g"),
     "'clusters':[" M2 "],'gracefulEvictionTasks':[{'fromCluster':'m1'}]", "", "XX.", ".X."},
    {"both rules", "", "'workloadAffinityGroups':{'affinityGroup':'g','antiAffinityGroup':'h'}",
     "'clusters':[" M1_M2 "]", "'clusters':[" M2 "]," ANTI("h"), ".XA", ".XA"},
    {"another group", "", AFFINITY("other"), "'clusters':[" M2 "]", "", "...", "..."},
    {"the names of the two rules are apart", "", ANTI("g"), "'clusters':[" M2 "]," AFFINITY("g"),
     "", "...", "..."},
};

static void
add_mate(struct small_fleet *f, const char *name, const char *spec, const char *own)
{
    char text[1024];

    if (!str_is_empty(spec)) {
        snprintf(text, sizeof(text), "%s%s%s", spec, strstr(spec, "Groups") != NULL ? "" : ",",
                 strstr(spec, "Groups") != NULL ? "" : own);
        small_fleet_add(f, "",
                        "{" API ",'kind':'ResourceBinding','metadata':{'namespace':'ns','name':"
                        "'%s'},'spec':{'resource':{'apiVersion':'apps/v1','kind':'Deployment',"
                        "'namespace':'ns','name':'%s'},'replicas':2,%s}}",
                        name, name, text);
    }
}

static void
test_rules(void)
{
    for (size_t i = 0; i < sizeof(rule_cases) / sizeof(rule_cases[0]); i++) {
        const struct rule_case *c = &rule_cases[i];
        /* mates are in group g of the rule that is asked about, if they do not say otherwise */
        const char *own = strstr(c->spec, "anti") != NULL && strstr(c->spec, "'g','anti") == NULL
                              ? ANTI("g")
                              : AFFINITY("g");

        for (int as_upstream = 0; as_upstream < 2; as_upstream++) {
            struct small_fleet f;
            struct workload_groups *groups;

            open_three(&f, c->x, c->spec);
            add_mate(&f, "y", c->y, own);
            add_mate(&f, "z", c->z, own);
            groups = groups_of(&f, as_upstream);
            if (groups != NULL) {
                const char *got = verdicts(groups, binding_named(&f, "x"));
                const char *want = as_upstream ? c->want_as_upstream : c->want;

                CHECK_MSG(str_eq(got, want), "%s%s: want %s, got %s", c->name,
                          as_upstream ? " as upstream" : "", want, got);
            }
            small_fleet_close(&f);
        }
    }
}

static void
test_shown_by_its_status(void)
{
    static const char status[] = ",'status':{'aggregatedStatus':[{'clusterName':'m1'}]}";

    for (int as_upstream = 0; as_upstream < 2; as_upstream++) {
        struct small_fleet f;

        open_three(&f, "", ANTI("g"));
        add(&f, "ns", "y", M2, ANTI("g"), status);
        struct workload_groups *groups = groups_of(&f, as_upstream);

        CHECK_STR(verdicts(groups, binding_named(&f, "x")), as_upstream ? ".X." : "XX.");
        small_fleet_close(&f);
    }
}

static void
test_whose_mates(void)
{
    struct small_fleet f;
    struct workload_groups *groups;

    open_three(&f, "", ANTI("g"));
    add(&f, "other", "y", M1, ANTI("g"), "");
    small_fleet_add(&f, "", BINDING_OF("ClusterResourceBinding"), "", "z", "", "z", DYNAMIC, M2,
                    ANTI("g"), "");
    groups = groups_of(&f, false);
    CHECK_STR(verdicts(groups, binding_named(&f, "x")), "..."); /* of another namespace, or none */
    CHECK_INT(f.fleet->n_grouped, 2);
    small_fleet_close(&f);
    open_three(&f, "", "'schedulerName':'x'");
    CHECK(groups_of(&f, false) == NULL); /* a fleet without any */
    CHECK_STR(verdicts(NULL, binding_named(&f, "x")), "...");
    small_fleet_close(&f);
}

static struct target_list
given(const struct fleet *fleet, const char *name)
{
    static struct target target;

    target =
        (struct target){.name = name, .cluster = fleet_find_cluster(fleet, name), .replicas = 2};
    return (struct target_list){.items = &target, .count = str_is_empty(name) ? 0 : 1};
}

static void
give(struct workload_groups *groups, const struct binding *binding, const char *cluster)
{
    struct target_list targets = given(workload_groups_fleet(groups), cluster);

    CHECK(workload_groups_give(groups, binding, &targets));
}

static void
test_what_a_run_gives_out(void)
{
    struct small_fleet f;
    struct workload_groups *groups;

    open_three(&f, "", AFFINITY("g"));
    add(&f, "ns", "y", M1, AFFINITY("g"), "");
    groups = groups_of(&f, false);
    const struct binding *x = binding_named(&f, "x"), *y = binding_named(&f, "y");

    CHECK_STR(verdicts(groups, x), ".AA");
    give(groups, y, "m2");
    CHECK_STR(verdicts(groups, x), "A.A");
    CHECK_STR(verdicts(groups, y), "..."); /* it does not stand in its own way */
    give(groups, y, "");
    CHECK_STR(verdicts(groups, x), "...");
    workload_groups_take_back(groups, y);
    CHECK_STR(verdicts(groups, x), ".AA");
    workload_groups_take_back(groups, y); /* nothing is given */
    CHECK_STR(verdicts(groups, x), ".AA");
    small_fleet_close(&f);

    open_three(&f, "", ANTI("g"));
    add(&f, "ns", "y", M1, ANTI("g"), "");
    groups = groups_of(&f, false);
    x = binding_named(&f, "x");
    y = binding_named(&f, "y");
    give(groups, y, "m2"); /* and what it leaves is not free until it has left */
    CHECK_STR(verdicts(groups, x), "XX.");
    CHECK_STR(workload_groups_witness(groups, x, FILTER_WORKLOAD_ANTI_AFFINITY, 0, f.arena),
              "g: ns/y has yet to leave it");
    CHECK_STR(workload_groups_witness(groups, x, FILTER_WORKLOAD_ANTI_AFFINITY, 1, f.arena),
              "g: ns/y goes there");
    workload_groups_take_back(groups, y);
    CHECK_STR(verdicts(groups, x), "X..");
    CHECK_STR(workload_groups_witness(groups, x, FILTER_WORKLOAD_ANTI_AFFINITY, 0, f.arena),
              "g: ns/y is there");
    small_fleet_close(&f);
}

static void
test_about_to_leave(void)
{
    static const bool both[] = {true, true}, first[] = {true, false};
    struct small_fleet f;
    struct workload_groups *groups;

    open_three(&f, "", AFFINITY("g"));
    add(&f, "ns", "y", M1_M2, AFFINITY("g"), "");
    groups = groups_of(&f, false);
    const struct binding *x = binding_named(&f, "x"), *y = binding_named(&f, "y");

    workload_groups_see(groups, y, first);
    CHECK_STR(verdicts(groups, x), "A.A");
    workload_groups_see(groups, y, both);
    CHECK_STR(verdicts(groups, x), "...");
    give(groups, y, "m3");
    CHECK_STR(verdicts(groups, x), "AA.");
    give(groups, y, "m1"); /* a limit leaves it there for now */
    CHECK_STR(verdicts(groups, x), "...");
    workload_groups_see(groups, y, NULL);
    CHECK_STR(verdicts(groups, x), "..A");
    small_fleet_close(&f);
}

static void
test_read_again(void)
{
    struct small_fleet f;
    struct workload_groups *groups;

    open_three(&f, "", ANTI("g"));
    add(&f, "ns", "y", M1, ANTI("g"), "");
    groups = groups_of(&f, false);
    const struct binding *x = binding_named(&f, "x");
    struct binding fresh = *binding_named(&f, "y"), apart = fresh;

    give(groups, binding_named(&f, "y"), "m2");
    struct target_list targets = given(f.fleet, "m3");

    fresh.name = "y"; /* another copy */
    fresh.clusters.items = arena_memdup(f.arena, targets.items, sizeof(*targets.items));
    workload_groups_see(groups, &fresh, NULL);
    CHECK_STR(verdicts(groups, x), "..X"); /* what it was, and was given, is history */
    CHECK_STR(verdicts(groups, &fresh), "...");
    struct rare_members rare = *binding_rare(&apart);

    apart.rare = &rare;
    rare.anti_affinity_group = "unknown to the fleet";
    workload_groups_see(groups, &apart, NULL);
    CHECK_STR(verdicts(groups, x), "...");
    CHECK_STR(verdicts(groups, &apart), "...");
    rare.anti_affinity_group = "";
    workload_groups_see(groups, &apart, NULL);
    CHECK_STR(verdicts(groups, x), "...");
    workload_groups_see(groups, binding_named(&f, "y"), NULL);
    CHECK_STR(verdicts(groups, x), "X..");
    fresh.name = "y2"; /* in a group only since the fleet was read: it heeds its mates */
    CHECK_STR(verdicts(groups, &fresh), "X..");
    CHECK(!workload_groups_give(groups, &fresh, &targets));
    small_fleet_close(&f);
}

static void
test_witness_of_affinity(void)
{
    struct small_fleet f;
    struct workload_groups *groups;
    char name[16];

    open_three(&f, "", AFFINITY("g"));
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof(name), "y%02d", i);
        add(&f, "ns", name, i == 99 ? M2 : M1, AFFINITY("g"), "");
    }
    groups = groups_of(&f, false);
    const struct binding *x = binding_named(&f, "x");

    CHECK_STR(verdicts(groups, x), "AAA");
    CHECK_STR(workload_groups_witness(groups, x, FILTER_WORKLOAD_AFFINITY, 1, f.arena),
              "g: ns/y00 is in m1");
    /* the one that is elsewhere is found behind too many others */
    CHECK_STR(workload_groups_witness(groups, x, FILTER_WORKLOAD_AFFINITY, 0, f.arena),
              "g: not all of its workloads are there");
    small_fleet_close(&f);

    open_three(&f, "", AFFINITY("g"));
    add(&f, "ns", "y", "{'name':'gone','replicas':2}", AFFINITY("g"), "");
    groups = groups_of(&f, false);
    CHECK_STR(workload_groups_witness(groups, binding_named(&f, "x"), FILTER_WORKLOAD_AFFINITY, 0,
                                      f.arena),
              "g: ns/y is in a cluster that is gone");
    small_fleet_close(&f);
}

/* --- conflicts --- */

/* A run of which the first `n_conflicts` writes meet a conflict; what is read then. */
struct world {
    struct small_fleet f;
    uint32_t n_writes, n_conflicts;
    const char *fresh_a, *fresh_b; /* the inside of spec.clusters */
    const char *spec;
    char log[256];
};

static struct fleet *
read_fleet(void *context, struct error *err)
{
    struct world *world = context;

    return fleet_builder_finish(world->f.builder, small_fleet_now(), err);
}

static void
write_all(void *context, struct write_request *requests, uint32_t count, const atomic_bool *stop)
{
    struct world *world = context;

    (void)stop;
    for (uint32_t i = 0; i < count; i++) {
        size_t at = strlen(world->log);

        at += (size_t)snprintf(world->log + at, sizeof(world->log) - at,
                               "%s:", requests[i].binding->name);
        for (uint32_t j = 0; j < requests[i].change.n_clusters; j++) {
            at += (size_t)snprintf(world->log + at, sizeof(world->log) - at, "%s ",
                                   requests[i].change.clusters[j].name);
        }
        requests[i].status = world->n_writes++ < world->n_conflicts ? WRITE_CONFLICT : WRITE_DONE;
        if (requests[i].status == WRITE_CONFLICT) {
            error_set(&requests[i].error, ERROR_CONFLICT, "changed");
        }
    }
}

static const struct binding *
read_again(void *context, struct fleet *fleet, const struct binding *binding, struct error *err)
{
    struct world *world = context;
    const struct binding *fresh = NULL;
    char text[2048];

    snprintf(text, sizeof(text), BINDING_OF("ResourceBinding"), "ns", binding->name, "ns",
             binding->name, DYNAMIC, str_eq(binding->name, "a") ? world->fresh_a : world->fresh_b,
             world->spec, "");
    for (char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            *c = '"';
        }
    }
    struct document *document = document_parse_json(text, strlen(text), 1, err);

    if (CHECK_OK(document != NULL, *err)) {
        fresh = fleet_decode_binding(fleet, document_root(document), BINDING_RESOURCE, 0, err);
        CHECK_OK(fresh != NULL, *err);
    }
    document_free(document);
    return fresh;
}

static void
add_roomy(struct small_fleet *f, const char *name, int room)
{
    small_fleet_add(
        f, "",
        "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster','metadata':{'name':'%s'},"
        "'spec':{},'status':{'conditions':[{'type':'Ready','status':'True',"
        "'lastTransitionTime':'%s'}],'apiEnablements':[{'groupVersion':'apps/v1','resources':"
        "[{'kind':'Deployment','name':'deployments'}]}],'resourceSummary':{'allocatable':"
        "{'cpu':'%d','pods':'1000'}}}}",
        name, ago(60), room);
}

/* m1 is lost, with a and b; m2 has more room than m3. What is written, in its order. */
static const char *
run_world(struct world *world, const char *fresh_a, const char *fresh_b, uint32_t n_conflicts,
          const char *spec)
{
    atomic_bool stop = false;
    const struct backend backend = {
        .context = world, .read = read_fleet, .write = write_all, .read_again = read_again};
    struct cycle cycle = {
        .backend = &backend, .writes = true, .policy = &world->f.policy, .stop = &stop};
    struct cycle_result result;
    struct error err = ERROR_INIT;

    *world = (struct world){
        .n_conflicts = n_conflicts, .fresh_a = fresh_a, .fresh_b = fresh_b, .spec = spec};
    small_fleet_open(&world->f);
    small_fleet_sick_cluster(&world->f, "m1", "False", 20, "");
    add_roomy(&world->f, "m2", 20);
    add_roomy(&world->f, "m3", 10);
    add(&world->f, "ns", "a", M1, spec, "");
    add(&world->f, "ns", "b", M1, spec, "");
    CHECK_OK(cycle_run(&cycle, &result, &err), err);
    cycle_result_release(&result);
    small_fleet_close(&world->f);
    return world->log;
}

static void
test_conflicts(void)
{
    struct world world;

    CHECK_STR(run_world(&world, M1, M1, 0, ANTI("g")), "a:m2 b:m3 ");
    /* what a took for itself is not in its way */
    CHECK_STR(run_world(&world, M1, M1, 1, ANTI("g")), "a:m2 b:m3 a:m2 ");
    /* somebody placed a in m3 meanwhile: m2 is b's */
    CHECK_STR(run_world(&world, M3, M1, 2, ANTI("g")), "a:m2 b:m3 b:m2 ");
    /* and a in m2: that stays closed to b */
    CHECK_STR(run_world(&world, M2, M1, 2, ANTI("g")), "a:m2 b:m3 b:m3 ");
    CHECK_STR(run_world(&world, M1, M1, 0, AFFINITY("g")), "a:m2 b:m2 ");
    CHECK_STR(run_world(&world, M3, M1, 2, AFFINITY("g")), "a:m2 b:m2 b:m3 ");
    CHECK_STR(run_world(&world, M1, M1, 2, AFFINITY("g")), "a:m2 b:m2 a:m2 b:m2 ");
}

void suite_workload_groups(void);

void
suite_workload_groups(void)
{
    check_suite("workload groups");
    check_test("what mates leave for a binding", test_rules);
    check_test("a mate is where its status shows it", test_shown_by_its_status);
    check_test("whose mates they are", test_whose_mates);
    check_test("what a run gives out", test_what_a_run_gives_out);
    check_test("mates that are about to leave", test_about_to_leave);
    check_test("what is read again", test_read_again);
    check_test("which mate is in the way", test_witness_of_affinity);
    check_test("conflicts among mates", test_conflicts);
}
