/* SPDX-License-Identifier: Apache-2.0
 *
 * If only the tap wants members' objects, takes each member with a separate builder. That builder
 * finds duplicates of names, and is freed once the member is over.
 */
#include "building.h"
#include "kinds/builder/builder.h"

#include "ballast/base/str.h"

struct fleet_builder *
builder_for(struct fleet_builder *builder, const char *member)
{
    bool is_apart = builder->outer == NULL && builder->tap != NULL && builder->tap->is_alone;

    if (!is_apart || str_is_empty(member)) {
        return builder;
    }
    struct member_builder *of = builder_member(builder, member);

    if (of->apart == NULL) {
        of->apart = fleet_builder_new();
        of->apart->outer = builder;
        of->apart->tap = builder->tap;
        of->apart->expectation = builder->expectation;
    }
    return of->apart;
}

void
builder_end_apart(const struct fleet_builder *builder, struct member_builder *member)
{
    if (member->apart == NULL) {
        return;
    }
    const struct fleet_tap *tap = builder->tap;
    const struct member_builder *showed = builder_member(member->apart, member->name);

    if (tap->over != NULL) {
        tap->over(tap->context, member->name, member->apart);
    }
    for (int part = 0; part < N_MEMBER_PARTS; part++) {
        member->has[part] |= showed->has[part];
    }
    fleet_builder_free(member->apart);
    member->apart = NULL;
}

void
fleet_builder_over(struct fleet_builder *builder, const char *member)
{
    builder_forget_lost(builder, builder_member(builder, member));
    builder_end_apart(builder, builder_member(builder, member));
}
