/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet as seen once: clusters, bindings, and the objects in members. Immutable
 * once built. Everything in it lives in its arena and interner. Its lists are
 * sorted, so the order of the input does not matter.
 */
#ifndef BALLAST_MODEL_FLEET_H
#define BALLAST_MODEL_FLEET_H

#include "ballast/base/arena.h"
#include "ballast/base/str.h"
#include "ballast/model/binding.h"
#include "ballast/model/cluster.h"
#include "ballast/model/federation.h"
#include "ballast/model/member.h"
#include "ballast/model/preference.h"
#include "ballast/model/quota.h"
#include "ballast/model/rebalancer.h"
#include "ballast/model/replica_owner.h"
#include "ballast/model/workload_labels.h"

/* An unusable input that was left out. The run goes on and exits with 1. */
struct problem {
    const char *object;  /* "control-plane/rb.yaml:12: ResourceBinding shop/web" */
    const char *message; /* "spec.replicas: want integer, got string" */
};

/* Labels by which the fleet's karmada-scheduler selects its bindings. */
enum owner_labels {
    OWNER_LABELS_NONE,         /* no binding has any */
    OWNER_LABELS_PERMANENT_ID, /* Karmada since v1.10 */
    OWNER_LABELS_POLICY_NAME,  /* before Karmada v1.10 */
};

/* The control plane of a fleet: id, name, meaning. */
#define PLATFORMS(X)                                                                               \
    X(AUTO, "auto", "whichever the objects show")                                                  \
    X(KARMADA, "karmada", "Karmada")                                                               \
    X(KUBEFED, "kubefed", "KubeFed")

enum platform {
#define X(id, name, text) PLATFORM_##id,
    PLATFORMS(X)
#undef X
};

struct left_out {
    const char *kind;
    uint32_t count;
    bool is_foreign; /* of another control plane than this fleet's; false: no decision needs them */
};

/* A kind whose replicas Karmada can divide: a ResourceInterpreterCustomization has a
 * replicaRevision for the kind. */
struct divisible_kind {
    const char *api_version, *kind;
};

/* Workloads of a kind whose pod templates were wanted and are unknown. */
struct unseen_templates {
    const char *api_version, *kind;
    uint32_t count;
    const char *message; /* why the first template is not known */
};

struct fleet {
    struct arena *arena;
    struct interner *strings;
    int64_t captured_at;            /* TIME_NONE: unknown */
    const struct cluster *clusters; /* sorted by name */
    uint32_t n_clusters;
    uint32_t n_missing_clusters;    /* names of targets with replicas, but without Cluster */
    const struct binding *bindings; /* sorted by binding_cmp */
    uint32_t n_bindings;
    enum owner_labels owner_labels; /* from its bindings */
    const struct binding *const
        *grouped; /* bindings with binding_is_grouped(), in the same order; NULL: none */
    uint32_t n_grouped;
    const struct member *members;                /* one per cluster, same index */
    struct preference_list preferences;          /* from manifests in the fleet */
    struct replica_owner_list claims;            /* on the replicas of workloads */
    struct quota_list quotas;                    /* FederatedResourceQuotas */
    struct rebalance_wish_list wishes;           /* of WorkloadRebalancers */
    struct workload_labels_list workload_labels; /* those asked for or present */
    const struct problem *problems;
    uint32_t n_problems;
    bool has_unread_kind;        /* a problem concerns all objects of a kind */
    uint32_t n_placements;       /* ids of placements are smaller */
    uint32_t n_requirements;     /* ids of requirements are smaller */
    uint32_t n_settled_versions; /* numbers of settled versions are smaller */
    uint32_t purge_modes; /* modes that eviction tasks may have, by PURGE_MODE_BIT; 0: unknown */
    bool has_newer_purge_modes;  /* a binding uses a newer name: Karmada is v1.15 or later */
    bool propagates_empty;       /* targets without replicas show that karmada-scheduler runs with
                                    --enable-empty-workload-propagation */
    bool marks_managed;          /* members show objects labelled karmada.io/managed: objects
                                    without the label are not Karmada's */
    bool deploys_descheduler;    /* a Deployment in the fleet runs karmada-descheduler */
    int64_t descheduler_renewed; /* of karmada-descheduler's Lease; TIME_NONE: no Lease */
    const struct left_out *left_out; /* sorted by kind */
    uint32_t n_left_out;
    const struct divisible_kind *divisible_kinds; /* by ResourceInterpreterCustomizations; sorted */
    uint32_t n_divisible_kinds;
    const struct unseen_templates *unseen_templates;
    uint32_t n_unseen_templates;
    const struct federation *federation; /* of a KubeFed host; NULL: a Karmada fleet */
    void *heap; /* memory outside the arena, freed by fleet_free(); NULL: none */
};

/* Requirements of a binding without any. Karmada writes none for requests at pod level only. */
extern const struct requirements requirements_absent;
/* Returns a copy in the fleet's arena with a new id. NULL: a copy of requirements_absent. */
struct requirements *requirements_of_its_own(struct fleet *fleet,
                                             const struct requirements *requirements);

/* Returns the NoExecute taint that drives the binding out of the cluster by the time `by`, with the
 * placement's tolerations. Sets *ret_when as taint_list_find_evicting() does. NULL if the binding
 * may stay longer. With `by` at the present, the binding is lost there. With `by` at
 * policy_stay_until(), the cluster is no destination. */
const struct taint *binding_find_evicting_taint(const struct binding *binding,
                                                const struct cluster *cluster, int64_t by,
                                                int64_t *ret_when);

/* Returns the apiVersion of a binding: "work.karmada.io/v1alpha2". */
const char *binding_api_version(const struct fleet *fleet, const struct binding *binding);

/* True if a whole kind of objects, or every binding, could not be used. */
bool fleet_is_unread(const struct fleet *fleet);

/* Frees the fleet and everything in it. NULL is fine. */
void fleet_free(struct fleet *fleet);
/* True if karmada-descheduler seems to run: it is deployed, or renewed its Lease within 2 minutes.
 * A removed descheduler leaves its Lease behind, so an old Lease proves nothing. */
bool fleet_has_descheduler(const struct fleet *fleet, int64_t now);
/* Returns when a KubeFed controller last probed any cluster; TIME_NONE if unknown. */
int64_t fleet_probed(const struct fleet *fleet);
/* True if the KubeFed controller seems dead: it has not probed any cluster for long. Conditions of
 * clusters then mean nothing. False if no probe is known. */
bool fleet_is_unwatched(const struct fleet *fleet, int64_t now);
/* True if KubeFed's own scheduler is on and seems alive: it writes the same fields as Ballast. */
bool fleet_has_kubefed_scheduler(const struct fleet *fleet, int64_t now);
/* Returns the index of the cluster with that name; CLUSTER_NONE if there is none. */
uint32_t fleet_find_cluster(const struct fleet *fleet, const char *name);

#endif
