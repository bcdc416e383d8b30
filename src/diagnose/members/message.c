/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes texts from members safe to show: bounded, and without bytes that steer a terminal.
 */
#include "observed.h"

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"

#define QUOTE_MAX 200

static bool
is_control(unsigned char byte, unsigned char next)
{
    /* C0, DEL, and C1 in UTF-8 */
    return byte < 0x20 || byte == 0x7f || (byte == 0xc2 && next >= 0x80 && next < 0xa0);
}

const char *
quote_text(struct arena *arena, const char *text)
{
    size_t length = strnlen(text, QUOTE_MAX + 1);
    size_t kept = text_cut(text, length, QUOTE_MAX);
    char *copy =
        arena_printf(arena, "%.*s%s", pin_width(kept), text, kept < length ? TEXT_CUT_MARK : "");

    for (char *c = copy; *c != '\0'; c++) {
        if (is_control((unsigned char)c[0], (unsigned char)c[1])) {
            if ((unsigned char)*c == 0xc2) {
                *c++ = ' ';
            }
            *c = ' ';
        }
    }
    return copy;
}

const char *
since_text(struct arena *arena, int64_t since, int64_t now)
{
    char buffer[DURATION_TEXT_MAX];

    if (since == TIME_NONE) {
        return "";
    }
    int64_t span = since < now ? timestamp_add(now, -since) : 0;

    return arena_printf(arena, " since %s", duration_format_short(span, buffer));
}
