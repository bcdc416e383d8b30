/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the state of each target, and what is wrong with it, since when.
 */
#ifndef BALLAST_DIAGNOSE_FINDINGS_H
#define BALLAST_DIAGNOSE_FINDINGS_H

#include "ballast/base/vec.h"
#include "ballast/diagnose/diagnose.h"
#include "diagnose/members/observed.h"

struct target_look {
    const struct policy *policy;
    const struct binding *binding;
    uint32_t number; /* index of the binding in the fleet */
    const struct target *target;
    struct workload_view view;
    const struct workload_index *index; /* NULL: the view shows no pods */
};

struct estimator_view {
    const struct policy *policy;
    const struct binding *binding;
    const struct target *target;
    const struct member *member;
};

struct blame_question {
    const struct policy *policy;
    const struct diagnosis *diagnosis;
    const struct binding *binding;
    const struct binding_state *state;
    const struct observations *observations;
    uint32_t target;
    enum finding_type type; /* FailedReplicas, or a finding of find_silent() */
};

enum blame_ground {
    BLAME_IS_WORKLOADS, /* no evidence against the cluster */
    BLAME_BY_WITNESS,   /* the version is ready in `cluster` */
    BLAME_BY_RECORD,    /* the version was ready in `cluster` until Ballast moved it here */
    BLAME_BY_FAILING_CLUSTER,
    BLAME_BY_FAILOVER, /* the workload's failover behaviour asks to leave */
};

struct blame_verdict {
    enum blame_ground ground;
    const char *cluster; /* with BLAME_BY_WITNESS and BLAME_BY_RECORD; else "" */
};

/* --- blame.c --- */

/* Decides whether the cluster or the workload is to blame. */
struct blame_verdict find_blame(const struct blame_question *asked);
/* Returns the ground of a verdict in words, for a message: a constant, or in `arena`. */
const char *verdict_text(struct arena *arena, const struct blame_verdict *verdict);

/* --- estimated.c --- */

/* Takes the number of pods that wait for a node from the answer of the member's estimator, if pods
 * are not known or show more. Adds a trouble if there was none. Ignores an answer about a shorter
 * time than the threshold. */
void heed_estimator(const struct estimator_view *view, struct target_state *state,
                    struct observation *item, struct observations *all);

/* --- findings.c --- */

/* Appends a finding about all replicas assigned to the target's cluster. Returns it for the caller
 * to complete; valid until the next is appended. */
struct finding *finding_add_at(struct finder *finder, uint32_t binding, enum finding_type type,
                               const struct target *target);
/* Appends the findings of binding `index`, sorted by type and cluster. */
void find_all(struct finder *finder, uint32_t index);

/* --- findings_failed.c --- */

/* Appends FailedReplicas if pods of the target cannot start or stay up. */
void find_failed(struct finder *finder, const struct silent_target *spot);

/* --- findings_silent.c --- */

/* Decides whether the cluster or the workload is to blame for a finding of that type. */
struct blame_verdict blame_for(const struct finder *finder, const struct silent_target *spot,
                               enum finding_type type);
/* Appends the findings of a target that no pod reports as a failure: not applied, not created, not
 * seen, not ready for long. */
void find_silent(struct finder *finder, const struct silent_target *spot);
/* Appends a finding for each cluster that has pods of the binding and is no target of it. None of
 * these triggers a move. */
void find_orphans(struct finder *finder, uint32_t binding);

/* --- in_flight.c --- */

/* Fills the in-flight replicas and the replica states of all targets of binding `index`. All other
 * fields of the targets are filled. */
void assess_in_flight(const struct finder *finder, struct binding_state *state, uint32_t index);

/* --- members_seen.c --- */

/* Numbers the targets of all bindings (first_target); returns how many there are. */
uint32_t number_targets(const struct fleet *fleet, struct binding_state *bindings);
/* Fills the observations from members_seen_new(), instead of observe_members() and
 * observe_binding(). ret->states has space for `n_targets`. */
void members_seen_recall(const struct seen_already *seen_already, struct arena *scratch,
                         const struct fleet *fleet, uint32_t n_targets, struct observations *ret);

/* --- observe_members.c --- */

/* Observes the targets in clusters whose objects are known, one cluster after the other.
 * `n_targets` counts the targets of all bindings; `bindings` have first_target set. */
void observe_members(struct arena *scratch, const struct fleet *fleet, const struct policy *policy,
                     const struct binding_state *bindings, uint32_t n_targets,
                     struct observations *ret);
/* Observes the targets of one binding in clusters that show no objects, after observe_members(). */
void observe_binding(const struct fleet *fleet, const struct policy *policy,
                     const struct binding_state *bindings, uint32_t index,
                     struct observations *ret);

/* --- count_pods.c --- */

/* Fills the state and the observation number `target` with what the member shows of a target. */
void observe_target(const struct target_look *at, uint32_t target, struct observations *all);

#endif
