/* SPDX-License-Identifier: Apache-2.0
 *
 * The order in which decisions are searched for, to be shown.
 */
#ifndef BALLAST_PLAN_LADDER_ROWS_H
#define BALLAST_PLAN_LADDER_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "ballast/base/arena.h"

/* A rung of the ladder, in words. */
struct ladder_row {
    const char *question; /* "What is divided anew?"; the same for all rungs of one */
    const char *assumed;
    const char *when;    /* it is tried; "": always */
    const char *refused; /* the flaws for which its attempt is refused; "": none */
};

/* Describes the rung at `index`, from 0, in the order in which rungs are tried; false: there are
 * no more. Texts live in the arena. */
bool ladder_row_at(struct arena *arena, size_t index, struct ladder_row *ret);

#endif
