/* SPDX-License-Identifier: Apache-2.0
 *
 * What members show: pods, versions, restarts, ordinals, what is missing.
 */
#ifndef BALLAST_DIAGNOSE_OBSERVED_H
#define BALLAST_DIAGNOSE_OBSERVED_H

#include "ballast/base/vec.h"
#include "ballast/diagnose/diagnose.h"

#define FAILURE_BIT(class_) (1u << (class_))

/* Why a pod cannot start or stay up. */
struct pod_failure {
    const char *reason; /* "CrashLoopBackOff" */
    const char *message;
    int64_t since;
};

struct finder;

/* --- workloads in members ---------------------------------------------------------------- */

#define POD_NONE UINT32_MAX

/* Which pods are whose, one member at a time. A subject is a workload that bindings name. */
struct workload_index;

/* A subject in the member that was taken in last. */
struct workload_view {
    const struct member *member;
    const struct workload *workload;   /* NULL: not seen */
    const struct replica_set *current; /* NULL: none, or not known */
    /* Instead of both and of all pods: there is nothing else of it. NULL: it is not told so */
    const struct settled_workload *settled;
    uint32_t first_pod;     /* index into member->pods, POD_NONE */
    uint32_t first_settled; /* index into member->settled, POD_NONE */
};

/* --- targets ----------------------------------------------------------------------------- */

/* Pods with one trouble. */
struct pod_tally {
    int32_t count;
    int64_t since;         /* of the oldest */
    const struct pod *pod; /* the oldest */
    const char *reason;
    const char *message;
};

/* What a pod takes. */
struct pod_takes {
    const struct resource_amounts *requests, *beyond; /* as of a pod; NULL: of none */
    int64_t creation;
};

/* What replicas of each binding need, by pods of their version. */
struct pod_needs;

/* A pod of a StatefulSet. */
struct ordinal {
    int32_t number;
    bool is_ready, is_stuck; /* past the threshold; neither: it starts, or is on its way out */
};

/* Those of one StatefulSet in one member (ordinals.c). */
struct ordinals {
    VEC_OF(struct ordinal) seen;
    int64_t nameless; /* settled ones: they are ready, and nobody says which they are */
    bool is_unclear;  /* one has no number */
};

/* Pods of the current version end in phase Failed, and their controller replaces them,
 * again and again. */
struct replacing {
    int32_t ended;      /* pods that ended so; 0: it is no such loop */
    int32_t next;       /* pods that may be the next to end, and those that are not made yet */
    int64_t since;      /* creation of the first of them that ended */
    int64_t window;     /* pods that are younger may be the next */
    const char *reason; /* of the last one that ended: "Evicted" */
};

/* What is stuck in one target. */
struct trouble {
    struct pod_tally unschedulable;
    struct pod_tally failed;
    struct pod_tally lingering; /* not ready for long, for neither reason */
    struct pod_tally on_dead;   /* likewise, on nodes that are not ready themselves */
    int64_t latest;             /* since when the last of those that failed does */
    const char *revision;       /* pod_revision of the oldest failing pod, "" */
    bool is_updated;            /* which is the one that is being rolled out, for certain */
    unsigned classes;           /* FAILURE_BIT of what has failed for longer than the threshold */
    unsigned young;             /* likewise, of what has not */
    unsigned hung;              /* likewise, of what lingers */
    int64_t hung_latest;        /* since when the last of that does */
    int32_t unconfirmed;        /* pods that wait for a node, beyond what the estimator counts */
    int32_t leaving;            /* pods that are being deleted, and replaced only then */
    int32_t unreplaced; /* pods in phase Failed, also where they no longer count as failed */
    int32_t ended;      /* pods in phase Failed, of any age, that others may still replace */
    struct replacing replacing; /* for longer than the threshold */
    bool failover_asked;        /* spec.failover.application wants it elsewhere: what failed */
    bool failover_due;          /* likewise: any of it */
};

