/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast __complete WORD...: prints candidates for the last word, for kubectl and the scripts of
 * `ballast completion`. The output has cobra's form: one candidate a line, with its meaning after
 * a tab, then ":N" with a directive for the shell.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "cli/manual/manual.h"
#include "complete.h"

/* A user waits at most one second, including the shell's own time. */
#define LOOK_UP_TIME (NANOS_PER_SECOND * 7 / 10)
#define MEANING_MAX 100 /* bytes */

/* cobra's ShellCompDirective */
enum directive {
    NO_SPACE = 2, /* after the only candidate */
    NO_FILES = 4,
    DIRECTORIES = 16,
};

struct candidate {
    const char *text;
    const char *meaning; /* "": none */
};

struct completer {
    const struct invocation *invocation;
    const struct partial_line *line;
    struct settings settings; /* from the line, as far as it is valid */
    const char *before;       /* text of the word before a candidate: "--kind=Job," */
    const char *begun;        /* beginning of a candidate */
    unsigned directive;
    VEC_OF(struct candidate) found;
};

/* Returns the first sentence. */
static const char *
meaning_of(struct arena *arena, const char *help)
{
    const char *end = help != NULL ? strstr(help, ". ") : NULL;
    size_t length = end != NULL ? (size_t)(end - help) : help != NULL ? strlen(help) : 0;

    if (end == NULL && length > 0 && help[length - 1] == '.') {
        length--;
    }
    return arena_printf(arena, "%.*s%s", pin_width(text_cut(help, length, MEANING_MAX)), help,
                        length > MEANING_MAX ? TEXT_CUT_MARK : "");
}

/* True if the text is printable as one line, unchanged. */
static bool
is_plain(const char *text)
{
    struct buf shown;

    buf_init(&shown, SIZE_MAX / 2);
    text_append_line(&shown, text);
    bool ret = !str_is_empty(text) && str_eq(buf_text(&shown), text);

    buf_release(&shown);
    return ret;
}

static void
offer(struct completer *completer, const char *text, const char *help)
{
    struct arena *arena = completer->invocation->arena;

    if (strncmp(text, completer->begun, strlen(completer->begun)) == 0 && is_plain(text)) {
        vec_add(&completer->found, ((struct candidate){arena_strndup(arena, text, strlen(text)),
                                                       meaning_of(arena, help)}));
    }
}

static void
offer_words(struct completer *completer, const struct setting_word *words)
{
    for (; words != NULL && words->name != NULL; words++) {
        offer(completer, words->name, words->help);
    }
}

static void
offer_commands(struct completer *completer)
{
    for (const struct command *command = completer->invocation->commands; command->name != NULL;
         command++) {
        if (!command->is_hidden) {
            offer(completer, command->name, command->summary);
        }
    }
}

static void
offer_topics(struct completer *completer)
{
    offer_commands(completer);
    for (const struct help_topic *topic = help_topics; topic->name != NULL; topic++) {
        offer(completer, topic->name, topic->summary);
    }
}

static void
offer_name(void *context, const char *name)
{
    offer(context, name, NULL);
}

static void
offer_contexts(struct completer *completer)
{
    const char *kubeconfig = completer->settings.control_plane.kubeconfig;
    const struct kube_config_options where = {
        .kubeconfig = str_is_empty(kubeconfig) ? NULL : kubeconfig,
        .getenv = completer->invocation->cli->getenv,
    };
    struct error ignored = ERROR_INIT;

    kube_config_contexts(&where, offer_name, completer, &ignored);
}

static void
look_up(struct completer *completer, enum fleet_name_kind kind, const char *namespace_,
        void (*found)(void *context, const char *name))
{
    const struct fleet_name_query query = {&completer->settings, kind, namespace_};

    fleet_names_find(completer->invocation->cli, &query, LOOK_UP_TIME, found, completer);
}

/* Offers "shop/", for the name to follow. */
static void
offer_namespace_of_workloads(void *context, const char *name)
{
    struct completer *completer = context;

    offer(completer, arena_printf(completer->invocation->arena, "%s/", name), NULL);
}

static void
offer_workloads(struct completer *completer)
{
    const char *slash = strchr(completer->begun, '/');

    if (slash != NULL) {
        look_up(completer, FLEET_WORKLOADS,
                arena_strndup(completer->invocation->arena, completer->begun,
                              (size_t)(slash - completer->begun)),
                offer_name);
        return;
    }
    look_up(completer, FLEET_NAMESPACES, NULL, offer_namespace_of_workloads);
    completer->directive |= NO_SPACE;
}

/* Offers "web" of "shop/web". */
static void
offer_bare_name(void *context, const char *name)
{
    const char *slash = strchr(name, '/');

    offer(context, slash != NULL ? slash + 1 : name, NULL);
}

static void
offer_names(struct completer *completer)
{
    const struct str_list *namespaces = &completer->settings.policy.scope.namespaces;

    look_up(completer, FLEET_WORKLOADS, namespaces->count == 1 ? namespaces->items[0] : NULL,
            offer_bare_name);
}

