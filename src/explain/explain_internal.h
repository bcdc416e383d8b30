/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of explain/ share: one explanation under way.
 */
#ifndef BALLAST_EXPLAIN_EXPLAIN_INTERNAL_H
#define BALLAST_EXPLAIN_EXPLAIN_INTERNAL_H

#include "ballast/explain/explain.h"

/* What is known of the binding. */
struct subject {
    struct arena *arena;
    const struct explain_subject *of;
    uint32_t index;
    const struct binding *binding;
    const struct binding_state *state;
    const struct target_state *targets; /* parallel to spec.clusters */
    const struct decision *decision;
    const struct decision_trace *trace;
};

/* owner.c */
void explain_owner(const struct subject *subject, struct explained_owner *ret);
/* What the preference or weight list for it says of a cluster; "": nothing. */
const char *explain_wish(const struct subject *subject, const struct cluster *cluster);
/* Whose turn a lost cluster is, in words; "": it is not lost. */
const char *failover_owner_text(const struct subject *subject, enum failover_owner owner);

/* found.c: what was found, then what does not count yet. */
const struct explained_finding *explain_findings(const struct subject *subject,
                                                 uint32_t *ret_count);

/* explain_cluster_verdicts.c: each cluster of the fleet, and targets whose cluster is gone, by
 * name. */
const struct explained_cluster *explain_clusters(const struct subject *subject,
                                                 uint32_t *ret_count);

/* verdict.c: headline and because, once the rest is there. */
void explain_verdict(const struct subject *subject, struct explanation *explanation);

#endif
