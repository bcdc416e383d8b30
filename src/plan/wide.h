/* SPDX-License-Identifier: Apache-2.0
 *
 * 128-bit integers, for products and sums of 64-bit ones that must not wrap.
 */
#ifndef BALLAST_PLAN_WIDE_H
#define BALLAST_PLAN_WIDE_H

__extension__ typedef __int128 wide_int;

#endif
