/* SPDX-License-Identifier: Apache-2.0
 *
 * Looking into members: what is asked of whom, by which way, and what becomes of
 * those that fail.
 */
#include "ballast/karmada/control_plane.h"

#include "../finders.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "kube_test.h"
#include "live_fleet.h"
#include "member_rig.h"

#define HOUR (60 * NANOS_PER_MINUTE)
#define SECRETS "/api/v1/namespaces/karmada-cluster/secrets"
#define PODS(member) MEMBER(member, "api/v1/pods")
#define NOT_SUCCEEDED "&fieldSelector=status.phase%21%3DSucceeded"
#define SCANT (2 * NANOS_PER_SECOND) /* where one is waited for in vain */

/* Items of a builtin kind do not say what they are: their list does. */
static void
put_pods(struct fake_api *api, const char *collection, const char *namespace_, const char *name,
         unsigned count, const char *status)
{
    for (unsigned i = 0; i < count; i++) {
        char path[256], json[768];

        snprintf(path, sizeof(path), "%s/%s/%s-%u", collection, namespace_, name, i);
        snprintf(json, sizeof(json),
                 "{\"metadata\":{\"name\":\"%s-%u\",\"namespace\":\"%s\",\"labels\":{"
                 "\"pod-template-hash\":\"1\"},\"ownerReferences\":[{\"apiVersion\":\"apps/v1\","
                 "\"kind\":\"ReplicaSet\",\"name\":\"%s-1\",\"uid\":\"%s\",\"controller\":true}]},"
                 "\"status\":{%s}}",
                 name, i, namespace_, name, name, status);
        fake_api_put(api, collection, path, json);
    }
}

#define PENDING "\"phase\":\"Pending\""
#define READY                                                                                      \
    "\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\","               \
    "\"lastTransitionTime\":\"2026-01-01T12:00:00Z\"}]"
#define UNREADY                                                                                    \
    "\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\","              \
    "\"lastTransitionTime\":\"2026-01-01T12:00:00Z\"}]"

static void
test_nothing_wrong(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);

    live_members(api);
    put_pods(api, PODS("m1"), "shop", "web-0", 5, READY);
    put_pods(api, PODS("m1"), "shop", "done", 4, "\"phase\":\"Succeeded\"");
    put_pods(api, PODS("m1"), "kube-system", "dns", 1, PENDING); /* nobody's */
    read_rig(&rig, api, MEMBER_ACCESS_AUTO);
    if (rig.fleet != NULL) {
        const struct member *m1 = &rig.fleet->members[0], *m2 = &rig.fleet->members[1];

        CHECK_INT(member_count_pods(m1), 6);
        CHECK(m1->has_pods && m1->has_nodes && m1->has_replica_sets && m1->has_deployments);
        CHECK(m2->has_pods && m2->has_nodes && member_count_pods(m2) == 0);
    }
    CHECK_INT(rig.n_unseen, 0);
    CHECK_INT(fake_api_count(api, "GET", PODS("m1")), 3);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", "apis/apps/v1/replicasets")), 0);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", "apis/apps/v1/deployments")), 1);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", "apis/batch")), 0);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m2", "")), 4);
    close_rig(&rig);
}

#define WEB(path, kind, more)                                                                      \
    fake_api_serve(api, path, "apps/v1", kind);                                                    \
    fake_api_put(api, path, path "/web-0",                                                         \
                 "{\"metadata\":{\"name\":\"web-0\",\"namespace\":\"shop\"" more "}}")

