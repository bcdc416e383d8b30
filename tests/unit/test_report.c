/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports of a small fleet made by hand: a move, a blocked crash loop, an
 * object without replicas that cannot be placed, and one that is fine; and one
 * with names that want to do harm.
 */
#include "ballast/report.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/emitter.h"
#include "ballast/timestamp.h"
#include "check.h"
#include "golden.h"

#define NOW INT64_C(1777629600000000000) /* 2026-05-01T10:00:00Z */
#define TARGETS(list)                                                                              \
    {                                                                                              \
        .items = (list), .count = sizeof(list) / sizeof((list)[0])                                 \
    }

static const struct cluster clusters[] = {
    {.name = "member1"}, {.name = "member2"}, {.name = "member3"}};

static const struct target web_before[] = {{"member1", 0, 13, NULL}, {"member3", 2, 5, NULL}};
static const struct target web_after[] = {
    {"member1", 0, 4, NULL}, {"member2", 1, 9, NULL}, {"member3", 2, 5, NULL}};
static const struct target broken_before[] = {{"member1", 0, 2, NULL}};
static const struct target map_before[] = {{"member1", 0, 0, NULL}};
static const struct target fine_before[] = {{"member2", 1, 3, NULL}};

#define TEXTS .uid = "", .resource_version = "1", .scheduler_name = ""
static const struct binding bindings[] = {
    {.namespace_ = "shop",
     .name = "broken-deployment",
     .resource = {"apps/v1", "Deployment", "shop", "broken", ""},
     .replicas = 2,
     .clusters = TARGETS(broken_before),
     TEXTS},
    {.namespace_ = "shop",
     .name = "fine-deployment",
     .resource = {"apps/v1", "Deployment", "shop", "fine", ""},
     .replicas = 3,
     .clusters = TARGETS(fine_before),
     TEXTS},
    {.kind = BINDING_CLUSTER_RESOURCE,
     .namespace_ = "",
     .name = "reader-clusterrole",
     .resource = {"rbac.authorization.k8s.io/v1", "ClusterRole", "", "reader", ""},
     .clusters = TARGETS(map_before),
     TEXTS},
    {.namespace_ = "shop",
     .name = "web-deployment",
     .resource = {"apps/v1", "Deployment", "shop", "web", ""},
     .replicas = 18,
     .clusters = TARGETS(web_before),
     TEXTS},
};

static const struct problem problems[] = {{"control-plane/rb.yaml:12: ResourceBinding shop/bad",
                                           "spec.replicas: want integer, got string"}};

static const struct fleet fleet = {.captured_at = NOW,
                                   .clusters = clusters,
                                   .n_clusters = 3,
                                   .bindings = bindings,
                                   .n_bindings = 4,
                                   .problems = problems,
                                   .n_problems = 1};

