/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line's flags: every way to write one, every type of value, and
 * what is said when one is wrong.
 */
#include "cli/options/options.h"

#include "ballast/base/timestamp.h"
#include "check.h"
#include "cli/commands/commands.h"

#define MAX_ARGUMENTS 32

/* Takes a command line apart, a word a blank-separated part, and applies it for plan. */
static bool
parse(struct arena *arena, const char *text, struct command_line *line, struct settings *settings,
      struct error *err)
{
    char *words = arena_strndup(arena, text, strlen(text));
    char *argv[MAX_ARGUMENTS] = {NULL};
    int argc = 1;
    char *state = NULL;

    for (char *word = strtok_r(words, " ", &state); word != NULL && argc < MAX_ARGUMENTS;
         word = strtok_r(NULL, " ", &state)) {
        argv[argc++] = word;
    }
    settings_init(settings);
    return options_parse(arena, argc, argv, line, err) &&
           options_apply(arena, line, FOR_PLAN, "plan", settings, err);
}

static const struct {
    const char *line, *message;
} refused_lines[] = {
    {"plan --unschedulable-treshold=5m",
     "unknown flag --unschedulable-treshold: did you mean --unschedulable-threshold?"},
    {"plan --nmespace shop", "unknown flag --nmespace: did you mean --namespace?"},
    {"plan --unsched 5m", "unknown flag --unsched: did you mean --unschedulable-threshold?"},
    {"plan --max 5", "unknown flag --max"},
    {"plan --completely-else", "unknown flag --completely-else"},
    {"plan --no-color", "unknown flag --no-color: did you mean --color=never?"},
    {"plan --no-all", "unknown flag --no-all: did you mean --show-all=false?"},
    {"plan -output json", "unknown flag -output: did you mean --output?"},
    {"plan -no-color", "unknown flag -no-color: did you mean --color=never?"},
    {"plan -out=x",
     "unknown flag -out: did you mean --output? A plan is not kept to be applied: run plans anew"},
    {"plan -lock-timeout=3s", "unknown flag -lock-timeout: did you mean --lock-wait?"},
    {"plan -auto-approve", "unknown flag -auto-approve: did you mean --yes?"},
    {"plan -json", "unknown flag -json: did you mean --output=json?"},
    {"plan -target=a",
     "unknown flag -target: name workloads as NAMESPACE/NAME, or select with -n, -l or --kind"},
    {"run --descheduling-interval 5m",
     "unknown flag --descheduling-interval: a command is one cycle and ends"},
    {"plan -x", "unknown flag -x"},
    {"plan --fleet", "flag --fleet needs a value: --fleet=DIR|FILE|-"},
    {"plan --fleet --show-all", "flag --fleet needs a value: --fleet=DIR|FILE|-"},
    {"plan --fleet=", "flag --fleet: may not be empty"},
    {"plan -o", "flag --output needs a value: --output=FORMAT"},
    {"plan --dry-run=client",
     "flag --dry-run is not for plan: plan is always a dry run: leave it out"},
    {"plan --names web", "unknown flag --names: did you mean --workload?"},
    {"plan --no-limit", "unknown flag --no-limit"},
    {"plan --kube-context x", "unknown flag --kube-context: did you mean --context?"},
    {"plan --filename x",
     "unknown flag --filename: did you mean --fleet, for a fleet in files, or --config?"},
    {"plan --help=some", "flag --help: want true or false, got \"some\""},
    {"plan --members direct", "flag --members: want none, or some of pods, nodes, estimator and "
                              "status, got \"direct\""},
    {"plan --color name", "flag --color: want auto, always or never, got \"name\""},
    {"plan --namespaces shop", "unknown flag --namespaces: did you mean --namespace?"},
    {"plan --selectors a=b", "unknown flag --selectors: did you mean --selector?"},
    {"plan --all-namespace", "unknown flag --all-namespace: did you mean --all-namespaces?"},
    {"plan --dryrun", "unknown flag --dryrun: did you mean --dry-run?"},
    {"plan --server-timeout 5s", "unknown flag --server-timeout"},
    {"plan --color alway",
     "flag --color: want auto, always or never, got \"alway\": did you mean always?"},
    {"plan --mode place", "flag --mode: want Place or Evict, got \"place\": did you mean "
                          "Place?"},
    {"plan --lock-wait 5s", "flag --lock-wait is not for plan"},
    {"plan --sources direct", "flag --sources: want none, or some of pods, nodes, estimator and "
                              "status, got \"direct\""},
    {"plan --sources pods,node", "flag --sources: want none, or some of pods, nodes, estimator "
                                 "and status, got \"node\": did you mean nodes?"},
    {"plan --sources pods,pods", "flag --sources: pods is named twice"},
    {"plan --sources pods,none", "flag --sources: want none, or some of pods, nodes, estimator "
                                 "and status, got \"none\": did you mean nodes?"},
    {"plan --kube-api-qps 0",
     "flag --kube-api-qps: want a number above 0 and up to 1000000, got \"0\""},
    {"plan --kube-api-qps inf",
     "flag --kube-api-qps: want a number above 0 and up to 1000000, got \"inf\""},
    {"plan --request-timeout 10ms",
     "flag --request-timeout: want a duration from 1s to 3600s, got \"10ms\""},
    {"plan --concurrency 0", "flag --concurrency: want an integer from 1 to 1000, got \"0\""},
    {"plan --failed-threshold 5",
     "flag --failed-threshold: want a duration such as 90s, 5m or 1h30m, got \"5\""},
    {"plan --failed-threshold=-5m",
     "flag --failed-threshold: want a duration such as 90s, 5m or 1h30m, got \"-5m\""},
    {"plan --show-all=maybe", "flag --show-all: want true or false, got \"maybe\""},
    {"plan --limit=-1", "flag --limit: want an integer from 0 to 4294967294, got \"-1\""},
    {"plan --limit 4294967296",
     "flag --limit: want an integer from 0 to 4294967294, got \"4294967296\""},
    {"plan --limit 1x", "flag --limit: want an integer from 0 to 4294967294, got \"1x\""},
    {"plan --max-unhealthy-percent 101",
     "flag --max-unhealthy-percent: want an integer from 0 to 100, got \"101\""},
    {"plan --min-priority 99999999999", "flag --min-priority: want an integer from -2147483648 "
                                        "to 2147483647, got \"99999999999\""},
    {"plan --triggers Imbalanc",
     "flag --triggers: unknown finding type \"Imbalanc\": did you mean Imbalance?"},
    {"plan --triggers Imbalance,+Unplaced", "flag --triggers: either a list of finding types, "
                                            "or edits of the default as +Type,-Type"},
    {"plan --namespace a,,b", "flag --namespace: a word between the commas is empty"},
    {"plan --kind deployments", "flag --kind: want a kind such as Deployment, got "
                                "\"deployments\": did you mean Deployment?"},
    {"plan --selector a=b,", "flag --selector: want a label key, got the end"},
    {"plan --now yesterday",
     "flag --now: want a time such as 2026-05-01T10:00:00Z, or a span such as +10m after the "
     "fleet was captured, got \"yesterday\""},
    {"plan --now +-5m",
     "flag --now: want a time such as 2026-05-01T10:00:00Z, or a span such as +10m after the "
     "fleet was captured, got \"+-5m\""},
};

