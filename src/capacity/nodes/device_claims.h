/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices that pods claim (dynamic resource allocation). Ballast does not read ResourceSlices,
 * which list the free ones.
 */
#ifndef BALLAST_CAPACITY_DEVICE_CLAIMS_H
#define BALLAST_CAPACITY_DEVICE_CLAIMS_H

#include "ballast/model/fleet.h"

/* True if pods with these requirements have resourceClaims. */
bool device_claims_are_asked(const struct requirements *asked);
/* True if a known pod of a set of components has resourceClaims. */
bool device_claims_are_of_set(const struct binding *set);
/* True if a requested resource may exist although no node lists it. Where the cluster serves
 * resource.k8s.io, a DeviceClass may map an extended resource to devices
 * (spec.extendedResourceName). */
bool device_claims_may_serve(const struct cluster *cluster, const struct member *member,
                             const struct requirements *asked);

#endif
