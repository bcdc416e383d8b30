/* SPDX-License-Identifier: Apache-2.0
 *
 * A simplex with generalised upper bounds (Dantzig and Van Slyke, 1967). One variable of each
 * group, the key, keeps the group's sum. So the basis grows with the rows of rooms, not with the
 * items.
 */
#ifndef BALLAST_PACKING_PACK_SIMPLEX_H
#define BALLAST_PACKING_PACK_SIMPLEX_H

#include <stddef.h>

#include "ballast/packing/packing.h"

#define SIMPLEX_LISTED_MAX 32
#define NO_VARIABLE UINT32_MAX
#define SIMPLEX_PIECE 4 /* `stride` is a multiple of this */

/* The replicas that an item has in one room, or its unplaced ones. Groups spare variables an upper
 * bound of their own. */
struct group {
    const struct pack_item *item;
    double size, cost; /* size: replicas; cost: of an unplaced one */
    uint32_t key;      /* an option within the item; n_options: unplaced */
    uint32_t room;     /* of the key; unplaced: the one behind the last, which is free */
    double key_cost;   /* cost of the key beside the room: 0, or `cost` if unplaced */
    double key_value;
    double drained; /* fall of the key with each unit of what enters */
};

/* A variable in the basis that is not its group's key. The entering variable may also be the slack
 * of row `index`: `group` is NULL then. */
struct basic {
    struct group *group;
    uint32_t index;
    double value;
};

/* The groups of an item; all may go to the same rooms. */
struct item_groups {
    uint32_t first, count; /* in `lp.groups` */
    const uint32_t *open;  /* rooms of the open options, in their order */
    uint32_t n_open;
    double each[N_PACK_RESOURCES]; /* taken by a replica */
    double weight;                 /* of a replica; larger for small ones, or they wait for ever */
};

/* A replica's share of rows at an option; a row's capacity is 1. */
struct loads {
    uint32_t count;
    uint32_t rows[N_PACK_RESOURCES];
    double of[N_PACK_RESOURCES];
};

/* An item with a variable that may enter. */
struct listed {
    uint32_t item;
    bool is_known; /* `worth` is by the present room prices */
    double worth;  /* change of the cost with its best group, weighed; below 0: better */
};

struct lp {
    uint32_t n_rows, n_groups;
    struct group *groups;      /* item by item */
    struct item_groups *items; /* as in `packing` */
    uint32_t next_item;        /* the next to look at */
    uint32_t at_once;          /* items to look at before one is chosen */
    struct listed listed[SIMPLEX_LISTED_MAX];
    uint32_t n_listed;
    double worth_listed; /* of the best listed item at the last listing */
    int64_t n_looked;    /* looks at items so far */
    double beyond;       /* wanted replicas that fit in no case; in no group */
    const struct packing *packing;
    struct loads *loads; /* by option */
    bool *is_open;       /* by option: a replica fits while the room is empty */
    uint32_t *open;      /* rooms of open options, each item's from its first option on */
    /* A row is tight, or loose with its slack in the basis. Only the kernel is inverted: as many
     * variables as rows are tight. The rest of the basis follows. */
    struct basic *basis; /* n_tight */
    uint32_t n_tight;
    uint32_t *tight;     /* rows, in the order of the kernel's columns */
    uint32_t *column_of; /* by row: its place in `tight`; NO_VARIABLE: loose */
    double *slack;       /* by row; of loose rows */
    double *inverse;     /* of the kernel: n_tight rows of `stride` columns */
    uint32_t stride;     /* columns from n_tight on are undefined */
    double *prices;      /* by row */
    bool is_priced;      /* room_prices match `prices` */
    /* by room, for looks at many options */
    uint32_t (*rows)[N_PACK_RESOURCES];      /* NO_VARIABLE: none */
    double (*units)[N_PACK_RESOURCES];       /* share of the row that a unit takes */
    double (*room_prices)[N_PACK_RESOURCES]; /* of a unit; 0 behind the last room */
    double *column;    /* fall of each basis value with a unit of what enters */
    double *entering;  /* by row: fall of the slack with a unit of what enters */
    double *pivot_row; /* by column, `stride` */
    uint32_t *at;      /* scratch: columns or rows */
    double *times;     /* scratch: a vector's value at each of `at` */
};

/* Returns the sum of a replica's loads, each times the vector's value in its row. */
static inline double
simplex_take(const struct loads *loads, const double *vector)
{
    double sum = 0;

    for (uint32_t i = 0; i < loads->count; i++) {
        sum += loads->of[i] * vector[loads->rows[i]];
    }
    return sum;
}

/* Makes a variable of a group its key, without setting key_value. */
static inline void
simplex_set_key(const struct lp *lp, struct group *group, uint32_t key)
{
    const struct pack_item *item = group->item;
    bool is_placed = key < item->n_options;

    group->key = key;
    group->room = is_placed ? lp->packing->options[item->first + key].room : lp->packing->n_rooms;
    group->key_cost = is_placed ? 0 : group->cost;
}

/* Returns what a unit of a group's variable takes of rows; NULL: it is the unplaced one. */
const struct loads *simplex_loads_of(const struct lp *lp, const struct group *group,
                                     uint32_t index);
/* Adds `times` the column of a group's variable to a vector by row. */
void simplex_add_column(const struct lp *lp, const struct group *group, uint32_t index,
                        double times, double *vector);
/* True if a group's variable may have a value: it is the unplaced one, or its option is open. */
bool simplex_is_open(const struct lp *lp, const struct group *group, uint32_t index);
/* Returns the cost of a unit of a group's variable at the present row prices. */
double simplex_priced(const struct lp *lp, const struct group *group, uint32_t index);
/* Recomputes the values of the basis, the keys and the slacks. */
void simplex_evaluate(struct lp *lp);
/* Recomputes the prices of the rows. */
void simplex_set_prices(struct lp *lp);
/* Lets one variable enter that lowers the cost. False: none does, or no usable pivot is left. */
bool simplex_step(struct lp *lp);

#endif