static const struct finding findings[] = {
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
    {.first_finding = 0, .n_findings = 1, .left_alone_reason = ""},
    {.first_finding = 1, .left_alone_reason = ""},
    {.first_finding = 1, .n_findings = 1, .left_alone_reason = ""},
    {.first_finding = 2, .n_findings = 1, .left_alone_reason = ""},
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

static const struct diagnosis diagnosis = {.findings = findings,
                                           .n_findings = 3,
                                           .bindings = states,
                                           .clusters = health,
                                           .n_unhealthy_clusters = 1,
                                           .guard_verdict = "",
                                           .guard_reason = "",
                                           .lost_groups = "",
                                           .owner_notice = ""};

static const struct reason web_reasons[] = {
    {"Taken", "member1", "9 of 13 replicas leave"},
    {"Given", "member2", "9 more, of room for 20 (nodes)"},
};
static const struct reason broken_reasons[] = {
    {"FailureFollowsWorkload", "member1", "it fails wherever it runs"}};

#define NO_TEXTS .affinity_name = "", .error_type = "", .error_message = ""
static const struct decision decisions[] = {
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

static const struct plan plan = {
    .decisions = by_binding,
    .n_decisions = 4,
    .order = order,
    .totals = {
        .bindings = 4,
        .changed = 1,
        .by_action = {[ACTION_NONE] = 1, [ACTION_MOVE] = 1, [ACTION_BLOCKED] = 2},
        .blocked = 2,
        .findings = {[FINDING_UNSCHEDULABLE_REPLICAS] = 1,
                     [FINDING_FAILED_REPLICAS] = 1,
                     [FINDING_UNPLACED] = 1},
        .finding_bindings = {[FINDING_UNSCHEDULABLE_REPLICAS] = 1,
                             [FINDING_FAILED_REPLICAS] = 1,
                             [FINDING_UNPLACED] = 1},
        .finding_replicas = {[FINDING_UNSCHEDULABLE_REPLICAS] = 9, [FINDING_FAILED_REPLICAS] = 2},
        .errors = 1,
        .replicas_moved = 9,
        .replicas_unplaced = 1}};

static const struct policy policy = {.now = NOW};

static const struct write_outcome writes[] = {{.binding = 3,
                                               .status = WRITE_CONFLICT,
                                               .tries = 6,
                                               .decision = &decisions[3],
                                               .message = "resourceVersion 2, not 1"}};
static const struct outcome outcome = {.writes = writes, .n_writes = 1, .n_failed = 1};

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
static const struct outcome replanned = {.writes = replanned_writes, .n_writes = 1, .n_blocked = 1};

static const struct unseen_member unseen_members[] = {
    {0, "pods", "HTTP 503", true, true},
    {1, "pods", "HTTP 503", true, false},
    {2, "nodes, pods", "timed out", false, false},
};
static const struct sight sight = {.asked = 3,
                                   .seen = 0,
                                   .unseen = unseen_members,
                                   .n_unseen = 3,
                                   .needed = 2,
                                   .missed = 1,
                                   .is_blind = true};
static const struct sight well_seen = {.asked = 3, .seen = 3, .needed = 2};
static const struct report_source directory = {.path = "fleets/shop"};

static const struct notice notices[] = {{"namespace shp", "no binding is in it"}};
static const struct report report = {
    .fleet = &fleet,
    .diagnosis = &diagnosis,
    .sight = &well_seen,
    .source = &directory,
    .policy = &policy,
    .plan = &plan,
    .notices = {notices, 1},
};

/* The report as text; to be freed. */
static char *
print(const struct report *what, const struct report_options *options)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct error err = ERROR_INIT;

    CHECK_OK(report_write(stream, what, options, &err), err);
    fclose(stream);
    return text;
}

static void
check_report_golden(const struct report_options *options, const char *path)
{
    char *got = print(&report, options);

    check_golden(path, got);
    free(got);
}

static void
test_golden(void)
{
    static const struct {
        struct report_options options;
        const char *path;
    } cases[] = {
        {{.format = REPORT_DIFF, .dry_run = true}, "tests/unit/golden/report.diff"},
        {{.format = REPORT_TABLE, .dry_run = true, .all = true}, "tests/unit/golden/report.table"},
        {{.format = REPORT_JSON, .dry_run = true}, "tests/unit/golden/report.json"},
        {{.format = REPORT_YAML, .dry_run = true}, "tests/unit/golden/report.yaml"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_report_golden(&cases[i].options, cases[i].path);
    }
}

/* Every form begins with which fleet it is, and what of it was not seen. */
static void
test_heading(void)
{
    static const struct report_source live = {
        .server = "https://karmada:5443", .context = "prod", .user = "oncall"};
    static const struct report_source in_cluster = {
        .server = "https://10.0.0.1:443", .context = "", .user = "ops/ballast"};
    static const struct {
        enum report_format format;
        const struct report_source *source;
        const char *want;
    } cases[] = {
        {REPORT_DIFF, &live, "\n  fleet        https://karmada:5443, context prod, as oncall\n"},
        {REPORT_TABLE, &in_cluster,
         "\n  fleet        https://10.0.0.1:443, from within, as ops/ballast\n"},
        {REPORT_JSON, &live,
         "  \"source\": {\n    \"server\": \"https://karmada:5443\",\n"
         "    \"context\": \"prod\",\n    \"user\": \"oncall\",\n"},
        {REPORT_DIFF, &directory,
         "\n  members      0 of 3 seen; member1, member2 NOT SEEN: pods: HTTP 503\n"
         "               member3 not seen (not ready): nodes, pods: timed out\n"
         "  blind        1 of 2 members that are ready and hold replicas in scope were not seen: "
         "what is wrong there is not known\n"},
        {REPORT_JSON, &directory,
         "        {\n          \"name\": \"member1\",\n          \"parts\": \"pods\",\n"
         "          \"message\": \"HTTP 503\",\n          \"ready\": true,\n"
         "          \"missed\": true\n        },\n"},
        {REPORT_JSON, &directory,
         "      \"needed\": 2,\n      \"missed\": 1,\n      \"blind\": true,\n"},
        {REPORT_JSON, &directory,
         "    {\n      \"object\": \"member member2\",\n"
         "      \"message\": \"not seen: pods: HTTP 503\"\n    }\n"},
    };
    struct report told = report;

    told.sight = &sight;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct report_options options = {.format = cases[i].format};

        told.source = cases[i].source;
        char *got = print(&told, &options);

        CHECK_CONTAINS(got, cases[i].want);
        free(got);
    }
}

/* What became of a write is told in every form. */
static void
test_outcome(void)
{
    static const struct {
        enum report_format format;
        const char *want;
    } cases[] = {
        {REPORT_DIFF, "\n  changed      0 bindings, 0 replicas moved\n"},
        {REPORT_DIFF, "\n  written      0, failed 1, not tried 0\n"},
        {REPORT_TABLE, " 0 changed, 0 replicas moved, "},
        {REPORT_JSON, "    \"changed\": 0,\n    \"replicasMoved\": 0,\n"},
        {REPORT_DIFF, "\n    write  Conflict: resourceVersion 2, not 1\n"},
        {REPORT_DIFF, "Run at 2026-05-01T10:00:00Z"},
        {REPORT_TABLE, " UnschedulableReplicas(member1)  Conflict\n"},
        {REPORT_JSON, "    \"writes\": {\n      \"done\": 0,\n      \"failed\": 1,\n"},
        {REPORT_JSON,
         "      \"write\": {\n        \"status\": \"Conflict\",\n        \"tries\": 6,\n"
         "        \"message\": \"resourceVersion 2, not 1\"\n      }\n"},
        {REPORT_YAML, "  write:\n    status: Conflict\n    tries: 6\n"},
    };
    struct report written = report;

    written.outcome = &outcome;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct report_options options = {.format = cases[i].format};
        char *got = print(&written, &options);

        CHECK_CONTAINS(got, cases[i].want);
        free(got);
    }
}

