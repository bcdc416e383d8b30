/* SPDX-License-Identifier: Apache-2.0
 *
 * What a control plane's schemas tell: the purge modes that it takes. Names of
 * theirs were added in Karmada v1.15 and others removed in v1.19, and no version
 * of Karmada's can be asked for.
 */
#include "ballast/base/timestamp.h"
#include "control_plane_parts.h"

/* Published by every API server since Kubernetes v1.24, and readable by all that are authenticated
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
