/* SPDX-License-Identifier: Apache-2.0
 *
 * Remembers which verbs and resources an API server has allowed a client. A server that restarts
 * refuses even these until it has read its roles, so their 403 is retried. A 403 about anything
 * else is final.
 */
#ifndef BALLAST_KUBE_ALLOWED_H
#define BALLAST_KUBE_ALLOWED_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/arena.h"
#include "ballast/base/map.h"
#include "ballast/kube/kube_client.h"

/* Nanoseconds for which a 403 on an allowed verb and resource is retried, from the first 403 on. */
#define ALLOWED_DOUBT (INT64_C(30) * 1000000000)

struct allowed {
    struct map *uses;    /* of struct allowed_use; NULL: empty */
    struct arena *arena; /* owns them and their keys */
};

/* Frees all notes. */
void allowed_release(struct allowed *allowed);

/* Notes that the server has allowed the verb and resource of this request. */
void allowed_note(struct allowed *allowed, const struct kube_request *request);

/* Returns until when a 403 with this message is worth retrying, as monotonic nanoseconds like
 * `now`; 0: it is final. A refusal by admission is always final: only the authorizer forgets. */
int64_t allowed_until(struct allowed *allowed, const struct kube_request *request,
                      const char *message, int64_t now);

#endif
