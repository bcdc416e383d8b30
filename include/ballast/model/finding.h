/* SPDX-License-Identifier: Apache-2.0
 *
 * What diagnose/ found, as values that plan/ and report/ read.
 */
#ifndef BALLAST_MODEL_FINDING_H
#define BALLAST_MODEL_FINDING_H

#include <stdbool.h>
#include <stdint.h>

/* What a finding is about. */
enum finding_subject {
    FINDING_OF_STUCK,    /* replicas that do not run in a cluster that is not lost; pods say why */
    FINDING_OF_SILENT,   /* likewise, and no pod says why */
    FINDING_OF_OTHER,    /* anything else that may trigger */
    FINDING_OF_REPORTED, /* what is only ever reported, and never triggers */
};

/* name as shown, triggers by default, what it is about (enum finding_subject), one line for help
 * and docs */
#define FINDING_TYPES(X)                                                                           \
    X(UNSCHEDULABLE_REPLICAS, "UnschedulableReplicas", true, STUCK,                                \
      "pods that no node of the cluster takes, for longer than the threshold")                     \
    X(FAILED_REPLICAS, "FailedReplicas", true, STUCK,                                              \
      "pods that cannot start or stay up, for longer than the threshold")                          \
    X(UNHEALTHY_CLUSTER, "UnhealthyCluster", true, OTHER,                                          \
      "a target cluster that is not ready, tainted NoExecute, being deleted or gone")              \
    X(REPLICA_MISMATCH, "ReplicaMismatch", true, OTHER,                                            \
      "the assigned replicas do not add up to the wanted ones")                                    \
    X(RESCHEDULE_REQUESTED, "RescheduleRequested", true, OTHER,                                    \
      "rescheduleTriggeredAt is later than the last scheduling")                                   \
    X(INFEASIBLE_CLUSTER, "InfeasibleCluster", false, OTHER,                                       \
      "a target cluster that no longer passes the filters")                                        \
    X(PLACEMENT_CHANGED, "PlacementChanged", false, OTHER,                                         \
      "the placement differs from the applied one")                                                \
    X(UNPLACED, "Unplaced", false, OTHER,                                                          \
      "no target cluster yet; triggers with KubeFed as ReplicaMismatch does")                      \
    X(IMBALANCE, "Imbalance", false, OTHER,                                                        \
      "the split is off what a preference or a weight list asks for")                              \
    X(ORPHANED_REPLICAS, "OrphanedReplicas", false, REPORTED,                                      \
      "pods in a cluster that is no target, kept by preserveResourcesOnDeletion; never triggers")  \
    X(NOT_APPLIED, "NotApplied", false, SILENT,                                                    \
      "the workload could not be created or updated in a target cluster")                          \
    X(PODS_NOT_CREATED, "PodsNotCreated", false, SILENT,                                           \
      "assigned replicas that have no pod in a target cluster, and none on its way")               \
    X(NOT_READY_REPLICAS, "NotReadyReplicas", false, SILENT,                                       \
      "pods that have not been ready for long, for no reason above")                               \
    X(NODES_NOT_READY, "NodesNotReady", false, SILENT,                                             \
      "pods that are not ready on nodes that are not")

enum finding_type {
#define X(id, name, on, of, text) FINDING_##id,
    FINDING_TYPES(X)
#undef X
        N_FINDING_TYPES
};

const char *finding_type_name(enum finding_type type);
bool finding_type_parse(const char *name, enum finding_type *ret);
bool finding_type_default_trigger(enum finding_type type);
const char *finding_type_summary(enum finding_type type);
/* false: a finding of that type is only ever reported. */
bool finding_type_may_trigger(enum finding_type type);
/* A finding of that type says that replicas do not run in a cluster that is not lost. */
bool finding_type_is_stuck(enum finding_type type);
/* A finding of that type says so of replicas of which no pod says why. */
bool finding_type_is_silent(enum finding_type type);

/* Why a finding does not make the planner act. */
enum blame {
    BLAME_CLUSTER,  /* the cluster is to blame: moving helps */
    BLAME_WORKLOAD, /* it fails wherever it runs: moving would tour the fleet */
};

/* Whose turn it is where the cluster of a target is lost to its binding; by its reason code. */
#define FAILOVER_OWNERS(X)                                                                         \
    X(NONE, "")                         /* it is not lost */                                       \
    X(FINISHED, "")                     /* nor is it ever: it has run to its end there */          \
    X(OURS, "")                         /* it is to be left */                                     \
    X(GUARDED, "DisruptionGuard")       /* ours, were it not for the guard */                      \
    X(KARMADA, "LeftToKarmadaFailover") /* Karmada's own failover evicts from there */             \
    X(CLAIMS, "ClaimsNotMovable") /* it is only drained, and what is in claims cannot follow */    \
    X(TOLERATED, "Tolerated")     /* the binding rides it out, still or for ever */                \
    X(OFF, "ClusterFailoverOff")  /* nobody asked for cluster failover */                          \
    /* likewise, of one that is ready, and tainted: what is stuck there goes all the same */       \
    X(OFF_TAINTED, "ClusterFailoverOff")

