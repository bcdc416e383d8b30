/* SPDX-License-Identifier: Apache-2.0
 *
 * A synthetic pod as an API server answers it: defaults filled in, a projected
 * token, and managedFields of those who wrote it. About 5 KB.
 */
#ifndef BALLAST_BENCH_SYNTHETIC_POD_H
#define BALLAST_BENCH_SYNTHETIC_POD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The pod of that number of service `index`; one that is stuck found no node. */
void synthetic_write_pod(uint32_t index, uint32_t number, bool stuck, FILE *file);

#endif
