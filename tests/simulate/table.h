/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of a comparison: a row is a policy, over all seeds of a trace.
 */
#ifndef BALLAST_SIMULATE_TABLE_H
#define BALLAST_SIMULATE_TABLE_H

#include "run.h"

struct table_row {
    struct result sum; /* of seeds; max_... are the largest */
    int seeds;
    VEC_OF(int64_t) settled; /* of those that did */
};

void table_add(struct table_row *row, const struct result *result);
void table_title(const struct trace *trace);
void table_print(const struct sim_policy *policy, const struct table_row *row);

#endif
