/* SPDX-License-Identifier: Apache-2.0
 *
 * What an answer that is not 2xx means, in the server's own words.
 */
#ifndef BALLAST_KUBE_STATUS_H
#define BALLAST_KUBE_STATUS_H

#include <stddef.h>

#include "ballast/base/error.h"

/* "HTTP 403: <message of the Status>"; always false. The text is bounded, on one line. */
bool status_explain(int status, const char *body, size_t length, struct error *err);

/* Whether the text is one JSON object from the first to the last bracket. Cheap: what is between
 * them may still be malformed. */
bool status_body_is_whole(const char *body, size_t length);

#endif
