/* SPDX-License-Identifier: Apache-2.0
 *
 * A person at a terminal: the pager, the variables of the environment, and the
 * words about old names of flags.
 */
#include "ballast/cli/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/timestamp.h"
#include "check.h"
#include "temp_dir.h"

#define MAX_ARGUMENTS 16
#define FLEET "examples/fleet"
#define TITLE "DOWN: "

/* A terminal, and its environment: NULL is a variable that is not set. */
struct desk {
    const char *ballast_pager, *pager, *ballast_fleet;
    bool is_pipe, is_dumb, is_stopped;
};

struct seen {
    enum exit_status status;
    char *out, *err;
};

static struct desk desk;

static const char *
look_up(const char *name)
{
    if (strcmp(name, "BALLAST_PAGER") == 0) {
        return desk.ballast_pager;
    }
    if (strcmp(name, "BALLAST_FLEET") == 0) {
        return desk.ballast_fleet;
    }
    return strcmp(name, "PAGER") == 0 ? desk.pager : NULL;
}

static int64_t
no_time(void *context)
{
    (void)context;
    return NANOS_PER_SECOND;
}

static uint32_t
no_chance(void *context)
{
    (void)context;
    return 0;
}

static struct seen
type(const char *text)
{
    char words[512], *argv[MAX_ARGUMENTS] = {NULL}, *state = NULL;
    atomic_bool stop = desk.is_stopped;
    size_t out_size = 0, err_size = 0;
    struct seen ret = {.status = STATUS_DONE};
    struct cli cli = {
        .stop = &stop,
        .wall_clock = NANOS_PER_SECOND,
        .clock = {NULL, no_time, no_time, no_chance},
        .getenv = look_up,
        .in = -1,
        .out_is_terminal = !desk.is_pipe,
        .err_is_terminal = !desk.is_pipe,
        .is_dumb_terminal = desk.is_dumb,
        .no_color = true,
        .out_columns = 80,
    };
    int argc = 1;

    snprintf(words, sizeof(words), "%s", text);
    for (char *word = strtok_r(words, " ", &state); word != NULL && argc < MAX_ARGUMENTS;
         word = strtok_r(NULL, " ", &state)) {
        argv[argc++] = word;
    }
    cli.out = open_memstream(&ret.out, &out_size);
    cli.err = open_memstream(&ret.err, &err_size);
    ret.status = cli_main(&cli, argc, argv);
    fclose(cli.out);
    fclose(cli.err);
    return ret;
}

static void
forget(struct seen *seen)
{
    free(seen->out);
    free(seen->err);
}

/* What the pager got; "" if it was not started. To be freed. */
static char *
paged(const struct temp_dir *dir)
{
    FILE *file = fopen(temp_path(dir, "paged"), "r");
    char *text = calloc(1, 1 << 16);

    if (file != NULL && text != NULL) {
        text[fread(text, 1, (1 << 16) - 1, file)] = '\0';
        fclose(file);
    }
    return text;
}

static const struct {
    const char *line;
    const char *ballast_pager, *pager; /* %s: the file of the pager */
    bool is_pipe, is_dumb, is_stopped;
    bool pages, prints; /* to the pager, to the terminal */
    enum exit_status status;
    const char *text; /* paged; NULL: TITLE */
} cases[] = {
    {"plan -f " FLEET, "cat >%s", NULL, .pages = true},
    {"plan -f " FLEET " -o table", NULL, "cat >%s", .pages = true},
    {"plan -f " FLEET " -o wide", "cat >%s", "false", .pages = true},
    {"plan -f " FLEET, "", "cat >%s", .prints = true},
    {"plan -f " FLEET, "cat", "cat >%s", .prints = true},
    {"plan -f " FLEET " --no-pager", "cat >%s", NULL, .prints = true},
    {"plan -f " FLEET, "cat >%s", NULL, .is_pipe = true, .prints = true},
    {"plan -f " FLEET, "cat >%s", NULL, .is_dumb = true, .prints = true},
    {"plan -f " FLEET " -o json", "cat >%s", NULL, .prints = true},
    {"plan -f " FLEET " -o html", "cat >%s", NULL, .prints = true},
    {"plan -f " FLEET, "/nonexistent/pager 2>/dev/null", NULL, .prints = true},
    /* whatever becomes of the pager, the exit status is that of the command */
    {"plan -f " FLEET " --detailed-exitcode", "cat >%s; exit 9", NULL, .pages = true,
     .status = STATUS_CHANGES},
    {"plan -f " FLEET, "true", NULL, .status = STATUS_DONE}, /* it reads nothing */
    {"plan -f " FLEET, "cat >%s; kill -9 $$", NULL, .pages = true},
    {"history --records " FLEET, "cat >%s", NULL, .pages = true, .text = "No runs"},
    {"history --records " FLEET " --no-pager", "cat >%s", NULL, .prints = true},
    {"history --records " FLEET " -o json", "cat >%s", NULL, .prints = true},
    {"config show", "cat >%s", NULL, .pages = true, .text = "thresholds.unschedulable"},
};