/* Whether m1 is to blame is told by how the same workload fares in m2: looked at in both. */
static void
test_trouble(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);

    live_members(api);
    WEB(MEMBER("m1", "apis/apps/v1/namespaces/shop/replicasets"), "ReplicaSet", "");
    WEB(MEMBER("m2", "apis/apps/v1/namespaces/shop/replicasets"), "ReplicaSet", "");
    WEB(MEMBER("m1", "apis/apps/v1/namespaces/shop/deployments"), "Deployment", "");
    WEB(MEMBER("m2", "apis/apps/v1/namespaces/shop/deployments"), "Deployment", "");
    /* one that was seen before for its label is not taken twice */
    fake_api_put(api, MEMBER("m1", "apis/apps/v1/deployments"), "/kept",
                 "{\"metadata\":{\"name\":\"kept\",\"namespace\":\"shop\",\"labels\":{"
                 "\"resourcetemplate.karmada.io/retain-replicas\":\"true\"}}}");
    fake_api_put(api, MEMBER("m1", "apis/apps/v1/namespaces/shop/deployments"), "/kept2",
                 "{\"metadata\":{\"name\":\"kept\",\"namespace\":\"shop\",\"labels\":{"
                 "\"resourcetemplate.karmada.io/retain-replicas\":\"true\"}}}");
    put_pods(api, PODS("m1"), "shop", "web-0", 2, PENDING);
    put_pods(api, PODS("m2"), "shop", "web-0", 3, READY);
    read_rig(&rig, api, MEMBER_ACCESS_AUTO);
    if (rig.fleet != NULL) {
        CHECK_INT(rig.fleet->members[0].n_replica_sets, 1);
        CHECK_INT(rig.fleet->members[1].n_replica_sets, 1);
        CHECK_INT(rig.fleet->members[0].n_workloads, 3); /* kept, web-0, and the lone ReplicaSet */
        CHECK(rig.fleet->members[0].has_deployments);
    }
    CHECK_INT(rig.n_unseen, 0);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", "apis/apps/v1/replicasets")), 0);
    close_rig(&rig);
}

static void
test_much_trouble(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);

    live_members(api);
    for (unsigned i = 0; i < 6; i++) {
        char name[16], path[128], json[512];

        snprintf(name, sizeof(name), "ns-%u", i);
        snprintf(path, sizeof(path), BINDINGS_PATH "/%s", name);
        snprintf(json, sizeof(json),
                 "{\"metadata\":{\"name\":\"b\",\"namespace\":\"%s\"},\"spec\":{\"resource\":{"
                 "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"namespace\":\"%s\","
                 "\"name\":\"b\"},\"replicas\":1}}",
                 name, name);
        fake_api_put(api, BINDINGS_PATH, path, json);
        put_pods(api, PODS("m1"), name, "b", 1, PENDING);
    }
    put_pods(api, PODS("m2"), "elsewhere", "b", 1, READY);
    read_rig(&rig, api, MEMBER_ACCESS_AUTO);
    CHECK_INT(rig.n_unseen, 0);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", "apis/apps/v1/replicasets")), 1);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", "apis/apps/v1/deployments")), 2);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", "apis/apps/v1/namespaces")), 0);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m2", "apis/apps/v1/replicasets")), 0);
    close_rig(&rig);
}

/* With Jobs, pods that succeeded count; with other kinds, pods may hang on whatever there is. */
static void
test_other_kinds(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);

    live_members(api);
    fake_api_put(api, BINDINGS_PATH, BINDINGS_PATH "/x",
                 "{\"metadata\":{\"name\":\"x\",\"namespace\":\"shop\"},\"spec\":{\"resource\":{"
                 "\"apiVersion\":\"example.com/v1\",\"kind\":\"Thing\",\"namespace\":\"shop\","
                 "\"name\":\"x\"},\"replicas\":1}}");
    put_pods(api, PODS("m1"), "shop", "done", 1, "\"phase\":\"Succeeded\"");
    fake_api_put(api, PODS("m1"), PODS("m1") "/db-0",
                 "{\"metadata\":{\"name\":\"db-0\",\"namespace\":\"shop\",\"ownerReferences\":[{"
                 "\"kind\":\"StatefulSet\",\"name\":\"db\",\"controller\":true}]}}");
    read_rig(&rig, api, MEMBER_ACCESS_AUTO);
    if (rig.fleet != NULL) {
        CHECK_INT(member_count_pods(&rig.fleet->members[0]), 2);
    }
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", "apis/apps/v1/statefulsets")), 1);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", "apis/apps/v1/replicasets")), 1);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", "apis/batch")), 0);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m2", "apis/apps/v1/statefulsets")), 0);
    close_rig(&rig);
}

