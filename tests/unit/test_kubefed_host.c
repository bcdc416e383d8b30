/* SPDX-License-Identifier: Apache-2.0
 *
 * A KubeFed host read from an API server, and what is written to it: the record
 * of a move first, then the move.
 */
#include "ballast/kubefed/host.h"

#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "check.h"
#include "kubefed_fleet.h"
#include "live_fleet.h"

struct rig {
    struct fake_api *api;
    struct kube_config config;
    struct kube_client *client;
    struct kubefed_host *host;
    struct backend backend;
    struct fleet *fleet;
    struct error err;
};

static const atomic_bool go_on = false;

static void
open_rig(struct rig *rig, struct fake_api *api, bool members, bool server_dry_run)
{
    const struct kubefed_host_options options = {
        .clock = fake_api_clock(),
        .namespace_ = "",
        .page_size = 2,
        .concurrency = 2,
        .members = {.access = MEMBER_ACCESS_PROXY, /* there is none */
                    .trust = {.allow_insecure = true},
                    .sources = members ? (struct member_sources){{SOURCE_PODS, SOURCE_NODES}, 2}
                                       : (struct member_sources){.count = 0},
                    .time = 10 * NANOS_PER_SECOND},
        .server_dry_run = server_dry_run,
    };

    *rig = (struct rig){.api = api, .err = ERROR_INIT};
    rig->client = live_client(api, &rig->config);
    rig->host = kubefed_host_new(rig->client, &options);
    rig->backend = kubefed_host_backend(rig->host);
    rig->fleet = rig->backend.read(rig->backend.context, &rig->err);
}

static void
close_rig(struct rig *rig)
{
    fleet_free(rig->fleet);
    kubefed_host_free(rig->host);
    kube_client_free(rig->client);
    fake_api_stop(rig->api);
}

static void
test_read(void)
{
    struct rig rig;

    open_rig(&rig, host_fleet("Cluster"), true, false);
    if (CHECK_OK(rig.fleet != NULL, rig.err) && rig.fleet != NULL &&
        CHECK_INT(rig.fleet->n_bindings, 1) && CHECK_INT(rig.fleet->n_clusters, 2)) {
        const struct binding *binding = &rig.fleet->bindings[0];

        CHECK_INT(rig.fleet->n_problems, 0);
        CHECK_STR(rig.fleet->federation->namespace_, KFNS);
        CHECK(binding->federated->has_preference && !binding->federated->lacks_namespace);
        CHECK(binding->federated->off == NULL);
        CHECK_INT(binding->replicas, 4);
        CHECK_INT(binding->clusters.items[0].replicas, 3);
        CHECK(rig.fleet->members[0].has_pods && rig.fleet->members[0].has_nodes);
        CHECK(!rig.fleet->members[1].has_pods);
        CHECK_STR(rig.fleet->members[1].gap.parts, "pods, deployments, nodes");
    }
    CHECK_CONTAINS(fake_api_head(rig.api, "GET", "/m1/api/v1/pods", 0), "Bearer sesame");
    CHECK_CONTAINS(fake_api_target(rig.api, "GET", "/m1/apis/apps", 0), "kubefed.io%2Fmanaged%3Dt");
    CHECK_INT(kubefed_host_statistics(rig.host).requests, fake_api_count(rig.api, "", "/"));
    CHECK_INT(kubefed_host_member_statistics(rig.host).requests,
              fake_api_count(rig.api, "", "/m") +
                  fake_api_count(rig.api, "", "/api/v1/namespaces"));
    close_rig(&rig);
}

/* It is there: what cannot be read of it is said of its object. */
static void
test_unread_preference(void)
{
    struct fake_api *api = host_fleet("Cluster");
    struct rig rig;

    fake_api_put(api, RECORDS, RECORD,
                 "{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{"
                 "\"targetKind\":\"FederatedDeployment\",\"totalReplicas\":-4}}");
    open_rig(&rig, api, false, false);
    if (CHECK_OK(rig.fleet != NULL, rig.err) && rig.fleet != NULL &&
        CHECK_INT(rig.fleet->n_bindings, 1)) {
        const struct federated *federated = rig.fleet->bindings[0].federated;

        CHECK_INT(rig.fleet->n_problems, 1);
        CHECK(!federated->has_preference);
        CHECK_CONTAINS(federated->preference_problem, "spec.totalReplicas: ");
    }
    close_rig(&rig);
}

