/* SPDX-License-Identifier: Apache-2.0
 *
 * Every key of a BallastConfiguration.
 */
#include <stddef.h>

#include "config_key.h"

#define AT(member) offsetof(struct policy, member)

static const struct config_key threshold_keys[] = {
    {.name = "unschedulable",
     .convert = config_scalar,
     .offset = AT(unschedulable_threshold),
     .parse = setting_duration,
     .type = VALUE_STRING,
     .type_text = "duration",
     .default_text = "5m",
     .help = "How long a pod must have been unschedulable to count as stuck."},
    {.name = "failed",
     .convert = config_scalar,
     .offset = AT(failed_threshold),
     .parse = setting_duration,
     .type = VALUE_STRING,
     .type_text = "duration",
     .default_text = "5m",
     .help = "How long a pod must have failed to start or to stay up."},
    {.name = "unhealthyCluster",
     .convert = config_scalar,
     .offset = AT(unhealthy_cluster_threshold),
     .parse = setting_duration,
     .type = VALUE_STRING,
     .type_text = "duration",
     .default_text = "5m",
     .help = "How long a cluster must have been not ready to count as lost."},
    {.name = "clusterStabilization",
     .convert = config_scalar,
     .offset = AT(cluster_stabilization),
     .parse = setting_duration,
     .type = VALUE_STRING,
     .type_text = "duration",
     .default_text = "1m",
     .help = "How long a cluster must have been ready before it is given replicas."},
    CONFIG_KEY_END,
};

static const struct config_key failover_keys[] = {
    {.name = "purgeMode",
     .convert = config_scalar,
     .offset = AT(failover.purge_mode),
     .parse = setting_choice,
     .param = {.choices = purge_mode_choices},
     .type = VALUE_STRING,
     .type_text = "string",
     .default_text = "Gracefully",
     .help = "What happens to the objects in a cluster that a workload leaves. Karmada before "
             "v1.15 knows the first two only as Graciously and Immediately. A binding's own "
             "failover behaviour wins."},
    {.name = "gracePeriodSeconds",
     .convert = config_scalar,
     .offset = AT(failover.grace_period_seconds),
     .parse = setting_int,
     .param = {.range = {0, INT32_MAX}},
     .type = VALUE_INTEGER,
     .type_text = "integer",
     .default_text = "0",
     .help = "How long they stay at most in mode Gracefully; with 0 the control plane "
             "decides (10 minutes, unless its controller manager says otherwise)."},
    {.name = "notReadyTolerationSeconds",
     .convert = config_scalar,
     .offset = AT(failover.not_ready_toleration),
     .parse = setting_int64,
     .param = {.range = {0, INT32_MAX}},
     .type = VALUE_INTEGER,
     .type_text = "integer",
     .default_text = "0",
     .help = "How long a binding stays in a cluster whose Ready is False, from when it "
             "became so. A toleration of cluster.karmada.io/not-ready:NoExecute in the "
             "placement wins. It never shortens `thresholds.unhealthyCluster`."},
    {.name = "unreachableTolerationSeconds",
     .convert = config_scalar,
     .offset = AT(failover.unreachable_toleration),
     .parse = setting_int64,
     .param = {.range = {0, INT32_MAX}},
     .type = VALUE_INTEGER,
     .type_text = "integer",
     .default_text = "0",
     .help = "The same for a cluster whose Ready is Unknown, and for the taint "
             "cluster.karmada.io/unreachable."},
    {.name = "karmada",
     .convert = config_scalar,
     .offset = AT(failover.karmada),
     .parse = setting_choice,
     .param = {.choices = karmada_failover_choices},
     .type = VALUE_STRING,
     .type_text = "string",
     .default_text = "Auto",
     .help = "Whether Ballast leaves clusters with a NoExecute taint to Karmada's own failover."},
    CONFIG_KEY_END,
};

static const struct config_key guard_keys[] = {
    {.name = "groupBy",
     .convert = config_scalar,
     .offset = AT(guard_by),
     .parse = setting_choice,
     .param = {.choices = guard_group_choices},
     .type = VALUE_STRING,
     .type_text = "string",
     .default_text = "none",
     .help = "Which clusters fail together. "
             "Ballast fails over a group that is lost as a whole while most others are well."},
    CONFIG_KEY_END,
};

