/* SPDX-License-Identifier: Apache-2.0
 *
 * A control plane as a fleet: the way to it, its platform, its estimators, its Events.
 */
#ifndef BALLAST_CLI_LIVE_H
#define BALLAST_CLI_LIVE_H

#include "ballast/cli/cli.h"
#include "ballast/cycle/cycle.h"
#include "cli/options/invocation.h"
#include "cli/run/run.h"

/* Runs a command on a live control plane, from its first request to its end. Returns the status
 * with which the program ends. */
enum exit_status use_live_fleet(const struct invocation *invocation, const struct fleet_use *use);

#endif
