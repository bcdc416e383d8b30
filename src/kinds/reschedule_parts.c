/* SPDX-License-Identifier: Apache-2.0
 *
 * The annotation of the parts of a reschedule, read and written.
 */
#include "decode_reschedule_parts.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/format/value.h"
#include "ballast/format/value_text.h"

const struct field reschedule_parts_table[] = {
    KEPT("for", AS_TIME(0)),
    KEPT("from", AS_TEXTS(0, TEXT_NAME)),
    KEPT("to", AS_TEXTS(0, TEXT_NAME)),
    FIELD_END,
};

/* --- reading --- */

static bool
read_names(struct arena *arena, const struct value *list, const char **ret, uint32_t *ret_count)
{
    size_t count = list != NULL ? value_count(list) : 0;

    if ((list != NULL && value_type(list) != VALUE_LIST) || count > RESCHEDULE_PARTS_MAX) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct value *name = value_at(list, i);

        if (value_type(name) != VALUE_STRING) {
            return false;
        }
        ret[i] = arena_strndup(arena, value_string(name), value_string_length(name));
    }
    *ret_count = (uint32_t)count;
    return true;
}

static bool
read_parts(struct arena *arena, const struct value *root, struct reschedule_parts *ret)
{
    const struct value *asked = value_type(root) == VALUE_OBJECT ? value_get(root, "for") : NULL;

    return asked != NULL && value_type(asked) == VALUE_STRING &&
           timestamp_parse(value_string(asked), &ret->asked_at) &&
           read_names(arena, value_get(root, "from"), ret->from, &ret->n_from) &&
           read_names(arena, value_get(root, "to"), ret->to, &ret->n_to);
}

const struct reschedule_parts *
reschedule_parts_read(struct arena *arena, const struct binding *binding)
{
    const char *text = label_list_find(&binding->annotations, ANNOTATION_RESCHEDULE_PARTS);
    size_t length = text != NULL ? strlen(text) : 0;
    struct error ignored = ERROR_INIT;

    if (length == 0 || length > RESCHEDULE_PARTS_TEXT_MAX) {
        return NULL;
    }
    struct document *document = document_parse_json(text, length, 1, &ignored);
    struct reschedule_parts *parts = ARENA_NEW(arena, struct reschedule_parts);
    bool ok = document != NULL && read_parts(arena, document_root(document), parts) &&
              parts->asked_at == binding->reschedule_triggered_at;

    document_free(document);
    return ok ? parts : NULL;
}

/* --- writing --- */

static void
add_names(const char **names, uint32_t *count, const struct target_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        bool has = false;

        for (uint32_t n = 0; n < *count && !has; n++) {
            has = str_eq(names[n], list->items[i].name);
        }
        if (!has && *count < RESCHEDULE_PARTS_MAX) {
            names[(*count)++] = list->items[i].name;
        }
    }
}

void
reschedule_parts_add(struct reschedule_parts *parts, const struct target_list *from,
                     const struct target_list *to)
{
    add_names(parts->from, &parts->n_from, from);
    add_names(parts->to, &parts->n_to, to);
}

static void
write_names(const char *key, const char *const *names, uint32_t count, struct buf *out)
{
    buf_printf(out, ",\"%s\":[", key);
    for (uint32_t i = 0; i < count; i++) {
        buf_append_str(out, i > 0 ? "," : "");
        text_write_string(names[i], strlen(names[i]), out);
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
    buf_printf(out, "{\"for\":\"%s\"", timestamp_format(parts->asked_at, time));
    write_names("from", parts->from, parts->n_from < most ? parts->n_from : most, out);
    write_names("to", parts->to, parts->n_to < most ? parts->n_to : most, out);
    buf_append_char(out, '}');
    return !out->overflowed;
}

const char *
reschedule_parts_text(struct arena *arena, const struct reschedule_parts *parts)
{
    uint32_t most = RESCHEDULE_PARTS_MAX;
    struct buf text;

    buf_init(&text, RESCHEDULE_PARTS_TEXT_MAX);
    while (!write_parts(parts, most, &text) && most > 0) {
        most--;
    }
    const char *kept = arena_strndup(arena, buf_text(&text), text.length);

    buf_release(&text);
    return kept;
}
