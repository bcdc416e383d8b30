/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pod takes on a node, as Karmada's scheduler-estimator counts it.
 * Private to this room.
 */
#ifndef BALLAST_KINDS_POD_REQUESTS_H
#define BALLAST_KINDS_POD_REQUESTS_H

#include "builder.h"

/* Of a pod's spec: the sum over the containers, raised to each init container in turn, plus the
 * overhead. Sidecars are like any init container, limits do not stand in for requests, and the
 * pod's own `resources` do not count. */
bool pod_requests_decode(struct decoder *decoder, const struct value *spec,
                         struct resource_amounts *ret);

#endif
