/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of a control plane in pages or out of its cache, as its age wants.
 */
#include <stdio.h>
#include <string.h>

#include "ballast/karmada/control_plane.h"
#include "check.h"
#include "live_fleet.h"

#define GROUPS_WITH(version)                                                                       \
    "{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"resource.k8s.io\",\"versions\":[" version  \
    "]}]}"

/* A server whose pages are dear is asked for its cache, but for the Clusters, which tell who is
 * there; where that breaks off, the whole reading begins again in pages. */
static void
test_cache(void)
{
    static const struct {
        const char *groups; /* that it serves */
        bool breaks;
        unsigned least; /* requests; of what is begun again some may be in vain */
        const char *last;
    } cases[] = {
        {GROUPS_WITH(""), false, 1, "?limit=2&resourceVersion=0"},
        {GROUPS_WITH("{\"groupVersion\":\"resource.k8s.io/v1\"}"), false, 3, "?limit=2&continue=4"},
        {GROUPS_WITH(""), true, 4, "?limit=2&continue=4"},
    };
    const struct control_plane_options options = {
        .clock = fake_api_clock(), .page_size = 2, .concurrency = 2};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct kube_config config;
        struct error err = ERROR_INIT;
        struct fake_api *api = live_fleet(5, 2);

        fake_api_serve(api, "/documents", "v1", "Document");
        fake_api_put(api, "/documents", "/apis", cases[i].groups);
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
        bool came = false;

        /* one in vain may be the last that the server gets */
        for (unsigned j = cases[i].breaks ? 0 : requests - 1; j < requests; j++) {
            came = came ||
                   strcmp(fake_api_target(api, "GET", BINDINGS_PATH, j) + strlen(BINDINGS_PATH),
                          cases[i].last) == 0;
        }
        CHECK_MSG(came, "%s did not come", cases[i].last);
        CHECK_STR(fake_api_target(api, "GET", CLUSTERS_PATH, 0), CLUSTERS_PATH "?limit=2");
        fleet_free(fleet);
        control_plane_free(plane);
        kube_client_free(client);
        fake_api_stop(api);
    }
}

#define QUOTAS_PATH "/apis/policy.karmada.io/v1alpha1/federatedresourcequotas"

/* What is read later, where it breaks off, begins again in pages, too. */
static void
test_cache_of_later_lists(void)
{
    const struct control_plane_options options = {
        .clock = fake_api_clock(), .page_size = 2, .concurrency = 2};
    const struct survey asked = {.may_change = true, .is_last = true};
    struct kube_config config;
    struct error err = ERROR_INIT;
    struct fake_api *api = live_fleet(1, 2);

    fake_api_serve(api, "/documents", "v1", "Document");
    fake_api_put(api, "/documents", "/apis",
                 "{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"policy.karmada.io\","
                 "\"versions\":[{\"groupVersion\":\"policy.karmada.io/v1alpha1\"}]}]}");
    fake_api_serve(api, QUOTAS_PATH, "policy.karmada.io/v1alpha1", "FederatedResourceQuota");
    for (int i = 0; i < 3; i++) {
        char path[256], json[256];

        snprintf(path, sizeof(path), QUOTAS_PATH "/q%d", i);
        snprintf(json, sizeof(json),
                 "{\"metadata\":{\"name\":\"q%d\",\"namespace\":\"shop\"},\"spec\":{\"overall\":{"
                 "\"pods\":\"9\"}}}",
                 i);
        fake_api_put(api, QUOTAS_PATH, path, json);
    }
    fake_api_cut(api, QUOTAS_PATH);
    struct kube_client *client = live_client(api, &config);
    struct control_plane *plane = control_plane_new(client, &options);
    const struct backend backend = control_plane_backend(plane);
    struct fleet *fleet = backend.read(backend.context, &err);

    CHECK_MSG(fleet != NULL, "no fleet: %s", err.message);
    CHECK_INT(fake_api_count(api, "GET", QUOTAS_PATH), 0);
    if (fleet != NULL && CHECK(backend.survey(backend.context, fleet, &asked, &err) != NULL)) {
        unsigned requests = fake_api_count(api, "GET", QUOTAS_PATH);

        CHECK_INT(fleet->quotas.count, 3);
        CHECK_STR(fake_api_target(api, "GET", QUOTAS_PATH, 0),
                  QUOTAS_PATH "?limit=2&resourceVersion=0");
        CHECK_STR(fake_api_target(api, "GET", QUOTAS_PATH, requests - 1),
                  QUOTAS_PATH "?limit=2&continue=2");
    }
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
    check_test("lists that are read later", test_cache_of_later_lists);
}
