/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts objects of kinds that no decision needs: their author may expect otherwise. A snapshot
 * keeps the counts.
 */
#include "ballast/base/text.h"
#include "ballast/base/wide.h"
#include "ballast/format/value_build.h"
#include "builder.h"
#include "kind.h"

#define LEFT_OUT_KINDS_MAX 32 /* a longer list helps no reader */
#define FOREIGN_NAME_MAX 256

static const struct field count_table[] = {
    FIELD("kind", convert_string, struct left_out, kind, .flags = FIELD_REQUIRED,
          AS_TEXT(0, TEXT_KIND)),
    FIELD("count", convert_count32, struct left_out, count, AS_INT32(0)),
    FIELD_END,
};

const struct field left_out_table[] = {
    PART("leftOut", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, count_table)),
    FIELD_END,
};

void
builder_leave_out(struct fleet_builder *builder, const char *kind, uint32_t count, bool is_foreign)
{
    for (size_t i = 0; i < builder->left_out.count; i++) {
        if (str_eq(builder->left_out.items[i].kind, kind)) {
            builder->left_out.items[i].count += count;
            return;
        }
    }
    if (count > 0 && builder->left_out.count < LEFT_OUT_KINDS_MAX) {
        vec_add(&builder->left_out,
                ((struct left_out){intern_cstr(builder->fleet->strings, kind), count, is_foreign}));
    }
}

/* "OverridePolicy.core.kubeadmiral.io": the name alone would be that of a kind that is read. */
void
builder_leave_out_foreign(const struct taking *t)
{
    char name[FOREIGN_NAME_MAX];

    if (str_is_empty(t->member)) {
        text_print(name, sizeof(name), "%s.%.*s", t->kind, pin_width(strcspn(t->api_version, "/")),
                   t->api_version);
        builder_leave_out(t->builder, name, 1, false);
    }
}

/* The tap gets the sums at the end, not this object of a snapshot. */
enum add_result
take_left_out(const struct taking *t)
{
    struct left_out left = {.kind = ""};
    struct error err = ERROR_INIT;

    if (!decode_object(builder_decoder(t->builder, &err), left_out_table, t->value, &left)) {
        return taking_skip(t, err.message);
    }
    builder_leave_out(t->builder, left.kind, left.count, false);
    return ADD_IGNORED;
}

static void
tell(const struct fleet_tap *tap, const struct left_out *of)
{
    struct arena *arena = arena_new();
    struct value *object = value_new(arena, VALUE_OBJECT), *left = value_new(arena, VALUE_OBJECT);

    value_put_text(left, "kind", of->kind);
    value_put(left, "count", value_new_integer(arena, of->count));
    value_put(object, "leftOut", left);
    const struct fleet_object told = {object, "ballast.io/v1alpha1", "LeftOut", "", ADD_TAKEN};

    tap->object(tap->context, &told);
    arena_free(arena);
}

void
builder_report_left_out(const struct fleet_builder *builder)
{
    const struct fleet *fleet = builder->fleet;

    for (uint32_t i = 0; builder->tap != NULL && i < fleet->n_left_out; i++) {
        if (!fleet->left_out[i].is_foreign) { /* the tap has had these objects */
            tell(builder->tap, &fleet->left_out[i]);
        }
    }
}
