/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells an operator about requests that match nothing, although nothing failed: a namespace without
 * bindings, a cluster that does not exist. Pure: one fleet and policy give the same notices in the
 * same order.
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

/* Returns all notices of a run, in `arena`: about the scope, preferences, the scheduler, names of
 * clusters, requests that cannot be met, and missing data. `diagnosis` is the fleet's. */
struct notice_list find_notices(struct arena *arena, const struct fleet *fleet,
                                const struct diagnosis *diagnosis, const struct policy *policy);

/* True if every workload that the scope names exists. ERROR_NOT_FOUND lists the others, each with
 * the most similar name. */
bool scope_names_exist(const struct fleet *fleet, const struct policy *policy, struct error *err);

#endif
