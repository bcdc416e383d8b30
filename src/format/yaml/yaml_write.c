/* SPDX-License-Identifier: Apache-2.0
 *
 * Values as YAML, the way kubectl prints it: block style, lists as deep as
 * their key. A string is left without quotes only where every YAML reader, of
 * whatever version, takes it for that string.
 */
#include "yaml_write.h"

#include <inttypes.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/format/value_text.h"
#include "yaml_tree.h"

/* True if the text has only characters of numbers, times and base-60 numbers. */
static bool
looks_like_number(const char *text, size_t length)
{
    static const char first[] = "0123456789+-.";
    static const char rest[] = "0123456789+-.:_ TtZzeExXoOabcdfABCDF";

    return memchr(first, text[0], sizeof(first) - 1) != NULL && strspn(text, rest) == length;
}

static bool
can_begin_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '/' || c == '.' || c == '(' || c == '$' || c == '+';
}

static bool
can_go_on_plain(char c, char next, bool in_flow)
{
    if ((unsigned char)c < ' ' || (unsigned char)c >= 0x7f) {
        return false;
    }
    if (c == ':') {
        return next != ' ' && !in_flow;
    }
    if (c == ' ') {
        return next != '#' && next != ' ';
    }
    return !in_flow || strchr(",[]{}?", c) == NULL;
}

static bool
can_be_plain(const char *text, size_t length, bool in_flow)
{
    if (length == 0 || !can_begin_plain(text[0]) || looks_like_number(text, length) ||
        yaml_needs_quotes(text, length)) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        char next = ' ';

        if (i + 1 < length) {
            next = text[i + 1];
        }
        if (!can_go_on_plain(text[i], next, in_flow)) {
            return false;
        }
    }
    return true;
}

/* True for characters that YAML forbids or reads as line ends. */
static bool
needs_escape(uint32_t c)
{
    return (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029 || c == 0xfeff || c == 0xfffe ||
           c == 0xffff;
}

static void
write_quoted(const char *text, size_t length, struct buf *out)
{
    size_t begin = 0;
    struct buf quoted;

    /* YAML has JSON's escapes; this loop escapes the characters that JSON leaves as they are */
    buf_init(&quoted, SIZE_MAX);
    buf_append_char(out, '"');
    for (size_t i = 0; i <= length;) {
        size_t width = 1;
        uint32_t c = i < length ? text_decode(text + i, length - i, &width) : 0;

        if (i == length || needs_escape(c)) {
            buf_clear(&quoted);
            text_write_string(text + begin, i - begin, &quoted);
            buf_append(out, quoted.data + 1, quoted.length - 2);
            begin = i + width;
            if (i < length) {
                buf_printf(out, "\\u%04x", c);
            }
        }
        i += width;
    }
    buf_append_char(out, '"');
    buf_release(&quoted);
}

static void
yaml_write_string(const char *text, size_t length, bool in_flow, struct buf *out)
{
    if (can_be_plain(text, length, in_flow)) {
        buf_append(out, text, length);
    } else {
        write_quoted(text, length, out);
    }
}

/* A key << merges even in quotes, unless it has a tag. */
void
yaml_write_key(const char *key, bool in_flow, struct buf *out)
{
    if (str_eq(key, "<<")) {
        buf_append_str(out, "!!str ");
    }
    yaml_write_string(key, strlen(key), in_flow, out);
    buf_append_char(out, ':');
}

void
yaml_write_flow(const struct value *value, struct buf *out)
{
    enum value_type type = value_type(value);
    bool first = true;

    if (type == VALUE_STRING) {
        yaml_write_string(value_string(value), value_string_length(value), true, out);
    } else if (type == VALUE_LIST) {
        buf_append_char(out, '[');
        for (size_t i = 0; i < value_count(value); i++) {
            buf_append_str(out, i > 0 ? ", " : "");
            yaml_write_flow(value_at(value, i), out);
        }
        buf_append_char(out, ']');
    } else if (type == VALUE_OBJECT) {
        buf_append_char(out, '{');
        for (struct value_iterator it = VALUE_ITERATOR(value); value_each(&it);) {
            buf_append_str(out, first ? "" : ", ");
            yaml_write_key(it.key, true, out);
            buf_append_char(out, ' ');
            yaml_write_flow(it.value, out);
            first = false;
        }
        buf_append_char(out, '}');
    } else {
        value_write_json(value, false, out);
    }
}

bool
yaml_is_inline(const struct value *value)
{
    return value_count(value) == 0;
}

static void
write_inline(const struct value *value, struct buf *out)
{
    if (value_type(value) == VALUE_STRING) {
        yaml_write_string(value_string(value), value_string_length(value), false, out);
    } else {
        yaml_write_flow(value, out);
    }
    buf_append_char(out, '\n');
}

static void
write_indent(int indent, struct buf *out)
{
    buf_printf(out, "%*s", indent, "");
}

static void yaml_write_member(const char *key, const struct value *value, int indent,
                              struct buf *out);

void
yaml_write_block(const struct value *value, int indent, bool is_begun, struct buf *out)
{

    if (yaml_is_inline(value)) {
        write_indent(is_begun ? 0 : indent, out);
        write_inline(value, out);
        return;
    }
    for (size_t i = 0; value_type(value) == VALUE_LIST && i < value_count(value); i++) {
        write_indent(is_begun ? 0 : indent, out);
        buf_append_str(out, "- ");
        yaml_write_block(value_at(value, i), indent + 2, true, out);
        is_begun = false;
    }
    for (struct value_iterator it = VALUE_ITERATOR(value);
         value_type(value) == VALUE_OBJECT && value_each(&it);) {
        write_indent(is_begun ? 0 : indent, out);
        yaml_write_member(it.key, it.value, indent, out);
        is_begun = false;
    }
}

/* Writes "key: value" with its line end, without the first line's indentation. */
static void
yaml_write_member(const char *key, const struct value *value, int indent, struct buf *out)
{
    bool is_list = value_type(value) == VALUE_LIST;

    yaml_write_key(key, false, out);
    buf_append_char(out, yaml_is_inline(value) ? ' ' : '\n');
    yaml_write_block(value, is_list ? indent : indent + 2, yaml_is_inline(value), out);
}

void
yaml_print(const struct value *value, struct buf *out)
{
    yaml_write_block(value, 0, false, out);
}