static void
test_unseen(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);

    live_members(api);
    put_pods(api, PODS("m2"), "shop", "web-0", 5, PENDING);
    fake_api_fail(api, "GET", PODS("m1"), 503, "cannot reach m1", 100);
    fake_api_fail(api, "GET", MEMBER("m2", "apis/apps/v1/namespaces/shop/deployments"), 403,
                  "not for you", 100);
    fake_api_fail(api, "GET", MEMBER("m2", "api/v1/nodes"), 500, "no nodes", 100);
    fake_api_serve(api, MEMBER("m2", "apis/apps/v1/namespaces/shop/replicasets"), "apps/v1",
                   "ReplicaSet");
    read_rig(&rig, api, MEMBER_ACCESS_AUTO);
    if (rig.fleet != NULL && CHECK_INT(rig.n_unseen, 2)) {
        const struct member *m1 = &rig.fleet->members[0], *m2 = &rig.fleet->members[1];

        CHECK(!m1->has_nodes && !m1->has_pods && !m1->has_deployments);
        CHECK(m2->has_pods && m2->has_replica_sets && m2->has_jobs);
        CHECK(!m2->has_nodes && !m2->has_deployments);
        CHECK_INT(member_count_pods(m2), 5);
        CHECK_STR(rig.unseen[0].name, "m1");
        CHECK_STR(rig.unseen[0].parts, "pods, deployments, horizontalpodautoscalers, nodes");
        CHECK_CONTAINS(rig.unseen[0].message, "cannot reach m1");
        CHECK_STR(rig.unseen[1].parts, "nodes, deployments");
    }
    /* who does not answer is asked twice, and no more */
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", "")), 2);
    close_rig(&rig);
}

/* Who contradicts himself is not believed, and ends the run for nobody. */
static void
test_one_pod_twice(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);

    live_members(api);
    put_pods(api, PODS("m1"), "shop", "web-0", 3, READY);
    put_pods(api, PODS("m2"), "shop", "web-0", 3, READY);
    fake_api_put(api, PODS("m1"), PODS("m1") "/shop/web-0-0-again",
                 "{\"metadata\":{\"name\":\"web-0-0\",\"namespace\":\"shop\"}}");
    read_rig(&rig, api, MEMBER_ACCESS_AUTO);
    if (rig.fleet != NULL && CHECK_INT(rig.n_unseen, 1)) {
        CHECK(!rig.fleet->members[0].has_pods && rig.fleet->members[0].has_nodes);
        CHECK_INT(member_count_pods(&rig.fleet->members[0]), 0);
        CHECK_INT(member_count_pods(&rig.fleet->members[1]), 3);
        CHECK_STR(rig.unseen[0].parts, "pods");
        CHECK_STR(rig.unseen[0].message,
                  "m1: Pod shop/web-0-0: duplicate: there is one of that name already");
    }
    close_rig(&rig);
}

