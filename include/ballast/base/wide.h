/* SPDX-License-Identifier: Apache-2.0
 *
 * 128-bit integers, for products and sums of 64-bit ones that must not wrap; and the way back to
 * what a count of replicas holds.
 */
#ifndef BALLAST_BASE_WIDE_H
#define BALLAST_BASE_WIDE_H

#include <stdint.h>

__extension__ typedef __int128 wide_int;

/* The nearest count of replicas: from 0 to INT32_MAX. */
static inline int32_t
pin_count(int64_t count)
{
    if (count < 0) {
        return 0;
    }
    return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

#endif
