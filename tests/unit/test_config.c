/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration file: every key reaches the policy, and what is said, and
 * where, when something is wrong.
 */
#include "cli/config/config.h"

#include "ballast/base/timestamp.h"
#include "check.h"

#define HEAD "apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\n"

struct fixture {
    struct arena *arena;
    struct interner *strings;
    struct policy policy;
    struct error err;
};

static void
fixture_init(struct fixture *fixture)
{
    *fixture = (struct fixture){.arena = arena_new(), .strings = interner_new(), .err = ERROR_INIT};
    policy_init(&fixture->policy);
}

static void
fixture_release(struct fixture *fixture)
{
    interner_free(fixture->strings);
    arena_free(fixture->arena);
}

static bool
parse(struct fixture *fixture, const char *text)
{
    return config_parse(&(struct config_text){"b.yaml", text, strlen(text)}, fixture->arena,
                        fixture->strings, &fixture->policy, NULL, &fixture->err);
}

static const struct {
    const char *text, *message;
} refused_texts[] = {
    {"", "b.yaml: want one document, a BallastConfiguration, got 0"},
    {HEAD "---\n" HEAD, "b.yaml: want one document, a BallastConfiguration, got 2"},
    {"- a\n", "b.yaml: want an object, a BallastConfiguration, got list"},
    {"kind: BallastConfiguration\n", "b.yaml:1:1: apiVersion: required"},
    {"apiVersion: ballast.io/v1beta1\n", "b.yaml:1:1: kind: required"},
    {"apiVersion: ballast.io/v1\nkind: BallastConfiguration\n",
     "b.yaml:1:13: apiVersion: want ballast.io/v1beta1, got \"ballast.io/v1\""},
    {"apiVersion: ballast.io/v1beta1\nkind: Configuration\n",
     "b.yaml:2:7: kind: want BallastConfiguration, got \"Configuration\""},
    {HEAD "thresholds:\n  unschedulabel: 5m\n",
     "b.yaml:4:3: unknown field thresholds.unschedulabel: did you mean unschedulable?"},
    {HEAD "tresholds: {}\n", "b.yaml:3:1: unknown field tresholds: did you mean thresholds?"},
    {HEAD "entirely: 1\n", "b.yaml:3:1: unknown field entirely"},
    {HEAD "thresholds: 5m\n", "b.yaml:3:13: thresholds: want object, got string"},
    {HEAD "thresholds:\n  failed: 5\n",
     "b.yaml:4:11: thresholds.failed: want duration, got integer"},
    {HEAD "thresholds:\n  failed: 5 minutes\n",
     "b.yaml:4:11: thresholds.failed: want a duration such as 90s, 5m or 1h30m, got \"5 "
     "minutes\""},
    {HEAD "overcommitProtection: \"false\"\n",
     "b.yaml:3:23: overcommitProtection: want boolean, got string"},
    {HEAD "mode: yes\n", "b.yaml:3:1: mode: want string, got boolean"},
    {HEAD "mode: Evicted\n",
     "b.yaml:3:7: mode: want Place or Evict, got \"Evicted\": did you mean Evict?"},
    {HEAD "mode: [Place]\n", "b.yaml:3:7: mode: want string, got list"},
    {HEAD "maxUnhealthyPercent: 120\n",
     "b.yaml:3:22: maxUnhealthyPercent: want an integer from 0 to 100, got \"120\""},
    {HEAD "maxUnhealthyPercent: 5.5\n", "b.yaml:3:22: maxUnhealthyPercent: want integer, got real"},
    {HEAD "limits: {maxReplicasMoved: 101%}\n",
     "b.yaml:3:28: limits.maxReplicasMoved: want a number such as 20, a share such as 10%, or "
     "-1 for no limit, got \"101%\""},
    {HEAD "limits: {maxBindingsChanged: true}\n",
     "b.yaml:3:10: limits.maxBindingsChanged: want integer or percentage, got boolean"},
    {HEAD "limits: {maxReplicas: 5}\n",
     "b.yaml:3:10: unknown field limits.maxReplicas: did you mean maxReplicasMoved?"},
    {HEAD "limits: {perNamespace: {maxReplicasInMotion: 5}}\n",
     "b.yaml:3:25: unknown field limits.perNamespace.maxReplicasInMotion"},
    {HEAD "limits: {perNamespace: {maxReplicaMoved: 3}}\n",
     "b.yaml:3:25: unknown field limits.perNamespace.maxReplicaMoved: did you mean "
     "maxReplicasMoved?"},
    {HEAD "triggers: [Imbalanced]\n", "b.yaml:3:12: triggers[0]: unknown finding type "
                                      "\"Imbalanced\": did you mean Imbalance?"},
    {HEAD "triggers: {Imbalanced: true}\n", "b.yaml:3:12: triggers: unknown finding type "
                                            "\"Imbalanced\": did you mean Imbalance?"},
    {HEAD "triggers: {orphanedReplicas: true}\n",
     "b.yaml:3:12: triggers: OrphanedReplicas is only reported, and nothing moves for it: leave it "
     "out"},
    {HEAD "triggers: [Imbalance, OrphanedReplicas]\n",
     "b.yaml:3:23: triggers[1]: OrphanedReplicas is only reported, and nothing moves for it: leave "
     "it out"},
    {HEAD "triggers: {Imbalance: 1}\n",
     "b.yaml:3:23: triggers.Imbalance: want boolean, got integer"},
    {HEAD "triggers: Imbalance\n", "b.yaml:3:11: triggers: want list of strings, or map of "
                                   "booleans, got string"},
    {HEAD "scope:\n  namespaces: shop\n",
     "b.yaml:4:15: scope.namespaces: want list of strings, got string"},
    {HEAD "scope:\n  namespaces:\n  - shop\n  - 7\n",
     "b.yaml:6:5: scope.namespaces[1]: want string, got integer"},
    {HEAD "scope:\n  namespaces: [\"a,b\"]\n",
     "b.yaml:4:16: scope.namespaces[0]: want one name, got \"a,b\""},
    {HEAD "scope: {kinds: [deployment]}\n",
     "b.yaml:3:17: scope.kinds[0]: want a kind such as Deployment, got \"deployment\": did you "
     "mean Deployment?"},
    {HEAD "scope: {minPriority: 3000000000}\n",
     "b.yaml:3:22: scope.minPriority: want an integer from -2147483648 to 2147483647, got "
     "\"3000000000\""},
    {HEAD "scope:\n  labelSelector:\n    matchLabels: {-a: b}\n",
     "b.yaml:5:19: scope.labelSelector.matchLabels.-a: label key \"-a\": want letters, digits "
     "and inner '-', '_', '.'"},
    {HEAD "scope:\n  labelSelector:\n    matchLabels: {a: true}\n",
     "b.yaml:5:19: scope.labelSelector.matchLabels.a: want string, got boolean"},
    {HEAD "scope:\n  labelSelector:\n    matchExpressions:\n    - {key: a, operator: Inn}\n",
     "b.yaml:6:26: scope.labelSelector.matchExpressions[0].operator: want In, NotIn, Exists or "
     "DoesNotExist, got \"Inn\": did you mean In?"},
    {HEAD "scope:\n  labelSelector:\n    matchExpressions:\n    - {key: a, operator: In}\n",
     "b.yaml:6:7: scope.labelSelector.matchExpressions[0]: operator In wants values"},
    {HEAD "scope:\n  labelSelector:\n    matchExpressions:\n"
          "    - {key: a, operator: Exists, values: [b]}\n",
     "b.yaml:6:7: scope.labelSelector.matchExpressions[0]: operator Exists takes no values"},
    {HEAD "scope:\n  labelSelector:\n    matchExpressions:\n    - {operator: Exists}\n",
     "b.yaml:6:7: scope.labelSelector.matchExpressions[0].key: required"},
    {HEAD "schedulerName: \"\"\n", "b.yaml:3:16: schedulerName: may not be empty"},
    {HEAD "preferences: {}\n", "b.yaml:3:14: preferences: want list of objects, got object"},
    {HEAD "preferences:\n- clusters:\n    a: {wieght: 1}\n",
     "b.yaml:5:9: unknown field preferences[0].clusters.a.wieght: did you mean weight?"},
    {HEAD "preferences:\n- clusters:\n    a: {minReplicas: 3, maxReplicas: 2}\n",
     "b.yaml:5:5: preferences[0].clusters.a: maxReplicas is below minReplicas"},
    {HEAD "preferences:\n- clusters:\n    a: {weight: -1}\n",
     "b.yaml:5:17: preferences[0].clusters.a.weight: want an integer from 0 to 2147483647, got "
     "\"-1\""},
    {HEAD "preferences:\n- clusters: {\"\": {}}\n",
     "b.yaml:4:14: preferences[0].clusters.: want the name of a cluster or \"*\""},
    {HEAD "preferences:\n- selector: {namespace: [a]}\n", "b.yaml:4:14: unknown field "
                                                          "preferences[0].selector.namespace: "
                                                          "did you mean namespaces?"},
};

