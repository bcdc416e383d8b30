/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes a federated object of a finished fleet that was read again, with its preference.
 */
#include "federation.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "kinds/member/member_decoders.h"

static bool
decode_both(struct fleet_builder *builder, const struct value *object,
            const struct value *preference, const struct binding *before, struct binding *ret,
            struct error *err)
{
    const struct fleet *fleet = builder->fleet;
    const struct cluster_span clusters = {fleet->clusters, fleet->n_clusters};
    struct federated_preference *own = NULL;
    struct federated_object decoded;

    if (!federated_object_decode(builder_decoder(builder, err), object, before->kind, &decoded)) {
        return false;
    }
    if (preference != NULL) {
        if (!scheduling_preference_decode(builder_decoder(builder, err), preference)) {
            return error_wrap(err, "its ReplicaSchedulingPreference");
        }
        own = &builder->federation.preferences.items[0];
        own->carrier.source = before->federated->preference_source;
    }
    if (own != NULL && !str_eq(own->target_kind, binding_kind_name(before->kind))) {
        own = NULL;
    }
    federated_binding(builder_decoder(builder, err), &clusters, &decoded, own, NULL, ret);
    return true;
}

const struct binding *
fleet_decode_federated(struct fleet *fleet, const struct value *object,
                       const struct value *preference, const struct binding *before,
                       uint32_t source, struct error *err)
{
    struct fleet_builder *builder = builder_over(fleet);
    struct binding *binding = ARENA_NEW(fleet->arena, struct binding);
    bool done = decode_both(builder, object, preference, before, binding, err);

    if (done) {
        struct target *targets = (struct target *)binding->clusters.items;

        binding->source = source;
        for (uint32_t i = 0; i < binding->clusters.count; i++) {
            targets[i].cluster = fleet_find_cluster(fleet, targets[i].name);
        }
        binding_keep_template(fleet, binding);
    }
    builder->fleet = NULL;
    fleet_builder_free(builder);
    return done ? binding : NULL;
}
