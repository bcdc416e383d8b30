/* SPDX-License-Identifier: Apache-2.0
 *
 * Metrics of a small fleet made by hand, of runs that ended in other ways, and
 * of names that want to do harm.
 */
#include "ballast/report/metrics.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/annotations/last_move.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "golden.h"
#include "report/metrics/metrics_samples.h"
#include "report_fixture.h"

#define MILLI (NANOS_PER_SECOND / 1000)

static const struct metrics_phase phases[] = {
    {"read", 1234 * MILLI}, {"plan", MILLI}, {"write", 0}};
static const struct metrics_client clients[] = {
    {"control-plane",
     {.retries = 2, .bytes_read = 4096, .codes = {{200, 12}, {409, 3}}, .n_codes = 2}},
    {"members",
     {.retries = 0, .bytes_read = 7, .codes = {{0, 1}, {KUBE_CODE_OTHER, 2}}, .n_codes = 2}},
};

static const struct metrics_run good = {
    .labels = {"run", "karmada:5443"},
    .version = "1.2.3",
    .status = 0,
    .ended = NOW + 250 * MILLI,
    .took = 2 * NANOS_PER_SECOND,
    .last_success = NOW,
    .phases = phases,
    .n_phases = sizeof(phases) / sizeof(phases[0]),
    .clients = clients,
    .n_clients = sizeof(clients) / sizeof(clients[0]),
};

/* *ret is to be released. */
static void
write_all(const struct metrics_run *run, const struct report *of, bool of_bindings, struct buf *ret)
{
    buf_init(ret, METRICS_TEXT_MAX);
    metrics_append_success(ret, run);
    metrics_append_run(ret, run);
    if (of != NULL) {
        metrics_append_report(ret, &run->labels, of, of_bindings);
    }
}

static void
test_golden(void)
{
    struct report written = report;
    struct buf text;

    written.outcome = &outcome;
    write_all(&good, &written, true, &text);
    CHECK(!text.overflowed);
    check_golden("tests/unit/golden/metrics.prom", buf_text(&text));
    buf_release(&text);
}

/* A run that got nowhere tells only of itself, and a run that never succeeded of no success. */
static void
test_early(void)
{
    struct metrics_run early = {.labels = {"run", ""},
                                .version = "1.2.3",
                                .status = 75,
                                .ended = NOW,
                                .last_success = TIME_NONE};
    struct buf text;

    write_all(&early, NULL, false, &text);
    CHECK(strstr(buf_text(&text), "last_success") == NULL);
    CHECK_CONTAINS(buf_text(&text),
                   "\nballast_last_run_status{command=\"run\",control_plane=\"\"} 75\n");
    CHECK(strstr(buf_text(&text), "ballast_requests") == NULL);
    buf_release(&text);
    write_all(&good, &report, false, &text);
    CHECK(strstr(buf_text(&text), "ballast_writes") == NULL);   /* a dry run has none */
    CHECK(strstr(buf_text(&text), "ballast_binding_") == NULL); /* nobody asked for them */
    buf_release(&text);
}

/* The last move of the binding that is in member1 with 13 and in member3 with 5, and who took it
 * back. */
static void
test_undone(void)
{
    static const struct target two_of_1[] = {{"member1", 0, 2}};
    static const struct target two_of_2[] = {{"member2", 1, 2}};
    static const struct target six_of_3[] = {{"member3", 2, 6}};
    static const struct target five_of_3[] = {{"member3", 2, 5}};
    static const struct target many_of_1[] = {{"member1", 0, 14}};
    const struct {
        int64_t age;
        const struct target *from, *to;
        const char *reason;
        int by_undo, by_others;
    } cases[] = {
        {NANOS_PER_MINUTE, two_of_1, two_of_2, "UnschedulableReplicas", 0, 1},
        {NANOS_PER_MINUTE, two_of_1, six_of_3, "UnschedulableReplicas", 0, 1},
        {NANOS_PER_MINUTE, two_of_1, five_of_3, "UnschedulableReplicas", 0, 0}, /* still there */
        {NANOS_PER_MINUTE, many_of_1, two_of_2, "UnschedulableReplicas", 0, 0}, /* not back */
        {NANOS_PER_MINUTE, two_of_1, NULL, "UnschedulableReplicas", 0, 0},      /* mode Evict */
        {NANOS_PER_MINUTE, two_of_2, five_of_3, LAST_MOVE_UNDONE, 1, 0},
        {61 * NANOS_PER_MINUTE, two_of_1, two_of_2, "UnschedulableReplicas", 0, 0},
        {61 * NANOS_PER_MINUTE, two_of_1, two_of_2, LAST_MOVE_UNDONE, 0, 0},
        {-NANOS_PER_MINUTE, two_of_1, two_of_2, LAST_MOVE_UNDONE, 0, 0},
    };
    struct policy hour = policy;

    hour.now = NOW;
    hour.cooldown.initial = 60 * NANOS_PER_MINUTE;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct last_move move = {
            .last = {.time = NOW - cases[i].age,
                     .from = {.items = cases[i].from, .count = 1},
                     .to = {.items = cases[i].to, .count = cases[i].to != NULL ? 1 : 0},
                     .reason = cases[i].reason}};
        struct binding moved[4];
        struct fleet other = fleet;
        struct report of_other = report;
        struct buf text;
        char want[256];

        memcpy(moved, bindings, sizeof(moved));
        moved[3].last_move = &move;
        other.bindings = moved;
        of_other.fleet = &other;
        of_other.policy = &hour;
        write_all(&good, &of_other, false, &text);
        snprintf(want, sizeof(want),
                 "by=\"undo\"} %d\nballast_bindings_undone{command=\"run\",control_plane=\""
                 "karmada:5443\",by=\"others\"} %d\n",
                 cases[i].by_undo, cases[i].by_others);
        CHECK_MSG(strstr(buf_text(&text), want) != NULL, "case %zu: no %s", i, want);
        buf_release(&text);
    }
}

