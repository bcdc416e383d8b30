/* SPDX-License-Identifier: Apache-2.0
 *
 * A JSON merge patch applied to JSON text. Where members and their values stand
 * is found in the text itself; whatever the patch does not name is copied byte
 * for byte. New text is laid out as its neighbours are: on one line where they
 * are, else with their indentation.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/format/edit.h"
#include "ballast/format/value_build.h"
#include "scan.h"

struct text_span {
    const char *text;
    size_t length;
};

/* How an object's members are laid out. */
struct layout {
    bool has_lines;          /* each on a line of its own */
    struct text_span indent; /* before a member, then `units` times the unit */
    size_t units;
    struct text_span unit;
    bool has_spaces; /* behind colons, and behind commas on one line */
};

struct edited_member {
    size_t key, key_end, value, value_end;
    const struct value *old;
    const struct value *change; /* NULL: none */
    bool goes;
};

struct members {
    VEC_OF(struct edited_member) list;
    size_t open, close; /* of the braces */
};

struct edit {
    const char *text;
    size_t length;
    size_t copied; /* up to here the text is in `out`, or is not to be */
    struct buf *out;
    const char *newline;
};

static void
copy_until(struct edit *e, size_t offset)
{
    buf_append(e->out, e->text + e->copied, offset - e->copied);
    e->copied = offset;
}

/* The text is known to be JSON, so every search below finds what it looks for. */
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

/* The member of the patch whose name stands, perhaps with escapes, at a key of the text. */
static const struct value *
find_change(const struct edit *e, const struct edited_member *member, const struct value *patch,
            const char **ret_name)
{
    struct value_iterator it = VALUE_ITERATOR(patch);
    const struct value *change;
    struct error err = ERROR_INIT;
    struct document *key =
        document_parse_json(e->text + member->key, member->key_end - member->key, 1, &err);

    if (key == NULL) {
        BUG("a key that does not parse again: %s", err.message);
    }
    while (value_each(&it, ret_name, &change)) {
        if (str_eq(*ret_name, value_string(document_root(key)))) {
            document_free(key);
            return change;
        }
    }
    document_free(key);
    return NULL;
}

/* Finds the members of the object at `open`, and what the patch does to them. */
static void
find_members(const struct edit *e, size_t open, const struct value *object,
             const struct value *patch, struct members *ret)
{
    size_t at = skip_space(e, open + 1);

    *ret = (struct members){.open = open};
    while (e->text[at] != '}') {
        struct edited_member member = {.key = at, .key_end = skip_string(e, at)};
        const char *name;

        member.value = skip_space(e, skip_space(e, member.key_end) + 1); /* behind the colon */
        member.value_end = skip_value(e, member.value);
        member.change = find_change(e, &member, patch, &name);
        if (member.change != NULL) {
            member.old = value_get(object, name);
            member.goes = value_type(member.change) == VALUE_NULL;
        }
        vec_add(&ret->list, member);
        at = skip_space(e, member.value_end);
        if (e->text[at] == ',') {
            at = skip_space(e, at + 1);
        }
    }
    ret->close = at;
}

static bool
has_newline(const char *text, size_t length)
{
    return memchr(text, '\n', length) != NULL;
}

/* The white space between the last line end before `at` and `at` itself. */
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

/* An object without members is laid out as one more level of what is around it. */
static struct layout
layout_of(const struct edit *e, const struct members *members, const struct layout *outer)
{
    struct layout layout = *outer;

    if (members->list.count == 0) {
        layout.units++;
        return layout;
    }
    const struct edited_member *first = &members->list.items[0];

    layout.has_lines = begins_line(e, first->key);
    layout.has_spaces = layout.has_lines || first->value > skip_space(e, first->key_end) + 1;
    layout.units = 0;
    if (!layout.has_lines) {
        return layout;
    }
    layout.indent = indent_before(e, first->key);
    if (begins_line(e, members->close)) {
        struct text_span close = indent_before(e, members->close);

        if (layout.indent.length > close.length) {
            layout.unit.text = layout.indent.text + close.length;
            layout.unit.length = layout.indent.length - close.length;
        }
    }
    return layout;
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

/* Behind a bracket or a comma, before an item or a member. */
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
    struct value *string = value_new_string(key, strlen(key));

    value_write_json(string, false, e->out);
    value_drop(string);
    buf_append_str(e->out, layout->has_spaces ? ": " : ":");
}

static void
write_value(struct edit *e, const struct layout *layout, const struct value *value, size_t depth)
{
    struct value_iterator it = VALUE_ITERATOR(value);
    bool is_list = value_type(value) == VALUE_LIST;
    const struct value *member;
    const char *key;
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
    while (!is_list && value_each(&it, &key, &member)) {
        begin_item(e, layout, depth + 1, is_first);
        write_key(e, layout, key);
        write_value(e, layout, member, depth + 1);
        is_first = false;
    }
    if (layout->has_lines) {
        new_line(e, layout, depth);
    }
    buf_append_char(e->out, is_list ? ']' : '}');
}

