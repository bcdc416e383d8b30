/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports of a small fleet made by hand: a move, a blocked crash loop, an
 * object without replicas that cannot be placed, and one that is fine; and one
 * with names that want to do harm.
 */
#include "ballast/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/report/emitter.h"
#include "check.h"
#include "golden.h"
#include "report_fixture.h"

/* What stands between the two is left out. */
static void
cut_between(char *text, const char *begin, const char *end)
{
    char *from = strstr(text, begin), *to;

    while (from != NULL && (to = strstr(from + strlen(begin), end)) != NULL) {
        from += strlen(begin);
        memmove(from, to, strlen(to) + 1);
        from = strstr(from, begin);
    }
}

/* Style, script and their digests have files and tests of their own. */
static void
check_report_golden(const struct report_options *options, const char *path)
{
    char *got = print_report(&report, options);

    cut_between(got, "<style>", "</style>");
    cut_between(got, "<script>", "</script>");
    cut_between(got, "'sha256-", "'");
    check_golden(path, got);
    free(got);
}

static void
test_golden(void)
{
    static const char *const names[] = {
#define X(id, name, writer, limit, text) [REPORT_##id] = name,
        REPORT_FORMATS(X)
#undef X
    };

    for (size_t format = 0; format < N_REPORT_FORMATS; format++) {
        const struct report_options options = {
            .format = (enum report_format)format,
            .dry_run = true,
            .all = format == REPORT_TABLE || format == REPORT_WIDE,
        };
        char path[64];

        snprintf(path, sizeof(path), "tests/unit/golden/report.%s", names[format]);
        check_report_golden(&options, path);
    }
}

/* Every form begins with which fleet it is, and what of it was not seen. */
static void
test_heading(void)
{
    static const struct fleet_origin live = {
        .server = "https://karmada:5443", .context = "prod", .user = "oncall"};
    static const struct fleet_origin in_cluster = {
        .server = "https://10.0.0.1:443", .context = "", .user = "ops/ballast"};
    static const struct {
        enum report_format format;
        const struct fleet_origin *origin;
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

    told.coverage = &coverage;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct report_options options = {.format = cases[i].format};

        told.origin = cases[i].origin;
        char *got = print_report(&told, &options);

        CHECK_CONTAINS(got, cases[i].want);
        free(got);
    }
}

/* Commands to paste reach the control plane of the report, and write what it shows. */
static void
test_next_flags(void)
{
    static const struct fleet_origin live = {
        .server = "https://karmada:5443", .context = "prod", .user = "oncall"};
    const struct report_options options = {
        .dry_run = true, .kubeconfig = "/k", .run_flags = " --namespace=shop"};
    struct report told = report;

    told.origin = &live;
    char *got = print_report(&told, &options);

    CHECK_CONTAINS(got, "ballast run --namespace=shop --kubeconfig /k --context prod  (writes");
    free(got);
}

/* What became of a write is told in every form. */
static void
test_outcome(void)
{
    static const struct {
        enum report_format format;
        const char *want;
    } cases[] = {
        {REPORT_DIFF, "\n  changed      nothing\n"},
        {REPORT_DIFF, "\n  written      0 bindings, failed 1\n"},
        {REPORT_TABLE, "\n  changed      nothing\n"},
        {REPORT_JSON, "    \"changed\": 0,\n    \"replicasMoved\": 0,\n"},
        {REPORT_DIFF, "\n    write  Conflict: resourceVersion 2, not 1\n"},
        {REPORT_DIFF, "\n  run          2026-05-01T10:00:00Z, mode Place: "},
        {REPORT_TABLE, " member1 9 -> member2 9  Conflict\n"},
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
        char *got = print_report(&written, &options);

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
        {REPORT_DIFF, "\n  written      0 bindings\n"
                      "  conflicts    blocked 1\n"},
        {REPORT_DIFF, "\n    write  Blocked: Suspended: scheduling is suspended\n"},
        {REPORT_TABLE, "  Blocked\n"},
        {REPORT_JSON, "      \"needless\": 0,\n      \"blocked\": 1,\n      \"deferred\": 0\n"},
        {REPORT_JSON, "        \"status\": \"Blocked\",\n        \"tries\": 1,\n"},
    };
    struct report written = report;

    written.outcome = &replanned;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct report_options options = {.format = cases[i].format};
        char *got = print_report(&written, &options);

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
        {REPORT_DIFF, true, true, "\n  checked by the server 1 binding\n"},
        {REPORT_DIFF, true, true, "\n    write  Checked\n"},
        {REPORT_TABLE, true, true, "  Checked\n"},
        {REPORT_JSON, true, true, "  \"kind\": \"Plan\",\n"},
        {REPORT_JSON, true, true, "    \"dryRun\": \"server\",\n"},
        {REPORT_JSON, true, true, "    \"writes\": {\n      \"checked\": 1,\n"},
        {REPORT_JSON, true, true, "        \"status\": \"Checked\",\n"},
        {REPORT_DIFF, false, false, "\n  written      1 binding\n"},
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
        char *got = print_report(&written, &options);

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
        char *got = print_report(&with_fraction, &options);

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
            char *got = print_report(&report, &options);

            const bool is_diff = format == REPORT_DIFF;

            const char *listed = strstr(got, "\n\n"); /* behind the head */

            CHECK_CONTAINS(got, is_diff ? "web-deployment" : "shop/web");
            CHECK_MSG((strstr(listed, is_diff ? "broken-deployment" : "shop/broken") != NULL) ==
                          (cases[i].limit != 1),
                      "case %zu: wrong bindings are shown", i);
            if (cases[i].want != NULL) {
                CHECK_CONTAINS(got, cases[i].want);
            } else {
                CHECK(strstr(got, "\n... and ") == NULL);
            }
            free(got);
        }
    }
}