enum failover_owner {
#define X(id, code) FAILOVER_OWNER_##id,
    FAILOVER_OWNERS(X)
#undef X
        N_FAILOVER_OWNERS
};

const char *failover_owner_reason(enum failover_owner owner);

/* The state of an assigned replica. Each replica is in one state. A state other than ready gets a
 * finding once it has lasted. */
#define REPLICA_STATES(X)                                                                          \
    X(READY, "ready")                                                                              \
    X(STARTING, "starting") /* not ready, for less than the threshold of any finding */            \
    X(STUCK, "stuck")       /* UnschedulableReplicas, NotApplied, PodsNotCreated, NodesNotReady */ \
    X(FAILING, "failing")   /* FailedReplicas */                                                   \
    X(UNEXPLAINED, "unexplained") /* NotReadyReplicas */                                           \
    X(LOST, "lost")               /* UnhealthyCluster */

enum replica_state {
#define X(id, name) REPLICA_##id,
    REPLICA_STATES(X)
#undef X
        N_REPLICA_STATES
};

const char *replica_state_name(enum replica_state state);

struct finding {
    uint32_t binding; /* index into fleet->bindings */
    enum finding_type type;
    const char *cluster;    /* "" when it is about the whole binding */
    uint32_t cluster_index; /* CLUSTER_NONE for "" and for clusters that are gone */
    int32_t replicas;
    int64_t since; /* TIME_NONE when not known */
    enum blame blame;
    bool triggers; /* policy.triggers[type], not blocked by blame */
    const char *message;
    /* of Imbalance: what each cluster that takes part is to have, by cluster; no step goes beyond
     */
    const struct target *wanted;
    uint32_t n_wanted;
};

/* Health of a Cluster, with the same index as in the fleet. */
struct cluster_health {
    bool healthy;  /* not unhealthy for longer than the threshold: may be a source or a target */
    bool ready;    /* condition Ready is True right now and it is not being deleted */
    bool settling; /* ready for so short a time that it is to receive nothing yet */
    /* most of what is started there fails: what nothing else is wrong with gets nothing new, and
     * what fails alike may leave; by classes of failures, of which others need to know no more */
    unsigned failing;
    /* when controllers there last made a pod of any binding's workload, TIME_NONE: never;
     * INT64_MAX: nobody looked */
    int64_t newest_pod;
    bool guarded;    /* the disruption guard: it is not to be left in this run */
    bool agent_down; /* it is not ready, and Ballast has seen that its pods are */
    int64_t since;   /* of what makes it unhealthy, TIME_NONE when not known */
    /* when it will be unhealthy if it stays as it is; TIME_NONE: it is already, or it is ready */
    int64_t lost_at;
    const char *reason; /* "Ready is False since 8m34s (ClusterNotReachable)", "" when fine */
};

/* What a report says of a cluster. */
enum cluster_standing {
    STANDING_WELL,
    STANDING_UNHEALTHY,
    STANDING_AGENT_DOWN, /* not ready, but its pods are seen to be */
    STANDING_NOT_READY,  /* but for less than the threshold */
    STANDING_SETTLING,
    STANDING_FAILING, /* most of what is started there fails */
};
enum cluster_standing cluster_standing(const struct cluster_health *health);
/* It stands well: it may be given replicas. */
bool cluster_may_receive(const struct cluster_health *health);

/* Why the part of a divided Job that is in a cluster can take no more replicas. Karmada divides
 * spec.completions along with them (pkg/controllers/binding/common.go), and a
 * member refuses to change that of a Job (kubernetes pkg/apis/batch/validation). */
enum job_part {
    JOB_PART_NONE,        /* it can, or it is no such Job */
    JOB_PART_COMPLETIONS, /* it has completions */
    JOB_PART_ENDED,       /* it has run to its end, or is about to */
    JOB_PART_SUCCEEDED,   /* without completions: no pod is made once one has succeeded */
    JOB_PART_UNSEEN,      /* nobody sees whether it has completions */
};

/* What the members show of one entry of spec.clusters; a count of -1 is not known. */
struct target_state {
    int32_t seen;          /* pods (not finished) of the workload in that member */
    int32_t scheduled;     /* of them, those that have a node */
    int32_t ready;         /* of them, ready; from aggregatedStatus where pods are not known */
    int32_t unschedulable; /* past the threshold, never more than assigned and not ready */
    int32_t failed;        /* past the threshold and the cluster to blame, likewise */
    bool lost;             /* the cluster is unhealthy, intolerably tainted, or gone */
    bool stuck_here;       /* pods are stuck past the threshold, those on their way out included */
    bool fails_over;       /* spec.failover.application asks to leave, and nothing is ready there */
    uint8_t owner;         /* enum failover_owner: of what is lost, or has finished */
    uint8_t job_part;      /* enum job_part */
    bool refused;          /* a rule of its namespace there refuses pods that are not created */
    uint16_t failures;     /* in which ways its pods fail, a bit each: failure_words() */
    int32_t outdated;      /* pods not ready, and not of the version that is being rolled out */
    int32_t hanging;  /* current pods not ready for long for no reason above, while none is ready */
    int32_t replaced; /* pods that ended and were replaced again and again; 0: none did */
    int32_t uncreated;  /* assigned, without a pod, and none on its way; never unknown */
    int32_t over_quota; /* of them, those that a ResourceQuota of the member refuses */
    int32_t in_flight;  /* assigned, not shown yet, and maybe still on their way; never unknown */
    /* they add up to what is assigned and, by the member's own object, wanted */
    int32_t of_state[N_REPLICA_STATES];
    int32_t below_stuck; /* of a StatefulSet: so many replicas of the lowest ordinals stay, since
                            taking one of them would end one that is not stuck; 0: any may go */
};

