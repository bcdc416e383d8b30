/* SPDX-License-Identifier: Apache-2.0
 *
 * A merge patch as splices of YAML text. libyaml's end of a block collection
 * lies behind the comments and blank lines that follow it, so ends are taken
 * from the last scalar instead.
 */
#include "yaml_splice.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/format/value_build.h"
#include "format/json/scan.h"
#include "format/yaml/yaml_write.h"

static bool
fail_at(struct splicer *s, const struct yaml_node *node, const char *message)
{
    return yaml_fail(s->err, "", node->line, node->column, message);
}

bool
splice_fail_shared(struct splicer *s, const struct yaml_node *node)
{
    const char *message = arena_printf(
        s->arena, "this value is shared with others through the anchor &%s", node->anchor);

    return fail_at(s, node, message);
}

void
splice_add(struct splicer *s, size_t begin, size_t end, struct buf *with)
{
    struct splice splice = {.begin = begin,
                            .end = end,
                            .with = arena_strndup(s->arena, buf_text(with), with->length),
                            .order = s->splices.count};

    vec_add(&s->splices, splice);
    buf_release(with);
}

static bool
is_block_collection(const struct yaml_node *node)
{
    return (node->kind == YAML_SEQUENCE || node->kind == YAML_MAPPING) && !node->is_flow;
}

/* Returns the end of a block scalar's last line. Blank lines count if the scalar keeps them. */
static size_t
block_scalar_end(const struct splicer *s, const struct yaml_node *node)
{
    const char *header = s->text + node->begin;
    const char *line_end = memchr(header, '\n', node->end - node->begin);
    size_t end = node->end;

    if (line_end != NULL && memchr(header, '+', (size_t)(line_end - header)) != NULL) {
        return end;
    }
    while (end > node->begin && scan_is_space(s->text[end - 1])) {
        end--;
    }
    return end;
}

size_t
splice_node_end(const struct splicer *s, const struct yaml_node *node)
{
    while (is_block_collection(node) && node->count > 0) {
        node = node->items[node->count - 1];
    }
    return node->is_block ? block_scalar_end(s, node) : node->end;
}

size_t
splice_line_begin(const struct splicer *s, size_t at)
{
    while (at > 0 && s->text[at - 1] != '\n') {
        at--;
    }
    return at;
}

size_t
splice_next_line(const struct splicer *s, size_t at)
{
    if (at > 0 && s->text[at - 1] == '\n') {
        return at; /* a block scalar that keeps its blank lines ends here */
    }
    while (at < s->length && s->text[at] != '\n') {
        at++;
    }
    return at < s->length ? at + 1 : at;
}

static size_t
behind_colon(const struct splicer *s, const struct yaml_node *key)
{
    size_t at = key->end;

    while (at < s->length && s->text[at] != ':') {
        at++;
    }
    return at < s->length ? at + 1 : at;
}

void
splice_look(struct splicer *s, const struct yaml_node *node)
{
    for (size_t i = 0; i < node->count; i++) {
        const struct yaml_node *child = node->items[i];

        if (node->kind == YAML_MAPPING && !node->is_flow && i % 2 == 1 &&
            is_block_collection(child) && child->anchor == NULL && child->tag == NULL) {
            int offset = pin_width(child->column) - pin_width(node->items[i - 1]->column);
            int *known = child->kind == YAML_SEQUENCE ? &s->list_offset : &s->member_offset;

            *known = *known < 0 && offset >= 0 && offset <= 16 ? offset : *known;
        }
        if (s->list_offset >= 0 && s->member_offset >= 0) {
            return;
        }
        splice_look(s, child);
    }
}

static int
offset_for(const struct splicer *s, const struct value *value)
{
    if (value_type(value) == VALUE_LIST) {
        return s->list_offset >= 0 ? s->list_offset : 0;
    }
    return s->member_offset > 0 ? s->member_offset : 2;
}

bool
splice_has_aliased(const struct yaml_node *node)
{
    if (node->is_aliased) {
        return true;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (splice_has_aliased(node->items[i])) {
            return true;
        }
    }
    return false;
}

/* Writes a block without its last line end, which the text around it has. */
static void
write_block(const struct value *value, int indent, bool is_begun, struct buf *out)
{
    struct buf block;

    buf_init(&block, SIZE_MAX);
    yaml_write_block(value, indent, is_begun, &block);
    buf_append(out, buf_text(&block), block.length - 1);
    buf_release(&block);
}

