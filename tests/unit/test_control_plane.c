/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet read from an API server, and what is written to it.
 */
#include "ballast/diagnose/diagnose.h"
#include "ballast/karmada/control_plane.h"

#include <stdlib.h>

#include "../finders.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "karmada/control_plane_parts.h"
#include "live_fleet.h"

#define REPLIES_MAX ((size_t)64 << 20)

struct rig {
    struct fake_api *api;
    struct kube_config config;
    struct kube_client *client;
    struct byte_budget replies;
    struct control_plane *plane;
    struct error err;
};

static void
open_rig(struct rig *rig, struct fake_api *api, bool members, bool server_dry_run)
{
    struct control_plane_options options = {
        .clock = fake_api_clock(),
        .page_size = 2,
        .concurrency = 2,
        .members = {.sources = members ? (struct member_sources){{SOURCE_PODS, SOURCE_NODES}, 2}
                                       : (struct member_sources){.count = 0},
                    .time = 10 * NANOS_PER_SECOND},
        .server_dry_run = server_dry_run,
    };

    struct kube_client_options of_client = fake_api_client_options();

    *rig = (struct rig){.api = api, .replies = {.limit = REPLIES_MAX}, .err = ERROR_INIT};
    of_client.budget = &rig->replies;
    rig->config.server = (char *)(uintptr_t)fake_api_url(api);
    rig->client = kube_client_new(&rig->config, &of_client, &rig->err);
    rig->plane = control_plane_new(rig->client, &options);
}

static void
close_rig(struct rig *rig)
{
    control_plane_free(rig->plane);
    kube_client_free(rig->client);
    CHECK_INT((int64_t)rig->replies.used, 0); /* every answer gave back what it took */
    fake_api_stop(rig->api);
}

static struct fleet *
read_fleet(struct rig *rig)
{
    const struct backend backend = control_plane_backend(rig->plane);
    struct fleet *fleet = backend.read(backend.context, &rig->err);

    CHECK_MSG(fleet != NULL, "no fleet: %s", rig->err.message);
    return fleet;
}

static void
test_pages(void)
{
    struct rig rig;

    open_rig(&rig, live_fleet(5, 2), false, false);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL) {
        CHECK_INT(fleet->n_clusters, 2);
        CHECK_INT(fleet->n_bindings, 5);
        CHECK_INT(fleet->n_problems, 0);
        CHECK_STR(fleet->bindings[4].name, "web-4");
        CHECK(!fleet->members[0].has_pods);
        CHECK(fleet->captured_at != TIME_NONE);
        CHECK(!fleet_has_descheduler(fleet, fleet->captured_at));
    }
    CHECK_INT(fake_api_count(rig.api, "GET", BINDINGS_PATH), 3);
    CHECK_INT(fake_api_count(rig.api, "GET", CLUSTERS_PATH "/m1/proxy"), 0);
    fleet_free(fleet);
    close_rig(&rig);
}

static struct fake_api *
fleet_with_autoscaler(void)
{
    struct fake_api *api = live_fleet(1, 2);

    fake_api_put(
        api, BINDINGS_PATH, SHOP_BINDINGS_PATH "/web-hpa",
        "{\"metadata\":{\"name\":\"web-hpa\",\"namespace\":\"shop\",\"uid\":\"u\"},\"spec\":{"
        "\"resource\":{\"apiVersion\":\"autoscaling/v2\",\"kind\":"
        "\"HorizontalPodAutoscaler\",\"namespace\":\"shop\",\"name\":\"web\"},"
        "\"clusters\":[{\"name\":\"m1\"}]}}");
    return api;
}

static void
test_what_may_be_absent(void)
{
    struct rig rig;
    struct fake_api *api = fleet_with_autoscaler();

    fake_api_serve(api, "/apis/autoscaling/v1/horizontalpodautoscalers", "autoscaling/v1",
                   "HorizontalPodAutoscaler");
    fake_api_put(api, "/apis/autoscaling/v1/horizontalpodautoscalers", "/hpa",
                 "{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{"
                 "\"scaleTargetRef\":{\"kind\":\"Deployment\",\"name\":\"web-0\"}}}");
    open_rig(&rig, api, false, false);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL) {
        CHECK_INT(fleet->claims.count, 1); /* v2 is not served, v1 is */
        CHECK_INT(fleet->n_problems, 0);
    }
    fleet_free(fleet);
    close_rig(&rig);
}

