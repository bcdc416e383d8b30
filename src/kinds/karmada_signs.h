/* SPDX-License-Identifier: Apache-2.0
 *
 * Signs of Karmada's version and flags in a fleet's bindings. Private to this room.
 */
#ifndef BALLAST_KINDS_KARMADA_SIGNS_H
#define BALLAST_KINDS_KARMADA_SIGNS_H

#include "ballast/model/fleet.h"

/* True if a binding has spec.failover.cluster, or a purge mode, which Karmada has since v1.15. */
bool karmada_has_newer_purge_modes(const struct fleet *fleet);

/* True if a divided binding that needs no scheduling has a target with 0 replicas. Without
 * --enable-empty-workload-propagation, karmada-scheduler removes these targets. */
bool karmada_propagates_empty(const struct fleet *fleet);

#endif
