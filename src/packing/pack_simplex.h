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

/* What an item has in one room, or what it wants beside: so that no variable is bounded from above.
 */
struct group {
    const struct pack_item *item;
    double size, cost; /* cost: of a replica that is left over */
    uint32_t key;      /* its variable that is told by the sum: an option's number within the item,
                          or n_options: what is left over */
    uint32_t room;     /* of the key, or one that costs nothing; and */
    double key_cost;   /* what the key costs beside the room: 0, or all of what is left over */
    double key_value;
    double drained; /* by what enters, each unit */
};

/* In the basis: a group's variable that is not its key; what enters it may be (no group) the slack
 * of a row. */
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
    double each[N_PACK_RESOURCES]; /* as the item has it */
    double weight; /* of a replica: so that what takes little of rooms does not wait for ever */
};

/* What one replica of an option takes of rows, the whole of each being 1. */
struct loads {
    uint32_t count;
    uint32_t rows[N_PACK_RESOURCES];
    double of[N_PACK_RESOURCES];
};

/* An item of which something is to enter. */
struct listed {
    uint32_t item;
    bool is_known; /* the worth is as rooms are priced */
    double worth;  /* by how much the cost rises with the whole of its best group (weighed) */
};

struct lp {
    uint32_t n_rows, n_groups;
    struct group *groups;      /* item by item */
    struct item_groups *items; /* as in `packing` */
    uint32_t next_item;        /* to be looked at */
    uint32_t at_once;          /* so many are, before something enters */
    struct listed listed[SIMPLEX_LISTED_MAX];
    uint32_t n_listed;
    double worth_listed; /* what the best of them offered when they were listed */
    int64_t n_looked;    /* items looked at, each as often as it was */
    double beyond;       /* replicas wanted that fit in no case: they are in no group */
    const struct packing *packing;
    struct loads *loads; /* by option */
    bool *is_open;       /* likewise: a replica fits there, as long as nothing else does */
    uint32_t *open;      /* rooms of those that are, item by item from its first option on */
    /* A row is loose, with its slack in the basis, or tight. So of the basis only a kernel of as
     * many variables as rows are tight has to be inverted; the rest follows from it. */
    struct basic *basis; /* n_tight */
    uint32_t n_tight;
    uint32_t *tight;     /* the rows, in the order of the kernel's columns */
    uint32_t *column_of; /* by row: where it is among them; NO_VARIABLE: it is loose */
    double *slack;       /* by row, of those that are loose */
    double *inverse;     /* of the kernel: n_tight rows, each with room for `stride` columns */
    uint32_t stride;     /* what is beyond n_tight in them may be anything */
    double *prices;      /* by row */
    bool is_priced;      /* rooms are, at these */
    /* by room; for whoever looks at many options */
    uint32_t (*rows)[N_PACK_RESOURCES];      /* NO_VARIABLE: there is none */
    double (*units)[N_PACK_RESOURCES];       /* what one of the resource takes of the row */
    double (*room_prices)[N_PACK_RESOURCES]; /* of such a one; behind the last room: 0 */
    double *column;    /* of what enters: how far each of the basis falls with a unit of it */
    double *entering;  /* likewise each slack, by row */
    double *pivot_row; /* by column, `stride` */
    uint32_t *at;      /* columns or rows; and */
    double *times;     /* what is in a vector there */
};

/* How much a replica's loads come to, each times what the vector has in its row. */
static inline double
simplex_take(const struct loads *loads, const double *vector)
{
    double sum = 0;

    for (uint32_t i = 0; i < loads->count; i++) {
        sum += loads->of[i] * vector[loads->rows[i]];
    }
    return sum;
}

static inline void
simplex_set_key(const struct lp *lp, struct group *group, uint32_t key)
{
    const struct pack_item *item = group->item;
    bool is_placed = key < item->n_options;

    group->key = key;
    group->room = is_placed ? lp->packing->options[item->first + key].room : lp->packing->n_rooms;
    group->key_cost = is_placed ? 0 : group->cost;
}

/* NULL: of what is left over. */
const struct loads *simplex_loads_of(const struct lp *lp, const struct group *group,
                                     uint32_t index);
/* The variable's column, `times`, is added to the vector. */
void simplex_add_column(const struct lp *lp, const struct group *group, uint32_t index,
                        double times, double *vector);
bool simplex_is_open(const struct lp *lp, const struct group *group, uint32_t index);
/* By how much the cost rises with each unit, at the prices as they are. */
double simplex_priced(const struct lp *lp, const struct group *group, uint32_t index);
/* Values of all that is in the basis, and of the keys, from the beginning. */
void simplex_evaluate(struct lp *lp);
/* Likewise the prices of the rows. */
void simplex_set_prices(struct lp *lp);
/* false: it is as cheap as can be, or the numbers say nothing any more. */
bool simplex_step(struct lp *lp);

#endif
