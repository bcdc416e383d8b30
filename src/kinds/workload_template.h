/* SPDX-License-Identifier: Apache-2.0
 *
 * The pod templates of workloads in the control plane. Private to this room.
 */
#ifndef BALLAST_KINDS_WORKLOAD_TEMPLATE_H
#define BALLAST_KINDS_WORKLOAD_TEMPLATE_H

#include "builder.h"

/* Keeps the pod template of a resource template, if it has one; tells who listens, as a
 * WorkloadTemplate. What cannot be read is nobody's loss: it stays unknown. */
void builder_note_template(struct fleet_builder *builder, const struct value *object,
                           const char *api_version, const char *kind);
/* Gives bindings the templates of what they bind. */
void builder_join_templates(struct fleet_builder *builder);
/* Likewise one that was read again, as it had one before. */
void binding_keep_template(struct fleet *fleet, struct binding *binding);

#endif
