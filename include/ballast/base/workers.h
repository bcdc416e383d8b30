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
    /* Calls work(job, 0) to work(job, count - 1), perhaps all at once, and returns when all have
     * returned. `count` is at most WORKERS_MAX. Workers guard the data that they share; every
     * worker sees what was written before the call. */
    void (*run)(uint32_t count, void (*work)(void *job, uint32_t worker), void *job);
};

#define WORKERS_MAX 64

/* Returns workers that run on `count` threads; 0: one thread per processor of this process. At most
 * WORKERS_MAX. */
struct workers workers_threads(uint32_t count);

#endif
