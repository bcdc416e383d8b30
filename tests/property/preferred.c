/* SPDX-License-Identifier: Apache-2.0
 *
 * Preferences: minimum, maximum and weight by cluster.
 */
#include "preferred.h"

#include <string.h>

#include "invariants.h"

#define NAMED_PERCENT 60
#define BOUNDED_PERCENT 40
#define COUNT_MAX 5
#define WEIGHT_MAX 4

static struct preference_cluster
random_entry(struct random *random, const char *name)
{
    bool bounded = random_percent(random, BOUNDED_PERCENT);
    int64_t least = random_percent(random, BOUNDED_PERCENT) ? random_below(random, COUNT_MAX) : 0;

    return (struct preference_cluster){
        .name = name,
        .min_replicas = least,
        .max_replicas = bounded ? least + random_below(random, COUNT_MAX) : PREFERENCE_UNLIMITED,
        .weight = random_below(random, WEIGHT_MAX),
    };
}

void
preferred_generate(struct preferred *preferred, const struct world *world, uint64_t seed)
{
    struct random random = random_from(seed);
    uint32_t count = 0;

    for (int i = 0; i < world->n_clusters; i++) {
        if (random_percent(&random, NAMED_PERCENT)) {
            preferred->clusters[count++] = random_entry(&random, world->clusters[i].name);
        }
    }
    if (count == 0 || random_percent(&random, NAMED_PERCENT)) {
        preferred->clusters[count++] = random_entry(&random, "*");
    }
    preferred->preference = (struct preference){
        .origin = "preference",
        .rebalance = random_percent(&random, BOUNDED_PERCENT),
        .total_replicas = -1,
        .clusters = preferred->clusters,
        .n_clusters = count,
    };
}

/* Its own, or that for all; NULL when there is neither. */
static const struct preference_cluster *
entry_for(const struct preferred *preferred, const char *name)
{
    const struct preference_cluster *any = NULL;

    for (uint32_t i = 0; i < preferred->preference.n_clusters; i++) {
        const struct preference_cluster *entry = &preferred->clusters[i];

        if (strcmp(entry->name, name) == 0) {
            return entry;
        }
        if (strcmp(entry->name, "*") == 0) {
            any = entry;
        }
    }
    return any;
}

void
preferred_check(const struct world *world, const struct fleet *fleet, const struct plan *plan,
                const struct preferred *preferred, struct buf *complaints)
{
    for (uint32_t d = 0; d < plan->n_decisions; d++) {
        const struct decision *decision = plan->decisions[d];

        if (decision == NULL) {
            continue;
        }
        const char *name = fleet->bindings[decision->binding].resource.name;
        const struct world_binding *binding = &world->bindings[world_find_binding(world, name)];

        for (uint32_t i = 0; i < decision->after.count; i++) {
            const struct target *target = &decision->after.items[i];
            const struct preference_cluster *entry = entry_for(preferred, target->name);
            int had = binding->split[world_find_cluster(world, target->name)];

            if (binding->strategy != STRATEGY_DUPLICATED && target->replicas > had &&
                (entry == NULL || target->replicas > entry->max_replicas)) {
                buf_printf(complaints, "%s: %s in %s: ", name,
                           entry == NULL ? "given without an entry" : "above the maximum",
                           target->name);
                invariants_show_split(&decision->before, complaints);
                buf_append_str(complaints, " -> ");
                invariants_show_split(&decision->after, complaints);
                buf_append_char(complaints, '\n');
            }
        }
    }
}