/* Of scope Namespaced everything is in the one namespace, and no other is looked at. */
static void
test_scope(void)
{
    struct rig rig;
    struct fake_api *api = host_fleet("Namespaced");

    fake_api_serve(api, FEDERATED "/namespaces/" KFNS "/federateddeployments",
                   "types.kubefed.io/v1beta1", "FederatedDeployment");
    open_rig(&rig, api, false, false);
    CHECK_OK(rig.fleet != NULL, rig.err);
    CHECK(rig.fleet == NULL || rig.fleet->n_bindings == 0);
    CHECK_INT(fake_api_count(api, "GET", FEDERATED "/namespaces/" KFNS "/federateddeployments"), 1);
    CHECK_INT(fake_api_count(api, "GET", OBJECTS), 0);
    CHECK_INT(fake_api_count(api, "GET", NAMESPACES), 0);
    CHECK_INT(fake_api_count(api, "GET", RECORDS), 0);
    close_rig(&rig);
}

static void
test_what_is_no_host(void)
{
    static const struct {
        const char *path;
        int status;
        enum error_code code;
        const char *message;
    } cases[] = {
        {CONFIG, 404, ERROR_NOT_FOUND,
         "this is no KubeFed host, or its control plane is in "
         "another namespace than " KFNS},
        {CONFIG, 403, ERROR_FORBIDDEN, "reading KubeFedConfig " KFNS "/kubefed: "},
        {CLUSTERS, 404, ERROR_NOT_FOUND, "this is no KubeFed host: it does not serve core.kubefed"},
        {TYPES, 403, ERROR_FORBIDDEN, "listing federatedtypeconfigs: "},
        {OBJECTS, 403, ERROR_FORBIDDEN, "listing federateddeployments: "},
        {RECORDS, 403, ERROR_FORBIDDEN, "listing replicaschedulingpreferences: "},
        {NAMESPACES, 403, ERROR_FORBIDDEN, "listing federatednamespaces: "},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig rig;
        struct fake_api *api = host_fleet("Cluster");

        fake_api_fail(api, "GET", cases[i].path, cases[i].status, "no such right", 100);
        open_rig(&rig, api, false, false);
        CHECK(rig.fleet == NULL);
        CHECK_INT(rig.err.code, cases[i].code);
        CHECK_CONTAINS(rig.err.message, cases[i].message);
        CHECK_CONTAINS(rig.err.message, "no such right");
        close_rig(&rig);
    }
}

static void
test_what_may_be_absent(void)
{
    struct rig rig;
    struct fake_api *api = host_fleet("Cluster");

    fake_api_fail(api, "GET", OBJECTS, 404, "no", 1);
    fake_api_fail(api, "GET", RECORDS, 404, "no", 1);
    open_rig(&rig, api, false, false);
    if (CHECK_OK(rig.fleet != NULL, rig.err) && rig.fleet != NULL &&
        CHECK_INT(rig.fleet->n_problems, 1)) {
        CHECK_STR(rig.fleet->problems[0].object, "FederatedTypeConfig deployments.apps");
        CHECK_CONTAINS(rig.fleet->problems[0].message, "does not serve the federateddeployments");
        CHECK_INT(rig.fleet->n_bindings, 0);
    }
    close_rig(&rig);
}

/* --- writing --- */

static const struct target new_split[] = {{.name = "m1", .replicas = 2},
                                          {.name = "m2", .replicas = 2}};
static const struct label new_record[] = {{"ballast.io/a", "now"}, {"ballast.io/b", "new"}};

#define BEFORE "\"annotations\":{\"ballast.io/a\":\"before\",\"other\":\"o\"}"
#define RECORDED                                                                                   \
    "\"annotations\":{\"ballast.io/a\":\"now\",\"ballast.io/b\":\"new\",\"other\":\"o\"}"
#define MOVED "\"placement\":{\"clusters\":[{\"name\":\"m1\"},{\"name\":\"m2\"}]}"
#define UNMOVED "\"placement\":{\"clusters\":[{\"name\":\"m1\"}]}"

static struct write_request
write_split(struct rig *rig, const struct binding *binding)
{
    struct write_request request = {
        .binding = binding,
        .change = {
            .clusters = new_split, .n_clusters = 2, .annotations = new_record, .n_annotations = 2}};

    rig->backend.write(rig->backend.context, &request, 1, &go_on);
    return request;
}

static void
check_state(const struct rig *rig, const char *object, const char *record)
{
    CHECK_CONTAINS(fake_api_get(rig->api, OBJECT), object);
    CHECK_CONTAINS(fake_api_get(rig->api, RECORD), record);
}