/* What a target shows beside its target_state: one of each target of the fleet. */
struct observation {
    const struct digest *current; /* template of the current version; NULL: none, or not known */
    union {
        int64_t current_since;      /* its creation; where there is none: */
        const char *ready_revision; /* pod_revision of the newest ready pod, "" */
    };
    const struct workload *workload;        /* the member's own object; NULL: not seen */
    const struct aggregated_status *status; /* of the binding there; NULL: none */
    int64_t generation;    /* of Karmada's template that the member has; 0: not known */
    int64_t newest_ready;  /* creation of the newest such pod, TIME_NONE */
    int64_t newest;        /* likewise of any pod of that version */
    int32_t ready_current; /* ready pods of the current version, -1 when not known */
    int32_t steady;        /* of them, those that may be relied on */
    int32_t wanted;        /* replicas that the member's own object asks for, -1 when not known */
    int32_t at_most;       /* of them, those that have not run to their end; NO_BOUND */
    uint32_t trouble;      /* index into troubles, TROUBLE_NONE */
    bool is_updated;       /* ready_revision is the one that is being rolled out, for certain */
    bool by_status;        /* its pods are not seen: the counts are those of the binding's status */
    bool shows_none;       /* likewise, although pods were looked at: none of them is of it */
    bool is_not_applied;   /* as binding_is_not_applied says */
};

/* Pods of a target: not finished, in phase Succeeded, and how many are asked for. */
struct pods_shown {
    int32_t seen, succeeded;
    int64_t told;
};

#define NO_BOUND (-1)

/* Pods of a workload in a cluster that is no target of its binding. */
struct orphan {
    uint32_t binding, cluster;
    int32_t pods;
};

struct observations {
    VEC_OF(struct orphan) orphans; /* by cluster */
    struct target_state *states;   /* counts as seen, not yet bounded */
    struct observation *items;     /* as many */
    VEC_OF(struct trouble) troubles;
    struct pod_needs *needs;              /* NULL: they are known */
    VEC_OF(struct stuck_place) elsewhere; /* by binding, then cluster */
};

/* What is stuck where the binding has no target: somebody took it off, and the member has not
 * caught up, or it is evicted still. Called with each member that the index took in, in order. */
struct elsewhere_finder;

struct finder;

/* --- bindings ---------------------------------------------------------------------------- */

/* Who else decides the replicas of workloads. */
struct replica_owners;

/* The parts of a diagnosis that findings are made of. */
struct finder {
    struct arena *arena;
    struct arena *scratch;
    const struct fleet *fleet;
    const struct policy *policy;
    const struct diagnosis *diagnosis; /* all but the findings are there */
    const struct observations *observations;
    struct scheduler *scheduler;
    struct replica_owners *claims;
    struct recent_texts *said; /* in `arena`: a lost cluster is lost to many bindings alike */
    VEC_OF(struct finding) found;
};

/* A target, and what is known of it beside its pods. */
struct silent_target {
    uint32_t binding;
    const struct target *target;
    const struct target_state *state;
    const struct observation *seen;
    const struct trouble *trouble; /* NULL: none */
    uint32_t number;               /* of the target in its binding */
    bool is_ignored;
};

/* --- bound_stuck.c --- */

/* Cuts what is stuck down to what is assigned and not ready; a surplus of pods over what is
 * assigned is on its way out and not stuck. Unknown counts stay. */
void bound_stuck(struct target_state *state, int32_t unconfirmed, int32_t assigned);

/* --- pods -------------------------------------------------------------------------------- */

/* Since when a pod that is not ready is so, as far as it tells. */
int64_t pod_not_ready_since(const struct pod *pod);
/* What of a cluster makes pods fail alike. */
enum failure_class {
    FAILURE_OTHER,     /* nothing that is known to be a cluster's */
    FAILURE_IMAGE,     /* the image does not come */
    FAILURE_CRASH,     /* containers end */
    FAILURE_CONTAINER, /* the container runtime makes or starts none */
    FAILURE_CONFIG,    /* what the pod names in its namespace is not there */
    /* of pods of which nothing else says that something is wrong: */
    FAILURE_START,     /* they wait for their containers, or for a scheduler that never looks */
    FAILURE_READINESS, /* they run, and are not ready */
    FAILURE_CREATION,  /* there are no pods: they are refused, or no controller makes them */
    FAILURE_ENDED,     /* a kubelet ends or refuses them, and their controller makes others */
    N_FAILURE_CLASSES
};
_Static_assert(N_FAILURE_CLASSES <= 16, "an unsigned holds a bit of each");
enum failure_class failure_class(const char *reason);
/* "image pulls", ... */
const char *failure_class_text(enum failure_class class_);
/* FAILURE_BIT of those that failure_words() made; what is no such word counts for none. */
unsigned failures_by_words(const struct str_list *words);
bool pod_find_failure(const struct pod *pod, int64_t now, struct pod_failure *ret);
/* In a word, why a pod is in phase Failed. */
const char *pod_ended_reason(const struct pod *pod);
/* In a word, why a pod is not ready that has not failed. */
const char *pod_waiting_reason(const struct pod *pod);