/* What was decided anew after a conflict, and not written, is not counted as written. */
static void
test_replanned(void)
{
    static const struct {
        enum report_format format;
        const char *want;
    } cases[] = {
        {REPORT_DIFF, "\n  written      0, failed 0, not tried 0\n"
                      "  conflicts    nothing left to do 0, blocked 1, deferred 0\n"},
        {REPORT_DIFF, "\n    write  Blocked: Suspended: scheduling is suspended\n"},
        {REPORT_TABLE, "  Blocked\n"},
        {REPORT_JSON, "      \"needless\": 0,\n      \"blocked\": 1,\n      \"deferred\": 0\n"},
        {REPORT_JSON, "        \"status\": \"Blocked\",\n        \"tries\": 1,\n"},
    };
    struct report written = report;

    written.outcome = &replanned;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct report_options options = {.format = cases[i].format};
        char *got = print(&written, &options);

        CHECK_CONTAINS(got, cases[i].want);
        free(got);
    }
}

/* What the server only checked is told as that, in every form, and only what was carried out is a
 * Run. */
static void
test_dry_runs(void)
{
    static const struct write_outcome accepted[] = {
        {.binding = 3, .status = WRITE_DONE, .tries = 1, .decision = &decisions[3], .message = ""}};
    static const struct outcome all_accepted = {
        .writes = accepted, .n_writes = 1, .n_done = 1, .replicas_moved = 9};
    static const struct {
        enum report_format format;
        bool dry_run, server_dry_run;
        const char *want;
    } cases[] = {
        {REPORT_DIFF, true, true, "\n  checked by the server 1, failed 0, not tried 0\n"},
        {REPORT_DIFF, true, true, "\n    write  Checked\n"},
        {REPORT_TABLE, true, true, "  Checked\n"},
        {REPORT_JSON, true, true, "  \"kind\": \"Plan\",\n"},
        {REPORT_JSON, true, true, "    \"dryRun\": \"server\",\n"},
        {REPORT_JSON, true, true, "    \"writes\": {\n      \"checked\": 1,\n"},
        {REPORT_JSON, true, true, "        \"status\": \"Checked\",\n"},
        {REPORT_DIFF, false, false, "\n  written      1, failed 0, not tried 0\n"},
        {REPORT_DIFF, false, false, "\n    write  Done\n"},
        {REPORT_JSON, false, false, "  \"kind\": \"Run\",\n"},
        {REPORT_JSON, false, false, "    \"dryRun\": \"none\",\n"},
        {REPORT_JSON, false, false, "    \"writes\": {\n      \"done\": 1,\n"},
        {REPORT_YAML, true, false, "\nkind: Plan\n"},
        {REPORT_YAML, true, false, "\n  dryRun: client\n"},
    };
    struct report written = report;

    written.outcome = &all_accepted;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct report_options options = {.format = cases[i].format,
                                         .dry_run = cases[i].dry_run,
                                         .server_dry_run = cases[i].server_dry_run};
        char *got = print(&written, &options);

        CHECK_CONTAINS(got, cases[i].want);
        free(got);
    }
}