static void
test_pager(void)
{
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* as main does */

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct temp_dir dir = temp_dir_make();
        char of_ballast[256], of_all[256];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(of_ballast, sizeof(of_ballast),
                 cases[i].ballast_pager != NULL ? cases[i].ballast_pager : "",
                 temp_path(&dir, "paged"));
        snprintf(of_all, sizeof(of_all), cases[i].pager != NULL ? cases[i].pager : "",
                 temp_path(&dir, "paged"));
#pragma GCC diagnostic pop
        desk = (struct desk){.ballast_pager = cases[i].ballast_pager != NULL ? of_ballast : NULL,
                             .pager = cases[i].pager != NULL ? of_all : NULL,
                             .is_pipe = cases[i].is_pipe,
                             .is_dumb = cases[i].is_dumb};
        struct seen seen = type(cases[i].line);
        char *got = paged(&dir);

        CHECK_MSG((seen.out[0] != '\0') == cases[i].prints, "case %zu: printed \"%.100s\"", i,
                  seen.out);
        CHECK_MSG((got[0] != '\0') == cases[i].pages, "case %zu: paged \"%.100s\"", i, got);
        CHECK_MSG(seen.status == cases[i].status, "case %zu: status %d", i, (int)seen.status);
        if (cases[i].pages) {
            CHECK_CONTAINS(got, cases[i].text != NULL ? cases[i].text : TITLE);
        }
        free(got);
        forget(&seen);
        temp_dir_remove(&dir);
    }
    signal(SIGPIPE, before);
}

/* A user who leaves the pager at once: the pipe breaks in the middle of a long text. */
static void
test_pager_left(void)
{
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* as main does */

    desk = (struct desk){.ballast_pager = "exec 0<&-; sleep 0.1"};
    struct seen seen = type("help configuration");

    CHECK_INT(seen.status, STATUS_DONE);
    CHECK_STR(seen.out, "");
    CHECK_STR(seen.err, "");
    forget(&seen);
    signal(SIGPIPE, before);
}

/* After a signal nobody waits for a pager. */
static void
test_pager_stopped(void)
{
    desk = (struct desk){.ballast_pager = "cat >/dev/null", .is_stopped = true};
    struct seen seen = type("help plan");

    CHECK_CONTAINS(seen.out, "Usage: ballast plan");
    forget(&seen);
}

static void
test_fleet_variable(void)
{
    static const struct {
        const char *line, *out, *err; /* parts; NULL: nothing */
    } lines[] = {
        {"plan", "  fleet        " FLEET, NULL},
        {"plan -f examples/kubefed", "  fleet        examples/kubefed", NULL},
        {"explain shop/storefront", "Deployment shop/storefront", NULL},
        {"plan --kubeconfig /nonexistent", NULL, "/nonexistent"},
        {"plan --context prod", NULL, "no way to an API server"},
        {"run --server-dry-run", NULL, "leave it out with --fleet and BALLAST_FLEET"},
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        desk = (struct desk){.ballast_fleet = FLEET, .is_pipe = true};
        struct seen seen = type(lines[i].line);

        CHECK_CONTAINS(seen.out, lines[i].out != NULL ? lines[i].out : "");
        CHECK_CONTAINS(seen.err, lines[i].err != NULL ? lines[i].err : "");
        CHECK_MSG((seen.out[0] != '\0') == (lines[i].out != NULL), "%s: %s", lines[i].line,
                  seen.out);
        forget(&seen);
    }
}

