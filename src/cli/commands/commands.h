/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands and their table.
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

/* `ballast config`: checks or converts configuration files, or prints their JSON Schema. */
enum exit_status command_config(const struct invocation *invocation);
/* `ballast diff`: shows what changed between two looks at the fleet, and who changed it. */
enum exit_status command_diff(const struct invocation *invocation);
/* `ballast doctor`: checks whether a run can work, and names the next step for each obstacle. */
enum exit_status command_doctor(const struct invocation *invocation);
/* `ballast explain`: explains the state of a workload, cluster by cluster. */
enum exit_status command_explain(const struct invocation *invocation);
/* `ballast history`: shows what runs wrote, by their records, and how to take it back. */
enum exit_status command_history(const struct invocation *invocation);
/* `ballast migrate`: prints a fleet of KubeFed as manifests for Karmada. */
enum exit_status command_migrate(const struct invocation *invocation);
/* `ballast observe`: writes what the members of one shard show, for a plan elsewhere. */
enum exit_status command_observe(const struct invocation *invocation);
/* `ballast rebalance`: asks Karmada to divide workloads anew, by a WorkloadRebalancer. */
enum exit_status command_rebalance(const struct invocation *invocation);
/* `ballast run`: runs one cycle, and writes the new replica counts. */
enum exit_status command_run(const struct invocation *invocation);
/* `ballast plan`: shows what a run would do, and why. */
enum exit_status command_plan(const struct invocation *invocation);
/* `ballast simulate`: shows where replicas go if the fleet changes. */
enum exit_status command_simulate(const struct invocation *invocation);
/* `ballast snapshot`: writes the fleet to files, to plan from later or elsewhere. */
enum exit_status command_snapshot(const struct invocation *invocation);
/* `ballast undo`: puts back what a run changed, unless others changed it since. */
enum exit_status command_undo(const struct invocation *invocation);
/* `ballast version`: prints the version of this program. */
enum exit_status command_version(const struct invocation *invocation);

#endif
