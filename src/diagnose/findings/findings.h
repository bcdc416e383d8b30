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

/* A target whose member's estimator is heeded, after its pods were counted. */
struct estimator_view {
    const struct policy *policy;
    const struct binding *binding;
    const struct target *target;
    const struct member *member;
};

/* Asks who is to blame for failing pods: the cluster or the workload. Of one target of a binding.
 */
struct blame_question {
    const struct policy *policy;
    const struct diagnosis *diagnosis;
    const struct binding *binding;
    const struct binding_state *state;
    const struct observations *observations;
    uint32_t target;
    enum finding_type type; /* FailedReplicas, or what no pod says */
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
    const char *cluster;
};

/* --- blame.c --- */

struct blame_verdict find_blame(const struct blame_question *asked);
/* The same in words. */
const char *verdict_text(struct arena *arena, const struct blame_verdict *verdict);

/* --- estimated.c --- */

void heed_estimator(const struct estimator_view *view, struct target_state *state,
                    struct observation *item, struct observations *all);

/* --- findings.c --- */

/* Adds one, about all that is assigned to the target's cluster. */
struct finding *finding_add_at(struct finder *finder, uint32_t binding, enum finding_type type,
                               const struct target *target);
/* Adds the findings of one binding, in their order. */
void find_all(struct finder *finder, uint32_t index);

/* --- findings_failed.c --- */

/* Adds what pods tell that cannot start or stay up. */
void find_failed(struct finder *finder, const struct silent_target *spot);

/* --- findings_silent.c --- */

/* Whether the cluster or the workload is to blame for what a finding of that type is about. */
struct blame_verdict blame_for(const struct finder *finder, const struct silent_target *spot,
                               enum finding_type type);
/* Adds what no pod tells of. */
void find_silent(struct finder *finder, const struct silent_target *spot);
/* Pods of the binding in clusters that are no targets of it: nothing is to be done about them. */
void find_orphans(struct finder *finder, uint32_t binding);

/* --- in_flight.c --- */

/* Fills what is in flight, and the states of replicas, once everything else is known of the
 * binding's targets. */
void settle_in_flight(const struct finder *finder, struct binding_state *state, uint32_t index);

/* --- members_seen.c --- */

/* Numbers the targets of all bindings (first_target); returns how many there are. */
uint32_t number_targets(const struct fleet *fleet, struct binding_state *bindings);
/* Instead of both, what was seen before (members_seen.c). */
void members_seen_recall(const struct seen_already *seen_already, struct arena *scratch,
                         const struct fleet *fleet, uint32_t n_targets, struct observations *ret);

/* --- observe_members.c --- */

/* Looks at the targets in clusters whose objects are known, one cluster after the other. There are
 * `n_targets` in all; `bindings` have the index of each one's first. */
void observe_members(struct arena *scratch, const struct fleet *fleet, const struct policy *policy,
                     const struct binding_state *bindings, uint32_t n_targets,
                     struct observations *ret);
/* After that, looks at the other targets of one binding. */
void observe_binding(const struct fleet *fleet, const struct policy *policy,
                     const struct binding_state *bindings, uint32_t index,
                     struct observations *ret);

/* --- target_state.c --- */

/* What it shows, at that place of the observations. */
void observe_target(const struct target_look *at, uint32_t target, struct observations *all);

#endif