static const struct config_key scope_keys[] = {
    {.name = "namespaces",
     .convert = config_words,
     .offset = AT(scope.namespaces),
     .parse = setting_list,
     .type_text = "list of strings",
     .help = "Only bindings in these namespaces; all if left out or empty."},
    {.name = "excludeNamespaces",
     .convert = config_words,
     .offset = AT(scope.exclude_namespaces),
     .parse = setting_list,
     .type_text = "list of strings",
     .help = "No bindings in these namespaces."},
    {.name = "kinds",
     .convert = config_words,
     .offset = AT(scope.kinds),
     .parse = setting_kinds,
     .type_text = "list of strings",
     .help = "Only bindings of these kinds of workload; all if left out or empty."},
    {.name = "labelSelector",
     .convert = config_label_selector,
     .offset = AT(scope.labels),
     .table = config_selector_keys,
     .type_text = "object",
     .help = "Only workloads whose labels match. A label is the workload's own, else its "
             "binding's. As `--selector`."},
    {.name = "minPriority",
     .convert = config_scalar,
     .offset = AT(scope),
     .parse = setting_min_priority,
     .param = {.range = {INT32_MIN, INT32_MAX}},
     .type = VALUE_INTEGER,
     .type_text = "integer",
     .help = "Only bindings of this schedule priority or a higher one. A binding without one "
             "has 0."},
    CONFIG_KEY_END,
};

static const struct config_key cooldown_keys[] = {
    {.name = "initial",
     .convert = config_scalar,
     .offset = AT(cooldown.initial),
     .parse = setting_duration,
     .type = VALUE_STRING,
     .type_text = "duration",
     .default_text = "1h",
     .help = "How long replicas stay away from a cluster that Ballast took them from. It "
             "doubles with each move that follows one that did not help."},
    {.name = "max",
     .convert = config_scalar,
     .offset = AT(cooldown.max),
     .parse = setting_duration,
     .type = VALUE_STRING,
     .type_text = "duration",
     .default_text = "6h",
     .help = "The longest cooldown, and how long after its last move Ballast forgets the "
             "moves of a binding."},
    {.name = "maxAttempts",
     .convert = config_scalar,
     .offset = AT(cooldown.max_attempts),
     .parse = setting_int,
     .param = {.range = {1, 1000}},
     .type = VALUE_INTEGER,
     .type_text = "integer",
     .default_text = "5",
     .help = "After so many moves in a row that did not help, Ballast moves nothing until "
             "the workload's requests change or its moves are forgotten."},
    CONFIG_KEY_END,
};

#define LIMIT_KEY(key, rule, text)                                                                 \
    {                                                                                              \
        .name = (key), .convert = config_limit, .offset = AT(limits.of[rule]),                     \
        .type_text = "integer or percentage", .default_text = "-1", .help = (text)                 \
    }

static const struct config_key namespace_limit_keys[] = {
    LIMIT_KEY("maxReplicasMoved", LIMIT_NAMESPACE_REPLICAS,
              "How many replicas one run may move in a namespace; a percentage counts those "
              "assigned in it."),
    LIMIT_KEY("maxBindingsChanged", LIMIT_NAMESPACE_BINDINGS,
              "How many bindings one run may change in a namespace; a percentage is of those in "
              "it."),
    CONFIG_KEY_END,
};

static const struct config_key source_limit_keys[] = {
    LIMIT_KEY("maxReplicasMoved", LIMIT_SOURCE_REPLICAS,
              "How many replicas one run may move away from a cluster; a percentage is of those "
              "that are assigned to it. A cluster that no longer exists has no limit."),
    CONFIG_KEY_END,
};

static const struct config_key destination_limit_keys[] = {
    LIMIT_KEY("maxReplicasMoved", LIMIT_DESTINATION_REPLICAS,
              "How many replicas one run may move to a cluster; a percentage is of those that are "
              "assigned to it."),
    CONFIG_KEY_END,
};

