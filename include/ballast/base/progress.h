/* SPDX-License-Identifier: Apache-2.0
 *
 * How far long work is, told to whoever shows it: a port. What is told decides
 * nothing, and a NULL function is nobody.
 */
#ifndef BALLAST_BASE_PROGRESS_H
#define BALLAST_BASE_PROGRESS_H

#include <stdint.h>

struct progress {
    void *context;
    /* `what` is under way: "listing clusters", "members". `total` 0: it is not known how many there
     * are. Cheap enough to be called for each of them. */
    void (*tell)(void *context, const char *what, uint64_t done, uint64_t total);
    /* What was told is over. */
    void (*end)(void *context);
};

static inline void
progress_tell(const struct progress *progress, const char *what, uint64_t done, uint64_t total)
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
