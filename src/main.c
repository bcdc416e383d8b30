/* SPDX-License-Identifier: Apache-2.0
 *
 * Starts the command line with the process's signals, streams and clocks.
 */
#include <assert.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ballast/base/clock.h"
#include "ballast/base/core_dump.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/cli/cli.h"

/* Global, because a signal handler can reach nothing else. */
static atomic_bool stop;
static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "a signal handler may not wait for a lock");

/* Bytes. malloc maps larger blocks separately, so free returns them to the kernel. */
#define MAPPED_PIECE (64 << 10)

static void
on_signal(int number)
{
    (void)number;
    stop = true;
}

static void
catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    action.sa_handler = SIG_IGN; /* a reader that goes away must not cut a run short */
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL); /* nor a file size limit: the write fails instead */
}

static const char *
environment(const char *name)
{
    return getenv(name);
}

/* Returns the terminal's width, else COLUMNS. 0: unknown, or no terminal. */
static uint32_t
terminal_columns(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");

    if (isatty(STDOUT_FILENO) != 1) {
        return 0;
    }
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    unsigned long told = columns != NULL ? strtoul(columns, NULL, 10) : 0;

    return told > 0 && told <= UINT16_MAX ? pin_uint32(told) : 0;
}

int
main(int argc, char **argv)
{
    core_dump_forbid(); /* before any secret is read */
    /* Otherwise glibc raises the threshold to the largest freed block, and freed list pages leave
     * holes in the heap. */
    mallopt(M_MMAP_THRESHOLD, MAPPED_PIECE);
    /* libcurl would write TLS keys there, which decrypt our tokens */
    unsetenv("SSLKEYLOGFILE");

    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    struct cli cli = {
        .out = stdout,
        .err = stderr,
        .stop = &stop,
        .wall_clock = clock_wall(),
        .clock = clock_of_system(),
        .getenv = environment,
        .in = STDIN_FILENO,
        .in_is_terminal = isatty(STDIN_FILENO) == 1,
        .out_is_terminal = isatty(STDOUT_FILENO) == 1,
        .err_is_terminal = isatty(STDERR_FILENO) == 1,
        .is_dumb_terminal = term == NULL || strcmp(term, "") == 0 || strcmp(term, "dumb") == 0,
        .out_columns = terminal_columns(),
        .no_color = no_color != NULL && no_color[0] != '\0',
    };

    catch_signals();
    return (int)cli_main(&cli, argc, argv);
}
