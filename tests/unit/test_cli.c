/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole command lines, from argv to output and exit status, on a small fleet in
 * a file.
 */
#include "ballast/cli/cli.h"

#include <stdlib.h>
#include <unistd.h>

#include "ballast/base/timestamp.h"
#include "check.h"

#define MAX_ARGUMENTS 16
#define CLUSTER                                                                                    \
    "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: {name: member1}\n"          \
    "status:\n  conditions: [{type: Ready, status: \"True\"}]\n"                                   \
    "  apiEnablements: [{groupVersion: apps/v1, resources: [{kind: Deployment}]}]\n"               \
    "  resourceSummary: {allocatable: {pods: 110, cpu: 8, memory: 8Gi}}\n"                         \
    "---\napiVersion: v1\nkind: Pod\n"                                                             \
    "metadata: {name: dns, namespace: kube-system,\n"                                              \
    "  annotations: {resource.karmada.io/cached-from-cluster: member1}}\n"                         \
    "status: {phase: Running}\n"
#define BINDING                                                                                    \
    "apiVersion: work.karmada.io/v1alpha2\nkind: ResourceBinding\n"                                \
    "metadata: {name: web-deployment, namespace: shop, uid: u, resourceVersion: \"1\",\n"          \
    "  labels: {propagationpolicy.karmada.io/permanent-id: p}}\n"
#define SPEC                                                                                       \
    "spec:\n  resource: {apiVersion: apps/v1, kind: Deployment, namespace: shop, name: web}\n"     \
    "  placement: {replicaScheduling: {replicaSchedulingType: Divided, "                           \
    "replicaDivisionPreference: Aggregated}}\n"

/* Three replicas are wanted; `assigned` are. */
#define FLEET(assigned)                                                                            \
    CLUSTER "---\n" BINDING SPEC "  replicas: 3\n  clusters: [{name: member1, replicas: " assigned \
            "}]\n"
#define BAD_FLEET FLEET("3") "---\n" BINDING SPEC "  replicas: three\n"

/* What one command line gave; to be released. */
struct result {
    enum exit_status status;
    char *out, *err;
};

