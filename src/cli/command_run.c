/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast run: one cycle for real, or, with --dry-run, what plan does.
 */
#include "command.h"

enum exit_status
command_run(const struct invocation *invocation)
{
    return run_cycle(invocation, !invocation->settings->dry_run);
}