static void
test_refused(void)
{
    for (size_t i = 0; i < sizeof(refused_lines) / sizeof(refused_lines[0]); i++) {
        struct arena *arena = arena_new();
        struct command_line line;
        struct settings settings;
        struct error err = ERROR_INIT;

        CHECK_MSG(!parse(arena, refused_lines[i].line, &line, &settings, &err), "%s was taken",
                  refused_lines[i].line);
        CHECK_STR(err.message, refused_lines[i].message);
        CHECK_INT(err.code, ERROR_USAGE);
        arena_free(arena);
    }
}

static void
test_spellings(void)
{
    static const char *const lines[] = {
        "plan --output json --show-all --limit 7",
        "plan --output=json --show-all=true --limit=7",
        "plan -o json --limit=7 --show-all",
        "plan -ojson --show-all=1 --limit 7",
        "plan -o=json --show-all=false --show-all --limit 9 --limit 7",
        "-o json plan --show-all --limit 7",
        "--show-all -o json --limit 7 -- plan",
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct arena *arena = arena_new();
        struct command_line line;
        struct settings settings;
        struct error err = ERROR_INIT;

        if (CHECK_OK(parse(arena, lines[i], &line, &settings, &err), err)) {
            CHECK_MSG(settings.format == REPORT_JSON && settings.all && settings.limit == 7,
                      "%s: format %d, all %d, limit %u", lines[i], (int)settings.format,
                      settings.all, settings.limit);
            CHECK_INT(line.n_arguments, 1);
            CHECK_STR(line.arguments[0], "plan");
        }
        arena_free(arena);
    }
}

static void
check_list(const struct str_list *list, const char *first, const char *second)
{
    if (CHECK_INT(list->count, 2)) {
        CHECK_STR(list->items[0], first);
        CHECK_STR(list->items[1], second);
    }
}