/* The discovery document has the required kinds and one more; the others are not asked for. */
static void
test_what_is_not_served(void)
{
    static const char *const not_asked[] = {
        "/apis/policy.karmada.io/v1alpha1/overridepolicies",
        "/apis/autoscaling/v2/horizontalpodautoscalers",
        "/apis/keda.sh/v1alpha1/scaledobjects",
        "/apis/scheduling.kubefed.io/v1alpha1/replicaschedulingpreferences",
    };
    struct rig rig;
    struct fake_api *api = fleet_with_autoscaler();

    fake_api_serve(api, "/documents", "v1", "Document");
    fake_api_put(api, "/documents", "/apis",
                 "{\"kind\":\"APIGroupDiscoveryList\",\"metadata\":{\"name\":\"apis\"},\"items\":["
                 "{\"metadata\":{\"name\":\"autoscaling\"},\"versions\":[{\"version\":\"v1\","
                 "\"resources\":[{\"resource\":\"horizontalpodautoscalers\"}]}]}]}");
    open_rig(&rig, api, false, false);
    struct fleet *fleet = read_fleet(&rig);

    CHECK_INT(fake_api_count(rig.api, "GET", "/apis/autoscaling/v1/horizontalpodautoscalers"), 1);
    for (size_t i = 0; i < sizeof(not_asked) / sizeof(not_asked[0]); i++) {
        CHECK_INT(fake_api_count(rig.api, "GET", not_asked[i]), 0);
    }
    fleet_free(fleet);
    close_rig(&rig);
}

static void
test_what_may_not(void)
{
    static const struct {
        const char *path;
        int status;
        const char *message;
    } cases[] = {
        {CLUSTERS_PATH, 403, "listing clusters"},
        {CLUSTER_BINDINGS_PATH, 404, "listing clusterresourcebindings"},
        {"/apis/policy.karmada.io/v1alpha1/overridepolicies", 403, "listing overridepolicies"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig rig;
        struct fake_api *api = live_fleet(1, 2);

        fake_api_fail(api, "GET", cases[i].path, cases[i].status, "no such right", 100);
        open_rig(&rig, api, false, false);
        const struct backend backend = control_plane_backend(rig.plane);

        CHECK(backend.read(backend.context, &rig.err) == NULL);
        CHECK_CONTAINS(rig.err.message, cases[i].message);
        CHECK_CONTAINS(rig.err.message, "no such right");
        close_rig(&rig);
    }
}

static void
test_bad_binding_is_left_out(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(2, 2);

    fake_api_put(api, BINDINGS_PATH, SHOP_BINDINGS_PATH "/web-0",
                 "{\"spec\":{\"replicas\":\"three\"}}");
    open_rig(&rig, api, false, false);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL && CHECK_INT(fleet->n_problems, 1)) {
        CHECK_INT(fleet->n_bindings, 1);
        CHECK_STR(fleet->problems[0].object, "ResourceBinding shop/web-0");
    }
    fleet_free(fleet);
    close_rig(&rig);
}

/* Items of a builtin kind do not say what they are: their list does. */
static void
put_pods(struct fake_api *api, const char *collection, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char path[256], json[256];

        snprintf(path, sizeof(path), "%s/%u", collection, i);
        snprintf(json, sizeof(json),
                 "{\"metadata\":{\"name\":\"p%u\",\"namespace\":\"shop\"},"
                 "\"status\":{\"phase\":\"Pending\"}}",
                 i);
        fake_api_put(api, collection, path, json);
    }
}

static void
test_bad_item(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);

    live_members(api);
    put_pods(api, MEMBER("m1", "api/v1/pods"), 3);
    fake_api_put(api, MEMBER("m1", "api/v1/pods"), MEMBER("m1", "api/v1/pods/x"), "[]");
    open_rig(&rig, api, true, false);
    struct fleet *fleet = read_fleet(&rig);

    /* a pod that is no object: the list is not believed, and the run is none the worse for it */
    if (fleet != NULL) {
        CHECK(!fleet->members[0].has_pods);
        CHECK_INT(member_count_pods(&fleet->members[0]), 0);
        CHECK(fleet->members[0].has_nodes && fleet->members[1].has_pods);
        CHECK_INT(fleet->n_problems, 0);
    }
    fleet_free(fleet);
    close_rig(&rig);
}

