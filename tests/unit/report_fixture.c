/* SPDX-License-Identifier: Apache-2.0
 *
 * The fleet, what was found of it and decided, and what became of writes.
 */
#include "report_fixture.h"

#include "check.h"

#define TARGETS(list)                                                                              \
    {                                                                                              \
        .items = (list), .count = sizeof(list) / sizeof((list)[0])                                 \
    }

static const struct cluster clusters[] = {{.name = "member1", .region = "eu"},
                                          {.name = "member2", .region = ""},
                                          {.name = "member3", .region = "eu"}};

static const struct target web_before[] = {{"member1", 0, 13}, {"member3", 2, 5}};
static const struct target web_after[] = {{"member1", 0, 4}, {"member2", 1, 9}, {"member3", 2, 5}};
static const struct target broken_before[] = {{"member1", 0, 2}};
static const struct target map_before[] = {{"member1", 0, 0}};
static const struct target fine_before[] = {{"member2", 1, 3}};

static const struct placement divided = {
    .replica_scheduling = {
        .present = true, .type = "Divided", .preference = "", .dynamic_weight = ""}};

#define TEXTS .resource_version = "1", .scheduler_name = ""
const struct binding bindings[] = {
    {.namespace_ = "shop",
     .name = "broken-deployment",
     .resource = {"apps/v1", "Deployment", "shop", "broken", {0, 0}},
     .replicas = 2,
     .clusters = TARGETS(broken_before),
     TEXTS},
    {.namespace_ = "shop",
     .name = "fine-deployment",
     .resource = {"apps/v1", "Deployment", "shop", "fine", {0, 0}},
     .replicas = 3,
     .clusters = TARGETS(fine_before),
     TEXTS},
    {.kind = BINDING_CLUSTER_RESOURCE,
     .namespace_ = "",
     .name = "reader-clusterrole",
     .resource = {"rbac.authorization.k8s.io/v1", "ClusterRole", "", "reader", {0, 0}},
     .clusters = TARGETS(map_before),
     TEXTS},
    {.namespace_ = "shop",
     .name = "web-deployment",
     .resource = {"apps/v1", "Deployment", "shop", "web", {0, 0}},
     .replicas = 18,
     .placement = &divided,
     .clusters = TARGETS(web_before),
     TEXTS},
};

static const struct problem problems[] = {{"control-plane/rb.yaml:12: ResourceBinding shop/bad",
                                           "spec.replicas: want integer, got string"}};

const struct fleet fleet = {.captured_at = NOW,
                            .clusters = clusters,
                            .n_clusters = 3,
                            .bindings = bindings,
                            .n_bindings = 4,
                            .problems = problems,
                            .n_problems = 1};

const struct finding findings[] = {
    {.binding = 0,
     .type = FINDING_FAILED_REPLICAS,
     .cluster = "member1",
     .replicas = 2,
     .since = NOW - 20 * NANOS_PER_MINUTE,
     .blame = BLAME_WORKLOAD,
     .message = "2 of 2 replicas failing since 20m: ImagePullBackOff"},
    {.binding = 2, .type = FINDING_UNPLACED, .cluster = "", .since = TIME_NONE, .message = ""},
    {.binding = 3,
     .type = FINDING_UNSCHEDULABLE_REPLICAS,
     .cluster = "member1",
     .replicas = 9,
     .since = NOW - 34 * NANOS_PER_MINUTE,
     .triggers = true,
     .message = "9 of 13 replicas unschedulable since 34m: \"Insufficient cpu\""},
};

static const struct binding_state states[] = {
    {.first_finding = 0, .n_findings = 1, .first_target = 0, .left_alone_reason = ""},
    {.first_finding = 1, .first_target = 1, .left_alone_reason = ""},
    {.first_finding = 1, .n_findings = 1, .first_target = 2, .left_alone_reason = ""},
    {.first_finding = 2, .n_findings = 1, .first_target = 3, .left_alone_reason = ""},
};

static const struct target_state target_states[] = {
    {.of_state = {[REPLICA_FAILING] = 2}},
    {.ready = -1, .of_state = {[REPLICA_READY] = 3}},
    {.ready = -1},
    {.ready = 3,
     .unschedulable = 9,
     .of_state = {[REPLICA_READY] = 3, [REPLICA_STARTING] = 1, [REPLICA_STUCK] = 9}},
    {.owner = FAILOVER_OWNER_OFF, .of_state = {[REPLICA_LOST] = 5}},
};

static const struct cluster_health health[] = {
    {.healthy = true, .ready = true, .since = TIME_NONE, .lost_at = TIME_NONE, .reason = ""},
    {.healthy = true,
     .since = NOW - NANOS_PER_MINUTE,
     .lost_at = NOW + 4 * NANOS_PER_MINUTE,
     .reason = "Ready is Unknown since 1m"},
    {.healthy = false,
     .lost_at = TIME_NONE,
     .since = NOW - 514 * NANOS_PER_SECOND,
     .reason = "Ready is False since 8m34s (ClusterNotReachable)"},
};

