/* SPDX-License-Identifier: Apache-2.0
 *
 * What may come next on a command line that somebody is typing. Nothing here writes, asks, logs or
 * fails: what cannot be found out in time is not offered.
 */
#ifndef BALLAST_CLI_COMPLETE_H
#define BALLAST_CLI_COMPLETE_H

#include "ballast/cli/cli.h"
#include "ballast/cycle/cycle.h"
#include "cli/options/invocation.h"
#include "cli/options/options.h"
#include "cli/options/version.h"
#include "cli/run/progress_line.h"

#include "ballast/format/value.h"

/* The command line up to the word under way. */
struct partial_line {
    const struct command *command; /* NULL: none yet */
    const struct option *option; /* whose value is under way; NULL: a flag's name or an argument */
    const char *before;          /* what of the last word is not the value: "--output=", "-o" */
    const char *value;           /* what is there of the value, flag or argument under way */
    bool is_flag;                /* a flag's name is under way */
    size_t n_arguments; /* before the last word; the command is not counted where it is known */
    const struct option_use *uses;
    size_t n_uses;
};
/* Reads the invocation's arguments into *ret, in its memory: the words behind the program's name,
 * one at least, the last one under way. */
void partial_line_read(const struct invocation *invocation, struct partial_line *ret);

enum fleet_name_kind { FLEET_NAMESPACES, FLEET_CLUSTERS, FLEET_WORKLOADS };

/* Which names of a fleet are looked for. */
struct fleet_name_query {
    const struct settings *settings; /* where the fleet is */
    enum fleet_name_kind kind;
    const char *namespace_; /* of workloads: "" for those that have none; NULL: any */
};
/* Calls `found` with each name that was found within the time, in nanoseconds; not sorted, and more
 * than once. A workload is "NAMESPACE/NAME". A process of its own reads the fleet, and is killed
 * when the time is up. */
void fleet_names_find(const struct cli *cli, const struct fleet_name_query *query, int64_t time,
                      void (*found)(void *context, const char *name), void *context);

/* Prints the names of a live control plane, one a line, for at most `time` nanoseconds. Prints
 * nothing where it cannot be asked. fleet_names_find calls it in its process. */
void live_names_print(const struct cli *cli, const struct fleet_name_query *query, int64_t time,
                      FILE *out);
/* Prints the name that an object of the fleet has for the query, as a line; nothing for a workload
 * of another namespace. */
void fleet_name_print(const struct fleet_name_query *query, const struct value *object, FILE *out);

extern const struct setting_word shell_words[];

/* --- command_complete.c --- */

/* `ballast __complete WORDS`: prints what may come next, and a directive for the shell. */
enum exit_status command_complete(const struct invocation *invocation);

/* --- command_completion.c --- */

/* `ballast completion SHELL`: prints the script that makes a shell ask. */
enum exit_status command_completion(const struct invocation *invocation);

#endif
