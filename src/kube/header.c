/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of HTTP headers.
 */
#include "header.h"

#include <string.h>

static const char token_bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "!#$%&'*+-.^_`|~";

bool
header_is_name(const char *text)
{
    return text[0] != '\0' && strspn(text, token_bytes) == strlen(text);
}

void
header_append_key(struct buf *out, const char *key)
{
    for (const char *c = key; *c != '\0'; c++) {
        bool is_fit = *c != '%' && strchr(token_bytes, *c) != NULL;

        buf_printf(out, is_fit ? "%c" : "%%%02X", (unsigned char)*c);
    }
}
