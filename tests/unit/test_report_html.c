/* SPDX-License-Identifier: Apache-2.0
 *
 * The page: that no text of the fleet becomes markup, that its policy lets its
 * own style and script run and nothing else, and that its links lead somewhere.
 */
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/report/explain_report.h"
#include "ballast/report/history_report.h"
#include "ballast/report/report.h"
#include "check.h"
#include "report/html/html.h"
#include "report_fixture.h"

#define ATTACK "<script>alert(1)</script>"

static char *
print_page(const struct report *what, uint32_t limit)
{
    struct report_options options = {.format = REPORT_HTML, .limit = limit};

    return print_report(what, &options);
}

static size_t
count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part)) {
        count++;
    }
    return count;
}

static void
test_print(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct html html;

    html_init(&html, stream);
    html_print(&html, "<p title=\"%s\">%d %u %lld %.2f%% %s</p>", "\"'><b>&amp;", -1, 2u, 3LL, 0.5,
               "a\nb\x1b");
    html_release(&html);
    fclose(stream);
    CHECK_STR(text, "<p title=\"&quot;&#39;&gt;&lt;b&gt;&amp;amp;\">-1 2 3 0.50% a b\\u001B</p>");
    free(text);
}

/* An id is the same each time, no two objects share one, and it needs no escapes. */
static void
test_ids(void)
{
    static const struct {
        const char *kind, *namespace_, *name, *want;
    } cases[] = {
        {"Cluster", "", "member1", "Cluster/member1"},
        {"ResourceBinding", "shop", "web-deployment", "ResourceBinding/shop/web-deployment"},
        {"ResourceBinding", "a", "b/c", "ResourceBinding/a/b~2Fc"},
        {"ResourceBinding", "a/b", "c", "ResourceBinding/a~2Fb/c"},
        {"Cluster", "", "a~2F", "Cluster/a~7E2F"},
        {"Cluster", "", "\"> <", "Cluster/~22~3E~20~3C"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        struct html html;

        html_init(&html, stream);
        html_id(&html, cases[i].kind, cases[i].namespace_, cases[i].name);
        html_release(&html);
        fclose(stream);
        CHECK_STR(text, cases[i].want);
        free(text);
    }
}

/* Every text that comes from outside is an attack, and shown as what it is. */
static void
test_hostile(void)
{
    static const struct reason reasons[] = {{ATTACK, ATTACK, "\" onload=\"alert(1) '" ATTACK}};
    static const struct target targets[] = {{ATTACK, 0, 3}};
    static const struct cluster clusters[] = {{.name = ATTACK, .region = ATTACK}};
    static const struct cluster_health health[] = {
        {.reason = ATTACK, .since = TIME_NONE, .lost_at = TIME_NONE}};
    static const struct problem problems[] = {{ATTACK, ATTACK}};
    static const struct notice notices[] = {{ATTACK, ATTACK}};
    static const struct unseen_member unseen[] = {{0, ATTACK, ATTACK, true, true}};
    static const struct coverage blind = {.asked = 1, .unseen = unseen, .n_unseen = 1, .missed = 1};
    static const struct fleet_origin origin = {.server = ATTACK, .context = ATTACK, .user = ATTACK};
    static const uint32_t only[] = {0};
    struct binding bad = bindings[3];
    struct decision decision = decisions[3];
    struct finding finding = findings[2];
    struct binding_state state = {.n_findings = 1, .left_alone_reason = ""};
    const struct decision *const all[] = {&decision};
    struct fleet hostile_fleet = {.captured_at = TIME_NONE,
                                  .clusters = clusters,
                                  .n_clusters = 1,
                                  .bindings = &bad,
                                  .n_bindings = 1,
                                  .problems = problems,
                                  .n_problems = 1};
    struct plan hostile_plan = plan;
    struct diagnosis hostile_diagnosis = diagnosis;
    struct report hostile = report;

    bad.name = bad.namespace_ = bad.resource.kind = bad.resource.name = ATTACK;
    finding.cluster = finding.message = ATTACK;
    decision.binding = finding.binding = 0;
    decision.reasons = reasons;
    decision.n_reasons = 1;
    decision.error_type = decision.error_message = ATTACK;
    decision.before = decision.after = (struct target_list){.items = targets, .count = 1};
    hostile_plan.decisions = all;
    hostile_plan.n_decisions = 1;
    hostile_plan.order = only;
    hostile_diagnosis.bindings = &state;
    hostile_diagnosis.findings = &finding;
    hostile_diagnosis.n_findings = 1;
    hostile_diagnosis.clusters = health;
    hostile_diagnosis.guard_tripped = true;
    hostile_diagnosis.guard_verdict = hostile_diagnosis.guard_reason = ATTACK;
    hostile_diagnosis.guard_warning = ATTACK;
    hostile_diagnosis.lost_groups = hostile_diagnosis.owner_notice = ATTACK;
    hostile = (struct report){.fleet = &hostile_fleet,
                              .diagnosis = &hostile_diagnosis,
                              .coverage = &blind,
                              .origin = &origin,
                              .policy = &policy,
                              .plan = &hostile_plan,
                              .notices = {notices, 1}};
    char *got = print_page(&hostile, 0);

    CHECK_INT(count_of(got, "<script>"), 1);
    CHECK_INT(count_of(got, "</script>"), 1);
    CHECK(strstr(got, "\" onload=\"") == NULL);
    CHECK(count_of(got, "&lt;script&gt;alert(1)&lt;/script&gt;") > 20);
    free(got);
}

static const struct target hostile_targets[] = {{ATTACK, 0, 3}};
static const char *const hostile_owners[] = {ATTACK};
static const struct explained_finding hostile_found[] = {{.cluster = ATTACK,
                                                          .since = TIME_NONE,
                                                          .message = ATTACK,
                                                          .why_not = ATTACK,
                                                          .counts_at = TIME_NONE}};
static const struct explained_cluster hostile_clusters[] = {{.name = ATTACK,
                                                             .exists = true,
                                                             .is_target = true,
                                                             .health = ATTACK,
                                                             .filter = "",
                                                             .filter_reason = ATTACK,
                                                             .code = ATTACK,
                                                             .message = ATTACK,
                                                             .room_source = ATTACK,
                                                             .bound = {.resource = ATTACK},
                                                             .wish = ATTACK,
                                                             .cools_until = TIME_NONE}};
static const struct explained_attempt hostile_attempts[] = {
    {.step = ATTACK,
     .assumes = ATTACK,
     .after = {.items = hostile_targets, .count = 1},
     .error_type = "",
     .error_message = "",
     .refusal = ATTACK}};
static const struct explained_move hostile_moves[] = {
    {.time = NOW, .from = {.items = hostile_targets, .count = 1}, .reason = ATTACK}};
static const struct explained_eviction hostile_evictions[] = {
    {.cluster = ATTACK, .reason = ATTACK, .producer = ATTACK, .purge_mode = ATTACK, .since = NOW}};
static const struct reason hostile_reasons[] = {{ATTACK, ATTACK, ATTACK}};
static const struct explanation hostile_explanation = {
    .kind = "ResourceBinding",
    .namespace_ = ATTACK,
    .name = ATTACK,
    .resource = {"v1", ATTACK, ATTACK, ATTACK, {0, 0}},
    .has_replicas = true,
    .readiness = ATTACK,
    .help = ATTACK,
    .headline = ATTACK,
    .because = ATTACK,
    .owner = {ATTACK, ATTACK, ATTACK, "", true, ATTACK, ATTACK, ATTACK, ATTACK, ATTACK, ATTACK,
              ATTACK, hostile_owners, 1, 1, LEFT_ALONE_KIND, ATTACK, false},
    .findings = hostile_found,
    .n_findings = 1,
    .clusters = hostile_clusters,
    .n_clusters = 1,
    .attempts = hostile_attempts,
    .n_attempts = 1,
    .affinity = ATTACK,
    .reasons = hostile_reasons,
    .n_reasons = 1,
    .error_type = ATTACK,
    .error_message = ATTACK,
    .moves = hostile_moves,
    .n_moves = 1,
    .history_problem = ATTACK,
    .evictions = hostile_evictions,
    .n_evictions = 1};

/* The same of an explanation. */
static void
test_hostile_explanation(void)
{
    static const struct explanation *const items[] = {&hostile_explanation};
    const struct explanations all = {.report = &report, .items = items, .count = 1};
    const struct report_options options = {.format = REPORT_HTML};
    char *got = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&got, &size);
    struct error err = ERROR_INIT;

    CHECK_OK(report_write_explanations(stream, &all, &options, &err), err);
    fclose(stream);
    CHECK_INT(count_of(got, "<script>"), 1);
    CHECK_INT(count_of(got, "</script>"), 1);
    CHECK(count_of(got, "&lt;script&gt;alert(1)&lt;/script&gt;") > 30);
    free(got);
}

