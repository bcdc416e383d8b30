/* SPDX-License-Identifier: Apache-2.0
 *
 * The rungs of the ladder in words, for help and documentation.
 */
#ifndef BALLAST_PLAN_LADDER_ROWS_H
#define BALLAST_PLAN_LADDER_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "ballast/base/arena.h"

/* A rung of the ladder, in words. */
struct ladder_row {
    const char *question; /* "What is divided anew?"; all its rungs share it */
    const char *assumed;
    const char *when;    /* when the rung is tried; "": always */
    const char *refused; /* the flaws for which the rung refuses an attempt; "": none */
};

/* Describes the rung at `index`, from 0, in the order in which the search tries rungs. False: there
 * are no more. Texts live in `arena`. */
bool ladder_row_at(struct arena *arena, size_t index, struct ladder_row *ret);

#endif
