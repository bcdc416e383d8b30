/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the pod templates that were wanted and are unknown. A snapshot has them, too: its plan must
 * report them as well.
 */
#include "ballast/base/wide.h"
#include "ballast/format/value_build.h"
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"
#include "member_decoders.h"

static const struct field unseen_table[] = {
    FIELD("apiVersion", convert_string, struct unseen_templates, api_version,
          .flags = FIELD_REQUIRED, AS_TEXT(0, TEXT_API)),
    FIELD("kind", convert_string, struct unseen_templates, kind, .flags = FIELD_REQUIRED,
          AS_TEXT(0, TEXT_KIND)),
    FIELD("count", convert_count32, struct unseen_templates, count, AS_INT32(0)),
    FIELD("message", convert_string, struct unseen_templates, message, AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

const struct field unseen_templates_table[] = {
    PART("unseenTemplates", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, unseen_table)),
    FIELD_END,
};

enum add_result
take_unseen_templates(const struct taking *t)
{
    struct unseen_templates unseen = {.kind = ""};
    struct error err = ERROR_INIT;

    if (!decode_object(builder_decoder(t->builder, &err), unseen_templates_table, t->value,
                       &unseen)) {
        return taking_skip(t, err.message);
    }
    vec_add(&t->builder->unseen_templates, unseen);
    return ADD_TAKEN;
}

static void
tell(const struct fleet_tap *tap, const struct unseen_templates *of)
{
    struct arena *arena = arena_new();
    struct value *unseen = value_new(arena, VALUE_OBJECT), *object = value_new(arena, VALUE_OBJECT);

    value_put_text(unseen, "apiVersion", of->api_version);
    value_put_text(unseen, "kind", of->kind);
    value_put(unseen, "count", value_new_integer(arena, of->count));
    value_put_text(unseen, "message", of->message);
    value_put(object, "unseenTemplates", unseen);
    const struct fleet_object told = {object, "ballast.io/v1alpha1", "UnseenTemplates", "",
                                      ADD_TAKEN};

    tap->object(tap->context, &told);
    arena_free(arena);
}

void
fleet_builder_miss_templates(struct fleet_builder *builder, const struct unseen_templates *of)
{
    struct arena *arena = builder->fleet->arena;

    vec_add(&builder->unseen_templates,
            ((struct unseen_templates){
                .api_version = arena_strndup(arena, of->api_version, strlen(of->api_version)),
                .kind = arena_strndup(arena, of->kind, strlen(of->kind)),
                .count = of->count,
                .message = arena_strndup(arena, of->message, strlen(of->message)),
            }));
    if (builder->tap != NULL) {
        tell(builder->tap, of);
    }
}

void
builder_keep_unseen_templates(struct fleet_builder *builder)
{
    struct fleet *fleet = builder->fleet;

    fleet->unseen_templates = vec_to_arena(&builder->unseen_templates, fleet->arena);
    fleet->n_unseen_templates = pin_uint32(builder->unseen_templates.count);
}
