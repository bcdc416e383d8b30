/* SPDX-License-Identifier: Apache-2.0
 *
 * Printing a comparison.
 */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t
larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

void
table_add(struct table_row *row, const struct result *result)
{
    struct result *sum = &row->sum;

    sum->cycles += result->cycles;
    sum->pending += result->pending;
    sum->nowhere += result->nowhere;
    sum->lost += result->lost;
    sum->moves += result->moves;
    sum->undone += result->undone;
    sum->writes += result->writes;
    sum->max_returns = larger(sum->max_returns, result->max_returns);
    sum->max_attempt = larger(sum->max_attempt, result->max_attempt);
    row->seeds++;
    if (result->settled != NEVER) {
        vec_add(&row->settled, result->settled);
    }
}

static int
time_cmp(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

void
table_title(const struct trace *trace)
{
    printf("\n%s: %s\n", trace->name, trace->summary);
    printf("  %-12s %9s %9s %9s %7s %7s %7s %5s %8s %8s %8s %8s\n", "policy", "pending", "nowhere",
           "lost", "moves", "undone", "writes", "most", "attempts", "settled", "p50", "max");
}

static const char *
minutes_text(int64_t seconds, char *buffer, size_t size)
{
    snprintf(buffer, size, "%.1fm", (double)seconds / 60);
    return buffer;
}

void
table_print(const struct sim_policy *policy, const struct table_row *row)
{
    size_t count = row->settled.count;
    char settled[24], p50[24] = "-", max[24] = "-";

    if (count > 0) {
        qsort(row->settled.items, count, sizeof(row->settled.items[0]), time_cmp);
        minutes_text(row->settled.items[count / 2], p50, sizeof(p50));
        minutes_text(row->settled.items[count - 1], max, sizeof(max));
    }
    snprintf(settled, sizeof(settled), "%zu/%d", count, row->seeds);
    printf("  %-12s %9lld %9lld %9lld %7lld %7lld %7lld %5d %8d %8s %8s %8s\n", policy->name,
           (long long)row->sum.pending, (long long)row->sum.nowhere, (long long)row->sum.lost,
           (long long)row->sum.moves, (long long)row->sum.undone, (long long)row->sum.writes,
           row->sum.max_returns, row->sum.max_attempt, settled, p50, max);
    fflush(stdout);
}
