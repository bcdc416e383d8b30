/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of one write of a run, for text and documents.
 */
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "view.h"

#define COMMAND_MAX ((size_t)8192)

static int32_t
replicas_in(const struct target_list *list, const char *name, bool *ret_has)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (str_eq(list->items[i].name, name)) {
            *ret_has = true;
            return list->items[i].replicas;
        }
    }
    *ret_has = false;
    return 0;
}

const char *
recorded_split_text(struct arena *arena, const struct record_item *item)
{
    const char *text = "";
    bool has;

    for (uint32_t i = 0; i < item->before.count; i++) {
        const struct target *target = &item->before.items[i];
        const int32_t after = replicas_in(&item->after, target->name, &has);

        if (after != target->replicas || !has) {
            text = arena_printf(arena, "%s%s%s %d→%d", text, str_is_empty(text) ? "" : ", ",
                                target->name, target->replicas, after);
        }
    }
    for (uint32_t i = 0; i < item->after.count; i++) {
        const struct target *target = &item->after.items[i];

        replicas_in(&item->before, target->name, &has);
        if (!has) {
            text = arena_printf(arena, "%s%s%s 0→%d", text, str_is_empty(text) ? "" : ", ",
                                target->name, target->replicas);
        }
    }
    return str_is_empty(text) ? "same split" : text;
}

const char *
undo_command(struct arena *arena, const struct record *record, const struct record_item *item,
             const char *flags)
{
    struct buf text;

    buf_init(&text, COMMAND_MAX);
    buf_append_str(&text, "ballast undo ");
    text_append_word(&text, record->id);
    if (item != NULL) {
        text_append_flag(&text, "-n", item->namespace_);
        text_append_flag(&text, "--workload", item->name);
    }
    text_append_flag(&text, "--fleet", record->path);
    buf_append_str(&text, flags);
    return buf_take(&text, arena);
}