/* A clock has nanoseconds; nobody measured them. */
static void
test_whole_seconds(void)
{
    struct policy late = policy;
    struct report with_fraction = report;

    late.now = NOW + 982163227;
    with_fraction.policy = &late;
    for (int format = 0; format < N_REPORT_FORMATS; format++) {
        struct report_options options = {.format = (enum report_format)format};
        char *got = print(&with_fraction, &options);

        CHECK_CONTAINS(got, "2026-05-01T10:00:00Z");
        CHECK(strstr(got, ".982163227") == NULL);
        free(got);
    }
}

static void
test_limit(void)
{
    static const struct {
        uint32_t limit;
        bool all;
        const char *want; /* NULL: no line about more */
    } cases[] = {
        {0, false, NULL},
        {3, false, NULL},
        {2, false, "\n... and 1 more blocked: use --limit 0 or -o json\n"},
        {1, true, "\n... and 2 more blocked, 1 left as they are: use --limit 0 or -o json\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int format = REPORT_DIFF; format <= REPORT_TABLE; format++) {
            struct report_options options = {
                .format = (enum report_format)format, .limit = cases[i].limit, .all = cases[i].all};
            char *got = print(&report, &options);

            CHECK_CONTAINS(got, "web-deployment");
            CHECK_MSG((strstr(got, "broken-deployment") != NULL) == (cases[i].limit != 1),
                      "case %zu: wrong bindings are shown", i);
            if (cases[i].want != NULL) {
                CHECK_CONTAINS(got, cases[i].want);
            } else {
                CHECK(strstr(got, " more ") == NULL);
            }
            free(got);
        }
    }
}

