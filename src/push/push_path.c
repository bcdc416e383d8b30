/* SPDX-License-Identifier: Apache-2.0
 *
 * The path that names a group of metrics.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/http/http.h"
#include "ballast/push/pushgateway.h"

#define VALUE_MAX ((size_t)4 << 10)

/* RFC 4648, section 5, without padding. */
static void
append_base64(struct buf *out, const char *text, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    for (size_t i = 0; i < length; i += 3) {
        uint32_t bits = 0;
        size_t left = length - i < 3 ? length - i : 3;

        for (size_t j = 0; j < 3; j++) {
            bits = bits << 8 | (j < left ? (unsigned char)text[i + j] : 0);
        }
        for (size_t j = 0; j <= left; j++) {
            buf_append_char(out, digits[bits >> (18 - 6 * j) & 63]);
        }
    }
}

/* A slash ends a path segment, URL parsers remove dot segments, and a segment cannot be empty. */
static bool
fits_path(const char *value)
{
    return !str_is_empty(value) && strchr(value, '/') == NULL && !str_eq(value, ".") &&
           !str_eq(value, "..");
}

static void
append_label(struct buf *out, const struct push_label *label)
{
    struct buf shown;

    buf_init(&shown, VALUE_MAX);
    text_append_line(&shown, label->value);
    const char *value = buf_text(&shown);

    if (fits_path(value)) {
        buf_printf(out, "/%s/", label->name);
        http_append_escaped(out, value);
    } else {
        buf_printf(out, "/%s@base64/", label->name);
        append_base64(out, value, shown.length);
        buf_append_str(out, str_is_empty(value) ? "=" : "");
    }
    buf_release(&shown);
}

void
push_append_path(struct buf *out, const struct push_group *group)
{
    buf_append_str(out, "/metrics");
    for (size_t i = 0; i < group->n_labels; i++) {
        append_label(out, &group->labels[i]);
    }
}