/* Who shows more than his part of the memory is not seen at all; who shows little is. */
static void
check_too_much_in(uint32_t which)
{
    static const char *const names[] = {"m1", "m2"};
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);
    char collection[128];

    live_members(api);
    snprintf(collection, sizeof(collection), PODS("%s"), names[which]);
    for (unsigned i = 0; i < 30; i++) { /* of 100,000 bytes each */
        char path[512], json[102400];

        snprintf(path, sizeof(path), "%s/shop/p%u", collection, i);
        snprintf(json, sizeof(json),
                 "{\"metadata\":{\"name\":\"p%u\",\"namespace\":\"shop\"},\"status\":{"
                 "\"phase\":\"Pending\",\"reason\":\"%0100000u\"}}",
                 i, i);
        fake_api_put(api, collection, path, json);
    }
    snprintf(collection, sizeof(collection), PODS("%s"), names[1 - which]);
    put_pods(api, collection, "shop", "web-0", 3, READY);
    read_with(&rig, api, MEMBER_ACCESS_AUTO, (struct member_trust){.allow_insecure = false},
              (size_t)4 << 20, AMPLE);
    if (rig.fleet != NULL && CHECK_INT(rig.n_unseen, 1)) {
        const struct member *unseen = &rig.fleet->members[which];

        CHECK(!unseen->has_pods && !unseen->has_nodes);
        CHECK_INT(member_count_pods(unseen), 0);
        CHECK_INT(member_count_pods(&rig.fleet->members[1 - which]), 3);
        CHECK_STR(rig.unseen[0].name, names[which]);
        CHECK_STR(rig.unseen[0].message,
                  "what it shows takes more than 2097152 bytes (--memory-limit)");
    }
    close_rig(&rig);
}

/* Whichever of them is over first. */
static void
test_too_much_to_keep(void)
{
    check_too_much_in(0);
    check_too_much_in(1);
}

/* Pages of one state only: whether the server says so, or just goes on with another one. */
static void
test_begins_again(void)
{
    for (int says_so = 0; says_so < 2; says_so++) {
        struct rig rig;
        struct fake_api *api = live_fleet(1, 2);

        live_members(api);
        put_pods(api, PODS("m1"), "shop", "web-0", 5, READY);
        if (says_so) {
            fake_api_fail(api, "GET", PODS("m1") "?limit=2" NOT_SUCCEEDED "&continue=4", 410,
                          "too old", 2);
        } else {
            fake_api_interfere(api, "GET", PODS("m1"), PODS("m1") "/shop/web-0-0", "{}");
            fake_api_interfere(api, "GET", PODS("m1"), PODS("m1") "/shop/web-0-0", "{}");
        }
        read_rig(&rig, api, MEMBER_ACCESS_AUTO);
        if (rig.fleet != NULL) {
            CHECK_INT(member_count_pods(&rig.fleet->members[0]), 5);
            CHECK(rig.fleet->members[0].has_pods);
        }
        CHECK_INT(rig.n_unseen, 0);
        CHECK(fake_api_count(api, "GET", PODS("m1")) > 3);
        close_rig(&rig);
    }
}

#define AUTOSCALERS(version) MEMBER("m1", "apis/autoscaling/" version "/horizontalpodautoscalers")

/* The newer group goes away between two pages: all of the list comes from the older one. */
static void
test_older_in_the_middle(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);

    live_members(api);
    fake_api_serve(api, AUTOSCALERS("v1"), "autoscaling/v1", "HorizontalPodAutoscaler");
    for (unsigned i = 0; i < 3; i++) {
        char path[256], json[256];

        snprintf(
            json, sizeof(json),
            "{\"metadata\":{\"name\":\"h%u\",\"namespace\":\"shop\"},\"spec\":{\"maxReplicas\":9,"
            "\"scaleTargetRef\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\","
            "\"name\":\"web-%u\"}}}",
            i, i);
        snprintf(path, sizeof(path), "%s/shop/h%u", AUTOSCALERS("v2"), i);
        fake_api_put(api, AUTOSCALERS("v2"), path, json);
        snprintf(path, sizeof(path), "%s/shop/h%u", AUTOSCALERS("v1"), i);
        fake_api_put(api, AUTOSCALERS("v1"), path, json);
    }
    fake_api_fail(api, "GET", AUTOSCALERS("v2") "?limit=2&continue=2", 404, "gone", 1);
    read_rig(&rig, api, MEMBER_ACCESS_AUTO);
    CHECK_INT(rig.n_unseen, 0);
    CHECK_INT(fake_api_count(api, "GET", AUTOSCALERS("v2")), 2);
    CHECK_INT(fake_api_count(api, "GET", AUTOSCALERS("v1")), 2);
    close_rig(&rig);
}

