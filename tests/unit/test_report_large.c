/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports that do not fit a screen: what is cut, folded, limited and summed up.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "check.h"
#include "report_fixture.h"

/* What a table cuts it names, and wide cuts nothing. */
static void
test_width(void)
{
    static const struct {
        enum report_format format;
        uint32_t width;
        const char *want, *want_not;
    } cases[] = {
        {REPORT_TABLE, 0, "  member1 9 -> member2 9  unschedulable\n", " cut to"},
        {REPORT_TABLE, 80, "  member1 9 -> member2 9  unschedulable\n", " cut to"},
        {REPORT_TABLE, 60, "\n(FROM -> TO, WHY cut to fit 60 columns: -o wide shows all)\n",
         "FailureFollowsWorkload\n"},
        {REPORT_WIDE, 40,
         "UnschedulableReplicas(member1)                              9      0        1         0  "
         "member1: ",
         " cut to"},
        {REPORT_WIDE, 40,
         "  member1: 9 of 13 replicas leave; member2: 9 more, of room for 20 (nodes)\n", "..."},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct report_options options = {.format = cases[i].format, .width = cases[i].width};
        char *got = print_report(&report, &options);

        CHECK_CONTAINS(got, cases[i].want);
        CHECK_MSG(strstr(got, cases[i].want_not) == NULL, "case %zu has what it should not", i);
        free(got);
    }
}

/* No line of the rows is wider than what they have to fit. */
static void
test_every_width(void)
{
    for (uint32_t width = 40; width < 100; width++) {
        struct report_options options = {.format = REPORT_TABLE, .width = width};
        char *got = print_report(&report, &options);
        const char *rows = strstr(got, "\nWORKLOAD");

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
        many->before[i] = (struct target){"member1", 0, 2};
        many->after[i] = (struct target){moves ? "member2" : "member1", moves ? 1 : 0, 2};
        many->bindings[i] = bindings[3];
        many->bindings[i].placement = NULL;
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
                                             .by_action = {[ACTION_BLOCKED] = MANY - moving},
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
    char *got = print_report(&many->report, &options);

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
        "\n(37 bindings)  Blocked  ",
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
        "\n  CLUSTER    REPLICAS   STUCK  OF  BEFORE  AFTER  LEFT\n"
        "  member1      80->74  80->74  -\n"
        "  member2        0->6       0  -\n\n",
        "\n  NAMESPACE  CHANGED  REPLICAS MOVED  BLOCKED\n"
        "  shop             2               4       18\n"
        "  pay              1               2       19\n\n",
        "\n  blocked      37 bindings: FailureFollowsWorkload 37\n",
    };
    struct report_options options = {.format = REPORT_DIFF, .limit = 50};
    char *got = print_report(&report, &options);

    check_many(3, options, tables, 3);
    CHECK(strstr(got, "CLUSTER ") == NULL && strstr(got, "NAMESPACE ") == NULL);
    free(got);
}

/* A limit holds for documents: the most urgent ones, in the order of all. */
static void
test_document_limit(void)
{
    struct report_options options = {.format = REPORT_JSON, .limit = 1};
    char *got = print_report(&report, &options);

    CHECK_CONTAINS(got, "    \"itemsTotal\": 3,\n    \"itemsShown\": 1,\n");
    CHECK_CONTAINS(got, "\"web-deployment\"");
    CHECK(strstr(got, "broken-deployment") == NULL && strstr(got, "reader-clusterrole") == NULL);
    free(got);
}

