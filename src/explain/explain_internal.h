/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files of explain/.
 */
#ifndef BALLAST_EXPLAIN_EXPLAIN_INTERNAL_H
#define BALLAST_EXPLAIN_EXPLAIN_INTERNAL_H

#include "ballast/explain/explain.h"

/* The binding to explain, with all inputs. */
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

/* owner.c: fills in the owner. */
void explain_owner(const struct subject *subject, struct explained_owner *ret);
/* Returns the cluster's share in the binding's preference or weight list, in words; "": none. */
const char *explain_wish(const struct subject *subject, const struct cluster *cluster);
/* Returns the cluster's weight in the static weights that decide; -1: others decide. */
int64_t explain_weight(const struct subject *subject, const struct cluster *cluster);
/* Returns the failover of a lost cluster, in words; "": no owner. */
const char *failover_owner_text(const struct subject *subject, enum failover_owner owner);

/* found.c: returns the findings, then the pending findings. */
const struct explained_finding *explain_findings(const struct subject *subject,
                                                 uint32_t *ret_count);

/* explain_cluster_verdicts.c: returns all clusters and all targets without a Cluster, by name. */
const struct explained_cluster *explain_clusters(const struct subject *subject,
                                                 uint32_t *ret_count);

/* holders.c: fills in the workloads that hold the cluster's capacity, if it has too little. Needs
 * its code and bound. */
void explain_holders(const struct subject *subject, uint32_t cluster,
                     struct explained_cluster *ret);

/* setting.c: fills in the settings behind the decision. Needs the reasons and clusters. */
void explain_settings(const struct subject *subject, struct explanation *ret);

/* readiness.c: fills the state of the workload and `readiness`. Needs the findings. */
void explain_readiness(const struct subject *subject, struct explanation *ret);

/* remedy.c: returns what would help, as a sentence without full stop; "": unknown. */
const char *explain_remedy(const struct subject *subject, const struct explanation *of);

/* verdict.c: fills headline and because from the other members. */
void explain_verdict(const struct subject *subject, struct explanation *explanation);

#endif
