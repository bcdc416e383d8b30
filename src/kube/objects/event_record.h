/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes one Event as JSON. Private to kube/.
 */
#ifndef BALLAST_KUBE_EVENT_RECORD_H
#define BALLAST_KUBE_EVENT_RECORD_H

#include "ballast/base/buf.h"
#include "ballast/kube/kube_event.h"

/* Returns the namespace that holds an Event: its object's, or "default". */
const char *event_namespace(const struct kube_event *event);

/* Appends an Event at `wall` (nanoseconds since the epoch) as JSON of events.k8s.io/v1, or of
 * core/v1 without `events_group`. `serial` makes its name unique. */
void event_write(const struct kube_event *event, const struct kube_event_writer *writer,
                 bool events_group, int64_t wall, uint64_t serial, struct buf *out);

#endif
