/* SPDX-License-Identifier: Apache-2.0
 *
 * Values as compact JSON. Reals are written in the shortest form that reads
 * back as the same number, so that what is only carried along stays what it was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/text.h"
#include "ballast/format/value_text.h"
#include "value_form.h"

static int
member_cmp(const void *a, const void *b)
{
    return strcmp(((const struct value_member *)a)->name, ((const struct value_member *)b)->name);
}

void
text_write_string(const char *text, size_t length, struct buf *out)
{
    static const char escapes[] = {
        ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't', ['"'] = '"'};
    size_t done = 0;

    buf_append_char(out, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c >= ' ' && c != '"' && c != '\\') {
            continue;
        }
        buf_append(out, text + done, i - done);
        done = i + 1;
        if (c == '\\') {
            buf_append_str(out, "\\\\");
        } else if (escapes[c] != '\0') {
            buf_append_char(out, '\\');
            buf_append_char(out, escapes[c]);
        } else {
            buf_printf(out, "\\u%04x", c);
        }
    }
    buf_append(out, text + done, length - done);
    buf_append_char(out, '"');
}

void
text_write_real(double real, struct buf *out)
{
    char text[40];

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, real);
        if (!(strtod(text, NULL) < real) && !(strtod(text, NULL) > real)) {
            break;
        }
    }
    buf_append_str(out, text);
    if (strpbrk(text, ".e") == NULL) {
        buf_append_str(out, ".0");
    }
}

static void
write_members(const struct value *value, bool sort_keys, struct buf *out)
{
    const struct value_member *items = value->as.members->items;
    struct value_member *sorted = NULL;

    if (sort_keys && value->type == VALUE_OBJECT && value->count > 1) {
        sorted = heap_new(value->count, sizeof(*sorted));
        memcpy(sorted, items, value->count * sizeof(*sorted));
        qsort(sorted, value->count, sizeof(*sorted), member_cmp);
        items = sorted;
    }
    for (uint32_t i = 0; i < value->count; i++) {
        if (i > 0) {
            buf_append_char(out, ',');
        }
        if (items[i].name != NULL) {
            text_write_string(items[i].name, strlen(items[i].name), out);
            buf_append_char(out, ':');
        }
        value_write_json(items[i].value, sort_keys, out);
    }
    free(sorted);
}

void
value_write_json(const struct value *value, bool sort_keys, struct buf *out)
{
    char digits[INTEGER_TEXT_MAX];

    switch (value_type(value)) {
    case VALUE_NULL:
        buf_append_str(out, "null");
        break;
    case VALUE_BOOL:
        buf_append_str(out, value_bool(value) ? "true" : "false");
        break;
    case VALUE_INTEGER:
        buf_append_str(out, integer_format(value_integer(value), digits));
        break;
    case VALUE_REAL:
        text_write_real(value_real(value), out);
        break;
    case VALUE_STRING:
        text_write_string(value_string(value), value_string_length(value), out);
        break;
    case VALUE_LIST:
        buf_append_char(out, '[');
        write_members(value, sort_keys, out);
        buf_append_char(out, ']');
        break;
    case VALUE_OBJECT:
        buf_append_char(out, '{');
        write_members(value, sort_keys, out);
        buf_append_char(out, '}');
        break;
    }
}