static void
test_write(void)
{
    struct rig rig;

    open_rig(&rig, host_fleet("Cluster"), false, false);
    if (CHECK_OK(rig.fleet != NULL, rig.err) && rig.fleet != NULL) {
        struct write_request done = write_split(&rig, &rig.fleet->bindings[0]);

        CHECK_INT(done.status, WRITE_DONE);
        check_state(&rig, MOVED, RECORDED);
        CHECK_CONTAINS(
            fake_api_get(rig.api, OBJECT),
            "{\"path\":\"/spec/replicas\",\"value\":2},{\"path\":\"/x\",\"value\":null}");
        CHECK_STR(fake_api_target(rig.api, "PATCH", "/", 0), RECORD "?fieldManager=ballast");
        CHECK_STR(fake_api_target(rig.api, "PATCH", "/", 1), OBJECT "?fieldManager=ballast");
        CHECK_CONTAINS(fake_api_body(rig.api, "PATCH", "/", 0), "\"resourceVersion\":");
        CHECK_CONTAINS(fake_api_body(rig.api, "PATCH", "/", 1), "\"resourceVersion\":");
        CHECK_INT(fake_api_count(rig.api, "PATCH", "/"), 2);
        CHECK_INT(kubefed_host_statistics(rig.host).requests, fake_api_count(rig.api, "", "/"));
    }
    close_rig(&rig);
}

static void
test_overruled(void)
{
    static const struct {
        const char *patch;
        enum write_status status;
    } cases[] = {
        {"{\"spec\":{\"overrides\":null}}", WRITE_OVERRULED},
        {"{\"spec\":{\"placement\":null}}", WRITE_OVERRULED},
        {"{\"metadata\":{\"labels\":{\"touched\":\"by-a-webhook\"}}}", WRITE_DONE},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig rig;

        open_rig(&rig, host_fleet("Cluster"), false, false);
        fake_api_interfere(rig.api, FAKE_API_WEBHOOK, OBJECT, OBJECT, cases[i].patch);
        if (CHECK_OK(rig.fleet != NULL, rig.err) && rig.fleet != NULL) {
            struct write_request written = write_split(&rig, &rig.fleet->bindings[0]);

            CHECK_INT(written.status, cases[i].status);
            if (cases[i].status == WRITE_OVERRULED) {
                CHECK_CONTAINS(written.error.message, "another placement or other overrides");
            }
        }
        close_rig(&rig);
    }
}

static void
test_dry_run(void)
{
    struct rig rig;

    open_rig(&rig, host_fleet("Cluster"), false, true);
    fake_api_fail(rig.api, "PATCH", OBJECT, 403, "no", 1);
    if (CHECK_OK(rig.fleet != NULL, rig.err) && rig.fleet != NULL) {
        CHECK_INT(write_split(&rig, &rig.fleet->bindings[0]).status, WRITE_REFUSED);
        CHECK_INT(fake_api_count(rig.api, "PATCH", "/"), 2); /* there is nothing to take back */
        CHECK_INT(write_split(&rig, &rig.fleet->bindings[0]).status, WRITE_DONE);
        check_state(&rig, UNMOVED, BEFORE);
    }
    close_rig(&rig);
}

/* What fails, and what is there afterwards. */
static void
test_refusals(void)
{
    static const struct {
        const char *method, *path;
        int http;
        enum write_status status;
        unsigned patches;
    } cases[] = {
        {"GET", OBJECT, 404, WRITE_GONE, 0},       {"GET", RECORD, 404, WRITE_CONFLICT, 0},
        {"GET", RECORD, 403, WRITE_REFUSED, 0},    {"PATCH", RECORD, 403, WRITE_REFUSED, 1},
        {"PATCH", RECORD, 409, WRITE_CONFLICT, 1}, {"PATCH", RECORD, 404, WRITE_CONFLICT, 1},
        {"PATCH", RECORD, 422, WRITE_REFUSED, 1},  {"PATCH", OBJECT, 403, WRITE_REFUSED, 3},
        {"PATCH", OBJECT, 409, WRITE_CONFLICT, 3}, {"PATCH", OBJECT, 404, WRITE_GONE, 3},
        {"PATCH", OBJECT, 422, WRITE_REFUSED, 3},  {"PATCH", OBJECT, 405, WRITE_FAILED, 3},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig rig;

        open_rig(&rig, host_fleet("Cluster"), false, false);
        fake_api_fail(rig.api, cases[i].method, cases[i].path, cases[i].http, "quota is used up",
                      1);
        if (CHECK_OK(rig.fleet != NULL, rig.err) && rig.fleet != NULL) {
            struct write_request done = write_split(&rig, &rig.fleet->bindings[0]);

            CHECK_MSG(done.status == cases[i].status, "case %zu: %s", i,
                      write_status_name(done.status));
            CHECK_CONTAINS(done.error.message, "quota is used up");
            CHECK_INT(fake_api_count(rig.api, "PATCH", "/"), cases[i].patches);
            check_state(&rig, UNMOVED, BEFORE);
        }
        close_rig(&rig);
    }
}

