/* SPDX-License-Identifier: Apache-2.0
 *
 * The control plane's API server, as far as bindings go: objects are kept as it
 * would keep them, and written by JSON merge patches under its rules for
 * resourceVersion and generation. What a policy leaves on a binding is there in
 * the next cycle because it is part of the object, and for no other reason.
 */
#ifndef BALLAST_SIMULATE_API_H
#define BALLAST_SIMULATE_API_H

#include "model.h"

/* The object of a workload that nothing has placed yet. */
void api_create_binding(struct sim *sim, int workload);

/* false with err (CONFLICT) where the patch names a resourceVersion that is not the object's. A
 * patch that changes nothing is no write. */
bool api_patch(struct sim *sim, int workload, enum writer writer, const struct buf *patch,
               struct error *err);
/* The subresource: `status` is its whole patch. Counts as nobody's write. */
void api_patch_status(struct sim *sim, int workload, const struct buf *status);

/* The same with a text that cannot conflict. */
void api_write(struct sim *sim, int workload, enum writer writer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The attempt that the memory on a binding (annotation ballast.io/last-move) counts; 0: none. */
int api_attempt(const struct sim *sim, int workload);

/* A parsed text of our own. */
struct document *parse_own(const struct buf *text);

#endif