static void
test_values(void)
{
    struct arena *arena = arena_new();
    struct command_line line;
    struct settings settings;
    struct error err = ERROR_INIT;

    if (CHECK_OK(parse(arena,
                       "plan -f - --unschedulable-threshold=90s -n a -n b --kind Job,CronJob "
                       "--overcommit-protection=false --mode=Evict --min-priority=-3 --fleet x "
                       "--now=+10m --max-replicas-moved=12 --max-bindings-changed=5%",
                       &line, &settings, &err),
                 err)) {
        CHECK_STR(settings.fleet, "x");
        CHECK_INT(settings.policy.unschedulable_threshold, 90 * NANOS_PER_SECOND);
        CHECK_INT(settings.policy.failed_threshold, 5 * NANOS_PER_MINUTE);
        check_list(&settings.policy.scope.namespaces, "a", "b");
        check_list(&settings.policy.scope.kinds, "Job", "CronJob");
        CHECK(!settings.policy.overcommit_protection);
        CHECK_INT(settings.policy.mode, MODE_EVICT);
        CHECK(settings.policy.scope.has_min_priority);
        CHECK_INT(settings.policy.scope.min_priority, -3);
        CHECK(settings.now.given && settings.now.relative);
        CHECK_INT(settings.now.nanos, 10 * NANOS_PER_MINUTE);
        CHECK_INT(settings.policy.limits.of[LIMIT_RUN_REPLICAS].unit, LIMIT_UNIT_COUNT);
        CHECK_INT(settings.policy.limits.of[LIMIT_RUN_REPLICAS].value, 12);
        CHECK_INT(settings.policy.limits.of[LIMIT_RUN_BINDINGS].unit, LIMIT_UNIT_PERCENT);
        CHECK_INT(settings.policy.limits.of[LIMIT_RUN_BINDINGS].value, 5);
    }
    arena_free(arena);
}

static void
test_bundled(void)
{
    struct arena *arena = arena_new();
    struct command_line line;
    struct settings settings;
    struct error err = ERROR_INIT;

    if (CHECK_OK(parse(arena, "plan -hv2", &line, &settings, &err), err)) {
        CHECK(settings.help);
        CHECK_INT(settings.verbosity, 2);
    }
    arena_free(arena);
}

/* An old name does what the new one does, and the command line tells which one was typed. */
static void
test_old_names(void)
{
    static const char *const lines[] = {
        "plan --sources=nodes --workload=web --show-all --max-replicas-moved=3 "
        "--max-bindings-changed 4 --emulate-scheduler karmada",
        "plan --members=nodes --name=web --all --max-replicas=3 --max-bindings 4 "
        "--scheduler karmada",
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct arena *arena = arena_new();
        struct command_line line;
        struct settings settings;
        struct error err = ERROR_INIT;

        if (CHECK_OK(parse(arena, lines[i], &line, &settings, &err), err)) {
            CHECK_INT(settings.policy.sources.count, 1);
            CHECK_INT(settings.policy.scope.names.count, 1);
            CHECK(settings.all);
            CHECK_INT(settings.policy.limits.of[LIMIT_RUN_REPLICAS].value, 3);
            CHECK_INT(settings.policy.limits.of[LIMIT_RUN_BINDINGS].value, 4);
            CHECK_INT(settings.policy.upstream, UPSTREAM_KARMADA);
            CHECK_INT(line.n_uses, 6);
            CHECK_STR(line.uses[0].name, i == 0 ? "sources" : "members");
            CHECK_STR(line.uses[0].option->name, "sources");
        }
        arena_free(arena);
    }
}

static void
test_help(void)
{
    static const struct {
        const char *line;
        enum help_extent want;
    } cases[] = {{"plan", HELP_NONE},
                 {"plan -h", HELP_USUAL},
                 {"plan --help", HELP_USUAL},
                 {"plan --help=all", HELP_ALL},
                 {"plan --help=all --help=false", HELP_NONE}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();
        struct command_line line;
        struct settings settings;
        struct error err = ERROR_INIT;

        CHECK_OK(parse(arena, cases[i].line, &line, &settings, &err), err);
        CHECK_INT(settings.help, cases[i].want);
        arena_free(arena);
    }
}

