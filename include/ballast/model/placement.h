/* SPDX-License-Identifier: Apache-2.0
 *
 * policy.karmada.io/v1alpha1 Placement and the requirements of a replica
 * (work.karmada.io/v1alpha2 ReplicaRequirements). Bindings of a fleet share equal
 * ones: one object, one `id`, so that a result for one binding can be reused for
 * the next.
 */
#ifndef BALLAST_MODEL_PLACEMENT_H
#define BALLAST_MODEL_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/quantity.h"
#include "ballast/model/selector.h"
#include "ballast/model/taint.h"

/* A requirement on provider, region or zone of a cluster. */
struct field_selector {
    struct requirement_list match_expressions;
};

struct cluster_affinity {
    const struct label_selector *label_selector; /* NULL: absent */
    const struct field_selector *field_selector; /* NULL: absent */
    struct str_list cluster_names;
    struct str_list exclude;
};

struct overflow_affinity {
    const char *name;
    struct cluster_affinity affinity;
};

struct overflow_list {
    const struct overflow_affinity *items;
    uint32_t count;
    bool present;
};

struct affinity_term {
    const char *name; /* affinityName */
    struct cluster_affinity affinity;
    struct overflow_list overflow;
};

struct affinity_term_list {
    const struct affinity_term *items;
    uint32_t count;
    bool present;
    const uint32_t *by_name; /* name_index.h; NULL: none */
};

/* Returns the nth term (from 0) with that name; NULL if there are fewer. */
const struct affinity_term *affinity_term_list_find(const struct affinity_term_list *list,
                                                    const char *name, uint32_t nth);

enum spread_field {
    SPREAD_BY_LABEL, /* spreadByLabel, or an unknown field */
    SPREAD_BY_CLUSTER,
    SPREAD_BY_REGION,
    SPREAD_BY_ZONE,
    SPREAD_BY_PROVIDER,
};

struct spread_constraint {
    enum spread_field field;
    const char *field_text; /* spreadByField as written */
    const char *label;      /* spreadByLabel */
    int64_t min_groups;     /* 0: absent */
    int64_t max_groups;     /* 0: absent; taken literally, as upstream does */
};

struct spread_constraint_list {
    const struct spread_constraint *items;
    uint32_t count;
    bool present;
};

struct static_weight {
    struct cluster_affinity target;
    int64_t weight;
};

struct static_weight_list {
    const struct static_weight *items;
    uint32_t count;
    bool present;
};

/* Upstream's replicaSchedulingType and replicaDivisionPreference, combined as Karmada's
 * newAssignState combines them. */
enum replica_strategy {
    STRATEGY_DUPLICATED, /* Duplicated, or no replicaScheduling */
    STRATEGY_STATIC_WEIGHT,
    STRATEGY_DYNAMIC_WEIGHT,
    STRATEGY_AGGREGATED,
    STRATEGY_UNKNOWN, /* Divided with a preference that upstream does not know */
};

struct replica_scheduling {
    bool present;
    const char *type;       /* replicaSchedulingType as written */
    const char *preference; /* replicaDivisionPreference as written */
    bool has_weight_preference;
    struct static_weight_list static_weights;
    const char *dynamic_weight; /* "": absent */
};

struct placement {
    uint32_t id;                                     /* dense, from 0, within the fleet */
    const struct cluster_affinity *cluster_affinity; /* NULL: absent */
    struct affinity_term_list cluster_affinities;
    struct toleration_list cluster_tolerations;
    struct spread_constraint_list spread_constraints;
    struct replica_scheduling replica_scheduling;
    const char *affinity_group_label_key;      /* workloadAffinity.affinity.groupByLabelKey, "" */
    const char *anti_affinity_group_label_key; /* workloadAffinity.antiAffinity...., "" */
    bool has_workload_affinity, has_workload_affinity_term, has_workload_anti_affinity_term;
    const char *text; /* as compact JSON; NULL: longer than PLACEMENT_TEXT_MAX */
};
/* Kubernetes limits all annotations of an object together to 256 KiB. */
#define PLACEMENT_TEXT_MAX ((size_t)32 * 1024)

/* Returns the strategy of a placement; STRATEGY_DUPLICATED for NULL. */
enum replica_strategy placement_strategy(const struct placement *placement);
/* True if replicaSchedulingType is Divided. False for NULL. */
bool placement_is_divided(const struct placement *placement);
/* True if upstream applies the spread constraints: it ignores them with static weights. */
bool placement_spreads(const struct placement *placement);
/* Returns the last spread constraint for the field, which alone counts; NULL if there is none. */
const struct spread_constraint *placement_spread_by(const struct placement *placement,
                                                    enum spread_field field);

/* True if both placements are equal as reflect.DeepEqual compares the decoded objects; ids do not
 * count. NULL equals NULL only. */
bool placement_equal(const struct placement *a, const struct placement *b);
/* True if both terms are equal as reflect.DeepEqual compares the decoded objects. */
bool affinity_term_equal(const struct affinity_term *a, const struct affinity_term *b);

struct node_claim {
    struct node_selector hard_node_affinity;
    struct label_list node_selector;
    struct toleration_list tolerations;
};

struct pod_template;

struct requirements {
    uint32_t id;                  /* dense, from 0, within the fleet */
    struct resource_list request; /* resourceRequest, of one replica */
    struct node_claim node_claim;
    bool has_node_claim;
    const char *namespace_;
    const char *priority_class_name;
    const struct pod_template *pod_template; /* NULL: unknown, or without requirements */
    struct resource_amounts seen;            /* of current pods, if larger than the above */
    bool is_absent; /* the binding has no requirements: these come from its template or its pods */
};

#endif
