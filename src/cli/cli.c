/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the command in argv and applies its settings: flags win over the configuration.
 */
#include "ballast/cli/cli.h"

#include "cli/commands/commands.h"
#include "cli/config/config_source.h"
#include "cli/manual/manual.h"
#include "cli/options/invocation.h"
#include "cli/run/pager.h"
#include "cli/run/progress_line.h"
#include "cli/run/question.h"

static enum exit_status
refuse_command(const struct cli *cli, struct arena *arena, const char *name)
{
    const char *hint = str_hint_row(arena, name, commands, sizeof(commands[0]), "");

    return cli_refuse(cli, "unknown command %s%s%s", name, hint,
                      str_is_empty(hint) ? " (try: ballast help)" : "");
}

/* A command and its command line. */
struct call {
    const struct cli *cli;
    struct arena *arena;
    struct interner *strings;
    const struct command_line *line;
    const struct command *command;
    struct config_text config; /* text NULL: none */
};

static bool
is_used(const struct command_line *line, const char *name)
{
    for (size_t i = 0; i < line->n_uses; i++) {
        if (str_eq(line->uses[i].option->name, name)) {
            return true;
        }
    }
    return false;
}

/* `config show` takes the flags of a run, to show what they set. */
static unsigned
bits_of(const struct call *call)
{
    const struct command_line *line = call->line;
    const bool shows = call->command->bit == FOR_CONFIG && line->n_arguments == 2 &&
                       str_eq(line->arguments[1], CONFIG_SHOW);

    return call->command->bit | (shows ? (unsigned)FOR_RUN : 0);
}

static void
begin_settings(const struct call *call, struct settings *settings)
{
    settings_init(settings);
    settings->format = call->command->format;
}

static bool
apply_flags(const struct call *call, struct settings *settings, struct error *err)
{
    const struct command *command = call->command;

    if (!options_apply(call->arena, call->line, bits_of(call), command->name, settings, err)) {
        return false;
    }
    if ((command->bit & FOR_ONE_FLEET) != 0) {
        settings_take_fleet(settings, call->cli->getenv("BALLAST_FLEET"));
    }
    return true;
}

static bool
parse_config(struct call *call, struct settings *settings, struct error *err)
{
    return call->config.text == NULL ||
           config_parse(&call->config, call->arena, call->strings, &settings->policy,
                        &settings->config_is_older, err);
}

/* Applies the flags, which may name a file, then the file, then the flags again: they win. */
static bool
apply_settings(struct call *call, struct settings *settings, struct error *err)
{
    const struct command *command = call->command;

    begin_settings(call, settings);
    if (!apply_flags(call, settings, err)) {
        return false;
    }
    const char *file = settings->config_file;
    const bool asks = (command->bit & FOR_WRITING) != 0 && question_is_due(call->cli, settings);

    if (settings->help != HELP_NONE || (str_is_empty(file) && !asks)) {
        return true;
    }
    if (str_eq(file, "-") && str_eq(settings->fleet, "-")) {
        return error_set(err, ERROR_USAGE,
                         "give either --config - or --fleet -, since there is one standard input");
    }
    if (!str_is_empty(file) &&
        !config_obtain(call->cli, settings, call->arena, &call->config, err)) {
        return false;
    }
    begin_settings(call, settings);
    if (asks) {
        question_set_limit(settings);
    }
    return parse_config(call, settings, err) && apply_flags(call, settings, err);
}

/* Shows progress only to a person who waits. JSON log readers must get nothing else. */
static bool
shows_progress(const struct cli *cli, const struct settings *settings)
{
    return cli->err_is_terminal && !cli->is_dumb_terminal && settings->log_format == LOG_TEXT;
}

/* --all-namespaces overrides the configuration's namespaces, but contradicts --namespace. */
static bool
choose_namespaces(const struct command_line *line, struct settings *settings, struct error *err)
{
    if (!settings->all_namespaces) {
        return true;
    }
    for (size_t i = 0; i < line->n_uses; i++) {
        if (str_eq(line->uses[i].option->name, "namespace")) {
            return error_set(err, ERROR_USAGE,
                             "give either --all-namespaces or --namespace %s, not both",
                             line->uses[i].value);
        }
    }
    settings->policy.scope.namespaces = (struct str_list){.count = 0};
    return true;
}

/* --emulate-scheduler sets all that these flags set, so they contradict it. */
static bool
choose_scheduler(const struct command_line *line, struct settings *settings, struct error *err)
{
    static const struct {
        const char *flag;
        bool is_kubefeds; /* only KubeFed's scheduler sets it */
    } set_by_it[] = {{"mode", false},
                     {"overcommit-protection", false},
                     {"reschedule-all", false},
                     {"unschedulable-threshold", true}};
    enum upstream_scheduler upstream = settings->policy.upstream;

    if (!is_used(line, "emulate-scheduler")) {
        return true;
    }
    for (size_t i = 0; i < sizeof(set_by_it) / sizeof(set_by_it[0]); i++) {
        if (is_used(line, set_by_it[i].flag) &&
            (!set_by_it[i].is_kubefeds || upstream == UPSTREAM_KUBEFED)) {
            return error_set(
                err, ERROR_USAGE,
                "give either --emulate-scheduler or --%s, not both: another scheduler plans "
                "in its own way",
                set_by_it[i].flag);
        }
    }
    policy_stand_in_for(&settings->policy, upstream);
    return true;
}

