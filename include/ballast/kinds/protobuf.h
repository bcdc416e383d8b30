/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads Kubernetes' protobuf encoding (application/vnd.kubernetes.protobuf) into the values that
 * the JSON form would give.
 *
 * Known are Pod, Node, Deployment, ReplicaSet, StatefulSet, Job, LimitRange, ResourceQuota,
 * HorizontalPodAutoscaler, and their lists. Only fields are read whose row has a number. A pod
 * template becomes a value for comparison with other templates in protobuf, not in JSON. No
 * annotation names the object's member: the caller knows the member.
 *
 * The bytes are untrusted. STREAM_OBJECT_MAX and PROTOBUF_VALUES_MAX bound an object; the tables
 * bound nesting. Unknown fields are skipped, groups are refused. If a field comes twice, the last
 * one counts; messages are merged. Bytes that are not UTF-8 become U+FFFD, as in an API server's
 * JSON.
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

/* Hands each object of a whole answer, in order, to ops->object, without `line` and `text`. As in a
 * stream, an item of a list has no apiVersion and kind, a single object has both. An error within
 * one object goes to ops->bad_object: "items[3].status.phase: ...". Release `ret`, if not NULL,
 * also after a failure. False with err. */
bool protobuf_list_read(const char *bytes, size_t length, const struct stream_ops *ops,
                        void *context, struct protobuf_list *ret, struct error *err);

#endif
