/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices that pods claim (dynamic resource allocation). Which of them are free
 * stands in ResourceSlices, which nobody reads here.
 */
#ifndef BALLAST_CAPACITY_DEVICE_CLAIMS_H
#define BALLAST_CAPACITY_DEVICE_CLAIMS_H

#include "ballast/model/fleet.h"

/* True if pods with these requirements have resourceClaims. */
bool device_claims_are_asked(const struct requirements *asked);
/* True if some pod that was seen of a set of components has resourceClaims. */
bool device_claims_are_of_set(const struct binding *set);
/* True if a resource that is asked for may be there although no node of the cluster lists it: a
 * DeviceClass may map an extended resource to devices (spec.extendedResourceName) where the cluster
 * serves resource.k8s.io. */
bool device_claims_may_serve(const struct cluster *cluster, const struct member *member,
                             const struct requirements *asked);

#endif