/* --- lingering.c --- */

void pod_tally_add(struct pod_tally *tally, const struct pod *pod, int64_t since,
                   const char *reason, const char *message);
/* A pod that is not ready, and neither unschedulable nor failing; false: not for long enough. */
bool tally_lingering(struct trouble *trouble, const struct member *member,
                     const struct policy *policy, const struct pod *pod, int64_t since);

/* --- words ------------------------------------------------------------------------------- */

/* A text of somebody else's, made safe to show: control characters become spaces, a long one is
 * cut. */
const char *quote_text(struct arena *arena, const char *text);
/* " since 8m29s", or "" when not known. */
const char *since_text(struct arena *arena, int64_t since, int64_t now);

/* --- ordinals.c --- */

void ordinals_note(struct ordinals *ordinals, const struct pod *pod, bool is_ready, bool is_stuck);
/* How many stay, from the first one up, if all go that are stuck or missing above them; it sorts.
 * `told`: replicas that the member's object wants. */
int32_t ordinals_below_stuck(struct ordinals *ordinals, int64_t first, int64_t told);

/* --- pod_needs.c --- */

/* Of pods as new the larger ones count, so that their order does not; `than` may be of none. */
bool pod_takes_newer(const struct pod_takes *takes, const struct pod_takes *than);
struct pod_needs *pod_needs_new(struct arena *arena, const struct fleet *fleet);
void pod_needs_note(struct pod_needs *needs, uint32_t binding, const struct pod_takes *takes);
/* By binding, where it is more than what the binding and its template say; NULL: nowhere. */
const struct resource_amounts *pod_needs_by_binding(const struct pod_needs *needs);

/* --- pods_known.c --- */

/* True if the pods of the workload are known in this member. `status` is its aggregatedStatus
 * there; NULL: it has none. */
bool are_pods_known(const struct binding *binding, const struct aggregated_status *status,
                    const struct workload_view *view, const struct workload_index *index);
/* True if the member shows pods of that namespace. */
bool member_shows_pods_of(const struct member *member, const char *namespace_);
/* Fills the state of a target whose pods are not known, by its aggregatedStatus; NULL: it has none.
 */
void state_by_status(const struct aggregated_status *status, struct target_state *state);

/* --- ReplicaSets ------------------------------------------------------------------------- */

/* The Deployment controls it, and would find it by its selector. */
bool replica_set_is_of(const struct replica_set *set, const struct workload *deployment);
/* Of two, the one that the Deployment is rolling out; `best` may be NULL. */
const struct replica_set *replica_set_more_current(const struct replica_set *best,
                                                   const struct replica_set *set,
                                                   const struct workload *deployment);
/* Of pods. */
bool same_template(const struct digest *a, const struct digest *b);

/* --- replica_states.c --- */

/* Counts the replicas of a target by state: as many as are wanted there in the end. It needs all
 * else that is known of the target. */
void settle_replica_states(const struct finder *finder, const struct silent_target *spot,
                           int32_t wanted, struct target_state *ret);

/* --- restarts.c --- */

/* The same of one whose containers end and start again all the time, whatever they do right now. */
bool pod_find_crash_loop(const struct pod *pod, int64_t now, struct pod_failure *ret);
/* Ready, and not only between two restarts. */
bool pod_stays_up(const struct pod *pod, const struct policy *policy);
/* It is up after many restarts, for no longer than it took to come up: it may end again. */
bool pod_is_shaky(const struct pod *pod, int64_t now);
/* Since when a container restarts again and again; TIME_NONE: it does not, or nobody knows.
 * `backoff`: what it waits for now; 0: it runs. */
