/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the owners of a binding, and describes its failover.
 */
#include "ballast/base/timestamp.h"

#include "ballast/annotations/owner_labels.h"
#include "ballast/base/wide.h"
#include "ballast/diagnose/balance.h"
#include "ballast/model/closed_clusters.h"
#include "explain_internal.h"

#define REPLICA_OWNERS_MAX 8
#define POLICY_LABEL "propagationpolicy.karmada.io/"
#define CLUSTER_POLICY_LABEL "clusterpropagationpolicy.karmada.io/"
#define MANAGED_BY_LABEL "binding.karmada.io/managed-by"

/* --- the policy --- */

/* The annotation names the policy of the permanent id. If the kind differs, the annotation belongs
 * to another policy. */
static void
note_policy_name(const struct subject *subject, bool is_namespaced, struct explained_owner *ret)
{
    const char *name = subject->binding->policy_name;
    const char *slash = str_is_empty(name) ? NULL : strchr(name, '/');

    if (!str_is_empty(name) && is_namespaced == (slash != NULL)) {
        ret->policy = slash != NULL ? slash + 1 : name;
        ret->policy_namespace =
            slash != NULL ? arena_printf(subject->arena, "%.*s", pin_width(slash - name), name)
                          : "";
    }
}

/* A claiming policy sets a label: its permanent id, or its name. */
static void
note_policy(const struct subject *subject, struct explained_owner *ret)
{
    static const struct {
        const char *label, *kind;
        bool by_id;
    } labels[] = {
        {POLICY_LABEL "name", "PropagationPolicy", false},
        {CLUSTER_POLICY_LABEL "name", "ClusterPropagationPolicy", false},
        {POLICY_LABEL "permanent-id", "PropagationPolicy", true},
        {CLUSTER_POLICY_LABEL "permanent-id", "ClusterPropagationPolicy", true},
        {MANAGED_BY_LABEL, "managed by", false},
    };

    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
        const char *value = label_list_find(&subject->binding->labels, labels[i].label);

        if (value != NULL && !str_is_empty(value)) {
            ret->policy_kind = labels[i].kind;
            if (labels[i].by_id) {
                ret->policy_id = value;
                note_policy_name(subject, str_eq(labels[i].kind, "PropagationPolicy"), ret);
            } else {
                ret->policy = value;
            }
            return;
        }
    }
    const struct federated *federated = subject->binding->federated;

    if (federated != NULL && (federated->has_preference || federated->preference_problem != NULL)) {
        ret->policy_kind = "ReplicaSchedulingPreference";
        ret->policy = subject->binding->resource.name;
    }
}

static const char *
scheduler_name(const struct binding *binding)
{
    if (binding->federated != NULL) {
        return "KubeFed";
    }
    return str_is_empty(binding->scheduler_name) ? "default-scheduler" : binding->scheduler_name;
}

static const char *
division_text(const struct subject *subject)
{
    const struct binding *binding = subject->binding;
    static const char *const texts[] = {
        [STRATEGY_DUPLICATED] = "duplicated: each target has all replicas",
        [STRATEGY_STATIC_WEIGHT] = "divided by static weights",
        [STRATEGY_DYNAMIC_WEIGHT] = "divided by the room in the clusters (dynamic weight)",
        [STRATEGY_AGGREGATED] = "divided over as few clusters as will do (Aggregated)",
        [STRATEGY_UNKNOWN] = "divided in a way that is not known",
    };

    if (binding->placement == NULL) {
        return "";
    }
    if (!binding_is_workload(binding)) {
        return "no replicas: each target has it";
    }
    if (binding_is_set(binding)) {
        return "components that are placed together";
    }
    if (subject->state->left_alone != LEFT_ALONE_NO_PREFERENCE &&
        subject->state->left_alone != LEFT_ALONE_PREFERENCE_UNREAD &&
        placement_is_divided(binding->placement) &&
        preference_for(subject->of->policy, subject->of->fleet, binding) != NULL) {
        return "divided by a preference";
    }
    return texts[placement_strategy(binding->placement)];
}

/* --- failover --- */

const char *
failover_owner_text(const struct subject *subject, enum failover_owner owner)
{

    switch (owner) {
    case FAILOVER_OWNER_NONE:
    case FAILOVER_OWNER_FINISHED:
    case N_FAILOVER_OWNERS:
        break;
    case FAILOVER_OWNER_OURS:
        return "Ballast takes it elsewhere";
    case FAILOVER_OWNER_GUARDED:
        return arena_printf(subject->arena, "the disruption guard stops it: %s",
                            subject->of->diagnosis->guard_reason);
    case FAILOVER_OWNER_KARMADA:
        return arena_printf(subject->arena, "Karmada's own failover evicts from it: %s",
                            subject->of->diagnosis->karmada.ground);
    case FAILOVER_OWNER_CLAIMS:
        return "nobody: what it keeps in claims cannot follow";
    case FAILOVER_OWNER_TOLERATED:
        return "the binding rides it out for now";
    case FAILOVER_OWNER_OFF:
    case FAILOVER_OWNER_OFF_TAINTED:
        return "nobody: the trigger UnhealthyCluster is off";
    }
    return "";
}

