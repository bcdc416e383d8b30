/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects in a member cluster: pods, nodes, and the objects that lead from a
 * pod to its workload. Objects that a source could not see are marked unknown:
 * that is no evidence of stuck pods, and no evidence of room.
 */
#ifndef BALLAST_MODEL_MEMBER_H
#define BALLAST_MODEL_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/hash.h"
#include "ballast/model/admission.h"
#include "ballast/model/cluster.h"
#include "ballast/model/disruption.h"
#include "ballast/model/estimator_answers.h"
#include "ballast/model/pod_template.h"
#include "ballast/model/volumes.h"

/* The controller of an object: its owner reference with controller: true. kind "": none. */
struct owner {
    const char *api_version;
    const char *kind;
    const char *name;
    const char *uid;
};

/* One (init) container of status.containerStatuses. */
struct container_status {
    const char *name;
    const char *waiting_reason; /* "": not waiting */
    const char *waiting_message;
    const char *terminated_reason; /* of the present state, "" */
    const char *last_terminated_reason;
    int32_t exit_code; /* of the present or the last termination */
    int32_t restart_count;
    int64_t running_since; /* TIME_NONE: not running, or unknown */
    /* of the last run that ended, by the present or the last state; TIME_NONE: none, or unknown */
    int64_t last_started, last_finished;
    bool ready;
    bool init;
};

struct pod {
    const char *namespace_;
    const char *name;
    const char *uid;
    struct label_list labels;
    struct owner owner;
    const char *node_name;
    const char *nominated_node; /* node that kube-scheduler has freed for the pod; "" */
    const char *phase;          /* "": absent */
    const char *reason;         /* status.reason: "Evicted" */
    int64_t creation;
    int64_t deletion_timestamp;
    struct condition_list conditions; /* in order, repeats kept */
    const struct container_status *containers;
    uint32_t n_containers;
    struct resource_amounts requests;    /* taken on a node, by the scheduler-estimator's rule */
    struct resource_amounts beyond;      /* added by kube-scheduler */
    const struct pod_affinity *affinity; /* NULL: none required */
    struct host_port_list ports;
    const struct pod_volumes *volumes; /* NULL: none ties the pod */
    int32_t priority;                  /* 0 when absent */
    bool never_preempts;               /* by its preemptionPolicy */
    bool is_resized; /* kube-scheduler counts other amounts: resized, or resize infeasible */
    bool is_unread;  /* unreadable: only its owner is known */
    const char *priority_class; /* "" */
};

/* Returns the node on which kube-scheduler counts the pod: its own or its nominated one; "". */
const char *pod_node(const struct pod *pod);
/* True in phase Succeeded or Failed: the pod takes no capacity. */
bool pod_is_finished(const struct pod *pod);
/* True if the pod is not finished and its condition Ready is True. */
bool pod_is_ready(const struct pod *pod);
/* Returns the first PodScheduled condition if no node takes the pod by it; else NULL. */
const struct condition *pod_unschedulable_condition(const struct pod *pod);
/* Returns the earliest time at which the condition can have begun: never before the pod's creation.
 * A condition that began with a scheduling gate has no time of its own. */
int64_t pod_unschedulable_since(const struct pod *pod, const struct condition *unschedulable);
/* True if the pod runs and is ready, is neither on its way out, resized nor restarting often, and
 * is of no StatefulSet, which ends its pods by their names. Only the number and the requests of
 * settled pods matter. */
bool pod_is_settled(const struct pod *pod);
/* Returns since when containers may run: the end of the init containers, or the creation. */
int64_t pod_started(const struct pod *pod);
/* This many restarts in a row are no accident. */
#define POD_RESTARTS_MANY 3
/* True if the container has restarted POD_RESTARTS_MANY times or more at short intervals. */
bool pod_restarts_often(const struct pod *pod, const struct container_status *container);
/* Returns the value of a label; "" without it. */
const char *pod_label(const struct pod *pod, const char *key);
/* Returns the version of the pod's workload, by the label that its controller sets; "": none. */
const char *pod_revision(const struct pod *pod);

#define POD_TEMPLATE_HASH_LABEL "pod-template-hash"
#define POD_REVISION_LABEL "controller-revision-hash"
#define POD_ROLLOUT_HASH_LABEL "rollouts-pod-template-hash" /* of an Argo Rollout */

/* Settled pods of one owner and version. A member has a hundred times more settled pods than
 * others. So a fleet keeps only their number, and their sum on each node. */
struct settled_pods {
    const char *namespace_;
    struct owner owner;
    const char *template_hash; /* by their labels, "" */
    const char *revision;
    int64_t newest_creation;
    struct resource_amounts requests, beyond; /* of the newest */
    uint32_t count;
};

