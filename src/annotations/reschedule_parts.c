/* SPDX-License-Identifier: Apache-2.0
 *
 * The annotation of the parts of a reschedule: its text, and what is added to it.
 */
#include "ballast/annotations/reschedule_parts.h"

#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/format/value_text.h"

static struct str_list
names_plus(struct arena *arena, const struct str_list *names, const struct target_list *more)
{
    const char **items = ARENA_ARRAY(arena, const char *, names->count + (size_t)more->count);
    struct str_list ret = {.items = items, .count = names->count, .present = true};

    for (uint32_t i = 0; i < names->count; i++) {
        items[i] = names->items[i];
    }
    for (uint32_t i = 0; i < more->count && ret.count < RESCHEDULE_PARTS_MAX; i++) {
        if (!str_list_has(names, more->items[i].name)) { /* `more` has no duplicates */
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

/* False if the text is too long with `most` clusters in each list. */
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
