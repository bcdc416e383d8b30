/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared bounds on memory.
 */
#include "ballast/base/byte_budget.h"

#include <stdint.h>

#include "ballast/base/error.h"

bool
byte_budget_has(const struct byte_budget *budget, size_t bytes)
{
    for (; budget != NULL; budget = budget->whole) {
        if (bytes > budget->limit - budget->used) {
            return false;
        }
    }
    return true;
}

bool
byte_budget_take(struct byte_budget *budget, size_t bytes)
{
    if (!byte_budget_has(budget, bytes)) {
        return false;
    }
    for (; budget != NULL; budget = budget->whole) {
        budget->used += bytes;
    }
    return true;
}

void
byte_budget_give(struct byte_budget *budget, size_t bytes)
{
    for (; budget != NULL; budget = budget->whole) {
        if (bytes > budget->used) {
            BUG("%zu bytes are given back of %zu", bytes, budget->used);
        }
        budget->used -= bytes;
    }
}

size_t
byte_budget_most(const struct byte_budget *budget)
{
    size_t most = SIZE_MAX;

    for (; budget != NULL; budget = budget->whole) {
        most = budget->limit < most ? budget->limit : most;
    }
    return most;
}
