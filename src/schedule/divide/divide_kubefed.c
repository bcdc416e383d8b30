/* SPDX-License-Identifier: Apache-2.0
 *
 * KubeFed's replica planner: minimums first, then what runs already (unless
 * rebalancing), then rounds of shares by weight in which early clusters win all
 * rounding. Every oddity of it that decides an answer is kept; see the comments.
 */
#include "ballast/schedule/divide_kubefed.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/wide.h"
#include "ballast/model/preference.h"

/* Counts are pinned to this, far above any fleet, so that no sum overflows. */
#define COUNT_MAX ((int64_t)1 << 40)

struct row {
    struct rebalance_cluster *cluster;
    uint32_t hash;
    int64_t weight;
    int64_t min, max, capacity, current; /* current: -1 if unknown */
    int64_t plan;
    int64_t preallocated; /* kept where it runs, deducted from later shares */
};

/* Participating clusters in order, and replicas still to place. */
struct table {
    struct row *rows;
    uint32_t count;
    int64_t remaining;
};

static int64_t
smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t
pin(int64_t count)
{
    if (count > COUNT_MAX) {
        return COUNT_MAX;
    }
    return count < -COUNT_MAX ? -COUNT_MAX : count;
}

/* FNV-1 (not 1a) of the name, then the key. */
static uint32_t
seat_hash(const char *name, const char *key)
{
    const char *const parts[] = {name, key};
    uint32_t hash = UINT32_C(2166136261);

    for (int i = 0; i < 2; i++) {
        for (const char *c = parts[i]; *c != '\0'; c++) {
            hash = (hash * UINT32_C(16777619)) ^ (unsigned char)*c;
        }
    }
    return hash;
}

static int
seat_cmp(const void *a, const void *b)
{
    const struct row *x = a;
    const struct row *y = b;

    if (x->weight != y->weight) {
        return x->weight > y->weight ? -1 : 1;
    }
    if (x->hash != y->hash) {
        return x->hash < y->hash ? -1 : 1;
    }
    return strcmp(x->cluster->name, y->cluster->name);
}

static void
take_current(struct table *table, struct rebalance_cluster *clusters, uint32_t count,
             const char *key)
{
    for (uint32_t i = 0; i < count; i++) {
        struct rebalance_cluster *c = &clusters[i];

        c->plan = 0;
        c->overflow = 0;
        c->has_overflow = false;
        if (!c->takes_part) {
            continue;
        }
        table->rows[table->count++] = (struct row){
            .cluster = c,
            .hash = seat_hash(c->name, key),
            .weight = c->weight > 0 ? c->weight : 0,
            .min = pin(c->min_replicas),
            .max = pin(c->max_replicas),
            .capacity = c->capacity == REBALANCE_UNKNOWN ? INT64_MAX : pin(c->capacity),
            .current = c->current == REBALANCE_UNKNOWN ? -1 : pin(c->current),
        };
    }
    qsort(table->rows, table->count, sizeof(*table->rows), seat_cmp);
}

/* Ignores maximums. A negative capacity makes the plan negative and leaves more to place. */
static void
place_minimums(struct table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        struct row *row = &table->rows[i];

        row->plan = smaller(smaller(row->min, table->remaining), row->capacity);
        table->remaining -= row->plan;
    }
}

static void
keep_what_runs(struct table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        struct row *row = &table->rows[i];
        int64_t target = smaller(smaller(row->current, row->max), row->capacity);
        int64_t extra = smaller(target - row->plan, table->remaining);

        if (row->current <= row->plan || extra <= 0) {
            continue;
        }
        row->plan += extra;
        row->preallocated = extra;
        table->remaining -= extra;
    }
}

/* ceil(replicas * weight / sum) */
static int64_t
share_of(const struct row *row, int64_t replicas, wide_int sum)
{
    return pin_int64(((wide_int)replicas * row->weight + sum - 1) / sum);
}

static wide_int
sum_of_weights(const struct table *table)
{
    wide_int sum = 0;

    for (uint32_t i = 0; i < table->count; i++) {
        sum += table->rows[i].weight;
    }
    return sum;
}