static const struct config_key workload_limit_keys[] = {
    LIMIT_KEY("maxReplicasInMotion", LIMIT_WORKLOAD_IN_MOTION,
              "How many replicas of a workload may be on their way at once: those that move, and "
              "those of an earlier run that a member does not show yet. A percentage is of its "
              "assigned replicas."),
    CONFIG_KEY_END,
};

static const struct config_key limit_keys[] = {
    LIMIT_KEY("maxReplicasMoved", LIMIT_RUN_REPLICAS,
              "How many replicas one run may move. A percentage, here and below, is rounded down, "
              "but allows at least one unless it is `0%`. -1: no limit."),
    LIMIT_KEY("maxBindingsChanged", LIMIT_RUN_BINDINGS,
              "How many bindings one run may change, whatever for."),
    {.name = "perNamespace",
     .convert = config_nested,
     .table = namespace_limit_keys,
     .type_text = "object",
     .help = "In each namespace."},
    {.name = "perSourceCluster",
     .convert = config_nested,
     .table = source_limit_keys,
     .type_text = "object",
     .help = "Away from each cluster."},
    {.name = "perDestinationCluster",
     .convert = config_nested,
     .table = destination_limit_keys,
     .type_text = "object",
     .help = "To each cluster."},
    {.name = "perWorkload",
     .convert = config_nested,
     .table = workload_limit_keys,
     .type_text = "object",
     .help = "Of each workload."},
    {.name = "maxReplicas",
     .convert = config_older_limit,
     .offset = AT(limits.of[LIMIT_RUN_REPLICAS]),
     .type_text = "integer or percentage",
     .help = "The older name of `maxReplicasMoved`."},
    CONFIG_KEY_END,
};

static const struct config_key balance_keys[] = {
    {.name = "staticWeights",
     .convert = config_scalar,
     .offset = AT(balance.static_weights),
     .parse = setting_bool,
     .type = VALUE_BOOL,
     .type_text = "boolean",
     .default_text = "false",
     .help = "Restore static weight lists, too, and not only preferences with `rebalance`."},
    {.name = "moveRunning",
     .convert = config_scalar,
     .offset = AT(balance.move_running),
     .parse = setting_bool,
     .type = VALUE_BOOL,
     .type_text = "boolean",
     .default_text = "false",
     .help = "Also move replicas that are ready to restore the split; else only those that "
             "are not."},
    {.name = "stabilizationWindow",
     .convert = config_scalar,
     .offset = AT(balance.stabilization),
     .parse = setting_duration,
     .type = VALUE_STRING,
     .type_text = "duration",
     .default_text = "10m",
     .help = "How long a cluster must have been ready before replicas return to it."},
    CONFIG_KEY_END,
};

static bool
config_scheduler(struct config_reader *reader, const struct config_key *key,
                 const struct config_place *place, void *target)
{
    struct policy *policy = target;

    policy->scheduler_where = config_position(reader, place, false);
    return config_scalar(reader, key, place, &policy->scheduler_name);
}

