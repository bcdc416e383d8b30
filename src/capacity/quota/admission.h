/* SPDX-License-Identifier: Apache-2.0
 *
 * Admission by a member's kube-apiserver: LimitRanges set defaults and refuse, ResourceQuotas
 * count (kubernetes plugin/pkg/admission/limitranger and pkg/quota/v1/evaluator/core/pods.go).
 */
#ifndef BALLAST_CAPACITY_ADMISSION_H
#define BALLAST_CAPACITY_ADMISSION_H

#include "ballast/base/arena.h"
#include "ballast/model/member.h"
#include "ballast/model/placement.h"

/* Returns a copy of a template, in `arena`, with the defaults of the member's LimitRanges of its
 * namespace. Returns the template itself if there are none. */
const struct pod_template *admission_fill(struct arena *arena, const struct member *member,
                                          const struct pod_template *pod_template);
/* True if a LimitRange of the member refuses pods of a template from admission_fill(), or if its
 * defaults make the pods invalid. */
bool admission_refuses(const struct member *member, const struct pod_template *pod_template);

struct member_quotas;
/* Returns the ResourceQuotas of a member, in `arena`; NULL: the member has none. */
struct member_quotas *member_quotas_new(struct arena *arena, const struct member *member);
/* Returns how many more pods with these requirements the quotas admit; -1: no quota counts them. */
int32_t member_quotas_room(const struct member_quotas *quotas,
                           const struct requirements *requirements);
/* Charges the quotas with `replicas` pods; a negative number refunds them. */
void member_quotas_take(struct member_quotas *quotas, const struct requirements *requirements,
                        int32_t replicas);

#endif
