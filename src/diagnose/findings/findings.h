/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of each target, and what is wrong with it, since when.
 */
#ifndef BALLAST_DIAGNOSE_FINDINGS_H
#define BALLAST_DIAGNOSE_FINDINGS_H

#include "ballast/base/vec.h"
#include "ballast/diagnose/diagnose.h"
#include "diagnose/members/observed.h"

/* A target, and what its member shows of it. */
struct target_look {
    const struct policy *policy;
    const struct binding *binding;
    uint32_t number; /* of the binding in the fleet */
    const struct target *target;
    struct workload_view view;
    const struct workload_index *index; /* NULL: the view shows no pods */
};

/* A target, once its pods were counted, and the member whose estimator answered for it. */
struct estimator_view {
    const struct policy *policy;
    const struct binding *binding;
    const struct target *target;
    const struct member *member;
};

/* Asks who is to blame for the failing pods of one target: the cluster or the workload. */
struct blame_question {
    const struct policy *policy;
    const struct diagnosis *diagnosis;
    const struct binding *binding;
    const struct binding_state *state;
    const struct observations *observations;
    uint32_t target;
    enum finding_type type; /* FailedReplicas, or a finding of find_silent */
};

enum blame_ground {
    BLAME_IS_WORKLOADS, /* nothing speaks against the cluster */
    BLAME_BY_WITNESS,   /* the version is ready in `cluster` */
    BLAME_BY_RECORD,    /* the version was ready in `cluster`, until Ballast moved it */
    BLAME_BY_FAILING_CLUSTER,
    BLAME_BY_FAILOVER, /* its failover behaviour asks to leave */
};

struct blame_verdict {
    enum blame_ground ground;
    const char *cluster; /* of BLAME_BY_WITNESS and BLAME_BY_RECORD; else "" */
};

/* --- blame.c --- */

/* Decides whether the cluster or the workload is to blame for what is asked. */
struct blame_verdict find_blame(const struct blame_question *asked);
/* Returns the ground of a verdict in words, for a message: a constant, or in `arena`. */
const char *verdict_text(struct arena *arena, const struct blame_verdict *verdict);

/* --- estimated.c --- */

/* Takes how many pods wait for a node from the answer of the member's estimator, where pods are not
 * known or show more, and notes a trouble where there was none. An answer about a shorter time than
 * the threshold does not count. */
void heed_estimator(const struct estimator_view *view, struct target_state *state,
                    struct observation *item, struct observations *all);

/* --- findings.c --- */

/* Appends a finding about all replicas that are assigned to the target's cluster, and returns it
 * for the caller to complete; valid until the next is appended. */
struct finding *finding_add_at(struct finder *finder, uint32_t binding, enum finding_type type,
                               const struct target *target);
/* Appends the findings of the binding number `index`, in the order of findings. */
void find_all(struct finder *finder, uint32_t index);

/* --- findings_failed.c --- */

/* Appends FailedReplicas where pods of the target cannot start or stay up. */
void find_failed(struct finder *finder, const struct silent_target *spot);

/* --- findings_silent.c --- */

/* Decides whether the cluster or the workload is to blame for what a finding of that type is about.
 */
struct blame_verdict blame_for(const struct finder *finder, const struct silent_target *spot,
                               enum finding_type type);
/* Appends the findings of a target that no pod reports as a failure: not applied, not created, not
 * seen, not ready for long. */
void find_silent(struct finder *finder, const struct silent_target *spot);
/* Appends a finding for each cluster that has pods of the binding and is no target of it. None of
 * these triggers a move. */
void find_orphans(struct finder *finder, uint32_t binding);

/* --- in_flight.c --- */

/* Fills what is in flight, and the states of replicas, of all targets of the binding number
 * `index`. Everything else is known of the targets by then. */
void assess_in_flight(const struct finder *finder, struct binding_state *state, uint32_t index);

/* --- members_seen.c --- */

/* Numbers the targets of all bindings (first_target); returns how many there are. */
uint32_t number_targets(const struct fleet *fleet, struct binding_state *bindings);
/* Fills the observations with what members_seen_new saw of these bindings, instead of
 * observe_members and observe_binding. ret->states has room for `n_targets`. */
void members_seen_recall(const struct seen_already *seen_already, struct arena *scratch,
                         const struct fleet *fleet, uint32_t n_targets, struct observations *ret);

/* --- observe_members.c --- */

/* Looks at the targets in clusters whose objects are known, one cluster after the other. There are
 * `n_targets` in all; `bindings` have the index of each one's first. */
void observe_members(struct arena *scratch, const struct fleet *fleet, const struct policy *policy,
                     const struct binding_state *bindings, uint32_t n_targets,
                     struct observations *ret);
/* Looks at the targets of one binding in clusters that show no objects, after observe_members. */
void observe_binding(const struct fleet *fleet, const struct policy *policy,
                     const struct binding_state *bindings, uint32_t index,
                     struct observations *ret);

/* --- target_state.c --- */

/* Fills the state and the observation number `target` with what the member shows of a target. */
void observe_target(const struct target_look *at, uint32_t target, struct observations *all);

#endif