static void
test_refused(void)
{
    for (size_t i = 0; i < sizeof(refused_texts) / sizeof(refused_texts[0]); i++) {
        struct fixture fixture;

        fixture_init(&fixture);
        CHECK_MSG(!parse(&fixture, refused_texts[i].text), "case %zu was taken: %s", i,
                  refused_texts[i].text);
        CHECK_STR(fixture.err.message, refused_texts[i].message);
        CHECK_INT(fixture.err.code, ERROR_CONFIG);
        fixture_release(&fixture);
    }
}

static void
test_malformed(void)
{
    struct fixture fixture;

    fixture_init(&fixture);
    CHECK(!parse(&fixture, HEAD "thresholds: [\n"));
    CHECK_CONTAINS(fixture.err.message, "b.yaml:4:1:");
    CHECK_INT(fixture.err.code, ERROR_CONFIG);
    fixture_release(&fixture);
}

static const char full[] =
    HEAD "thresholds: {unschedulable: 10m, failed: 90s, unhealthyCluster: 1h30m}\n"
         "triggers: {Imbalance: true, FailedReplicas: false}\n"
         "scope:\n"
         "  namespaces: [shop, pay]\n"
         "  excludeNamespaces: [kube-system]\n"
         "  kinds: [Deployment, Job]\n"
         "  minPriority: -5\n"
         "  labelSelector:\n"
         "    matchLabels: {tier: web, app: x}\n"
         "    matchExpressions:\n"
         "    - {key: env, operator: NotIn, values: [dev, \"\"]}\n"
         "    - {key: canary, operator: DoesNotExist}\n"
         "movableKinds: [StatefulSet, Job]\n"
         "mode: Evict\n"
         "overcommitProtection: false\n"
         "maxUnhealthyPercent: 30\n"
         "limits:\n"
         "  maxReplicasMoved: 500\n"
         "  maxBindingsChanged: 10%\n"
         "  perNamespace: {maxReplicasMoved: \"20\", maxBindingsChanged: 0}\n"
         "  perSourceCluster: {maxReplicasMoved: 100%}\n"
         "  perDestinationCluster: {maxReplicasMoved: -1}\n"
         "  perWorkload: {maxReplicasInMotion: 0%}\n"
         "cooldown: {initial: 30s, max: 1h30m, maxAttempts: 1}\n"
         "schedulerName: other\n";

