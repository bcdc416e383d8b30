/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pod takes on a node. Private to this room.
 */
#ifndef BALLAST_KINDS_POD_REQUESTS_H
#define BALLAST_KINDS_POD_REQUESTS_H

#include "builder.h"

/* Of a pod's spec, as Karmada's scheduler-estimator counts it: the sum over the containers, raised
 * to each init container in turn, plus the overhead. Sidecars are like any init container, limits
 * do not stand in for requests, and the pod's own `resources` do not count. What kube-scheduler
 * counts beyond that (pod_need.h) is in a list of its own. */
bool pod_requests_decode(struct decoder *decoder, const struct value *spec, struct pod *ret);

#endif
