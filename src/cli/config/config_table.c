/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of keys of a BallastConfiguration.
 */
#include <stddef.h>

#include "config_key.h"

#define AT(member) offsetof(struct policy, member)
#define TAKES(what, member) .type = &(what), .offset = AT(member)
#define CHOICE(member, words) TAKES(config_choice, member), .param = {.choices = (words)}
#define NUMBER(what, member, min, max) TAKES(what, member), .param = {.range = {(min), (max)}}
#define OBJECT(keys) .type = &config_struct, .table = (keys)

static const struct config_key threshold_keys[] = {
    {.name = "unschedulable",
     TAKES(config_duration, unschedulable_threshold),
     .default_text = "5m",
     .help = "How long a pod must have been unschedulable to count as stuck."},
    {.name = "failed",
     TAKES(config_duration, failed_threshold),
     .default_text = "5m",
     .help = "How long a pod must have failed to start or to stay up."},
    {.name = "unhealthyCluster",
     TAKES(config_duration, unhealthy_cluster_threshold),
     .default_text = "5m",
     .help = "How long a cluster must have been not ready to count as lost."},
    {.name = "inFlight",
     TAKES(config_duration, in_flight_threshold),
     .default_text = "10m",
     .help =
         "How long assigned replicas that their cluster does not show hold capacity there, "
         "from the last time that they were scheduled or moved. After that they hold none, unless "
         "their controller is about to create them: it made a pod of the workload, or started "
         "the Job, less than this long ago."},
    {.name = "clusterStabilization",
     TAKES(config_duration, cluster_stabilization),
     .default_text = "5m",
     .help = "How long a cluster must have been ready before it is given replicas."},
    CONFIG_KEY_END,
};

static const struct config_key failover_keys[] = {
    {.name = "purgeMode",
     CHOICE(failover.purge_mode, purge_mode_choices),
     .default_text = "Gracefully",
     .help = "What happens to the objects in a cluster that a workload leaves. A binding's "
             "own failover behaviour wins."},
    {.name = "gracePeriodSeconds",
     NUMBER(config_int, failover.grace_period_seconds, 0, INT32_MAX),
     .default_text = "0",
     .help = "How long they stay at most in mode Gracefully; with 0 the control plane "
             "decides (10 minutes, unless its controller manager says otherwise)."},
    {.name = "notReadyTolerationSeconds",
     NUMBER(config_int64, failover.not_ready_toleration, 0, INT32_MAX),
     .default_text = "0",
     .help = "How long a binding stays in a cluster whose Ready is False, from when it "
             "became so. A toleration of cluster.karmada.io/not-ready:NoExecute in the "
             "placement wins. It never shortens `thresholds.unhealthyCluster`."},
    {.name = "unreachableTolerationSeconds",
     NUMBER(config_int64, failover.unreachable_toleration, 0, INT32_MAX),
     .default_text = "0",
     .help = "The same for a cluster whose Ready is Unknown, and for the taint "
             "cluster.karmada.io/unreachable."},
    {.name = "operatorTaints",
     TAKES(config_bool, failover.heeds_taints),
     .default_text = "false",
     .help = "Whether workloads leave a cluster for a NoExecute taint that they do not tolerate, "
             "although `triggers` leaves UnhealthyCluster out. The taints that Karmada sets for "
             "the Ready condition do not count."},
    {.name = "karmada",
     CHOICE(failover.karmada, karmada_failover_choices),
     .default_text = "Auto",
     .help = "Whether Ballast leaves clusters with a NoExecute taint to Karmada's own failover."},
    {.name = "kubefed",
     CHOICE(failover.kubefed, kubefed_failover_choices),
     .default_text = "Keep",
     .help = "In a fleet of KubeFed's: what becomes of the replicas written for a lost cluster "
             "once others take their place."},
    CONFIG_KEY_END,
};

static const struct config_key guard_keys[] = {
    {.name = "groupBy",
     CHOICE(guard_by, guard_group_choices),
     .default_text = "auto",
     .help = "Which clusters fail together. "
             "Ballast fails over a group that is lost as a whole while most others are well."},
    CONFIG_KEY_END,
};