static void
check_scope(const struct scope *scope)
{
    static const struct label web[] = {{"app", "x"}, {"env", "prod"}, {"tier", "web"}};
    static const struct label dev[] = {{"app", "x"}, {"env", "dev"}, {"tier", "web"}};
    static const struct label_list taken = {web, 3, true}, refused = {dev, 3, true};

    CHECK_INT(scope->namespaces.count, 2);
    CHECK(str_list_has(&scope->namespaces, "pay"));
    CHECK(str_list_has(&scope->exclude_namespaces, "kube-system"));
    CHECK(str_list_has(&scope->kinds, "Job"));
    CHECK(scope->has_min_priority);
    CHECK_INT(scope->min_priority, -5);
    CHECK(label_selector_is_valid(scope->labels));
    CHECK(label_selector_matches(scope->labels, &taken));
    CHECK(!label_selector_matches(scope->labels, &refused));
}

static void
check_limits(const struct limits *limits)
{
    static const struct limit want[] = {
        [LIMIT_RUN_REPLICAS] = {LIMIT_UNIT_COUNT, 500},
        [LIMIT_RUN_BINDINGS] = {LIMIT_UNIT_PERCENT, 10},
        [LIMIT_NAMESPACE_REPLICAS] = {LIMIT_UNIT_COUNT, 20},
        [LIMIT_NAMESPACE_BINDINGS] = {LIMIT_UNIT_COUNT, 0},
        [LIMIT_SOURCE_REPLICAS] = {LIMIT_UNIT_PERCENT, 100},
        [LIMIT_DESTINATION_REPLICAS] = {LIMIT_UNIT_NONE, 0},
        [LIMIT_WORKLOAD_IN_MOTION] = {LIMIT_UNIT_PERCENT, 0},
    };

    for (int rule = 0; rule < N_LIMIT_RULES; rule++) {
        CHECK_INT(limits->of[rule].unit, want[rule].unit);
        CHECK_INT(limits->of[rule].value, want[rule].value);
    }
}

