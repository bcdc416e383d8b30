/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes a binding of a finished fleet that was read again.
 */
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "kinds/member/member_decoders.h"

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
        binding_keep_template(fleet, binding);
        rebalance_wish_apply(&fleet->wishes, binding);
        for (uint32_t i = 0; i < binding->clusters.count; i++) {
            targets[i].cluster = fleet_find_cluster(fleet, targets[i].name);
        }
    }
    builder->fleet = NULL;
    fleet_builder_free(builder);
    return done ? binding : NULL;
}
