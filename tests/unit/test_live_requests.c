/* SPDX-License-Identifier: Apache-2.0
 *
 * How much a cycle asks of a control plane and its members, however many bindings
 * there are, and what it asks only where something is to be done about it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/buf.h"
#include "check.h"
#include "live_fleet.h"
#include "live_run.h"

#define REQUESTS_MAX 20 /* of a cycle over three members in which nothing is wrong */
#define QUOTAS_PATH "/apis/policy.karmada.io/v1alpha1/federatedresourcequotas"
#define AUTOSCALERS_PATH "/apis/autoscaling/v2/horizontalpodautoscalers"
#define SCALED_OBJECTS_PATH "/apis/keda.sh/v1alpha1/scaledobjects"
#define DESCHEDULER_PATH LEASES_PATH "/karmada-descheduler"
#define AUTOSCALER                                                                                 \
    "{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{"                           \
    "\"scaleTargetRef\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"web-0\"}}}"

/* Kinds that a Karmada has besides what live_fleet serves. */
static const struct served {
    const char *api, *plural, *kind;
} kinds[] = {
    {"policy.karmada.io/v1alpha1", "overridepolicies", "OverridePolicy"},
    {"policy.karmada.io/v1alpha1", "clusteroverridepolicies", "ClusterOverridePolicy"},
    {"policy.karmada.io/v1alpha1", "federatedresourcequotas", "FederatedResourceQuota"},
    {"autoscaling.karmada.io/v1alpha1", "federatedhpas", "FederatedHPA"},
    {"autoscaling.karmada.io/v1alpha1", "cronfederatedhpas", "CronFederatedHPA"},
    {"autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler"},
    {"keda.sh/v1alpha1", "scaledobjects", "ScaledObject"},
};

/* They are served, and the server says so. */
static void
serve_karmada(struct fake_api *api)
{
    struct buf groups;

    buf_init(&groups, 1 << 16);
    buf_append_str(&groups, "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[");
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        char path[256];
        int group = (int)strcspn(kinds[i].api, "/");

        snprintf(path, sizeof(path), "/apis/%s/%s", kinds[i].api, kinds[i].plural);
        fake_api_serve(api, path, kinds[i].api, kinds[i].kind);
        if (i > 0 && strcmp(kinds[i].api, kinds[i - 1].api) == 0) {
            buf_printf(&groups, ",{\"resource\":\"%s\"}", kinds[i].plural);
        } else {
            buf_printf(&groups,
                       "%s{\"metadata\":{\"name\":\"%.*s\"},\"versions\":[{\"version\":\"%s\","
                       "\"resources\":[{\"resource\":\"%s\"}",
                       i > 0 ? "]}]}," : "", group, kinds[i].api, kinds[i].api + group + 1,
                       kinds[i].plural);
        }
    }
    buf_append_str(&groups, "]}]}]}");
    fake_api_serve(api, "/documents", "v1", "Document");
    fake_api_put(api, "/documents", "/apis", buf_text(&groups));
    buf_release(&groups);
}

static struct fake_api *
three_members(unsigned n_bindings, unsigned assigned)
{
    struct fake_api *api = live_fleet(n_bindings, assigned);

    live_members(api);
    live_one_more_member(api, "m3");
    serve_karmada(api);
    fake_api_serve(api, EVENTS, "v1", "Event");
    return api;
}

/* A binding that brings an object of that kind to m1. */
static void
bind(struct fake_api *api, const char *api_version, const char *kind)
{
    char path[256], json[1024];

    snprintf(path, sizeof(path), SHOP_BINDINGS_PATH "/%s", kind);
    snprintf(json, sizeof(json),
             "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"shop\",\"uid\":\"%s\"},"
             "\"spec\":{\"resource\":{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"namespace\":\"shop\","
             "\"name\":\"web\"},\"clusters\":[{\"name\":\"m1\"}]}}",
             kind, kind, api_version, kind);
    fake_api_put(api, BINDINGS_PATH, path, json);
}

static void
test_nothing_is_wrong(void)
{
    static const unsigned sizes[] = {1, 150, 450};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct fake_api *api = three_members(sizes[i], 3);
        struct live_outcome got = live_run(api, "plan");
        unsigned requests = fake_api_count(api, "", "");

        CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
        CHECK_MSG(requests <= REQUESTS_MAX, "%u requests", requests);
        CHECK_INT(fake_api_count(api, "GET", CLUSTERS_PATH "/m1/"), 4);
        CHECK_INT(fake_api_count(api, "GET", CLUSTERS_PATH "/m3/"), 4);
        CHECK_INT(fake_api_count(api, "GET", "/apis/policy"), 2);
        CHECK_INT(fake_api_count(api, "GET", QUOTAS_PATH), 0);
        CHECK_INT(fake_api_count(api, "GET", DESCHEDULER_PATH), 0);
        CHECK_INT(fake_api_count(api, "GET", AUTOSCALERS_PATH), 0);
        CHECK_INT(fake_api_count(api, "GET", SCALED_OBJECTS_PATH), 0);
        CHECK_INT(fake_api_count(api, "GET", "/version"), 0);
        live_release(&got);

        got = live_run(api, "run"); /* and it writes nothing but its Lease */
        CHECK_INT(fake_api_count(api, "PATCH", ""), 0);
        CHECK_INT(fake_api_count(api, "POST", EVENTS), 0);
        live_release(&got);
        fake_api_stop(api);
    }
}

