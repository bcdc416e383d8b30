/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the manual's pages from the tables of commands and flags. A test compares docs/ with
 * them.
 */
#include <ctype.h>
#include <string.h>

#include "ballast/base/buf.h"
#include "cli/options/invocation.h"
#include "manual.h"

#define FILL_WIDTH 72 /* bytes of a line of the source */

static const struct example first_run[] = {
    {"doctor", "Check access, rights and members, and show what to fix."},
    {"plan", "Show what a run would do. This writes nothing."},
    {"run", "Show it, ask, and do it."},
};

/* Appends a character so that roff prints it unchanged. */
static void
append_roff(struct buf *out, char c)
{
    switch (c) {
    case '\\':
        buf_append_str(out, "\\e");
        break;
    case '-':
        buf_append_str(out, "\\-");
        break;
    case '\'':
        buf_append_str(out, "\\(aq");
        break;
    case '^':
        buf_append_str(out, "\\(ha");
        break;
    case '~':
        buf_append_str(out, "\\(ti");
        break;
    default:
        buf_append_char(out, c);
    }
}

static void
append_text(struct buf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        append_roff(out, *text);
    }
}

/* Appends a word of Markdown: text in backticks is bold. A '-' inside a word is a hyphen. */
static void
append_word(struct buf *out, const char *word, size_t length, bool *is_code)
{
    buf_clear(out);
    if (length > 0 && (word[0] == '.' || word[0] == '\'')) {
        buf_append_str(out, "\\&");
    }
    for (size_t i = 0; i < length; i++) {
        bool parts_word = i > 0 && i + 1 < length && isalpha((unsigned char)word[i - 1]) &&
                          isalpha((unsigned char)word[i + 1]);

        if (word[i] == '`') {
            *is_code = !*is_code;
            buf_append_str(out, *is_code ? "\\fB" : "\\fR");
        } else if (word[i] == '-' && parts_word && !*is_code && strncmp(word, "--", 2) != 0) {
            buf_append_char(out, '-');
        } else {
            append_roff(out, word[i]);
        }
    }
}

/* Prints words, the first at `column`. A sentence begins a new line, as roff expects. */
static void
print_filled_from(FILE *out, const char *text, size_t column)
{
    struct buf word;
    bool is_code = false, ends_sentence = false;

    buf_init(&word, SIZE_MAX / 2);
    while (*text != '\0') {
        size_t length = strcspn(text, " ");

        append_word(&word, text, length, &is_code);
        if (column > 0 && (ends_sentence || column + 1 + word.length > FILL_WIDTH)) {
            fputc('\n', out);
            column = 0;
        }
        column += (size_t)fprintf(out, "%s%s", column > 0 ? " " : "", buf_text(&word));
        ends_sentence = length > 1 && text[length - 1] == '.';
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
    buf_release(&word);
}

static void
print_filled(FILE *out, const char *text)
{
    print_filled_from(out, text, 0);
}

static void
print_bold(FILE *out, const char *before, const char *text)
{
    struct buf shown;

    buf_init(&shown, SIZE_MAX / 2);
    append_text(&shown, text);
    fprintf(out, "\\fB%s%s\\fR", before, buf_text(&shown));
    buf_release(&shown);
}

static void
print_italic(FILE *out, const char *text)
{
    struct buf shown;

    buf_init(&shown, SIZE_MAX / 2);
    append_text(&shown, text);
    fprintf(out, "\\fI%s\\fR", buf_text(&shown));
    buf_release(&shown);
}

static void
print_head(FILE *out, const char *command, const char *summary)
{
    char name[64];

    snprintf(name, sizeof(name), "ballast%s%s", str_is_empty(command) ? "" : "-", command);
    fputs(".\\\" SPDX-License-Identifier: Apache-2.0\n.\\\" printed by `ballast help man", out);
    fprintf(out, "%s%s`\n.TH ", str_is_empty(command) ? "" : " ", command);
    for (const char *c = name; *c != '\0'; c++) {
        fputc(toupper((unsigned char)*c), out);
    }
    fprintf(out, " 1 %s \"Ballast %s\" \"User commands\"\n.SH NAME\n", BALLAST_DATE,
            BALLAST_VERSION);
    int column = fprintf(out, "ballast%s%s \\-", str_is_empty(command) ? "" : "\\-", command);

    print_filled_from(out, summary, (size_t)column);
}

static void
print_option(FILE *out, const struct option *option)
{
    struct arena *arena = arena_new();
    bool shows_default = option->default_text != NULL && !str_eq(option->default_text, "false");

    fputs(".TP\n", out);
    if (option->short_name != '\0') {
        print_bold(out, "\\-", (const char[]){option->short_name, '\0'});
        fputs(", ", out);
    }
    print_bold(out, "\\-\\-", option->name);
    if (option->metavar != NULL) {
        fputc('=', out);
        print_italic(out, option->metavar);
    }
    fputc('\n', out);
    print_filled(out, option_help(arena, option));
    if (shows_default) {
        print_filled(out, arena_printf(arena, "Default: %s.", option->default_text));
    }
    arena_free(arena);
}

static void
print_options(FILE *out, unsigned command)
{
    const char *title = NULL;

    fputs(".SH OPTIONS\n", out);
    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        title = option->section != NULL ? option->section : title;
        if ((option->commands & command) == 0) {
            continue;
        }
        if (title != NULL) {
            fprintf(out, ".SS %s\n", title);
            title = NULL;
        }
        print_option(out, option);
    }
}

