/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts as an API server wants them.
 */
#ifndef BALLAST_KUBE_KUBE_TEXT_H
#define BALLAST_KUBE_KUBE_TEXT_H

#include <stdint.h>

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/base/timestamp.h"

/* Longer than any path that is made of what an API server gave: none is cut short, and so the path
 * of something else. */
#define KUBE_PATH_MAX (SIZE_MAX / 2)

/* Appends one segment of a path, escaped: what a name holds can neither leave its place in the path
 * nor begin a query. */
void kube_append_segment(struct buf *path, const char *text);

/* What a path leads to; an empty name or namespace is none that anything has. */
struct kube_place {
    const char *api;        /* "/api/v1", "/apis/apps/v1" */
    const char *namespace_; /* NULL: in none, or in all */
    const char *plural;
    const char *name; /* NULL: all of them */
};
void kube_append_path(struct buf *path, const struct kube_place *place);
const char *kube_path(struct arena *arena, const struct kube_place *place);

/* A MicroTime: always six digits behind the point. */
const char *kube_micro_time(int64_t nanos, char buffer[TIMESTAMP_TEXT_MAX]);

#endif
