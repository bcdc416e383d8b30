/* SPDX-License-Identifier: Apache-2.0
 *
 * KubeFed's objects, decoded one by one. Private to this room.
 */
#ifndef BALLAST_KINDS_DECODE_FEDERATED_H
#define BALLAST_KINDS_DECODE_FEDERATED_H

#include "builder.h"
#include "federation_builder.h"

field_converter convert_federated_placement; /* const struct federated_placement *, shared */

bool kubefed_config_decode(struct decoder *decoder, const struct value *value,
                           struct kubefed_config *ret);
bool type_config_decode(struct decoder *decoder, const struct value *value,
                        struct type_config *ret);
bool kubefed_cluster_decode(struct decoder *decoder, const struct value *value,
                            struct kubefed_cluster *ret);
bool federated_namespace_decode(struct decoder *decoder, const struct value *value,
                                struct federated_namespace *ret);
bool federated_object_decode(struct decoder *decoder, const struct value *value,
                             enum binding_kind kind, struct federated_object *ret);

extern const struct field federated_placement_table[];

/* The requirements of a pod of this template (its spec), shared; NULL with the decoder's error. */
const struct requirements *template_requirements(struct decoder *decoder,
                                                 const struct value *pod_spec);

/* Clusters, in any order. */
struct cluster_span {
    const struct cluster *items;
    uint32_t count;
};

/* A federated object with its preference (NULL: none, or, by the `problem`, one that cannot be
 * read) as a binding of the decoder's fleet, whose `federation` is known; targets are not resolved
 * to clusters yet. */
void federated_binding(struct decoder *decoder, const struct cluster_span *clusters,
                       const struct federated_object *object,
                       const struct federated_preference *preference, const char *problem,
                       struct binding *ret);
/* All that was taken of a KubeFed host becomes clusters and bindings of the builder's. */
bool join_federation(struct fleet_builder *builder, struct error *err);

/* None of it is, in a fleet of another control plane's. */
void leave_out_federation(struct fleet_builder *builder);

/* KubeFed does not say where a cluster is: as its nodes do, where all of them say the same. The
 * members are there. */
void federated_regions(struct fleet_builder *builder);

#endif
