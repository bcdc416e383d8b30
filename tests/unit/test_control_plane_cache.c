/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of a control plane in pages or out of its cache, as its version wants; and
 * how much is asked in all.
 */
#include <stdio.h>
#include <string.h>

#include "ballast/base/buf.h"
#include "ballast/base/timestamp.h"
#include "ballast/karmada/control_plane.h"
#include "check.h"
#include "live_fleet.h"

/* A server whose pages are dear is asked for its cache, but for the Clusters, which tell who is
 * there; where that breaks off, the whole reading begins again in pages. */
static void
test_cache(void)
{
    static const struct {
        const char *version;
        bool breaks;
        unsigned least; /* requests; of what is begun again some may be in vain */
        const char *last;
    } cases[] = {
        {"{\"major\":\"1\",\"minor\":\"20\"}", false, 1, "?limit=2&resourceVersion=0"},
        {"{\"major\":\"1\",\"minor\":\"34\"}", false, 3, "?limit=2&continue=4"},
        {"{\"major\":\"1\",\"minor\":\"20\"}", true, 4, "?limit=2&continue=4"},
    };
    const struct control_plane_options options = {
        .clock = fake_api_clock(), .page_size = 2, .concurrency = 2};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct kube_config config;
        struct error err = ERROR_INIT;
        struct fake_api *api = live_fleet(5, 2);

        fake_api_serve(api, "/documents", "v1", "Document");
        fake_api_put(api, "/documents", "/version", cases[i].version);
        if (cases[i].breaks) {
            fake_api_cut(api, BINDINGS_PATH);
        }
        struct kube_client *client = live_client(api, &config);
        struct control_plane *plane = control_plane_new(client, &options);
        const struct backend backend = control_plane_backend(plane);
        struct fleet *fleet = backend.read(backend.context, &err);

        CHECK_MSG(fleet != NULL, "no fleet: %s", err.message);
        CHECK(fleet != NULL && fleet->n_bindings == 5 && fleet->n_clusters == 2 &&
              fleet->n_problems == 0);
        unsigned requests = fake_api_count(api, "GET", BINDINGS_PATH);

        CHECK_MSG(requests == cases[i].least || (cases[i].breaks && requests > cases[i].least),
                  "%u requests", requests);
        CHECK_STR(fake_api_target(api, "GET", BINDINGS_PATH, requests - 1) + strlen(BINDINGS_PATH),
                  cases[i].last);
        CHECK_STR(fake_api_target(api, "GET", CLUSTERS_PATH, 0), CLUSTERS_PATH "?limit=2");
        fleet_free(fleet);
        control_plane_free(plane);
        kube_client_free(client);
        fake_api_stop(api);
    }
}

/* A server that has these kinds besides, and says so. */
static void
serve_more(struct fake_api *api)
{
    static const struct {
        const char *api, *plural, *kind;
    } more[] = {
        {"policy.karmada.io/v1alpha1", "overridepolicies", "OverridePolicy"},
        {"policy.karmada.io/v1alpha1", "clusteroverridepolicies", "ClusterOverridePolicy"},
        {"policy.karmada.io/v1alpha1", "federatedresourcequotas", "FederatedResourceQuota"},
        {"autoscaling.karmada.io/v1alpha1", "federatedhpas", "FederatedHPA"},
        {"autoscaling.karmada.io/v1alpha1", "cronfederatedhpas", "CronFederatedHPA"},
        {"autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler"},
    };
    struct buf groups;

    buf_init(&groups, 1 << 16);
    buf_append_str(&groups, "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[");
    for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
        char path[256];
        int group = (int)strcspn(more[i].api, "/");

        snprintf(path, sizeof(path), "/apis/%s/%s", more[i].api, more[i].plural);
        fake_api_serve(api, path, more[i].api, more[i].kind);
        if (i > 0 && strcmp(more[i].api, more[i - 1].api) == 0) {
            buf_printf(&groups, ",{\"resource\":\"%s\"}", more[i].plural);
        } else {
            buf_printf(&groups,
                       "%s{\"metadata\":{\"name\":\"%.*s\"},\"versions\":[{\"version\":\"%s\","
                       "\"resources\":[{\"resource\":\"%s\"}",
                       i > 0 ? "]}]}," : "", group, more[i].api, more[i].api + group + 1,
                       more[i].plural);
        }
    }
    buf_append_str(&groups, "]}]}]}");
    fake_api_serve(api, "/documents", "v1", "Document");
    fake_api_put(api, "/documents", "/apis", buf_text(&groups));
    fake_api_put(api, "/documents", "/version", "{\"major\":\"1\",\"minor\":\"30\"}");
    buf_release(&groups);
}

/* Twelve questions to the control plane and four to each member, however many bindings there are:
 * kinds that the server does not have are not asked for. */
static void
test_number_of_requests(void)
{
    const struct control_plane_options options = {
        .clock = fake_api_clock(),
        .page_size = 500,
        .concurrency = 16,
        .members = {.sources = {{SOURCE_PODS, SOURCE_NODES}, 2}, .time = 60 * NANOS_PER_SECOND},
    };
    struct kube_config config;
    struct error err = ERROR_INIT;
    struct fake_api *api = live_fleet(150, 2);

    live_members(api);
    serve_more(api);
    struct kube_client *client = live_client(api, &config);
    struct control_plane *plane = control_plane_new(client, &options);
    const struct backend backend = control_plane_backend(plane);
    struct fleet *fleet = backend.read(backend.context, &err);

    CHECK_MSG(fleet != NULL, "no fleet: %s", err.message);
    CHECK(fleet != NULL && fleet->n_bindings == 150 && fleet->members[0].has_pods &&
          fleet->members[1].has_pods && fleet->n_problems == 0);
    CHECK_INT(fake_api_count(api, "", ""), 12 + 2 * 4);
    CHECK_INT(fake_api_count(api, "GET", CLUSTERS_PATH "/m1/"), 4);
    fleet_free(fleet);
    control_plane_free(plane);
    kube_client_free(client);
    fake_api_stop(api);
}

void suite_control_plane_cache(void);

void
suite_control_plane_cache(void)
{
    check_suite("control plane's cache");
    check_test("out of the server's cache", test_cache);
    check_test("the number of requests", test_number_of_requests);
}
