/* SPDX-License-Identifier: Apache-2.0
 *
 * A list that becomes another one as splices of YAML text: items that stay keep
 * their text, and what of them changes is spliced in its turn. What this does
 * not find its way in is left to the caller, who writes the whole list anew.
 */
#include <string.h>

#include "ballast/base/wide.h"
#include "ballast/format/value_build.h"
#include "format/yaml/yaml_write.h"
#include "list_align.h"
#include "yaml_splice.h"

struct list_edit {
    struct splicer *s;
    const struct yaml_node *node;
    const struct value *old, *now;
    const size_t *dashes; /* of a block list: offset of each item's dash */
    struct list_alignment alignment;
};

/* --- places of items --- */

/* Finds the next dash, behind blank lines and comments. False if other text comes first. */
static bool
find_dash(const struct splicer *s, size_t at, size_t *ret)
{
    for (;;) {
        at += strspn(s->text + at, " ");
        if (at < s->length && s->text[at] == '-') {
            *ret = at;
            return true;
        }
        if (at >= s->length || strchr("#\r\n", s->text[at]) == NULL) {
            return false;
        }
        at = splice_next_line(s, at + 1);
    }
}

/* False unless each dash is the first character of its line. */
static bool
find_dashes(const struct splicer *s, const struct yaml_node *node, size_t *ret)
{
    size_t line = splice_line_begin(s, node->begin);

    for (size_t i = 0; i < node->count; i++) {
        const struct yaml_node *item = node->items[i];

        if (!find_dash(s, line, &ret[i]) || ret[i] > item->begin ||
            ret[i] - splice_line_begin(s, ret[i]) != node->column - 1) {
            return false;
        }
        line = splice_next_line(s, splice_node_end(s, item));
    }
    return true;
}

static size_t
item_begin(const struct list_edit *e, size_t index)
{
    return e->node->is_flow ? e->node->items[index]->begin
                            : splice_line_begin(e->s, e->dashes[index]);
}

static size_t
item_end(const struct list_edit *e, size_t index)
{
    size_t end = splice_node_end(e->s, e->node->items[index]);

    return e->node->is_flow ? end : splice_next_line(e->s, end);
}

/* --- new text --- */

/* Writes a block item with its dash. Omits the last line end if the text has none at its end. */
static void
write_lines(const struct list_edit *e, size_t at, const struct value *item, struct buf *out)
{
    const struct splicer *s = e->s;
    bool is_open = at == 0 || s->text[at - 1] != '\n';
    struct value *list = value_new(s->arena, VALUE_LIST);

    value_append(list, item);
    buf_append_str(out, is_open ? "\n" : "");
    yaml_write_block(list, pin_width(e->node->column) - 1, false, out);
    out->length -= is_open ? 1 : 0;
}

static void
add_item(const struct list_edit *e, size_t at, bool is_first, const struct value *item)
{
    struct buf out;

    buf_init(&out, SIZE_MAX);
    if (!e->node->is_flow) {
        write_lines(e, at, item, &out);
    } else {
        buf_append_str(&out, is_first ? "" : ", ");
        yaml_write_flow(item, &out);
        buf_append_str(&out, is_first ? ", " : "");
    }
    splice_add(e->s, at, at, &out);
}

static bool
replace_item(const struct list_edit *e, size_t index, const struct value *item)
{
    const struct yaml_node *old = e->node->items[index];
    struct buf out;

    if (splice_has_aliased(old)) {
        return false;
    }
    buf_init(&out, SIZE_MAX);
    if (e->node->is_flow) {
        yaml_write_flow(item, &out);
    } else {
        write_lines(e, item_begin(e, index), item, &out);
    }
    splice_add(e->s, item_begin(e, index), item_end(e, index), &out);
    return true;
}

/* --- items that stay --- */

/* Returns NULL if no merge patch turns one into the other, or if no member stays. */
static const struct value *
patch_between(struct arena *arena, const struct value *old, const struct value *now)
{
    struct value *patch = value_new(arena, VALUE_OBJECT);

    for (struct value_iterator it = VALUE_ITERATOR(old); value_each(&it);) {
        if (value_get(now, it.key) == NULL) {
            value_put(patch, it.key, value_new(arena, VALUE_NULL));
        }
    }
    bool any_stays = value_count(patch) < value_count(old);

    for (struct value_iterator it = VALUE_ITERATOR(now); value_each(&it);) {
        const struct value *before = value_get(old, it.key);

        if (before == NULL || !value_equal(before, it.value)) {
            value_put(patch, it.key, it.value);
        }
    }
    return any_stays && value_equal(value_merge(arena, old, patch), now) ? patch : NULL;
}

