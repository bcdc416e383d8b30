/* SPDX-License-Identifier: Apache-2.0
 *
 * A JSON merge patch applied to JSON text. What the patch makes of the value is
 * compared with the value, and where members and items stand is found in the
 * text itself; whatever does not change is copied byte for byte. New text is
 * laid out as its neighbours are: separated as they are, on one line where they
 * are, else with their indentation.
 *
 * Items of a list that changes are aligned with those that it becomes, and one
 * that changed is edited in its place. Written anew, with nothing of the old
 * text, is a value only where another scalar or another type takes its place, or
 * where it was empty or gets so.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/vec.h"
#include "ballast/format/edit.h"
#include "ballast/format/value_text.h"
#include "format/json/scan.h"
#include "list_align.h"

struct text_span {
    const char *text;
    size_t length;
};

struct layout {
    bool has_lines;          /* each part on its own line */
    struct text_span indent; /* before a member; `units` units follow it */
    size_t units;
    struct text_span unit;
    bool has_spaces; /* after colons, and after commas on one line */
};

/* A member or an item of the old text. */
struct part {
    size_t begin, value, end; /* `begin`: of the key, or of the value */
    const char *name;         /* of a member, without escapes */
    const struct value *old;
};

/* A member or an item of the new text. */
struct new_part {
    size_t old; /* index of the old part, or NONE */
    const char *name;
    const struct value *value;
};

#define NONE SIZE_MAX

struct collection {
    bool is_list;
    size_t open, close; /* of the brackets */
    struct layout layout;
    struct layout new_layout; /* of new items behind the part `new_is_like` */
    size_t new_is_like;
    struct part *parts; /* one per old member or item */
    size_t n_parts;
    VEC_OF(struct new_part) new_parts;
};

struct edit {
    const char *text;
    size_t length;
    size_t copied; /* text before this offset is in `out` or dropped */
    struct buf *out;
    const char *newline;
};

static void
copy_until(struct edit *e, size_t offset)
{
    buf_append(e->out, e->text + e->copied, offset - e->copied);
    e->copied = offset;
}

/* The text is valid JSON, so every search below succeeds. */
static size_t
skip_space(const struct edit *e, size_t at)
{
    while (at < e->length && scan_is_space(e->text[at])) {
        at++;
    }
    return at;
}

static size_t
skip_string(const struct edit *e, size_t at)
{
    for (at++; at < e->length && e->text[at] != '"'; at++) {
        at += e->text[at] == '\\' ? 1 : 0;
    }
    return at + 1;
}

static bool
ends_scalar(char c)
{
    return c == ',' || c == ']' || c == '}' || scan_is_space(c);
}

static size_t
skip_value(const struct edit *e, size_t at)
{
    struct scan scan;
    enum scan_stop stop = SCAN_MORE;

    if (e->text[at] == '"') {
        return skip_string(e, at);
    }
    if (e->text[at] != '{' && e->text[at] != '[') {
        while (at < e->length && !ends_scalar(e->text[at])) {
            at++;
        }
        return at;
    }
    scan_init(&scan, (struct text_position){.line = 1, .column = 1});
    while (stop != SCAN_CLOSE && at < e->length) {
        at += scan_text(&scan, e->text + at, e->length - at, &stop);
    }
    return at;
}

/* Returns the offset behind the colon of the member whose key begins at `key`. */
static size_t
behind_colon(const struct edit *e, size_t key)
{
    return skip_space(e, skip_string(e, key)) + 1;
}

static bool
has_newline(const char *text, size_t length)
{
    return memchr(text, '\n', length) != NULL;
}

static struct text_span
indent_before(const struct edit *e, size_t at)
{
    size_t begin = at;

    while (begin > 0 && (e->text[begin - 1] == ' ' || e->text[begin - 1] == '\t')) {
        begin--;
    }
    return (struct text_span){.text = e->text + begin, .length = at - begin};
}

static bool
begins_line(const struct edit *e, size_t at)
{
    size_t begin = at - indent_before(e, at).length;

    return begin > 0 && e->text[begin - 1] == '\n';
}

/* The first part shows the layout between two brackets. */
static struct layout
layout_of(const struct edit *e, size_t open, size_t close, const struct layout *outer)
{
    size_t first = skip_space(e, open + 1);
    struct layout layout = *outer;

    layout.has_lines = begins_line(e, first);
    layout.units = 0;
    if (e->text[open] == '{') {
        size_t colon_end = behind_colon(e, first);

        layout.has_spaces = layout.has_lines || skip_space(e, colon_end) > colon_end;
    }
    if (!layout.has_lines) {
        return layout;
    }
    layout.indent = indent_before(e, first);
    if (begins_line(e, close)) {
        struct text_span outside = indent_before(e, close);

        if (layout.indent.length > outside.length) {
            layout.unit.text = layout.indent.text + outside.length;
            layout.unit.length = layout.indent.length - outside.length;
        }
    }
    return layout;
}

