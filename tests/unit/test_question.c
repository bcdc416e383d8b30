/* SPDX-License-Identifier: Apache-2.0
 *
 * A run by hand asks before it writes.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ballast/base/timestamp.h"
#include "ballast/cli/cli.h"
#include "check.h"
#include "cli/options/invocation.h"
#include "cli/run/question.h"
#include "report_fixture.h"
#include "temp_dir.h"

#define CLUSTER                                                                                    \
    "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: {name: m1}\n"               \
    "status:\n  conditions: [{type: Ready, status: \"True\"}]\n"                                   \
    "  apiEnablements: [{groupVersion: apps/v1, resources: [{kind: Deployment}]}]\n"               \
    "  resourceSummary: {allocatable: {pods: 11000, cpu: 8000, memory: 8000Gi}}\n"                 \
    "---\napiVersion: v1\nkind: Pod\n"                                                             \
    "metadata: {name: dns, namespace: kube-system,\n"                                              \
    "  annotations: {resource.karmada.io/cached-from-cluster: m1}}\n"                              \
    "status: {phase: Running}\n"
/* `replicas` are in a cluster that is gone. */
#define FLEET(replicas) FLEET_OF(replicas, "{name: gone, replicas: " replicas "}")
#define FLEET_OF(replicas, targets)                                                                \
    CLUSTER                                                                                        \
    "---\napiVersion: work.karmada.io/v1alpha2\nkind: ResourceBinding\n"                           \
    "metadata: {name: web-deployment, namespace: shop, uid: u, resourceVersion: \"1\",\n"          \
    "  labels: {propagationpolicy.karmada.io/permanent-id: p}}\n"                                  \
    "spec:\n  resource: {apiVersion: apps/v1, kind: Deployment, namespace: shop, name: web}\n"     \
    "  placement: {replicaScheduling: {replicaSchedulingType: Divided, "                           \
    "replicaDivisionPreference: Aggregated}}\n"                                                    \
    "  replicas: " replicas "\n  clusters: [" targets "]\n"

#define QUESTION "Write it to "
#define MAX_ARGUMENTS 12

struct terminal {
    struct temp_dir dir;
    const char *answers; /* typed before anything is asked */
    bool is_open;        /* and nobody hangs up then */
    bool in_is_terminal, err_is_terminal, is_dumb;
    uint32_t columns; /* 0: it does not say */
    int64_t step;     /* by which the clock goes on at each look */
    bool interrupts;  /* with Ctrl-C, once it is asked */
    atomic_bool stop;
    enum exit_status status;
    char *out, *err;
};

static int64_t now;

static int64_t
stepping(void *context)
{
    struct terminal *terminal = context;

    if (terminal->interrupts && terminal->err != NULL && strstr(terminal->err, QUESTION) != NULL) {
        terminal->stop = true;
    }
    return now += terminal->step;
}

static uint32_t
no_chance(void *context)
{
    (void)context;
    return 0;
}

static const char *
no_environment(const char *name)
{
    (void)name;
    return NULL;
}

static struct terminal
sit_down(const char *answers, const char *files)
{
    struct terminal terminal = {.dir = temp_dir_make(),
                                .answers = answers,
                                .in_is_terminal = true,
                                .err_is_terminal = true,
                                .step = 1};
    FILE *file = fopen(temp_path(&terminal.dir, "fleet.yaml"), "w");

    if (CHECK(file != NULL) && file != NULL) {
        fputs(files, file);
        fclose(file);
    }
    return terminal;
}