static void
print_term(FILE *out, const char *term, const char *help)
{
    fputs(".TP\n", out);
    print_bold(out, "", term);
    fputc('\n', out);
    print_filled(out, help);
}

static void
print_exit_statuses(FILE *out)
{
    char number[16];

    fputs(".SH EXIT STATUS\n", out);
#define X(id, value, text)                                                                         \
    snprintf(number, sizeof(number), "%d", value);                                                 \
    print_term(out, number, text);
    EXIT_STATUSES(X)
#undef X
}

static void
print_example(FILE *out, const struct example *example)
{
    fputs(".TP\n", out);
    print_bold(out, "ballast ", example->line);
    fputc('\n', out);
    print_filled(out, example->what);
}

/* Names all pages except `but`. */
static void
print_see_also(FILE *out, const struct command *all, const char *but)
{
    fputs(".SH SEE ALSO\n", out);
    if (!str_is_empty(but)) {
        fputs(".BR ballast (1),\n", out);
    }
    for (const struct command *command = all; command->name != NULL; command++) {
        if (!str_eq(command->name, but) && !command->is_hidden) {
            fprintf(out, ".BR ballast\\-%s (1),\n", command->name);
        }
    }
    fputs(".BR kubectl (1)\n", out);
}

void
manual_of_command(FILE *out, const struct command *all, const struct command *command)
{
    print_head(out, command->name, command->summary);
    fprintf(out, ".SH SYNOPSIS\n\\fBballast %s\\fR ", command->name);
    if (!str_is_empty(command->arguments)) {
        print_italic(out, command->arguments);
        fputc(' ', out);
    }
    fputs("[\\fIflags\\fR]\n.SH DESCRIPTION\n", out);
    print_filled(out, command->help);
    if (command->examples[0].line != NULL) {
        fputs(".SH EXAMPLES\n", out);
    }
    for (size_t i = 0; i < N_EXAMPLES && command->examples[i].line != NULL; i++) {
        print_example(out, &command->examples[i]);
    }
    print_options(out, command->bit);
    print_exit_statuses(out);
    print_see_also(out, all, command->name);
}

void
manual(FILE *out, const struct command *all)
{
    print_head(out, "", "move replicas that are stuck to where they can run");
    fputs(".SH SYNOPSIS\n\\fBballast\\fR \\fICOMMAND\\fR [\\fIflags\\fR]\n.SH DESCRIPTION\n", out);
    print_filled(out,
                 "Ballast looks once at the clusters that one Karmada or KubeFed control plane "
                 "manages. It finds replicas that are stuck and clusters that cannot run their "
                 "replicas, moves replicas to where they can run, reports, and ends. It is also a "
                 "plugin of kubectl: `kubectl ballast`.");
    fputs(".PP\n", out);
    print_filled(out, "Results go to standard output, logs and errors to standard error. "
                      "`--flag VALUE` and `--flag=VALUE` are the same; behind `--` all are "
                      "arguments.");
    fputs(".SH EXAMPLES\n", out);
    for (size_t i = 0; i < sizeof(first_run) / sizeof(first_run[0]); i++) {
        print_example(out, &first_run[i]);
    }
    fputs(".SH COMMANDS\n", out);
    for (const struct command *command = all; command->name != NULL; command++) {
        if (command->is_hidden) {
            continue;
        }
        fprintf(out, ".TP\n\\fB%s\\fR", command->name);
        if (!str_is_empty(command->arguments)) {
            fputc(' ', out);
            print_italic(out, command->arguments);
        }
        fputc('\n', out);
        print_filled(out, command->summary);
    }
    print_exit_statuses(out);
    fputs(".SH ENVIRONMENT\n", out);
    for (const struct variable *variable = variables; variable->name != NULL; variable++) {
        print_term(out, variable->name, variable->help);
    }
    print_see_also(out, all, "");
}
