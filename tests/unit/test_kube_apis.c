/* SPDX-License-Identifier: Apache-2.0
 *
 * What a server's discovery document says it has, and what its version means.
 */
#include "ballast/kube/kube_apis.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "kube_test.h"

#define AGGREGATED                                                                                 \
    "{\"kind\":\"APIGroupDiscoveryList\",\"items\":["                                              \
    "{\"metadata\":{\"name\":\"apps\"},\"versions\":[{\"version\":\"v1\",\"freshness\":"           \
    "\"Current\",\"resources\":[{\"resource\":\"deployments\"}]}]},"                               \
    "{\"metadata\":{\"name\":\"metrics.k8s.io\"},\"versions\":[{\"version\":\"v1beta1\","          \
    "\"freshness\":\"Stale\",\"resources\":[]}]}]}"
#define GROUPS                                                                                     \
    "{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"apps\",\"versions\":["                     \
    "{\"groupVersion\":\"apps/v1\",\"version\":\"v1\"}]}]}"

static bool
serve(void *context, struct fault_connection *connection, const struct fault_request *request)
{
    const char *body = context;
    char head[128];

    (void)request;
    snprintf(head, sizeof(head),
             "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
             body != NULL ? "200 OK" : "403 Forbidden", body != NULL ? strlen(body) : 0);
    return fault_write(connection, head, strlen(head)) &&
           (body == NULL || fault_write(connection, body, strlen(body)));
}

/* What a server with that document (NULL: it forbids to ask) says, twice; it is asked once. */
static void
check_answer(const char *body, const char *api_version, const char *plural, enum kube_served want)
{
    struct fault_options fault = {
        .is_clear = true, .handler = serve, .context = (void *)(uintptr_t)body};
    struct fault_server *server = fault_server_start(&fault);
    struct kube_config config = clear_config(server);
    struct kube_client_options options = fast_options();
    struct error err = ERROR_INIT;
    struct kube_client *client = kube_client_new(&config, &options, &err);

    CHECK_MSG(client != NULL, "no client: %s", err.message);
    if (client != NULL) {
        struct kube_apis *apis = kube_apis_ask(client);

        CHECK_INT(kube_apis_find(apis, api_version, plural), want);
        CHECK_INT(kube_apis_find(apis, api_version, plural), want);
        kube_apis_free(apis);
        CHECK_INT(fault_server_requests(server), 1);
    }
    kube_client_free(client);
    fault_server_stop(server);
}

/* A server tells its age by the APIs that came with a version. */
static void
test_age(void)
{
    static const struct {
        const char *body;
        bool want; /* its pages are dear */
    } cases[] = {
        {AGGREGATED, true},
        {GROUPS, true},
        {"{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"resource.k8s.io\",\"versions\":["
         "{\"groupVersion\":\"resource.k8s.io/v1beta1\"}]}]}",
         true},
        {"{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"resource.k8s.io\",\"versions\":["
         "{\"groupVersion\":\"resource.k8s.io/v1\"}]}]}",
         false},
        {"{\"kind\":\"APIGroupDiscoveryList\",\"items\":[{\"metadata\":{\"name\":"
         "\"resource.k8s.io\"},\"versions\":[{\"version\":\"v1\",\"resources\":["
         "{\"resource\":\"resourceclaims\"}]}]}]}",
         false},
        {"[]", false},
        {"no JSON", false},
        {NULL, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fault_options fault = {
            .is_clear = true, .handler = serve, .context = (void *)(uintptr_t)cases[i].body};
        struct fault_server *server = fault_server_start(&fault);
        struct kube_config config = clear_config(server);
        struct kube_client_options options = fast_options();
        struct error err = ERROR_INIT;
        struct kube_client *client = kube_client_new(&config, &options, &err);
        struct kube_apis *apis = kube_apis_ask(client);

        CHECK_MSG(kube_apis_pages_are_dear(apis) == cases[i].want, "wrong of %s",
                  cases[i].body != NULL ? cases[i].body : "nothing");
        kube_apis_free(apis);
        kube_client_free(client);
        fault_server_stop(server);
    }
}

static void
test_what_is_served(void)
{
    static const struct {
        const char *body, *api_version, *plural;
        enum kube_served want;
    } cases[] = {
        {AGGREGATED, "apps/v1", "deployments", KUBE_SERVED},
        {AGGREGATED, "apps/v1", "statefulsets", KUBE_NOT_SERVED},
        {AGGREGATED, "apps/v2", "deployments", KUBE_NOT_SERVED},
        {AGGREGATED, "keda.sh/v1alpha1", "scaledobjects", KUBE_NOT_SERVED},
        {AGGREGATED, "metrics.k8s.io/v1beta1", "pods", KUBE_SERVED_UNKNOWN},
        {GROUPS, "apps/v1", "deployments", KUBE_SERVED_UNKNOWN},
        {GROUPS, "apps/v2", "deployments", KUBE_NOT_SERVED},
        {GROUPS, "keda.sh/v1alpha1", "scaledobjects", KUBE_NOT_SERVED},
        {NULL, "keda.sh/v1alpha1", "scaledobjects", KUBE_SERVED_UNKNOWN},
        {"no JSON", "keda.sh/v1alpha1", "scaledobjects", KUBE_SERVED_UNKNOWN},
        {"{\"kind\":\"APIGroupDiscoveryList\"}", "apps/v1", "deployments", KUBE_SERVED_UNKNOWN},
        {"{\"kind\":\"APIGroupList\",\"groups\":7}", "apps/v1", "deployments", KUBE_SERVED_UNKNOWN},
        {"[]", "apps/v1", "deployments", KUBE_SERVED_UNKNOWN},
        {AGGREGATED, "v1", "pods", KUBE_SERVED_UNKNOWN},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_answer(cases[i].body, cases[i].api_version, cases[i].plural, cases[i].want);
    }
}

void suite_kube_apis(void);

void
suite_kube_apis(void)
{
    check_suite("kube_apis");
    check_test("what is served", test_what_is_served);
    check_test("how old a server is", test_age);
}
