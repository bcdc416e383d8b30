/* SPDX-License-Identifier: Apache-2.0
 *
 * The program: signals, streams and the clock, handed to the command line.
 */
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "ballast/cli.h"
#include "ballast/timestamp.h"

/* The one thing that is global: a signal handler can reach nothing else. */
static volatile bool stop;

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
    action.sa_handler = SIG_IGN; /* a closed pipe is an error of the stream it belongs to */
    sigaction(SIGPIPE, &action, NULL);
}

static int64_t
wall_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * NANOS_PER_SECOND + now.tv_nsec;
}

int
main(int argc, char **argv)
{
    const char *no_color = getenv("NO_COLOR");
    struct cli cli = {
        .out = stdout,
        .err = stderr,
        .stop = &stop,
        .wall_clock = wall_clock(),
        .out_is_terminal = isatty(STDOUT_FILENO) == 1,
        .no_color = no_color != NULL && no_color[0] != '\0',
    };

    catch_signals();
    return (int)cli_main(&cli, argc, argv);
}
