/* SPDX-License-Identifier: Apache-2.0
 *
 * What of spec.volumes ties a pod to nodes: of pods and of templates alike.
 */
#ifndef BALLAST_KINDS_DECODE_POD_VOLUMES_H
#define BALLAST_KINDS_DECODE_POD_VOLUMES_H

#include "ballast/model/pod_template.h"
#include "builder.h"
#include "field.h"

extern const struct field volume_table[]; /* of spec.volumes[] */

/* Target: const struct pod_volumes *, in the fleet's memory; NULL where nothing ties. Equal ones
 * are one. */
field_converter convert_pod_volumes;

/* Of a StatefulSet's template, with the classes of what it makes for each replica. */
const struct pod_volumes *pod_volumes_add_made(struct fleet_builder *builder,
                                               const struct pod_volumes *volumes,
                                               const struct claim_template_list *made);

#endif
