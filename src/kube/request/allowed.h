/* SPDX-License-Identifier: Apache-2.0
 *
 * What an API server has let a client do. A server that starts anew refuses what it
 * allows until it has read its roles: such a 403 passes. A 403 about what was never
 * allowed is the server's last word.
 */
#ifndef BALLAST_KUBE_ALLOWED_H
#define BALLAST_KUBE_ALLOWED_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/arena.h"
#include "ballast/base/map.h"
#include "ballast/kube/kube_client.h"

/* How long a 403 may contradict what was allowed, from the first such 403 on. */
#define ALLOWED_DOUBT (INT64_C(30) * 1000000000)

struct allowed {
    struct map *uses;    /* of struct allowed_use; NULL: there are none */
    struct arena *arena; /* of them and their keys */
};

void allowed_release(struct allowed *allowed);

/* The server looked at the request itself: it let us in for its verb and resource. */
void allowed_note(struct allowed *allowed, const struct kube_request *request);

/* Until when a 403 with this message may pass, at `now`; 0: it is the last word. A refusal by
 * admission always is: only the authorizer forgets. */
int64_t allowed_until(struct allowed *allowed, const struct kube_request *request,
                      const char *message, int64_t now);

#endif
