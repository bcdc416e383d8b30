/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the discovery document at /apis: the aggregated form with resources (kubernetes
 * staging/src/k8s.io/api/apidiscovery/v2), or the older list of groups. A stale version of an
 * aggregated API server counts as unknown.
 */
#include "ballast/base/wide.h"
#include "ballast/kube/kube_apis.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "kube/request/client_state.h"

#define AGGREGATED(version)                                                                        \
    "application/json;g=apidiscovery.k8s.io;v=" version ";as=APIGroupDiscoveryList"
#define ACCEPT AGGREGATED("v2") "," AGGREGATED("v2beta1") ",application/json"
#define REPLY_MAX ((size_t)16 << 20)
#define PATIENCE (5 * NANOS_PER_SECOND)
/* Every API server since Kubernetes 1.34 serves this API, unless it is turned off.
 * ListFromCacheSnapshot is on since the same version (KEP-4988). */
#define SINCE_1_34 "resource.k8s.io/v1"
#define SINCE_1_34_PLURAL "resourceclaims"

struct kube_apis {
    struct kube_client *client;
    struct kube_request request;
    struct kube_job job;
    bool is_settled;
    struct document *document; /* NULL: no usable response */
};

struct kube_apis *
kube_apis_ask(struct kube_client *client)
{
    struct kube_apis *apis = heap_new(1, sizeof(*apis));

    apis->client = client;
    apis->request = (struct kube_request){.method = KUBE_GET,
                                          .path = "/apis",
                                          .accept = ACCEPT,
                                          .max_tries = 1,
                                          .timeout = PATIENCE,
                                          .max_reply = REPLY_MAX};
    client_add(client, &apis->job, &apis->request);
    return apis;
}

void
kube_apis_free(struct kube_apis *apis)
{
    if (apis == NULL) {
        return;
    }
    if (!apis->job.is_done) {
        client_cancel(apis->client, &apis->job);
    }
    kube_request_release(&apis->request);
    document_free(apis->document);
    free(apis);
}

/* Waits for the response and returns its root; NULL: it is unusable. */
static const struct value *
answer(struct kube_apis *apis)
{
    const struct buf *reply = &apis->request.reply;
    struct error ignored = ERROR_INIT;

    while (!apis->job.is_done) {
        client_step(apis->client, true);
    }
    if (!apis->is_settled && apis->request.error.code == ERROR_NONE) {
        apis->document = document_parse_json(buf_text(reply), reply->length, 1, &ignored);
    }
    apis->is_settled = true;
    return apis->document != NULL ? document_root(apis->document) : NULL;
}

static const struct value *
find_item(const struct value *list, const char *key, const char *text)
{
    for (size_t i = 0; i < value_count(list); i++) {
        if (str_eq(value_text(value_at(list, i), key), text)) {
            return value_at(list, i);
        }
    }
    return NULL;
}

static enum kube_served
find_in_groups(const struct value *groups, const char *group, const char *api_version)
{
    const struct value *found = find_item(groups, "name", group);

    return find_item(value_get(found, "versions"), "groupVersion", api_version) != NULL
               ? KUBE_SERVED_UNKNOWN
               : KUBE_NOT_SERVED;
}

static const struct value *
find_discovered_group(const struct value *items, const char *group)
{
    for (size_t i = 0; i < value_count(items); i++) {
        const struct value *item = value_at(items, i);

        if (str_eq(value_text(value_get(item, "metadata"), "name"), group)) {
            return item;
        }
    }
    return NULL;
}

static enum kube_served
find_in_discovery(const struct value *items, const char *group, const char *version,
                  const char *plural)
{
    const struct value *versions = value_get(find_discovered_group(items, group), "versions");
    const struct value *found = find_item(versions, "version", version);

    if (str_eq(value_text(found, "freshness"), "Stale")) {
        return KUBE_SERVED_UNKNOWN;
    }
    return find_item(value_get(found, "resources"), "resource", plural) != NULL ? KUBE_SERVED
                                                                                : KUBE_NOT_SERVED;
}

enum kube_served
kube_apis_find(struct kube_apis *apis, const char *api_version, const char *plural)
{
    const char *slash = strchr(api_version, '/');
    enum kube_served served = KUBE_SERVED_UNKNOWN;
    const struct value *root = answer(apis);

    if (root == NULL || slash == NULL) {
        return KUBE_SERVED_UNKNOWN;
    }
    const struct value *items = value_find(root, "items", VALUE_LIST);
    const struct value *groups = value_find(root, "groups", VALUE_LIST);
    char *group = str_print("%.*s", pin_width(slash - api_version), api_version);

    if (str_eq(value_text(root, "kind"), "APIGroupDiscoveryList") && items != NULL) {
        served = find_in_discovery(items, group, slash + 1, plural);
    } else if (str_eq(value_text(root, "kind"), "APIGroupList") && groups != NULL) {
        served = find_in_groups(groups, group, api_version);
    }
    free(group);
    return served;
}

bool
kube_apis_pages_are_dear(struct kube_apis *apis)
{
    return kube_apis_find(apis, SINCE_1_34, SINCE_1_34_PLURAL) == KUBE_NOT_SERVED;
}
