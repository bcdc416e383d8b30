/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the bindings that a command's arguments name.
 */
#include "ballast/explain/explain.h"
#include "cli/options/invocation.h"
#include "run.h"

bool
find_named_bindings(const struct invocation *invocation, const struct fleet *fleet, uint32_t *ret,
                    uint32_t *ret_count, struct error *err)
{
    const char *namespace_ = invocation->settings->named_namespace;
    uint32_t *found = ARENA_ARRAY(invocation->arena, uint32_t, fleet->n_bindings);
    bool *is_taken = ARENA_ARRAY(invocation->arena, bool, fleet->n_bindings);

    *ret_count = 0;
    for (size_t i = 0; i < invocation->n_arguments; i++) {
        const struct explain_question question = {
            .text = invocation->arguments[i],
            .namespace_ = str_is_empty(namespace_) ? NULL : namespace_,
        };
        uint32_t count;

        if (!explain_find(fleet, &question, found, &count, err)) {
            return false;
        }
        for (uint32_t j = 0; j < count; j++) {
            if (!is_taken[found[j]]) {
                is_taken[found[j]] = true;
                ret[(*ret_count)++] = found[j];
            }
        }
    }
    return true;
}
