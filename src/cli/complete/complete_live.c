/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks up names in a live control plane for completion.
 */
#include "ballast/kube/kube_list.h"
#include "ballast/kube/kube_text.h"
#include "cli/options/control_plane_client.h"
#include "complete.h"

#define RESPONSE_MAX ((size_t)64 << 20)
#define PAGE_SIZE 500
#define KUBEFED_TYPES "/apis/types.kubefed.io/v1beta1"
#define BINDINGS "/apis/work.karmada.io/v1alpha2"

/* In this order. The first platform that answers rules out the other. */
static const struct name_source {
    enum fleet_name_kind kind;
    enum platform platform; /* AUTO: any */
    const char *api, *plural;
    bool is_namespaced;
    bool is_name; /* the object's own name is wanted, not its workload's */
} sources[] = {
    {FLEET_NAMESPACES, PLATFORM_AUTO, "/api/v1", "namespaces", false, true},
    {FLEET_NAMESPACES, PLATFORM_KARMADA, BINDINGS, "resourcebindings", true, false},
    {FLEET_NAMESPACES, PLATFORM_KUBEFED, KUBEFED_TYPES, "federateddeployments", true, false},
    {FLEET_NAMESPACES, PLATFORM_KUBEFED, KUBEFED_TYPES, "federatedreplicasets", true, false},
    {FLEET_CLUSTERS, PLATFORM_KARMADA, "/apis/cluster.karmada.io/v1alpha1", "clusters", false,
     true},
    {FLEET_CLUSTERS, PLATFORM_KUBEFED, "/apis/core.kubefed.io/v1beta1", "kubefedclusters", true,
     true},
    {FLEET_WORKLOADS, PLATFORM_KARMADA, BINDINGS, "resourcebindings", true, false},
    {FLEET_WORKLOADS, PLATFORM_KARMADA, BINDINGS, "clusterresourcebindings", false, false},
    {FLEET_WORKLOADS, PLATFORM_KUBEFED, KUBEFED_TYPES, "federateddeployments", true, false},
    {FLEET_WORKLOADS, PLATFORM_KUBEFED, KUBEFED_TYPES, "federatedreplicasets", true, false},
};

struct name_list {
    const struct fleet_name_query *query;
    const struct name_source *source;
    FILE *out;
};

static bool
take_item(void *context, const struct stream_object *object, struct error *err)
{
    const struct name_list *list = context;

    (void)err;
    if (list->source->is_name) {
        fprintf(list->out, "%s\n", value_text(value_get(object->root, "metadata"), "name"));
    } else {
        fleet_name_print(list->query, object->root, list->out);
    }
    return true;
}

static bool
list_names(struct kube_client *client, struct name_list *list)
{
    static const struct stream_ops ops = {take_item, stream_pass_over};
    const struct name_source *source = list->source;
    const char *namespace_ = list->query->namespace_;
    struct error ignored = ERROR_INIT;
    struct buf path;

    buf_init(&path, KUBE_PATH_MAX);
    kube_append_path(&path,
                     &(struct kube_place){.api = source->api,
                                          .namespace_ = source->is_namespaced ? namespace_ : NULL,
                                          .plural = source->plural});
    const struct kube_list_options how = {
        .path = buf_text(&path),
        .accept = source->is_name ? KUBE_METADATA_ALONE : NULL,
        .page_limit = PAGE_SIZE,
        .ops = &ops,
        .context = list, /* no restart: the caller drops duplicates */
    };
    bool done = kube_list(client, &how, &ignored);

    buf_release(&path);
    return done;
}

/* True if the query's namespace can hold objects of the source. */
static bool
is_in_question(const struct name_source *source, const struct fleet_name_query *query,
               enum platform platform)
{
    bool fits = platform == PLATFORM_AUTO || source->platform == PLATFORM_AUTO ||
                source->platform == platform;

    return fits && source->kind == query->kind &&
           (query->kind != FLEET_WORKLOADS || query->namespace_ == NULL ||
            source->is_namespaced == !str_is_empty(query->namespace_));
}

static void
print_from(struct kube_client *client, const struct fleet_name_query *query, FILE *out)
{
    enum platform platform = query->settings->platform;

    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        struct name_list list = {query, &sources[i], out};

        if (!is_in_question(&sources[i], query, platform) || !list_names(client, &list)) {
            continue;
        }
        if (sources[i].platform == PLATFORM_AUTO) {
            return;
        }
        platform = sources[i].platform;
    }
}

void
live_names_print(const struct cli *cli, const struct fleet_name_query *query, int64_t time,
                 FILE *out)
{
    const struct control_plane_settings *plane = &query->settings->control_plane;
    const struct kube_config_options where = control_plane_config(cli, plane);
    struct kube_client_options how = control_plane_client(cli, plane);

    how.deadline = how.request_timeout = how.plugin_timeout = time;
    how.max_response_bytes = RESPONSE_MAX;
    struct error ignored = ERROR_INIT;
    struct kube_config *config = kube_config_load(&where, &ignored);
    struct kube_client *client = config != NULL ? kube_client_new(config, &how, &ignored) : NULL;

    if (client != NULL) {
        print_from(client, query, out);
    }
    kube_client_free(client);
    kube_config_free(config);
}