const struct diagnosis diagnosis = {.findings = findings,
                                    .n_findings = 3,
                                    .bindings = states,
                                    .targets = target_states,
                                    .clusters = health,
                                    .n_unhealthy_clusters = 1,
                                    .guard_verdict = "",
                                    .guard_reason = "",
                                    .guard_warning = "",
                                    .lost_groups = "",
                                    .owner_notice = ""};

static const struct reason web_reasons[] = {
    {"Taken", "member1", "9 of 13 replicas leave"},
    {"Given", "member2", "9 more, of room for 20 (nodes)"},
};
static const struct reason broken_reasons[] = {
    {"FailureFollowsWorkload", "member1", "it fails wherever it runs"}};

#define NO_TEXTS .affinity_name = "", .error_type = "", .error_message = ""
const struct decision decisions[] = {
    {.binding = 0,
     .action = ACTION_BLOCKED,
     .before = TARGETS(broken_before),
     .after = TARGETS(broken_before),
     .reasons = broken_reasons,
     .n_reasons = 1,
     NO_TEXTS},
    {.binding = 1, NO_TEXTS},
    {.binding = 2,
     .action = ACTION_BLOCKED,
     .before = TARGETS(map_before),
     .after = TARGETS(map_before),
     .affinity_name = "",
     .error_type = "FitError",
     .error_message = "0/3 clusters are available"},
    {.binding = 3,
     .action = ACTION_MOVE,
     .changes = true,
     .before = TARGETS(web_before),
     .after = TARGETS(web_after),
     .affinity_name = "near",
     .error_type = "",
     .error_message = "",
     .reasons = web_reasons,
     .n_reasons = 2,
     .moved = 9,
     .unplaced = 1},
};
/* nothing is said of the second one: what is shown of it comes from the fleet */
static const struct decision *const by_binding[] = {&decisions[0], NULL, &decisions[2],
                                                    &decisions[3]};
static const uint32_t order[] = {0, 3, 1, 2};

const struct plan plan = {
    .decisions = by_binding,
    .n_decisions = 4,
    .order = order,
    .totals =
        {.bindings = 4,
         .in_scope = 4,
         .changed = 1,
         .by_action = {[ACTION_NONE] = 1, [ACTION_MOVE] = 1, [ACTION_BLOCKED] = 2},
         .findings = {[FINDING_UNSCHEDULABLE_REPLICAS] = 1,
                      [FINDING_FAILED_REPLICAS] = 1,
                      [FINDING_UNPLACED] = 1},
         .finding_bindings = {[FINDING_UNSCHEDULABLE_REPLICAS] = 1,
                              [FINDING_FAILED_REPLICAS] = 1,
                              [FINDING_UNPLACED] = 1},
         .finding_replicas = {[FINDING_UNSCHEDULABLE_REPLICAS] = 9, [FINDING_FAILED_REPLICAS] = 2},
         .errors = 1,
         .replicas_moved = 9,
         .replicas_unplaced = 1},
    .rest = {.is_known = true,
             .reckoned = 1,
             .at_most = 1,
             .clusters = 2,
             .stranded = {[LEDGER_CPU] = {.nano = 1500000000},
                          [LEDGER_MEMORY] = {.nano = (nanos128)1000000000 << 32}}}};

const struct policy policy = {.now = NOW};

static const struct write_outcome writes[] = {{.binding = 3,
                                               .status = WRITE_CONFLICT,
                                               .tries = 6,
                                               .decision = &decisions[3],
                                               .message = "resourceVersion 2, not 1"}};
const struct outcome outcome = {.writes = writes, .n_writes = 1, .n_failed = 1};

static const struct decision no_more = {.binding = 3,
                                        .action = ACTION_BLOCKED,
                                        .affinity_name = "",
                                        .error_type = "",
                                        .error_message = ""};
static const struct write_outcome replanned_writes[] = {
    {.binding = 3,
     .status = WRITE_BLOCKED,
     .tries = 1,
     .decision = &no_more,
     .message = "Suspended: scheduling is suspended"}};
const struct outcome replanned = {.writes = replanned_writes, .n_writes = 1, .n_blocked = 1};

static const struct unseen_member unseen_members[] = {
    {0, "pods", "HTTP 503", true, true},
    {1, "pods", "HTTP 503", true, false},
    {2, "nodes, pods", "timed out", false, false},
};
const struct coverage coverage = {.asked = 3,
                                  .seen = 0,
                                  .unseen = unseen_members,
                                  .n_unseen = 3,
                                  .needed = 2,
                                  .missed = 1,
                                  .is_blind = true};
static const struct coverage well_seen = {.asked = 3, .seen = 3, .needed = 2};
const struct fleet_origin directory = {.path = "fleets/shop"};

static const struct notice notices[] = {{"namespace shp", "no binding is in it"}};
const struct report report = {
    .fleet = &fleet,
    .diagnosis = &diagnosis,
    .coverage = &well_seen,
    .origin = &directory,
    .policy = &policy,
    .plan = &plan,
    .notices = {notices, 1},
};

char *
print_report(const struct report *what, const struct report_options *options)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct error err = ERROR_INIT;

    CHECK_OK(report_write(stream, what, options, &err), err);
    fclose(stream);
    return text;
}
