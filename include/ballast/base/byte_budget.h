/* SPDX-License-Identifier: Apache-2.0
 *
 * A bound on memory that several users share. A user takes bytes from the budget
 * before it allocates them, and gives them back afterwards. A budget may be part
 * of a larger one: bytes taken from the part are taken from the whole as well.
 * Not thread-safe. NULL stands for no bound.
 */
#ifndef BALLAST_BASE_BYTE_BUDGET_H
#define BALLAST_BASE_BYTE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

struct byte_budget {
    size_t limit, used;
    struct byte_budget *whole; /* the larger budget, which outlives this one; NULL: none */
};

/* True if the budget, and every larger one, has so many bytes left. */
bool byte_budget_has(const struct byte_budget *budget, size_t bytes);
/* Takes the bytes from the budget and from every larger one. False if one of them has too few left:
 * then nothing is taken. */
bool byte_budget_take(struct byte_budget *budget, size_t bytes);
/* Gives bytes back. More than was taken ends the process. */
void byte_budget_give(struct byte_budget *budget, size_t bytes);
/* Returns the bytes that a single user could take from an unused budget: the smallest limit on the
 * way to the whole. SIZE_MAX for NULL. */
size_t byte_budget_most(const struct byte_budget *budget);

#endif