/* A person reads this once per call; the log of a CronJob only with -v 1. */
static void
write_older_config(const struct invocation *invocation)
{
    const struct settings *settings = invocation->settings;

    if (settings->config_is_older) {
        log_line(&invocation->logger, LOG_INFO, invocation->cli->err_is_terminal ? 0 : 1,
                 CONFIG_IS_OLDER, settings->config_file, settings->config_file);
    }
}

/* Names the flags that the user gave by an old name. */
static void
write_older_flags(const struct invocation *invocation, const struct command_line *line)
{
    for (size_t i = 0; i < line->n_uses; i++) {
        const struct option_use *use = &line->uses[i];

        if (!str_eq(use->name, use->option->name)) {
            log_line(&invocation->logger, LOG_INFO, invocation->cli->err_is_terminal ? 0 : 1,
                     "--%s is the old name of --%s, and works until " OLD_NAMES_END, use->name,
                     use->option->name);
        }
    }
}

static enum exit_status
run_command(const struct call *call, struct settings *settings)
{
    const struct cli *cli = call->cli;
    const struct command_line *line = call->line;
    const struct command *command = call->command;
    const size_t n_arguments =
        line->n_arguments > 0 ? line->n_arguments - 1 : 0; /* --version gives none */

    if (settings->help != HELP_NONE) {
        help_command(cli->out, command, settings->help == HELP_ALL);
        return STATUS_DONE;
    }
    if (n_arguments > command->max_arguments) {
        return cli_refuse(cli, "unexpected argument \"%s\": %s takes %s",
                          line->arguments[1 + command->max_arguments], command->name,
                          command->max_arguments == 0 ? "flags only" : command->arguments);
    }
    struct progress_line progress;

    progress_line_init(&progress, shows_progress(cli, settings) ? cli->err : NULL, &cli->clock);
    struct invocation invocation = {
        .cli = cli,
        .command = command->name,
        .commands = commands,
        .arena = call->arena,
        .strings = call->strings,
        .settings = settings,
        .arguments = n_arguments > 0 ? line->arguments + 1 : NULL,
        .n_arguments = n_arguments,
        .logger = {cli->err, settings->log_format, settings->verbosity, progress_line_clear,
                   &progress, cli->err_is_terminal},
        .line = line,
        .config = call->config.text != NULL ? &call->config : NULL,
        .progress = &progress,
    };

    write_older_config(&invocation);
    write_older_flags(&invocation, line);
    return command->run(&invocation);
}

/* Documents are for programs, and a pager shows no HTML. */
static bool
is_paged(const struct command *command, const struct settings *settings)
{
    return !settings->no_pager &&
           ((command->bit & FOR_PAGED) != 0 || settings->help != HELP_NONE) &&
           (settings->format == REPORT_TEXT || settings->format == REPORT_DIFF ||
            settings->format == REPORT_TABLE || settings->format == REPORT_WIDE);
}

static enum exit_status
invoke(struct call *call)
{
    const struct cli *cli = call->cli;
    struct settings settings;
    struct pager pager;
    struct error err = ERROR_INIT;

    if (!apply_settings(call, &settings, &err) || !choose_namespaces(call->line, &settings, &err) ||
        !choose_scheduler(call->line, &settings, &err)) {
        cli_refuse(cli, "%s", err.message);
        return err.code == ERROR_UNAVAILABLE || err.code == ERROR_DEADLINE ? STATUS_ERROR
                                                                           : STATUS_USAGE;
    }
    if (!is_paged(call->command, &settings)) {
        return run_command(call, &settings);
    }
    call->cli = pager_open(&pager, cli);
    enum exit_status status = run_command(call, &settings);

    pager_close(&pager, cli);
    return status;
}

/* Only --help and --version work without a command. */
static enum exit_status
without_command(struct call *call)
{
    const struct cli *cli = call->cli;
    const struct command_line *line = call->line;

    if (is_used(line, "version")) {
        call->command = command_find(commands, "version");
        return invoke(call);
    }
    if (line->n_uses > 0 && !is_used(line, "help")) {
        return cli_refuse(cli, "flag --%s without a command (try: ballast help)",
                          line->uses[0].name);
    }
    help_overview(cli->out, commands);
    return STATUS_DONE;
}

static enum exit_status
dispatch(const struct cli *cli, struct arena *arena, struct interner *strings, int argc,
         char *const *argv)
{
    struct command_line line;
    struct error err = ERROR_INIT;
    const struct command *first = argc > 1 ? command_find(commands, argv[1]) : NULL;

    if (first != NULL && first->takes_all) {
        line = (struct command_line){.arguments = (const char *const *)&argv[1],
                                     .n_arguments = (size_t)argc - 1};
        return invoke(&(struct call){
            .cli = cli, .arena = arena, .strings = strings, .line = &line, .command = first});
    }
    if (!options_parse(arena, argc, argv, &line, &err)) {
        return cli_refuse(cli, "%s", err.message);
    }
    struct call call = {.cli = cli, .arena = arena, .strings = strings, .line = &line};

    if (line.n_arguments == 0) {
        return without_command(&call);
    }
    call.command = command_find(commands, line.arguments[0]);
    return call.command != NULL ? invoke(&call) : refuse_command(cli, arena, line.arguments[0]);
}

enum exit_status
cli_main(const struct cli *cli, int argc, char *const *argv)
{
    struct arena *arena = arena_new();
    struct interner *strings = interner_new();
    enum exit_status status = dispatch(cli, arena, strings, argc, argv);

    if (fflush(cli->out) != 0 && status == STATUS_DONE && !cli_reader_is_gone(cli)) {
        cli_refuse(cli, "standard output cannot be written to");
        status = STATUS_ERROR;
    }
    interner_free(strings);
    arena_free(arena);
    return status;
}
