/* SPDX-License-Identifier: Apache-2.0
 *
 * KubeFed's objects joined to bindings.
 */
#ifndef BALLAST_KINDS_FEDERATION_H
#define BALLAST_KINDS_FEDERATION_H

#include "kinds/builder/builder.h"
#include "kinds/builder/federation_builder.h"

extern const struct field federated_object_table[];

/* Clusters, in any order. */
struct cluster_span {
    const struct cluster *items;
    uint32_t count;
};

/* --- decode_federated.c --- */

bool federated_object_decode(struct decoder *decoder, const struct value *value,
                             enum binding_kind kind, struct federated_object *ret);

/* --- federated_binding.c --- */

/* A federated object with its preference (NULL: none, or, by the `problem`, one that cannot be
 * read) as a binding of the decoder's fleet, whose `federation` is known; targets are not resolved
 * to clusters yet. */
void federated_binding(struct decoder *decoder, const struct cluster_span *clusters,
                       const struct federated_object *object,
                       const struct federated_preference *preference, const char *problem,
                       struct binding *ret);

/* --- federated_regions.c --- */

/* KubeFed does not say where a cluster is: as its nodes do, where all of them say the same. The
 * members are there. */
void federated_regions(struct fleet_builder *builder);

/* --- federation_types.c --- */

/* Its FederatedTypeConfigs, in the control plane's namespace. */
void take_federated_types(struct fleet_builder *builder, struct federation *federation);
/* What KubeFed propagates to a cluster the cluster has: no status says so. */
void federated_types_enable(struct fleet_builder *builder, const struct federation *federation);

/* --- join_federation.c --- */

/* All that was taken of a KubeFed host becomes clusters and bindings of the builder's. */
bool join_federation(struct fleet_builder *builder, struct error *err);
/* None of it is, in a fleet of another control plane's. */
void leave_out_federation(struct fleet_builder *builder);

#endif
