/* SPDX-License-Identifier: Apache-2.0
 *
 * 128-bit integers, for products and sums of 64-bit integers that must not wrap, and conversions
 * back to narrower types: `make lint` finds a narrowing cast anywhere else. A pin_ function returns
 * the nearest number that the narrower type holds.
 */
#ifndef BALLAST_BASE_WIDE_H
#define BALLAST_BASE_WIDE_H

#include <stdint.h>

__extension__ typedef __int128 wide_int;

static inline int64_t
pin_int64(wide_int number)
{
    return number > INT64_MAX ? INT64_MAX : number < INT64_MIN ? INT64_MIN : (int64_t)number;
}

static inline int32_t
pin_int32(wide_int number)
{
    return number > INT32_MAX ? INT32_MAX : number < INT32_MIN ? INT32_MIN : (int32_t)number;
}

/* Returns the nearest count of replicas: from 0 to INT32_MAX. */
static inline int32_t
pin_count(wide_int count)
{
    return count < 0 ? 0 : pin_int32(count);
}

static inline uint32_t
pin_uint32(wide_int number)
{
    return number > UINT32_MAX ? UINT32_MAX : number < 0 ? 0 : (uint32_t)number;
}

static inline uint16_t
pin_uint16(wide_int number)
{
    return number > UINT16_MAX ? UINT16_MAX : number < 0 ? 0 : (uint16_t)number;
}

/* Returns a number of bytes or columns for printf's %.*s. */
static inline int
pin_width(wide_int length)
{
    return pin_count(length);
}

/* Returns the number without its fraction; 0 for NaN. */
static inline int64_t
pin_real(long double real)
{
    if (real >= 0x1p63L) {
        return INT64_MAX;
    }
    return real > -0x1p63L ? (int64_t)real : real <= -0x1p63L ? INT64_MIN : 0;
}

/* The low_ functions return the low bits of a hash, or cut as Go's int32() does. */
static inline uint64_t
low_uint64(wide_int bits)
{
    return (uint64_t)bits;
}

static inline uint32_t
low_uint32(uint64_t bits)
{
    return (uint32_t)(bits & UINT32_MAX);
}

static inline int32_t
low_int32(int64_t number)
{
    return (int32_t)low_uint32((uint64_t)number);
}

#endif