/* What only a change needs is read once, before it is planned. */
static void
test_something_is_wrong(void)
{
    struct fake_api *api = three_members(150, 2);
    struct live_outcome got = live_run(api, "plan");

    CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
    CHECK_INT(fake_api_count(api, "GET", QUOTAS_PATH), 1);
    CHECK_INT(fake_api_count(api, "GET", DESCHEDULER_PATH), 1);
    CHECK_CONTAINS(got.out, "to change    150 bindings, ");
    live_release(&got);

    fake_api_put(api, QUOTAS_PATH, "/quota",
                 "{\"metadata\":{\"name\":\"q\",\"namespace\":\"shop\"},\"spec\":{\"overall\":{"
                 "\"pods\":\"many\"}}}");
    got = live_run(api, "plan");
    CHECK_INT(got.status, STATUS_DONE);
    CHECK_CONTAINS(got.err, "skipped FederatedResourceQuota shop/q");
    live_release(&got);

    fake_api_fail(api, "GET", QUOTAS_PATH, 403, "you may not", 1);
    got = live_run(api, "run");
    CHECK_INT(got.status, STATUS_ERROR);
    CHECK_CONTAINS(got.err, "listing federatedresourcequotas");
    CHECK_INT(fake_api_count(api, "PATCH", ""), 0);
    live_release(&got);
    fake_api_stop(api);
}

/* The number behind some words of the log; 0: they are not there. */
static unsigned long
told(const struct live_outcome *got, const char *words)
{
    const char *at = strstr(got->err, words);

    return at != NULL ? strtoul(at + strlen(words), NULL, 10) : 0;
}

/* What each source cost, as the log tells, has what was asked for late and for labels, too. */
static void
test_costs_are_whole(void)
{
    static const char *const lines[] = {"plan -v 1", "plan -v 1 -l app=web"};

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct fake_api *api = three_members(3, 2);
        struct live_outcome got = live_run(api, "%s", lines[i]);
        unsigned long of_plane = told(&got, "read from control plane: ");
        unsigned long of_members = told(&got, "read from members: ");

        CHECK_INT(of_members, told(&got, ", members "));
        CHECK_INT(of_plane, told(&got, "(control plane "));
        CHECK_INT(of_plane + of_members, fake_api_count(api, "", ""));
        CHECK_INT(fake_api_count(api, "GET", QUOTAS_PATH), i == 0 ? 1 : 0);
        live_release(&got);
        fake_api_stop(api);
    }
}

#define MAPS_PATH "/api/v1/namespaces/default/configmaps"

/* What shards wrote down is asked for, too: the ConfigMaps by their metadata, and each part. */
static void
test_summaries_are_counted(void)
{
    struct fake_api *api = three_members(3, 3);

    fake_api_serve(api, MAPS_PATH, "v1", "ConfigMap");
    struct live_outcome got = live_run(api, "observe --shard 1/1 --summaries configmap:s -v 1");

    CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
    CHECK_INT(told(&got, "summary: "), fake_api_count(api, "", MAPS_PATH));
    CHECK_INT(told(&got, "summary: ") + told(&got, "(control plane ") + told(&got, ", members "),
              fake_api_count(api, "", ""));
    live_release(&got);

    unsigned before = fake_api_count(api, "", ""), listed = fake_api_count(api, "GET", MAPS_PATH);

    got = live_run(api, "plan --summaries configmap:s -v 1");
    CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
    CHECK_INT(fake_api_count(api, "GET", MAPS_PATH) - listed, 2);
    CHECK_INT(told(&got, ", summaries "), 2);
    CHECK_INT(told(&got, ", members "), 0);
    CHECK_INT(told(&got, "(control plane ") + told(&got, ", summaries "),
              fake_api_count(api, "", "") - before);
    live_release(&got);
    fake_api_stop(api);
}

/* What comes late may fail when the Lease is held already: what passes is tried again, what does
 * not ends the run before it writes, and the Lease is given back. */
