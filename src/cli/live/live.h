/* SPDX-License-Identifier: Apache-2.0
 *
 * A live control plane as a fleet: connection, platform, estimators, Events.
 */
#ifndef BALLAST_CLI_LIVE_H
#define BALLAST_CLI_LIVE_H

#include "ballast/cli/cli.h"
#include "ballast/cycle/cycle.h"
#include "cli/options/invocation.h"
#include "cli/run/run.h"

/* Runs a command on a live control plane, from its first request to its end. Returns the exit
 * status of the program. */
enum exit_status use_live_fleet(const struct invocation *invocation, const struct fleet_use *use);

#endif
