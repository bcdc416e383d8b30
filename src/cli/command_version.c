/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast version.
 */
#include "command.h"

#ifndef BALLAST_VERSION
#define BALLAST_VERSION "0.1.0"
#endif

enum exit_status
command_version(const struct invocation *invocation)
{
    fprintf(invocation->cli->out, "ballast %s\n", BALLAST_VERSION);
    return STATUS_DONE;
}
