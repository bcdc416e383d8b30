/* SPDX-License-Identifier: Apache-2.0
 *
 * Flags: the table that the parser, `--help` and the reference read, and the parser. The parser
 * splits the command line first, so that flags can be applied again after the configuration file
 * that they name.
 *
 *     --flag VALUE  --flag=VALUE  --bool  --bool=false  -o VALUE  -oVALUE  -o=VALUE
 */
#ifndef BALLAST_CLI_OPTIONS_H
#define BALLAST_CLI_OPTIONS_H

#include "completion.h"
#include "settings.h"

/* Commands that take a flag. */
enum command_bit {
    FOR_RUN = 1 << 0,
    FOR_PLAN = 1 << 1,
    FOR_VERSION = 1 << 2,
    FOR_HELP = 1 << 3,
    FOR_SNAPSHOT = 1 << 4,
    FOR_MIGRATE = 1 << 5,
    FOR_EXPLAIN = 1 << 6,
    FOR_SIMULATE = 1 << 7,
    FOR_UNDO = 1 << 8,
    FOR_DIFF = 1 << 9,
    FOR_REBALANCE = 1 << 10,
    FOR_OBSERVE = 1 << 11,
    FOR_DOCTOR = 1 << 12,
    FOR_HISTORY = 1 << 15,
    FOR_COMPLETION = 1 << 16,
    FOR_COMPLETE = 1 << 17,
    FOR_CONFIG = 1 << 18,
    FOR_CYCLE = FOR_RUN | FOR_PLAN | FOR_SIMULATE,
    FOR_WRITING = FOR_RUN | FOR_UNDO,
    FOR_DECIDING = FOR_CYCLE | FOR_UNDO,
    FOR_PLANNING = FOR_CYCLE | FOR_EXPLAIN,
    FOR_DIAGNOSING = FOR_PLANNING | FOR_UNDO | FOR_DIFF,
    FOR_ONE_FLEET = FOR_PLANNING | FOR_SNAPSHOT | FOR_OBSERVE | FOR_UNDO | FOR_REBALANCE,
    FOR_SUMMARIES = FOR_OBSERVE | FOR_PLAN | FOR_RUN,
    FOR_READING = FOR_ONE_FLEET | FOR_DIFF | FOR_DOCTOR,
    FOR_PAGED = FOR_DIAGNOSING | FOR_HELP | FOR_HISTORY | FOR_CONFIG,
    FOR_CONTACT = FOR_READING | FOR_HISTORY,
    FOR_ALL = FOR_CONTACT | FOR_VERSION | FOR_HELP | FOR_MIGRATE | FOR_COMPLETION | FOR_CONFIG,
};

struct option {
    const char *name;
    const char *old_name; /* deprecated, and still accepted (docs/versioning.md); NULL: none */
    char short_name;      /* '\0': none */
    bool repeats;         /* used again, it adds to the list */
    const char *section;  /* title of its section in help, in the section's first row; else NULL */
    unsigned commands;    /* enum command_bit */
    unsigned usual;       /* of those, the commands whose help begins with it */
    const char *metavar;  /* NULL: a bool, whose value is optional */
    const char *default_text; /* NULL: none */
    const char *help;
    setting_parser *parse;
    size_t offset; /* in struct settings */
    struct setting_param param;
    struct completion completes; /* completion of its value */
};

/* The major version that no longer accepts old names. */
#define OLD_NAMES_END "2.0.0"

/* Returns the row after `option`, in the order of help; the first row for NULL. NULL: it was the
 * last one. A flag that differs between commands has several rows of equal shape. */
const struct option *option_next(const struct option *option);
/* Returns the title of the flag's section in help, a constant: "Basic", "Advanced: members". */
const char *option_section(const struct option *option);
/* Returns the text of a flag for its users: help, meanings of its words, old name. In `arena`, or
 * the row's own. */
const char *option_help(struct arena *arena, const struct option *option);
/* Returns the first row of the flag whose name has `length` bytes, without dashes; without one, the
 * first row with that old name. NULL: none. */
const struct option *option_find(const char *name, size_t length);
/* Returns the first row of the flag with that short name. NULL: there is none. */
const struct option *option_find_letter(char letter);

/* A command line, split. Its texts are those of argv. */
struct option_use {
    const struct option *option;
    const char *value;
    const char *name; /* as typed, without dashes */
};
struct command_line {
    const struct option_use *uses;
    size_t n_uses;
    const char *const *arguments; /* all that are not flags; the first one is the command */
    size_t n_arguments;
};

/* Splits a command line into lists in `arena`, without argv[0]. False with ERROR_USAGE: "unknown
 * flag --x: did you mean --y?". */
bool options_parse(struct arena *arena, int argc, char *const *argv, struct command_line *ret,
                   struct error *err);

/* Applies all flags in order. False with ERROR_USAGE: `command` (its bit) does not take a flag, or
 * a value is bad. The settings may be half changed then. */
bool options_apply(struct arena *arena, const struct command_line *line, unsigned command,
                   const char *command_name, struct settings *settings, struct error *err);

#endif