/* Properties of a settled pod that can tie other pods to it. */
struct pod_ties {
    const char *namespace_;
    struct label_list labels;
    const struct pod_affinity *affinity; /* NULL: none required */
    struct host_port_list ports;
    const struct pod_volumes *volumes; /* NULL: none ties the pod */
    int32_t priority;
};

/* A settled pod on a node. Equal pods that arrive together share their ties. */
struct placed_pod {
    const struct pod_ties *ties;
    const char *node_name;
};

struct pod_sum {
    int64_t pods;
    struct resource_amounts requests, beyond; /* as in struct pod */
    const struct ranked_sum *ranked; /* of the pods with a priority other than 0; by priority */
    uint32_t n_ranked;
};

struct ranked_sum {
    int32_t priority;
    struct pod_sum sum; /* its `ranked` is empty */
};

/* A PriorityClass, derived from pods. If their priorities differ, the lowest counts. */
struct priority_class {
    const char *name;
    int32_t priority;
    bool preempts; /* no pod of the class has Never */
};

struct node_kind {
    struct label_list labels; /* without NODE_HOSTNAME_LABEL */
    struct taint_list taints;
    struct resource_amounts allocatable;
    bool unschedulable;
};

#define NODE_HOSTNAME_LABEL "kubernetes.io/hostname"

struct node {
    const char *name;
    const char *hostname; /* value of its label NODE_HOSTNAME_LABEL; NULL: absent */
    const struct node_kind *kind;
    const struct pod_sum *settled; /* sum of its settled pods; NULL: no settled pods */
};

/* Returns the value of a label of the node; NULL without it. */
const char *node_label(const struct node *node, const char *key);
/* True if the node has a taint by which Kubernetes marks it not ready or unreachable. */
bool node_is_dead(const struct node *node);
/* True if the selector matches the node, as the scheduler-estimator sees it: no affinity, or one
 * without terms, matches every node; an invalid or empty term matches none. */
bool node_selector_matches(const struct node_selector *selector, const struct node *node);

/* The pod template that a ReplicaSet rolls out, and its creation. */
struct pod_version {
    /* equal by equality.Semantic.DeepEqual, ignoring the label pod-template-hash */
    struct digest pod_template;
    int64_t creation;
};

struct replica_set {
    const char *namespace_;
    const char *name;
    const char *uid;
    struct label_list labels;
    struct owner owner;
    struct pod_version version;
    const struct condition *refusal; /* why its pods are not created; NULL: no reason */
};

/* Karmada puts this label on every object that it makes in a member, and updates no other objects
 * (karmada pkg/util/objectwatcher). */
#define MANAGED_LABEL "karmada.io/managed" /* "true" */

/* Deployment, StatefulSet, Job, or any other object with replicas in a member. */
struct workload {
    const char *api_version;
    const char *kind;
    const char *namespace_;
    const char *name;
    const char *uid;
    struct owner owner;                    /* the maker of a Job or StatefulSet, if any */
    const struct label_selector *selector; /* NULL: absent */
    struct digest pod_template;            /* as in struct pod_version */
    int64_t creation;
    const struct condition *refusal; /* why its pods are not created; NULL: no reason */
    int64_t replicas;                /* spec.replicas, -1 when absent */
    int64_t ready_replicas;          /* status.readyReplicas, 0 when absent */
    int64_t completions;             /* of a Job: spec.completions, -1 when absent */
    int64_t succeeded;               /* of a Job: status.succeeded, 0 when absent */
    int64_t failed;                  /* of a Job: status.failed, 0 when absent */
    int64_t started;                 /* of a Job: status.startTime, TIME_NONE when absent */
    int64_t generation;
    int64_t observed_generation;
    int64_t template_generation; /* of Karmada's template that was applied; 0: unknown */
    const char *update_revision; /* status.updateRevision, "" */
    int32_t given_up;            /* of an Indexed Job: indexes of status.failedIndexes */
    int32_t first_ordinal;       /* spec.ordinals.start of a StatefulSet, 0 when absent */
    uint8_t ended;               /* enum ended: by the conditions of a Job */
    bool retains_replicas;       /* label resourcetemplate.karmada.io/retain-replicas is "true" */
    bool is_managed;             /* label karmada.io/managed is "true": Karmada made it */
    bool is_suspended;           /* a Job that wants no pods at present */
    bool is_indexed;             /* a Job whose completionMode is Indexed */
    bool is_recreated;           /* a Deployment whose strategy is Recreate */
    bool is_paused;              /* a Deployment that rolls out no new ReplicaSet at present */
    const char *problem;         /* why it is unreadable; NULL: it is readable */
};

/* True if the status shows that the controller has not yet seen the last change of the spec. */
bool workload_is_behind(const struct workload *workload);

