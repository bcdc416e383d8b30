/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the text of a command on a terminal page by page, as git does: $BALLAST_PAGER, else $PAGER,
 * else less.
 */
#ifndef BALLAST_CLI_PAGER_H
#define BALLAST_CLI_PAGER_H

#include <stddef.h>

#include "ballast/cli/cli.h"

/* The text that a command printed so far. It is kept until the command has ended, so that lines on
 * standard error come before the pager. */
struct pager {
    const char *command; /* for a shell */
    struct cli cli;      /* to run the command with */
    char *text;
    size_t length;
};

/* Returns the cli to run a command with: `pager`'s own, whose output pager_close() shows, or `cli`
 * itself if `cli` has no terminal for a pager or the environment wants none. */
const struct cli *pager_open(struct pager *pager, const struct cli *cli);
/* Shows the output of the cli that pager_open() returned, and waits until the user has left the
 * pager. If the pager cannot be started, or *stop is set, prints the text to cli->out. A user who
 * leaves before the end is no error. */
void pager_close(struct pager *pager, const struct cli *cli);

#endif
