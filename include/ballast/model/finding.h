/* SPDX-License-Identifier: Apache-2.0
 *
 * The findings of diagnose/, as values that plan/ and report/ read.
 */
#ifndef BALLAST_MODEL_FINDING_H
#define BALLAST_MODEL_FINDING_H

#include <stdbool.h>
#include <stdint.h>

enum finding_subject {
    FINDING_OF_STUCK,    /* replicas do not run, the cluster is not lost, pods show why */
    FINDING_OF_SILENT,   /* replicas do not run, the cluster is not lost, no pod shows why */
    FINDING_OF_OTHER,    /* anything else that may trigger */
    FINDING_OF_REPORTED, /* only reported, never triggers */
};

/* id, name as shown, whether it triggers by default, subject, one line for help and docs */
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

/* Returns the type's name as shown, a constant: "UnschedulableReplicas". */
const char *finding_type_name(enum finding_type type);
/* Parses a type's name, also with a lower-case first letter or in the plural. False if unknown. */
bool finding_type_parse(const char *name, enum finding_type *ret);
/* True if findings of the type trigger by default. */
bool finding_type_default_trigger(enum finding_type type);
/* Returns the type's meaning in a line for help and docs, a constant. */
const char *finding_type_summary(enum finding_type type);
/* False if findings of the type are only reported, under any policy. */
bool finding_type_may_trigger(enum finding_type type);
/* True if the type means that replicas do not run in a cluster that is not lost. */
bool finding_type_is_stuck(enum finding_type type);
/* True if replicas do not run in a cluster that is not lost, and no pod shows why. */
bool finding_type_is_silent(enum finding_type type);

enum blame {
    BLAME_CLUSTER,  /* a move helps */
    BLAME_WORKLOAD, /* the workload fails in every cluster: moves would tour the fleet */
};

/* The actor when a target's cluster is lost to the binding, with the reason code. */
#define FAILOVER_OWNERS(X)                                                                         \
    X(NONE, "")                         /* the cluster is not lost */                              \
    X(FINISHED, "")                     /* none: the workload has ended there */                   \
    X(OURS, "")                         /* Ballast: the replicas leave */                          \
    X(GUARDED, "DisruptionGuard")       /* none: the disruption guard holds Ballast back */        \
    X(KARMADA, "LeftToKarmadaFailover") /* Karmada's own failover evicts from the cluster */       \
    X(CLAIMS, "ClaimsNotMovable") /* none: the cluster is only drained, claims cannot follow */    \
    X(TOLERATED, "Tolerated")     /* none: the binding tolerates the loss, for now or forever */   \
    X(OFF, "ClusterFailoverOff")  /* none: cluster failover is off */                              \
    /* none, as OFF, but the cluster is ready and tainted: stuck replicas still leave */           \
    X(OFF_TAINTED, "ClusterFailoverOff")

enum failover_owner {
#define X(id, code) FAILOVER_OWNER_##id,
    FAILOVER_OWNERS(X)
#undef X
        N_FAILOVER_OWNERS
};

/* Returns the reason code, a constant; "" if there is none. */
const char *failover_owner_reason(enum failover_owner owner);

/* State of an assigned replica. Each replica has one state. A state other than ready gets a finding
 * once it has lasted for that finding's threshold. */
#define REPLICA_STATES(X)                                                                          \
    X(READY, "ready")                                                                              \
    X(STARTING, "starting") /* not ready, for less than any finding's threshold */                 \
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

/* Returns the state's name as shown, a constant. */
const char *replica_state_name(enum replica_state state);

struct finding {
    uint32_t binding; /* index into fleet->bindings */
    enum finding_type type;
    const char *cluster;    /* "": about the whole binding */
    uint32_t cluster_index; /* CLUSTER_NONE for "" and for clusters that are gone */
    int32_t replicas;
    int64_t since; /* TIME_NONE: unknown */
    enum blame blame;
    bool triggers; /* policy.triggers[type], not blocked by blame */
    const char *message;
    /* Imbalance: wanted replicas of each participating cluster, by cluster; no step exceeds them */
    const struct target *wanted;
    uint32_t n_wanted;
};

