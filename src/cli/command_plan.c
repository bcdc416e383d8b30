/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast plan: what a run would do.
 */
#include "command.h"

enum exit_status
command_plan(const struct invocation *invocation)
{
    return run_cycle(invocation, false);
}
