/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects all notices of a run.
 */
#include "notices.h"

#include "ballast/base/wide.h"

static uint32_t
count_in_scope(const struct fleet *fleet, const struct diagnosis *diagnosis)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        count += diagnosis->bindings[i].left_alone != LEFT_ALONE_OUT_OF_SCOPE ? 1 : 0;
    }
    return count;
}

struct notice_list
find_notices(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
             const struct policy *policy)
{
    struct notices notices = {.arena = arena,
                              .fleet = fleet,
                              .diagnosis = diagnosis,
                              .policy = policy,
                              .n_in_scope = count_in_scope(fleet, diagnosis)};

    notices.in_scope =
        arena_printf(arena, "%u of %u %s in scope", notices.n_in_scope, fleet->n_bindings,
                     fleet->n_bindings == 1 ? "binding" : "bindings");
    notice_platform(&notices);
    notice_scope(&notices);
    notice_scheduler(&notices);
    notice_preferences(&notices);
    notice_clusters(&notices);
    notice_rebalancers(&notices);
    notice_templates(&notices);
    notice_pods(&notices);
    struct notice_list list = {vec_to_arena(&notices.found, arena),
                               pin_uint32(notices.found.count)};

    vec_free(&notices.found);
    return list;
}
