/* SPDX-License-Identifier: Apache-2.0
 *
 * Work that is done by several threads at once, as a port: whoever has work to
 * share out does not know threads.
 */
#ifndef BALLAST_BASE_WORKERS_H
#define BALLAST_BASE_WORKERS_H

#include <stdint.h>

struct workers {
    uint32_t count; /* at least 1 */
    /* Calls work(job, 0) to work(job, count - 1), perhaps all at once, and returns when all have
     * returned. What workers share is theirs to guard; what was written before is seen by all. */
    void (*run)(uint32_t count, void (*work)(void *job, uint32_t worker), void *job);
};

#define WORKERS_MAX 64

/* Threads: as many as asked for, or, where `count` is 0, as there are processors for this process.
 */
struct workers workers_threads(uint32_t count);

#endif