/* A new item copies the layout of the item beside it. */
static struct layout
layout_like(const struct edit *e, const struct part *beside, const struct layout *list)
{
    struct layout layout = *list;
    size_t close = beside->end - 1;

    if (value_count(beside->old) == 0) {
        return layout;
    }
    struct layout inside = layout_of(e, beside->value, close, list);

    if (!inside.has_lines) {
        layout.has_spaces = inside.has_spaces;
        layout.has_lines = false;
    } else if (begins_line(e, close)) {
        layout = inside;
        layout.indent = indent_before(e, close);
    }
    return layout;
}

/* A value has its parts in the order of the text. */
static void
find_parts(const struct edit *e, const struct value *old, struct collection *c)
{
    struct value_iterator it = VALUE_ITERATOR(old);
    size_t at = skip_space(e, c->open + 1);

    c->n_parts = value_count(old);
    c->parts = heap_new(c->n_parts, sizeof(*c->parts));
    for (size_t i = 0; i < c->n_parts; i++) {
        struct part part = {.begin = at, .value = at};

        if (c->is_list) {
            part.old = value_at(old, i);
        } else if (value_each(&it)) {
            part.name = it.key;
            part.old = it.value;
            part.value = skip_space(e, behind_colon(e, at));
        }
        part.end = skip_value(e, part.value);
        c->parts[i] = part;
        at = skip_space(e, part.end);
        if (e->text[at] == ',') {
            at = skip_space(e, at + 1);
        }
    }
    c->close = at;
}

static void
match_members(const struct value *old, const struct value *now, struct collection *c)
{
    for (size_t i = 0; i < c->n_parts; i++) {
        const char *name = c->parts[i].name;
        struct new_part member = {.old = i, .name = name, .value = value_get(now, name)};

        if (member.value != NULL) {
            vec_add(&c->new_parts, member);
        }
    }
    for (struct value_iterator it = VALUE_ITERATOR(now); value_each(&it);) {
        if (value_get(old, it.key) == NULL) {
            vec_add(&c->new_parts,
                    ((struct new_part){.old = NONE, .name = it.key, .value = it.value}));
        }
    }
}

static void
match_items(const struct value *old, const struct value *now, struct collection *c)
{
    struct list_alignment alignment;
    size_t next = 0;

    list_align(old, now, &alignment);
    for (size_t i = 0; i < value_count(now); i++) {
        struct new_part item = {.old = NONE, .value = value_at(now, i)};

        if (next < alignment.pairs.count && alignment.pairs.items[next].now == i) {
            item.old = alignment.pairs.items[next++].old;
        }
        vec_add(&c->new_parts, item);
    }
    vec_free(&alignment.pairs);
}

static void
new_line(struct edit *e, const struct layout *layout, size_t depth)
{
    buf_append_str(e->out, e->newline);
    buf_append(e->out, layout->indent.text, layout->indent.length);
    for (size_t i = 0; i < layout->units + depth; i++) {
        buf_append(e->out, layout->unit.text, layout->unit.length);
    }
}

static void
begin_item(struct edit *e, const struct layout *layout, size_t depth, bool is_first)
{
    if (!is_first) {
        buf_append_char(e->out, ',');
    }
    if (layout->has_lines) {
        new_line(e, layout, depth);
    } else if (!is_first && layout->has_spaces) {
        buf_append_char(e->out, ' ');
    }
}

static void
write_key(struct edit *e, const struct layout *layout, const char *key)
{
    text_write_string(key, strlen(key), e->out);
    buf_append_str(e->out, layout->has_spaces ? ": " : ":");
}

static void
write_value(struct edit *e, const struct layout *layout, const struct value *value, size_t depth)
{
    bool is_list = value_type(value) == VALUE_LIST;
    bool is_first = true;

    if (value_count(value) == 0) {
        value_write_json(value, false, e->out);
        return;
    }
    buf_append_char(e->out, is_list ? '[' : '{');
    for (size_t i = 0; is_list && i < value_count(value); i++) {
        begin_item(e, layout, depth + 1, i == 0);
        write_value(e, layout, value_at(value, i), depth + 1);
    }
    for (struct value_iterator it = VALUE_ITERATOR(value); !is_list && value_each(&it);) {
        begin_item(e, layout, depth + 1, is_first);
        write_key(e, layout, it.key);
        write_value(e, layout, it.value, depth + 1);
        is_first = false;
    }
    if (layout->has_lines) {
        new_line(e, layout, depth);
    }
    buf_append_char(e->out, is_list ? ']' : '}');
}

/* A list or object on one line stays on one line. */
static void
replace_value(struct edit *e, const struct layout *layout, const struct part *part,
              const struct value *now)
{
    struct layout own = *layout;

    if (value_count(part->old) > 0 &&
        !has_newline(e->text + part->value, part->end - part->value)) {
        own.has_lines = false;
    }
    copy_until(e, part->value);
    write_value(e, &own, now, 0);
    e->copied = part->end;
}

static void
append_span(struct edit *e, size_t begin, size_t end)
{
    buf_append(e->out, e->text + begin, end - begin);
}

