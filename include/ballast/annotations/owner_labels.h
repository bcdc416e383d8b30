/* SPDX-License-Identifier: Apache-2.0
 *
 * The labels by which karmada-scheduler knows the bindings that it schedules.
 */
#ifndef BALLAST_ANNOTATIONS_OWNER_LABELS_H
#define BALLAST_ANNOTATIONS_OWNER_LABELS_H

#include "ballast/model/fleet.h"

/* Returns which owner labels the bindings carry, for fleet->owner_labels. All bindings are read. */
enum owner_labels find_owner_labels(const struct fleet *fleet);

/* True if the control plane's scheduler schedules the binding: a label names its policy or the
 * controller that manages it (karmada pkg/scheduler/event_handler.go, resourceBindingEventFilter).
 * True for every binding of KubeFed. */
bool fleet_schedules(const struct fleet *fleet, const struct binding *binding);

#endif
