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
    /* all there is of a settled workload, instead of the workload, ReplicaSet and pods; or NULL */
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
    bool is_stuck; /* past the threshold */
};

/* The pods of one StatefulSet in one member (ordinals.c). */
struct ordinals {
    VEC_OF(struct ordinal) seen;
    bool is_unclear; /* the name of a pod ends in no number, or is not known */
};

/* Pods of the current version end in phase Failed, and their controller replaces them,
 * again and again. */
struct replacing {
    int32_t ended;      /* pods that ended; 0: there is no such loop */
    int32_t next;       /* pods that may be the next to end, and pods that are not made yet */
    int64_t since;      /* creation of the first pod that ended */
    int64_t window;     /* ns: younger pods may be the next to end */
    const char *reason; /* of the last pod that ended: "Evicted" */
};

/* What is stuck in one target. */
struct trouble {
    struct pod_tally unschedulable;
    struct pod_tally failed;
    struct pod_tally lingering; /* not ready for long, neither unschedulable nor failed */
    struct pod_tally on_dead;   /* as lingering, on nodes that are not ready themselves */
    int64_t latest;             /* since when the pod fails that began to fail last */
    const char *revision;       /* pod_revision of the oldest failing pod, "" */
    bool is_updated;            /* `revision` is the one that is being rolled out, for certain */
    unsigned classes;           /* FAILURE_BIT of what has failed for longer than the threshold */
    unsigned young;             /* FAILURE_BIT of what has failed for less than the threshold */
    unsigned hung;              /* FAILURE_BIT of what lingers */
    int64_t hung_latest;        /* since when the pod lingers that began to linger last */
    int32_t unconfirmed;        /* pods that wait for a node, beyond what the estimator counts */
    int32_t leaving;            /* pods that are being deleted, and replaced only then */
    int32_t unreplaced; /* pods in phase Failed, also where they no longer count as failed */
    int32_t ended;      /* pods in phase Failed, of any age, that others may still replace */
    struct replacing replacing; /* for longer than the threshold */
    bool failover_asked;        /* spec.failover.application wants failed pods elsewhere */
    bool failover_due;          /* spec.failover.application wants any of it elsewhere */
};

/* What a target shows beside its target_state: one of each target of the fleet. */
struct observation {
    const struct digest *current; /* template of the current version; NULL: none, or not known */
    union {
        int64_t current_since;      /* creation of the current version */
        const char *ready_revision; /* where `current` is NULL: of the newest ready pod, "" */
    };
    const struct workload *workload;        /* the member's own object; NULL: not seen */
    const struct aggregated_status *status; /* of the binding there; NULL: none */
    int64_t generation;    /* of Karmada's template that the member has; 0: not known */
    int64_t newest_ready;  /* creation of the newest pod in ready_current, TIME_NONE */
    int64_t newest;        /* creation of the newest pod of the current version, TIME_NONE */
    int32_t ready_current; /* ready pods of the current version, -1 when not known */
    int32_t steady;        /* of ready_current, pods that may be relied on */
    int32_t wanted;        /* replicas that the member's own object asks for, -1 when not known */
    int32_t at_most;       /* of `wanted`, replicas that have not run to their end; NO_BOUND */
    uint32_t trouble;      /* index into troubles, TROUBLE_NONE */
    bool is_updated;       /* ready_revision is the one that is being rolled out, for certain */
    bool by_status;        /* its pods are not seen: the counts are those of the binding's status */
    bool shows_none;       /* by_status, although pods were looked at: none of them is of it */
    bool is_not_applied;   /* as binding_is_not_applied says */
};

/* Pods of a target: those not finished, those in phase Succeeded, and how many are asked for. */
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

/* Finds pods that are stuck where their binding has no target: somebody removed the target and the
 * member has not caught up, or an eviction is under way. */
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
    const struct diagnosis *diagnosis; /* complete but for its findings */
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

/* Cuts the stuck pods of a target down to the replicas that are assigned and not ready: pods beyond
 * what is assigned are on their way out and not stuck. `unconfirmed`: pods that wait for a node
 * beyond what the estimator counts. Counts that are not known stay. */
void bound_stuck(struct target_state *state, int32_t unconfirmed, int32_t assigned);

/* --- pods -------------------------------------------------------------------------------- */

/* Returns since when a pod is not ready, as far as its conditions say. */
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
/* Returns the class of a container's waiting reason; FAILURE_OTHER for a reason that is not known.
 */
enum failure_class failure_class(const char *reason);
/* Returns the class in words, a constant: "image pulls", ... */
const char *failure_class_text(enum failure_class class_);
/* Returns FAILURE_BIT of each class that failure_words() wrote into the list. Other words do not
 * count. */
