/* SPDX-License-Identifier: Apache-2.0
 *
 * A simplex with generalised upper bounds (Dantzig and Van Slyke, 1967): each
 * item's sum is kept by one of its own variables, the key, so that the basis is
 * at most as large as there are rows of rooms, and not as there are items.
 */
#ifndef BALLAST_PACKING_PACK_SIMPLEX_H
#define BALLAST_PACKING_PACK_SIMPLEX_H

#include <stddef.h>

#include "ballast/packing/packing.h"

#define SIMPLEX_LISTED_MAX 32
#define NO_VARIABLE UINT32_MAX
#define SIMPLEX_PIECE 4 /* `stride` is a multiple of it */

/* The replicas that an item has in one room, or those that it wants beyond: so that no variable has
 * an upper bound of its own. */
struct group {
    const struct pack_item *item;
    double size, cost; /* size: replicas; cost: of one that is left over */
    uint32_t key;      /* the variable that follows from the group's sum: the number of an option
                          within the item, or n_options: what is left over */
    uint32_t room;     /* of the key, or, for what is left over, one that costs nothing */
    double key_cost;   /* what the key costs beside the room: 0, or all of what is left over */
    double key_value;
    double drained; /* how far the key falls with each unit of what enters */
};

/* A variable in the basis: one of a group that is not its key. What enters may also be the slack of
 * a row: `group` is NULL then, and `index` is the row. */
struct basic {
    struct group *group;
    uint32_t index;
    double value;
};

/* The groups of an item, which all may go to the same rooms. */
struct item_groups {
    uint32_t first, count; /* in `lp.groups` */
    const uint32_t *open;  /* rooms of the options that are open, in their order */
    uint32_t n_open;
    double each[N_PACK_RESOURCES]; /* what a replica takes */
    double weight; /* of a replica: so that what takes little of rooms does not wait for ever */
};

/* What one replica of an option takes of rows, each of which holds 1. */
struct loads {
    uint32_t count;
    uint32_t rows[N_PACK_RESOURCES];
    double of[N_PACK_RESOURCES];
};

/* An item that may have a variable to enter. */
struct listed {
    uint32_t item;
    bool is_known; /* `worth` is by the present prices of rooms */
    double worth;  /* by how much the cost rises with the whole of its best group (weighed) */
};

struct lp {
    uint32_t n_rows, n_groups;
    struct group *groups;      /* item by item */
    struct item_groups *items; /* as in `packing` */
    uint32_t next_item;        /* to look at next */
    uint32_t at_once;          /* how many items are looked at before one is chosen */
    struct listed listed[SIMPLEX_LISTED_MAX];
    uint32_t n_listed;
    double worth_listed; /* worth of the best listed item when items were listed last */
    int64_t n_looked;    /* how often an item was looked at */
    double beyond;       /* replicas wanted that fit in no case: they are in no group */
    const struct packing *packing;
    struct loads *loads; /* by option */
    bool *is_open;       /* by option: a replica fits there while the room is empty */
    uint32_t *open;      /* rooms of open options, item by item from its first option on */
    /* A row is loose, with its slack in the basis, or tight. So of the basis only a kernel of as
     * many variables as rows are tight has to be inverted; the rest follows from it. */
    struct basic *basis; /* n_tight */
    uint32_t n_tight;
    uint32_t *tight;     /* the rows, in the order of the kernel's columns */
    uint32_t *column_of; /* by row: its place in `tight`; NO_VARIABLE: it is loose */
    double *slack;       /* by row, of the loose rows */
    double *inverse;     /* of the kernel: n_tight rows, each with room for `stride` columns */
    uint32_t stride;     /* columns of `inverse` from n_tight on may be anything */
    double *prices;      /* by row */
    bool is_priced;      /* room_prices follow from `prices` */
    /* by room, for whoever looks at many options */
    uint32_t (*rows)[N_PACK_RESOURCES];      /* NO_VARIABLE: there is none */
    double (*units)[N_PACK_RESOURCES];       /* what one unit of the resource takes of the row */
    double (*room_prices)[N_PACK_RESOURCES]; /* of a unit; behind the last room: 0 */
    double *column;    /* how far each value of the basis falls with a unit of what enters */
    double *entering;  /* by row: how far its slack falls with a unit of what enters */
    double *pivot_row; /* by column, `stride` */
    uint32_t *at;      /* scratch: columns or rows */
    double *times;     /* scratch: what a vector has in each of `at` */
};

/* Returns the sum of a replica's loads, each times what the vector has in its row. */
static inline double
simplex_take(const struct loads *loads, const double *vector)
{
    double sum = 0;

    for (uint32_t i = 0; i < loads->count; i++) {
        sum += loads->of[i] * vector[loads->rows[i]];
    }
    return sum;
}

/* Makes a variable of a group its key. Does not set key_value. */
static inline void
simplex_set_key(const struct lp *lp, struct group *group, uint32_t key)
{
    const struct pack_item *item = group->item;
    bool is_placed = key < item->n_options;

    group->key = key;
    group->room = is_placed ? lp->packing->options[item->first + key].room : lp->packing->n_rooms;
    group->key_cost = is_placed ? 0 : group->cost;
}

/* Returns what a unit of a group's variable takes of rows; NULL: it is what is left over. */
const struct loads *simplex_loads_of(const struct lp *lp, const struct group *group,
                                     uint32_t index);
/* Adds the column of a group's variable, `times` over, to a vector by row. */
void simplex_add_column(const struct lp *lp, const struct group *group, uint32_t index,
                        double times, double *vector);
/* True if a group's variable may have a value: it is what is left over, or its option is open. */
bool simplex_is_open(const struct lp *lp, const struct group *group, uint32_t index);
/* Returns what a unit of a group's variable costs at the present prices of rows. */
double simplex_priced(const struct lp *lp, const struct group *group, uint32_t index);
/* Works out the values of the basis, of the keys and of the slacks from the beginning. */
void simplex_evaluate(struct lp *lp);
/* Works out the prices of the rows from the beginning. */
void simplex_set_prices(struct lp *lp);
/* Lets one variable enter by which the cost falls. False: none does, or rounding has left no pivot
 * to go by. */
bool simplex_step(struct lp *lp);

#endif