static void
test_late_failures(void)
{
    static const struct {
        int status;
        unsigned times, patches;
        enum exit_status ends;
    } cases[] = {
        {410, 1, 3, STATUS_DONE},    /* it begins again */
        {503, 1, 3, STATUS_DONE},    /* it passes */
        {404, 9, 3, STATUS_DONE},    /* it was served a moment ago */
        {403, 9, 0, STATUS_ERROR},   /* we may not know what is allowed */
        {410, 999, 0, STATUS_ERROR}, /* it never ends */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_api *api = three_members(3, 2);

        fake_api_fail(api, "GET", QUOTAS_PATH, cases[i].status, "not now", cases[i].times);
        struct live_outcome got = live_run(api, "run");

        CHECK_MSG(got.status == cases[i].ends, "case %zu: status %d: %s", i, (int)got.status,
                  got.err);
        CHECK_INT(fake_api_count(api, "PATCH", ""), cases[i].patches);
        CHECK_CONTAINS(fake_api_get(api, LEASES_PATH "/ballast"), "renewTime");
        CHECK(strstr(fake_api_get(api, LEASES_PATH "/ballast"), "holderIdentity") == NULL);
        live_release(&got);
        fake_api_stop(api);
    }
}

/* Which of all requests is the nth of a method; -1: there is none. */
static int
place_of(struct fake_api *api, const char *method, unsigned nth)
{
    const char *head;

    for (unsigned i = 0; (head = fake_api_head(api, "", "", i)) != NULL; i++) {
        if (strncmp(head, method, strlen(method)) == 0 && nth-- == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* Events go out while others are written, whatever comes of them, and none is sent twice. */
static void
test_events_beside_writes(void)
{
    static const struct {
        int status; /* of all Events; 0: they are taken */
        const char *warning;
    } cases[] = {{0, ""}, {403, "80 of 80 Events were not written"}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_api *api = three_members(40, 2);

        if (cases[i].status != 0) {
            fake_api_fail(api, "POST", EVENTS, cases[i].status, "no Events", 1000);
        }
        /* four at a time, so that not all are written before an Event has its turn */
        struct live_outcome got = live_run(api, "run --concurrency=4");

        CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
        CHECK_CONTAINS(got.err, cases[i].warning);
        CHECK_CONTAINS(got.out, "written      40 bindings");
        CHECK_INT(fake_api_count(api, "PATCH", ""), 40);
        CHECK_INT(fake_api_count(api, "POST", EVENTS), 80);
        int first_event = place_of(api, "POST /api/v1/namespaces/shop/events", 0);
        int last_write = place_of(api, "PATCH", 39);

        CHECK_MSG(first_event >= 0 && first_event < last_write, "the first Event is request %d",
                  first_event);
        live_release(&got);
        fake_api_stop(api);
    }
}

/* An autoscaler of the control plane counts the replicas of a member where a binding brings it
 * there. */
static void
test_what_a_binding_brings(void)
{
    static const struct {
        const char *api_version, *kind, *path;
    } cases[] = {
        {"autoscaling/v2", "HorizontalPodAutoscaler", AUTOSCALERS_PATH},
        {"keda.sh/v1alpha1", "ScaledObject", SCALED_OBJECTS_PATH},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_api *api = three_members(1, 2);

        fake_api_put(api, cases[i].path, "/web", AUTOSCALER);
        struct live_outcome got = live_run(api, "plan --all");

        CHECK_INT(fake_api_count(api, "GET", cases[i].path), 0);
        CHECK_CONTAINS(got.out, "to change    1 binding, ");
        live_release(&got);
        bind(api, cases[i].api_version, cases[i].kind);
        got = live_run(api, "plan --all");
        CHECK_INT(fake_api_count(api, "GET", cases[i].path), 1);
        CHECK_CONTAINS(got.out, "scales its replicas");
        live_release(&got);
        fake_api_stop(api);
    }
}

#define REBALANCERS_PATH "/apis/apps.karmada.io/v1alpha1/workloadrebalancers"

/* One request makes it, of what was read of names alone; no server writes to the terminal. */
static void
test_rebalancer_is_made(void)
{
    struct fake_api *api = three_members(2, 2);

    fake_api_serve(api, REBALANCERS_PATH, "apps.karmada.io/v1alpha1", "WorkloadRebalancer");
    struct live_outcome got = live_run(api, "rebalance shop/web-0 --name x\033[2J");

    CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
    CHECK_STR(got.out, "workloadrebalancer.apps.karmada.io/x\\u001B[2J created\n");
    CHECK_INT(fake_api_count(api, "POST", ""), 1);
    CHECK_INT(fake_api_count(api, "PATCH", ""), 0);
    CHECK_INT(fake_api_count(api, "GET", QUOTAS_PATH), 0);
    CHECK_CONTAINS(fake_api_body(api, "POST", REBALANCERS_PATH, 0), "\"name\":\"web-0\"");
    live_release(&got);
    fake_api_stop(api);
}

void suite_live_requests(void);

void
suite_live_requests(void)
{
    check_suite("live requests");
    check_test("nothing is wrong", test_nothing_is_wrong);
    check_test("something is wrong", test_something_is_wrong);
    check_test("costs are whole", test_costs_are_whole);
    check_test("summaries are counted", test_summaries_are_counted);
    check_test("what fails late", test_late_failures);
    check_test("what a binding brings", test_what_a_binding_brings);
    check_test("a WorkloadRebalancer is made", test_rebalancer_is_made);
    check_test("Events beside the writes", test_events_beside_writes);
}
