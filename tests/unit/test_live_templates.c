/* SPDX-License-Identifier: Apache-2.0
 *
 * Pod templates of many workloads in one namespace come with a list; what a list
 * does not bring is asked for one by one.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "live_fleet.h"
#include "live_run.h"
#include "temp_dir.h"

#define DEPLOYMENTS_PATH "/apis/apps/v1/namespaces/shop/deployments"
#define MANY 6
#define N_LISTED (MANY - 1) /* the last of them no list has */

/* Each has one of two replicas, in m1. */
static struct fake_api *
fleet_of_many(void)
{
    struct fake_api *api = live_fleet(0, 0);

    live_members(api);
    fake_api_serve(api, "/documents", "v1", "Document");
    fake_api_put(api, "/documents", "/apis/apps/v1",
                 "{\"resources\":[{\"name\":\"deployments\",\"kind\":\"Deployment\"}]}");
    for (size_t i = 0; i < 4; i++) {
        static const char *const lists[] = {
            MEMBER("m1", "api/v1/namespaces/shop/limitranges"),
            MEMBER("m2", "api/v1/namespaces/shop/limitranges"),
            MEMBER("m1", "api/v1/namespaces/shop/resourcequotas"),
            MEMBER("m2", "api/v1/namespaces/shop/resourcequotas"),
        };

        fake_api_serve(api, lists[i], "v1", i < 2 ? "LimitRange" : "ResourceQuota");
    }
    fake_api_serve(api, DEPLOYMENTS_PATH, "apps/v1", "Deployment");
    for (int i = 0; i < MANY; i++) {
        char path[128], json[1024];

        snprintf(path, sizeof(path), SHOP_BINDINGS_PATH "/w%d", i);
        snprintf(json, sizeof(json),
                 "{\"metadata\":{\"name\":\"w%d\",\"namespace\":\"shop\",\"uid\":\"u%d\","
                 "\"labels\":{\"propagationpolicy.karmada.io/permanent-id\":\"p\"}},\"spec\":{"
                 "\"resource\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\","
                 "\"namespace\":\"shop\",\"name\":\"w%d\"},\"replicas\":2,"
                 "\"replicaRequirements\":{\"resourceRequest\":{\"cpu\":\"1\"}},\"placement\":{"
                 "\"replicaScheduling\":{\"replicaSchedulingType\":\"Divided\","
                 "\"replicaDivisionPreference\":\"Aggregated\"}},\"clusters\":[{\"name\":\"m1\","
                 "\"replicas\":1}]}}",
                 i, i, i);
        fake_api_put(api, BINDINGS_PATH, path, json);
        snprintf(path, sizeof(path), DEPLOYMENTS_PATH "/w%d", i);
        snprintf(json, sizeof(json),
                 "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":"
                 "\"w%d\",\"namespace\":\"shop\"},\"spec\":{\"template\":{\"spec\":{"
                 "\"containers\":[{\"ports\":[{\"containerPort\":80,\"hostPort\":80}],"
                 "\"resources\":{\"requests\":{\"cpu\":\"1\"}}}]}}}}",
                 i);
        fake_api_put(api, i < N_LISTED ? DEPLOYMENTS_PATH : "/documents", path, json);
    }
    return api;
}

/* Requests for one object: what goes below the collection. */
static unsigned
count_alone(struct fake_api *api)
{
    return fake_api_count(api, "GET", DEPLOYMENTS_PATH "/");
}

static unsigned
count_lists(struct fake_api *api)
{
    return fake_api_count(api, "GET", DEPLOYMENTS_PATH "?");
}

static void
test_many_templates(void)
{
    static const struct {
        int status; /* of the list; 0: it is fine */
        const char *flags;
        unsigned lists, alone;
    } how[] = {
        /* what is not in the list is asked for alone */
        {0, "", 1, 1},      {0, "--page-size=3", 2, 1}, /* page by page */
        {403, "", 1, MANY}, {405, "", 1, MANY},         {404, "", 1, MANY},
    };
    struct fake_api *api = fleet_of_many();
    struct live_outcome want = live_run(api, "plan");

    CHECK_INT(want.status, STATUS_DONE);
    CHECK(strstr(want.out, "not seen") == NULL);
    fake_api_stop(api);
    for (size_t i = 0; i < sizeof(how) / sizeof(how[0]); i++) {
        api = fleet_of_many();
        if (how[i].status != 0) {
            fake_api_fail(api, "GET", DEPLOYMENTS_PATH, how[i].status, "no lists", 9);
        }
        struct live_outcome got = live_run(api, "plan %s", how[i].flags);

        CHECK_MSG(got.status == STATUS_DONE, "case %zu: status %d: %s", i, (int)got.status,
                  got.err);
        CHECK_STR(strstr(got.out, "Given") != NULL ? strstr(got.out, "Given") : "",
                  strstr(want.out, "Given") != NULL ? strstr(want.out, "Given") : "none");
        CHECK_MSG(count_lists(api) == how[i].lists, "case %zu: %u lists", i, count_lists(api));
        CHECK_MSG(count_alone(api) == how[i].alone, "case %zu: %u alone", i, count_alone(api));
        live_release(&got);
        fake_api_stop(api);
    }
    live_release(&want);
}

/* Of the document, without when and where it was seen. */
static const char *
from_problems(const struct live_outcome *got)
{
    const char *begin = strstr(got->out, "\"problems\": [");

    CHECK(begin != NULL);
    return begin != NULL ? begin : "";
}

/* A snapshot keeps what the list brought. */
static void
test_snapshot(void)
{
    struct fake_api *api = fleet_of_many();
    struct temp_dir dir = temp_dir_make();
    struct live_outcome live = live_run(api, "plan -o json");
    struct live_outcome taken = live_run(api, "snapshot %s/s", dir.path);
    struct live_outcome files = live_run(api, "plan -o json --fleet %s/s", dir.path);

    CHECK_MSG(taken.status == STATUS_DONE, "status %d: %s", (int)taken.status, taken.err);
    CHECK_STR(from_problems(&files), from_problems(&live));
    live_release(&files);
    live_release(&taken);
    live_release(&live);
    temp_dir_remove(&dir);
    fake_api_stop(api);
}

/* One that is there and no template, and one that is gone. */
static void
test_bad_ones_of_many(void)
{
    struct fake_api *api = fleet_of_many();

    fake_api_put(
        api, DEPLOYMENTS_PATH, DEPLOYMENTS_PATH "/w1",
        "{\"metadata\":{\"name\":\"w1\",\"namespace\":\"shop\"},\"spec\":{\"template\":null}}");
    fake_api_delete(api, DEPLOYMENTS_PATH "/w2");
    struct live_outcome got = live_run(api, "plan");

    CHECK_INT(got.status, STATUS_DONE);
    CHECK_CONTAINS(got.out, "shop/w1: it has no spec.template");
    CHECK_INT(count_alone(api), 2); /* the last one and w2 */
    live_release(&got);
    fake_api_stop(api);
}

void suite_live_templates(void);

void
suite_live_templates(void)
{
    check_suite("live templates");
    check_test("many templates of one namespace", test_many_templates);
    check_test("snapshot", test_snapshot);
    check_test("bad ones of many", test_bad_ones_of_many);
}