static const struct metric metric = {"x", "", "", "", NULL};

static void
test_labels(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", ""},
        {"plain-1.example", "plain-1.example"},
        {"a\"b\\c\nd", "a\\\"b\\\\c\\nd"},
        {"\x1b[31m", "\\\\u001B[31m"},
        {"\xE2\x80\xAEx", "\\\\u202Ex"},
        {"\xC3\xA4", "\xC3\xA4"},
        {"\xFF", "\xEF\xBF\xBD"},
        {"x\",command=\"run", "x\\\",command=\\\"run"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf out;
        char want[256];

        buf_init(&out, 256);
        struct sampler sampler = {
            .out = &out, .labels = &good.labels, .metric = &metric, .has_head = true};

        sample_of(&sampler, "cluster", cases[i].text, 1);
        snprintf(want, sizeof(want), "control_plane=\"karmada:5443\",cluster=\"%s\"} 1\n",
                 cases[i].want);
        CHECK_CONTAINS(buf_text(&out), want);
        buf_release(&out);
    }
}

static void
test_values(void)
{
    static const struct {
        nanos128 nano;
        const char *want;
    } cases[] = {
        {0, "0"},
        {1, "0.000000001"},
        {-1500000000, "-1.5"},
        {12500000000, "12.5"},
        {NANOS_PER_SECOND, "1"},
        {(nanos128)INT64_MAX * NANOS_PER_SECOND, "9223372036854775807"},
        {100000000, "0.1"},
        {10 * (nanos128)NANOS_PER_SECOND, "10"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf out;
        char want[128];

        buf_init(&out, 256);
        struct sampler sampler = {
            .out = &out, .labels = &good.labels, .metric = &metric, .has_head = true};

        sample_labelled(&sampler, NULL, 0, (struct quantity){.nano = cases[i].nano});
        snprintf(want, sizeof(want),
                 "ballast_x{command=\"run\",control_plane=\"karmada:5443\"} %s\n", cases[i].want);
        CHECK_STR(buf_text(&out), want);
        buf_release(&out);
    }
}

#define HEAD "# HELP x\n# TYPE x\nballast_last_success_timestamp_seconds{command=\"run\","

static void
test_success_before(void)
{
    static const struct {
        const char *text;
        int64_t want;
    } cases[] = {
        {HEAD "control_plane=\"k\"} 1777629600\nballast_x 1\n", NOW},
        {HEAD "control_plane=\"k\"} 1777629599.75\n", NOW - 250 * MILLI},
        {HEAD "control_plane=\"a} 5\\n\"} 1777629599.000000001\n", NOW - NANOS_PER_SECOND + 1},
        {HEAD "control_plane=\"k\"} 1777629601\n", TIME_NONE}, /* in the future */
        {HEAD "control_plane=\"k\"} 1777629600", TIME_NONE},   /* cut off */
        {HEAD "control_plane=\"k\"} -5\n", TIME_NONE},
        {HEAD "control_plane=\"k\"} NaN\n", TIME_NONE},
        {HEAD "control_plane=\"k\"} 1e9\n", TIME_NONE},
        {HEAD "control_plane=\"k\"} \n", TIME_NONE},
        {HEAD "control_plane=\"k\"} 99999999999999999999\n", TIME_NONE},
        {"# HELP x\nballast_last_success_timestamp_seconds{command=\"plan\",control_plane=\"k\"} "
         "5\n",
         TIME_NONE},
        {"", TIME_NONE},
        {"\n", TIME_NONE},
    };
    struct buf text;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t got = metrics_read_success(cases[i].text, strlen(cases[i].text), "run", NOW);

        CHECK_MSG(got == cases[i].want, "case %zu: got %" PRId64 ", want %" PRId64, i, got,
                  cases[i].want);
    }
    write_all(&good, &report, false, &text); /* what we write ourselves */
    CHECK_INT(metrics_read_success(buf_text(&text), text.length, "run", NOW), NOW);
    buf_release(&text);
}

static void
test_reference_page(void)
{
    char *got = NULL, *page = calloc(1, 1 << 20);
    size_t size = 0;
    FILE *stream = open_memstream(&got, &size), *docs = fopen("docs/metrics.md", "re");

    metrics_reference(stream);
    fclose(stream);
    if (CHECK(docs != NULL && page != NULL)) {
        CHECK(fread(page, 1, (1 << 20) - 1, docs) > 0);
        CHECK_MSG(strstr(page, got) != NULL,
                  "docs/metrics.md has not the table of `ballast help metrics`:\n%s", got);
        fclose(docs);
    }
    free(page);
    free(got);
}

void suite_metrics(void);
void
suite_metrics(void)
{
    check_suite("metrics");
    check_test("golden", test_golden);
    check_test("a run that got nowhere, and a dry one", test_early);
    check_test("moves that were taken back", test_undone);
    check_test("labels", test_labels);
    check_test("values", test_values);
    check_test("the success that is kept", test_success_before);
    check_test("docs/metrics.md", test_reference_page);
}
