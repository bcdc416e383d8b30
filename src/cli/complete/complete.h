/* SPDX-License-Identifier: Apache-2.0
 *
 * Completes an unfinished command line. Never writes, asks, logs or fails, and offers only names
 * found in time.
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

/* The command line up to the word to complete. */
struct partial_line {
    const struct command *command; /* NULL: none yet */
    const struct option *option;   /* `value` is its value; NULL: of no flag */
    const char *before;            /* part of the last word before `value`: "--output=", "-o" */
    const char *value;             /* begun text of the value, flag or argument */
    bool is_flag;                  /* a flag's name is to complete */
    size_t n_arguments;            /* before the last word, without a known command */
    const struct option_use *uses;
    size_t n_uses;
};
/* Reads the invocation's arguments into *ret, in its arena: the words after the program's name, at
 * least one. The last word is the one to complete. */
void partial_line_read(const struct invocation *invocation, struct partial_line *ret);

enum fleet_name_kind { FLEET_NAMESPACES, FLEET_CLUSTERS, FLEET_WORKLOADS };

/* A query for names of a fleet. */
struct fleet_name_query {
    const struct settings *settings; /* names the fleet */
    enum fleet_name_kind kind;
    const char *namespace_; /* of workloads; "": cluster-scoped; NULL: any */
};
/* Calls `found` with each name found within `time` nanoseconds, unsorted and with duplicates. A
 * workload is "NAMESPACE/NAME". A child process reads the fleet, and dies when the time is up. */
void fleet_names_find(const struct cli *cli, const struct fleet_name_query *query, int64_t time,
                      void (*found)(void *context, const char *name), void *context);

/* Prints the names in a live control plane, one a line, for at most `time` nanoseconds. Prints
 * nothing on failure. fleet_names_find calls it in its child. */
void live_names_print(const struct cli *cli, const struct fleet_name_query *query, int64_t time,
                      FILE *out);
/* Prints the object's name for the query as a line, unless the workload is of another namespace. */
void fleet_name_print(const struct fleet_name_query *query, const struct value *object, FILE *out);

extern const struct setting_word shell_words[];

/* --- command_complete.c --- */

/* `ballast __complete WORDS`: prints candidates for the last word, and a shell directive. */
enum exit_status command_complete(const struct invocation *invocation);

/* --- command_completion.c --- */

/* `ballast completion SHELL`: prints the script that makes a shell ask for candidates. */
enum exit_status command_completion(const struct invocation *invocation);

#endif