/* Describes a target that is lost, or else the handling of a future loss. */
static const char *
cluster_failover_text(const struct subject *subject)
{
    const struct policy *policy = subject->of->policy;
    const struct karmada_at_work *karmada = &subject->of->diagnosis->karmada;
    char span[DURATION_TEXT_MAX];

    for (uint32_t i = 0; i < subject->binding->clusters.count; i++) {
        if (subject->targets[i].lost) {
            return arena_printf(subject->arena, "%s is lost: %s",
                                subject->binding->clusters.items[i].name,
                                failover_owner_text(subject, subject->targets[i].owner));
        }
    }
    if (!policy->triggers[FINDING_UNHEALTHY_CLUSTER]) {
        return "off: UnhealthyCluster is no trigger";
    }
    if (policy->mode == MODE_EVICT) {
        return "off: mode Evict leaves no lost cluster";
    }
    duration_format(policy->unhealthy_cluster_threshold, span);
    return arena_printf(subject->arena,
                        karmada->evicts
                            ? "Ballast's, once a cluster has been lost for %s; Karmada's where it "
                              "taints the cluster NoExecute (%s)"
                            : "Ballast's, once a cluster has been lost for %s",
                        span, karmada->ground);
}

static const char *
application_failover_text(const struct subject *subject)
{
    const struct failover_behavior *behavior = binding_rare(subject->binding)->failover_application;

    if (behavior == NULL) {
        return "";
    }
    return behavior->has_toleration_seconds
               ? arena_printf(subject->arena,
                              "its own behaviour asks to leave a cluster where it has been "
                              "unhealthy for %llds",
                              (long long)behavior->toleration_seconds)
               : "its own behaviour asks to leave a cluster where it is unhealthy";
}

/* --- owners of the replicas --- */

static void
note_claims(const struct subject *subject, struct explained_owner *ret)
{
    static const char *const does[] = {
        [REPLICA_OWNER_AUTOSCALER] = "scales its replicas in ",
        [REPLICA_OWNER_OVERRIDE] = "overrides its replicas",
        [REPLICA_OWNER_MEMBER] = "leaves its replicas to ",
    };
    const struct closed_clusters *closed = subject->state->closed;
    const char **owners = ARENA_ARRAY(subject->arena, const char *, REPLICA_OWNERS_MAX);

    for (uint32_t i = 0; closed != NULL && i < closed->n_groups; i++) {
        const struct closing_group *group = closed->groups[i];

        for (uint32_t j = 0; j < group->n_claims && ret->n_replica_owners < REPLICA_OWNERS_MAX;
             j++) {
            const struct replica_owner *claim = group->claims[j].claim;

            owners[ret->n_replica_owners++] =
                arena_printf(subject->arena, "%s %s%s", claim->origin, does[claim->kind],
                             claim->kind == REPLICA_OWNER_OVERRIDE ? ""
                             : str_is_empty(claim->member)         ? "the clusters that it goes to"
                                                                   : claim->member);
        }
    }
    ret->replica_owners = owners;
}

int64_t
explain_weight(const struct subject *subject, const struct cluster *cluster)
{
    const struct placement *placement = subject->binding->placement;

    if (preference_for(subject->of->policy, subject->of->fleet, subject->binding) != NULL ||
        placement_strategy(placement) != STRATEGY_STATIC_WEIGHT) {
        return -1;
    }
    return static_weight_of(&placement->replica_scheduling.static_weights, cluster);
}

const char *
explain_wish(const struct subject *subject, const struct cluster *cluster)
{
    const struct binding *binding = subject->binding;
    const struct preference *preference =
        preference_for(subject->of->policy, subject->of->fleet, binding);

    if (preference == NULL) {
        const int64_t weight = explain_weight(subject, cluster);

        return weight < 0 ? "" : arena_printf(subject->arena, "weight %lld", (long long)weight);
    }
    const struct preference_cluster *entry = preference_cluster_for(preference, cluster);

    if (entry == NULL) {
        return "takes no part";
    }
    const char *bounds = "";

    if (entry->min_replicas > 0) {
        bounds = arena_printf(subject->arena, ", min %lld", (long long)entry->min_replicas);
    }
    if (entry->max_replicas != PREFERENCE_UNLIMITED) {
        bounds =
            arena_printf(subject->arena, "%s, max %lld", bounds, (long long)entry->max_replicas);
    }
    return arena_printf(subject->arena, "weight %lld%s", (long long)entry->weight, bounds);
}

void
explain_owner(const struct subject *subject, struct explained_owner *ret)
{
    const struct binding *binding = subject->binding;
    const struct preference *preference =
        preference_for(subject->of->policy, subject->of->fleet, binding);
    const char *opt_out = label_list_find(&binding->annotations, OPT_OUT_ANNOTATION);

    *ret = (struct explained_owner){
        .policy_kind = "",
        .policy_namespace = "",
        .policy = "",
        .policy_id = "",
        .is_scheduled = fleet_schedules(subject->of->fleet, binding),
        .scheduler = scheduler_name(binding),
        .division = division_text(subject),
        .affinity = schedule_affinity_in_use(subject->of->fleet, binding),
        .preference = preference != NULL ? preference->origin : "",
        .opt_out = opt_out != NULL ? opt_out : "",
        .cluster_failover = cluster_failover_text(subject),
        .application_failover = application_failover_text(subject),
        .priority = binding_priority(binding),
        .left_alone = subject->state->left_alone,
        .only_lost = subject->state->only_lost != LEFT_ALONE_NOT,
        .left_alone_reason = subject->state->left_alone_reason,
    };
    note_policy(subject, ret);
    note_claims(subject, ret);
}
