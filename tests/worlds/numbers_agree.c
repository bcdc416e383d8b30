/* SPDX-License-Identifier: Apache-2.0
 *
 * A number that stands in several formats of a report is the same in all of them: of a plan of the
 * world, and of a simulation that loses its first cluster.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/cycle/cycle.h"
#include "ballast/report/metrics.h"
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

static void
check_plan(struct findings *found, const struct report *report)
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
    const atomic_bool stop = false;
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
            check_plan(&found, &result.report);
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
