/* SPDX-License-Identifier: Apache-2.0
 *
 * 128-bit integers, for products and sums of 64-bit ones that must not wrap; and the way back to
 * narrower ones. Each conversion gives the nearest number that the narrower type holds.
 */
#ifndef BALLAST_BASE_WIDE_H
#define BALLAST_BASE_WIDE_H

#include <limits.h>
#include <stdint.h>

__extension__ typedef __int128 wide_int;

static inline int64_t
pin_int64(wide_int number)
{
    return number > INT64_MAX ? INT64_MAX : number < INT64_MIN ? INT64_MIN : (int64_t)number;
}

static inline int32_t
pin_int32(int64_t number)
{
    return number > INT32_MAX ? INT32_MAX : number < INT32_MIN ? INT32_MIN : (int32_t)number;
}

/* The nearest count of replicas: from 0 to INT32_MAX. */
static inline int32_t
pin_count(int64_t count)
{
    return count < 0 ? 0 : pin_int32(count);
}

static inline uint32_t
pin_uint32(uint64_t number)
{
    return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

/* How many bytes or columns, as printf's %.*s takes it. */
static inline int
pin_width(uint64_t length)
{
    return length < INT_MAX ? (int)length : INT_MAX;
}

#endif