/* Every flag of an example is one of its command. */
static void
check_example(const struct command *command, const char *text)
{
    char words[256], *state = NULL;

    snprintf(words, sizeof(words), "%s", text);
    for (char *word = strtok_r(words, " ", &state); word != NULL;
         word = strtok_r(NULL, " ", &state)) {
        const struct command *other = command_find(commands, word);
        bool is_taken = word[0] != '-' || word[1] == '\0';

        command = other != NULL && word == words ? other : command;
        for (const struct option *option = option_next(NULL); option != NULL && !is_taken;
             option = option_next(option)) {
            const size_t length = strcspn(word, "=");

            is_taken = (option->commands & command->bit) != 0 &&
                       (word[1] == '-' ? strlen(option->name) == length - 2 &&
                                             strncmp(option->name, word + 2, length - 2) == 0
                                       : option->short_name == word[1]);
        }
        CHECK_MSG(is_taken, "ballast %s: %s is not for it", text, word);
    }
}

/* Each command's help begins with three examples and at most ten flags. */
static void
test_usual(void)
{
    for (const struct command *command = commands; command->name != NULL; command++) {
        unsigned usual = 0;

        for (const struct option *option = option_next(NULL); option != NULL;
             option = option_next(option)) {
            usual += (option->usual & command->bit) != 0 ? 1 : 0;
            CHECK_MSG((option->usual & ~option->commands) == 0, "--%s", option->name);
        }
        CHECK_MSG(usual <= 10, "%s: %u flags", command->name, usual);
        for (size_t i = 0; i < N_EXAMPLES && !command->is_hidden; i++) {
            if (CHECK_MSG(command->examples[i].line != NULL, "%s has no example", command->name)) {
                check_example(command, command->examples[i].line);
            }
        }
    }
}

static void
test_triggers(void)
{
    static const struct {
        const char *line;
        unsigned triggers; /* bit by type */
    } cases[] = {
        {"plan", 0x1F},
        {"plan --triggers Imbalance", 1u << FINDING_IMBALANCE},
        {"plan --triggers Imbalance --triggers Unplaced",
         1u << FINDING_IMBALANCE | 1u << FINDING_UNPLACED},
        {"plan --triggers Imbalance,Unplaced", 1u << FINDING_IMBALANCE | 1u << FINDING_UNPLACED},
        {"plan --triggers +Imbalance", 0x1F | 1u << FINDING_IMBALANCE},
        {"plan --triggers +Unplaced,-UnhealthyCluster",
         (0x1F & ~(1u << FINDING_UNHEALTHY_CLUSTER)) | 1u << FINDING_UNPLACED},
        {"plan --triggers -UnschedulableReplicas", 0x1F & ~1u},
        {"plan --triggers none", 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();
        struct command_line line;
        struct settings settings;
        struct error err = ERROR_INIT;
        unsigned got = 0;

        CHECK_OK(parse(arena, cases[i].line, &line, &settings, &err), err);
        for (unsigned type = 0; type < N_FINDING_TYPES; type++) {
            got |= settings.policy.triggers[type] ? 1u << type : 0;
        }
        CHECK_MSG(got == cases[i].triggers, "%s: got %#x, want %#x", cases[i].line, got,
                  cases[i].triggers);
        arena_free(arena);
    }
}

/* Texts are in two places of memory; one that is empty has words for what then holds. */
static bool
same_text(const struct settings *fresh, const struct settings *set, size_t offset)
{
    const char *a, *b;

    memcpy(&a, (const char *)fresh + offset, sizeof(a));
    memcpy(&b, (const char *)set + offset, sizeof(b));
    return str_is_empty(a) || str_eq(a, b);
}

/* Every flag's default text is what the parser makes of the default: the table cannot lie. */
static void
test_defaults(void)
{
    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        struct arena *arena = arena_new();
        struct settings fresh, set;
        struct error err = ERROR_INIT;
        bool parseable = option->default_text != NULL && option->parse != setting_time &&
                         option->parse != setting_list && option->parse != setting_kinds;

        settings_init(&fresh);
        settings_init(&set);
        if (parseable) {
            CHECK_OK(option->parse(arena, &option->param, option->default_text,
                                   (char *)&set + option->offset, &err),
                     err);
            CHECK_MSG(option->parse == setting_text
                          ? same_text(&fresh, &set, option->offset)
                          : memcmp((const char *)&fresh, (const char *)&set, sizeof(set)) == 0,
                      "--%s: default is not %s", option->name, option->default_text);
        }
        arena_free(arena);
    }
}

void suite_options(void);
void
suite_options(void)
{
    check_suite("options");
    check_test("refused", test_refused);
    check_test("spellings", test_spellings);
    check_test("values", test_values);
    check_test("bundled", test_bundled);
    check_test("old names", test_old_names);
    check_test("help", test_help);
    check_test("usual flags", test_usual);
    check_test("triggers", test_triggers);
    check_test("defaults", test_defaults);
}