/* Puts a scalar, [] or {} in place of the value behind a colon. Keeps a comment between the colon
 * and the lines of an old list or object. */
static void
replace_inline(struct splicer *s, const struct yaml_node *key, const struct yaml_node *old,
               const struct value *value, struct buf *out)
{
    bool is_below = is_block_collection(old) && old->line > key->line;
    size_t end = splice_node_end(s, old);
    size_t colon = behind_colon(s, key);

    if (is_below || old->begin == old->end) {
        buf_append_char(out, ' ');
    }
    write_block(value, 0, true, out);
    if (!is_below) {
        splice_add(s, old->begin == old->end ? colon : old->begin, end, out);
        return;
    }
    size_t line_end = splice_next_line(s, colon) - 1;
    struct buf nothing;

    buf_init(&nothing, 1);
    splice_add(s, colon, colon, out);
    splice_add(s, line_end, end, &nothing);
}

/* Puts a list or object with content in place of the value behind a colon. */
static void
replace_block(struct splicer *s, const struct yaml_node *key, const struct yaml_node *old,
              const struct value *value, struct buf *out)
{
    enum yaml_kind kind = value_type(value) == VALUE_LIST ? YAML_SEQUENCE : YAML_MAPPING;
    bool is_same = is_block_collection(old) && old->kind == kind && old->line > key->line &&
                   old->anchor == NULL && old->tag == NULL;

    if (is_same) {
        write_block(value, pin_width(old->column) - 1, true, out);
        splice_add(s, old->begin, splice_node_end(s, old), out);
        return;
    }
    buf_append_char(out, '\n');
    write_block(value, pin_width(key->column) - 1 + offset_for(s, value), false, out);
    splice_add(s, behind_colon(s, key), splice_node_end(s, old), out);
}

static bool
replace_value(struct splicer *s, const struct yaml_node *key, const struct yaml_node *old,
              bool in_flow, const struct value *value)
{
    struct buf out;

    if (splice_has_aliased(old)) {
        return fail_at(s, old, "an alias elsewhere means something in this value");
    }
    buf_init(&out, SIZE_MAX);
    if (in_flow) {
        if (old->begin == old->end) {
            buf_append_str(
                &out, memchr(s->text + key->end, ':', old->end - key->end) == NULL ? ": " : " ");
        }
        yaml_write_flow(value, &out);
        splice_add(s, old->begin, old->end, &out);
    } else if (yaml_is_inline(value)) {
        replace_inline(s, key, old, value, &out);
    } else {
        replace_block(s, key, old, value, &out);
    }
    return true;
}

/* Returns the index of the key in node->items, or node->count. */
static size_t
find_key(const struct yaml_node *node, const char *name)
{
    size_t i = 0;

    for (; i < node->count; i += 2) {
        const struct yaml_node *key = node->items[i];

        key = key->kind == YAML_ALIAS ? key->target : key;
        if (key->kind == YAML_SCALAR && str_eq(key->text, name)) {
            break;
        }
    }
    return i;
}

static bool
change_member(struct splicer *s, const struct yaml_node *node, size_t at, const struct value *old,
              const struct value *change)
{
    const struct yaml_node *value = node->items[at + 1];
    bool merges = value_type(old) == VALUE_OBJECT && value_type(change) == VALUE_OBJECT;
    const struct value *wanted = value_merge(s->arena, old, change);

    if (value_equal(old, wanted)) {
        return true;
    }
    if (merges && value->kind == YAML_ALIAS) {
        return splice_fail_shared(s, value);
    }
    if (merges && value->count > 0 && value_count(wanted) > 0) {
        return splice_object(s, value, old, change);
    }
    return splice_list(s, value, old, wanted) ||
           replace_value(s, node->items[at], value, node->is_flow, wanted);
}

/* True if the patch removes the member of this key. */
static bool
goes(const struct yaml_node *key, const struct value *patch)
{
    const struct yaml_node *scalar = key->kind == YAML_ALIAS ? key->target : key;
    const struct value *change =
        scalar->kind == YAML_SCALAR ? value_get(patch, scalar->text) : NULL;

    return change != NULL && value_type(change) == VALUE_NULL;
}

bool
splice_cut(struct splicer *s, const struct yaml_node *node, size_t begin, size_t end)
{
    struct buf nothing;

    if (splice_has_aliased(node)) {
        return fail_at(s, node, "an alias elsewhere means something in this value");
    }
    buf_init(&nothing, 1);
    splice_add(s, begin, end, &nothing);
    return true;
}

