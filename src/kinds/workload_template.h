/* SPDX-License-Identifier: Apache-2.0
 *
 * The pod templates of workloads in the control plane. Private to this room.
 */
#ifndef BALLAST_KINDS_WORKLOAD_TEMPLATE_H
#define BALLAST_KINDS_WORKLOAD_TEMPLATE_H

#include "builder.h"

/* What is read of a PodTemplateSpec, in parts. */
extern const struct field template_container_table[], template_init_container_table[],
    template_resources_table[], template_claim_table[];
extern const struct field topology_spread_table[], template_metadata_table[];

/* Keeps the pod template of a resource template, if it has one; tells who listens, as a
 * WorkloadTemplate. What cannot be read is nobody's loss: it stays unknown. */
void builder_note_template(struct fleet_builder *builder, const struct value *object,
                           const char *api_version, const char *kind);
/* Keeps that of what a federated object federates; `binding` is the object's. false where there is
 * none, or it cannot be read. */
bool builder_keep_federated_template(struct fleet_builder *builder, const struct value *object,
                                     const struct binding *binding, struct error *err);
/* Gives bindings the templates of what they bind. */
void builder_join_templates(struct fleet_builder *builder);
/* Likewise one that was read again, as it had one before. */
void binding_keep_template(struct fleet *fleet, struct binding *binding);

#endif
