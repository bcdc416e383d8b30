/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast help and --help, printed from the tables.
 */
#include <string.h>

#include "ballast/base/wide.h"
#include "ballast/report/ladder_reference.h"
#include "ballast/report/metrics.h"
#include "cli/options/invocation.h"
#include "manual.h"

#define HELP_WIDTH 80
#define OPTION_INDENT 6
#define SHORT_HELP_FLAGS 10 /* a command with as many shows all of them */

static void
print_wrapped(FILE *out, const char *text, size_t indent)
{
    size_t column = 0;

    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        bool fits = column + 1 + length <= HELP_WIDTH;

        if (column > 0 && fits) {
            fputc(' ', out);
            column++;
        } else {
            fprintf(out, "%s%*s", column > 0 ? "\n" : "", pin_width(indent), "");
            column = indent;
        }
        fwrite(text, 1, length, out);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static void
print_option(FILE *out, const struct option *option)
{
    bool shows_default = option->default_text != NULL && !str_eq(option->default_text, "false");

    if (option->short_name != '\0') {
        fprintf(out, "  -%c, ", option->short_name);
    } else {
        fputs("      ", out);
    }
    fprintf(out, "--%s", option->name);
    if (option->metavar != NULL) {
        fprintf(out, "=%s", option->metavar);
    }
    if (shows_default) {
        fprintf(out, " (%s)", option->default_text);
    }
    fputc('\n', out);
    struct arena *arena = arena_new();

    print_wrapped(out, setting_help(arena, &option->param, option->help), 2 + OPTION_INDENT);
    arena_free(arena);
}

static void
print_options(FILE *out, unsigned command)
{
    const char *title = NULL;

    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        title = option->section != NULL ? option->section : title;
        if ((option->commands & command) == 0) {
            continue;
        }
        if (title != NULL) {
            fprintf(out, "\n%s:\n", title);
            title = NULL;
        }
        print_option(out, option);
    }
}

static void
print_exit_statuses(FILE *out)
{
    fputs("\nExit status:\n", out);
#define X(id, value, text) fprintf(out, "  %3d  %s\n", value, text);
    EXIT_STATUSES(X)
#undef X
}

static unsigned
count_options(const struct command *command)
{
    unsigned count = 0;

    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        count += (option->commands & command->bit) != 0 ? 1 : 0;
    }
    return count;
}

static void
print_usual_options(FILE *out, const struct command *command)
{
    fputs("\nFlags:\n", out);
    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        if ((option->commands & option->usual & command->bit) != 0) {
            print_option(out, option);
        }
    }
    fprintf(out, "\nballast %s --help=all shows all %u flags.\n", command->name,
            count_options(command));
}

static void
print_examples(FILE *out, const struct command *command)
{
    if (command->examples[0].line == NULL) {
        return;
    }
    fputs("\nExamples:\n", out);
    for (size_t i = 0; i < N_EXAMPLES && command->examples[i].line != NULL; i++) {
        fprintf(out, "  # %s\n  ballast %s\n", command->examples[i].what,
                command->examples[i].line);
    }
}

void
help_command(FILE *out, const struct command *command, bool all)
{
    fprintf(out, "Usage: ballast %s%s%s [flags]\n\n", command->name,
            str_is_empty(command->arguments) ? "" : " ", command->arguments);
    print_wrapped(out, command->help, 0);
    print_examples(out, command);
    if (!all && count_options(command) > SHORT_HELP_FLAGS) {
        print_usual_options(out, command);
        return;
    }
    print_options(out, command->bit);
    if ((command->bit & FOR_DIAGNOSING) != 0) {
        print_exit_statuses(out);
    }
}