/* One that holds its Lease, one that gave it back, one that was removed an hour ago. */
static void
test_descheduler_is_noticed(void)
{
    static const struct {
        const char *holder;
        int64_t age;
        bool runs;
    } cases[] = {
        {"x", 0, true},
        {"", 0, false},
        {"x", 60 * NANOS_PER_MINUTE, false},
    };
    struct clock clock = fake_api_clock();

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char renewed[TIMESTAMP_TEXT_MAX], json[512];
        struct rig rig;
        struct fake_api *api = live_fleet(1, 2);

        snprintf(json, sizeof(json), "{\"spec\":{\"holderIdentity\":\"%s\",\"renewTime\":\"%s\"}}",
                 cases[i].holder, timestamp_format(clock.wall(NULL) - cases[i].age, renewed));
        fake_api_put(api, LEASES_PATH, LEASES_PATH "/karmada-descheduler", json);
        open_rig(&rig, api, false, false);
        struct fleet *fleet = read_fleet(&rig);
        const struct backend backend = control_plane_backend(rig.plane);
        const struct survey asked = {.may_change = true, .is_last = true};

        CHECK(backend.survey(backend.context, fleet, &asked, &rig.err) == fleet);
        CHECK_MSG(fleet != NULL &&
                      fleet_has_descheduler(fleet, fleet->captured_at) == cases[i].runs,
                  "case %zu", i);
        fleet_free(fleet);
        close_rig(&rig);
    }
}

/* --- writing --- */

static const struct target new_split[] = {{.name = "m1", .replicas = 2},
                                          {.name = "m2", .replicas = 1}};
static const atomic_bool go_on = false;

/* Writes the new split to the fleet's first `count` bindings. */
static void
write_split(struct rig *rig, const struct fleet *fleet, struct write_request *requests,
            uint32_t count, const atomic_bool *stop)
{
    struct backend backend = control_plane_backend(rig->plane);

    memset(requests, 0, count * sizeof(*requests));
    for (uint32_t i = 0; i < count; i++) {
        requests[i].binding = &fleet->bindings[i];
        requests[i].change = (struct binding_change){.clusters = new_split, .n_clusters = 2};
    }
    backend.write(backend.context, requests, count, stop);
}

/* They are under way together: which of them comes first is chance. */
static bool
was_patched(const struct rig *rig, const char *target)
{
    for (uint32_t i = 0; i < 3; i++) {
        const char *patched = fake_api_target(rig->api, "PATCH", "/", i);

        if (patched != NULL && strcmp(patched, target) == 0) {
            return true;
        }
    }
    return false;
}

static void
test_write(void)
{
    struct write_request requests[3];
    struct rig rig;

    open_rig(&rig, live_fleet(3, 2), false, false);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL) {
        write_split(&rig, fleet, requests, 3, &go_on);
        CHECK_INT(requests[2].status, WRITE_DONE);
        CHECK(was_patched(&rig, SHOP_BINDINGS_PATH "/web-0?fieldManager=ballast"));
        CHECK_CONTAINS(fake_api_body(rig.api, "PATCH", "/", 0), "\"resourceVersion\":");
        CHECK_CONTAINS(fake_api_get(rig.api, SHOP_BINDINGS_PATH "/web-2"),
                       "\"clusters\":[{\"name\":\"m1\",\"ours\":true,\"replicas\":2},"
                       "{\"name\":\"m2\",\"replicas\":1}]");
    }
    fleet_free(fleet);
    close_rig(&rig);
}

static void
test_refusals(void)
{
    static const struct {
        int http;
        enum write_status status;
    } cases[] = {
        {409, WRITE_CONFLICT}, {404, WRITE_GONE},   {403, WRITE_REFUSED},
        {422, WRITE_REFUSED},  {405, WRITE_FAILED}, {200, WRITE_OVERRULED},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct write_request requests[2];
        struct rig rig;

        open_rig(&rig, live_fleet(2, 2), false, false);
        struct fleet *fleet = read_fleet(&rig);

        if (cases[i].status == WRITE_OVERRULED) {
            fake_api_interfere(rig.api, FAKE_API_WEBHOOK, SHOP_BINDINGS_PATH "/web-0",
                               SHOP_BINDINGS_PATH "/web-0",
                               "{\"spec\":{\"clusters\":[{\"name\":\"quota is used up\"}]}}");
        } else {
            fake_api_fail(rig.api, "PATCH", SHOP_BINDINGS_PATH "/web-0", cases[i].http,
                          "quota is used up", 1);
        }
        if (fleet != NULL) {
            write_split(&rig, fleet, requests, 2, &go_on);
            CHECK_INT(requests[0].status, cases[i].status);
            CHECK_CONTAINS(requests[0].error.message, "quota is used up");
            CHECK_INT(requests[1].status, WRITE_DONE);
        }
        fleet_free(fleet);
        close_rig(&rig);
    }
}

