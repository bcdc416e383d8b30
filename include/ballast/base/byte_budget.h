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
    struct byte_budget *whole; /* larger budget, outlives this one; NULL: none */
};

/* True if the budget and every larger one have `bytes` left. */
bool byte_budget_has(const struct byte_budget *budget, size_t bytes);
/* Takes the bytes from the budget and every larger one, or takes none and returns false. */
bool byte_budget_take(struct byte_budget *budget, size_t bytes);
/* Gives bytes back. More bytes than were taken end the process. */
void byte_budget_give(struct byte_budget *budget, size_t bytes);
/* Returns the smallest limit of the budget and every larger one. SIZE_MAX for NULL. */
size_t byte_budget_most(const struct byte_budget *budget);

#endif
