/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts that members show: pods, versions, restarts, ordinals, missing objects.
 */
#ifndef BALLAST_DIAGNOSE_OBSERVED_H
#define BALLAST_DIAGNOSE_OBSERVED_H

#include "ballast/base/vec.h"
#include "ballast/diagnose/diagnose.h"

#define FAILURE_BIT(class_) (1u << (class_))

struct pod_failure {
    const char *reason; /* "CrashLoopBackOff" */
    const char *message;
    int64_t since;
};

struct finder;

/* --- workloads in members ---------------------------------------------------------------- */

#define POD_NONE UINT32_MAX

/* Maps pods to subjects, one member at a time. A subject is a workload that bindings name. */
struct workload_index;

/* A subject in the current member, which is the member that the index holds. */
struct workload_view {
    const struct member *member;
    const struct workload *workload;   /* NULL: not seen */
    const struct replica_set *current; /* NULL: none, or not known */
    /* all facts about a settled workload, instead of the workload, ReplicaSet and pods; or NULL */
    const struct settled_workload *settled;
    uint32_t first_pod;     /* index into member->pods; POD_NONE: none */
    uint32_t first_settled; /* index into member->settled; POD_NONE: none */
};

/* --- targets ----------------------------------------------------------------------------- */

/* Pods with one trouble. */
struct pod_tally {
    int32_t count;
    int64_t since;         /* of `pod` */
    const struct pod *pod; /* the oldest */
    const char *reason;
    const char *message;
};

struct pod_takes {
    const struct resource_amounts *requests, *beyond; /* as in struct pod; NULL: no pod */
    int64_t creation;
};

/* The needs of each binding's replicas, by pods of their version. */
struct pod_needs;

struct ordinal {
    int32_t number;
    bool is_stuck; /* past the threshold */
};

struct ordinals {
    VEC_OF(struct ordinal) seen;
    bool is_unclear; /* a pod's name ends in no number, or is not known */
};

/* A loop: pods of the current version end in phase Failed, and their controller replaces them. */
struct replacing {
    int32_t ended;      /* pods that ended; 0: no loop */
    int32_t next;       /* pods that may end next, and pods not created yet */
    int64_t since;      /* creation of the first pod that ended */
    int64_t window;     /* ns; younger pods may end next */
    const char *reason; /* of the last pod that ended: "Evicted" */
};

struct trouble {
    struct pod_tally unschedulable;
    struct pod_tally failed;
    struct pod_tally lingering; /* not ready for long, neither unschedulable nor failed */
    struct pod_tally on_dead;   /* lingering pods on nodes that are not ready */
    int64_t latest;             /* start of the latest failure past the threshold */
    const char *revision;       /* pod_revision of the oldest failing pod; "": none */
    bool is_updated;            /* the member certainly rolls out `revision` */
    unsigned classes;           /* FAILURE_BITs of failures past the threshold */
    unsigned young;             /* FAILURE_BITs of failures below the threshold */
    unsigned hung;              /* FAILURE_BITs of lingering pods */
    int64_t hung_latest;        /* start of the latest lingering */
    int32_t unconfirmed;        /* pods that wait for a node, beyond the estimator's count */
    int32_t leaving;            /* pods being deleted that are replaced only afterwards */
    int32_t unreplaced; /* pods in phase Failed without a successor, also those not in `failed` */
    int32_t ended;      /* pods in phase Failed, of any age, that may still get a successor */
    struct replacing replacing; /* past the threshold */
    bool failover_asked;        /* spec.failover.application wants failed pods elsewhere */
    bool failover_due;          /* spec.failover.application wants some pod elsewhere */
};

/* Facts about a target beside its target_state; one for each target of the fleet. */
struct observation {
    const struct digest *current; /* template of the current version; NULL: none, or not known */
    union {
        int64_t current_since;      /* creation of the current version */
        const char *ready_revision; /* if `current` is NULL: of the newest ready pod; "": none */
    };
    const struct workload *workload;        /* the member's own object; NULL: not seen */
    const struct aggregated_status *status; /* the binding's status there; NULL: none */
    int64_t generation;    /* of the Karmada template that the member has; 0: not known */
    int64_t newest_ready;  /* creation of the newest pod in ready_current; TIME_NONE: none */
    int64_t newest;        /* creation of the newest pod of the current version; TIME_NONE: none */
    int32_t ready_current; /* ready pods of the current version; -1: not known */
    int32_t steady;        /* of ready_current: pods that do not seem about to end */
    int32_t wanted;        /* replicas that the member's own object asks for; -1: not known */
    int32_t at_most;       /* of `wanted`: replicas that have not run to their end; NO_BOUND: all */
    uint32_t trouble;      /* index into troubles; TROUBLE_NONE: none */
    bool is_updated;       /* the member certainly rolls out ready_revision */
    bool by_status;        /* its pods are not seen: the counts come from the binding's status */
    bool shows_none;       /* by_status, although Ballast saw pods: none of them is the target's */
    bool is_not_applied;   /* binding_is_not_applied() */
};

