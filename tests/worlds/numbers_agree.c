/* SPDX-License-Identifier: Apache-2.0
 *
 * A number that stands in several formats of a report is the same in all of them: of a plan of the
 * world, of the history of a run that wrote this plan, and of a simulation that loses its first
 * cluster.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/cycle/cycle.h"
#include "ballast/report/history_report.h"
#include "ballast/report/metrics.h"
#include "ballast/report/run_record.h"
#include "ballast/report/simulate_report.h"
#include "run_parts.h"

#define TEXT_MAX (1u << 20)
#define NUMBERS 4 /* of a cluster: replicas and stuck replicas, before and after */

/* What was found. */
struct findings {
    struct buf complaints;
    unsigned met; /* clusters compared */
};

/* One report in each format. */
struct texts {
    char *text, *html, *metrics;
    json_t *document;
};

/* The number at `text`, without commas; -1: none. */
static int64_t
number_at(const char *text)
{
    int64_t number = 0;

    if (text == NULL || *text < '0' || *text > '9') {
        return -1;
    }
    for (; (*text >= '0' && *text <= '9') || *text == ','; text++) {
        number = *text == ',' ? number : 10 * number + (*text - '0');
    }
    return number;
}

static const char *
text_after(const char *text, const char *mark)
{
    const char *found = text != NULL ? strstr(text, mark) : NULL;

    return found != NULL ? found + strlen(mark) : NULL;
}

/* Of the table's row on the page. */
static bool
read_page(const char *html, const char *cluster, int64_t ret[NUMBERS])
{
    static const char *const labels[NUMBERS] = {"Replicas", "Replicas after", "Stuck",
                                                "Stuck after"};
    char mark[256];

    snprintf(mark, sizeof(mark), "<tr id=\"Cluster/%s\">", cluster);
    const char *row = text_after(html, mark);

    for (size_t i = 0; i < NUMBERS; i++) {
        snprintf(mark, sizeof(mark), "data-label=\"%s\">", labels[i]);
        ret[i] = number_at(text_after(row, mark));
    }
    return row != NULL;
}

/* Of the line "  NAME  5->0  3->1": the last two words before the resource. A line may be missing.
 */
static bool
read_line(const char *text, const char *cluster, int64_t ret[NUMBERS])
{
    char mark[256];
    const char *at = text_after(text, "  STUCK");

    snprintf(mark, sizeof(mark), "\n  %s ", cluster);
    at = text_after(at, mark);
    if (at == NULL) {
        return false;
    }
    while (*at == ' ' || (*at >= 'A' && *at <= 'z')) { /* the fate */
        at++;
    }
    for (size_t i = 0; i < NUMBERS; i += 2) {
        const char *end = at + strcspn(at, " \n"), *arrow = strstr(at, "->");

        ret[i] = number_at(at);
        ret[i + 1] = arrow != NULL && arrow < end ? number_at(arrow + 2) : ret[i];
        at = end + strspn(end, " ");
    }
    return true;
}

static bool
read_document(const json_t *document, const char *cluster, int64_t ret[NUMBERS])
{
    const json_t *item = find_by(at(document, "clusters"), "name", cluster);

    ret[0] = integer_at(item, "before.replicas", 0);
    ret[1] = integer_at(item, "after.replicas", 0);
    ret[2] = integer_at(item, "before.stuck", 0);
    ret[3] = integer_at(item, "after.stuck", 0);
    return at(item, "after") != NULL;
}

static void
compare_numbers(struct findings *found, const char *what, const char *cluster,
                const int64_t page[NUMBERS], const int64_t other[NUMBERS])
{
    found->met++;
    for (size_t i = 0; i < NUMBERS; i++) {
        if (page[i] != other[i]) {
            buf_printf(&found->complaints, "%s: %s, number %zu: page %lld, not %lld\n", cluster,
                       what, i, (long long)page[i], (long long)other[i]);
        }
    }
}

static void
check_clusters(struct findings *found, const struct fleet *fleet, const struct texts *texts)
{
    int64_t page[NUMBERS], other[NUMBERS];

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const char *name = fleet->clusters[i].name;

        if (!read_page(texts->html, name, page)) {
            buf_printf(&found->complaints, "%s is not on the page\n", name);
            continue;
        }
        if (read_line(texts->text, name, other)) {
            compare_numbers(found, "terminal", name, page, other);
        }
        if (read_document(texts->document, name, other)) {
            compare_numbers(found, "document", name, page, other);
        }
    }
}