static const struct config_key record_keys[] = {
    {.name = "directory",
     TAKES(config_text, records.directory),
     .help = "Where a run or an undo that writes leaves a record of it: a directory, or "
             "configmap:[NAMESPACE/]PREFIX, ConfigMaps of the control plane."},
    {.name = "keep",
     NUMBER(config_int, records.keep, 0, 1000000),
     .default_text = "500",
     .help = "How many records stay there, the latest. 0: all."},
    CONFIG_KEY_END,
};

static const struct config_key scope_keys[] = {
    {.name = "namespaces",
     TAKES(config_names, scope.namespaces),
     .help = "Only bindings in these namespaces; all if left out or empty."},
    {.name = "excludeNamespaces",
     TAKES(config_names, scope.exclude_namespaces),
     .help = "No bindings in these namespaces."},
    {.name = "kinds",
     TAKES(config_kinds, scope.kinds),
     .help = "Only bindings of these kinds of workload; all if left out or empty."},
    {.name = "labelSelector",
     .type = &config_selector,
     .offset = AT(scope.labels),
     .table = config_selector_keys,
     .help = "Only workloads whose labels match. A label is the workload's own, else its "
             "binding's. As `--selector`."},
    {.name = "minPriority",
     .type = &(const struct config_type){config_scalar, .parse = setting_min_priority,
                                         .type = VALUE_INTEGER, .text = "integer",
                                         .shape = SHAPE_INTEGER},
     .offset = AT(scope),
     .param = {.range = {INT32_MIN, INT32_MAX}},
     .help = "Only bindings of this schedule priority or a higher one. A binding without one "
             "has 0."},
    CONFIG_KEY_END,
};

static const struct config_key cooldown_keys[] = {
    {.name = "initial",
     TAKES(config_duration, cooldown.initial),
     .default_text = "1h",
     .help = "How long replicas stay away from a cluster where they were stuck. It doubles with "
             "each move that follows one that did not help. After a loss they stay away until the "
             "cluster has been Ready for 5m, or for this time if it is less."},
    {.name = "max",
     TAKES(config_duration, cooldown.max),
     .default_text = "6h",
     .help = "The longest cooldown, and how long after its last move Ballast forgets the "
             "moves of a binding."},
    {.name = "maxAttempts",
     NUMBER(config_int, cooldown.max_attempts, 1, 1000),
     .default_text = "5",
     .help = "After this number of moves in a row that did not help, Ballast moves nothing until "
             "the workload's requests change or its moves are forgotten."},
    CONFIG_KEY_END,
};

#define LIMIT_KEY(key, rule, text)                                                                 \
    {                                                                                              \
        .name = (key), .type = &config_limit, .offset = AT(limits.of[rule]), .default_text = "-1", \
        .help = (text)                                                                             \
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
    {.name = "perNamespace", OBJECT(namespace_limit_keys), .help = "In each namespace."},
    {.name = "perSourceCluster", OBJECT(source_limit_keys), .help = "Away from each cluster."},
    {.name = "perDestinationCluster", OBJECT(destination_limit_keys), .help = "To each cluster."},
    {.name = "perWorkload", OBJECT(workload_limit_keys), .help = "For each workload."},
    CONFIG_KEY_END,
};

static const struct config_key balance_keys[] = {
    {.name = "staticWeights",
     TAKES(config_bool, balance.static_weights),
     .default_text = "false",
     .help = "Restore static weight lists, too, and not only preferences with `rebalance`."},
    {.name = "aggregated",
     TAKES(config_bool, balance.aggregated),
     .default_text = "false",
     .help = "Gather replicas that the strategy Aggregated has split over more clusters than "
             "they need now."},
    {.name = "dynamicWeights",
     TAKES(config_bool, balance.dynamic_weights),
     .default_text = "false",
     .help = "Give replicas of dynamic weights back to a cluster that was lost and has returned."},
    {.name = "duplicated",
     TAKES(config_bool, balance.duplicated),
     .default_text = "false",
     .help = "Copy what is Duplicated to every cluster that its placement selects: to one that has "
             "returned, for example."},
    {.name = "moveRunning",
     TAKES(config_bool, balance.move_running),
     .default_text = "false",
     .help = "Also move replicas that are ready to restore the split; else only those that "
             "are not."},
    {.name = "stabilizationWindow",
     TAKES(config_duration, balance.stabilization),
     .default_text = "10m",
     .help = "How long a cluster must have been ready before replicas return to it."},
    CONFIG_KEY_END,
};

