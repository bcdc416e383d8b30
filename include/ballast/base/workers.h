/* SPDX-License-Identifier: Apache-2.0
 *
 * Work that several threads do at once, as a port: code that shares out its work
 * knows nothing of threads.
 */
#ifndef BALLAST_BASE_WORKERS_H
#define BALLAST_BASE_WORKERS_H

#include <stdint.h>

struct workers {
    uint32_t count; /* at least 1 */
    /* Calls work(job, 0) to work(job, count - 1), perhaps in parallel, and returns after all.
     * `count` is at most WORKERS_MAX. Workers guard shared data; each sees all earlier writes. */
    void (*run)(uint32_t count, void (*work)(void *job, uint32_t worker), void *job);
};

#define WORKERS_MAX 64

/* Returns workers on `count` threads, at most WORKERS_MAX; 0: one per processor of the process. */
struct workers workers_threads(uint32_t count);

#endif
