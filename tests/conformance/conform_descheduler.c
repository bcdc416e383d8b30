/* SPDX-License-Identifier: Apache-2.0
 *
 * descheduler: what karmada-descheduler takes away from a binding, given the
 * unschedulable replicas of each cluster.
 */
#include "conform.h"

#include "../decode_one.h"

#include "plan/decide/evict.h"

static const struct value *
member_of(const struct value *object, const char *name)
{
    return object != NULL ? value_get(object, name) : NULL;
}

/* eligible, changed and the replicas of each cluster as one text. */
static const char *
answer(struct conform *run, bool eligible, bool changed, const char *clusters)
{
    return arena_printf(run->arena, "eligible %s, changed %s, %s", eligible ? "true" : "false",
                        changed ? "true" : "false", clusters);
}

static const char *
evict(struct conform *run, const struct binding *binding, const struct value *unschedulable)
{
    uint32_t count = binding->clusters.count;
    int32_t *stuck = ARENA_ARRAY(run->arena, int32_t, count);
    int32_t *left = ARENA_ARRAY(run->arena, int32_t, count);
    struct conform_pair *pairs = ARENA_ARRAY(run->arena, struct conform_pair, count);
    bool eligible = evict_eligible(binding);
    bool changed = false;

    for (uint32_t i = 0; i < count; i++) {
        const struct value *known = member_of(unschedulable, binding->clusters.items[i].name);

        stuck[i] = known != NULL ? (int32_t)value_integer(known) : -1;
    }
    changed = eligible && evict_replicas(binding, stuck, left);
    for (uint32_t i = 0; i < count; i++) {
        const struct target *target = &binding->clusters.items[i];

        pairs[i] = (struct conform_pair){target->name, changed ? left[i] : target->replicas};
    }
    return answer(run, eligible, changed, conform_pairs(run, pairs, count));
}

static const char *
wanted(struct conform *run, const struct value *item)
{
    return answer(run, value_bool(value_get(item, "eligible")),
                  value_bool(value_get(item, "changed")),
                  conform_pairs_of_list(run, value_get(item, "expected"), "replicas"));
}

void
conform_descheduler(struct conform *run, const struct value *root)
{
    const struct value *cases = value_get(root, "cases");

    for (size_t i = 0; i < value_count(cases); i++) {
        const struct value *item = value_at(cases, i);
        struct conform_case c = conform_case(item);
        struct fleet_builder *builder = fleet_builder_new();
        struct error err = ERROR_INIT;
        const struct binding *binding = decode_binding(builder, value_get(item, "binding"), &err);

        if (binding != NULL) {
            conform_compare(run, &c, evict(run, binding, value_get(item, "unschedulable")),
                            wanted(run, item));
        } else {
            conform_broken(run, &c, &err);
        }
        fleet_builder_free(builder);
    }
}