static void
test_colour(void)
{
    struct report_options options = {.format = REPORT_DIFF, .dry_run = true, .colour = true};
    char *got = print_report(&report, &options);

    CHECK_CONTAINS(got, "\n\x1b[31m-member1  13\x1b[0m\n\x1b[32m+member1   4  (-9)\x1b[0m\n");
    free(got);
    options.colour = false;
    got = print_report(&report, &options);
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

    bad.name = bad.resource.name = "x\x1b[2J\xE2\x80\xAE";
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
        char *got = print_report(&hostile, &options);

        CHECK(strpbrk(got, "\x1b\x07") == NULL && strstr(got, "\xE2\x80\xAE") == NULL);
        CHECK_CONTAINS(got, "x\\u001B[2J\\u202E");
        if (format == REPORT_JSON || format == REPORT_YAML) {
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
        before[i] = (struct target){names[i], (uint32_t)i, 2};
        after[i] = (struct target){names[i], (uint32_t)i, i == 7 ? 0 : i == 9 ? 4 : 2};
    }
    decision.before = (struct target_list){.items = before, .count = COUNT};
    decision.after = (struct target_list){.items = after, .count = COUNT};
    memcpy(all, plan.decisions, sizeof(all));
    all[3] = &decision;
    many_plan.decisions = all;
    many.plan = &many_plan;
    char *got = print_report(&many, &options);

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

/* Up to 1 MiB with the quotes as it is; what is longer is as good as not there. */
static void
test_long_strings(void)
{
    static char value[(1 << 20) + 1];
    const size_t most = (1 << 20) - 2;

    for (size_t length = most - 1; length <= most + 1; length++) {
        for (int is_plain = 0; is_plain <= 1; is_plain++) {
            char *text = NULL;
            size_t size = 0;
            FILE *stream = open_memstream(&text, &size);
            struct emitter out;

            memset(value, 'x', length);
            value[length] = '\0';
            if (!is_plain) { /* two bytes of text, and one of the value */
                value[0] = '"';
                value[length - 1] = '\0';
            }
            emitter_begin(&out, stream, EMIT_JSON);
            emit_string(&out, NULL, value);
            fclose(stream);
            if (length > most) {
                CHECK_STR(text, "\"...\"\n");
            } else {
                CHECK_INT(size, length + strlen("\"\"\n"));
                CHECK(memcmp(text, is_plain ? "\"xx" : "\"\\\"", 3) == 0);
                CHECK_STR(text + size - 3, "x\"\n");
            }
            free(text);
        }
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
    check_test("flags of the next command", test_next_flags);
    check_test("outcome", test_outcome);
    check_test("planned again and not written", test_replanned);
    check_test("dry runs", test_dry_runs);
    check_test("whole seconds", test_whole_seconds);
    check_test("long strings", test_long_strings);
    check_test("limit", test_limit);
    check_test("colour", test_colour);
    check_test("hostile", test_hostile);
    check_test("many clusters", test_many_clusters);
    check_test("full disk", test_full_disk);
    check_test("yaml words", test_yaml_words);
    check_test("shapes", test_shapes);
}