/* Health of a Cluster, with the same index as in the fleet. */
struct cluster_health {
    bool healthy;  /* not unhealthy for longer than the threshold */
    bool ready;    /* condition Ready is True, and the cluster is not being deleted */
    bool settling; /* ready too briefly to get replicas */
    /* classes of failures, a bit each, by which most workloads that start there fail; 0: none. New
     * replicas stay away, and replicas that fail alike may leave. Only diagnose/ knows the bits */
    unsigned failing;
    /* creation of the newest pod of any binding's workload; TIME_NONE: none */
    int64_t newest_pod;
    bool guarded;    /* the disruption guard keeps replicas there in this run */
    bool agent_down; /* the cluster is not ready, but its pods are */
    int64_t since;   /* when the cluster's trouble began; TIME_NONE: unknown */
    /* when the cluster becomes unhealthy if nothing changes; TIME_NONE: ready or unhealthy */
    int64_t lost_at;
    const char *reason; /* "Ready is False since 8m34s (ClusterNotReachable)"; "": no trouble */
};

/* Standing of a cluster in reports. */
enum cluster_standing {
    STANDING_WELL,
    STANDING_UNHEALTHY,
    STANDING_AGENT_DOWN, /* not ready, but its pods are */
    STANDING_NOT_READY,  /* for less than the threshold */
    STANDING_SETTLING,
    STANDING_FAILING, /* most workloads that start there fail */
};
/* Returns the first that applies: unhealthy, agent down, not ready, failing, settling, well. */
enum cluster_standing cluster_standing(const struct cluster_health *health);
/* True if the cluster's standing is STANDING_WELL, so that it may get replicas. */
bool cluster_may_receive(const struct cluster_health *health);

/* Why a cluster's part of a divided Job can take no more replicas. Karmada divides spec.completions
 * along with the replicas (pkg/controllers/binding/common.go), and a member refuses to change the
 * completions of a Job (kubernetes pkg/apis/batch/validation). */
enum job_part {
    JOB_PART_NONE,        /* it can take more, or the Job is not divided */
    JOB_PART_COMPLETIONS, /* the part has completions */
    JOB_PART_ENDED,       /* the part has ended, or is about to */
    JOB_PART_SUCCEEDED,   /* no completions: once a pod has succeeded, the Job makes no more pods */
    JOB_PART_UNSEEN,      /* the part's completions are unknown */
};

/* State of one entry of spec.clusters, from the members' objects; a count of -1 is unknown. */
struct target_state {
    int32_t seen;          /* unfinished pods of the workload in that member */
    int32_t scheduled;     /* seen pods that have a node */
    int32_t ready;         /* seen pods that are ready; from aggregatedStatus if pods are unknown */
    int32_t unschedulable; /* past the threshold; at most the assigned replicas not ready */
    int32_t failed;        /* past the threshold by the cluster's fault; same maximum */
    bool lost;             /* the cluster is unhealthy, intolerably tainted, or gone */
    bool stuck_here;       /* pods are stuck past the threshold, including pods on their way out */
    bool fails_over;       /* spec.failover.application asks to leave, and no pod there is ready */
    uint8_t owner;         /* enum failover_owner, if lost or finished */
    uint8_t job_part;      /* enum job_part */
    bool refused;          /* a rule of the namespace there refuses pods that are not created */
    uint16_t failures;     /* ways in which pods fail, a bit each: failure_words() */
    int32_t outdated;      /* pods not ready and not of the newest version */
    int32_t hanging;       /* current pods not ready for long without a reason, none is ready */
    int32_t replaced;      /* pods that ended and were replaced repeatedly; 0: none */
    int32_t uncreated;     /* assigned replicas with no pod and none on its way; never unknown */
    int32_t over_quota;    /* uncreated replicas that a ResourceQuota of the member refuses */
    int32_t in_flight;     /* assigned replicas not shown yet, maybe on their way; never unknown */
    /* by state: replicas that are assigned and that the member's own object wants */
    int32_t of_state[N_REPLICA_STATES];
    int32_t below_stuck; /* of a StatefulSet: replicas of the lowest ordinals that stay, since
                            taking one would end a replica that is not stuck; 0: any may go */
};

