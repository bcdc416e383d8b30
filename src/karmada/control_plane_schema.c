/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the purge modes from the control plane's schema. Karmada 1.15 added names and 1.19 removed
 * others, and no API tells Karmada's version.
 */
#include "ballast/base/timestamp.h"
#include "control_plane_parts.h"

/* Every API server since Kubernetes 1.24 publishes it, and every authenticated user may read it
 * (system:discovery). */
#define SCHEMA "/openapi/v3/apis/work.karmada.io/v1alpha2"
#define SCHEMA_MAX ((size_t)4 << 20)
#define TIMEOUT (5 * NANOS_PER_SECOND)
#define TRIES 2

void
control_plane_ask_purge_modes(struct control_plane *plane, struct fleet *fleet)
{
    struct kube_request request = {.method = KUBE_GET,
                                   .path = SCHEMA,
                                   .max_tries = TRIES,
                                   .timeout = TIMEOUT,
                                   .max_reply = SCHEMA_MAX};
    struct error ignored = ERROR_INIT;
    struct document *schema = NULL;

    kube_perform(plane->client, &request, 1);
    if (request.error.code == ERROR_NONE) {
        schema = document_parse_json(buf_text(&request.reply), request.reply.length, 1, &ignored);
    }
    if (schema != NULL) {
        fleet->purge_modes = decode_purge_modes(document_root(schema));
    }
    document_free(schema);
    kube_request_release(&request);
}