void
help_overview(FILE *out, const struct command *all)
{
    fputs("Ballast moves replicas that are stuck to where they can run, across the clusters that "
          "one\ncontrol plane manages.\n\nUsage: ballast COMMAND [flags]\n\nCommands:\n",
          out);
    for (const struct command *command = all; command->name != NULL; command++) {
        if (!command->is_hidden) {
            fprintf(out, "  %-10s %s\n", command->name, command->summary);
        }
    }
    fputs("\nFirst run, on the control plane of your kubeconfig (--context NAME chooses another):\n"
          "  ballast doctor               check access, rights and members, and what to fix\n"
          "  ballast plan                 show what a run would do; this writes nothing\n"
          "  ballast run                  show it, ask, and do it\n"
          "\nTo learn more:\n"
          "  ballast plan -f DIR          plan for a fleet in files, without a control plane\n"
          "  ballast help COMMAND         examples and the flags that people use most\n"
          "  ballast COMMAND --help=all   every flag\n",
          out);
}

static void
print_configuration(FILE *out, const struct command *all)
{
    (void)all;
    reference_configuration(out);
}

static void
print_advanced_configuration(FILE *out, const struct command *all)
{
    (void)all;
    reference_advanced_configuration(out);
}

static void
print_metrics(FILE *out, const struct command *all)
{
    (void)all;
    metrics_reference(out);
}

static void
print_ladder(FILE *out, const struct command *all)
{
    (void)all;
    ladder_reference(out);
}

const struct help_topic help_topics[] = {
    {"flags", "commands, flags and exit statuses, in Markdown", reference_cli, NULL},
    {"advanced-flags", "flags that few people need, in Markdown", reference_advanced_flags, NULL},
    {"configuration", "the configuration file and its keys, in Markdown", print_configuration,
     NULL},
    {"advanced-configuration", "keys that few people need, in Markdown",
     print_advanced_configuration, NULL},
    {"metrics", "every metric that a run tells of itself, in Markdown", print_metrics, NULL},
    {"ladder", "in which order a decision is searched for, in Markdown", print_ladder, NULL},
    {"man", "the manual's page of a command, or of all, in roff", manual, manual_of_command},
    {NULL, NULL, NULL, NULL},
};

static const struct command *
find_shown(const struct command *all, const char *name)
{
    const struct command *command = command_find(all, name);

    return command != NULL && !command->is_hidden ? command : NULL;
}

static const struct help_topic *
find_topic(const char *name)
{
    for (const struct help_topic *topic = help_topics; topic->name != NULL; topic++) {
        if (str_eq(topic->name, name)) {
            return topic;
        }
    }
    return NULL;
}

/* Returns ": did you mean X?", with a command or a topic. "": none is near. */
static const char *
topic_hint(const struct invocation *invocation, const char *topic)
{
    struct arena *arena = invocation->arena;
    const struct command *all = invocation->commands;
    const char *hint = str_hint_row(arena, topic, help_topics, sizeof(help_topics[0]), "");

    return str_is_empty(hint) ? str_hint_row(arena, topic, all, sizeof(*all), "") : hint;
}

static enum exit_status
refuse_topic(const struct invocation *invocation, const char *name)
{
    return cli_refuse(invocation->cli, "no help on \"%s\"%s", name, topic_hint(invocation, name));
}

enum exit_status
command_help(const struct invocation *invocation)
{
    FILE *out = invocation->cli->out;
    const struct command *all = invocation->commands;
    const char *name = invocation->n_arguments > 0 ? invocation->arguments[0] : NULL;
    const char *of = invocation->n_arguments > 1 ? invocation->arguments[1] : NULL;
    const struct command *command = name != NULL ? find_shown(all, name) : NULL;
    const struct help_topic *topic = name != NULL ? find_topic(name) : NULL;

    if (name == NULL) {
        help_overview(out, all);
        return STATUS_DONE;
    }
    if (command == NULL && topic == NULL) {
        return refuse_topic(invocation, name);
    }
    if (of != NULL && (topic == NULL || topic->print_of == NULL)) {
        return cli_refuse(invocation->cli, "unexpected argument \"%s\": help %s takes none", of,
                          name);
    }
    if (of != NULL && find_shown(all, of) == NULL) {
        return refuse_topic(invocation, of);
    }
    if (of != NULL) {
        topic->print_of(out, all, find_shown(all, of));
    } else if (command != NULL) {
        help_command(out, command, invocation->settings->help == HELP_ALL);
    } else {
        topic->print(out, all);
    }
    return STATUS_DONE;
}
