/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet as seen once: clusters, bindings, what the members show. Immutable
 * once built; everything in it lives in its arena and interner. Sorted, so the
 * order of the input does not matter.
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

/* Something that was left out because it could not be used; the run goes on and exits with 1. */
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

/* Which control plane a fleet is of: name, what that means. */
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
    bool is_foreign; /* of the control plane that this fleet is not of; else no decision needs it */
};

/* A kind whose replicas Karmada knows how to divide: a ResourceInterpreterCustomization has a
 * replicaRevision for it. */
struct divisible_kind {
    const char *api_version, *kind;
};

/* Workloads of a kind whose pod templates were wanted and are not known. */
struct unseen_templates {
    const char *api_version, *kind;
    uint32_t count;
    const char *message; /* why the first of them is not */
};

struct fleet {
    struct arena *arena;
    struct interner *strings;
    int64_t captured_at;            /* TIME_NONE when the source does not say */
    const struct cluster *clusters; /* sorted by name */
    uint32_t n_clusters;
    uint32_t n_missing_clusters;    /* names in which bindings have replicas, and no Cluster has */
    const struct binding *bindings; /* sorted by binding_cmp */
    uint32_t n_bindings;
    enum owner_labels owner_labels; /* as its bindings show */
    const struct binding *const
        *grouped; /* those that are grouped, in the same order; NULL: none */
    uint32_t n_grouped;
    const struct member *members;                /* one a cluster, same index */
    struct preference_list preferences;          /* from manifests in the fleet */
    struct replica_owner_list claims;            /* on the replicas of workloads */
    struct quota_list quotas;                    /* FederatedResourceQuotas */
    struct rebalance_wish_list wishes;           /* of WorkloadRebalancers */
    struct workload_labels_list workload_labels; /* as far as they were asked for, or are there */
    const struct problem *problems;
    uint32_t n_problems;
    bool has_unread_kind;        /* one of them is about all objects of a kind */
    uint32_t n_placements;       /* ids are below */
    uint32_t n_requirements;     /* ids are below */
    uint32_t n_settled_versions; /* numbers are below */
    uint32_t purge_modes;        /* those that eviction tasks may have, by PURGE_MODE_BIT; 0: that
                                    is not known */
    bool has_newer_purge_modes;  /* a binding uses one, so that Karmada is v1.15 or later */
    bool propagates_empty;       /* targets without replicas show that karmada-scheduler runs with
                                    --enable-empty-workload-propagation */
    bool marks_managed;          /* members show objects labelled karmada.io/managed: those
                                    without the label are not Karmada's */
    bool deploys_descheduler;    /* a Deployment in it runs karmada-descheduler */
    int64_t descheduler_renewed; /* when that last renewed its Lease; TIME_NONE: it has none */
    const struct left_out *left_out; /* sorted by kind */
    uint32_t n_left_out;
    const struct divisible_kind *divisible_kinds; /* by ResourceInterpreterCustomizations; sorted */
    uint32_t n_divisible_kinds;
    const struct unseen_templates *unseen_templates;
    uint32_t n_unseen_templates;
    const struct federation *federation; /* of a KubeFed host; NULL: it is Karmada's */
    void *heap; /* what of it is not in the arena, freed with it; NULL: nothing */
};

/* Those of a binding that says nothing of its replicas. Karmada writes none where pods ask for
 * nothing but at pod level. */
extern const struct requirements requirements_absent;
/* A copy in the fleet, with an id of its own; NULL: of requirements_absent. */
struct requirements *requirements_of_its_own(struct fleet *fleet,
                                             const struct requirements *requirements);

/* The NoExecute taint that has driven the binding out of the cluster by that time, as its
 * placement's tolerations say; NULL when it may be there for longer. *ret_when (then set) is as in
 * taint_list_find_evicting. What has it now is lost there, and what has it soon is no destination:
 * see policy_stay_until. */
const struct taint *binding_find_evicting_taint(const struct binding *binding,
                                                const struct cluster *cluster, int64_t by,
                                                int64_t *ret_when);

/* The API that a binding is an object of: "work.karmada.io/v1alpha2". */
const char *binding_api_version(const struct fleet *fleet, const struct binding *binding);

/* What could not be used is more than single objects: a kind as a whole, or all bindings. */
bool fleet_is_unread(const struct fleet *fleet);

void fleet_free(struct fleet *fleet); /* NULL is fine */
/* karmada-descheduler seems to run as well: it is deployed, or renewed its Lease lately. One that
 * was removed leaves its Lease behind, so an old one says nothing. */
bool fleet_has_descheduler(const struct fleet *fleet, int64_t now);
/* When a KubeFed controller looked at any cluster last; TIME_NONE: nothing says so. */
int64_t fleet_probed(const struct fleet *fleet);
/* It has not done so for so long that it seems to be dead, and conditions say nothing any more. */
bool fleet_is_unwatched(const struct fleet *fleet, int64_t now);
/* KubeFed's own scheduler is on, and alive: it writes what we would write. */
bool fleet_has_kubefed_scheduler(const struct fleet *fleet, int64_t now);
/* CLUSTER_NONE when there is none of that name. */
uint32_t fleet_find_cluster(const struct fleet *fleet, const char *name);

#endif
