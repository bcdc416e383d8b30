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

/* Decodes a FederatedDeployment or FederatedReplicaSet, as `kind` says, into *ret. False with the
 * decoder's error. */
bool federated_object_decode(struct decoder *decoder, const struct value *value,
                             enum binding_kind kind, struct federated_object *ret);

/* --- federated_binding.c --- */

/* Makes a binding of a federated object and its preference. The decoder's fleet has its
 * `federation` by then. `preference` is NULL where there is none, and where it cannot be read:
 * `problem` says why then, and is NULL otherwise. Targets are not resolved to clusters yet. */
void federated_binding(struct decoder *decoder, const struct cluster_span *clusters,
                       const struct federated_object *object,
                       const struct federated_preference *preference, const char *problem,
                       struct binding *ret);

/* --- federated_regions.c --- */

/* Gives clusters that name no region or zones those of their nodes: a region only where no two
 * nodes name different ones, and all zones. The fleet has its members by then. */
void federated_regions(struct fleet_builder *builder);

/* --- federation_types.c --- */

/* Fills the types of a federation with the FederatedTypeConfigs in its namespace. */
void take_federated_types(struct fleet_builder *builder, struct federation *federation);
/* Says of every cluster that it has the APIs of all types that KubeFed federates: no status of
 * KubeFed's says so. */
void federated_types_enable(struct fleet_builder *builder, const struct federation *federation);

/* --- join_federation.c --- */

/* Adds what was taken of a KubeFed host to the builder's clusters and bindings. False with err:
 * nobody says in which namespace KubeFed's control plane is. */
bool join_federation(struct fleet_builder *builder, struct error *err);
/* Counts what was taken of a KubeFed host as left out, in a fleet of another control plane. */
void leave_out_federation(struct fleet_builder *builder);

#endif
