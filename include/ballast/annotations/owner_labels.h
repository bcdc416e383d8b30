/* SPDX-License-Identifier: Apache-2.0
 *
 * By which labels a control plane's scheduler knows the bindings that are its own.
 */
#ifndef BALLAST_ANNOTATIONS_OWNER_LABELS_H
#define BALLAST_ANNOTATIONS_OWNER_LABELS_H

#include "ballast/model/fleet.h"

/* Returns which labels the bindings of the fleet show: `fleet.owner_labels`, once they are all
 * read. */
enum owner_labels find_owner_labels(const struct fleet *fleet);

/* karmada-scheduler schedules the binding: by its labels a policy owns it, or a controller manages
 * it (karmada pkg/scheduler/event_handler.go, resourceBindingEventFilter). */
bool fleet_schedules(const struct fleet *fleet, const struct binding *binding);

#endif