/* Tiles of the page, members of the summary, and metrics. */
static void
check_sums(struct findings *found, const struct texts *texts)
{
    static const struct {
        const char *label, *member, *metric;
    } sums[] = {
        {"replicas homeless", "summary.replicasHomeless", "\nballast_replicas_homeless{"},
        {"workloads to change", "summary.changed", NULL},
        {"replicas to move", "summary.replicasMoved", NULL},
        {"replicas to add", "summary.replicasAdded", NULL},
        {"workloads blocked", "summary.blocked", NULL},
        {"workloads deferred", "summary.deferred", NULL},
    };

    for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
        const int64_t want = integer_at(texts->document, sums[i].member, -1);
        char mark[64];

        snprintf(mark, sizeof(mark), "</b> %s</li>", sums[i].label);
        const char *at_label = strstr(texts->html, mark);

        while (at_label != NULL && at_label > texts->html && at_label[-1] != '>') {
            at_label--;
        }
        const int64_t metric =
            sums[i].metric != NULL
                ? number_at(text_after(text_after(texts->metrics, sums[i].metric), "} "))
                : want;

        if (number_at(at_label) != want || metric != want) {
            buf_printf(&found->complaints, "%s: page %lld, document %lld, metric %lld\n",
                       sums[i].label, (long long)number_at(at_label), (long long)want,
                       (long long)metric);
        }
    }
}

static char *
print(const struct report *report, const struct simulation_report *simulated,
      enum report_format format)
{
    const struct report_options options = {
        .format = format, .dry_run = true, .bars = BARS_ASCII, .all = true};
    struct error err = ERROR_INIT;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    if (simulated != NULL) {
        simulation_write(stream, simulated, &options, &err);
    } else {
        report_write(stream, report, &options, &err);
    }
    fclose(stream);
    return text;
}

static struct texts
print_all(const struct report *report, const struct simulation_report *simulated)
{
    char *document = print(report, simulated, REPORT_JSON);
    struct texts ret = {
        .text = print(report, simulated,
                      simulated != NULL ? (enum report_format)REPORT_TEXT : REPORT_DIFF),
        .html = print(report, simulated, REPORT_HTML),
        .document = json_loads(document, 0, NULL)};

    free(document);
    return ret;
}

static void
texts_release(struct texts *texts)
{
    free(texts->text);
    free(texts->html);
    free(texts->metrics);
    json_decref(texts->document);
}

/* --- the history --- */

/* Returns the history of a run that made all writes of a plan. */
static const struct history *
history_of(struct arena *arena, const struct report *report)
{
    static const struct history_question any = {.name = NULL};
    struct record *record = ARENA_NEW(arena, struct record);
    const struct record **list = ARENA_ARRAY(arena, const struct record *, 1);

    *record = (struct record){.id = "20260301T120000Z-0000000000000001",
                              .command = "run",
                              .version = "",
                              .host = "",
                              .configuration = ""};
    run_record_fill(arena, report, record);
    struct record_item *items =
        arena_memdup(arena, record->items, record->n_items * sizeof(*record->items));

    for (uint32_t i = 0; i < record->n_items; i++) {
        items[i].status = "Done";
    }
    record->items = items;
    *list = record;
    return history_new(arena, list, 1, &any);
}

static char *
print_history(const struct history *history, enum report_format format)
{
    const struct history_report report = {
        .history = history, .place = "records", .since = TIME_NONE, .workload = "", .flags = ""};
    const struct report_options options = {.format = format};
    struct error err = ERROR_INIT;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    report_write_history(stream, &report, &options, &err);
    fclose(stream);
    return text;
}