/* Pods of a target: unfinished, succeeded, and replicas asked for. */
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
    struct target_state *states;   /* as seen, not yet bounded */
    struct observation *items;     /* one for each state */
    VEC_OF(struct trouble) troubles;
    struct pod_needs *needs;              /* NULL: known already */
    VEC_OF(struct stuck_place) elsewhere; /* by binding, then cluster */
};

/* Finds pods that are stuck where their binding has no target: the member lags behind, or an
 * eviction is under way. */
struct elsewhere_finder;

struct finder;

/* --- bindings ---------------------------------------------------------------------------- */

/* Others that decide the replicas of workloads: autoscalers and override policies. */
struct replica_owners;

/* The input of findings, and the findings so far. */
struct finder {
    struct arena *arena;
    struct arena *scratch;
    const struct fleet *fleet;
    const struct policy *policy;
    const struct diagnosis *diagnosis; /* complete except for its findings */
    const struct observations *observations;
    struct scheduler *scheduler;
    struct replica_owners *claims;
    struct recent_texts *said; /* in `arena`; many bindings share the text of one lost cluster */
    VEC_OF(struct finding) found;
};

/* A target, with the facts that its findings need. */
struct silent_target {
    uint32_t binding;
    const struct target *target;
    const struct target_state *state;
    const struct observation *seen;
    const struct trouble *trouble; /* NULL: none */
    uint32_t number;               /* index of the target in its binding */
    bool is_unattended;
};

/* --- bound_stuck.c --- */

/* Limits the stuck pods of a target to the replicas that are assigned and not ready: the member
 * deletes pods beyond those assigned. `unconfirmed`: pods that wait for a node, beyond the
 * estimator's count. Unknown counts stay. */
void bound_stuck(struct target_state *state, int32_t unconfirmed, int32_t assigned);

/* --- pods -------------------------------------------------------------------------------- */

/* Returns since when a pod is not ready, by its conditions, else by its creation. */
int64_t pod_not_ready_since(const struct pod *pod);
/* Classes of failures. One fault of a cluster may cause all failures of a class there. */
enum failure_class {
    FAILURE_OTHER,     /* no known fault of a cluster */
    FAILURE_IMAGE,     /* the image cannot be pulled */
    FAILURE_CRASH,     /* containers end */
    FAILURE_CONTAINER, /* the container runtime creates or starts none */
    FAILURE_CONFIG,    /* an object that the pod names is missing in its namespace */
    /* pods that show no other failure: */
    FAILURE_START,     /* they wait for their containers, or for a scheduler that never looks */
    FAILURE_READINESS, /* they run, but are not ready */
    FAILURE_CREATION,  /* no pods: they are refused, or no controller creates them */
    FAILURE_ENDED,     /* a kubelet ends or refuses them, and their controller replaces them */
    N_FAILURE_CLASSES
};
_Static_assert(N_FAILURE_CLASSES <= 16, "an unsigned holds a bit of each");
/* Returns the class of a container's waiting reason; FAILURE_OTHER for an unknown reason. */
enum failure_class failure_class(const char *reason);
/* Returns the class in words, a constant: "image pulls", ... */
const char *failure_class_text(enum failure_class class_);
/* Returns the FAILURE_BITs of the words in the list that failure_words() writes. Ignores other
 * words. */
unsigned failures_by_words(const struct str_list *words);
/* Finds why a pod cannot start or stay up, and since when. The texts are the pod's, or constants.
 * False: the pod does not fail. */
bool pod_find_failure(const struct pod *pod, int64_t now, struct pod_failure *ret);
/* Returns a word for why a pod is in phase Failed: the pod's text, or a constant. */
const char *pod_ended_reason(const struct pod *pod);
/* Returns a word for why a pod that has not failed is not ready: the pod's text, or a constant. */
const char *pod_waiting_reason(const struct pod *pod);

/* --- lingering.c --- */

/* Counts a pod with a trouble since `since`. Keeps the oldest pod and its texts, uncopied. */
void pod_tally_add(struct pod_tally *tally, const struct pod *pod, int64_t since,
                   const char *reason, const char *message);