static void
test_never_whole(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);

    live_members(api);
    put_pods(api, PODS("m1"), "shop", "web-0", 3, READY);
    fake_api_fail(api, "GET", PODS("m1") "?limit=2" NOT_SUCCEEDED "&continue=2", 410, "too old",
                  100);
    read_rig(&rig, api, MEMBER_ACCESS_AUTO);
    if (rig.fleet != NULL && CHECK_INT(rig.n_unseen, 1)) {
        CHECK(!rig.fleet->members[0].has_pods && member_count_pods(&rig.fleet->members[0]) == 0);
        CHECK(rig.fleet->members[0].has_nodes);
        CHECK_STR(rig.unseen[0].parts, "pods");
        CHECK_CONTAINS(rig.unseen[0].message, "too old");
    }
    CHECK_INT(fake_api_count(api, "GET", PODS("m1")), 8);
    close_rig(&rig);
}

/* --- clocks --- */

static void
test_clocks(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);
    struct clock clock = fake_api_clock();
    int64_t noon = 0, wall = clock.wall(clock.context);

    timestamp_parse("2026-01-01T12:00:00Z", &noon);
    live_members(api);
    put_pods(api, PODS("m1"), "shop", "web-0", 1, UNREADY);
    put_pods(api, PODS("m2"), "shop", "web-0", 1, UNREADY);
    /* the control plane is two hours ahead of us, m1 with it, m2 one hour more */
    fake_api_clock_offset(api, "/", 2 * HOUR);
    fake_api_clock_offset(api, MEMBER("m2", ""), HOUR);
    read_rig(&rig, api, MEMBER_ACCESS_AUTO);
    if (rig.fleet != NULL) {
        const struct member *members = rig.fleet->members;
        int64_t ahead = rig.fleet->captured_at - wall;

        CHECK(ahead > 2 * HOUR - 10 * NANOS_PER_SECOND);
        CHECK(ahead < 2 * HOUR + 60 * NANOS_PER_SECOND);
        CHECK_INT(members[0].clock_offset, 0);
        CHECK(members[1].clock_offset > HOUR - 5 * NANOS_PER_SECOND);
        CHECK(members[1].clock_offset < HOUR + 5 * NANOS_PER_SECOND);
        if (CHECK(members[0].n_pods == 1 && members[1].n_pods == 1)) {
            CHECK_INT(members[0].pods[0].conditions.items[0].last_transition, noon);
            CHECK_INT(members[1].pods[0].conditions.items[0].last_transition,
                      noon - members[1].clock_offset);
        }
    }
    close_rig(&rig);
}

/* --- directly --- */

/* m1 has an API server of its own at `url`, and a Secret with a token for it. */
static void
put_way(struct fake_api *api, const char *name, const char *url)
{
    char path[256], json[512];

    snprintf(path, sizeof(path), CLUSTERS_PATH "/%s", name);
    snprintf(json, sizeof(json),
             "{\"spec\":{\"apiEndpoint\":\"%s\",\"insecureSkipTLSVerification\":true,"
             "\"secretRef\":{\"namespace\":\"karmada-cluster\",\"name\":\"%s\"}}}",
             url, name);
    fake_api_put(api, CLUSTERS_PATH, path, json);
    snprintf(path, sizeof(path), SECRETS "/%s", name);
    fake_api_put(api, SECRETS, path, "{\"kind\":\"Secret\",\"data\":{\"token\":\"c2VzYW1l\"}}");
}