/* What a table cuts it names, and wide cuts nothing. */
static void
test_width(void)
{
    static const struct {
        enum report_format format;
        uint32_t width;
        const char *want, *want_not;
    } cases[] = {
        {REPORT_TABLE, 0, "  member1 13->4, member2 +9  UnschedulableReplicas(member1)\n", "(cut"},
        {REPORT_TABLE, 200, "  member1 13->4, member2 +9  UnschedulableReplicas(member1)\n",
         " cut to"},
        {REPORT_TABLE, 100,
         "\n(CHANGE, FINDINGS, NOTE cut to fit 100 columns: -o wide shows all)\n",
         "UnschedulableReplicas(member1)"},
        {REPORT_WIDE, 40,
         "UnschedulableReplicas(member1)                              9        1         0  member1: ", " cut to"},
        {REPORT_WIDE, 40,
         "  member1: 9 of 13 replicas leave; member2: 9 more, of room for 20 (nodes)\n", "..."},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct report_options options = {.format = cases[i].format, .width = cases[i].width};
        char *got = print(&report, &options);

        CHECK_CONTAINS(got, cases[i].want);
        CHECK_MSG(strstr(got, cases[i].want_not) == NULL, "case %zu has what it should not", i);
        free(got);
    }
}

/* No line of the rows is wider than what they have to fit. */
static void
test_every_width(void)
{
    for (uint32_t width = 80; width < 140; width++) {
        struct report_options options = {.format = REPORT_TABLE, .width = width};
        char *got = print(&report, &options);
        const char *rows = strstr(got, "\nNAMESPACE");

        CHECK(rows != NULL);
        for (const char *line = rows != NULL ? rows + 1 : "\n"; *line != '\n';) {
            size_t length = strcspn(line, "\n");

            CHECK_MSG(length <= width || line[0] == '(', "a line of %zu columns, of %u", length,
                      width);
            line += length + 1;
        }
        free(got);
    }
}

enum { MANY = 40 };

/* A fleet of many broken workloads in one cluster, and some that move out of another. */
struct many {
    char names[MANY][16];
    char messages[MANY][64];
    struct target before[MANY], after[MANY];
    struct binding bindings[MANY];
    struct finding findings[MANY];
    struct binding_state states[MANY];
    struct decision decisions[MANY];
    const struct decision *by_binding[MANY];
    uint32_t order[MANY];
    struct fleet fleet;
    struct diagnosis diagnosis;
    struct plan plan;
    struct report report;
};

static struct many *
make_many(uint32_t moving)
{
    struct many *many = calloc(1, sizeof(*many));

    for (uint32_t i = 0; i < MANY; i++) {
        bool moves = i < moving;

        snprintf(many->names[i], sizeof(many->names[i]), "app-%02u", i);
        snprintf(many->messages[i], sizeof(many->messages[i]),
                 "%u of 9 replicas failing since %um: ErrImagePull", i + 1, i);
        many->before[i] = (struct target){"member1", 0, 2, NULL};
        many->after[i] = (struct target){moves ? "member2" : "member1", moves ? 1 : 0, 2, NULL};
        many->bindings[i] = bindings[3];
        many->bindings[i].name = many->names[i];
        many->bindings[i].namespace_ = i % 2 == 0 ? "shop" : "pay";
        many->findings[i] = findings[0];
        many->findings[i].binding = i;
        many->findings[i].message = many->messages[i];
        many->states[i] =
            (struct binding_state){.first_finding = i, .n_findings = 1, .left_alone_reason = ""};
        many->decisions[i] = moves ? decisions[3] : decisions[0];
        many->decisions[i].binding = i;
        many->decisions[i].moved = moves ? 2 : 0;
        many->decisions[i].unplaced = 0;
        many->decisions[i].before = (struct target_list){.items = &many->before[i], .count = 1};
        many->decisions[i].after = (struct target_list){.items = &many->after[i], .count = 1};
        many->by_binding[i] = &many->decisions[i];
        many->order[i] = i;
    }
    many->fleet = fleet;
    many->fleet.bindings = many->bindings;
    many->fleet.n_bindings = MANY;
    many->diagnosis = diagnosis;
    many->diagnosis.findings = many->findings;
    many->diagnosis.n_findings = MANY;
    many->diagnosis.bindings = many->states;
    many->plan = plan;
    many->plan.decisions = many->by_binding;
    many->plan.n_decisions = MANY;
    many->plan.order = many->order;
    many->plan.totals = (struct plan_totals){.bindings = MANY,
                                             .changed = moving,
                                             .blocked = MANY - moving,
                                             .replicas_moved = 2 * (int64_t)moving};
    many->report = report;
    many->report.fleet = &many->fleet;
    many->report.diagnosis = &many->diagnosis;
    many->report.plan = &many->plan;
    return many;
}

