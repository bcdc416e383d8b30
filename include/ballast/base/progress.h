/* SPDX-License-Identifier: Apache-2.0
 *
 * How far long work is, reported to code that shows it: a port. Progress decides
 * nothing. Both functions may be NULL.
 */
#ifndef BALLAST_BASE_PROGRESS_H
#define BALLAST_BASE_PROGRESS_H

#include <stdint.h>

struct progress {
    void *context;
    /* The work `what` ("listing clusters") is at `done` of `total` items; total 0: unknown. Cheap
     * enough for a call per item. */
    void (*tell)(void *context, const char *what, uint64_t done, uint64_t total);
    /* The work is over. */
    void (*end)(void *context);
};

static inline void
progress_report(const struct progress *progress, const char *what, uint64_t done, uint64_t total)
{
    if (progress->tell != 0) {
        progress->tell(progress->context, what, done, total);
    }
}

static inline void
progress_end(const struct progress *progress)
{
    if (progress->end != 0) {
        progress->end(progress->context);
    }
}

#endif
