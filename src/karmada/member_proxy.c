/* SPDX-License-Identifier: Apache-2.0
 *
 * Reaches a member through the control plane's clusters/NAME/proxy.
 */
#include <string.h>

#include "ballast/kube/kube_text.h"
#include "control_plane_parts.h"

static void
append_path(struct buf *path, const char *member)
{
    buf_append_str(path, "/apis/cluster.karmada.io/v1alpha1/clusters/");
    kube_append_segment(path, member);
    buf_append_str(path, "/proxy");
}

/* True if there is no proxy, or none for this user or this Cluster. A 404 means no proxy, as every
 * API server serves the list that is asked for first. */
static bool
is_missing(const struct kube_request *refused)
{
    const char *message = refused->error.message;

    return refused->status == 404 ||
           (refused->status == 403 && strstr(message, "clusters/proxy") != NULL) ||
           (refused->status == 500 && strstr(message, "impersonatorSecretRef") != NULL);
}

const struct member_proxy control_plane_proxy = {append_path, is_missing};
