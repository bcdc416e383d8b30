/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that several share: who wants some takes it first and gives it back.
 * A budget may be a part of a larger one; what is taken of a part is taken of
 * the whole as well. Not thread-safe. NULL stands for no bound.
 */
#ifndef BALLAST_BASE_BYTE_BUDGET_H
#define BALLAST_BASE_BYTE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

struct byte_budget {
    size_t limit, used;
    struct byte_budget *whole; /* NULL: it is no part; outlives the part */
};

/* Whether so much could be taken. */
bool byte_budget_has(const struct byte_budget *budget, size_t bytes);
/* false: there is not so much left here or in the whole, and nothing is taken. */
bool byte_budget_take(struct byte_budget *budget, size_t bytes);
/* No more than was taken. */
void byte_budget_give(struct byte_budget *budget, size_t bytes);
/* The most that one who shares it with nobody could take. */
size_t byte_budget_most(const struct byte_budget *budget);

#endif