/* Another one's write, wherever it comes, is a conflict; what is read again can be written. */
static void
test_conflicts(void)
{
    static const struct {
        const char *method, *path;
    } cases[] = {{"GET", OBJECT}, {"GET", RECORD}, {"PATCH", RECORD}, {"PATCH", OBJECT}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig rig;

        open_rig(&rig, host_fleet("Cluster"), false, false);
        fake_api_interfere(rig.api, cases[i].method, cases[i].path, cases[i].path,
                           "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");
        if (CHECK_OK(rig.fleet != NULL, rig.err) && rig.fleet != NULL) {
            CHECK_INT(write_split(&rig, &rig.fleet->bindings[0]).status, WRITE_CONFLICT);
            check_state(&rig, UNMOVED, BEFORE);
            const struct binding *fresh = rig.backend.read_again(rig.backend.context, rig.fleet,
                                                                 &rig.fleet->bindings[0], &rig.err);

            if (CHECK_OK(fresh != NULL, rig.err) && fresh != NULL) {
                CHECK_INT(fresh->replicas, 4);
                CHECK_INT(write_split(&rig, fresh).status, WRITE_DONE);
                check_state(&rig, MOVED, RECORDED);
            }
        }
        close_rig(&rig);
    }
}

/* Where a lost answer may have been one that it was written, the record stays. */
static void
test_doubt(void)
{
    struct rig rig;

    open_rig(&rig, host_fleet("Cluster"), false, false);
    fake_api_fail(rig.api, "PATCH", OBJECT, 500, "later", 1);
    fake_api_interfere(rig.api, "PATCH", OBJECT, OBJECT,
                       "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");
    if (CHECK_OK(rig.fleet != NULL, rig.err) && rig.fleet != NULL) {
        CHECK_INT(write_split(&rig, &rig.fleet->bindings[0]).status, WRITE_CONFLICT);
        check_state(&rig, UNMOVED, RECORDED);
    }
    close_rig(&rig);
}

/* One that cannot be taken back is told. */
static void
test_record_that_stays(void)
{
    struct rig rig;

    open_rig(&rig, host_fleet("Cluster"), false, false);
    fake_api_fail(rig.api, "PATCH", OBJECT, 403, "no right to move", 1);
    fake_api_interfere(rig.api, "PATCH", OBJECT, RECORD,
                       "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");
    if (CHECK_OK(rig.fleet != NULL, rig.err) && rig.fleet != NULL) {
        struct write_request done = write_split(&rig, &rig.fleet->bindings[0]);

        CHECK_INT(done.status, WRITE_REFUSED);
        CHECK_CONTAINS(done.error.message, "no right to move; and its record could not be taken "
                                           "back from its ReplicaSchedulingPreference: ");
        check_state(&rig, UNMOVED, RECORDED);
    }
    close_rig(&rig);
}

static void
test_read_again(void)
{
    struct rig rig;

    open_rig(&rig, host_fleet("Cluster"), false, false);
    if (CHECK_OK(rig.fleet != NULL, rig.err) && rig.fleet != NULL) {
        const struct binding *binding = &rig.fleet->bindings[0];

        fake_api_delete(rig.api, RECORD);
        const struct binding *fresh =
            rig.backend.read_again(rig.backend.context, rig.fleet, binding, &rig.err);

        CHECK_OK(fresh != NULL, rig.err);
        CHECK(fresh == NULL || !fresh->federated->has_preference);
        if (fresh != NULL) { /* nobody can remember what is moved */
            CHECK_INT(write_split(&rig, fresh).status, WRITE_REFUSED);
            CHECK_INT(fake_api_count(rig.api, "PATCH", "/"), 0);
        }
        fake_api_delete(rig.api, OBJECT);
        CHECK(rig.backend.read_again(rig.backend.context, rig.fleet, binding, &rig.err) == NULL);
        CHECK_INT(rig.err.code, ERROR_NOT_FOUND);
    }
    close_rig(&rig);
}

void suite_kubefed_host(void);

void
suite_kubefed_host(void)
{
    check_suite("a KubeFed host");
    check_test("reading it and its members", test_read);
    check_test("a preference that cannot be read", test_unread_preference);
    check_test("scope Namespaced", test_scope);
    check_test("what is no host", test_what_is_no_host);
    check_test("what may be absent", test_what_may_be_absent);
    check_test("the record, then the move", test_write);
    check_test("a dry run of the server's", test_dry_run);
    check_test("a webhook that puts something else in its place", test_overruled);
    check_test("refusals", test_refusals);
    check_test("conflicts", test_conflicts);
    check_test("an answer that was lost", test_doubt);
    check_test("a record that cannot be taken back", test_record_that_stays);
    check_test("reading again", test_read_again);
}