static void
check_many(uint32_t moving, struct report_options options, const char *const *wants, size_t count)
{
    struct many *many = make_many(moving);
    char *got = print(&many->report, &options);

    for (size_t i = 0; i < count; i++) {
        CHECK_CONTAINS(got, wants[i]);
    }
    free(got);
    free(many);
}

/* The same of many is said once; what changes comes first, and what the limit keeps is summed up.
 */
static void
test_fold(void)
{
    static const char *const diff[] = {
        "\n--- shop/app-00 (Deployment web)\n",
        "\n=== 37 bindings, 74 replicas: Blocked\n"
        "    which  pay/app-03, shop/app-04, pay/app-05 and 34 more\n"
        "    found  FailedReplicas member1: N of 9 replicas failing since N: ErrImagePull\n"
        "    why    FailureFollowsWorkload member1: it fails wherever it runs\n",
        "\n... and 2 more bindings that change (4 replicas): use --limit 0 or -o json\n",
    };
    static const char *const table[] = {
        "           (37 bindings)              Blocked  ",
        "\n... and 2 more bindings that change (4 replicas): use --limit 0 or -o json\n",
    };
    struct report_options options = {.format = REPORT_DIFF, .limit = 1};

    check_many(3, options, diff, 3);
    options.format = REPORT_TABLE;
    check_many(3, options, table, 2);
}

/* With limit 0 each stands by itself; and three are not worth folding. */
static void
test_no_fold(void)
{
    static const char *const each[] = {"=== shop/app-04 (", "=== pay/app-39 ("};
    static const char *const three[] = {"=== pay/app-37 (", "=== shop/app-38 (",
                                        "=== pay/app-39 ("};
    struct report_options options = {.format = REPORT_DIFF};

    check_many(3, options, each, 2);
    options.limit = 50;
    check_many(MANY - 3, options, three, 3);
}

/* A large plan is summed up, a small one is not. */
static void
test_tables(void)
{
    static const char *const tables[] = {
        "\n  CLUSTER  BINDINGS  LEAVING  ARRIVING  ROOM OF  BEFORE  AFTER  OF  BY\n"
        "  member1         3        6         0  -\n"
        "  member2         3        0         6  -\n\n",
        "\n  NAMESPACE  CHANGED  REPLICAS MOVED  BLOCKED  DEFERRED  NO ROOM FOR\n"
        "  shop             2               4       18         0            0\n"
        "  pay              1               2       19         0            0\n\n",
        "\n  blocked      37 bindings: FailureFollowsWorkload 37\n",
    };
    struct report_options options = {.format = REPORT_DIFF, .limit = 50};
    char *got = print(&report, &options);

    check_many(3, options, tables, 3);
    CHECK(strstr(got, "CLUSTER ") == NULL && strstr(got, "NAMESPACE ") == NULL);
    free(got);
}

/* A limit holds for documents: the most urgent ones, in the order of all. */
static void
test_document_limit(void)
{
    struct report_options options = {.format = REPORT_JSON, .limit = 1};
    char *got = print(&report, &options);

    CHECK_CONTAINS(got, "    \"itemsTotal\": 3,\n    \"itemsShown\": 1,\n");
    CHECK_CONTAINS(got, "\"web-deployment\"");
    CHECK(strstr(got, "broken-deployment") == NULL && strstr(got, "reader-clusterrole") == NULL);
    free(got);
}