static void
test_conflict_is_read_again(void)
{
    struct write_request requests[1];
    struct rig rig;

    open_rig(&rig, live_fleet(1, 2), false, false);
    struct fleet *fleet = read_fleet(&rig);
    struct backend backend = control_plane_backend(rig.plane);

    fake_api_interfere(rig.api, "PATCH", SHOP_BINDINGS_PATH "/web-0", SHOP_BINDINGS_PATH "/web-0",
                       "{\"spec\":{\"replicas\":7}}");
    if (fleet != NULL) {
        write_split(&rig, fleet, requests, 1, &go_on);
        CHECK_INT(requests[0].status, WRITE_CONFLICT);
        const struct binding *fresh =
            backend.read_again(backend.context, fleet, &fleet->bindings[0], &rig.err);

        if (CHECK_OK(fresh != NULL, rig.err) && fresh != NULL) {
            CHECK_INT(fresh->replicas, 7);
            CHECK_INT(fresh->clusters.items[0].cluster, 0);
            requests[0].binding = fresh;
            requests[0].status = WRITE_PENDING;
            backend.write(backend.context, requests, 1, &go_on);
            CHECK_INT(requests[0].status, WRITE_DONE);
        }
        fake_api_delete(rig.api, SHOP_BINDINGS_PATH "/web-0");
        CHECK(backend.read_again(backend.context, fleet, &fleet->bindings[0], &rig.err) == NULL);
        CHECK_INT(rig.err.code, ERROR_NOT_FOUND);
    }
    fleet_free(fleet);
    close_rig(&rig);
}

/* A path that is cut short is the path of something else: with half of a name it would be one that
 * is there. */
static void
test_long_names(void)
{
    struct rig rig;
    char name[5000];

    open_rig(&rig, live_fleet(1, 2), false, false);
    struct fleet *fleet = read_fleet(&rig);
    struct backend backend = control_plane_backend(rig.plane);

    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    if (fleet != NULL) {
        struct binding named = fleet->bindings[0];
        struct write_request request = {.binding = &named,
                                        .change = {.clusters = new_split, .n_clusters = 2}};

        named.name = name;
        backend.write(backend.context, &request, 1, &go_on);
        CHECK_INT(request.status, WRITE_GONE);
        CHECK(backend.read_again(backend.context, fleet, &named, &rig.err) == NULL);
        CHECK_INT(rig.err.code, ERROR_NOT_FOUND);
        CHECK_CONTAINS(fake_api_target(rig.api, "PATCH", SHOP_BINDINGS_PATH "/", 0), name);
        CHECK_CONTAINS(fake_api_target(rig.api, "GET", SHOP_BINDINGS_PATH "/", 0), name);
    }
    fleet_free(fleet);
    close_rig(&rig);
}

#define SCHEMA "/openapi/v3/apis/work.karmada.io/v1alpha2"
#define SCHEMA_OF(names)                                                                           \
    "{\"components\":{\"schemas\":{\"a\":{},\"io.karmada.work.v1alpha2.ResourceBinding\":{"        \
    "\"properties\":{\"spec\":{\"properties\":{\"gracefulEvictionTasks\":{\"items\":{"             \
    "\"properties\":"                                                                              \
    "{\"purgeMode\":{\"enum\":[" names "]}}}}}}}}}}}"

