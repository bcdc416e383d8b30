/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pod takes on a node. Private to this room.
 */
#ifndef BALLAST_KINDS_POD_REQUESTS_H
#define BALLAST_KINDS_POD_REQUESTS_H

#include "builder.h"

/* What the kubelet says of a container, whose resources may be changed while it runs. */
struct container_in_place {
    const char *name;
    struct resource_amounts allocated, actual; /* allocatedResources, resources.requests */
    bool is_told;                              /* either */
};

struct containers_in_place {
    const struct container_in_place *items;
    uint32_t count;
    bool is_infeasible; /* what the spec wants cannot be on that node */
};

/* Of a pod's spec, as Karmada's scheduler-estimator counts it: the sum over the containers, raised
 * to each init container in turn, plus the overhead. Sidecars are like any init container, limits
 * do not stand in for requests, and the pod's own `resources` do not count, nor what is `in_place`
 * (NULL: it is nowhere yet). What kube-scheduler counts beyond that (pod_need.h) is in a list of
 * its own: of a container in place the most of what it asks for, is allocated and has. */
bool pod_requests_decode(struct decoder *decoder, const struct value *spec,
                         const struct containers_in_place *in_place, struct pod *ret);

#endif
