/* SPDX-License-Identifier: Apache-2.0
 *
 * What the bindings of a fleet show of the Karmada that they are of. Private to
 * fleet/.
 */
#ifndef BALLAST_KINDS_KARMADA_SIGNS_H
#define BALLAST_KINDS_KARMADA_SIGNS_H

#include "ballast/model/fleet.h"

/* One uses a purge mode, or has a failover behaviour, that there is since v1.15. */
bool karmada_has_newer_purge_modes(const struct fleet *fleet);

/* One whose replicas are divided, and that needs no scheduling, has a target without any:
 * karmada-scheduler takes such off, unless it runs with --enable-empty-workload-propagation. */
bool karmada_propagates_empty(const struct fleet *fleet);

#endif