static const struct config_key growth_keys[] = {
    {.name = "wait",
     TAKES(config_duration, growth.wait),
     .default_text = "15m",
     .help = "How long a pod in such a cluster may be unschedulable before it counts as stuck, if "
             "that is longer than `thresholds.unschedulable`."},
    {.name = "clusters",
     .type = &(const struct config_type){config_growth_rules, .text = "list of objects",
                                         .shape = SHAPE_OBJECTS},
     .offset = AT(growth.rules),
     .table = config_growth_rule_keys,
     .help = "Which clusters, and how far they may grow. The first entry that fits a cluster "
             "holds."},
    CONFIG_KEY_END,
};

static const struct config_key push_keys[] = {
    {.name = "url",
     TAKES(config_push_url, metrics.push.url),
     .help = "Push metrics of each run there. As `--metrics-push`."},
    {.name = "authFile",
     TAKES(config_text, metrics.push.auth_file),
     .help = "USER:PASSWORD for it, in a file that others may not read."},
    {.name = "caFile",
     TAKES(config_text, metrics.push.ca_file),
     .default_text = "the system's",
     .help = "The certificates of those who signed its certificate."},
    CONFIG_KEY_END,
};

static const struct config_key metrics_keys[] = {
    {.name = "file",
     TAKES(config_text, metrics.file),
     .help = "Write metrics of each run there. As `--metrics-file`."},
    {.name = "controlPlane",
     TAKES(config_text, metrics.control_plane),
     .default_text = "its server, or the fleet's files",
     .help = "What metrics call the control plane."},
    {.name = "bindings",
     TAKES(config_bool, metrics.bindings),
     .default_text = "false",
     .help = "Also write metrics of each binding that has a finding, moves, or cannot."},
    {.name = "push", OBJECT(push_keys), .help = "A Prometheus Pushgateway."},
    CONFIG_KEY_END,
};

