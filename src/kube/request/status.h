/* SPDX-License-Identifier: Apache-2.0
 *
 * Explains a response that is not 2xx, in the server's own words.
 */
#ifndef BALLAST_KUBE_STATUS_H
#define BALLAST_KUBE_STATUS_H

#include <stddef.h>

#include "ballast/base/error.h"

/* Sets err to "HTTP 403: MESSAGE", bounded and on one line, with the code of the status. Always
 * returns false. */
bool status_explain(int status, const char *body, size_t length, struct error *err);

/* True if the text is one JSON object or list from its first to its last bracket. The content may
 * still be malformed. */
bool status_body_is_whole(const char *body, size_t length);

#endif