const struct config_key config_keys[] = {
    {.name = "apiVersion",
     .convert = config_api_version,
     .required = true,
     .type_text = "string",
     .help = "`" CONFIG_API_VERSION "`."},
    {.name = "kind",
     .convert = config_kind,
     .required = true,
     .type_text = "string",
     .help = "`" CONFIG_KIND "`."},
    {.name = "thresholds",
     .convert = config_nested,
     .table = threshold_keys,
     .type_text = "object",
     .help = "How long something must have been wrong to become a finding."},
    {.name = "members",
     .convert = config_sources,
     .offset = AT(sources),
     .type_text = "list of strings",
     .default_text = "[pods, nodes, status]",
     .help = "The sources that tell about the members, the preferred one first: `pods`, "
             "`nodes`, `estimator`, `status`. An empty list is the same as `[status]`."},
    {.name = "allowUnseenMembers",
     .convert = config_limit,
     .offset = AT(allow_unseen),
     .type_text = "integer or percentage",
     .default_text = "0",
     .help = "How many members, or what share of them, may stay unseen. Members count that "
             "are ready and hold replicas in scope. If more of them are unseen, the run ends "
             "with exit status 4. -1: any number."},
    {.name = "memberSecretNamespaces",
     .convert = config_words,
     .offset = AT(trust.secret_namespaces),
     .parse = setting_list,
     .type_text = "list of strings",
     .default_text = "[karmada-cluster]",
     .help = "The namespaces whose Secrets Ballast may use to reach members directly. It "
             "does not see a member whose Cluster names a Secret elsewhere."},
    {.name = "allowInsecureMembers",
     .convert = config_scalar,
     .offset = AT(trust.allow_insecure),
     .parse = setting_bool,
     .type = VALUE_BOOL,
     .type_text = "boolean",
     .default_text = "false",
     .help = "Send a member's credential even if its Cluster says not to verify TLS. Then "
             "whoever may write a Cluster can have any Secret of `memberSecretNamespaces` "
             "sent to himself."},
    {.name = "triggers",
     .convert = config_triggers,
     .offset = AT(triggers),
     .type_text = "list of strings, or map of booleans",
     .default_text = "see concepts",
     .help = "The findings that make the planner act. A list replaces the default; a map such as "
             "`{Imbalance: true, FailedReplicas: false}` edits it."},
    {.name = "scope",
     .convert = config_nested,
     .table = scope_keys,
     .type_text = "object",
     .help = "Which bindings Ballast looks at."},
    {.name = "movableKinds",
     .convert = config_words,
     .offset = AT(movable_kinds),
     .parse = setting_kinds,
     .type_text = "list of strings",
     .help = "The kinds, beside Deployment and custom resources, whose replicas Ballast may "
             "move: StatefulSet, Job. Such a move can lose state or restart work."},
    {.name = "mode",
     .convert = config_scalar,
     .offset = AT(mode),
     .parse = setting_choice,
     .param = {.choices = write_mode_choices},
     .type = VALUE_STRING,
     .type_text = "string",
     .default_text = "Place",
     .help = "What a run writes."},
    {.name = "division",
     .convert = config_scalar,
     .offset = AT(division),
     .parse = setting_choice,
     .param = {.choices = division_choices},
     .type = VALUE_STRING,
     .type_text = "string",
     .default_text = "Webster",
     .help = "How Ballast divides replicas."},
    {.name = "overcommitProtection",
     .convert = config_scalar,
     .offset = AT(overcommit_protection),
     .parse = setting_bool,
     .type = VALUE_BOOL,
     .type_text = "boolean",
     .default_text = "true",
     .help = "Room that one binding gets is not free for the next one."},
    {.name = "maxUnhealthyPercent",
     .convert = config_scalar,
     .offset = AT(max_unhealthy_percent),
     .parse = setting_int,
     .param = {.range = {0, 100}},
     .type = VALUE_INTEGER,
     .type_text = "integer",
     .default_text = "55",
     .help = "The disruption guard: if this share of the clusters looks unhealthy at once, "
             "Ballast fails over no cluster and exits with 3."},
    {.name = "guard",
     .convert = config_nested,
     .table = guard_keys,
     .type_text = "object",
     .help = "More about the disruption guard."},
    {.name = "failover",
     .convert = config_nested,
     .table = failover_keys,
     .type_text = "object",
     .help = "How workloads leave clusters, if `triggers` has UnhealthyCluster."},
    {.name = "limits",
     .convert = config_nested,
     .table = limit_keys,
     .type_text = "object",
     .help = "How much one run may move and change. Ballast defers what is over to a later "
             "run."},
    {.name = "balance",
     .convert = config_nested,
     .table = balance_keys,
     .type_text = "object",
     .help = "The way back to the wanted split, if Imbalance is a trigger."},
    {.name = "cooldown",
     .convert = config_nested,
     .table = cooldown_keys,
     .type_text = "object",
     .help = "What Ballast remembers of moves, on the binding."},
    {.name = "schedulerName",
     .convert = config_scheduler,
     .parse = setting_text,
     .type = VALUE_STRING,
     .type_text = "string",
     .default_text = "default-scheduler",
     .help = "Ballast leaves bindings of another scheduler alone."},
    {.name = "preferences",
     .convert = config_preferences,
     .offset = AT(preferences),
     .table = config_preference_keys,
     .type_text = "list of objects",
     .help = "How to spread replicas. The first preference that fits a binding holds, and it "
             "wins over preferences in the fleet."},
    CONFIG_KEY_END,
};