/* --- the history of runs --- */

static const struct record_reason hostile_recorded[] = {{ATTACK, ATTACK, ATTACK}};
static const char *const hostile_ids[] = {ATTACK};
static const struct record_item hostile_items[] = {{
    .namespace_ = ATTACK,
    .name = ATTACK,
    .resource = {"v1", ATTACK, ATTACK, ATTACK, {0, 0}},
    .action = ATTACK,
    .status = ATTACK,
    .message = ATTACK,
    .after = {.items = hostile_targets, .count = 1},
    .reasons = hostile_recorded,
    .n_reasons = 1,
}};
static const struct record hostile_record = {
    .id = ATTACK,
    .command = ATTACK,
    .version = ATTACK,
    .platform = ATTACK,
    .server = ATTACK,
    .context = ATTACK,
    .user = ATTACK,
    .path = ATTACK,
    .host = ATTACK,
    .configuration = ATTACK,
    .undoes = {.items = hostile_ids, .count = 1},
    .down = hostile_recorded,
    .n_down = 1,
    .items = hostile_items,
    .n_items = 1,
};

static char *
print_history(const struct history *history)
{
    const struct history_report what = {
        .history = history, .place = ATTACK, .since = TIME_NONE, .workload = "", .flags = ATTACK};
    const struct report_options options = {.format = REPORT_HTML};
    char *got = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&got, &size);
    struct error err = ERROR_INIT;

    CHECK_OK(report_write_history(stream, &what, &options, &err), err);
    fclose(stream);
    return got;
}