/* Counts as lingering a pod that is not ready, and neither unschedulable nor failing. False: it is
 * below the threshold and not counted. */
bool tally_lingering(struct trouble *trouble, const struct member *member,
                     const struct policy *policy, const struct pod *pod, int64_t since);

/* --- words ------------------------------------------------------------------------------- */

/* Returns a foreign text made safe to show, in `arena`: control characters become spaces, and a
 * long text is cut. */
const char *quote_text(struct arena *arena, const char *text);
/* Returns the time since `since`, in `arena`: " since 8m29s"; "" for TIME_NONE. */
const char *since_text(struct arena *arena, int64_t since, int64_t now);

/* --- ordinals.c --- */

/* Appends a pod of a StatefulSet by the number at the end of its name. Sets is_unclear if it has
 * none. */
void ordinals_note(struct ordinals *ordinals, const struct pod *pod, bool is_stuck);
/* Returns how many replicas stay if all pods go whose numbers are above those of every pod that is
 * not stuck. `first`: the first number. INT32_MAX if a pod has no number. Sorts the list. */
int32_t ordinals_below_stuck(struct ordinals *ordinals, int64_t first);

/* --- pod_needs.c --- */

/* True if `takes` is of a newer pod than `than`, or of a larger one of equal age: the order of pods
 * does not matter. `than` may be of no pod; `takes` is of one. */
bool pod_takes_newer(const struct pod_takes *takes, const struct pod_takes *than);
/* Returns empty notes, in `arena`, on what the pods of each binding need. */
struct pod_needs *pod_needs_new(struct arena *arena, const struct fleet *fleet);
/* Notes what a pod of a binding takes, if that exceeds the binding's requirements and earlier
 * notes. For a set, notes only whether its pods ask for devices. */
void pod_needs_note(struct pod_needs *needs, uint32_t binding, const struct pod_takes *takes);
/* Returns, by binding, what its pods take if that exceeds the requirements. NULL: no pod does. */
const struct resource_amounts *pod_needs_by_binding(const struct pod_needs *needs);

/* --- pods_known.c --- */

/* True if the pods of the workload are known in this member. `status` is its aggregatedStatus
 * there; NULL: none. */
bool are_pods_known(const struct binding *binding, const struct aggregated_status *status,
                    const struct workload_view *view, const struct workload_index *index);
/* True if the member shows pods of that namespace. */
bool member_shows_pods_of(const struct member *member, const char *namespace_);
/* Fills the state of a target with unknown pods by its aggregatedStatus; NULL: none. */
void state_by_status(const struct aggregated_status *status, struct target_state *state);

/* --- ReplicaSets ------------------------------------------------------------------------- */

/* True if the Deployment controls the ReplicaSet, and its selector matches it. */
bool replica_set_is_of(const struct replica_set *set, const struct workload *deployment);
/* Returns `set` if the Deployment rolls it out rather than `best`, else `best`, which may be
 * NULL. */
const struct replica_set *replica_set_more_current(const struct replica_set *best,
                                                   const struct replica_set *set,
                                                   const struct workload *deployment);
/* True if two digests are of equal pod templates. */
bool same_template(const struct digest *a, const struct digest *b);

/* --- replica_states.c --- */

/* Counts the assigned replicas of a target by state: at most `wanted`, the number that it has in
 * the end. In a lost cluster that is not ready, all are lost. All other fields of the target are
 * filled. */
void fill_replica_states(const struct finder *finder, const struct silent_target *spot,
                         int32_t wanted, struct target_state *ret);

/* --- restarts.c --- */

/* Finds since when a container of a pod restarts in a loop, whatever its state at this moment.
 * False: none does. The texts are constants. */
bool pod_find_crash_loop(const struct pod *pod, int64_t now, struct pod_failure *ret);
/* True if a pod is ready, and not only between two restarts. */
bool pod_stays_up(const struct pod *pod, const struct policy *policy);
/* True if a container of the pod is up after many restarts, for no longer than it took to come up:
 * it may end again. */
bool pod_is_shaky(const struct pod *pod, int64_t now);
/* Returns since when a container restarts in a loop; TIME_NONE: no loop, or not known. `backoff`:
 * its present wait, in ns; 0: it runs, or not known. */
int64_t container_loops_since(const struct pod *pod, const struct container_status *container,
                              int64_t backoff, int64_t now);
/* Returns the sum of all back-offs of the kubelet before one of `backoff`; both in ns. */
int64_t backoff_waited_before(int64_t backoff);

/* --- run_to_end.c --- */

/* True if a controller of the workload's kind keeps a number of pods running, and replaces every
 * pod that ends. */