/* Where a task may be written, the control plane is asked which purge modes it takes. */
static void
test_purge_modes(void)
{
    static const struct {
        const char *schema; /* NULL: there is none */
        enum failover_owner owner;
        unsigned requests;
        uint32_t modes;
    } cases[] = {
        {SCHEMA_OF("\"Directly\",\"Gracefully\",\"Never\""), FAILOVER_OWNER_OURS, 1,
         PURGE_MODE_BIT(PURGE_DIRECTLY) | PURGE_MODE_BIT(PURGE_GRACEFULLY) |
             PURGE_MODE_BIT(PURGE_NEVER)},
        {SCHEMA_OF("\"Graciously\",7,\"Unheard\""), FAILOVER_OWNER_OURS, 1,
         PURGE_MODE_BIT(PURGE_GRACIOUSLY)},
        {SCHEMA_OF("\"Graciously\""), FAILOVER_OWNER_GUARDED, 0, 0},
        {"{\"components\":[]}", FAILOVER_OWNER_OURS, 1, 0},
        {NULL, FAILOVER_OWNER_OURS, 1, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct target_state target = {.owner = (uint8_t)cases[i].owner};
        struct binding_state state = {.first_target = 0};
        struct diagnosis diagnosis = {.targets = &target, .bindings = &state};
        struct rig rig;

        open_rig(&rig, live_fleet(1, 2), false, false);
        if (cases[i].schema != NULL) {
            fake_api_put(rig.api, "/openapi/v3/apis/work.karmada.io", SCHEMA, cases[i].schema);
        }
        struct fleet *fleet = read_fleet(&rig);

        if (fleet != NULL) {
            const struct backend backend = control_plane_backend(rig.plane);
            const struct survey asked = {
                .wants_purge_modes = diagnosis_allows_eviction_tasks(&diagnosis, fleet),
                .is_last = true,
            };

            CHECK(backend.survey(backend.context, fleet, &asked, &rig.err) == fleet);
            CHECK_INT(fleet->purge_modes, cases[i].modes);
            CHECK_INT(fake_api_count(rig.api, "GET", SCHEMA), cases[i].requests);
        }
        fleet_free(fleet);
        close_rig(&rig);
    }
}

static void
test_server_dry_run(void)
{
    struct write_request requests[1];
    struct rig rig;

    open_rig(&rig, live_fleet(1, 2), false, true);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL) {
        write_split(&rig, fleet, requests, 1, &go_on);
        CHECK_INT(requests[0].status, WRITE_DONE);
        CHECK_CONTAINS(fake_api_target(rig.api, "PATCH", "/", 0), "&dryRun=All");
        CHECK_CONTAINS(fake_api_get(rig.api, SHOP_BINDINGS_PATH "/web-0"),
                       "\"clusters\":[{\"name\":\"m1\",\"ours\":true,\"replicas\":2}]");
    }
    fleet_free(fleet);
    close_rig(&rig);
}

static void
test_stop(void)
{
    struct write_request requests[3];
    atomic_bool stop = true;
    struct rig rig;

    open_rig(&rig, live_fleet(3, 2), false, false);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL) {
        write_split(&rig, fleet, requests, 3, &stop);
        CHECK_INT(requests[0].status, WRITE_PENDING);
        CHECK_INT(fake_api_count(rig.api, "PATCH", "/"), 0);
    }
    fleet_free(fleet);
    close_rig(&rig);
}

/* --- progress --------------------------------------------------------------------------------- */

/* "listing clusters 1/0", a line each. */
static void
note_progress(void *context, const char *what, uint64_t done, uint64_t total)
{
    fprintf(context, "%s %llu/%llu\n", what, (unsigned long long)done, (unsigned long long)total);
}

static void
note_end(void *context)
{
    fprintf(context, "end\n");
}

static void
test_progress(void)
{
    struct fake_api *api = live_fleet(5, 2);
    struct write_request requests[5];
    char *told = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&told, &size);
    struct rig rig;

    live_members(api);
    open_rig(&rig, api, true, false);
    rig.plane->options.progress = (struct progress){stream, note_progress, note_end};
    struct fleet *fleet = read_fleet(&rig);

    fprintf(stream, "read\n");
    if (fleet != NULL) {
        write_split(&rig, fleet, requests, 5, &go_on);
    }
    fclose(stream);
    CHECK_CONTAINS(told, "listing clusters 0/0\nlisting clusters 1/0\nlisting clusters 2/0\n"
                         "listing resourcebindings 0/0\n");
    CHECK_CONTAINS(told, "listing resourcebindings 5/");
    CHECK_CONTAINS(told, "\nmembers 0/2\n");
    CHECK_CONTAINS(told, "\nmembers 2/2\n");
    CHECK_CONTAINS(told, "\nend\nread\nwriting 0/5\nwriting 2/5\nwriting 4/5\nend\n");
    CHECK(strstr(told, "members 2/2") < strstr(told, "end"));
    fleet_free(fleet);
    close_rig(&rig);
    free(told);
}

void suite_control_plane(void);

void
suite_control_plane(void)
{
    check_suite("control plane");
    check_test("lists come in pages", test_pages);
    check_test("what may be absent", test_what_may_be_absent);
    check_test("what is not served", test_what_is_not_served);
    check_test("what may not be absent or forbidden", test_what_may_not);
    check_test("a bad binding is left out", test_bad_binding_is_left_out);
    check_test("a member with a bad item is not believed", test_bad_item);
    check_test("karmada-descheduler is noticed", test_descheduler_is_noticed);
    check_test("a write is a merge patch", test_write);
    check_test("refusals", test_refusals);
    check_test("a conflict is read again", test_conflict_is_read_again);
    check_test("long names", test_long_names);
    check_test("purge modes", test_purge_modes);
    check_test("a server dry run stores nothing", test_server_dry_run);
    check_test("a stop is a write boundary", test_stop);
    check_test("progress of reading and writing", test_progress);
}