/* `kept`: number of node->items up to the last member that stays. */
static bool
cut_in_flow(struct splicer *s, const struct yaml_node *node, size_t at, size_t kept)
{
    const struct yaml_node *value = node->items[at + 1];

    if (at < kept) {
        return splice_cut(s, value, node->items[at]->begin, node->items[at + 2]->begin);
    }
    if (at > kept) {
        return !splice_has_aliased(value) || splice_cut(s, value, 0, 0);
    }
    return splice_cut(s, value, splice_node_end(s, node->items[kept - 1]),
                      splice_node_end(s, node->items[node->count - 1]));
}

static bool
cut_in_block(struct splicer *s, const struct yaml_node *node, size_t at)
{
    const struct yaml_node *key = node->items[at];
    size_t begin = splice_line_begin(s, key->begin);
    bool is_behind_dash = strspn(s->text + begin, " ") < key->begin - begin;

    if (is_behind_dash && at + 2 < node->count) {
        return splice_cut(s, node->items[at + 1], key->begin, node->items[at + 2]->begin);
    }
    return splice_cut(s, node->items[at + 1], begin,
                      splice_next_line(s, splice_node_end(s, node->items[at + 1])));
}

static bool
cut_members(struct splicer *s, const struct yaml_node *node, const struct value *patch)
{
    size_t kept = node->count;
    bool done = true;

    while (kept > 0 && goes(node->items[kept - 2], patch)) {
        kept -= 2;
    }
    for (size_t i = 0; i < node->count && done; i += 2) {
        if (goes(node->items[i], patch)) {
            done = node->is_flow && kept > 0 ? cut_in_flow(s, node, i, kept)
                                             : cut_in_block(s, node, i);
        }
    }
    return done;
}

/* Adds the member at the end, so that no merge key follows it. */
static void
add_member(struct splicer *s, const struct yaml_node *node, const char *key,
           const struct value *value)
{
    size_t end = splice_node_end(s, node->items[node->count - 1]);
    int indent = pin_width(node->items[0]->column) - 1;
    struct buf out;

    buf_init(&out, SIZE_MAX);
    if (node->is_flow) {
        buf_append_str(&out, ", ");
        yaml_write_key(key, true, &out);
        buf_append_char(&out, ' ');
        yaml_write_flow(value, &out);
        splice_add(s, end, end, &out);
        return;
    }
    size_t at = splice_next_line(s, end);
    bool is_at_end = at == 0 || s->text[at - 1] != '\n';

    buf_append_str(&out, is_at_end ? "\n" : "");
    buf_printf(&out, "%*s", indent, "");
    yaml_write_key(key, false, &out);
    buf_append_char(&out, yaml_is_inline(value) ? ' ' : '\n');
    yaml_write_block(value, indent + offset_for(s, value), yaml_is_inline(value), &out);
    out.length -= is_at_end ? 1 : 0;
    splice_add(s, at, at, &out);
}

/* Changes a member that is not written out: new, or from a merge key. */
static bool
change_unwritten(struct splicer *s, const struct yaml_node *node, const char *key,
                 const struct value *old, const struct value *change)
{
    if (value_type(change) == VALUE_NULL) {
        return old == NULL || fail_at(s, node, "a member to be removed comes from a merge key");
    }
    const struct value *wanted = value_merge(s->arena, old, change);

    if (old == NULL || !value_equal(old, wanted)) {
        add_member(s, node, key, wanted);
    }
    return true;
}

bool
splice_object(struct splicer *s, const struct yaml_node *node, const struct value *object,
              const struct value *patch)
{
    if (node->is_aliased) {
        return splice_fail_shared(s, node);
    }
    if (node->kind != YAML_MAPPING || node->count == 0) {
        return fail_at(s, node, "want an object with members");
    }
    if (!cut_members(s, node, patch)) {
        return false;
    }
    for (struct value_iterator it = VALUE_ITERATOR(patch); value_each(&it);) {
        const struct value *old = value_get(object, it.key);
        size_t at = find_key(node, it.key);

        if (at < node->count && old != NULL && value_type(it.value) != VALUE_NULL &&
            !change_member(s, node, at, old, it.value)) {
            return false;
        }
    }
    for (struct value_iterator it = VALUE_ITERATOR(patch); value_each(&it);) {
        if (find_key(node, it.key) == node->count &&
            !change_unwritten(s, node, it.key, value_get(object, it.key), it.value)) {
            return false;
        }
    }
    return true;
}
