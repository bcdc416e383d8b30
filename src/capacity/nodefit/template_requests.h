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

/* Returns, in `arena`, what pods ask for in that member, by its LimitRanges. `member` NULL: in any
 * member that has none. */
struct template_requests *template_requests_new(struct arena *arena, const struct fleet *fleet,
                                                const struct member *member);
/* Returns requirements with the request of their template, and no less than pods that were seen
 * ask for; the requirements themselves where they have neither. They are kept by their id. */
const struct requirements *template_requests_of(struct template_requests *requests,
                                                const struct requirements *requirements);
/* True if the template of some workload says more than its requirements: of a workload in need, or,
 * where `about` is not NULL, of a workload that it names by binding. */
bool template_requests_matter(const struct fleet *fleet, const struct diagnosis *diagnosis,
                              const struct policy *policy, const bool *about);

#endif
