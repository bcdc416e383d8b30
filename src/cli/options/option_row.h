/* SPDX-License-Identifier: Apache-2.0
 *
 * Shorthands for the rows of the tables of flags.
 */
#ifndef BALLAST_CLI_OPTION_ROW_H
#define BALLAST_CLI_OPTION_ROW_H

#include "options.h"

#define AT(member) offsetof(struct settings, member)
#define RANGE(min_, max_) .param = {.range = {(min_), (max_)}}

/* Commands that take the flag, and the name of its value in help. */
#define GIVEN(commands_, metavar_) .commands = (commands_), .metavar = (metavar_)
/* The type of a value, and its place in struct settings. */
#define SWITCH(member) .default_text = "false", .parse = setting_bool, .offset = AT(member)
#define TEXT(member) .parse = setting_text, .offset = AT(member)
#define FILE_NAME(member) .metavar = "FILE", TEXT(member), .completes = {COMPLETES_FILES, NULL}
#define NAMESPACE(member) .metavar = "NAME", TEXT(member), .completes = {COMPLETES_NAMESPACES, NULL}
#define FREE_TEXT(member) TEXT(member), .completes = {COMPLETES_NOTHING, NULL}
#define NUMBER(member, min, max) .parse = setting_int, .offset = AT(member), RANGE(min, max)
#define LIMIT(member) .metavar = "N[%]", .parse = setting_limit, .offset = AT(member)
#define SPAN(member) .metavar = "DURATION", .parse = setting_duration, .offset = AT(member)
#define PERIOD(member)                                                                             \
    .metavar = "DURATION", .parse = setting_period, .offset = AT(member), RANGE(1, 3600)
#define CHOICE(member, words)                                                                      \
    .parse = setting_choice, .offset = AT(member), .param = {.choices = (words)}
#define WORDS(parser, member) .parse = (parser), .offset = AT(member), .repeats = true
#define NAMES(member, of) WORDS(setting_list, member), .completes = {COMPLETES_##of, NULL}

extern const struct option advanced_options[]; /* ends with a NULL name */

#endif