static void
test_full(void)
{
    struct fixture fixture;
    const struct policy *policy = &fixture.policy;

    fixture_init(&fixture);
    if (CHECK_OK(parse(&fixture, full), fixture.err)) {
        CHECK_INT(policy->unschedulable_threshold, 10 * NANOS_PER_MINUTE);
        CHECK_INT(policy->failed_threshold, 90 * NANOS_PER_SECOND);
        CHECK_INT(policy->unhealthy_cluster_threshold, 90 * NANOS_PER_MINUTE);
        CHECK(policy->triggers[FINDING_IMBALANCE]);
        CHECK(!policy->triggers[FINDING_FAILED_REPLICAS]);
        CHECK(policy->triggers[FINDING_UNSCHEDULABLE_REPLICAS]);
        check_scope(&policy->scope);
        CHECK(str_list_has(&policy->movable_kinds, "StatefulSet"));
        CHECK_INT(policy->mode, MODE_EVICT);
        CHECK(!policy->overcommit_protection);
        CHECK_INT(policy->max_unhealthy_percent, 30);
        check_limits(&policy->limits);
        CHECK_INT(policy->cooldown.initial, 30 * NANOS_PER_SECOND);
        CHECK_INT(policy->cooldown.max, 90 * NANOS_PER_MINUTE);
        CHECK_INT(policy->cooldown.max_attempts, 1);
        CHECK_STR(policy->scheduler_name, "other");
    }
    fixture_release(&fixture);
}

static void
test_trigger_list(void)
{
    struct fixture fixture;

    fixture_init(&fixture);
    if (CHECK_OK(parse(&fixture, HEAD "triggers: [Imbalance, UnhealthyCluster]\n"), fixture.err)) {
        for (int type = 0; type < N_FINDING_TYPES; type++) {
            CHECK_INT(fixture.policy.triggers[type],
                      type == FINDING_IMBALANCE || type == FINDING_UNHEALTHY_CLUSTER);
        }
    }
    fixture_release(&fixture);
}

/* What is left out, or null, keeps its default. */
static void
test_defaults(void)
{
    struct fixture fixture;
    struct policy defaults;

    fixture_init(&fixture);
    policy_init(&defaults);
    CHECK_OK(parse(&fixture, HEAD "thresholds: null\nscope: {namespaces: null}\nmode:\n"),
             fixture.err);
    CHECK_INT(fixture.policy.failed_threshold, defaults.failed_threshold);
    CHECK_INT(fixture.policy.scope.namespaces.count, 0);
    CHECK_INT(fixture.policy.mode, defaults.mode);
    CHECK(!limits_any(&fixture.policy.limits));
    fixture_release(&fixture);
}

