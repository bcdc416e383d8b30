/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the collection of a kind in the control plane's discovery documents.
 */
#include <string.h>

#include "control_plane_parts.h"

#define DISCOVERY_MAX ((size_t)4 << 20)

const char *
control_plane_api_path(struct arena *arena, const char *api_version)
{
    return arena_printf(arena, "%s/%s", strchr(api_version, '/') != NULL ? "/apis" : "/api",
                        api_version);
}

/* Returns the collection of a kind in an APIResourceList; NULL: none. Subresources
 * ("deployments/scale") do not count. */
static const char *
find_collection(struct arena *arena, const struct value *list, const char *kind)
{
    const struct value *resources = value_get(list, "resources");

    for (size_t i = 0; resources != NULL && i < value_count(resources); i++) {
        const struct value *resource = value_at(resources, i);
        const char *name = value_text(resource, "name");

        if (str_eq(value_text(resource, "kind"), kind) && !str_is_empty(name) &&
            strchr(name, '/') == NULL) {
            return arena_strndup(arena, name, strlen(name));
        }
    }
    return NULL;
}

const char *
control_plane_discover(const struct control_plane *plane, const struct bound_kind *kind,
                       struct error *err)
{
    struct kube_request request = {.method = KUBE_GET,
                                   .path = control_plane_api_path(plane->arena, kind->api_version),
                                   .max_reply = DISCOVERY_MAX};
    const char *found = NULL;

    kube_perform(plane->client, &request, 1);
    if (request.error.code != ERROR_NONE) {
        *err = request.error;
    } else {
        struct document *document =
            document_parse_json(buf_text(&request.reply), request.reply.length, 1, err);

        if (document != NULL) {
            found = find_collection(plane->arena, document_root(document), kind->kind);
        }
        if (document != NULL && found == NULL) {
            error_set(err, ERROR_NOT_FOUND, "GET %s: it has no kind %s", request.path, kind->kind);
        }
        document_free(document);
    }
    kube_request_release(&request);
    return found;
}
