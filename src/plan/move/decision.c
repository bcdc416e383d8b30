/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a decision that changes nothing, and adds annotations to decisions.
 */
#include <string.h>

#include "move.h"

struct decision
decision_unchanged(struct arena *arena, const struct fleet *fleet, uint32_t index)
{
    struct target_list targets = targets_sorted(arena, fleet->bindings[index].clusters);

    return (struct decision){
        .binding = index,
        .before = targets,
        .after = targets,
        .affinity_name = "",
        .error_type = "",
        .error_message = "",
    };
}

void
decision_annotate(struct planner *planner, struct decision *decision, const char *key,
                  const char *value)
{
    size_t count = decision->n_annotations;
    struct label *annotations = ARENA_ARRAY(planner->arena, struct label, count + 1);

    if (count > 0) {
        memcpy(annotations, decision->annotations, count * sizeof(*annotations));
    }
    annotations[count] = (struct label){.key = key, .value = value};
    decision->annotations = annotations;
    decision->n_annotations++;
}