static void
type(struct terminal *terminal, const char *flags)
{
    char words[512], *argv[MAX_ARGUMENTS] = {NULL}, *state = NULL;
    size_t out_size = 0, err_size = 0;
    int ends[2] = {-1, -1};
    int argc = 1;

    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], terminal->answers, strlen(terminal->answers)) ==
          (ssize_t)strlen(terminal->answers));
    if (!terminal->is_open) {
        close(ends[1]);
    }
    struct cli cli = {
        .stop = &terminal->stop,
        .wall_clock = NANOS_PER_SECOND,
        .clock = {terminal, stepping, stepping, no_chance},
        .getenv = no_environment,
        .in = ends[0],
        .in_is_terminal = terminal->in_is_terminal,
        .err_is_terminal = terminal->err_is_terminal,
        .is_dumb_terminal = terminal->is_dumb,
        .out_columns = terminal->columns,
    };

    now = 0;
    snprintf(words, sizeof(words), "run --fleet %s %s", temp_path(&terminal->dir, "fleet.yaml"),
             flags);
    for (char *word = strtok_r(words, " ", &state); word != NULL && argc < MAX_ARGUMENTS;
         word = strtok_r(NULL, " ", &state)) {
        argv[argc++] = word;
    }
    cli.out = open_memstream(&terminal->out, &out_size);
    cli.err = open_memstream(&terminal->err, &err_size);
    terminal->status = cli_main(&cli, argc, argv);
    fclose(cli.out);
    fclose(cli.err);
    close(ends[0]);
    if (terminal->is_open) {
        close(ends[1]);
    }
}

/* What m1 has in the end. */
static int
assigned(const struct terminal *terminal)
{
    char text[8192] = "";
    FILE *file = fopen(temp_path(&terminal->dir, "fleet.yaml"), "r");
    int replicas = 0;

    if (CHECK(file != NULL) && file != NULL) {
        text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
        fclose(file);
    }
    const char *at = strstr(text, "name: m1, replicas: ");

    if (at != NULL) {
        replicas = (int)strtol(strstr(at, "replicas: ") + strlen("replicas: "), NULL, 10);
    }
    return replicas;
}

static void
get_up(struct terminal *terminal)
{
    free(terminal->out);
    free(terminal->err);
    temp_dir_remove(&terminal->dir);
}

static void
test_answers(void)
{
    static const struct {
        const char *typed, *flags;
        bool in, err; /* are terminals */
        bool asked;
        enum exit_status status;
        int after;
    } cases[] = {
        {"y\n", "", true, true, true, STATUS_DONE, 3},
        {"Yes\n", "-o json", true, true, true, STATUS_DONE, 3},
        {"n\n", "", true, true, true, STATUS_ERROR, 0},
        {"\n", "", true, true, true, STATUS_ERROR, 0},
        {"what?\n", "", true, true, true, STATUS_ERROR, 0},
        {"", "", true, true, true, STATUS_ERROR, 0},
        {"", "--yes", true, true, false, STATUS_DONE, 3},
        {"", "-y", true, true, false, STATUS_DONE, 3},
        {"", "", false, true, false, STATUS_DONE, 3},
        {"", "", true, false, false, STATUS_DONE, 3},
        {"", "--dry-run", true, true, false, STATUS_DONE, 0},
        {"", "--triggers=none", true, true, false, STATUS_DONE, 0}, /* nothing to change */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct terminal terminal = sit_down(cases[i].typed, FLEET("3"));

        terminal.in_is_terminal = cases[i].in;
        terminal.err_is_terminal = cases[i].err;
        type(&terminal, cases[i].flags);
        CHECK_MSG(terminal.status == cases[i].status, "case %zu: status %d: %s", i,
                  (int)terminal.status, terminal.err);
        CHECK_MSG((strstr(terminal.err, QUESTION) != NULL) == cases[i].asked, "case %zu: %s", i,
                  terminal.err);
        CHECK_MSG((strstr(terminal.err, "nothing was written") != NULL) ==
                      (cases[i].status == STATUS_ERROR),
                  "case %zu: %s", i, terminal.err);
        CHECK_MSG(assigned(&terminal) == cases[i].after, "case %zu: %d", i, assigned(&terminal));
        get_up(&terminal);
    }
}

