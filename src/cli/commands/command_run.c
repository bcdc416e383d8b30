/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast run: runs one cycle; with --dry-run, it does what plan does. ballast plan: shows what a
 * run would do. With --shard I/N, I > 0, both do what observe does.
 */
#include "cli/options/invocation.h"
#include "cli/run/run.h"
#include "commands.h"

static enum exit_status
run_or_observe(const struct invocation *invocation, bool writes)
{
    return invocation->settings->shards.shard.index > 0 ? command_observe(invocation)
                                                        : run_cycle(invocation, writes);
}

enum exit_status
command_run(const struct invocation *invocation)
{
    return run_or_observe(invocation, !invocation->settings->dry_run);
}

enum exit_status
command_plan(const struct invocation *invocation)
{
    return run_or_observe(invocation, false);
}