static struct fake_api *
member_api(void)
{
    struct fake_api *api = fake_api_start();

    fake_api_serve(api, "/api/v1/pods", "v1", "Pod");
    fake_api_serve(api, "/api/v1/nodes", "v1", "Node");
    fake_api_serve(api, "/apis/apps/v1/deployments", "apps/v1", "Deployment");
    put_pods(api, "/api/v1/pods", "shop", "web-0", 3, READY);
    return api;
}

static void
test_directly(void)
{
    static const enum member_access ways[] = {MEMBER_ACCESS_DIRECT, MEMBER_ACCESS_AUTO};

    for (size_t i = 0; i < 2; i++) {
        struct rig rig;
        struct fake_api *api = live_fleet(1, 2), *m1 = member_api();

        put_way(api, "m1", fake_api_url(m1)); /* m2 has none, and there is no proxy */
        read_rig(&rig, api, ways[i]);
        if (rig.fleet != NULL && CHECK_INT(rig.n_unseen, 1)) {
            CHECK(rig.fleet->members[0].has_pods && rig.fleet->members[0].has_nodes);
            CHECK_INT(member_count_pods(&rig.fleet->members[0]), 3);
            CHECK(rig.fleet->members[0].is_direct && !rig.fleet->members[1].is_direct);
            CHECK_STR(rig.unseen[0].name, "m2");
            CHECK_CONTAINS(rig.unseen[0].message, "no spec.apiEndpoint or no spec.secretRef");
        }
        CHECK_INT(fake_api_count(api, "GET", CLUSTERS_PATH "/m1/proxy"), i);
        CHECK_INT(fake_api_count(api, "GET", SECRETS), 1);
        close_rig(&rig);
        fake_api_stop(m1);
    }
}

/* Who answers by proxy is not gone to directly, whatever becomes of it there. */
static void
test_proxy_that_is_there(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);

    live_members(api);
    put_way(api, "m1", "http://127.0.0.1:1");
    put_way(api, "m2", "http://127.0.0.1:1");
    fake_api_fail(api, "GET", PODS("m1"), 403, "pods is forbidden", 100);
    fake_api_fail(api, "GET", PODS("m2"), 503, "m2 is away", 100);
    read_rig(&rig, api, MEMBER_ACCESS_AUTO);
    CHECK_INT(rig.n_unseen, 2);
    CHECK_INT(fake_api_count(api, "GET", SECRETS), 0);
    close_rig(&rig);
}

/* A silent member has its own time, and no more of anybody else's. */
static void
test_silent_member(void)
{
    static const struct step steps[] = {{.raw = "", .manner = SILENT}};
    struct script script = {steps, 1};
    struct fault_server *silent = fault_server_start(
        &(struct fault_options){.is_clear = true, .handler = script_play, .context = &script});
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2), *m1 = member_api();

    put_way(api, "m1", fake_api_url(m1));
    put_way(api, "m2", fault_server_url(silent));
    read_waiting(&rig, api, MEMBER_ACCESS_DIRECT, SCANT);
    if (rig.fleet != NULL && CHECK_INT(rig.n_unseen, 1)) {
        CHECK_INT(member_count_pods(&rig.fleet->members[0]), 3);
        CHECK(!rig.fleet->members[1].has_pods && !rig.fleet->members[1].has_nodes);
        CHECK_STR(rig.unseen[0].name, "m2");
        CHECK_STR(rig.unseen[0].parts, "pods, deployments, horizontalpodautoscalers, nodes");
    }
    close_rig(&rig);
    fake_api_stop(m1);
    fault_server_stop(silent);
}