static const char *
no_environment(const char *name)
{
    (void)name;
    return NULL;
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

/* `text` is a command line, a word a blank-separated part; %F is the fleet, %C the configuration.
 */
static void
run_with(bool is_stopped, const char *text, char *fleet, char *config, struct result *ret)
{
    char words[512];
    char *argv[MAX_ARGUMENTS] = {NULL};
    char *state = NULL;
    size_t out_size = 0, err_size = 0;
    atomic_bool stop = is_stopped;
    struct cli cli = {
        .stop = &stop,
        .wall_clock = NANOS_PER_SECOND,
        .clock = {NULL, no_time, no_time, no_chance},
        .getenv = no_environment,
    };
    int argc = 1;

    snprintf(words, sizeof(words), "%s", text);
    for (char *word = strtok_r(words, " ", &state); word != NULL && argc < MAX_ARGUMENTS;
         word = strtok_r(NULL, " ", &state)) {
        char *path = strcmp(word, "%F") == 0 ? fleet : strcmp(word, "%C") == 0 ? config : word;

        argv[argc++] = path;
    }
    *ret = (struct result){.status = STATUS_DONE};
    cli.out = open_memstream(&ret->out, &out_size);
    cli.err = open_memstream(&ret->err, &err_size);
    ret->status = cli_main(&cli, argc, argv);
    fclose(cli.out);
    fclose(cli.err);
}

static void
run(const char *text, char *fleet, char *config, struct result *ret)
{
    run_with(false, text, fleet, config, ret);
}

static void
result_release(struct result *result)
{
    free(result->out);
    free(result->err);
}

/* A new file with a text; `path` is a template that ends with XXXXXX and 5 letters. */
static void
write_file(char *path, const char *text)
{
    int fd = mkstemps(path, 5);
    FILE *stream = fd >= 0 ? fdopen(fd, "w") : NULL;

    if (CHECK_MSG(stream != NULL, "%s cannot be written", path) && stream != NULL) {
        fputs(text, stream);
        fclose(stream);
    }
}

static const struct {
    const char *line;
    enum exit_status status;
    const char *out, *err; /* parts; NULL: nothing at all */
} command_lines[] = {
    {"", STATUS_DONE, "Usage: ballast COMMAND", NULL},
    {"--help", STATUS_DONE, "Usage: ballast COMMAND", NULL},
    {"help", STATUS_DONE, "Usage: ballast COMMAND", NULL},
    {"help plan", STATUS_DONE, "Usage: ballast plan [NAMESPACE/NAME...] [flags]", NULL},
    {"plan --help", STATUS_DONE, "ballast plan --help=all shows all ", NULL},
    {"plan --help=all", STATUS_DONE, "--unschedulable-threshold=DURATION (5m)", NULL},
    {"help flags", STATUS_DONE, "# The command line", NULL},
    {"help configuration", STATUS_DONE, "# The configuration file", NULL},
    {"help confg", STATUS_USAGE, NULL, "ballast: no help on \"confg\": did you mean config?\n"},
    {"help configuratoin", STATUS_USAGE, NULL,
     "no help on \"configuratoin\": did you mean configuration?"},
    {"help plan run", STATUS_USAGE, NULL, "unexpected argument \"run\": help plan takes none"},
    {"help man", STATUS_DONE, ".TH BALLAST 1 ", NULL},
    {"help man plan", STATUS_DONE, ".TH BALLAST-PLAN 1 ", NULL},
    {"help man paln", STATUS_USAGE, NULL, "no help on \"paln\": did you mean plan?"},
    {"help man flags", STATUS_USAGE, NULL, "no help on \"flags\""},
    {"help man plan run", STATUS_USAGE, NULL, "unexpected argument \"run\""},
    {"help __complete", STATUS_USAGE, NULL, "no help on \"__complete\""},
    {"plan --config - --fleet -", STATUS_USAGE, NULL,
     "give either --config - or --fleet -, since there is one standard input"},
    {"config", STATUS_USAGE, NULL, "ballast: config: want schema, check, convert or show\n"},
    {"config schemata", STATUS_USAGE, NULL, "did you mean schema?"},
    {"config schema", STATUS_DONE, "\"ballast.io/v1beta1\"", NULL},
    {"config convert", STATUS_USAGE, NULL, "config convert: which file?"},
    {"config convert a b", STATUS_USAGE, NULL,
     "unexpected argument \"b\": config convert takes one"},
    {"config convert /nonexistent", STATUS_USAGE, NULL, "ballast: /nonexistent: No such file"},
    {"config convert cronjob/base/ballast.yaml", STATUS_DONE,
     "apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\n", NULL},
    {"config schema x", STATUS_USAGE, NULL, "unexpected argument \"x\""},
    {"config check", STATUS_USAGE, NULL, "config check: which file?"},
    {"config check /nonexistent", STATUS_USAGE, NULL, "ballast: /nonexistent: No such file"},
    {"config check cronjob/base/ballast.yaml", STATUS_DONE, "cronjob/base/ballast.yaml: valid\n",
     NULL},
    {"config check /nonexistent cronjob/base/ballast.yaml", STATUS_USAGE,
     "cronjob/base/ballast.yaml: valid\n", "/nonexistent"},
    {"completion", STATUS_USAGE, NULL, "for which shell? (bash, zsh or fish)"},
    {"completion bahs", STATUS_USAGE, NULL,
     "want bash, zsh or fish, got \"bahs\": did you mean bash?"},
    {"completion fish", STATUS_DONE, "complete -c ballast", NULL},
    {"__complete", STATUS_USAGE, NULL, "want the words of a command line"},
    {"version", STATUS_DONE, "ballast ", NULL},
    {"--version", STATUS_DONE, "ballast 1.", NULL},
    {"version -o json", STATUS_DONE, "\"libraries\": {\n    \"libcurl\": \"libcurl/", NULL},
    {"--version -o yaml", STATUS_DONE, "libyaml: \"0.", NULL},
    {"version -o json", STATUS_DONE, "\"commit\": \"", NULL},
    {"version -o table", STATUS_USAGE, NULL, "flag --output: want json or yaml, got \"table\""},
    {"plan --version", STATUS_USAGE, NULL, "flag --version is not for plan"},
    {"version --show-all", STATUS_USAGE, NULL, "ballast: flag --show-all is not for version\n"},
    {"plna", STATUS_USAGE, NULL, "ballast: unknown command plna: did you mean plan?\n"},
    {"frobnicate", STATUS_USAGE, NULL, "unknown command frobnicate (try: ballast help)"},
    {"x\x1b[2J", STATUS_USAGE, NULL, "unknown command x\\u001B[2J"},
    {"--show-all", STATUS_USAGE, NULL, "flag --show-all without a command"},
    {"plan", STATUS_USAGE, NULL, "no way to an API server is known"},
    {"plan examples/fleet", STATUS_USAGE, NULL,
     "ballast: examples/fleet is taken for a workload; for the fleet in the files there, give "
     "--fleet examples/fleet\n"},
    {"plan --kubeconfig /nonexistent", STATUS_USAGE, NULL, "/nonexistent: No such file"},
    {"plan --fleet %F --context prod", STATUS_USAGE, NULL,
     "ballast: --context is for a live control plane, leave it out with --fleet and "
     "BALLAST_FLEET\n"},
    {"run --fleet %F --server-dry-run", STATUS_USAGE, NULL,
     "ballast: --server-dry-run is for a live control plane, leave it out with --fleet and "
     "BALLAST_FLEET\n"},
    {"run --dry-run --server-dry-run", STATUS_USAGE, NULL,
     "ballast: give either --dry-run or --server-dry-run, not both\n"},
    {"plan shop/web --fleet %F", STATUS_DONE, "mode Place: 1 binding in 1 cluster\n", NULL},
    {"plan shop/wbe --fleet %F", STATUS_ERROR, NULL,
     "no binding belongs to workload shop/wbe: did you mean shop/web?"},
    {"plan web --fleet %F", STATUS_DONE, "mode Place: 1 binding in 1 cluster\n", NULL},
    {"plan shp/web --fleet %F", STATUS_ERROR, NULL, "did you mean shop/web?"},
    {"plan --workload web,api --fleet %F", STATUS_ERROR, NULL,
     "no binding belongs to workload api\n"},
    {"plan --workload web -A --fleet %F", STATUS_DONE, "mode Place: 1 binding in 1 cluster\n",
     NULL},
    {"run shop/wbe --fleet %F", STATUS_ERROR, NULL, "did you mean shop/web?"},
    {"plan apps/Deployment/web --fleet %F", STATUS_USAGE, NULL, "want NAMESPACE/NAME"},
    {"plan shop/ --fleet %F", STATUS_USAGE, NULL, "want NAMESPACE/NAME"},
    {"version shop/web", STATUS_USAGE, NULL,
     "unexpected argument \"shop/web\": version takes flags only"},
    {"run --fleet %F --dry-run=client", STATUS_USAGE, NULL,
     "flag --dry-run: want true or false, got \"client\": did you mean --dry-run?\n"},
    {"run --fleet %F --dry-run=server", STATUS_USAGE, NULL, "did you mean --server-dry-run?\n"},
    {"plan --fleet %F -A -n shop", STATUS_USAGE, NULL,
     "ballast: give either --all-namespaces or --namespace shop, not both\n"},
    {"plan --fleet %F --config %C -A", STATUS_DONE, "mode Place: 1 binding in 1 cluster\n", NULL},
    {"run --fleet -", STATUS_USAGE, NULL, "standard input cannot be written to"},
    {"plan --fleet /nonexistent", STATUS_ERROR, NULL, "/nonexistent"},
    {"plan --config /nonexistent --fleet %F", STATUS_USAGE, NULL, "/nonexistent: No such file"},
    {"plan --fleet %F", STATUS_DONE, "\n  findings     ReplicaMismatch 2 replicas in 1 binding, ",
     NULL},
    {"plan --fleet %F --detailed-exitcode", STATUS_CHANGES, "+member1  3  (+2)", NULL},
    {"run --dry-run --fleet %F --detailed-exitcode", STATUS_CHANGES, "+member1  3  (+2)", NULL},
    {"plan --fleet %F --color=always", STATUS_DONE, "\x1b[32m+member1  3  (+2)\x1b[0m", NULL},
    {"plan --fleet %F -v1 -o json", STATUS_DONE, "\"now\": \"1970-01-01T00:00:01Z\"",
     "fleet: 1 clusters, 1 bindings"},
    {"plan --fleet %F --now=+10m -o json", STATUS_DONE, "\"now\": \"1970-01-01T00:10:01Z\"", NULL},
    {"plan --fleet %F --now=2026-05-01T10:00:00Z -o yaml", STATUS_DONE,
     "now: \"2026-05-01T10:00:00Z\"", NULL},
    {"plan --fleet %F --triggers=none --detailed-exitcode", STATUS_DONE, "unchanged", NULL},
    {"plan --fleet %F --namespace other --show-all", STATUS_DONE,
     "mode Place: 0 of 1 binding in scope, in 1 cluster",
     "namespace other: no binding is in it; there is shop (0 of 1 binding in scope)"},
    {"plan --fleet %F --config %C", STATUS_DONE, "0 of 1 binding in scope, in 1 cluster",
     "namespace other: no binding is in it"},
    {"plan --fleet %F --config %C --namespace shop", STATUS_DONE,
     "mode Place: 1 binding in 1 cluster\n", NULL},
};

static void
test_command_lines(void)
{
    char fleet[] = "/tmp/ballast-cli-XXXXXX.yaml", config[] = "/tmp/ballast-cli-XXXXXX.yaml";

    write_file(fleet, FLEET("1"));
    write_file(config, "apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\n"
                       "scope: {namespaces: [other]}\n");
    for (size_t i = 0; i < sizeof(command_lines) / sizeof(command_lines[0]); i++) {
        struct result got;

        run(command_lines[i].line, fleet, config, &got);
        CHECK_MSG(got.status == command_lines[i].status, "%s: status %d, want %d: %s",
                  command_lines[i].line, (int)got.status, (int)command_lines[i].status, got.err);
        CHECK_CONTAINS(got.out, command_lines[i].out != NULL ? command_lines[i].out : "");
        CHECK_CONTAINS(got.err, command_lines[i].err != NULL ? command_lines[i].err : "");
        CHECK_MSG((command_lines[i].out == NULL) == (got.out[0] == '\0'), "%s: got \"%s\"",
                  command_lines[i].line, got.out);
        CHECK_MSG((command_lines[i].err == NULL) == (got.err[0] == '\0'), "%s: got \"%s\"",
                  command_lines[i].line, got.err);
        result_release(&got);
    }
    unlink(fleet);
    unlink(config);
}

/* A run writes, and the next one finds nothing to do. */
static void
test_run(void)
{
    char fleet[] = "/tmp/ballast-cli-XXXXXX.yaml";
    struct result got;

    write_file(fleet, FLEET("1"));
    run("run --fleet %F", fleet, fleet, &got);
    CHECK_INT(got.status, STATUS_DONE);
    CHECK_CONTAINS(got.out, "written      1 binding");
    result_release(&got);
    run("run --fleet %F -o json --show-all", fleet, fleet, &got);
    CHECK_INT(got.status, STATUS_DONE);
    CHECK_CONTAINS(got.out, "\"changed\": 0,");
    CHECK_CONTAINS(got.out, "\"replicas\": 3");
    result_release(&got);
    unlink(fleet);
}

/* A signal that comes before the fleet is read: nothing is waited for, and nothing written. */
static void
test_stopped(void)
{
    char fleet[] = "/tmp/ballast-cli-XXXXXX.yaml";
    struct result got;

    write_file(fleet, FLEET("1"));
    run_with(true, "run --fleet %F", fleet, fleet, &got);
    CHECK_INT(got.status, STATUS_STOPPED);
    CHECK_STR(got.out, "");
    CHECK_CONTAINS(got.err, "stopped by a signal");
    result_release(&got);
    run("plan --fleet %F --detailed-exitcode", fleet, fleet, &got);
    CHECK_INT(got.status, STATUS_CHANGES);
    result_release(&got);
    unlink(fleet);
}

/* One bad binding is a problem of that binding alone, and the report tells. */
static void
test_problems(void)
{
    char fleet[] = "/tmp/ballast-cli-XXXXXX.yaml";
    struct result got;

    write_file(fleet, BAD_FLEET);
    run("plan --fleet %F", fleet, fleet, &got);
    CHECK_INT(got.status, STATUS_DONE);
    CHECK_CONTAINS(got.out, "mode Place: 1 binding in 1 cluster\n");
    CHECK_CONTAINS(got.out, "  skipped      1 bad object\n");
    CHECK_CONTAINS(got.err, "spec.replicas: want integer");
    result_release(&got);
    unlink(fleet);
}

void suite_cli(void);

void
suite_cli(void)
{
    check_suite("cli");
    check_test("command lines", test_command_lines);
    check_test("run", test_run);
    check_test("stopped", test_stopped);
    check_test("problems", test_problems);
}