/* A person reads of the new name; the log of a CronJob stays as it was. */
static void
test_old_names(void)
{
    static const struct {
        const char *line;
        bool is_pipe, is_told;
    } lines[] = {
        {"plan -f " FLEET " --members=none", false, true},
        {"plan -f " FLEET " --members=none", true, false},
        {"plan -f " FLEET " --members=none -v1", true, true},
        {"plan -f " FLEET " --sources=none", false, false},
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        desk = (struct desk){.ballast_pager = "", .is_pipe = lines[i].is_pipe};
        struct seen seen = type(lines[i].line);
        const char *told =
            strstr(seen.err, "--members is the old name of --sources, and works until 2.0.0\n");

        CHECK_MSG((told != NULL) == lines[i].is_told, "%s: %s", lines[i].line, seen.err);
        CHECK_CONTAINS(seen.out, TITLE);
        forget(&seen);
    }
}

/* plan takes names as explain does. */
static void
test_names(void)
{
    static const struct {
        const char *line, *out, *err; /* parts; NULL: nothing */
    } lines[] = {
        {"plan -f " FLEET " shop/storefront", "1 of 6 bindings in", NULL},
        {"plan -f " FLEET " shop/storefront-deployment", "1 of 6 bindings in", NULL},
        {"plan -f " FLEET " storefront", "1 of 6 bindings in", NULL},
        {"plan -f " FLEET " storefront -n shop", "1 of 6 bindings in", NULL},
        {"plan -f " FLEET " shop/storefront -n shop", "1 of 6 bindings in", NULL},
        {"plan -f " FLEET " deploy/storefront", "1 of 6 bindings in", NULL},
        {"plan -f " FLEET " Deployment/storefront -n shop", "1 of 6 bindings in", NULL},
        {"plan -f " FLEET " sts/ledger-db storefront", "2 of 6 bindings in", NULL},
        {"simulate -f " FLEET " deploy/storefront --lose london", "storefront", NULL},
        {"plan -f " FLEET " storefront -n pay", NULL, "did you mean shop/storefront?"},
        {"plan -f " FLEET " deploy/storefront -n pay", NULL, "no binding belongs to workload"},
        {"plan -f " FLEET " sts/storefront", NULL, "no binding belongs to workload sts/storefront"},
        {"plan -f " FLEET " storefornt", NULL, "no binding belongs to workload storefornt"},
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        desk = (struct desk){.is_pipe = true};
        struct seen seen = type(lines[i].line);

        CHECK_CONTAINS(seen.out, lines[i].out != NULL ? lines[i].out : "");
        CHECK_CONTAINS(seen.err, lines[i].err != NULL ? lines[i].err : "");
        CHECK_MSG((seen.out[0] != '\0') == (lines[i].out != NULL), "%s: %s", lines[i].line,
                  seen.out);
        forget(&seen);
    }
}

#define LONG "-with-a-name-that-is-as-long-as-kubernetes-lets-a-name-be"
#define CLUSTER(name)                                                                              \
    "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: {name: " name "}\n"         \
    "status:\n  conditions: [{type: Ready, status: \"True\"}]\n"                                   \
    "  apiEnablements: [{groupVersion: apps/v1, resources: [{kind: Deployment}]}]\n"               \
    "  resourceSummary: {allocatable: {pods: 11000, cpu: 8000, memory: 8000Gi}}\n---\n"
#define BINDING(name, targets)                                                                     \
    "apiVersion: work.karmada.io/v1alpha2\nkind: ResourceBinding\n"                                \
    "metadata: {name: " name "-deployment, namespace: shop" LONG ", uid: u" name ",\n"             \
    "  resourceVersion: \"1\", labels: {propagationpolicy.karmada.io/permanent-id: p}}\n"          \
    "spec:\n  resource: {apiVersion: apps/v1, kind: Deployment, namespace: shop" LONG              \
    ", name: " name "}\n"                                                                          \
    "  placement: {replicaScheduling: {replicaSchedulingType: Divided, "                           \
    "replicaDivisionPreference: Aggregated}}\n"                                                    \
    "  replicas: 12\n  clusters: [" targets "]\n---\n"

