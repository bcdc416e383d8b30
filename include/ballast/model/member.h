/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs in a member cluster: pods, nodes, and the objects that lead from a
 * pod to its workload. What a source could not see is marked unknown, and
 * unknown is neither evidence that something is stuck nor that there is room.
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

/* The controller of an object: its owner reference with controller: true; kind "" when none. */
struct owner {
    const char *api_version;
    const char *kind;
    const char *name;
    const char *uid;
};

/* One (init) container of status.containerStatuses. */
struct container_status {
    const char *name;
    const char *waiting_reason; /* "" when not waiting */
    const char *waiting_message;
    const char *terminated_reason; /* of the present state, "" */
    const char *last_terminated_reason;
    int32_t exit_code; /* of the present or the last termination */
    int32_t restart_count;
    int64_t running_since; /* TIME_NONE: it does not run, or does not say */
    /* the last run that ended, the present state's first; TIME_NONE: none, or not told */
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
    const char *nominated_node; /* on which kube-scheduler has made room for it; "" */
    const char *phase;          /* "" when absent */
    const char *reason;         /* status.reason, such as Evicted */
    int64_t creation;
    int64_t deletion_timestamp;
    struct condition_list conditions; /* in order, repeats kept */
    const struct container_status *containers;
    uint32_t n_containers;
    struct resource_amounts
        requests;                   /* what it takes on a node, by the scheduler-estimator's rule */
    struct resource_amounts beyond; /* what kube-scheduler counts on top */
    const struct pod_affinity *affinity; /* NULL: none is required */
    struct host_port_list ports;
    const struct pod_volumes *volumes; /* NULL: none that ties it */
    int32_t priority;                  /* 0 when absent */
    bool never_preempts;               /* by its preemptionPolicy */
    bool is_resized;                   /* kube-scheduler counts something else than its spec says:
                                          it is resized in place, or cannot be */
    bool is_unread;             /* it is there, and cannot be read: only whose it is is known */
    const char *priority_class; /* "" */
};

/* The node on which kube-scheduler counts it: its own, or the one that it is to have; "". */
const char *pod_node(const struct pod *pod);
/* In phase Succeeded or Failed: it takes no room any more. */
bool pod_is_finished(const struct pod *pod);
bool pod_is_ready(const struct pod *pod);
/* The first PodScheduled condition, when it says that no node takes the pod; else NULL. */
const struct condition *pod_unschedulable_condition(const struct pod *pod);
/* Since when that can be so: a pod has not waited for longer than it exists, and a condition that
 * began with a scheduling gate has no time of its own. */
int64_t pod_unschedulable_since(const struct pod *pod, const struct condition *unschedulable);
/* Running, ready, not on its way out, and of the size that its spec says: of such a pod nothing is
 * ever told but that it is there and what it takes. */
bool pod_is_settled(const struct pod *pod);
/* Since when containers of the pod may run: its init containers are done. */
int64_t pod_started(const struct pod *pod);
/* So many restarts in a row are no accident. */
#define POD_RESTARTS_MANY 3
/* The container has restarted many times, and at short intervals: it is looked at one by one. */
bool pod_restarts_often(const struct pod *pod, const struct container_status *container);
/* The value of a label, "" when it does not have it. */
const char *pod_label(const struct pod *pod, const char *key);
/* The version of its workload that it is of, by the label that its controller sets; "": none. */
const char *pod_revision(const struct pod *pod);

#define POD_TEMPLATE_HASH_LABEL "pod-template-hash"
#define POD_REVISION_LABEL "controller-revision-hash"
#define POD_ROLLOUT_HASH_LABEL "rollouts-pod-template-hash" /* of an Argo Rollout */

/* Settled pods of one owner and version. A member has a hundred times more pods that are well than
 * others: a fleet keeps their number, and on each node what they take. */
struct settled_pods {
    const char *namespace_;
    struct owner owner;
    const char *template_hash; /* by their labels, "" */
    const char *revision;
    int64_t newest_creation;
    struct resource_amounts requests, beyond; /* of the newest */
    uint32_t count;
};

/* How other pods are tied to a settled one. */
struct pod_ties {
    const char *namespace_;
    struct label_list labels;
    const struct pod_affinity *affinity; /* NULL: none is required */
    struct host_port_list ports;
    const struct pod_volumes *volumes; /* NULL: none that ties it */
    int32_t priority;
};

