/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses the command line. Knows no flag by name.
 */
#include "options.h"

#include <string.h>

#include "ballast/base/vec.h"
#include "slips.h"

struct option_parser {
    struct arena *arena;
    char *const *argv;
    int argc;
    int at; /* index of the current argument */
    VEC_OF(struct option_use) uses;
    VEC_OF(const char *) arguments;
    struct error *err;
};

static bool
is_name(const char *known, const char *name, size_t length)
{
    return known != NULL && strlen(known) == length && strncmp(known, name, length) == 0;
}

const struct option *
option_find(const char *name, size_t length)
{
    const struct option *old = NULL;

    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        if (is_name(option->name, name, length)) {
            return option;
        }
        if (old == NULL && is_name(option->old_name, name, length)) {
            old = option;
        }
    }
    return old;
}

const struct option *
option_find_letter(char letter)
{
    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        if (letter != '\0' && option->short_name == letter) {
            return option;
        }
    }
    return NULL;
}

const char *
option_section(const struct option *option)
{
    const char *section = "";

    for (const struct option *row = option_next(NULL); row != NULL; row = option_next(row)) {
        section = row->section != NULL ? row->section : section;
        if (row == option) {
            break;
        }
    }
    return section;
}

const char *
option_help(struct arena *arena, const struct option *option)
{
    const char *help = setting_help(arena, &option->param, option->help);

    return option->old_name == NULL
               ? help
               : arena_printf(arena, "%s Until " OLD_NAMES_END " also --%s, its old name.", help,
                              option->old_name);
}

static const char *
nearest_flag(struct arena *arena, const char *name)
{
    VEC_OF(const char *) names = VEC_INIT;

    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        vec_add(&names, option->name);
    }
    const char *hint = str_hint(arena, name, names.items, names.count, "--");

    vec_free(&names);
    return hint;
}

/* Returns ": did you mean --x?" for an unknown flag. "": no name is near. */
static const char *
flag_hint(struct arena *arena, const char *name)
{
    const char *advice = slip_advice(name);

    if (advice != NULL) {
        return arena_printf(arena, ": %s", advice);
    }
    if (strlen(name) < 2) { /* all letters are near each other */
        return "";
    }
    if (strncmp(name, "no-", 3) == 0) {
        const struct option *option = option_find(name + 3, strlen(name + 3));

        if (option != NULL && option->metavar == NULL) {
            return arena_printf(arena, ": did you mean --%s=false?", option->name);
        }
    }
    return nearest_flag(arena, name);
}

static bool
refuse_unknown(struct option_parser *parser, const char *dashes, const char *name, size_t length)
{
    const char *text = arena_strndup(parser->arena, name, length);

    return error_set(parser->err, ERROR_USAGE, "unknown flag %s%s%s", dashes, text,
                     flag_hint(parser->arena, text));
}

/* Returns the next argument as the value of a flag without '='. NULL if the argument is a flag
 * itself: the user forgot the value. */
static const char *
next_value(struct option_parser *parser)
{
    const char *next = parser->at + 1 < parser->argc ? parser->argv[parser->at + 1] : NULL;

    if (next == NULL ||
        (strncmp(next, "--", 2) == 0 && option_find(next + 2, strcspn(next + 2, "=")) != NULL)) {
        return NULL;
    }
    parser->at++;
    return next;
}

static bool
add_use(struct option_parser *parser, const struct option *option, const char *name,
        const char *value)
{
    if (value == NULL) {
        value = option->metavar == NULL ? "true" : next_value(parser);
    }
    if (value == NULL) {
        return error_set(parser->err, ERROR_USAGE, "flag --%s needs a value: --%s=%s", name, name,
                         option->metavar);
    }
    vec_add(&parser->uses, ((struct option_use){option, value, name}));
    return true;
}

static bool
parse_long(struct option_parser *parser, const char *text)
{
    size_t length = strcspn(text, "=");
    const struct option *option = option_find(text, length);

    if (option == NULL) {
        return refuse_unknown(parser, "--", text, length);
    }
    return add_use(parser, option, arena_strndup(parser->arena, text, length),
                   text[length] == '=' ? text + length + 1 : NULL);
}

