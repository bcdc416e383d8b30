/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet that no disk here would hold, looked into by sixteen shards and
 * planned from their summaries, each by the program itself.
 */
#ifndef BALLAST_BENCH_SHARDS_H
#define BALLAST_BENCH_SHARDS_H

#include <stdbool.h>
#include <stdint.h>

/* 1,000,000 bindings on 1,000 clusters, with some ten pods each, or that part of them; all shards
 * and the planner, or the shard that has the most members alone. */
bool bench_shards(uint32_t part, bool largest_alone);

/* One cluster of 100,000 pods, as a whole and in four slices. */
bool bench_slices(void);

#endif
