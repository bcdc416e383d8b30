/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes annotations that hold a placement: the placement that the scheduler applied, and the
 * placement that Ballast divided the binding for. Equal texts are parsed once.
 */
#include "decoders.h"
#include "kinds/builder/builder.h"

bool
convert_placement_leniently(struct decoder *decoder, const struct field *field,
                            const struct value *value, void *target)
{
    const struct placement *placement = decode_placement_leniently(decoder, value);

    (void)field;
    memcpy(target, &placement, sizeof(placement));
    return placement != NULL;
}

const struct field placed_for_table[] = {
    FIELD("placement", convert_placement_leniently, struct placed_for, placement,
          AS_OBJECT(0, placement_table)),
    FIELD("partly", convert_bool, struct placed_for, partly, AS_BOOL(0)),
    FIELD_END,
};

static const void *
decode_root(struct decoder *decoder, const struct value *root, char kind)
{
    if (kind == 'a') {
        return decode_placement_leniently(decoder, root);
    }
    struct placed_for *placed = ARENA_NEW(decoder->arena, struct placed_for);

    return decode_object(decoder, placed_for_table, root, placed) ? placed : NULL;
}

static const void *
parse(struct decoder *outer, const char *text, size_t length, char kind)
{
    struct error err = ERROR_INIT;
    struct decoder decoder = {
        .arena = outer->arena, .strings = outer->strings, .context = outer->context, .err = &err};
    struct document *document = document_parse_json(text, length, 1, &err);
    const void *parsed = NULL;

    if (document == NULL) {
        return NULL;
    }
    bool is_null = value_type(document_root(document)) == VALUE_NULL;

    if (!is_null) {
        parsed = decode_root(&decoder, document_root(document), kind);
    }
    document_free(document);
    /* Go decodes null into the zero placement */
    return is_null && kind == 'a' ? parse(outer, "{}", 2, kind) : parsed;
}

static const void *
parse_once(struct decoder *outer, const char *text, size_t length, char kind)
{
    struct fleet_builder *builder = builder_of(outer);
    const void *parsed = *builder_slot_by_text(builder, kind, text, length);

    if (parsed == NULL) {
        parsed = parse(outer, text, length, kind);
        /* the parse may have moved the slots */
        *builder_slot_by_text(builder, kind, text, length) = (void *)parsed;
    }
    return parsed;
}

void
decode_applied_placement(struct decoder *outer, const char *text, size_t length,
                         struct binding *binding)
{
    if (length == 0) {
        return;
    }
    binding->applied_placement = parse_once(outer, text, length, 'a');
    binding->applied_state =
        binding->applied_placement != NULL ? APPLIED_PARSED : APPLIED_MALFORMED;
}

const struct placed_for *
decode_placed_for(struct decoder *outer, const char *text, size_t length)
{
    return parse_once(outer, text, length, 'm');
}
