/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths and times in the form that an API server wants.
 */
#ifndef BALLAST_KUBE_KUBE_TEXT_H
#define BALLAST_KUBE_KUBE_TEXT_H

#include <stdint.h>

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/base/timestamp.h"

/* No path is longer: a path that was cut short would name another object. */
#define KUBE_PATH_MAX (SIZE_MAX / 2)

/* Appends one segment of a path, escaped: no text can leave its segment or begin a query. An empty
 * text, or one of dots alone, becomes a segment that names nothing. */
void kube_append_segment(struct buf *path, const char *text);

/* An object or a collection of an API server. An empty name or namespace matches nothing. */
struct kube_place {
    const char *api;        /* "/api/v1", "/apis/apps/v1" */
    const char *namespace_; /* NULL: in none, or in all */
    const char *plural;
    const char *name; /* NULL: all of them */
};
/* Appends a place's path, API[/namespaces/NAMESPACE]/PLURAL[/NAME]; each segment is escaped. */
void kube_append_path(struct buf *path, const struct kube_place *place);
/* Returns a place's path, API[/namespaces/NAMESPACE]/PLURAL[/NAME]; each segment is escaped. The
 * arena owns the path. */
const char *kube_path(struct arena *arena, const struct kube_place *place);
/* Returns "&labelSelector=SELECTOR", escaped: a part of kube_list_options.query. The arena owns the
 * text. */
const char *kube_label_query(struct arena *arena, const char *selector);

/* Writes `nanos` (since the epoch) into `buffer` as a MicroTime, always with six digits behind the
 * point, and returns `buffer`. */
const char *kube_micro_time(int64_t nanos, char buffer[TIMESTAMP_TEXT_MAX]);

#endif
