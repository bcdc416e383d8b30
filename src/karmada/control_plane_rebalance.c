/* SPDX-License-Identifier: Apache-2.0
 *
 * Creates a WorkloadRebalancer, for users who let Karmada do the work.
 */
#include "control_plane_parts.h"

#define REQUEST_MAX ((size_t)STREAM_OBJECT_MAX)
#define REBALANCERS "/apis/" REBALANCER_API_VERSION "/workloadrebalancers"
#define QUERY "fieldManager=ballast"

static bool
take_name(const struct kube_request *request, struct arena *arena, const char **ret_name,
          struct error *err)
{
    struct document *made =
        document_parse_json(buf_text(&request->reply), request->reply.length, 1, err);

    if (made == NULL) {
        return false;
    }
    const char *name = value_text(value_get(document_root(made), "metadata"), "name");

    *ret_name = arena_strndup(arena, name, strlen(name));
    document_free(made);
    return true;
}

/* The server chooses the name, so a second request would create a second object: none is sent
 * twice. */
bool
control_plane_rebalance(void *context, const struct rebalancer_request *request,
                        struct arena *arena, const char **ret_name, struct error *err)
{
    const struct control_plane *plane = context;
    struct buf body;

    buf_init(&body, REQUEST_MAX);
    rebalancer_encode(request, &body);
    struct kube_request post = {
        .method = KUBE_POST,
        .path = REBALANCERS,
        .query = plane->options.server_dry_run ? QUERY "&dryRun=All" : QUERY,
        .body = buf_text(&body),
        .body_length = body.length,
    };
    bool done = !body.overflowed ||
                error_set(err, ERROR_LIMIT, "an object of more than %zu bytes", REQUEST_MAX);

    if (done) {
        kube_perform(plane->client, &post, 1);
        done = post.error.code == ERROR_NONE && take_name(&post, arena, ret_name, &post.error);
        if (!done) {
            *err = post.error;
        }
        if (!done && err->code == ERROR_NOT_FOUND) {
            error_wrap(err, "this Karmada has no WorkloadRebalancer (v1.10 and later do)");
        }
    }
    kube_request_release(&post);
    buf_release(&body);
    return done;
}
