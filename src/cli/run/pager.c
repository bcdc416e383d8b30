/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the text of a command on a terminal page by page.
 */
#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ballast/base/str.h"

#define SHELL "/bin/sh"
/* git's defaults: less shows colours, and leaves at once if all fits the screen. */
#define DEFAULTS "LESS=\"${LESS-FRX}\" LV=\"${LV--c}\"; export LESS LV; "
/* A shell ends with one of these if it cannot start the command. */
#define CANNOT_RUN 126
#define NOT_FOUND 127
#define LESS "command -v less >/dev/null 2>&1 || exit 127; exec less -FRX"

/* Returns the command of the environment. NULL: no pager. */
static const char *
choose_command(const struct cli *cli)
{
    const char *command = cli->getenv("BALLAST_PAGER");

    command = command != NULL ? command : cli->getenv("PAGER");
    if (command == NULL) {
        return LESS;
    }
    return str_is_empty(command) || str_eq(command, "cat") ? NULL : command;
}

const struct cli *
pager_open(struct pager *pager, const struct cli *cli)
{
    const bool has_screen = cli->out_is_terminal && !cli->is_dumb_terminal;

    *pager = (struct pager){.command = has_screen ? choose_command(cli) : NULL, .cli = *cli};
    if (pager->command == NULL) {
        return cli;
    }
    pager->cli.out = open_memstream(&pager->text, &pager->length);
    return pager->cli.out != NULL ? &pager->cli : cli;
}

/* Starts the command with `input` as its standard input. Returns its process; -1: it failed. */
static pid_t
start(const char *command, int input)
{
    static const char front[] = DEFAULTS;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    char *script = NULL;
    pid_t child = -1;

    if (asprintf(&script, "%s%s", front, command) < 0) {
        return -1;
    }
    sigemptyset(&defaults); /* Ballast ignores these */
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    char *const argv[] = {(char[]){"sh"}, (char[]){"-c"}, script, NULL};

    if (posix_spawn(&child, SHELL, &actions, &attributes, argv, environ) != 0) {
        child = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(script);
    return child;
}

/* Writes until the reader is gone. SIGPIPE is ignored, so that ends the loop only. */
static void
feed(int output, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        const ssize_t wrote = write(output, text + at, length - at);

        if (wrote < 0 && errno != EINTR) {
            return;
        }
        at += wrote > 0 ? (size_t)wrote : 0;
    }
}

/* Returns true if the pager ran. */
static bool
show(const struct pager *pager)
{
    int ends[2], status = 0;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    const pid_t child = start(pager->command, ends[0]);

    close(ends[0]);
    if (child > 0) {
        feed(ends[1], pager->text, pager->length);
    }
    close(ends[1]);
    if (child < 0) {
        return false;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return !WIFEXITED(status) ||
           (WEXITSTATUS(status) != CANNOT_RUN && WEXITSTATUS(status) != NOT_FOUND);
}

void
pager_close(struct pager *pager, const struct cli *cli)
{
    if (pager->cli.out == cli->out) {
        return; /* nothing was kept */
    }
    if (fclose(pager->cli.out) == 0 && pager->length > 0) {
        fflush(cli->out);
        if (*cli->stop || !show(pager)) {
            fwrite(pager->text, 1, pager->length, cli->out);
        }
    }
    free(pager->text);
}