/* Adds a share to a row's plan. True if the cluster is full then. */
static bool
place_share(struct table *table, struct row *row, int64_t share)
{
    int64_t total = row->plan + share;
    bool full = false;

    if (total > row->max) {
        total = row->max;
        full = true;
    }
    if (total > row->capacity) {
        row->cluster->overflow = total - row->capacity;
        row->cluster->has_overflow = true;
        total = row->capacity;
        full = true;
    }
    /* May be negative: a maximum or capacity below the plan gives replicas back. */
    table->remaining -= total - row->plan;
    row->plan = total;
    return full;
}

/* Returns how many rounds from this one on only use up preallocations; 0 if this one places
 * replicas. All are alike, so they are skipped: running replicas may far exceed those to place. */
static int64_t
idle_rounds(const struct table *table, wide_int sum)
{
    int64_t rounds = INT64_MAX;

    for (uint32_t i = 0; i < table->count; i++) {
        const struct row *row = &table->rows[i];
        int64_t share = smaller(share_of(row, table->remaining, sum), table->remaining);

        if (row->plan > row->max || row->plan > row->capacity) {
            return 0;
        }
        if (share > 0) {
            rounds = smaller(rounds, row->preallocated / share);
        }
    }
    return rounds;
}

static void
skip_idle_rounds(struct table *table, wide_int sum)
{
    int64_t rounds = idle_rounds(table, sum);

    for (uint32_t i = 0; i < table->count && rounds > 0; i++) {
        struct row *row = &table->rows[i];

        row->preallocated -=
            rounds * smaller(share_of(row, table->remaining, sum), table->remaining);
    }
}

/* Runs one round; full clusters leave the table. False if nothing changed. */
static bool
distribute(struct table *table, wide_int sum)
{
    int64_t at_start = table->remaining;
    uint32_t kept = 0;
    bool changed = false;

    for (uint32_t i = 0; i < table->count; i++) {
        struct row row = table->rows[i];
        int64_t share = smaller(share_of(&row, at_start, sum), table->remaining);
        int64_t used = smaller(share, row.preallocated);
        int64_t before = row.plan;
        bool full;

        if (used > 0) {
            share -= used;
            row.preallocated -= used;
            changed = true;
        }
        full = place_share(table, &row, share);
        changed = changed || row.plan > before;
        row.cluster->plan = row.plan;
        if (!full) {
            table->rows[kept++] = row;
        }
    }
    table->count = kept;
    return changed;
}

/* If running replicas were kept, overflow counts only replicas without a place elsewhere. Each
 * cluster counts by itself, so two may both carry all of it. */
static void
limit_overflow(struct rebalance_cluster *clusters, uint32_t count, int64_t unplaced)
{
    for (uint32_t i = 0; i < count; i++) {
        struct rebalance_cluster *c = &clusters[i];

        c->overflow = smaller(c->overflow, unplaced);
        if (c->overflow <= 0) {
            c->overflow = 0;
            c->has_overflow = false;
        }
    }
}

void
rebalance_plan(struct arena *scratch, struct rebalance_cluster *clusters, uint32_t count,
               int64_t total_replicas, bool rebalance, const char *key)
{
    struct table table = {
        .rows = ARENA_ARRAY(scratch, struct row, count),
        .remaining = pin(total_replicas),
    };
    bool changed = true;

    take_current(&table, clusters, count, key);
    place_minimums(&table);
    if (!rebalance) {
        keep_what_runs(&table);
    }
    for (uint32_t i = 0; i < table.count; i++) {
        table.rows[i].cluster->plan = table.rows[i].plan;
    }
    while (changed && table.remaining > 0) {
        wide_int sum = sum_of_weights(&table);

        if (sum == 0) {
            break;
        }
        skip_idle_rounds(&table, sum);
        changed = distribute(&table, sum);
    }
    if (!rebalance) {
        limit_overflow(clusters, count, table.remaining);
    }
}
