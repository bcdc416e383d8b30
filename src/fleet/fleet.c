/* SPDX-License-Identifier: Apache-2.0
 *
 * A finished fleet: finding things in it, one more reading of a binding, and
 * its end.
 */
#include "ballast/fleet.h"

#include <stdlib.h>

#include "ballast/timestamp.h"
#include "builder.h"

void
fleet_free(struct fleet *fleet)
{
    if (fleet != NULL) {
        free(fleet->heap);
        arena_free(fleet->arena);
        interner_free(fleet->strings);
        free(fleet);
    }
}

const struct taint *
binding_find_evicting_taint(const struct binding *binding, const struct cluster *cluster,
                            int64_t by, int64_t *ret_when)
{
    int64_t when = TIME_NONE;
    const struct taint *taint = taint_list_find_evicting(
        &cluster->taints,
        binding->placement != NULL ? &binding->placement->cluster_tolerations : NULL, &when);

    if (taint == NULL || when > by) {
        return NULL;
    }
    *ret_when = when;
    return taint;
}

uint32_t
fleet_find_cluster(const struct fleet *fleet, const char *name)
{
    uint32_t low = 0, high = fleet->n_clusters;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(fleet->clusters[middle].name, name);

        if (order == 0) {
            return middle;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return CLUSTER_NONE;
}

const struct binding *
fleet_find_binding(const struct fleet *fleet, enum binding_kind kind, const char *namespace_,
                   const char *name)
{
    const struct binding wanted = {.kind = kind, .namespace_ = namespace_, .name = name};
    uint32_t low = 0, high = fleet->n_bindings;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = binding_cmp(&fleet->bindings[middle], &wanted);

        if (order == 0) {
            return &fleet->bindings[middle];
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

const struct binding *
fleet_decode_binding(struct fleet *fleet, const struct value *value, enum binding_kind kind,
                     uint32_t source, struct error *err)
{
    struct fleet_builder *builder = builder_over(fleet);
    struct binding *binding = ARENA_NEW(fleet->arena, struct binding);
    bool done = binding_decode(builder_decoder(builder, err), value, kind, binding);

    if (done) {
        struct target *targets = (struct target *)binding->clusters.items;

        binding->source = source;
        for (uint32_t i = 0; i < binding->clusters.count; i++) {
            targets[i].cluster = fleet_find_cluster(fleet, targets[i].name);
        }
    }
    builder->fleet = NULL;
    fleet_builder_free(builder);
    return done ? binding : NULL;
}