/* Returns the phrase, a constant, in an API server's refusal of a pod that shows a rule of its
 * namespace (a quota, limits, Pod Security, a service account). NULL: any cause. */
const char *refusal_by_namespace(const char *message);
/* Returns the phrase, a constant, in an API server's refusal of an object that shows a fault of the
 * object (it exists, or is not valid). NULL if there is none. */
const char *refusal_of_object(const char *message);
/* A phrase of refusal_by_namespace(): the requests exceed a ResourceQuota. */
#define QUOTA_EXCEEDED "exceeded quota"

/* The settled pods of a workload on one node. */
struct settled_place {
    uint16_t node; /* index into the member's nodes, SETTLED_NOWHERE */
    uint16_t pods;
};

#define SETTLED_NOWHERE UINT16_MAX /* no node of that name was seen */

/* Properties that a settled Deployment shares in all members that run one version. */
struct settled_version {
    const char *namespace_;
    const char *name;
    struct digest pod_template;               /* as in struct pod_version */
    struct label_list labels;                 /* of the pods */
    struct resource_amounts requests, beyond; /* of one pod; the larger, if pods differ */
    uint32_t number;                          /* from 0, in the fleet */
    bool is_managed;                          /* as of a workload */
};

/* A Deployment (apps/v1) in a member whose pods are all settled, equal, and of its current
 * ReplicaSet. This summary replaces the Deployment, its ReplicaSets and its pods in the member; the
 * pods still count in the sums of the nodes. A fleet has more of these than bindings. */
struct settled_workload {
    const struct settled_version *version;
    const struct pod_ties *ties;    /* properties besides labels that can tie other pods to these */
    int64_t creation;               /* of the ReplicaSet */
    int64_t newest_creation;        /* of the pods */
    int64_t template_generation;    /* as of a workload */
    int32_t replicas;               /* spec.replicas; INT32_MAX: that many or more */
    uint32_t count;                 /* of the pods */
    uint32_t first_place, n_places; /* in the member's settled_places */
};

/* Requested parts of a member that did not come. */
struct member_gap {
    const char *parts;   /* "nodes, pods"; NULL: none known to be missing */
    const char *message; /* why */
};

struct member {
    const char *name; /* of the Cluster */
    uint32_t cluster; /* index, or CLUSTER_NONE */
    /* Kinds that were read; false: unknown. ReplicaSets and Deployments include at least the owners
     * of pods that are not ready. */
    bool has_pods, has_nodes, has_replica_sets;
    bool has_deployments, has_stateful_sets, has_jobs;
    bool has_volumes, has_storage_classes;
    bool is_direct;       /* reached at its own server, not through the control plane's proxy */
    int64_t clock_offset; /* nanoseconds by which its clock was ahead; times below are corrected */
    const struct pod *pods; /* without settled pods; sorted by namespace, name */
    uint32_t n_pods;
    const struct settled_pods *settled; /* sorted by namespace, owner, version */
    uint32_t n_settled;
    const struct placed_pod *placed; /* settled pods on nodes; by namespace, node */
    uint32_t n_placed;
    const struct node *nodes; /* sorted by name */
    uint32_t n_nodes;
    const struct replica_set *replica_sets; /* sorted by namespace, name */
    uint32_t n_replica_sets;
    const struct workload *workloads; /* sorted by namespace, kind, name */
    uint32_t n_workloads;
    /* Deployments known only by a summary. The lists above have neither them nor their pods. */
    const struct settled_workload *settled_workloads;
    uint32_t n_settled_workloads;
    const struct settled_place *settled_places; /* of all settled workloads */
    /* Admission objects that the source has; empty means unknown. By namespace, name. */
    const struct limit_range *limit_ranges;
    uint32_t n_limit_ranges;
    const struct resource_quota *resource_quotas;
    uint32_t n_resource_quotas;
    /* Storage objects that the source has; see has_volumes and has_storage_classes. Claims by
     * namespace, name; the others by name. */
    const struct persistent_volume_claim *claims;
    uint32_t n_claims;
    const struct persistent_volume *volumes;
    uint32_t n_volumes;
    const struct storage_class *storage_classes;
    uint32_t n_storage_classes;
    const struct csi_node *csi_nodes;
    uint32_t n_csi_nodes;
    const struct disruption_budget *disruption_budgets; /* by namespace, name */
    uint32_t n_disruption_budgets;
    const struct priority_class *priority_classes; /* those that pods name; by name */
    uint32_t n_priority_classes;
    struct estimator_answers estimator; /* empty: not asked, or no answer */
    struct member_gap gap;
};

#define CLAIM_NONE UINT32_MAX

/* Returns the index of a claim in the member's claims; CLAIM_NONE if there is none of that name. */
uint32_t member_find_claim(const struct member *member, const char *namespace_, const char *name);

#endif
