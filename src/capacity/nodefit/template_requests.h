/* SPDX-License-Identifier: Apache-2.0
 *
 * Requirements as pods of the workload's template ask: Karmada's leave out what
 * kube-apiserver makes of limits.
 */
#ifndef BALLAST_CAPACITY_TEMPLATE_REQUESTS_H
#define BALLAST_CAPACITY_TEMPLATE_REQUESTS_H

#include "ballast/base/arena.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

struct template_requests;

/* Of pods in that member; NULL: in any that has no LimitRanges. */
struct template_requests *template_requests_new(struct arena *arena, const struct fleet *fleet,
                                                const struct member *member);
/* Those with their template's request; those without a template themselves. */
const struct requirements *template_requests_of(struct template_requests *requests,
                                                const struct requirements *requirements);
/* A workload in need, or (not NULL, by binding) that it is about, has a template that says more
 * than its requirements. */
bool template_requests_matter(const struct fleet *fleet, const struct diagnosis *diagnosis,
                              const struct policy *policy, const bool *about);

#endif
