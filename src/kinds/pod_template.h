/* SPDX-License-Identifier: Apache-2.0
 *
 * Digests of pod templates. Private to this room.
 */
#ifndef BALLAST_KINDS_POD_TEMPLATE_H
#define BALLAST_KINDS_POD_TEMPLATE_H

#include "builder.h"

/* Of a core v1 PodTemplateSpec, NULL being the empty one: equal for templates that are equal once
 * the label pod-template-hash is out of both. */
struct digest pod_template_digest(struct fleet_builder *builder, const struct value *pod_template);

#endif
