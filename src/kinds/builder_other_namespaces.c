/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes over objects of namespaces that are not taken: notes only that their lists were seen.
 */
#include "building.h"
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"

#include "ballast/base/str.h"
#include "ballast/kinds/member_folder.h"
#include "ballast/kinds/prune.h"

bool
fleet_builder_takes(const struct fleet_builder *builder, const char *member, const char *namespace_)
{
    return str_is_empty(member) ||
           member_choice_has_namespace(&builder->expectation.choice, member, namespace_);
}

bool
fleet_builder_is_narrow(const struct fleet_builder *builder, const char *member)
{
    const struct member_choice *choice = &builder->expectation.choice;

    return choice->is_narrow != NULL && choice->is_narrow(choice->context, member);
}

const char *
fleet_object_namespace(const struct value *object, const char *kind)
{
    const struct value *named = str_eq(kind, SETTLED_PODS_KIND) ? value_get(object, "pod") : object;

    return value_text(value_get(named, "metadata"), "namespace");
}

bool
fleet_builder_passes(const struct fleet_builder *builder, const char *member,
                     const struct wanted_of *object, const struct value *metadata)
{
    const char *api_version =
        str_is_empty(object->api_version) ? object->list_api_version : object->api_version;
    const char *of = str_is_empty(member)
                         ? value_text(value_get(metadata, "annotations"), ANNOTATION_MEMBER)
                         : member;

    if (fleet_builder_takes(builder, of, value_text(metadata, "namespace"))) {
        return false;
    }
    const struct kind *kind =
        str_is_empty(object->kind) ? kind_find_list(object->list_kind) : kind_find(object->kind);

    /* an object of another group may be a workload by its spec.replicas */
    return kind != NULL && kind_is_of_group(kind, api_version);
}

static void
note_part(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);

    for (int part = 0; part < N_MEMBER_PARTS; part++) {
        member->has[part] |= str_eq(prune_part_kind((enum member_part)part), t->kind);
    }
}

enum add_result
builder_pass(const struct taking *t)
{
    const struct kind *kind = kind_find(t->kind);
    const struct value *replicas = value_get(value_get(t->value, "spec"), "replicas");
    enum member_part part;

    if (kind == NULL || (kind->flags & (IN_MEMBER | ANYWHERE)) == 0) {
        return ADD_IGNORED;
    }
    if (kind_is_of_group(kind, t->api_version)) {
        if (kind_is_of_version(kind, t->api_version)) {
            note_part(t);
        }
    } else if ((kind->flags & ONE_GROUP) == 0 && builder_workload_part(t->kind, &part) &&
               replicas != NULL && value_type(replicas) == VALUE_INTEGER) {
        note_part(t);
    }
    return ADD_IGNORED;
}
