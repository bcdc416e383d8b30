/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of diagnose/ share among themselves. The way of the data:
 * clusters are judged (cluster_health.c), members are indexed by workload
 * (workload_index.c), each target is looked at (target_state.c) and, where pods
 * fail, a culprit is named (blame.c); findings.c puts it into sentences.
 */
#ifndef BALLAST_DIAGNOSE_PARTS_H
#define BALLAST_DIAGNOSE_PARTS_H

#include "ballast/base/vec.h"
#include "ballast/diagnose/diagnose.h"

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
enum failure_class failure_class(const char *reason);
/* "image pulls", ... */
const char *failure_class_text(enum failure_class class_);
/* FAILURE_BIT of those that failure_words() made; what is no such word counts for none. */
unsigned failures_by_words(const struct str_list *words);
#define FAILURE_BIT(class_) (1u << (class_))
_Static_assert(N_FAILURE_CLASSES <= 16, "an unsigned holds a bit of each");

/* Why a pod cannot start or stay up. */
struct pod_failure {
    const char *reason; /* "CrashLoopBackOff" */
    const char *message;
    int64_t since;
};
bool pod_find_failure(const struct pod *pod, int64_t now, struct pod_failure *ret);
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
/* In a word, why a pod is in phase Failed. */
const char *pod_ended_reason(const struct pod *pod);
/* In a word, why a pod is not ready that has not failed. */
const char *pod_waiting_reason(const struct pod *pod);

/* --- ReplicaSets ------------------------------------------------------------------------- */

/* The Deployment controls it, and would find it by its selector. */
bool replica_set_is_of(const struct replica_set *set, const struct workload *deployment);
/* Of two, the one that the Deployment is rolling out; `best` may be NULL. */
const struct replica_set *replica_set_more_current(const struct replica_set *best,
                                                   const struct replica_set *set,
                                                   const struct workload *deployment);
/* Of pods. */
bool same_template(const struct digest *a, const struct digest *b);

/* --- clusters ---------------------------------------------------------------------------- */

/* Fills clusters, n_unhealthy_clusters and the guard. */
void diagnose_clusters(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                       struct diagnosis *ret);

/* Fills the guard, and which clusters it keeps from being left. */
void diagnose_guard(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                    struct cluster_health *health, struct diagnosis *ret);
/* Once all else is known: a guard that holds nothing back is silent, and so is its warning where
 * nothing is failed over. */
void settle_guard(struct diagnosis *diagnosis, const struct fleet *fleet,
                  const struct policy *policy);

/* Whether Karmada fails clusters over by itself. */
struct karmada_at_work find_karmada_at_work(struct arena *arena, const struct fleet *fleet,
                                            const struct policy *policy);

/* What Karmada taints a cluster with for its Ready condition. */
#define TAINT_NOT_READY "cluster.karmada.io/not-ready"
#define TAINT_UNREACHABLE "cluster.karmada.io/unreachable"

struct finder;

/* Why a target's cluster is lost to a binding, and whose turn it is. */
struct cluster_outage {
    enum failover_owner owner;
    const struct taint *taint; /* that drives it away; NULL: the cluster is unhealthy or gone */
    int64_t since;
    int64_t until; /* how long it is tolerated: INT64_MAX for ever; of FAILOVER_OWNER_TOLERATED */
};
/* false when it is not lost. */
bool find_outage(const struct finder *finder, const struct binding *binding,
                 const struct target *target, struct cluster_outage *ret);
/* The same in words, in the finder's scratch. */
const char *outage_text(const struct finder *finder, const struct target *target,
                        const struct cluster_outage *loss);

/* --- workloads in members ---------------------------------------------------------------- */

#define POD_NONE UINT32_MAX

/* Which pods are whose, one member at a time. A subject is a workload that bindings name. */
struct workload_index;

struct workload_index *workload_index_new(struct arena *arena, const struct fleet *fleet);
void workload_index_free(struct workload_index *index);
/* The subject of a binding. */
uint32_t workload_index_subject(const struct workload_index *index, uint32_t binding);
/* Forgets the last member and takes in this one. */
void workload_index_member(struct workload_index *index, const struct member *member);

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

/* Of pods as new the larger ones count, so that their order does not; `than` may be of none. */
bool pod_takes_newer(const struct pod_takes *takes, const struct pod_takes *than);