const struct config_key config_keys[] = {
    {.name = "apiVersion",
     .type =
         &(const struct config_type){config_api_version, .text = "string", .shape = SHAPE_VERSION},
     .required = true,
     .help =
         "`" CONFIG_API_VERSION "`. `" CONFIG_OLDER_API_VERSION "` is deprecated, and read until "
         "version 2.0.0."},
    {.name = "kind",
     .type = &(const struct config_type){config_kind, .text = "string", .shape = SHAPE_CONSTANT},
     .required = true,
     .help = "`" CONFIG_KIND "`."},
    {.name = "thresholds",
     OBJECT(threshold_keys),
     .help = "How long something must have been wrong to become a finding."},
    {.name = "members",
     .is_advanced = true,
     .type = &(const struct config_type){config_sources, .text = "list of strings",
                                         .shape = SHAPE_SOURCES},
     .offset = AT(sources),
     .default_text = "[pods, nodes, status]",
     .help = "The sources that tell about the members, the preferred one first: `pods`, "
             "`nodes`, `estimator`, `status`. An empty list is the same as `[status]`."},
    {.name = "allowUnseenMembers",
     TAKES(config_limit, allow_unseen),
     .default_text = "0",
     .help = "How many members, or what share of them, may stay unseen. Members count that "
             "are ready and hold replicas in scope. If more of them are unseen, the run ends "
             "with exit status 4. -1: any number."},
    {.name = "memberSecretNamespaces",
     .is_advanced = true,
     TAKES(config_names, trust.secret_namespaces),
     .default_text = "[karmada-cluster]",
     .help = "The namespaces whose Secrets Ballast may use to reach members directly. It "
             "does not see a member whose Cluster names a Secret elsewhere."},
    {.name = "allowInsecureMembers",
     .is_advanced = true,
     TAKES(config_bool, trust.allow_insecure),
     .default_text = "false",
     .help = "Send a member's credential even if its Cluster says not to verify TLS. Then "
             "a user who may write a Cluster can have any Secret of `memberSecretNamespaces` "
             "sent to a server of his own."},
    {.name = "triggers",
     .type =
         &(const struct config_type){config_triggers, .text = "list of strings, or map of booleans",
                                     .shape = SHAPE_TRIGGERS},
     .offset = AT(triggers),
     .default_text = "see concepts",
     .help = "The findings that make the planner act. A list replaces the default; a map such as "
             "`{Imbalance: true, FailedReplicas: false}` edits it."},
    {.name = "scope", OBJECT(scope_keys), .help = "Which bindings Ballast looks at."},
    {.name = "movableKinds",
     .is_advanced = true,
     TAKES(config_kinds, movable_kinds),
     .help = "The kinds that Ballast may move although a move can lose state or restart work: "
             "StatefulSet, Job, and kinds of custom resources, which go as a whole. Jobs leave a "
             "lost cluster in any case."},
    {.name = "divisibleKinds",
     .is_advanced = true,
     TAKES(config_kinds, divisible_kinds),
     .help = "The kinds of custom resources whose replicas work in parts, each for itself, so that "
             "Ballast may move some of them. It knows Deployment, ReplicaSet, CloneSet, and those "
             "for which a ResourceInterpreterCustomization has a `replicaRevision`."},
    {.name = "movableStorageClasses",
     .is_advanced = true,
     TAKES(config_names, movable_storage_classes),
     .help = "The storage classes whose ReadWriteOnce claims do not keep a workload where it is: "
             "what is in them stays behind, or follows by other means. `*`: any."},
    {.name = "mode",
     CHOICE(mode, write_mode_choices),
     .default_text = "Place",
     .help = "What a run writes."},
    {.name = "overcommitProtection",
     .is_advanced = true,
     TAKES(config_bool, overcommit_protection),
     .default_text = "true",
     .help = "Room that one binding gets is not free for the next one."},
    {.name = "maxUnhealthyPercent",
     NUMBER(config_int, max_unhealthy_percent, 0, 100),
     .default_text = "55",
     .help = "The disruption guard: if this share of the clusters looks unhealthy at once, "
             "Ballast fails over no cluster and exits with 3."},
    {.name = "guard",
     .is_advanced = true,
     OBJECT(guard_keys),
     .help = "More about the disruption guard."},
    {.name = "failover",
     OBJECT(failover_keys),
     .help = "How workloads leave clusters, if `triggers` has UnhealthyCluster."},
    {.name = "limits",
     OBJECT(limit_keys),
     .help = "How much one run may move and change. Ballast defers what is over to a later "
             "run."},
    {.name = "balance",
     .is_advanced = true,
     OBJECT(balance_keys),
     .help = "The way back to the wanted split, if Imbalance is a trigger."},
    {.name = "growth",
     .is_advanced = true,
     OBJECT(growth_keys),
     .help = "Clusters to which an autoscaler adds nodes. Lost replicas that find no capacity "
             "anywhere wait there as pending pods, so that the autoscaler sees them."},
    {.name = "cooldown",
     OBJECT(cooldown_keys),
     .help = "What Ballast remembers of moves, on the binding."},
    {.name = "metrics",
     .is_advanced = true,
     OBJECT(metrics_keys),
     .help = "Where a run writes its metrics."},
    {.name = "record",
     .is_advanced = true,
     OBJECT(record_keys),
     .help = "What a run writes down, to be looked up and taken back later."},
    {.name = "schedulerName",
     .is_advanced = true,
     .type = &config_text,
     .offset = AT(scheduler_name),
     .where = AT(scheduler_where),
     .default_text = "default-scheduler",
     .help = "Ballast leaves bindings of another scheduler alone."},
    {.name = "preferences",
     .type = &(const struct config_type){config_preferences, .text = "list of objects",
                                         .shape = SHAPE_OBJECTS},
     .offset = AT(preferences),
     .table = config_preference_keys,
     .help = "How to spread replicas. The first preference that fits a binding holds, and it "
             "wins over preferences in the fleet."},
    CONFIG_KEY_END,
};