unsigned failures_by_words(const struct str_list *words);
/* Finds why a pod cannot start or stay up, and since when. The texts are the pod's, or constants.
 * False: the pod does not fail. */
bool pod_find_failure(const struct pod *pod, int64_t now, struct pod_failure *ret);
/* Returns in a word why a pod is in phase Failed: the pod's text, or a constant. */
const char *pod_ended_reason(const struct pod *pod);
/* Returns in a word why a pod is not ready that has not failed: the pod's text, or a constant. */
const char *pod_waiting_reason(const struct pod *pod);

/* --- lingering.c --- */

/* Counts a pod that has a trouble since then, and keeps the oldest such pod with its texts, which
 * are not copied. */
void pod_tally_add(struct pod_tally *tally, const struct pod *pod, int64_t since,
                   const char *reason, const char *message);
/* Counts a pod that is not ready, and neither unschedulable nor failing, as lingering. False: it is
 * not ready for too short a time to count. */
bool tally_lingering(struct trouble *trouble, const struct member *member,
                     const struct policy *policy, const struct pod *pod, int64_t since);

/* --- words ------------------------------------------------------------------------------- */

/* Returns a foreign text made safe to show, in `arena`: control characters become spaces, and a
 * long text is cut. */
const char *quote_text(struct arena *arena, const char *text);
/* Returns how long ago `since` was, in `arena`: " since 8m29s"; "" for TIME_NONE. */
const char *since_text(struct arena *arena, int64_t since, int64_t now);

/* --- ordinals.c --- */

/* Appends a pod of a StatefulSet by the number at the end of its name; notes when it has none. */
void ordinals_note(struct ordinals *ordinals, const struct pod *pod, bool is_stuck);
/* Returns how many replicas stay if all pods go whose numbers are above those of every pod that is
 * not stuck. `first`: the first number. INT32_MAX if a pod has no number. Sorts the list. */
int32_t ordinals_below_stuck(struct ordinals *ordinals, int64_t first);

/* --- pod_needs.c --- */

/* True if `takes` is of a newer pod than `than`, or of a larger pod that is as new, so that the
 * order of pods does not matter. `than` may be of no pod; `takes` is of one. */
bool pod_takes_newer(const struct pod_takes *takes, const struct pod_takes *than);
/* Returns notes, in `arena`, on what the pods of each binding need. Nothing is noted yet. */
struct pod_needs *pod_needs_new(struct arena *arena, const struct fleet *fleet);
/* Notes what a pod of a binding takes, where that is more than its requirements say and more than
 * is noted. Of a set, notes only whether its pods ask for devices. */
void pod_needs_note(struct pod_needs *needs, uint32_t binding, const struct pod_takes *takes);
/* Returns, by binding, what its pods take where that is more than its requirements say. NULL: no
 * pod takes more. */
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

/* True if the Deployment controls the ReplicaSet, and its selector matches it. */
bool replica_set_is_of(const struct replica_set *set, const struct workload *deployment);
/* Returns `set` if the Deployment is rolling it out rather than `best`, else `best`, which may be
 * NULL. */
const struct replica_set *replica_set_more_current(const struct replica_set *best,
                                                   const struct replica_set *set,
                                                   const struct workload *deployment);
/* True if two digests are of equal pod templates. */
bool same_template(const struct digest *a, const struct digest *b);

/* --- replica_states.c --- */

/* Counts the assigned replicas of a target by state, at most `wanted`: as many as it has in the
 * end. Of a lost target all count as lost. All else of the target is known by then. */
void fill_replica_states(const struct finder *finder, const struct silent_target *spot,
                         int32_t wanted, struct target_state *ret);

/* --- restarts.c --- */

/* Finds since when a container of a pod ends and starts again all the time, whatever it does right
 * now. False: none does. The texts are constants. */
bool pod_find_crash_loop(const struct pod *pod, int64_t now, struct pod_failure *ret);
/* True if a pod is ready, and not only between two restarts. */
bool pod_stays_up(const struct pod *pod, const struct policy *policy);
/* True if a container of the pod is up after many restarts, for no longer than it took to come up:
 * it may end again. */
bool pod_is_shaky(const struct pod *pod, int64_t now);
/* Returns since when a container restarts again and again; TIME_NONE: it does not, or nobody knows.
 * `backoff`: how long it waits now, in ns; 0: it runs, or that is not known. */
int64_t container_loops_since(const struct pod *pod, const struct container_status *container,
                              int64_t backoff, int64_t now);
/* Returns how long the kubelet made a container wait, in all its back-offs before one of `backoff`;
 * both in ns. */
int64_t backoff_waited_before(int64_t backoff);

/* --- run_to_end.c --- */