/* What replicas of each binding need, by pods of their version. */
struct pod_needs;
struct pod_needs *pod_needs_new(struct arena *arena, const struct fleet *fleet);
void pod_needs_note(struct pod_needs *needs, uint32_t binding, const struct pod_takes *takes);
/* By binding, where it is more than what the binding and its template say; NULL: nowhere. */
const struct resource_amounts *pod_needs_by_binding(const struct pod_needs *needs);
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

void ordinals_note(struct ordinals *ordinals, const struct pod *pod, bool is_ready, bool is_stuck);
/* How many stay, from the first one up, if all go that are stuck or missing above them; it sorts.
 * `told`: replicas that the member's object wants. */
int32_t ordinals_below_stuck(struct ordinals *ordinals, int64_t first, int64_t told);

/* replaced.c: pods of the current version end in phase Failed, and their controller replaces them,
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

#define TROUBLE_NONE UINT32_MAX

void pod_tally_add(struct pod_tally *tally, const struct pod *pod, int64_t since,
                   const char *reason, const char *message);
/* A pod that is not ready, and neither unschedulable nor failing; false: not for long enough. */
bool tally_lingering(struct trouble *trouble, const struct member *member,
                     const struct policy *policy, const struct pod *pod, int64_t since);

/* `told`: replicas that the member's object wants. */
struct replacing find_replacing(const struct binding *binding, const struct workload_view *view,
                                const struct workload_index *index, int64_t told, int64_t now);
/* A pod of the current version that was made then may be the next to end. */
bool may_end_next(const struct replacing *replacing, int64_t creation, int64_t now);
/* Where it lasts for longer than the threshold, counts a pod that is not ready and may be the next
 * to end; false: it does not. */
bool tally_ending(struct trouble *trouble, const struct replacing *replacing,
                  const struct policy *policy, const struct pod *pod);
/* Notes it, also where all that were made are ready at this moment. */
void note_replacing(struct trouble *trouble, const struct replacing *replacing,
                    const struct policy *policy);
/* Pods of that owner are of the version that the member rolls out; of kinds without ReplicaSets all
 * are. */
bool is_owner_current(const struct binding *binding, const struct workload_view *view,
                      const struct owner *owner);

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

/* pods_known.c: of the workload, whose aggregatedStatus of the member is `status`, NULL: none. */
bool are_pods_known(const struct binding *binding, const struct aggregated_status *status,
                    const struct workload_view *view, const struct workload_index *index);
/* The member shows pods of that namespace. */
bool member_shows_pods_of(const struct member *member, const char *namespace_);
/* What is counted where they are not: by its status, NULL: none. */
void state_by_status(const struct aggregated_status *status, struct target_state *state);

/* Pods of a target: not finished, in phase Succeeded, and how many are asked for. */
struct pods_shown {
    int32_t seen, succeeded;
    int64_t told;
};

#define NO_BOUND (-1)

/* run_to_end.c: a controller of the kind keeps a number of pods running, and replaces whatever
 * ends.
 */
bool replaces_all(const struct object_reference *resource);
/* How many pods there are yet to be that have not run to their end; NO_BOUND: all
 * that are asked for. `workload` is the member's own object, NULL: not seen. */
int32_t pods_at_most(const struct binding *binding, const struct workload *workload,
                     const struct pods_shown *shown);

/* run_to_end.c: whether the part of it that is in a member can take more replicas. `job` is the
 * member's own object, NULL: not seen. */
enum job_part find_job_part(const struct binding *binding, const struct member *member,
                            const struct workload *job, bool has_ended);

/* What fails in one target and what is ready in another are one version. */
bool is_same_version(const struct observation *failing, const struct trouble *trouble,
                     const struct observation *ready);

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

/* NULL: nothing is stuck there. */
static inline const struct trouble *
trouble_of(const struct observations *all, const struct observation *observation)
{
    return observation->trouble != TROUBLE_NONE ? &all->troubles.items[observation->trouble] : NULL;
}

/* What is stuck where the binding has no target: somebody took it off, and the member has not
 * caught up, or it is evicted still. Called with each member that the index took in, in order. */
struct elsewhere_finder;
struct elsewhere_finder *elsewhere_finder_new(struct arena *scratch, const struct fleet *fleet,
                                              const struct policy *policy,
                                              const struct workload_index *index);
void find_stuck_elsewhere(struct elsewhere_finder *finder, uint32_t cluster);
void elsewhere_finder_end(struct elsewhere_finder *finder, struct observations *ret);