/* A settled pod on a node. Pods that are alike and come together have the same ties. */
struct placed_pod {
    const struct pod_ties *ties;
    const char *node_name;
};

/* What some pods take together. */
struct pod_sum {
    int64_t pods;
    struct resource_amounts requests, beyond; /* as of a pod */
    const struct ranked_sum *ranked; /* of them, those whose priority is not 0; by priority */
    uint32_t n_ranked;
};

struct ranked_sum {
    int32_t priority;
    struct pod_sum sum; /* has none of its own */
};

/* What pods tell of a PriorityClass. Where they differ (it was made anew), the lowest priority. */
struct priority_class {
    const char *name;
    int32_t priority;
    bool preempts; /* no pod of it says Never */
};

/* What many nodes have alike. */
struct node_kind {
    struct label_list labels; /* but for NODE_HOSTNAME_LABEL */
    struct taint_list taints;
    struct resource_amounts allocatable;
    bool unschedulable;
};

#define NODE_HOSTNAME_LABEL "kubernetes.io/hostname"

struct node {
    const char *name;
    const char *hostname; /* the value of its label NODE_HOSTNAME_LABEL; NULL: it has none */
    const struct node_kind *kind;
    const struct pod_sum *settled; /* what its settled pods take; NULL: it has none */
};

/* NULL when the node does not have the label. */
const char *node_label(const struct node *node, const char *key);
/* It has a taint by which Kubernetes marks nodes that are not ready. */
bool node_is_dead(const struct node *node);
/* As the scheduler-estimator sees it: no affinity, or one with an empty term list, matches every
 * node; a term that does not parse, or is empty, matches none. */
bool node_selector_matches(const struct node_selector *selector, const struct node *node);

/* What a ReplicaSet rolls out, and since when. */
struct pod_version {
    /* equal for semantically equal ones (equality.Semantic.DeepEqual after the label
     * pod-template-hash is taken out) */
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
    const struct condition *refusal; /* its pods are not created, and why; NULL: nobody says so */
};

/* Karmada labels with it whatever it makes in a member, and updates nothing else (karmada
 * pkg/util/objectwatcher). */
#define MANAGED_LABEL "karmada.io/managed" /* "true" */

/* Deployment, StatefulSet, Job, or any other object with replicas in a member. */
struct workload {
    const char *api_version;
    const char *kind;
    const char *namespace_;
    const char *name;
    const char *uid;
    struct owner owner;                    /* what a Job or StatefulSet may be made by */
    const struct label_selector *selector; /* NULL: absent */
    struct digest pod_template;
    int64_t creation;
    const struct condition *refusal; /* its pods are not created, and why; NULL: nobody says so */
    int64_t replicas;                /* spec.replicas, -1 when absent */
    int64_t ready_replicas;          /* status.readyReplicas, 0 when absent */
    int64_t completions;             /* of a Job: spec.completions, -1 when absent */
    int64_t succeeded;               /* of a Job: status.succeeded, 0 when absent */
    int64_t failed;                  /* of a Job: status.failed, 0 when absent */
    int64_t started;                 /* of a Job: status.startTime, TIME_NONE when absent */
    int64_t generation;
    int64_t observed_generation;
    int64_t template_generation; /* of Karmada's template that was applied; 0: not told */
    const char *update_revision; /* status.updateRevision, "" */
    int32_t given_up;            /* of an Indexed Job: indexes of status.failedIndexes */
    int32_t first_ordinal;       /* spec.ordinals.start of a StatefulSet, 0 when absent */
    uint8_t ended;               /* enum ended: by the conditions of a Job */
    bool retains_replicas;       /* label resourcetemplate.karmada.io/retain-replicas is "true" */
    bool is_managed;             /* label karmada.io/managed is "true": Karmada made it */
    bool is_suspended;           /* a Job that wants no pods for now */
    bool is_indexed;             /* a Job whose completionMode is Indexed */
    bool is_recreated;           /* a Deployment whose strategy is Recreate */
    bool is_paused;              /* a Deployment that rolls out no new ReplicaSet for now */
    const char *problem;         /* it is there, and cannot be read: why; NULL: it can */
};

/* Its controller says that it has not looked at what was written last. */
bool workload_is_behind(const struct workload *workload);

/* `message` is what the API server said when it refused a pod. Returns the part of it by which a
 * rule of the pod's namespace is known (a quota, limits, Pod Security, a service account), a
 * constant; NULL where the message has none: anything may have refused the pod. */
