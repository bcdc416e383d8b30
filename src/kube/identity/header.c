/* SPDX-License-Identifier: Apache-2.0
 *
 * Escapes keys for names of HTTP headers.
 */
#include "header.h"

#include "ballast/http/http.h"

void
header_append_key(struct buf *out, const char *key)
{
    for (const char *c = key; *c != '\0'; c++) {
        const char byte[] = {*c, '\0'};
        bool is_fit = *c != '%' && http_header_is_name(byte);

        buf_printf(out, is_fit ? "%c" : "%%%02X", (unsigned char)*c);
    }
}
