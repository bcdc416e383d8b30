/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plan comes to in each cluster and in each namespace.
 */
#ifndef BALLAST_REPORT_TALLY_H
#define BALLAST_REPORT_TALLY_H

#include "view.h"

struct cluster_tally {
    const char *name;
    uint32_t cluster;  /* CLUSTER_NONE: it is gone */
    uint32_t bindings; /* that leave it or arrive */
    int64_t leaving, arriving;
    bool has_room; /* what is free of it is known, and it can be used */
    struct ledger_free room;
};

struct namespace_tally {
    const char *name; /* "" of what is in no namespace */
    uint32_t changed, blocked, deferred;
    int64_t moved, added, unplaced, replicas_deferred;
};

/* Of clusters whose replicas change, the one that most leave first; in the view's memory. Where
 * writes were tried, only what was done counts. */
const struct cluster_tally *tally_clusters(const struct report_view *view, uint32_t *ret_count);
/* Of namespaces in which something is changed or held back, the one with most replicas first. */
const struct namespace_tally *tally_namespaces(const struct report_view *view, uint32_t *ret_count);

#endif