static void
offer_by_kind(struct completer *completer, const struct completion *completes)
{
    switch (completes->kind) {
    case COMPLETES_WORDS:
        offer_words(completer, completes->words);
        break;
    case COMPLETES_FILES:
        if (!str_is_empty(completer->begun)) { /* a shell offers files if nothing else fits */
            offer_words(completer, completes->words);
        }
        completer->directive = 0;
        break;
    case COMPLETES_DIRECTORIES:
        completer->directive = DIRECTORIES;
        break;
    case COMPLETES_TOPICS:
        offer_topics(completer);
        break;
    case COMPLETES_CONTEXTS:
        offer_contexts(completer);
        break;
    case COMPLETES_NAMESPACES:
        look_up(completer, FLEET_NAMESPACES, NULL, offer_name);
        break;
    case COMPLETES_CLUSTERS:
        look_up(completer, FLEET_CLUSTERS, NULL, offer_name);
        break;
    case COMPLETES_WORKLOADS:
        offer_workloads(completer);
        break;
    case COMPLETES_NAMES:
        offer_names(completer);
        break;
    default:
        break;
    }
}

/* Completes the word after the last comma of a list, or after the sign of an edit (+Type). */
static void
begin_behind(struct completer *completer, const char *at)
{
    struct arena *arena = completer->invocation->arena;

    completer->before = arena_printf(arena, "%s%.*s", completer->before,
                                     pin_width(at - completer->begun), completer->begun);
    completer->begun = at;
}

static void
offer_values(struct completer *completer, const struct option *option)
{
    const char *comma = strrchr(completer->begun, ',');
    bool is_list = option->metavar != NULL && strstr(option->metavar, ",...") != NULL;

    if (is_list && comma != NULL) {
        begin_behind(completer, comma + 1);
    }
    if (is_list && (completer->begun[0] == '+' || completer->begun[0] == '-')) {
        begin_behind(completer, completer->begun + 1);
    }
    if (option->completes.kind != COMPLETES_BY_PARSER) {
        offer_by_kind(completer, &option->completes);
    } else if (option->metavar == NULL) {
        offer(completer, "true", NULL);
        offer(completer, "false", NULL);
    } else {
        offer_words(completer, option->param.choices);
    }
}

static bool
is_used(const struct partial_line *line, const struct option *option)
{
    for (size_t i = 0; i < line->n_uses; i++) {
        if (line->uses[i].option == option) {
            return true;
        }
    }
    return false;
}

/* Without a command, only flags that need none. */
static bool
fits_command(const struct option *option, const struct command *command)
{
    return command != NULL ? (option->commands & command->bit) != 0
                           : option->commands == FOR_ALL || option->commands == FOR_VERSION;
}

static void
offer_flags(struct completer *completer)
{
    const struct partial_line *line = completer->line;
    bool wants_letters = strlen(line->value) < strlen("--") || line->value[1] != '-';

    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        if (!fits_command(option, line->command) || (is_used(line, option) && !option->repeats)) {
            continue;
        }
        offer(completer, arena_printf(completer->invocation->arena, "--%s", option->name),
              option->help);
        if (wants_letters && option->short_name != '\0') {
            offer(completer, arena_printf(completer->invocation->arena, "-%c", option->short_name),
                  option->help);
        }
    }
}

static void
offer_arguments(struct completer *completer)
{
    const struct partial_line *line = completer->line;
    const struct command *command = line->command;

    if (command == NULL && line->n_arguments == 0) {
        offer_commands(completer);
    } else if (command != NULL && line->n_arguments < command->max_arguments) {
        bool is_first = line->n_arguments == 0 || command->completes[1].kind == COMPLETES_BY_PARSER;

        offer_by_kind(completer, &command->completes[is_first ? 0 : 1]);
    }
}

/* Applies the flags of the line, and skips bad values. */
static void
finish_words(struct completer *completer)
{
    const struct partial_line *line = completer->line;
    struct error ignored = ERROR_INIT;

    settings_init(&completer->settings);
    for (size_t i = 0; i < line->n_uses; i++) {
        const struct command_line one = {.uses = &line->uses[i], .n_uses = 1};

        options_apply(completer->invocation->arena, &one, line->uses[i].option->commands, "",
                      &completer->settings, &ignored);
    }
    settings_take_fleet(&completer->settings, completer->invocation->cli->getenv("BALLAST_FLEET"));
}

static int
candidate_cmp(const void *a, const void *b)
{
    return strcmp(((const struct candidate *)a)->text, ((const struct candidate *)b)->text);
}

static void
print(struct completer *completer)
{
    FILE *out = completer->invocation->cli->out;
    const struct candidate *all = completer->found.items;

    if (completer->found.count > 0) {
        qsort(completer->found.items, completer->found.count, sizeof(*all), candidate_cmp);
    }
    for (size_t i = 0; i < completer->found.count; i++) {
        if (i == 0 || !str_eq(all[i].text, all[i - 1].text)) {
            fprintf(out, "%s%s%s%s\n", completer->before, all[i].text,
                    str_is_empty(all[i].meaning) ? "" : "\t", all[i].meaning);
        }
    }
    fprintf(out, ":%u\n", completer->directive);
}

enum exit_status
command_complete(const struct invocation *invocation)
{
    struct partial_line line;
    struct completer completer = {
        .invocation = invocation, .line = &line, .directive = NO_FILES, .found = VEC_INIT};

    if (invocation->n_arguments == 0) {
        return cli_refuse(invocation->cli, "__complete: want the words of a command line");
    }
    partial_line_read(invocation, &line);
    completer.before = line.before;
    completer.begun = line.value;
    finish_words(&completer);
    if (line.option != NULL) {
        offer_values(&completer, line.option);
    } else if (line.is_flag) {
        offer_flags(&completer);
    } else {
        offer_arguments(&completer);
    }
    print(&completer);
    vec_free(&completer.found);
    return STATUS_DONE;
}
