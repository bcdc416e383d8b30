/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes the annotation of the parts of a reschedule.
 */
#include "decoders.h"

#include "ballast/base/timestamp.h"

static bool
convert_clusters(struct decoder *decoder, const struct field *field, const struct value *value,
                 void *target)
{
    if (value_count(value) > RESCHEDULE_PARTS_MAX) {
        return decode_fail(decoder, "more than %d clusters", RESCHEDULE_PARTS_MAX);
    }
    return convert_string_list(decoder, field, value, target);
}

const struct field reschedule_parts_table[] = {
    FIELD("for", convert_time, struct reschedule_parts, asked_at, AS_TIME(0)),
    FIELD("placement", convert_placement_leniently, struct reschedule_parts, placement,
          AS_OBJECT(0, placement_table)),
    FIELD("from", convert_clusters, struct reschedule_parts, from, AS_TEXTS(0, TEXT_NAME)),
    FIELD("to", convert_clusters, struct reschedule_parts, to, AS_TEXTS(0, TEXT_NAME)),
    FIELD_END,
};

const struct reschedule_parts *
decode_reschedule_parts(struct decoder *outer, const struct label_list *annotations)
{
    const char *text = label_list_find(annotations, ANNOTATION_RESCHEDULE_PARTS);
    size_t length = text != NULL ? strlen(text) : 0;
    struct error ignored = ERROR_INIT;
    struct decoder decoder = {.arena = outer->arena,
                              .strings = outer->strings,
                              .context = outer->context,
                              .err = &ignored};

    if (length == 0 || length > RESCHEDULE_PARTS_TEXT_MAX) {
        return NULL;
    }
    struct document *document = document_parse_json(text, length, 1, &ignored);
    struct reschedule_parts *parts = ARENA_NEW(outer->arena, struct reschedule_parts);

    parts->asked_at = TIME_NONE;
    bool ok = document != NULL &&
              decode_object(&decoder, reschedule_parts_table, document_root(document), parts) &&
              (parts->asked_at != TIME_NONE || parts->placement != NULL);

    document_free(document);
    return ok ? parts : NULL;
}
