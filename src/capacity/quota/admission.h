/* SPDX-License-Identifier: Apache-2.0
 *
 * What kube-apiserver of a member lets in: LimitRanges fill in and refuse,
 * ResourceQuotas count (kubernetes plugin/pkg/admission/limitranger and
 * pkg/quota/v1/evaluator/core/pods.go).
 */
#ifndef BALLAST_CAPACITY_ADMISSION_H
#define BALLAST_CAPACITY_ADMISSION_H

#include "ballast/base/arena.h"
#include "ballast/model/member.h"
#include "ballast/model/placement.h"

/* Of a template's containers in that member, after its LimitRanges' defaults; the template itself
 * where there are none. */
const struct pod_template *admission_fill(struct arena *arena, const struct member *member,
                                          const struct pod_template *pod_template);
/* A LimitRange refuses its pods, as they are filled in, or what it filled in makes them invalid. */
bool admission_refuses(const struct member *member, const struct pod_template *pod_template);

struct member_quotas;
/* NULL: the member has none. */
struct member_quotas *member_quotas_new(struct arena *arena, const struct member *member);
/* How many pods like that are let in; -1: nothing counts them. */
int32_t member_quotas_room(const struct member_quotas *quotas,
                           const struct requirements *requirements);
/* Of so many pods; fewer than 0 are given back. */
void member_quotas_take(struct member_quotas *quotas, const struct requirements *requirements,
                        int32_t replicas);

#endif