/* Before the question stands which fleet it is, and how much would change. */
static void
test_what_is_shown(void)
{
    struct terminal terminal = sit_down("d\nn\n", FLEET("3"));

    terminal.is_open = true;
    type(&terminal, "--color=never");
    CHECK_CONTAINS(terminal.err, "nothing is written yet, mode Place: 1 binding in 1 cluster\n");
    CHECK_CONTAINS(terminal.err, "fleet.yaml\n");
    CHECK_CONTAINS(terminal.err, "to change    1 binding, 3 replicas to move\n");
    CHECK_CONTAINS(terminal.err, "This run changes 1 binding and moves 3 replicas. It moves 500 "
                                 "replicas at most (--max-replicas-moved).\n" QUESTION);
    CHECK_STR(terminal.out, "");
    get_up(&terminal);
}

/* On a control plane, the question names the context of the kubeconfig. */
static void
test_context(void)
{
    static const struct {
        const char *context, *want;
    } cases[] = {
        {"prod", "\nWrite it to context prod, https://karmada:5443? [y/N, "},
        {"", "\nWrite it to https://karmada:5443? [y/N, "}, /* in the cluster */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct fleet_origin origin = {
            .server = "https://karmada:5443", .context = cases[i].context, .user = ""};
        struct terminal terminal = {.answers = "n\n"};
        struct arena *arena = arena_new();
        struct settings settings;
        struct report asked = report;
        size_t err_size = 0;
        int ends[2] = {-1, -1};
        struct cli cli = {.stop = &terminal.stop,
                          .clock = {&terminal, stepping, stepping, no_chance},
                          .getenv = no_environment};
        const struct invocation invocation = {.cli = &cli, .arena = arena, .settings = &settings};
        struct write_question question = {.invocation = &invocation};

        asked.origin = &origin;
        settings_init(&settings);
        CHECK(pipe(ends) == 0 && write(ends[1], "n\n", 2) == 2);
        cli.in = ends[0];
        cli.err = open_memstream(&terminal.err, &err_size);
        CHECK(!question_ask(&question, &asked));
        fclose(cli.err);
        CHECK_CONTAINS(terminal.err, cases[i].want);
        close(ends[0]);
        close(ends[1]);
        free(terminal.err);
        arena_free(arena);
    }
}

/* What is added moves nowhere, and no limit on moves counts it. */
static void
test_what_is_added(void)
{
    static const struct {
        const char *fleet, *want;
    } cases[] = {
        {FLEET_OF("3", "{name: m1, replicas: 2}"),
         "This run changes 1 binding and adds 1 replica. "},
        {FLEET_OF("3", "{name: gone, replicas: 2}"),
         "This run changes 1 binding, moves 2 replicas and adds 1. "},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct terminal terminal = sit_down("n\n", cases[i].fleet);

        type(&terminal, "");
        CHECK_CONTAINS(terminal.err, cases[i].want);
        get_up(&terminal);
    }
}

static void
test_colours(void)
{
    static const struct {
        const char *flags;
        bool is_dumb, coloured;
    } cases[] = {{"", false, true},
                 {"", true, false},
                 {"--color=always", true, true},
                 {"--color=never", false, false}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct terminal terminal = sit_down("n\n", FLEET("3"));

        terminal.is_dumb = cases[i].is_dumb;
        type(&terminal, cases[i].flags);
        CHECK_MSG((strstr(terminal.err, "\x1b[") != NULL) == cases[i].coloured, "case %zu: %s", i,
                  terminal.err);
        get_up(&terminal);
    }
}