/* What a real API server gave: pages, whole lists, and errors, all of it in its own encoding. */
static bool
answer_protobuf(void *context, struct fault_connection *connection,
                const struct fault_request *request)
{
    /* k8s\0, then a runtime.Unknown: typeMeta v1 Status, and in raw the message */
    static const char status[] = "k8s\0\n\x0c\n\x02v1\x12\x06Status\x12\x0b\x1a\x09no rights";
    bool is_pods = strstr(request->target, "/api/v1/pods") != NULL;
    bool is_list = is_pods || strstr(request->target, "/api/v1/nodes") != NULL;
    char bytes[65536], head[256];
    size_t length = sizeof(status) - 1;

    (void)context;
    memcpy(bytes, status, length);
    if (is_list) {
        FILE *file =
            fopen(is_pods ? "tests/unit/protobuf/pods.pb" : "tests/unit/protobuf/nodes.pb", "rbe");

        length = file != NULL ? fread(bytes, 1, sizeof(bytes), file) : 0;
        if (file != NULL) {
            fclose(file);
        }
    }
    CHECK_CONTAINS(request->head, "Accept: application/vnd.kubernetes.protobuf");
    snprintf(head, sizeof(head),
             "HTTP/1.1 %s\r\nContent-Type: application/vnd.kubernetes.protobuf\r\n"
             "Content-Length: %zu\r\n\r\n",
             is_list ? "200 OK" : "403 x", length);
    return fault_write(connection, head, strlen(head)) && fault_write(connection, bytes, length);
}

static void
test_protobuf(void)
{
    struct fault_server *m1 =
        fault_server_start(&(struct fault_options){.is_clear = true, .handler = answer_protobuf});
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);

    put_way(api, "m1", fault_server_url(m1));
    read_rig(&rig, api, MEMBER_ACCESS_DIRECT);
    if (rig.fleet != NULL && CHECK_INT(rig.n_unseen, 2)) {
        CHECK(rig.fleet->members[0].has_pods && rig.fleet->members[0].has_nodes);
        CHECK_INT(member_count_pods(&rig.fleet->members[0]), 5);
        CHECK_INT(rig.fleet->members[0].n_nodes, 2);
        CHECK_CONTAINS(rig.unseen[0].parts, "deployments, horizontalpodautoscalers");
        CHECK_CONTAINS(rig.unseen[0].message, "HTTP 403: no rights");
    }
    close_rig(&rig);
    fault_server_stop(m1);
}

static void
test_secret_that_is_none(void)
{
    struct rig rig;
    struct fake_api *api = live_fleet(1, 2);

    put_way(api, "m1", "http://127.0.0.1:1");
    put_way(api, "m2", "http://127.0.0.1:1");
    fake_api_put(api, SECRETS, SECRETS "/m1", "{\"data\":{\"token\":\"***sesame\"}}");
    fake_api_fail(api, "GET", SECRETS "/m2", 403, "no Secrets for you", 9);
    read_rig(&rig, api, MEMBER_ACCESS_DIRECT);
    if (CHECK_INT(rig.n_unseen, 2)) {
        CHECK_STR(rig.unseen[0].message,
                  "Secret karmada-cluster/m1: data.token: this is no base64");
        CHECK_CONTAINS(rig.unseen[1].message, "no Secrets for you");
    }
    close_rig(&rig);
}

void suite_members(void);

void
suite_members(void)
{
    check_suite("members");
    check_test("where nothing is wrong", test_nothing_wrong);
    check_test("pods in trouble lead to workloads, everywhere", test_trouble);
    check_test("trouble in many namespaces", test_much_trouble);
    check_test("other kinds of workloads", test_other_kinds);
    check_test("what is not seen of a member is unknown", test_unseen);
    check_test("one pod twice", test_one_pod_twice);
    check_test("more than may be kept", test_too_much_to_keep);
    check_test("a list of two states begins again", test_begins_again);
    check_test("a newer group goes away in the middle", test_older_in_the_middle);
    check_test("a list that never comes whole", test_never_whole);
    check_test("clocks that differ", test_clocks);
    check_test("directly", test_directly);
    check_test("by proxy, where it is there", test_proxy_that_is_there);
    check_test("a silent member", test_silent_member);
    check_test("in protobuf", test_protobuf);
    check_test("Secrets that are of no use", test_secret_that_is_none);
}
