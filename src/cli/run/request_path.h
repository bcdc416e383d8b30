/* SPDX-License-Identifier: Apache-2.0
 *
 * A path of the Kubernetes API without what is one object's own, as OpenTelemetry
 * wants it in a span's name ("url.template"):
 *
 *     /apis/apps/v1/namespaces/{namespace}/deployments/{name}
 */
#ifndef BALLAST_CLI_REQUEST_PATH_H
#define BALLAST_CLI_REQUEST_PATH_H

#include "ballast/base/buf.h"

/* Appends it; and to `cluster`, the member to which a path leads through Karmada's proxy. */
void request_path_template(const char *path, struct buf *out, struct buf *cluster);

#endif
