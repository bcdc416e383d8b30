/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts as an API server wants them: path segments, and times with microseconds.
 */
#include "ballast/kube/kube_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ballast/base/str.h"

static bool
is_unreserved(unsigned char byte)
{
    return byte < 0x80 && (isalnum(byte) || strchr("-._~", byte) != NULL);
}

void
kube_append_segment(struct buf *path, const char *text)
{
    /* "." and ".." are taken out of a path by whoever normalizes it, escaped or not */
    bool only_dots = strspn(text, ".") == strlen(text);

    for (const char *c = text; *c != '\0'; c++) {
        if (is_unreserved((unsigned char)*c) && !only_dots) {
            buf_append_char(path, *c);
        } else {
            buf_printf(path, "%%%02X", (unsigned)(unsigned char)*c);
        }
    }
    if (only_dots) { /* so that it names nothing at all */
        buf_append_str(path, "%00");
    }
}

const char *
kube_micro_time(int64_t nanos, char buffer[TIMESTAMP_TEXT_MAX])
{
    int64_t fraction = nanos % NANOS_PER_SECOND;

    fraction += fraction < 0 ? NANOS_PER_SECOND : 0;
    timestamp_format(nanos - fraction, buffer);
    size_t length = strlen(buffer);

    if (length > 0 && buffer[length - 1] == 'Z') {
        snprintf(buffer + length - 1, TIMESTAMP_TEXT_MAX - length + 1, ".%06dZ",
                 (int)(fraction / 1000));
    }
    return buffer;
}