/* A new value without the nulls of the patch. */
static void
write_change(struct edit *e, const struct layout *layout, const struct value *change)
{
    struct value *value = value_merge(NULL, change);

    write_value(e, layout, value, 0);
    value_drop(value);
}

/* A list or object that stands on one line stays on one. */
static void
replace_value(struct edit *e, const struct layout *layout, const struct edited_member *member)
{
    struct layout own = *layout;
    size_t length = member->value_end - member->value;

    if (value_equal(member->old, member->change)) {
        return;
    }
    if (value_count(member->old) > 0 && !has_newline(e->text + member->value, length)) {
        own.has_lines = false;
    }
    copy_until(e, member->value);
    write_change(e, &own, member->change);
    e->copied = member->value_end;
}

/* The members of the patch that the object lacks. */
static size_t
add_members(struct edit *e, const struct layout *layout, const struct value *object,
            const struct value *patch, bool is_first)
{
    struct value_iterator it = VALUE_ITERATOR(patch);
    const struct value *change;
    const char *key;
    size_t added = 0;

    while (value_each(&it, &key, &change)) {
        if (value_get(object, key) == NULL && value_type(change) != VALUE_NULL) {
            begin_item(e, layout, 0, is_first && added == 0);
            write_key(e, layout, key);
            write_change(e, layout, change);
            added++;
        }
    }
    return added;
}

/* Behind the last member that stays (`kept` is their number up to there, of all in the list). */
static void
edit_end(struct edit *e, const struct layout *layout, const struct members *members, size_t kept,
         const struct value *object, const struct value *patch)
{
    const struct edited_member *all = members->list.items;
    size_t count = members->list.count;

    if (kept > 0) {
        copy_until(e, all[kept - 1].value_end);
        add_members(e, layout, object, patch, false);
        e->copied = kept < count ? all[count - 1].value_end : e->copied;
        return;
    }
    copy_until(e, members->open + 1);
    if (add_members(e, layout, object, patch, true) > 0 && layout->has_lines) {
        if (count > 0 && begins_line(e, members->close)) {
            struct text_span close = indent_before(e, members->close);

            buf_append_str(e->out, e->newline);
            buf_append(e->out, close.text, close.length);
        } else {
            struct layout outer = *layout;

            outer.units -= outer.units > 0 ? 1 : 0;
            new_line(e, &outer, 0);
        }
    }
    e->copied = members->close;
}

static void
edit_object(struct edit *e, size_t open, const struct value *object, const struct value *patch,
            const struct layout *outer)
{
    struct members members;

    find_members(e, open, object, patch, &members);
    struct layout layout = layout_of(e, &members, outer);
    size_t kept = members.list.count;

    while (kept > 0 && members.list.items[kept - 1].goes) {
        kept--;
    }
    for (size_t i = 0; i < kept; i++) {
        const struct edited_member *member = &members.list.items[i];

        if (member->goes) {
            copy_until(e, member->key);
            e->copied = members.list.items[i + 1].key;
        } else if (member->change == NULL) {
            continue;
        } else if (value_type(member->old) == VALUE_OBJECT &&
                   value_type(member->change) == VALUE_OBJECT) {
            edit_object(e, member->value, member->old, member->change, &layout);
        } else {
            replace_value(e, &layout, member);
        }
    }
    edit_end(e, &layout, &members, kept, object, patch);
    vec_free(&members.list);
}

static bool
edit_document(const char *text, size_t length, const struct document *document,
              const struct value *patch, struct buf *out, struct error *err)
{
    const char *line_end = memchr(text, '\n', length);
    struct edit e = {.text = text, .length = length, .out = out, .newline = "\n"};
    struct layout layout = {.unit = {"  ", 2}, .indent = {"", 0}};

    if (value_type(document_root(document)) != VALUE_OBJECT || value_type(patch) != VALUE_OBJECT) {
        return error_set(err, ERROR_INVALID, "want an object and a patch that is one");
    }
    if (line_end != NULL && line_end > text && line_end[-1] == '\r') {
        e.newline = "\r\n";
    }
    edit_object(&e, skip_space(&e, 0), document_root(document), patch, &layout);
    copy_until(&e, length);
    return !out->overflowed || error_set(err, ERROR_LIMIT, "the changed text is too long");
}

bool
edit_json(const char *text, size_t length, const struct value *patch, struct buf *out,
          struct error *err)
{
    struct document *document = document_parse_json(text, length, 1, err);

    if (document == NULL) {
        return false;
    }
    bool done = edit_document(text, length, document, patch, out, err);

    document_free(document);
    return done;
}
