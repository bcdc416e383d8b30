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

/* An input that was left out because it could not be used; the run goes on and exits with 1. */
struct problem {
    const char *object;  /* "control-plane/rb.yaml:12: ResourceBinding shop/web" */
    const char *message; /* "spec.replicas: want integer, got string" */
};

/* The labels by which the fleet's karmada-scheduler tells what it schedules. */
enum owner_labels {
    OWNER_LABELS_NONE,         /* no binding carries any of them */
    OWNER_LABELS_PERMANENT_ID, /* Karmada since v1.10 */
    OWNER_LABELS_POLICY_NAME,  /* before */
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

/* Objects of a kind that were left out. */
struct left_out {
    const char *kind;
    uint32_t count;
    bool is_foreign; /* of another control plane than this fleet's; else no decision needs them */
};

/* A kind whose replicas Karmada can divide: a ResourceInterpreterCustomization has a
 * replicaRevision for the kind. */
struct divisible_kind {
    const char *api_version, *kind;
};

/* Workloads of a kind whose pod templates were wanted and are not known. */
struct unseen_templates {
    const char *api_version, *kind;
    uint32_t count;
    const char *message; /* why the first template is not known */
};

struct fleet {
    struct arena *arena;
    struct interner *strings;
    int64_t captured_at;            /* TIME_NONE when the source does not say */
    const struct cluster *clusters; /* sorted by name */
    uint32_t n_clusters;
    uint32_t n_missing_clusters;    /* names of targets with replicas that no Cluster has */
    const struct binding *bindings; /* sorted by binding_cmp */
    uint32_t n_bindings;
    enum owner_labels owner_labels; /* as its bindings show */
    const struct binding *const
        *grouped; /* bindings with binding_is_grouped(), in the same order; NULL: none */
    uint32_t n_grouped;
    const struct member *members;                /* one per cluster, same index */
    struct preference_list preferences;          /* from manifests in the fleet */
    struct replica_owner_list claims;            /* on the replicas of workloads */
    struct quota_list quotas;                    /* FederatedResourceQuotas */
    struct rebalance_wish_list wishes;           /* of WorkloadRebalancers */
    struct workload_labels_list workload_labels; /* those that were asked for, or are there */
    const struct problem *problems;
    uint32_t n_problems;
    bool has_unread_kind;        /* a problem is about all objects of a kind */
    uint32_t n_placements;       /* ids of placements are below */
    uint32_t n_requirements;     /* ids of requirements are below */
    uint32_t n_settled_versions; /* numbers of settled versions are below */
    uint32_t purge_modes;        /* modes that eviction tasks may have, by PURGE_MODE_BIT; 0: not
                                    known */
    bool has_newer_purge_modes;  /* a binding uses a newer name: Karmada is v1.15 or later */
    bool propagates_empty;       /* targets without replicas show that karmada-scheduler runs with
                                    --enable-empty-workload-propagation */
    bool marks_managed;          /* members show objects labelled karmada.io/managed: objects
                                    without the label are not Karmada's */
    bool deploys_descheduler;    /* a Deployment in the fleet runs karmada-descheduler */
    int64_t descheduler_renewed; /* when karmada-descheduler last renewed its Lease; TIME_NONE: it
                                    has none */
    const struct left_out *left_out; /* sorted by kind */
    uint32_t n_left_out;
    const struct divisible_kind *divisible_kinds; /* by ResourceInterpreterCustomizations; sorted */
    uint32_t n_divisible_kinds;
    const struct unseen_templates *unseen_templates;
    uint32_t n_unseen_templates;
    const struct federation *federation; /* of a KubeFed host; NULL: a Karmada fleet */
    void *heap; /* a piece outside the arena that fleet_free() frees; NULL: none */
};

/* The requirements of a binding that has none. Karmada writes none if pods name their requests at
 * pod level only. */
extern const struct requirements requirements_absent;
/* Returns a copy in the fleet's arena with a new id. NULL: a copy of requirements_absent. */
struct requirements *requirements_of_its_own(struct fleet *fleet,
                                             const struct requirements *requirements);

/* Returns the NoExecute taint that drives the binding out of the cluster by the time `by`, as the
 * placement's tolerations say, and sets *ret_when as taint_list_find_evicting() does. NULL if the
 * binding may stay longer. A binding with such a taint now is lost there; a cluster with such a
 * taint before policy_stay_until() is no destination. */
const struct taint *binding_find_evicting_taint(const struct binding *binding,
                                                const struct cluster *cluster, int64_t by,
                                                int64_t *ret_when);

/* Returns the apiVersion of a binding: "work.karmada.io/v1alpha2". */
const char *binding_api_version(const struct fleet *fleet, const struct binding *binding);

/* True if more than single objects could not be used: a whole kind, or every binding. */
bool fleet_is_unread(const struct fleet *fleet);

/* Frees the fleet and everything in it. NULL is fine. */
void fleet_free(struct fleet *fleet);
/* True if karmada-descheduler seems to run: it is deployed, or renewed its Lease within 2 minutes.
 * A removed one leaves its Lease behind, so an old Lease says nothing. */
bool fleet_has_descheduler(const struct fleet *fleet, int64_t now);
/* Returns when a KubeFed controller last probed any cluster; TIME_NONE if not known. */
int64_t fleet_probed(const struct fleet *fleet);
/* True if the KubeFed controller has not probed any cluster for so long that it seems to be dead:
 * conditions of clusters then say nothing. False if no probe is known. */
bool fleet_is_unwatched(const struct fleet *fleet, int64_t now);
/* True if KubeFed's own scheduler is on and seems alive: it writes the same fields as Ballast. */
bool fleet_has_kubefed_scheduler(const struct fleet *fleet, int64_t now);
/* Returns the index of the cluster with that name; CLUSTER_NONE if there is none. */
uint32_t fleet_find_cluster(const struct fleet *fleet, const char *name);

#endif