bool replaces_all(const struct object_reference *resource);
/* Returns how many pods have yet to run to their end; NO_BOUND: all that are asked for. `workload`
 * is the member's own object; NULL: not seen. */
int32_t pods_at_most(const struct binding *binding, const struct workload *workload,
                     const struct pods_shown *shown);
/* Returns why a member's part of a divided Job can take no more replicas; JOB_PART_NONE: it can, or
 * it is no part of one. `job` is the member's own object; NULL: not seen. */
enum job_part find_job_part(const struct binding *binding, const struct member *member,
                            const struct workload *job, bool has_ended);

/* --- shared_states.c --- */

/* Returns the states of all targets, in `arena`; bindings with equal states share them. Sets
 * first_target of `bindings`. Overwrites `states`. */
const struct target_state *share_states(struct arena *arena, const struct fleet *fleet,
                                        struct binding_state *bindings,
                                        struct target_state *states);

/* --- stuck_without_target.c --- */

/* Returns a finder, in `scratch`. End it with elsewhere_finder_end. */
struct elsewhere_finder *elsewhere_finder_new(struct arena *scratch, const struct fleet *fleet,
                                              const struct policy *policy,
                                              const struct workload_index *index);
/* Notes the subjects that are stuck, or not managed by Karmada, in the member of `cluster`, which
 * is the index's current member. Clusters come in order. */
void find_stuck_elsewhere(struct elsewhere_finder *finder, uint32_t cluster);
/* Appends to ret->elsewhere the noted clusters that are no targets of a binding. Notes in
 * ret->needs what the pods there take. Frees what the finder has outside its arena. */
void elsewhere_finder_end(struct elsewhere_finder *finder, struct observations *ret);

/* --- versions.c --- */

/* True if the failing pods of one target and the ready pods of another are of one version. */
bool is_same_version(const struct observation *failing, const struct trouble *trouble,
                     const struct observation *ready);

/* --- workload_index.c --- */

/* Returns an index, in `arena`, of the workloads that the fleet's bindings name. It holds no member
 * yet. */
struct workload_index *workload_index_new(struct arena *arena, const struct fleet *fleet);
/* Frees what an index has outside its arena. */
void workload_index_free(struct workload_index *index);
/* Returns the subject of a binding. */
uint32_t workload_index_subject(const struct workload_index *index, uint32_t binding);
/* Makes `member` the current member of the index. */
void workload_index_member(struct workload_index *index, const struct member *member);
/* Returns what the current member shows of a subject. */
struct workload_view workload_index_view(const struct workload_index *index, uint32_t subject);
/* True if the member shows objects that may belong to a subject. */
bool workload_index_is_needed(const struct member *member);
/* Returns the view of a subject of which the member shows nothing. */
struct workload_view workload_view_of_none(const struct member *member);
/* Returns the next pod of `pod`'s subject, as first_pod; POD_NONE at the end. */
uint32_t workload_index_next_pod(const struct workload_index *index, uint32_t pod);
/* Returns the subjects with pods in the member that are not ready; some more than once. Valid until
 * the next member. */
const uint32_t *workload_index_in_trouble(const struct workload_index *index, uint32_t *ret_count);
/* Returns the subjects whose object in the member Karmada does not manage. Valid until the next
 * member. */
const uint32_t *workload_index_foreign(const struct workload_index *index, uint32_t *ret_count);
/* Returns the next group of settled pods of the subject of `settled`, as first_settled; POD_NONE at
 * the end. */
uint32_t workload_index_next_settled(const struct workload_index *index, uint32_t settled);

/* --- just_written.c --- */

/* True if `time` is less than thresholds.inFlight ago. False for TIME_NONE, and for a time further
 * ahead than that, which a clock error explains. */
bool is_recent(const struct policy *policy, int64_t time);
/* True if a scheduler wrote the binding less than thresholds.inFlight ago, or a run of Ballast did
 * that may have changed its replicas in that cluster. */
bool is_just_written(const struct policy *policy, const struct binding *binding,
                     const char *cluster);
/* True if another writer than Ballast wrote the binding, or took it to members, less than
 * thresholds.inFlight ago. */
bool is_just_written_by_others(const struct policy *policy, const struct binding *binding);
/* True if the time at which a scheduler or a run of Ballast wrote the binding is known. */
bool is_write_known(const struct binding *binding);
/* Returns when the binding, or the object in the target's cluster, was last written; TIME_NONE: not
 * known. */
int64_t target_written_at(const struct finder *finder, uint32_t binding, uint32_t target);

#endif
