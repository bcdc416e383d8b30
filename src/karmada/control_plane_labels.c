/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the labels of workloads for a selector: the objects of each kind as metadata alone
 * (PartialObjectMetadata), page by page.
 */
#include <string.h>

#include "ballast/kube/kube_list.h"
#include "control_plane_parts.h"

#include "ballast/base/wide.h"

struct label_reader {
    struct control_plane *plane;
    struct fleet_builder *builder;
    const struct bound_kind *kind;
    const char *right; /* right that the present request needs */
};

/* Applies binding_is_workload() to an object that is not decoded yet. */
static bool
is_of_workload(const struct value *spec)
{
    const struct value *replicas = value_find(spec, "replicas", VALUE_INTEGER);

    return (replicas != NULL && value_integer(replicas) > 0) ||
           value_get(spec, "replicaRequirements") != NULL ||
           value_count(value_find(spec, "components", VALUE_LIST)) > 0;
}

/* Ballast never moves objects without replicas, so it does not read their kinds, Secrets above all.
 */
void
control_plane_note_bound(struct control_plane *plane, const struct value *binding)
{
    const struct value *spec = value_get(binding, "spec");
    const struct value *resource = value_get(spec, "resource");
    const char *api_version = value_text(resource, "apiVersion");
    const char *kind = value_text(resource, "kind");

    if (!plane->options.workload_labels || str_is_empty(kind) || !is_of_workload(spec)) {
        return;
    }
    for (size_t i = 0; i < plane->bound_kinds.count; i++) {
        const struct bound_kind *known = &plane->bound_kinds.items[i];

        if (str_eq(known->kind, kind) && str_eq(known->api_version, api_version)) {
            return;
        }
    }
    vec_add(&plane->bound_kinds,
            ((struct bound_kind){arena_strndup(plane->arena, api_version, strlen(api_version)),
                                 arena_strndup(plane->arena, kind, strlen(kind))}));
}

static bool
take_labels(void *context, const struct stream_object *object, struct error *err)
{
    struct label_reader *reader = context;
    struct error ignored = ERROR_INIT;

    (void)err;
    fleet_builder_add_labels(reader->builder, object->root, reader->kind->api_version,
                             reader->kind->kind, &ignored); /* else they stay unknown */
    return true;
}

/* Returns "list on deployments.apps", as kubectl names it; a role has deployments and apps apart.
 */
static const char *
right_to_list(const struct label_reader *reader, const char *collection)
{
    const char *group = reader->kind->api_version;
    const char *slash = strchr(group, '/');

    return arena_printf(reader->plane->arena, "list on %s%s%.*s", collection,
                        slash != NULL ? "." : "", slash != NULL ? pin_width(slash - group) : 0,
                        group);
}

static bool
list_labels(struct label_reader *reader, struct error *err)
{
    static const struct stream_ops ops = {take_labels, stream_pass_over};

    const char *api = control_plane_api_path(reader->plane->arena, reader->kind->api_version);

    reader->right =
        arena_printf(reader->plane->arena, "get on %s (ClusterRole system:discovery)", api);
    const char *collection = control_plane_discover(reader->plane, reader->kind, err);

    if (collection == NULL) {
        return false;
    }
    reader->right = right_to_list(reader, collection);
    struct kube_list_options options = {
        .path = arena_printf(reader->plane->arena, "%s/%s", api, collection),
        .accept = KUBE_METADATA_ALONE,
        .page_limit = reader->plane->options.page_size,
        .ops = &ops,
        .context = reader,
    };

    return kube_list(reader->plane->client, &options, err);
}

static const char *
advice(const struct label_reader *reader, const struct error *failure)
{
    return failure->code == ERROR_FORBIDDEN
               ? arena_printf(reader->plane->arena,
                              "; a label selector needs it: grant the verb %s in the control plane "
                              "(cronjob/karmada/labels shows how)",
                              reader->right)
               : "";
}

bool
control_plane_read_labels(struct control_plane *plane, struct fleet_builder *builder,
                          struct error *err)
{
    struct label_reader reader = {.plane = plane, .builder = builder};

    for (size_t i = 0; i < plane->bound_kinds.count; i++) {
        struct error failure = ERROR_INIT;

        reader.kind = &plane->bound_kinds.items[i];
        if (list_labels(&reader, &failure)) {
            continue;
        }
        const char *name =
            arena_printf(plane->arena, "%s %s", reader.kind->api_version, reader.kind->kind);

        if (failure.code == ERROR_STOPPED || failure.code == ERROR_DEADLINE) {
            *err = failure;
            return error_wrap(err, "reading the labels of %s", name);
        }
        fleet_builder_unread(builder, name,
                             arena_printf(plane->arena,
                                          "the labels of its objects cannot be read: %s%s",
                                          failure.message, advice(&reader, &failure)));
    }
    return true;
}