/* Takes "-o json", "-ojson", "-o=json" and "-hv2". */
static bool
parse_short(struct option_parser *parser, const char *text)
{
    for (; *text != '\0'; text++) {
        const struct option *option = option_find_letter(*text);
        const char *value = text[1] != '\0' ? text + 1 : NULL;

        if (option == NULL) {
            return refuse_unknown(parser, "-", text, strcspn(text, "="));
        }
        if (option->metavar != NULL || (value != NULL && value[0] == '=')) {
            return add_use(parser, option, option->name,
                           value != NULL && value[0] == '=' ? value + 1 : value);
        }
        if (!add_use(parser, option, option->name, NULL)) {
            return false;
        }
    }
    return true;
}

/* Refuses a long name after one dash, known here or in other programs: -output is not -o utput, and
 * -no-color not -n o-color. */
static bool
parse_dash(struct option_parser *parser, const char *text)
{
    size_t length = strcspn(text, "=");

    if (length < 2) {
        return parse_short(parser, text);
    }
    if (option_find(text, length) != NULL) {
        return error_set(parser->err, ERROR_USAGE, "unknown flag -%s: did you mean --%s?", text,
                         text);
    }
    return slip_advice(arena_strndup(parser->arena, text, length)) != NULL
               ? refuse_unknown(parser, "-", text, length)
               : parse_short(parser, text);
}

static bool
parse_argument(struct option_parser *parser, const char *text)
{
    if (strncmp(text, "--", 2) == 0) {
        return parse_long(parser, text + 2);
    }
    if (text[0] == '-' && text[1] != '\0') {
        return parse_dash(parser, text + 1);
    }
    vec_add(&parser->arguments, text);
    return true;
}

bool
options_parse(struct arena *arena, int argc, char *const *argv, struct command_line *ret,
              struct error *err)
{
    struct option_parser parser = {.arena = arena, .argv = argv, .argc = argc, .err = err};
    bool only_arguments = false;
    bool ok = true;

    for (parser.at = 1; ok && parser.at < argc; parser.at++) {
        const char *text = argv[parser.at];

        if (only_arguments) {
            vec_add(&parser.arguments, text);
        } else if (str_eq(text, "--")) {
            only_arguments = true;
        } else {
            ok = parse_argument(&parser, text);
        }
    }
    if (ok) {
        *ret =
            (struct command_line){vec_to_arena(&parser.uses, arena), parser.uses.count,
                                  vec_to_arena(&parser.arguments, arena), parser.arguments.count};
    }
    vec_free(&parser.uses);
    vec_free(&parser.arguments);
    return ok;
}

static bool
used_before(const struct command_line *line, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (line->uses[i].option == line->uses[at].option) {
            return true;
        }
    }
    return false;
}

/* Returns the flag's row for the command; if there is none, the row that the parser found. */
static const struct option *
row_for(const struct option_use *use, unsigned command)
{
    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        if ((option->commands & command) != 0 &&
            (str_eq(option->name, use->name) ||
             (option->old_name != NULL && str_eq(option->old_name, use->name)))) {
            return option;
        }
    }
    return use->option;
}

bool
options_apply(struct arena *arena, const struct command_line *line, unsigned command,
              const char *command_name, struct settings *settings, struct error *err)
{
    for (size_t i = 0; i < line->n_uses; i++) {
        const struct option_use *use = &line->uses[i];
        const struct option *option = row_for(use, command);
        struct setting_param param = option->param;

        if ((option->commands & command) == 0) {
            const char *advice = misplaced_advice(option->name, command);

            return error_set(err, ERROR_USAGE, "flag --%s is not for %s%s%s", use->name,
                             command_name, advice != NULL ? ": " : "",
                             advice != NULL ? advice : "");
        }
        param.add = option->repeats && used_before(line, i);
        if (!option->parse(arena, &param, use->value, (char *)settings + option->offset, err)) {
            err->code = ERROR_USAGE;
            return error_wrap(err, "flag --%s", use->name);
        }
    }
    return true;
}