/* Parts that were not neighbours get the separator behind the part `last`. */
static void
write_separator(struct edit *e, const struct collection *c, size_t last)
{
    const struct part *parts = c->parts;
    size_t count = c->n_parts;

    if (count > 1) {
        size_t behind = last + 1 < count ? last + 1 : last;

        append_span(e, parts[behind - 1].end, parts[behind].begin);
    } else {
        begin_item(e, &c->layout, 0, false);
    }
}

static void edit_value(struct edit *e, const struct part *part, const struct value *now,
                       const struct layout *outer);

/* Cached for all new items in a row: the search may pass much white space. */
static const struct layout *
layout_behind(const struct edit *e, struct collection *c, size_t last)
{
    if (c->is_list && c->new_is_like != last) {
        c->new_layout = layout_like(e, &c->parts[last], &c->layout);
        c->new_is_like = last;
    }
    return c->is_list ? &c->new_layout : &c->layout;
}

static void
write_part(struct edit *e, struct collection *c, const struct new_part *now, size_t last)
{
    if (now->old != NONE) {
        e->copied = c->parts[now->old].begin;
        edit_value(e, &c->parts[now->old], now->value, &c->layout);
        copy_until(e, c->parts[now->old].end);
        return;
    }
    if (!c->is_list) {
        write_key(e, &c->layout, now->name);
    }
    write_value(e, layout_behind(e, c, last), now->value, 0);
}

static void
write_parts(struct edit *e, struct collection *c)
{
    const struct part *parts = c->parts;
    size_t last = 0; /* last part written, or the first one */

    append_span(e, e->copied, parts[0].begin);
    for (size_t i = 0; i < c->new_parts.count; i++) {
        const struct new_part *now = &c->new_parts.items[i];

        if (i > 0 && now->old != NONE && now->old > 0) {
            append_span(e, parts[now->old - 1].end, parts[now->old].begin);
        } else if (i > 0) {
            write_separator(e, c, last);
        }
        write_part(e, c, now, last);
        last = now->old != NONE ? now->old : last;
    }
    e->copied = parts[c->n_parts - 1].end;
    copy_until(e, c->close + 1);
}

/* Both have content and one type. */
static void
edit_collection(struct edit *e, const struct part *part, const struct value *now,
                const struct layout *outer)
{
    struct collection c = {
        .is_list = value_type(now) == VALUE_LIST, .open = part->value, .new_is_like = NONE};

    find_parts(e, part->old, &c);
    c.layout = layout_of(e, c.open, c.close, outer);
    if (c.is_list) {
        match_items(part->old, now, &c);
    } else {
        match_members(part->old, now, &c);
    }
    write_parts(e, &c);
    free(c.parts);
    vec_free(&c.new_parts);
}

/* The text's depth limits the recursion. */
static void
edit_value(struct edit *e, const struct part *part, const struct value *now,
           const struct layout *outer)
{
    if (value_equal(part->old, now)) {
        return;
    }
    if (value_type(part->old) == value_type(now) && value_count(part->old) > 0 &&
        value_count(now) > 0) {
        edit_collection(e, part, now, outer);
    } else {
        replace_value(e, outer, part, now);
    }
}

static void
edit_text(const char *text, size_t length, const struct value *root, const struct value *wanted,
          struct buf *out)
{
    const char *line_end = memchr(text, '\n', length);
    struct edit e = {.text = text, .length = length, .out = out, .newline = "\n"};
    const struct layout layout = {.unit = {"  ", 2}, .indent = {"", 0}};
    struct part part = {.value = skip_space(&e, 0), .old = root};

    if (line_end != NULL && line_end > text && line_end[-1] == '\r') {
        e.newline = "\r\n";
    }
    part.end = skip_value(&e, part.value);
    edit_value(&e, &part, wanted, &layout);
    copy_until(&e, length);
}

/* Reads the result again, so that no caller gets a text with another meaning. */
static bool
check_text(const char *text, size_t length, const struct value *wanted, struct error *err)
{
    struct document *document = document_parse_json(text, length, 1, err);

    if (document == NULL) {
        return error_wrap(err, "the changed text");
    }
    bool is_right = value_equal(document_root(document), wanted);

    document_free(document);
    return is_right || error_set(err, ERROR_INVALID, "the changed text would mean something else");
}

static bool
edit_document(const char *text, size_t length, const struct value *root, const struct value *patch,
              struct buf *out, struct error *err)
{
    size_t begin = out->length;

    if (value_type(root) != VALUE_OBJECT || value_type(patch) != VALUE_OBJECT) {
        return error_set(err, ERROR_INVALID, "want an object and a patch that is one");
    }
    struct document *wanted = document_merge(root, patch);

    edit_text(text, length, root, document_root(wanted), out);
    bool done = out->overflowed ? error_set(err, ERROR_LIMIT, "the changed text is too long")
                                : check_text(out->data + begin, out->length - begin,
                                             document_root(wanted), err);

    document_free(wanted);
    return done;
}

bool
edit_json(const char *text, size_t length, const struct value *patch, struct buf *out,
          struct error *err)
{
    struct document *document = document_parse_json(text, length, 1, err);

    if (document == NULL) {
        return false;
    }
    bool done = edit_document(text, length, document_root(document), patch, out, err);

    document_free(document);
    return done;
}
