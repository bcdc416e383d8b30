/* SPDX-License-Identifier: Apache-2.0
 *
 * By which power of a fleet's size what it costs grows.
 */
#ifndef BALLAST_BENCH_GROWTH_H
#define BALLAST_BENCH_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

/* From fleets of 1,000 bindings, of 10,000 and so on to the largest of at most so many, and to a
 * hundred times the clusters; 1.0: ten times the fleet costs ten times as much. */
bool bench_growth(uint32_t bindings);

#endif