static void
test_colour(void)
{
    struct report_options options = {.format = REPORT_DIFF, .dry_run = true, .colour = true};
    char *got = print(&report, &options);

    CHECK_CONTAINS(got, "\n\x1b[31m-member1  13\x1b[0m\n\x1b[32m+member1   4  (-9)\x1b[0m\n");
    free(got);
    options.colour = false;
    got = print(&report, &options);
    CHECK(strchr(got, '\x1b') == NULL);
    free(got);
}

/* A fleet that tries to write to the terminal, or to end a JSON string, does not. */
static void
test_hostile(void)
{
    static const struct reason reasons[] = {{"Code", "", "a\"b\\c\nd\x1b]0;owned\x07"}};
    struct binding bad = bindings[3];
    struct decision decision = decisions[3];
    const struct decision *const hostile_decisions[] = {&decision};
    struct fleet hostile_fleet = fleet;
    struct plan hostile_plan = plan;
    struct report hostile = report;
    static const uint32_t only[] = {0};

    bad.name = "x\x1b[2J\xE2\x80\xAE";
    decision.binding = 0;
    decision.reasons = reasons;
    decision.n_reasons = 1;
    hostile_fleet.bindings = &bad;
    hostile_fleet.n_bindings = 1;
    hostile_plan.decisions = hostile_decisions;
    hostile_plan.n_decisions = 1;
    hostile_plan.order = only;
    hostile.fleet = &hostile_fleet;
    hostile.plan = &hostile_plan;
    for (int format = 0; format < N_REPORT_FORMATS; format++) {
        struct report_options options = {.format = (enum report_format)format};
        char *got = print(&hostile, &options);

        CHECK(strpbrk(got, "\x1b\x07") == NULL && strstr(got, "\xE2\x80\xAE") == NULL);
        CHECK_CONTAINS(got, "x\\u001B[2J\\u202E");
        if (format >= REPORT_JSON) {
            CHECK_CONTAINS(got, "\"a\\\"b\\\\c\\nd\\u001B]0;owned\\u0007\"");
        }
        free(got);
    }
}

/* Of many clusters that stay as they are, few are shown. */
static void
test_many_clusters(void)
{
    enum { COUNT = 40 };
    static char names[COUNT][16];
    static struct target before[COUNT], after[COUNT];
    struct decision decision = decisions[3];
    const struct decision *all[4];
    struct plan many_plan = plan;
    struct report many = report;
    struct report_options options = {.format = REPORT_DIFF, .limit = 1};

    for (size_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof(names[i]), "c%02zu", i);
        before[i] = (struct target){names[i], (uint32_t)i, 2, NULL};
        after[i] = (struct target){names[i], (uint32_t)i, i == 7 ? 0 : i == 9 ? 4 : 2, NULL};
    }
    decision.before = (struct target_list){.items = before, .count = COUNT};
    decision.after = (struct target_list){.items = after, .count = COUNT};
    memcpy(all, by_binding, sizeof(all));
    all[3] = &decision;
    many_plan.decisions = all;
    many.plan = &many_plan;
    char *got = print(&many, &options);

    CHECK_CONTAINS(got, "\n-c07  2\n+c07  0  (-2)\n-c09  2\n+c09  4  (+2)\n");
    CHECK_CONTAINS(got, "\n c04  2\n");
    CHECK(strstr(got, "c05") == NULL);
    CHECK_CONTAINS(got, "\n ... and 33 more clusters as they are, 66 replicas\n");
    free(got);
}

