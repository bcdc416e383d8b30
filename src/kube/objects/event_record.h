/* SPDX-License-Identifier: Apache-2.0
 *
 * One Event as JSON. Private to kube/.
 */
#ifndef BALLAST_KUBE_EVENT_RECORD_H
#define BALLAST_KUBE_EVENT_RECORD_H

#include "ballast/base/buf.h"
#include "ballast/kube/kube_event.h"

/* The namespace an Event is kept in: that of what it is about, or "default". */
const char *event_namespace(const struct kube_event *event);

/* `serial` makes its name unlike that of any other. */
void event_write(const struct kube_event *event, const struct kube_event_writer *writer,
                 bool events_group, int64_t wall, uint64_t serial, struct buf *out);

#endif