/* A target, and what its member shows of it. */
struct target_look {
    const struct policy *policy;
    const struct binding *binding;
    uint32_t number; /* of the binding in the fleet */
    const struct target *target;
    struct workload_view view;
    const struct workload_index *index; /* NULL: the view shows no pods */
};
/* What it shows, at that place of the observations. */
void observe_target(const struct target_look *at, uint32_t target, struct observations *all);
/* Looks at the targets in clusters whose objects are known, one cluster after the other. There are
 * `n_targets` in all; `bindings` have the index of each one's first. */
void observe_members(struct arena *scratch, const struct fleet *fleet, const struct policy *policy,
                     const struct binding_state *bindings, uint32_t n_targets,
                     struct observations *ret);
/* After that, looks at the other targets of one binding. */
void observe_binding(const struct fleet *fleet, const struct policy *policy,
                     const struct binding_state *bindings, uint32_t index,
                     struct observations *ret);
/* A target whose member's estimator is heeded, after its pods were counted. */
struct estimator_view {
    const struct policy *policy;
    const struct binding *binding;
    const struct target *target;
    const struct member *member;
};
void heed_estimator(const struct estimator_view *view, struct target_state *state,
                    struct observation *item, struct observations *all);
/* Numbers the targets of all bindings (first_target); returns how many there are. */
uint32_t number_targets(const struct fleet *fleet, struct binding_state *bindings);
/* Instead of both, what was seen before (sightings.c). */
void sightings_recall(const struct sighted *sighted, struct arena *scratch,
                      const struct fleet *fleet, uint32_t n_targets, struct observations *ret);
/* What is kept of the states of all targets, in `arena`: those of bindings whose states are all
 * alike once, where `bindings` then have their first. `states` are used up. */
const struct target_state *share_states(struct arena *arena, const struct fleet *fleet,
                                        struct binding_state *bindings,
                                        struct target_state *states);
/* Cuts what is stuck down to what is assigned and not ready; a surplus of pods over what is
 * assigned is on its way out and not stuck. Unknown counts stay. */
void bound_stuck(struct target_state *state, int32_t unconfirmed, int32_t assigned);

/* ignored.c: no controller of the cluster looks at the workload in a target, numbered within its
 * binding: none has looked for thresholds.inFlight at what the object says, or has ever made a pod
 * of it. false where an autoscaler has just scaled it, or where it is paused. */
bool is_ignored(const struct finder *finder, uint32_t binding, uint32_t target);
/* in_flight.c: the member sets the replicas itself: what the binding assigns there is not what will
 * be. `closed`: by replica_owners_closed; `workload` is the member's own, NULL: not seen. */
bool is_members_own(const struct binding *binding, const struct target *target,
                    const struct workload *workload, const struct closed_clusters *closed);
/* ignored.c: fills newest_pod of all clusters, once their bindings are observed. */
void find_newest_pods(const struct finder *finder, struct cluster_health *health);
/* written.c: `time` is less than thresholds.inFlight ago; false for TIME_NONE, and for a time that
 * is further ahead than thresholds.inFlight. */
bool is_recent(const struct policy *policy, int64_t time);
/* written.c: the scheduler wrote the binding less than thresholds.inFlight ago, or a run of ours,
 * as far as is known, what it has in that cluster. */
bool is_just_written(const struct policy *policy, const struct binding *binding,
                     const char *cluster);
/* Likewise, but for runs of ours. */
bool is_just_written_by_others(const struct policy *policy, const struct binding *binding);
/* written.c: the binding says when its scheduler or a run of ours wrote it. */
bool is_write_known(const struct binding *binding);
/* written.c: when the binding, or the object that the target's cluster has, was last written.
 * TIME_NONE where neither says so. */
int64_t target_written_at(const struct finder *finder, uint32_t binding, uint32_t target);

/* Fills what is in flight, and the states of replicas, once everything else is known of the
 * binding's targets. */
void settle_in_flight(const struct finder *finder, struct binding_state *state, uint32_t index);

/* Who is to blame for the pods of a binding that fail in one of its targets. */
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
struct blame_verdict find_blame(const struct blame_question *asked);
/* The same in words. */
const char *verdict_text(struct arena *arena, const struct blame_verdict *verdict);

/* Ballast's own record: a cluster in which the version that fails in `cluster` was ready until it
 * was moved there; NULL: nobody says so. */