/* Returns how many of the target's assigned replicas are ready: all if the pods are unknown.
 * *ret_leaving gets the other ready pods, which are on their way out. */
int64_t target_state_ready(const struct target_state *state, int32_t assigned,
                           int64_t *ret_leaving);

/* Returns how many replicas of the target are stuck or failing: the number that every report gives
 * as stuck. */
int32_t target_state_stuck(const struct target_state *state);

/* Returns how many replicas of the target do not run but could run in another cluster. */
int32_t target_state_down(const struct target_state *state);

/* Why a binding is left alone, with its reason code. */
#define LEFT_ALONES(X)                                                                             \
    X(NOT, "") /* not left alone */                                                                \
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

/* Returns the reason code, a constant; "" for LEFT_ALONE_NOT. */
const char *left_alone_reason(enum left_alone left_alone);

struct closed_clusters;

struct binding_state {
    uint32_t first_finding, n_findings; /* in diagnosis.findings */
    uint32_t first_target; /* in diagnosis.targets, for spec.clusters; bindings may share targets */
    uint8_t left_alone;    /* enum left_alone */
    uint8_t only_lost;     /* enum left_alone: why only lost replicas may move; or LEFT_ALONE_NOT */
    bool moves_whole;      /* leaving replicas all go to one other cluster, which holds none */
    bool is_behind;        /* replicas of the binding are in flight */
    const char *left_alone_reason; /* in words, of left_alone or only_lost; "" */
    /* clusters that cannot get replicas, since an override policy or the member's own autoscaler
     * sets their number; NULL: none */
    const struct closed_clusters *closed;
};

/* A cluster that is no target and may not become one: pods of the workload are stuck there. */
struct stuck_place {
    uint32_t binding, cluster;
    bool is_foreign; /* instead: an object of that name there does not belong to Karmada */
};

/* Returns the index of the binding's first place in sorted `places`, or where it would be. */
uint32_t stuck_places_of(const struct stuck_place *places, uint32_t count, uint32_t binding);

struct karmada_at_work {
    bool evicts;            /* evicts from clusters with a NoExecute taint: Ballast leaves them */
    bool concerns_clusters; /* the fleet has these clusters */
    const char *ground;     /* evidence: the configuration, or a mark in the fleet */
    bool is_news;           /* the mark will disappear, and no run has noted it lately */
};

struct diagnosis {
    const struct finding *findings; /* by binding, then type, then cluster name */
    uint32_t n_findings;
    const struct target_state *targets;
    const struct binding_state *bindings;  /* same index as in the fleet */
    const struct cluster_health *clusters; /* same index as in the fleet */
    uint32_t n_unhealthy_clusters;
    bool guard_tripped;        /* the disruption guard holds failover back */
    bool guard_is_whole;       /* too many clusters of the whole fleet look unhealthy at once */
    bool guards_all;           /* no cluster is ready or watched: the run does nothing */
    const char *guard_verdict; /* "no cluster failover", ...; "": the guard is not tripped */
    const char *guard_reason;  /* why the guard is tripped; "" */
    const char *guard_warning; /* failover is near the guard's limit; "" */
    const char *owner_notice;  /* anomaly in the labels that name a binding's owner; "" */
    const struct resource_amounts *needs; /* by binding: requests of the newest pods of its version,
                                             if larger than the binding's; NULL: none */
    const struct stuck_place *elsewhere;  /* by binding, then cluster */
    uint32_t n_elsewhere;
    struct karmada_at_work karmada;
    const char *lost_groups; /* groups of clusters lost as a whole and failed over; "" */
};

#endif
