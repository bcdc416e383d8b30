/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that come into a directory one by one, each at its time.
 */
#ifndef BALLAST_BENCH_ARRIVALS_H
#define BALLAST_BENCH_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define ARRIVALS_MAX 16u

struct arrival {
    char name[32];
    double due_s; /* after the beginning */
};

struct arrivals {
    const char *directory;
    struct arrival items[ARRIVALS_MAX];
    uint32_t count;
    pid_t mover;
};

/* Takes the files out of the directory, and starts who moves them back. false: it was not done. */
bool arrivals_begin(struct arrivals *arrivals);
/* Waits for the last one. false: not all of them came. */
bool arrivals_end(struct arrivals *arrivals);

#endif