const char *ready_before_move(const struct binding *binding, const char *cluster,
                              const struct observation *failing, const struct trouble *trouble,
                              const struct policy *policy);
/* It was moved to `cluster` because of such a finding where it was. */
bool failed_before_move(const struct binding *binding, const char *cluster,
                        const struct policy *policy, enum finding_type type);

struct finder;
/* Which clusters fail what is started there, by all that members show. */
void find_failing_clusters(const struct finder *finder, struct cluster_health *health);

/* --- bindings ---------------------------------------------------------------------------- */

/* Who else decides the replicas of workloads. */
struct replica_owners;
struct replica_owners *replica_owners_new(struct arena *arena, const struct fleet *fleet);
void replica_owners_free(struct replica_owners *claims);
/* The clusters in which others decide the replicas of that workload; NULL: none. */
const struct closed_clusters *replica_owners_closed(struct replica_owners *claims,
                                                    const struct object_reference *workload);
/* Leaves a binding alone whose replicas others decide, or says which clusters are closed to it. */
void replica_owners_heed(struct replica_owners *claims, const struct binding *binding,
                         struct binding_state *state);

/* Why a binding is out of the scope; NULL: it is in. */
const char *out_of_scope(struct arena *arena, const struct fleet *fleet,
                         const struct binding *binding, const struct scope *scope);
/* The parts of that question. */
const char *out_of_namespaces(const struct scope *scope, const char *namespace_); /* likewise */
/* It is the workload, or the binding, of that name; namespace NULL: in whichever. */
bool scope_is_of(const struct workload_name *wanted, const struct binding *binding);
/* Of a scope with a selector. */
enum label_match scope_match_labels(const struct scope *scope, const struct fleet *fleet,
                                    const struct binding *binding);

/* Why a binding is left alone by itself, with the reason in words. */
enum left_alone find_left_alone(struct arena *arena, const struct fleet *fleet,
                                const struct binding *binding, const struct policy *policy,
                                const char **ret_reason);
/* Of one that is not left alone: what of it may move, and how. */
void find_bounds(const struct fleet *fleet, const struct binding *binding,
                 const struct policy *policy, struct binding_state *state);
/* A finding may lead to a move of such a binding. What would be divided anew, or in part, of what
 * only moves as a whole is left to the scheduler; but one target is as large as is wanted. */
bool bounds_allow(const struct binding_state *state, const struct binding *binding,
                  enum finding_type type);
/* What is unusual about the labels by which the fleet's bindings are known to be its scheduler's,
 * in words; "" where they are as Karmada writes them. */
const char *owner_labels_notice(const struct fleet *fleet, const struct binding_state *bindings);

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

/* Adds one, about all that is assigned to the target's cluster. */
struct finding *finding_add_at(struct finder *finder, uint32_t binding, enum finding_type type,
                               const struct target *target);

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
/* Counts the replicas of a target by state: as many as are wanted there in the end. It needs all
 * else that is known of the target. */
void settle_replica_states(const struct finder *finder, const struct silent_target *spot,
                           int32_t wanted, struct target_state *ret);
/* Adds what pods tell that cannot start or stay up. */
void find_failed(struct finder *finder, const struct silent_target *spot);
/* Whether the cluster or the workload is to blame for what a finding of that type is about. */
struct blame_verdict blame_for(const struct finder *finder, const struct silent_target *spot,
                               enum finding_type type);
/* Adds what no pod tells of. */
void find_silent(struct finder *finder, const struct silent_target *spot);
/* Pods of the binding in clusters that are no targets of it: nothing is to be done about them. */
void find_orphans(struct finder *finder, uint32_t binding);

/* Adds the findings of one binding, in their order. */
void find_all(struct finder *finder, uint32_t index);
/* What a preference that rebalances or a weight list wants otherwise. */
struct imbalance {
    int32_t replicas; /* that are elsewhere than wanted; 0: none */
    bool may_move;    /* some of them, now */
    const char *message;
    const struct target *wanted; /* as in the finding */
    uint32_t n_wanted;
};
void find_imbalance(struct finder *finder, uint32_t index, struct imbalance *ret);

/* --- words ------------------------------------------------------------------------------- */

/* A text of somebody else's, made safe to show: control characters become spaces, a long one is
 * cut. */
const char *quote_text(struct arena *arena, const char *text);
/* " since 8m29s", or "" when not known. */
const char *since_text(struct arena *arena, int64_t since, int64_t now);

#endif