static void
check_lines(const char *text, size_t width)
{
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");

        CHECK_MSG(length <= width, "%zu columns: %.*s", length, (int)length, line);
        line += length + (line[length] != '\0' ? 1 : 0);
    }
}

/* No line of a table is wider than the terminal, however long names are. */
static void
test_table(void)
{
    static const char *const fleets[] = {
        CLUSTER("m1") BINDING("web", "{name: gone, replicas: 12}"),
        CLUSTER("m1" LONG) CLUSTER("m2" LONG) CLUSTER("m3")
            BINDING("web" LONG, "{name: gone" LONG ", replicas: 12}") BINDING(
                "api" LONG, "{name: gone" LONG ", replicas: 8}, {name: m1" LONG ", replicas: 4}"),
    };

    for (size_t i = 0; i < sizeof(fleets) / sizeof(fleets[0]); i++) {
        struct temp_dir dir = temp_dir_make();
        FILE *file = fopen(temp_path(&dir, "fleet.yaml"), "w");
        char line[512];

        if (CHECK(file != NULL) && file != NULL) {
            fputs(fleets[i], file);
            fclose(file);
        }
        snprintf(line, sizeof(line), "plan -o table --fleet %s", temp_path(&dir, "fleet.yaml"));
        desk = (struct desk){.ballast_pager = ""};
        struct seen seen = type(line);

        CHECK_CONTAINS(seen.out, "\nWORKLOAD  ");
        CHECK_CONTAINS(seen.out, i == 0 ? "/web  Move  " : "\n...");
        CHECK_CONTAINS(seen.out, "  Move  ");
        CHECK_CONTAINS(seen.out, "  cluster lost\n");
        check_lines(strstr(seen.out, "\nWORKLOAD  ") + 1, 80); /* the head has names whole */
        forget(&seen);
        temp_dir_remove(&dir);
    }
    desk = (struct desk){.ballast_pager = ""};
    struct seen seen = type("plan -o table -f " FLEET);

    CHECK_CONTAINS(seen.out, "\nshop/checkout         Move       oregon 3 -> virginia 3");
    CHECK_CONTAINS(seen.out, "\nshop/recommendations  Blocked  ");
    check_lines(seen.out, 80);
    forget(&seen);
}

/* `help` shows a run on a live control plane, and help of a command few of its flags. */
static void
test_help(void)
{
    static const struct {
        const char *line, *has, *lacks;
    } lines[] = {
        {"help", "\n  ballast doctor  ", "--fleet DIR"},
        {"help", "\n  ballast plan  ", "--fleet DIR"},
        {"plan -h", "\nExamples:\n  # ", "--member-timeout"},
        {"help plan", "\nballast plan --help=all shows all ", "--member-timeout"},
        {"plan --help=all", "\nAdvanced: members:\n", "--help=all shows all"},
        {"plan --help=all", "\nLimits:\n", "--lose"},
        {"version --help", "\n  -o, --output=FORMAT\n", "html"},
        {"migrate --help", "\n  -o, --output=FORMAT\n", "html"},
        {"help man plan", ".SH EXAMPLES\n", "\nUsage"},
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        desk = (struct desk){.is_pipe = true};
        struct seen seen = type(lines[i].line);

        CHECK_INT(seen.status, STATUS_DONE);
        CHECK_CONTAINS(seen.out, lines[i].has);
        CHECK_MSG(strstr(seen.out, lines[i].lacks) == NULL, "%s: %s", lines[i].line, seen.out);
        forget(&seen);
    }
}

void suite_terminal(void);

void
suite_terminal(void)
{
    check_suite("terminal");
    check_test("pager", test_pager);
    check_test("a pager that is left", test_pager_left);
    check_test("no pager after a signal", test_pager_stopped);
    check_test("BALLAST_FLEET", test_fleet_variable);
    check_test("old names", test_old_names);
    check_test("names", test_names);
    check_test("table", test_table);
    check_test("help", test_help);
}
