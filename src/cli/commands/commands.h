/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands, and their table.
 */
#ifndef BALLAST_CLI_COMMANDS_H
#define BALLAST_CLI_COMMANDS_H

#include "ballast/cli/cli.h"
#include "ballast/cycle/cycle.h"
#include "cli/options/invocation.h"
#include "cli/options/options.h"

extern const struct command commands[]; /* ends with a NULL name */

extern const struct setting_word config_verbs[];

extern const struct setting_word look_words[];

enum exit_status command_config(const struct invocation *invocation);
enum exit_status command_diff(const struct invocation *invocation);
enum exit_status command_doctor(const struct invocation *invocation);
enum exit_status command_explain(const struct invocation *invocation);
enum exit_status command_migrate(const struct invocation *invocation);
enum exit_status command_observe(const struct invocation *invocation);
enum exit_status command_rebalance(const struct invocation *invocation);
enum exit_status command_run(const struct invocation *invocation);
enum exit_status command_plan(const struct invocation *invocation);
enum exit_status command_simulate(const struct invocation *invocation);
enum exit_status command_snapshot(const struct invocation *invocation);
enum exit_status command_undo(const struct invocation *invocation);
enum exit_status command_version(const struct invocation *invocation);

#endif
