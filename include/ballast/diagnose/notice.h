/* SPDX-License-Identifier: Apache-2.0
 *
 * What an operator should know of what he asked for, although nothing failed: a
 * namespace that no binding is in, a cluster that does not exist. Pure: the same
 * fleet and policy give the same notices, in the same order.
 */
#ifndef BALLAST_DIAGNOSE_NOTICE_H
#define BALLAST_DIAGNOSE_NOTICE_H

#include "ballast/diagnose/diagnose.h"

struct notice {
    const char *about;   /* "namespace shp", "ballast.yaml:7:15", "ResourceBinding shop/web" */
    const char *message; /* without a full stop */
};

struct notice_list {
    const struct notice *items;
    uint32_t count;
};

/* All of a run, in `arena`: what of its scope and of its preferences' selectors matches nothing,
 * the scheduler if it has no bindings, and which clusters it names that do not exist. `diagnosis`
 * is the fleet's. */
struct notice_list find_notices(struct arena *arena, const struct fleet *fleet,
                                const struct diagnosis *diagnosis, const struct policy *policy);

/* Every workload that the scope asks for by name is there. ERROR_NOT_FOUND names those that are
 * not, each with the nearest that is. */
bool scope_names_exist(const struct fleet *fleet, const struct policy *policy, struct error *err);

#endif