static void
test_full_disk(void)
{
    struct report_options options = {.format = REPORT_JSON};
    struct error err = ERROR_INIT;
    FILE *stream = fopen("/dev/full", "we");

    if (stream != NULL) {
        CHECK(!report_write(stream, &report, &options, &err));
        CHECK_INT(err.code, ERROR_IO);
        fclose(stream);
    }
}

/* Strings that YAML would take for something else are quoted. */
static void
test_yaml_words(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"plain", "k: plain\n"},   {"a-b_c/d.e", "k: a-b_c/d.e\n"},
        {"", "k: \"\"\n"},         {"yes", "k: \"yes\"\n"},
        {"No", "k: \"No\"\n"},     {"null", "k: \"null\"\n"},
        {"on", "k: \"on\"\n"},     {"y", "k: \"y\"\n"},
        {"1e3", "k: \"1e3\"\n"},   {"-x", "k: \"-x\"\n"},
        {"a: b", "k: \"a: b\"\n"}, {"a #b", "k: \"a #b\"\n"},
        {"*", "k: \"*\"\n"},       {"0x1f", "k: \"0x1f\"\n"},
        {"inf", "k: \"inf\"\n"},   {".nan", "k: \".nan\"\n"},
        {"~", "k: \"~\"\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        struct emitter out;

        emitter_begin(&out, stream, EMIT_YAML);
        emit_object(&out, NULL);
        emit_string(&out, "k", cases[i].text);
        emit_end(&out);
        fclose(stream);
        CHECK_STR(text, cases[i].want);
        free(text);
    }
}

static void
emit_shapes(struct emitter *out)
{
    emit_object(out, NULL);
    emit_list(out, "empty");
    emit_end(out);
    emit_object(out, "none");
    emit_end(out);
    emit_list(out, "list");
    emit_integer(out, NULL, -1);
    emit_object(out, NULL);
    emit_end(out);
    emit_object(out, NULL);
    emit_list(out, "in");
    emit_bool(out, NULL, true);
    emit_null(out, NULL);
    emit_end(out);
    emit_string(out, "b", "c");
    emit_end(out);
    emit_list(out, NULL);
    emit_list(out, NULL);
    emit_integer(out, NULL, 1);
    emit_end(out);
    emit_end(out);
    emit_end(out);
    emit_end(out);
}

static void
test_shapes(void)
{
    static const char json[] =
        "{\n  \"empty\": [],\n  \"none\": {},\n  \"list\": [\n    -1,\n    {},\n    {\n"
        "      \"in\": [\n        true,\n        null\n      ],\n      \"b\": \"c\"\n"
        "    },\n    [\n      [\n        1\n      ]\n    ]\n  ]\n}\n";
    static const char yaml[] = "empty: []\nnone: {}\nlist:\n- -1\n- {}\n- in:\n  - true\n"
                               "  - null\n  b: c\n- - - 1\n";

    for (int style = EMIT_JSON; style <= EMIT_YAML; style++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        struct emitter out;

        emitter_begin(&out, stream, (enum emit_style)style);
        emit_shapes(&out);
        fclose(stream);
        CHECK_STR(text, style == EMIT_JSON ? json : yaml);
        free(text);
    }
}

void suite_report(void);
void
suite_report(void)
{
    check_suite("report");
    check_test("golden", test_golden);
    check_test("heading", test_heading);
    check_test("outcome", test_outcome);
    check_test("planned again and not written", test_replanned);
    check_test("dry runs", test_dry_runs);
    check_test("whole seconds", test_whole_seconds);
    check_test("limit", test_limit);
    check_test("width", test_width);
    check_test("every width", test_every_width);
    check_test("the same of many is said once", test_fold);
    check_test("each by itself", test_no_fold);
    check_test("tables of a large plan", test_tables);
    check_test("limit of a document", test_document_limit);
    check_test("colour", test_colour);
    check_test("hostile", test_hostile);
    check_test("many clusters", test_many_clusters);
    check_test("full disk", test_full_disk);
    check_test("yaml words", test_yaml_words);
    check_test("shapes", test_shapes);
}