const char *refusal_by_namespace(const char *message);
/* `message` is what the API server said when it refused an object. Returns the part of it that
 * names a fault of the object itself (it exists already, or it is not valid), a constant; NULL
 * where the message has none. */
const char *refusal_of_object(const char *message);
/* One of these parts: the pods' requests exceed what a ResourceQuota has left. */
#define QUOTA_EXCEEDED "exceeded quota"

/* Settled pods of a workload that are on one node. */
struct settled_place {
    uint16_t node; /* index into the member's nodes, SETTLED_NOWHERE */
    uint16_t pods;
};

#define SETTLED_NOWHERE UINT16_MAX /* no node of that name was seen */

/* What settled Deployments have alike in all members that run the same of them: kept once. */
struct settled_version {
    const char *namespace_;
    const char *name;
    struct digest pod_template;               /* as in struct pod_version */
    struct label_list labels;                 /* of the pods */
    struct resource_amounts requests, beyond; /* of a pod; of pods that differ, of the larger */
    uint32_t number;                          /* from 0, in the fleet */
    bool is_managed;                          /* as of a workload */
};

/* A Deployment (apps/v1) whose ReplicaSets and pods tell nothing but this: what else there is of it
 * in the member are settled pods of its current ReplicaSet, all alike. They are in the sums of the
 * nodes, and nothing else of the member leads to it. There are more of these than bindings. */
struct settled_workload {
    const struct settled_version *version;
    const struct pod_ties *ties;    /* what besides labels ties others to the pods */
    int64_t creation;               /* of the ReplicaSet */
    int64_t newest_creation;        /* of the pods */
    int64_t template_generation;    /* as of a workload */
    int32_t replicas;               /* spec.replicas; INT32_MAX stands for more, too */
    uint32_t count;                 /* of the pods */
    uint32_t first_place, n_places; /* in the member's settled_places */
};

/* What was asked of a member and did not come. */
struct member_gap {
    const char *parts;   /* "nodes, pods"; NULL: nothing is known to be missing */
    const char *message; /* why */
};

struct member {
    const char *name; /* of the Cluster */
    uint32_t cluster; /* index, or CLUSTER_NONE */
    /* What was looked at; false: unknown. Of ReplicaSets and Deployments at least those are there
     * that pods which are not ready lead to. */
    bool has_pods, has_nodes, has_replica_sets;
    bool has_deployments, has_stateful_sets, has_jobs;
    bool has_volumes, has_storage_classes;
    bool is_direct; /* it was reached at its own server, and not by the control plane's proxy */
    int64_t clock_offset;   /* by which its clock was ahead; the times below are corrected */
    const struct pod *pods; /* that are not among the settled; sorted by namespace, name */
    uint32_t n_pods;
    const struct settled_pods *settled; /* sorted by namespace, owner, version */
    uint32_t n_settled;
    const struct placed_pod *placed; /* the settled ones that are on nodes; by namespace, node */
    uint32_t n_placed;
    const struct node *nodes; /* sorted by name */
    uint32_t n_nodes;
    const struct replica_set *replica_sets; /* sorted by namespace, name */
    uint32_t n_replica_sets;
    const struct workload *workloads; /* sorted by namespace, kind, name */
    uint32_t n_workloads;
    /* Of Deployments that a summary tells of: they are not among the above, and their pods neither
     * among the settled nor the placed ones. */
    const struct settled_workload *settled_workloads;
    uint32_t n_settled_workloads;
    const struct settled_place *settled_places; /* of all of them */
    /* Of what it admits pods by, what the source has: where that is none, nothing is known of it.
     * By namespace, name. */
    const struct limit_range *limit_ranges;
    uint32_t n_limit_ranges;
    const struct resource_quota *resource_quotas;
    uint32_t n_resource_quotas;
    /* Likewise of volumes: by namespace, name; by name. */
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
    const struct priority_class *priority_classes; /* that its pods name; by name */
    uint32_t n_priority_classes;
    struct estimator_answers estimator; /* none: not asked, or not answered */
    struct member_gap gap;
};

#define CLAIM_NONE UINT32_MAX

/* The number of a claim among the member's; CLAIM_NONE: it has none of that name. */
uint32_t member_find_claim(const struct member *member, const char *namespace_, const char *name);

#endif