int64_t container_loops_since(const struct pod *pod, const struct container_status *container,
                              int64_t backoff, int64_t now);
int64_t backoff_waited_before(int64_t backoff);

/* --- run_to_end.c --- */

/* A controller of the kind keeps a number of pods running, and replaces whatever
 * ends.
 */
bool replaces_all(const struct object_reference *resource);
/* How many pods there are yet to be that have not run to their end; NO_BOUND: all
 * that are asked for. `workload` is the member's own object, NULL: not seen. */
int32_t pods_at_most(const struct binding *binding, const struct workload *workload,
                     const struct pods_shown *shown);
/* Whether the part of it that is in a member can take more replicas. `job` is the
 * member's own object, NULL: not seen. */
enum job_part find_job_part(const struct binding *binding, const struct member *member,
                            const struct workload *job, bool has_ended);

/* --- shared_states.c --- */

/* What is kept of the states of all targets, in `arena`: those of bindings whose states are all
 * alike once, where `bindings` then have their first. `states` are used up. */
const struct target_state *share_states(struct arena *arena, const struct fleet *fleet,
                                        struct binding_state *bindings,
                                        struct target_state *states);

/* --- stuck_without_target.c ---------------------------------------------------------------------
 */

struct elsewhere_finder *elsewhere_finder_new(struct arena *scratch, const struct fleet *fleet,
                                              const struct policy *policy,
                                              const struct workload_index *index);
void find_stuck_elsewhere(struct elsewhere_finder *finder, uint32_t cluster);
void elsewhere_finder_end(struct elsewhere_finder *finder, struct observations *ret);

/* --- versions.c --- */

/* What fails in one target and what is ready in another are one version. */
bool is_same_version(const struct observation *failing, const struct trouble *trouble,
                     const struct observation *ready);

/* --- workload_index.c --- */

struct workload_index *workload_index_new(struct arena *arena, const struct fleet *fleet);
void workload_index_free(struct workload_index *index);
/* The subject of a binding. */
uint32_t workload_index_subject(const struct workload_index *index, uint32_t binding);
/* Forgets the last member and takes in this one. */
void workload_index_member(struct workload_index *index, const struct member *member);
struct workload_view workload_index_view(const struct workload_index *index, uint32_t subject);
/* The member shows objects that may belong to a subject. */
bool workload_index_is_needed(const struct member *member);
/* Any subject in a member that shows none. */
struct workload_view workload_view_of_none(const struct member *member);
/* The next pod of the same subject, POD_NONE at the end. */
uint32_t workload_index_next_pod(const struct workload_index *index, uint32_t pod);
/* Subjects with pods in the member that are not ready; some more than once. */
const uint32_t *workload_index_in_trouble(const struct workload_index *index, uint32_t *ret_count);
/* Subjects whose object in the member Karmada does not manage. */
const uint32_t *workload_index_foreign(const struct workload_index *index, uint32_t *ret_count);
uint32_t workload_index_next_settled(const struct workload_index *index, uint32_t settled);

/* --- just_written.c -----------------------------------------------------------------------------
 */

/* just_written.c: `time` is less than thresholds.inFlight ago; false for TIME_NONE, and for a time
 * that is further ahead than thresholds.inFlight. */
bool is_recent(const struct policy *policy, int64_t time);
/* The scheduler wrote the binding less than thresholds.inFlight ago, or a run of ours,
 * as far as is known, what it has in that cluster. */
bool is_just_written(const struct policy *policy, const struct binding *binding,
                     const char *cluster);
/* Likewise, but for runs of ours. */
bool is_just_written_by_others(const struct policy *policy, const struct binding *binding);
/* The binding says when its scheduler or a run of ours wrote it. */
bool is_write_known(const struct binding *binding);
/* When the binding, or the object that the target's cluster has, was last written.
 * TIME_NONE where neither says so. */
int64_t target_written_at(const struct finder *finder, uint32_t binding, uint32_t target);

#endif
