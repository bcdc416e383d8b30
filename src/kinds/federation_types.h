/* SPDX-License-Identifier: Apache-2.0
 *
 * The kinds that a KubeFed host federates. Private to this room.
 */
#ifndef BALLAST_KINDS_FEDERATION_TYPES_H
#define BALLAST_KINDS_FEDERATION_TYPES_H

#include "builder.h"

/* Its FederatedTypeConfigs, in the control plane's namespace. */
void take_federated_types(struct fleet_builder *builder, struct federation *federation);
/* What KubeFed propagates to a cluster the cluster has: no status says so. */
void federated_types_enable(struct fleet_builder *builder, const struct federation *federation);

#endif
