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

/* Of the one that says nothing but the name below: what a shard tells of a template. */
struct digest pod_template_digest_of_name(struct fleet_builder *builder, const char *name,
                                          size_t length);

/* SHA-256 of what is equal for equal templates, in hexadecimal: the same in every process. false
 * when it cannot be had. */
#define POD_TEMPLATE_NAME_MAX 65
bool pod_template_sum(const struct buf *canonical, char ret[POD_TEMPLATE_NAME_MAX]);
/* The sum of a template. false: it is like none at all, and has no name. */
bool pod_template_name(struct fleet_builder *builder, const struct value *pod_template,
                       char ret[POD_TEMPLATE_NAME_MAX]);

#endif
