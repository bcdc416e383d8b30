/* SPDX-License-Identifier: Apache-2.0
 *
 * Kubernetes' protobuf encoding (application/vnd.kubernetes.protobuf) of the
 * kinds that a fleet is built from, read into the values that their JSON would
 * be: what takes objects from a JSON stream takes them from here just so.
 *
 * Known are Pod, Node, Deployment, ReplicaSet, StatefulSet, Job,
 * HorizontalPodAutoscaler (v1, v2), and their lists. Of an object only those fields are read that
 * decode.h looks at; a decoder that wants one more gives its row a number. Pod templates are read
 * whole, so that their digests are those of the JSON form (what is newer than the tables is told
 * apart, too, but within one form only). Metadata has no annotations: whoever reads protobuf knows
 * whose object it is.
 *
 * The bytes are untrusted: an object is bounded by STREAM_OBJECT_MAX and
 * PROTOBUF_VALUES_MAX; nesting by the tables. Unknown fields are passed over,
 * groups are refused; of a field given twice the last one counts, messages are
 * merged. Bytes that are not UTF-8 become U+FFFD, as in an API server's JSON.
 */
#ifndef BALLAST_KINDS_PROTOBUF_H
#define BALLAST_KINDS_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/error.h"
#include "ballast/format/protobuf_envelope.h"
#include "ballast/format/stream.h"

#define PROTOBUF_VALUES_MAX (1u << 17) /* in one object */

/* All objects of a whole answer, in order, to ops->object, each as a stream would give it: an item
 * of a list without apiVersion and kind, a single object with them; without `line` and `text`. What
 * is malformed within one object goes to ops->bad_object: "items[3].status.phase: ...". `ret`, if
 * not NULL, is to be released also on failure. */
bool protobuf_list_read(const char *bytes, size_t length, const struct stream_ops *ops,
                        void *context, struct protobuf_list *ret, struct error *err);

#endif
