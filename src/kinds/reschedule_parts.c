/* SPDX-License-Identifier: Apache-2.0
 *
 * The annotation of the parts of a reschedule, read and written.
 */
#include "decode_reschedule_parts.h"

#include "ballast/base/timestamp.h"
#include "ballast/format/value_text.h"
#include "decode_applied.h"
#include "decode_common.h"
#include "decode_placement.h"

/* --- reading --- */

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

/* --- adding to it --- */

static struct str_list
names_plus(struct arena *arena, const struct str_list *names, const struct target_list *more)
{
    const char **items = ARENA_ARRAY(arena, const char *, names->count + (size_t)more->count);
    struct str_list ret = {.items = items, .count = names->count, .present = true};

    for (uint32_t i = 0; i < names->count; i++) {
        items[i] = names->items[i];
    }
    for (uint32_t i = 0; i < more->count && ret.count < RESCHEDULE_PARTS_MAX; i++) {
        if (!str_list_has(names, more->items[i].name)) { /* no target is twice in a list */
            items[ret.count++] = more->items[i].name;
        }
    }
    return ret;
}

struct reschedule_parts
reschedule_parts_plus(struct arena *arena, const struct reschedule_parts *parts,
                      const struct target_list *from, const struct target_list *to)
{
    return (struct reschedule_parts){
        .asked_at = parts->asked_at,
        .placement = parts->placement,
        .from = names_plus(arena, &parts->from, from),
        .to = names_plus(arena, &parts->to, to),
    };
}

/* --- writing --- */

static void
write_names(const char *key, const struct str_list *names, uint32_t most, struct buf *out)
{
    buf_printf(out, ",\"%s\":[", key);
    for (uint32_t i = 0; i < names->count && i < most; i++) {
        buf_append_str(out, i > 0 ? "," : "");
        text_write_string(names->items[i], strlen(names->items[i]), out);
    }
    buf_append_char(out, ']');
}

/* false when it is too long with so many clusters in each list. */
static bool
write_parts(const struct reschedule_parts *parts, uint32_t most, struct buf *out)
{
    char time[TIMESTAMP_TEXT_MAX];

    buf_clear(out);
    out->overflowed = false;
    buf_append_char(out, '{');
    if (parts->asked_at != TIME_NONE) {
        buf_printf(out, "\"for\":\"%s\"", timestamp_format(parts->asked_at, time));
    }
    if (parts->placement != NULL) {
        buf_append_str(out, parts->asked_at != TIME_NONE ? ",\"placement\":" : "\"placement\":");
        buf_append_str(out, parts->placement->text);
    }
    write_names("from", &parts->from, most, out);
    write_names("to", &parts->to, most, out);
    buf_append_char(out, '}');
    return !out->overflowed;
}

const char *
reschedule_parts_text(struct arena *arena, const struct reschedule_parts *parts)
{
    uint32_t most = RESCHEDULE_PARTS_MAX;
    struct buf text;

    buf_init(&text, RESCHEDULE_PARTS_OWN_MAX +
                        (parts->placement != NULL ? strlen(parts->placement->text) : 0));
    while (!write_parts(parts, most, &text) && most > 0) {
        most--;
    }
    const char *kept = arena_strndup(arena, buf_text(&text), text.length);

    buf_release(&text);
    return kept;
}