/* The document of the history agrees with the plan's. Its text and its page have one line. */
static void
check_history(struct findings *found, struct arena *arena, const struct report *report,
              const json_t *plan)
{
    static const char *const members[][2] = {
        {"replicasMoved", "summary.replicasMoved"},
        {"replicasAdded", "summary.replicasAdded"},
        {"replicasHomeless", "summary.replicasHomeless"},
        {"replicasDown", "summary.down.replicas"},
        {"replicasWanted", "summary.down.wanted"},
    };
    const struct history *history = history_of(arena, report);

    if (history->n_runs == 0) {
        return;
    }
    char *text = print_history(history, (enum report_format)REPORT_TEXT);
    char *page = print_history(history, REPORT_HTML);
    char *document = print_history(history, REPORT_JSON);
    json_t *parsed = json_loads(document, 0, NULL);
    const json_t *summary = at(json_array_get(at(parsed, "runs"), 0), "summary");
    const char *line = text_after(text, "\n  outcome        ");
    char *words = strndup(line != NULL ? line : "none", strcspn(line != NULL ? line : "", "\n"));
    char want[256];

    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        const int64_t past = integer_at(summary, members[i][0], -1);
        const int64_t planned = integer_at(plan, members[i][1], -2);

        if (past != planned) {
            buf_printf(&found->complaints, "history: %s %lld, plan %lld\n", members[i][0],
                       (long long)past, (long long)planned);
        }
    }
    const int64_t wanted = integer_at(summary, "replicasWanted", -1);

    snprintf(want, sizeof(want), "%lld of %lld %s down before, %lld homeless after; %lld moved",
             (long long)integer_at(summary, "replicasDown", -1), (long long)wanted,
             wanted == 1 ? "replica" : "replicas",
             (long long)integer_at(summary, "replicasHomeless", -1),
             (long long)integer_at(summary, "replicasMoved", -1));
    if (strncmp(words, want, strlen(want)) != 0 || strstr(page, words) == NULL) {
        buf_printf(&found->complaints, "history: document \"%s\", text \"%s\", page %s\n", want,
                   words, strstr(page, words) == NULL ? "without it" : "with it");
    }
    free(words);
    free(text);
    free(page);
    free(document);
    json_decref(parsed);
}

static void
check_plan(struct findings *found, struct arena *arena, const struct report *report)
{
    const struct metrics_labels labels = {"plan", ""};
    struct texts texts = print_all(report, NULL);
    struct buf metrics;

    buf_init(&metrics, METRICS_TEXT_MAX);
    metrics_append_report(&metrics, &labels, report, false);
    texts.metrics = strdup(buf_text(&metrics));
    buf_release(&metrics);
    check_clusters(found, report->fleet, &texts);
    check_sums(found, &texts);
    check_history(found, arena, report, texts.document);
    texts_release(&texts);
}

static void
check_loss(struct findings *found, struct arena *arena, const struct report *report,
           const struct policy *policy)
{
    const char *lost = report->fleet->clusters[0].name;
    const struct change change = {.type = CHANGE_LOSE, .text = lost, .name = lost};
    const struct change_list changes = {&change, 1};
    struct changed_fleet changed;
    struct error err = ERROR_INIT;

    if (!fleet_change(arena, report->fleet, &changes, policy, &changed, &err)) {
        return;
    }
    const struct simulation *simulation =
        simulate(arena, report->fleet, report->diagnosis, &changed, policy, NULL);
    struct simulation_report simulated = {
        .changes = &changes, .simulation = simulation, .report = *report};

    simulated.report.fleet = &simulation->changed->fleet;
    simulated.report.diagnosis = simulation->diagnosis;
    simulated.report.plan = simulation->plan;
    simulated.report.policy = &simulation->policy;
    simulated.report.ledger = simulation->ledger;
    simulated.verdict = simulation_judge(arena, &simulated);
    struct texts texts = print_all(NULL, &simulated);

    check_clusters(found, simulated.report.fleet, &texts);
    texts_release(&texts);
}

char *
run_numbers(const struct world *world, unsigned *ret_met)
{
    struct world_ports ports = {.world = world};
    struct arena *arena = arena_new();
    struct interner *strings = interner_new();
    static const atomic_bool stop = false; /* the policy keeps it */
    struct policy policy;
    const struct fleet_origin origin = {.path = "world"};
    const struct backend backend = {.context = &ports, .origin = &origin, .read = world_ports_read};
    const struct cycle cycle = {.backend = &backend, .policy = &policy, .stop = &stop};
    struct cycle_result result = {.fleet = NULL};
    struct error err = ERROR_INIT;
    struct findings found = {.met = 0};

    buf_init(&found.complaints, TEXT_MAX);
    if (world_policy(world, arena, strings, &policy, &err)) {
        policy.now = WORLD_NOW * NANOS_PER_SECOND;
        if (cycle_run(&cycle, &result, &err)) {
            check_plan(&found, arena, &result.report);
            check_loss(&found, arena, &result.report, &policy);
        }
        cycle_result_release(&result);
    }
    char *ret = found.complaints.length > 0 ? strdup(buf_text(&found.complaints)) : NULL;

    *ret_met = found.met;
    buf_release(&found.complaints);
    interner_free(strings);
    arena_free(arena);
    return ret;
}