/* Only a run that asks has a limit of its own, and whoever sets one has that. */
static void
test_limit(void)
{
    static const struct {
        const char *flags, *said;
        int after;
    } cases[] = {
        {"", "It moves 500 replicas at most", 500},
        {"--max-replicas-moved=-1", "No limit is set to how many it moves", 900},
        {"--max-replicas-moved=20", "It moves 20 replicas at most", 20},
        {"--max-replicas-moved=100%", "It moves 100% of all replicas at most", 900},
        {"--yes", NULL, 900},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct terminal terminal = sit_down("y\n", FLEET("900"));

        type(&terminal, cases[i].flags);
        CHECK_INT(terminal.status, STATUS_DONE);
        if (cases[i].said != NULL) {
            CHECK_CONTAINS(terminal.err, cases[i].said);
        }
        CHECK_MSG(assigned(&terminal) == cases[i].after, "case %zu: %d", i, assigned(&terminal));
        get_up(&terminal);
    }
}

/* Who has gone for a coffee has not said yes. */
static void
test_no_answer(void)
{
    struct terminal terminal = sit_down("", FLEET("3"));

    terminal.is_open = true;
    terminal.step = NANOS_PER_MINUTE;
    type(&terminal, "");
    CHECK_INT(terminal.status, STATUS_ERROR);
    CHECK_CONTAINS(terminal.err, "nothing was written");
    CHECK_INT(assigned(&terminal), 0);
    get_up(&terminal);
}

/* The bytes of the line that names the configuration. */
static size_t
length_of_line(const char *text)
{
    const char *at = strstr(text, "  config       ");

    return CHECK(at != NULL) && at != NULL ? strcspn(at, "\x1b\n") : 0;
}

/* What is asked about, and what was done, is broken where the terminal is narrow only. */
static void
test_width(void)
{
    static const uint32_t widths[] = {0, 60};

    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        struct terminal terminal = sit_down("d\ny\n", FLEET("3"));

        terminal.columns = widths[i];
        type(&terminal, "");
        CHECK_INT(terminal.status, STATUS_DONE);
        CHECK((length_of_line(terminal.err) <= 60) == (widths[i] > 0));
        CHECK((length_of_line(terminal.out) <= 60) == (widths[i] > 0));
        get_up(&terminal);
    }
}

/* Ctrl-C instead of an answer: what was shown is not shown again. */
static void
test_interrupted(void)
{
    static const struct {
        const char *flags, *end;
        bool sums_up; /* in one more line */
    } cases[] = {
        {"", "changes] \nballast: stopped before anything was written\n", false},
        {"-o json", "changes] \nballast: stopped before anything was written\n", false},
        {"--logging-format=json",
         "\"level\":\"error\",\"msg\":\"stopped before anything was written\"}\n", true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct terminal terminal = sit_down("", FLEET("3"));

        terminal.is_open = terminal.interrupts = true;
        type(&terminal, cases[i].flags);
        CHECK_INT(terminal.status, STATUS_STOPPED);
        CHECK_STR(terminal.out, "");
        const char *end = strstr(terminal.err, cases[i].end);

        if (CHECK_MSG(end != NULL, "case %zu: %s", i, terminal.err)) {
            const char *rest = end + strlen(cases[i].end);
            const size_t line = strcspn(rest, "\n");

            CHECK_MSG((line > 0) == cases[i].sums_up, "case %zu: %s", i, rest);
            CHECK_STR(line > 0 ? rest + line : rest, line > 0 ? "\n" : "");
            if (cases[i].sums_up) {
                CHECK_CONTAINS(rest, "\"msg\":\"run ended\",\"command\":\"run\"");
            }
        }
        CHECK_INT(assigned(&terminal), 0);
        get_up(&terminal);
    }
}

void suite_question(void);
void
suite_question(void)
{
    check_suite("question");
    check_test("answers", test_answers);
    check_test("what is shown", test_what_is_shown);
    check_test("context", test_context);
    check_test("what is added", test_what_is_added);
    check_test("colours", test_colours);
    check_test("limit", test_limit);
    check_test("width", test_width);
    check_test("no answer", test_no_answer);
    check_test("Ctrl-C instead of an answer", test_interrupted);
}
