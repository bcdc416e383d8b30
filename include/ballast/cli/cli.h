/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line. main passes in all that a command needs, so that tests can run one.
 */
#ifndef BALLAST_CLI_CLI_H
#define BALLAST_CLI_CLI_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ballast/kube/kube_client.h"

/* value, help text */
#define EXIT_STATUSES(X)                                                                           \
    X(DONE, 0, "done: nothing to do, or all of it applied")                                        \
    X(ERROR, 1,                                                                                    \
      "an error, a kind of object could not be read, a binding could not be written, doctor "      \
      "found what must be done, or you answered no")                                               \
    X(CHANGES, 2,                                                                                  \
      "with --detailed-exitcode: changes to make were found, or a difference; with "               \
      "--max-homeless: the simulation is NOT SAFE")                                                \
    X(REFUSED, 3, "no cluster failover: too many clusters look unhealthy at once")                 \
    X(UNSEEN, 4, "done, but members that matter were not seen (--allow-unseen)")                   \
    X(USAGE, 64, "wrong usage or a bad configuration")                                             \
    X(BUSY, 75, "another run is under way")                                                        \
    X(STOPPED, 143, "stopped by SIGTERM or SIGINT; what was written is whole")

enum exit_status {
#define X(id, value, text) STATUS_##id = (value),
    EXIT_STATUSES(X)
#undef X
};

struct cli {
    FILE *out;         /* results */
    FILE *err;         /* logs, errors */
    atomic_bool *stop; /* set by a signal, or by a run that has to end */
    int64_t wall_clock;
    struct clock clock;
    const char *(*getenv)(const char *name); /* for a live control plane */
    int in;                                  /* file descriptor to read answers from */
    bool in_is_terminal, out_is_terminal, err_is_terminal;
    uint32_t out_columns;  /* width of that terminal; 0: unknown, or no terminal */
    bool is_dumb_terminal; /* cannot overwrite its output */
    bool no_color;         /* set by the environment */
};

/* Runs the command that the arguments name, and prints to the streams of `cli`. Returns the exit
 * status of the program. */
enum exit_status cli_main(const struct cli *cli, int argc, char *const *argv);

#endif
