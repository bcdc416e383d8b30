/* SPDX-License-Identifier: Apache-2.0
 *
 * A huge member of a live fleet, whole and in slices.
 */
#ifndef BALLAST_BENCH_LIVE_SLICES_H
#define BALLAST_BENCH_LIVE_SLICES_H

#include <stdbool.h>

bool bench_live_slices(void);

#endif