/* A diff that leaves out bindings ends with the flags that show them. */
static void
test_closing(void)
{
    static const struct {
        enum report_format format;
        bool dry_run;
        uint32_t moving, limit;
        const char *want; /* NULL: none */
    } cases[] = {
        {REPORT_DIFF, true, 12, 50, NULL},
        {REPORT_DIFF, false, 20, 11,
         "\n9 bindings not listed: --limit 0 lists all, -o table has one line for each\n"},
        {REPORT_DIFF, true, 3, 50, NULL},
        {REPORT_TABLE, true, 12, 50, NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct report_options options = {
            .format = cases[i].format, .limit = cases[i].limit, .dry_run = cases[i].dry_run};
        struct many *many = make_many(cases[i].moving);
        char *got = print_report(&many->report, &options);

        if (cases[i].want != NULL) {
            CHECK_CONTAINS(got, cases[i].want);
        } else {
            CHECK_MSG(strstr(got, "not listed: ") == NULL, "case %zu is closed", i);
        }
        free(got);
        free(many);
    }
}

enum { MEMBERS = 12 };

/* A fleet of which no member was seen. */
struct blind {
    struct cluster clusters[MEMBERS];
    struct cluster_health health[MEMBERS];
    struct unseen_member unseen[MEMBERS];
    char names[MEMBERS][8], messages[MEMBERS][320];
    struct fleet fleet;
    struct diagnosis diagnosis;
    struct coverage coverage;
    struct report report;
};

/* A message of each: what stands before its request, how often that was tried, and the last error.
 */
static void
set_blind(struct blind *blind, const char *before, const char *tries, const char *last)
{
    *blind = (struct blind){.fleet = fleet, .diagnosis = diagnosis, .report = report};
    for (uint32_t i = 0; i < MEMBERS; i++) {
        snprintf(blind->names[i], sizeof(blind->names[i]), "m%02u", i);
        snprintf(blind->messages[i], sizeof(blind->messages[i]),
                 "%sGET https://karmada:5443/apis/cluster.karmada.io/v1alpha1/clusters/m%02u/proxy/"
                 "api/v1/pods?limit=500: %s %u tries, at last: %s",
                 before, i, tries, i + 1, last);
        if (str_eq(last, "timed out after")) {
            size_t length = strlen(blind->messages[i]);

            snprintf(blind->messages[i] + length, sizeof(blind->messages[i]) - length, " %u ms",
                     3000 - i);
        }
        blind->clusters[i] = (struct cluster){.name = blind->names[i]};
        blind->health[i] = diagnosis.clusters[0];
        blind->unseen[i] =
            (struct unseen_member){i, "pods", blind->messages[i], true, i < MEMBERS / 2};
    }
    blind->fleet.clusters = blind->clusters;
    blind->fleet.n_clusters = MEMBERS;
    blind->diagnosis.clusters = blind->health;
    blind->coverage = (struct coverage){
        .asked = MEMBERS, .unseen = blind->unseen, .n_unseen = MEMBERS, .needed = 2};
    blind->report.fleet = &blind->fleet;
    blind->report.diagnosis = &blind->diagnosis;
    blind->report.coverage = &blind->coverage;
}

/* Members that are not seen for one reason are told in one line, whatever the requests that failed,
 * how often they were tried, and how long that took. */
static void
test_same_gap(void)
{
    static const struct {
        const char *before, *tries, *last, *want;
    } cases[] = {
        {"it keeps us waiting for longer than --member-timeout: ",
         "no time is left to try again after", "timed out after",
         "it keeps us waiting for longer than --member-timeout: timed out"},
        {"", "given up after", "HTTP 503: busy", "HTTP 503: busy"},
        {"", "no time is left to try again after", "HTTP 429", "HTTP 429"},
    };
    const struct report_options options = {.format = REPORT_DIFF};
    struct blind *blind = calloc(1, sizeof(*blind));
    char line[256];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        set_blind(blind, cases[i].before, cases[i].tries, cases[i].last);
        snprintf(line, sizeof(line),
                 "\n  members      0 of 12 seen; m00, m01, m02 and 9 more NOT SEEN: pods: %s\n"
                 "  config  ",
                 cases[i].want);
        char *got = print_report(&blind->report, &options);

        CHECK_CONTAINS(got, line);
        free(got);
    }
    blind->coverage.n_unseen = 5; /* few enough to name them all */
    char *got = print_report(&blind->report, &options);

    CHECK_CONTAINS(got, " 0 of 12 seen; m00, m01, m02, m03, m04 NOT SEEN: pods: HTTP 429\n");
    free(got);
    free(blind);
}

void suite_report_large(void);
void
suite_report_large(void)
{
    check_suite("report_large");
    check_test("width", test_width);
    check_test("every width", test_every_width);
    check_test("the same of many is said once", test_fold);
    check_test("each by itself", test_no_fold);
    check_test("tables of a large plan", test_tables);
    check_test("limit of a document", test_document_limit);
    check_test("closing of a long diff", test_closing);
    check_test("members of one gap", test_same_gap);
}