static void
test_hostile_history(void)
{
    static const struct history_item items[] = {{hostile_items, &hostile_record}};
    static const struct history_run runs[] = {{&hostile_record, items, 1, 1, 0}};
    char *got = print_history(&(struct history){runs, 1});

    CHECK_INT(count_of(got, "<script>"), 1);
    CHECK_INT(count_of(got, "</script>"), 1);
    CHECK(count_of(got, "&lt;script&gt;alert(1)&lt;/script&gt;") > 20);
    free(got);
}

#define RUNS 60
#define ID_MAX 40

/* Runs of each minute, the latest first. All want 9 replicas; in the first, one stayed homeless. */
struct many_runs {
    struct record records[RUNS];
    struct history_run runs[RUNS];
    char ids[RUNS][ID_MAX];
};

static const struct target run_before[] = {{"oslo", CLUSTER_NONE, 6}};
static const struct target run_after[] = {{"oslo", CLUSTER_NONE, 2}, {"rome", CLUSTER_NONE, 5}};
static const struct record_item run_items[] = {{
    .namespace_ = "shop",
    .name = "web",
    .resource = {.kind = "Deployment", .name = "web"},
    .action = "Move",
    .status = "Done",
    .message = "",
    .before = {.items = run_before, .count = 1},
    .after = {.items = run_after, .count = 2},
}};
static const struct history_item run_history[] = {{run_items, NULL}};

static void
fill_runs(struct many_runs *many)
{
    for (int i = 0; i < RUNS; i++) {
        snprintf(many->ids[i], sizeof(many->ids[i]), "20260301T120000Z-%016d", i);
        many->records[i] = (struct record){.id = many->ids[i],
                                           .command = "run",
                                           .written = NOW - (int64_t)i * 60000000000,
                                           .user = "",
                                           .context = "",
                                           .host = "",
                                           .path = "fleets/shop",
                                           .configuration = "",
                                           .replicas = {true, 9, 4, i == 0 ? 1 : 0},
                                           .items = run_items,
                                           .n_items = 1};
        many->runs[i] = (struct history_run){&many->records[i], run_history, 1, 1, 0};
    }
}

/* Beyond 50 runs, others stand behind one line. A run that left a replica homeless is red. */
static void
test_history(void)
{
    static struct many_runs many;

    fill_runs(&many);
    char *got = print_history(&(struct history){many.runs, RUNS});

    CHECK_INT(count_of(got, "<details class=\"entry\" id=\"Run/2026"), RUNS);
    CHECK_INT(count_of(got, "<rect class=\"moved\""), 50);
    CHECK_CONTAINS(got, "<details class=\"others\"><summary>10 earlier runs</summary>");
    CHECK_INT(count_of(got, "class=\"slot stays\""), 1);
    CHECK_INT(
        count_of(got,
                 "<span>4 of 9 replicas down before, 1 homeless after; 4 moved, 1 added</span>"),
        1);
    CHECK_CONTAINS(got, "<b>shop/web (Deployment)</b> <span class=\"plain\">Move oslo 6→2, rome "
                        "0→5</span>");
    CHECK_INT(count_of(got, "Take it back: <code class=\"command\">ballast undo 2026"), RUNS);
    free(got);
}

/* The page of a plan has a section for runs, and none without them. */
static void
test_history_of_plan(void)
{
    static struct many_runs many;
    struct report known = report;

    fill_runs(&many);
    const struct history some = {many.runs, 3}, none = {many.runs, 0};
    struct history_report runs = {.history = &some,
                                  .place = "r",
                                  .since = TIME_NONE,
                                  .workload = "",
                                  .flags = " --records r"};

    known.history = &runs;
    char *got = print_page(&known, 0);

    CHECK_CONTAINS(got, "<section id=\"history\"");
    CHECK_INT(count_of(got, "<a href=\"#Run/2026"), 3);
    CHECK_INT(count_of(got, "<li id=\"Run/2026"), 3);
    CHECK_CONTAINS(got, "<code class=\"command\">ballast history --records r</code>");
    free(got);
    runs.history = &none;
    got = print_page(&known, 0);
    CHECK(strstr(got, "id=\"history\"") == NULL);
    free(got);
}