static bool
change_item(const struct list_edit *e, size_t index, const struct value *old,
            const struct value *now)
{
    const struct yaml_node *node = e->node->items[index];
    bool merges = value_type(old) == VALUE_OBJECT && value_type(now) == VALUE_OBJECT &&
                  node->kind == YAML_MAPPING && node->count > 0 && value_count(now) > 0;
    const struct value *patch = merges ? patch_between(e->s->arena, old, now) : NULL;

    return patch != NULL ? splice_object(e->s, node, old, patch) : replace_item(e, index, now);
}

static bool
change_items(const struct list_edit *e)
{
    bool done = true;

    for (size_t i = 0; i < e->alignment.pairs.count && done; i++) {
        const struct item_pair pair = e->alignment.pairs.items[i];
        const struct value *old = value_at(e->old, pair.old), *now = value_at(e->now, pair.now);

        done = value_equal(old, now) || change_item(e, pair.old, old, now);
    }
    return done;
}

/* --- new and removed items --- */

/* Puts new items behind the item that they follow, or before the first one. */
static void
add_items(const struct list_edit *e)
{
    size_t pair = 0, at = item_begin(e, 0);

    for (size_t i = 0; i < value_count(e->now); i++) {
        if (pair < e->alignment.pairs.count && e->alignment.pairs.items[pair].now == i) {
            at = item_end(e, e->alignment.pairs.items[pair++].old);
        } else {
            add_item(e, at, pair == 0, value_at(e->now, i));
        }
    }
}

/* Cuts the comma behind the item too; for the last items, the comma before them. */
static bool
cut_item(const struct list_edit *e, size_t index)
{
    const struct yaml_node *node = e->node, *item = node->items[index];
    size_t last = e->alignment.pairs.items[e->alignment.pairs.count - 1].old;

    if (!node->is_flow) {
        return splice_cut(e->s, item, item_begin(e, index), item_end(e, index));
    }
    return index < last ? splice_cut(e->s, item, item->begin, node->items[index + 1]->begin)
                        : splice_cut(e->s, item, item_end(e, index - 1), item_end(e, index));
}

static bool
cut_items(const struct list_edit *e)
{
    bool done = true;

    for (size_t i = 0, pair = 0; i < e->node->count && done; i++) {
        if (pair < e->alignment.pairs.count && e->alignment.pairs.items[pair].old == i) {
            pair++;
        } else {
            done = cut_item(e, i);
        }
    }
    return done;
}

/* --- the whole list --- */

static bool
edit_items(struct list_edit *e)
{
    struct splicer *s = e->s;
    size_t *dashes = arena_calloc(s->arena, e->node->count, sizeof(*dashes));

    e->dashes = dashes;
    if (!e->node->is_flow && !find_dashes(s, e->node, dashes)) {
        return false;
    }
    list_align(e->old, e->now, &e->alignment);
    bool done = e->alignment.pairs.count > 0 && change_items(e);

    if (done) {
        add_items(e);
        done = cut_items(e);
    }
    vec_free(&e->alignment.pairs);
    return done;
}

bool
splice_list(struct splicer *s, const struct yaml_node *node, const struct value *old,
            const struct value *now)
{
    struct list_edit edit = {.s = s, .node = node, .old = old, .now = now};
    struct error before = *s->err;
    size_t n_splices = s->splices.count;
    bool is_written_out = value_type(old) == VALUE_LIST && value_type(now) == VALUE_LIST &&
                          node->kind == YAML_SEQUENCE && !node->is_aliased &&
                          node->count == value_count(old);

    if (s->writes_lists_anew || !is_written_out || node->count == 0 || value_count(now) == 0) {
        return false;
    }
    if (edit_items(&edit)) {
        return true;
    }
    s->splices.count = n_splices;
    *s->err = before;
    return false;
}
