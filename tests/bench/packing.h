/* SPDX-License-Identifier: Apache-2.0
 *
 * What the second look costs, beside the plan that has none.
 */
#ifndef BALLAST_BENCH_PACKING_H
#define BALLAST_BENCH_PACKING_H

#include <stdbool.h>

/* Prints a row for each size of tight fleets; false: a fleet could not be made. */
bool bench_packing(void);

#endif
