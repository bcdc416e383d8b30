/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins KubeFed's objects to bindings.
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

/* Decodes a FederatedDeployment or FederatedReplicaSet (`kind`) into *ret. False with the decoder's
 * error. */
bool federated_object_decode(struct decoder *decoder, const struct value *value,
                             enum binding_kind kind, struct federated_object *ret);

/* --- federated_binding.c --- */

/* Makes a binding of a federated object and its preference. The decoder's fleet has its
 * `federation` already. `preference` is NULL if absent or unreadable; `problem` is the reason if
 * unreadable, else NULL. Targets are not yet resolved to clusters. */
void federated_binding(struct decoder *decoder, const struct cluster_span *clusters,
                       const struct federated_object *object,
                       const struct federated_preference *preference, const char *problem,
                       struct binding *ret);

/* --- federated_regions.c --- */

/* Gives clusters without a region or zones those of their nodes: all zones, but a region only if no
 * two nodes name different ones. The fleet has its members already. */
void federated_regions(struct fleet_builder *builder);

/* --- federation_types.c --- */

/* Fills the types of a federation from the FederatedTypeConfigs in its namespace. */
void take_federated_types(struct fleet_builder *builder, struct federation *federation);
/* Gives every cluster the APIs of all types that KubeFed federates: KubeFed reports none. */
void federated_types_enable(struct fleet_builder *builder, const struct federation *federation);

/* --- join_federation.c --- */

/* Adds the objects of a KubeFed host to the builder's clusters and bindings. False with err: the
 * namespace of KubeFed's control plane is ambiguous. */
bool join_federation(struct fleet_builder *builder, struct error *err);
/* Counts the objects of a KubeFed host as left out, in a fleet of another control plane. */
void leave_out_federation(struct fleet_builder *builder);

#endif