/* Of those assigned, how many are ready: all, where nobody sees the pods. More that are ready than
 * are assigned are on their way out: `ret_leaving`. */
int64_t target_state_ready(const struct target_state *state, int32_t assigned,
                           int64_t *ret_leaving);

/* How many replicas of the target do not run, and could run in another cluster. */
int32_t target_state_down(const struct target_state *state);

/* Why a binding is left alone; by its reason code. */
#define LEFT_ALONES(X)                                                                             \
    X(NOT, "") /* it is not */                                                                     \
    X(DELETING, "Deleting")                                                                        \
    X(SUSPENDED, "Suspended")                                                                      \
    X(OTHER_SCHEDULER, "OtherScheduler")                                                           \
    X(OPTED_OUT, "OptedOut")                                                                       \
    X(OUT_OF_SCOPE, "OutOfScope")                                                                  \
    X(ATTACHED, "Attached")                                                                        \
    X(NO_PLACEMENT, "NoPlacement")                                                                 \
    X(NOT_SCHEDULED, "NotScheduled")                                                               \
    X(NO_PREFERENCE, "NoPreference")                                                               \
    X(PREFERENCE_UNREAD, "PreferenceNotRead")                                                      \
    X(NOT_PROPAGATED, "NotPropagated")                                                             \
    X(KIND, "KindNotMovable")                                                                      \
    X(FINISHED, "Finished")                                                                        \
    X(OVERRIDDEN, "ReplicasOverridden")                                                            \
    X(AUTOSCALED, "Autoscaled")

enum left_alone {
#define X(id, code) LEFT_ALONE_##id,
    LEFT_ALONES(X)
#undef X
};

const char *left_alone_reason(enum left_alone left_alone);

struct closed_clusters;

struct binding_state {
    uint32_t first_finding, n_findings; /* in diagnosis.findings */
    uint32_t first_target; /* in diagnosis.targets; as many as spec.clusters, maybe others' too */
    uint8_t left_alone;    /* enum left_alone */
    uint8_t only_lost;     /* enum left_alone: why only what is lost may move; LEFT_ALONE_NOT: no
                              such bound */
    bool moves_whole;      /* what leaves a cluster goes to one other cluster, that holds nothing */
    bool is_behind;        /* something of it is in flight */
    const char *left_alone_reason; /* likewise of only_lost; "" */
    /* where an override policy, or the member's own autoscaler, would set the replicas, which makes
     * it no destination; NULL: nowhere */
    const struct closed_clusters *closed;
};

/* A cluster that is no target of a binding, and takes none of it: pods of its workload are stuck
 * there. */
struct stuck_place {
    uint32_t binding, cluster;
    bool is_foreign; /* instead: an object of that name is there that Karmada does not manage */
};

/* The first of a binding, or where it would be. */
uint32_t stuck_places_of(const struct stuck_place *places, uint32_t count, uint32_t binding);

/* Karmada's own cluster failover. */
struct karmada_at_work {
    bool evicts;            /* what is in clusters with a NoExecute taint is left to it */
    bool concerns_clusters; /* there are such clusters */
    const char *ground;     /* what that goes by: the configuration, or which mark */
    bool is_news;           /* by a mark that goes, and no run has noted it lately */
};

struct diagnosis {
    const struct finding *findings; /* by binding, then type, then cluster name */
    uint32_t n_findings;
    const struct target_state *targets;
    const struct binding_state *bindings;  /* same index as in the fleet */
    const struct cluster_health *clusters; /* same index as in the fleet */
    uint32_t n_unhealthy_clusters;
    bool guard_tripped;        /* the disruption guard holds something back */
    bool guard_is_whole;       /* too many clusters of the whole fleet look unhealthy at once */
    bool guards_all;           /* every cluster does: nothing at all is to be done */
    const char *guard_verdict; /* "no cluster failover", ...; "": no guard */
    const char *guard_reason;  /* likewise */
    const char *guard_warning; /* something is failed over, and not much more would be; "" */
    const char *owner_notice;  /* what is unusual about the labels that say who owns bindings, "" */
    const struct resource_amounts *needs; /* by binding: what the newest pods of its version request
                                             where that is more than it says; NULL: nowhere */
    const struct stuck_place *elsewhere;  /* by binding, then cluster */
    uint32_t n_elsewhere;
    struct karmada_at_work karmada;
    const char *lost_groups; /* what was lost as a whole and is failed over all the same, "" */
};

#endif