/* What stands between two marks. */
static char *
between(const char *text, const char *begin, const char *end)
{
    const char *from = strstr(text, begin);
    const char *to = from != NULL ? strstr(from + strlen(begin), end) : NULL;

    return to != NULL ? strndup(from + strlen(begin), (size_t)(to - from) - strlen(begin))
                      : strdup("");
}

static void
check_digest(const char *page, const char *directive, const char *begin, const char *end)
{
    unsigned char digest[EVP_MAX_MD_SIZE], encoded[2 * EVP_MAX_MD_SIZE];
    char want[256];
    unsigned size = 0;
    char *source = between(page, begin, end);

    CHECK(strlen(source) > 100);
    CHECK(EVP_Digest(source, strlen(source), digest, &size, EVP_sha256(), NULL) == 1);
    EVP_EncodeBlock(encoded, digest, (int)size);
    snprintf(want, sizeof(want), "%s 'sha256-%s'", directive, (const char *)encoded);
    CHECK_CONTAINS(page, want);
    free(source);
}

/* The policy names the style and the script that are there, and allows nothing else. */
static void
test_policy(void)
{
    char *got = print_page(&report, 0);

    CHECK_CONTAINS(got, "content=\"default-src 'none'; base-uri 'none'; form-action 'none'; ");
    check_digest(got, "style-src", "<style>", "</style>");
    check_digest(got, "script-src", "<script>", "</script>");
    CHECK(strstr(got, " style=\"") == NULL);
    CHECK(strstr(got, "unsafe-") == NULL);
    CHECK(strstr(got, "http://") == NULL && strstr(got, "https://") == NULL);
    free(got);
}

/* Every link is to something in the page. */
static void
test_links(void)
{
    char *got = print_page(&report, 0);
    size_t count = 0;

    for (const char *at = got; (at = strstr(at, "href=\"#")) != NULL; count++) {
        char target[256];

        at += strlen("href=\"#");
        snprintf(target, sizeof(target), " id=\"%.*s\"", (int)strcspn(at, "\""), at);
        CHECK_INT(count_of(got, target), 1);
    }
    CHECK(count > 15);
    free(got);
}

static void
test_limit(void)
{
    struct report seen = report;
    char *got = print_page(&report, 1);

    seen.coverage = &coverage;
    CHECK_INT(count_of(got, "<details class=\"entry\""), 1);
    CHECK_CONTAINS(got, "... and 2 more blocked: use --limit 0 or -o json");
    free(got);
    got = print_page(&seen, 0);
    CHECK_INT(count_of(got, "<details class=\"entry\""), 3);
    CHECK(strstr(got, "--limit 0") == NULL);
    CHECK_CONTAINS(got, "<dt>blind</dt><dd class=\"bad\">1 of 2 members that are ready");
    CHECK_CONTAINS(got, "<b class=\"bad\">not seen, although ready, and it holds replicas in scope"
                        "</b>: pods: HTTP 503</li>");
    free(got);
}

/* What did not come about is not drawn as if it had. */
static void
test_outcome(void)
{
    struct report written = report;

    written.outcome = &outcome;
    char *got = print_page(&written, 0);

    CHECK_CONTAINS(got, "<h1>Run</h1>");
    CHECK_CONTAINS(got, "<dt>written</dt><dd class=\"bad\">0 bindings, failed 1</dd>");
    CHECK_CONTAINS(got, "<b class=\"write\">write</b> Conflict: resourceVersion 2, not 1</li>");
    CHECK(strstr(got, "id=\"flows\"") == NULL);
    CHECK_CONTAINS(got, "data-label=\"Replicas\">15</td>"
                        "<td class=\"number\" data-label=\"Replicas after\">15</td>");
    CHECK_CONTAINS(got, "<p class=\"bad\">Written to fleets/shop, but not all: see above");
    free(got);
}

void suite_report_html(void);
void
suite_report_html(void)
{
    check_suite("report html");
    check_test("markup", test_print);
    check_test("ids", test_ids);
    check_test("hostile texts", test_hostile);
    check_test("hostile explanation", test_hostile_explanation);
    check_test("hostile history", test_hostile_history);
    check_test("history", test_history);
    check_test("history of a plan", test_history_of_plan);
    check_test("policy", test_policy);
    check_test("links", test_links);
    check_test("limit", test_limit);
    check_test("outcome", test_outcome);
}
