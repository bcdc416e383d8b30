/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast version.
 */
#include "command.h"

enum exit_status
command_version(const struct invocation *invocation)
{
    fprintf(invocation->cli->out, "ballast %s\n", BALLAST_VERSION);
    return STATUS_DONE;
}
