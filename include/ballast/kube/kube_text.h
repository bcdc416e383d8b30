/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts as an API server wants them.
 */
#ifndef BALLAST_KUBE_KUBE_TEXT_H
#define BALLAST_KUBE_KUBE_TEXT_H

#include <stdint.h>

#include "ballast/base/buf.h"
#include "ballast/base/timestamp.h"

/* Longer than any path that is made of what an API server gave: none is cut short, and so the path
 * of something else. */
#define KUBE_PATH_MAX (SIZE_MAX / 2)

/* Appends one segment of a path, escaped: what a name holds can neither leave its place in the path
 * nor begin a query. */
void kube_append_segment(struct buf *path, const char *text);

/* A MicroTime: always six digits behind the point. */
const char *kube_micro_time(int64_t nanos, char buffer[TIMESTAMP_TEXT_MAX]);

#endif
