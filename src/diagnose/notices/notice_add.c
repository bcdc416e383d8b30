/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds a notice.
 */
#include "ballast/base/text.h"
#include "notices.h"
#include <stdarg.h>

#define MESSAGE_MAX 1024

void
notice_add(struct notices *notices, const char *about, const char *format, ...)
{
    char text[MESSAGE_MAX];
    va_list args;

    va_start(args, format);
    text_vprint(text, sizeof(text), format, args);
    va_end(args);
    struct notice notice = {
        .about = quote_text(notices->arena, about),
        .message = arena_strndup(notices->arena, text, strlen(text)),
    };

    vec_add(&notices->found, notice);
}
