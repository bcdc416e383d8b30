/* SPDX-License-Identifier: Apache-2.0
 *
 * Requirements as the pods of a template ask. Karmada's requirements lack the requests that
 * kube-apiserver derives from limits.
 */
#ifndef BALLAST_CAPACITY_TEMPLATE_REQUESTS_H
#define BALLAST_CAPACITY_TEMPLATE_REQUESTS_H

#include "ballast/base/arena.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

struct template_requests;

/* Returns, in `arena`, what pods ask for in a member, by its LimitRanges; NULL: by none. */
struct template_requests *template_requests_new(struct arena *arena, const struct fleet *fleet,
                                                const struct member *member);
/* Returns requirements with their template's request, and at least the request of known pods.
 * Without both, returns them unchanged. Results are kept by id. */
const struct requirements *template_requests_of(struct template_requests *requests,
                                                const struct requirements *requirements);
/* True if a workload in need has a template, or, unless `about` is NULL, one that it marks. */
bool template_requests_matter(const struct fleet *fleet, const struct diagnosis *diagnosis,
                              const struct policy *policy, const bool *about);

#endif