/* True if a controller of the workload's kind keeps a number of pods running, and replaces every
 * pod that ends. */
bool replaces_all(const struct object_reference *resource);
/* Returns how many pods have yet to run to their end; NO_BOUND: all that are asked for. `workload`
 * is the member's own object, NULL: not seen. */
int32_t pods_at_most(const struct binding *binding, const struct workload *workload,
                     const struct pods_shown *shown);
/* Returns why the part of a divided Job that is in a member can take no more replicas;
 * JOB_PART_NONE: it can, or it is no such Job. `job` is the member's own object, NULL: not seen. */
enum job_part find_job_part(const struct binding *binding, const struct member *member,
                            const struct workload *job, bool has_ended);

/* --- shared_states.c --- */

/* Returns a copy of the states of all targets, in `arena`, in which bindings with equal states
 * share them; sets first_target of `bindings` to it. `states` are used up. */
const struct target_state *share_states(struct arena *arena, const struct fleet *fleet,
                                        struct binding_state *bindings,
                                        struct target_state *states);

/* --- stuck_without_target.c --- */

/* Returns a finder, in `scratch`. End it with elsewhere_finder_end. */
struct elsewhere_finder *elsewhere_finder_new(struct arena *scratch, const struct fleet *fleet,
                                              const struct policy *policy,
                                              const struct workload_index *index);
/* Notes which subjects are stuck, or not managed by Karmada, in the member of `cluster`, which the
 * index has just taken in. Clusters come in order. */
void find_stuck_elsewhere(struct elsewhere_finder *finder, uint32_t cluster);
/* Appends to ret->elsewhere the noted clusters of each binding that are no targets of it, notes in
 * ret->needs what the pods there take, and frees what the finder has outside its arena. */
void elsewhere_finder_end(struct elsewhere_finder *finder, struct observations *ret);

/* --- versions.c --- */

/* True if what fails in one target and what is ready in another are of one version. */
bool is_same_version(const struct observation *failing, const struct trouble *trouble,
                     const struct observation *ready);

/* --- workload_index.c --- */

/* Returns an index, in `arena`, of the workloads that the fleet's bindings name. It has no member
 * yet. */
struct workload_index *workload_index_new(struct arena *arena, const struct fleet *fleet);
/* Frees what an index has outside its arena. */
void workload_index_free(struct workload_index *index);
/* Returns the subject of a binding. */
uint32_t workload_index_subject(const struct workload_index *index, uint32_t binding);
/* Forgets the last member and takes in this one. */
void workload_index_member(struct workload_index *index, const struct member *member);
/* Returns what the member that was taken in last shows of a subject. */
struct workload_view workload_index_view(const struct workload_index *index, uint32_t subject);
/* True if the member shows objects that may belong to a subject. */
bool workload_index_is_needed(const struct member *member);
/* Returns the view of a subject of which the member shows nothing. */
struct workload_view workload_view_of_none(const struct member *member);
/* Returns the next pod of the subject that `pod` is of, as first_pod; POD_NONE at the end. */
uint32_t workload_index_next_pod(const struct workload_index *index, uint32_t pod);
/* Returns the subjects with pods in the member that are not ready; some more than once. Valid until
 * the next member. */
const uint32_t *workload_index_in_trouble(const struct workload_index *index, uint32_t *ret_count);
/* Returns the subjects whose object in the member Karmada does not manage. Valid until the next
 * member. */
const uint32_t *workload_index_foreign(const struct workload_index *index, uint32_t *ret_count);
/* Returns the next group of settled pods of the subject that `settled` is of, as first_settled;
 * POD_NONE at the end. */
uint32_t workload_index_next_settled(const struct workload_index *index, uint32_t settled);

/* --- just_written.c --- */

/* True if `time` is less than thresholds.inFlight ago. False for TIME_NONE, and for a time that is
 * further ahead than thresholds.inFlight. */
bool is_recent(const struct policy *policy, int64_t time);
/* True if somebody wrote the binding less than thresholds.inFlight ago: its scheduler, or a run of
 * ours that changed what it has in that cluster, as far as is known. */
bool is_just_written(const struct policy *policy, const struct binding *binding,
                     const char *cluster);
/* True if somebody else than a run of ours wrote the binding, or took it to members, less than
 * thresholds.inFlight ago. */
bool is_just_written_by_others(const struct policy *policy, const struct binding *binding);
/* True if the binding says when its scheduler or a run of ours wrote it. */
bool is_write_known(const struct binding *binding);
/* Returns when the binding, or the object that the target's cluster has, was last written.
 * TIME_NONE where neither says so. */
int64_t target_written_at(const struct finder *finder, uint32_t binding, uint32_t target);

#endif