static void
check_first_preference(const struct preference *preference)
{
    CHECK_STR(preference->origin, "configuration: preferences[0] (web)");
    CHECK(str_list_has(&preference->scope.namespaces, "shop"));
    CHECK(str_list_has(&preference->scope.names, "web"));
    CHECK(str_list_has(&preference->scope.kinds, "Deployment"));
    CHECK(str_list_has(&preference->scope.api_versions, "apps/v1"));
    CHECK(preference->scope.labels != NULL);
    CHECK(preference->rebalance);
    CHECK_INT(preference->total_replicas, 9);
    if (CHECK_INT(preference->n_clusters, 2)) {
        CHECK_STR(preference->clusters[0].name, "*");
        CHECK_INT(preference->clusters[0].max_replicas, 10);
        CHECK_INT(preference->clusters[0].weight, 1);
        CHECK_STR(preference->clusters[1].name, "eu-1");
        CHECK_INT(preference->clusters[1].min_replicas, 3);
        CHECK_INT(preference->clusters[1].max_replicas, PREFERENCE_UNLIMITED);
    }
}

static void
test_preferences(void)
{
    struct fixture fixture;

    fixture_init(&fixture);
    if (CHECK_OK(parse(&fixture, HEAD "preferences:\n"
                                      "- name: web\n"
                                      "  selector:\n"
                                      "    namespaces: [shop]\n"
                                      "    names: [web]\n"
                                      "    kinds: [Deployment]\n"
                                      "    apiVersions: [apps/v1]\n"
                                      "    labelSelector: {}\n"
                                      "  rebalance: true\n"
                                      "  totalReplicas: 9\n"
                                      "  clusters:\n"
                                      "    eu-1: {minReplicas: 3, weight: 2}\n"
                                      "    \"*\": {maxReplicas: 10, weight: 1}\n"
                                      "- {}\n"),
                 fixture.err) &&
        CHECK_INT(fixture.policy.preferences.count, 2)) {
        const struct preference *second = &fixture.policy.preferences.items[1];

        check_first_preference(&fixture.policy.preferences.items[0]);
        CHECK_STR(second->origin, "configuration: preferences[1]");
        CHECK_INT(second->total_replicas, -1);
        CHECK(!second->rebalance && second->scope.labels == NULL);
        if (CHECK_INT(second->n_clusters, 1)) {
            CHECK_STR(second->clusters[0].name, "*");
            CHECK_INT(second->clusters[0].weight, 1);
        }
    }
    fixture_release(&fixture);
}

static void
test_missing_file(void)
{
    struct fixture fixture;

    fixture_init(&fixture);
    CHECK(!config_load("/nonexistent/b.yaml", fixture.arena, fixture.strings, &fixture.policy, NULL,
                       &fixture.err));
    CHECK_STR(fixture.err.message, "/nonexistent/b.yaml: No such file or directory");
    CHECK(!config_load("/", fixture.arena, fixture.strings, &fixture.policy, NULL, &fixture.err));
    CHECK_CONTAINS(fixture.err.message, "directory");
    fixture_release(&fixture);
}

static void
test_endless_file(void)
{
    struct fixture fixture;

    fixture_init(&fixture);
    CHECK(!config_load("/dev/zero", fixture.arena, fixture.strings, &fixture.policy, NULL,
                       &fixture.err));
    CHECK_STR(fixture.err.message, "/dev/zero: larger than 4194304 bytes");
    CHECK_INT(fixture.err.code, ERROR_CONFIG);
    fixture_release(&fixture);
}

void suite_config(void);

void
suite_config(void)
{
    check_suite("config");
    check_test("refused", test_refused);
    check_test("malformed", test_malformed);
    check_test("full", test_full);
    check_test("trigger list", test_trigger_list);
    check_test("defaults", test_defaults);
    check_test("preferences", test_preferences);
    check_test("missing file", test_missing_file);
    check_test("a file without an end", test_endless_file);
}
