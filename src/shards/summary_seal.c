/* SPDX-License-Identifier: Apache-2.0
 *
 * The first line of a summary.
 */
#include <stdio.h>
#include <string.h>

#include "ballast/shards/summary.h"
#include "summary_parts.h"

#define FIRST_LINE_MAX 128

void
summary_checksum(const char *bytes, size_t length, char ret[CHECKSUM_DIGITS + 1])
{
    static const struct hash_key key = {0, 0};
    struct digest digest = digest_bytes(&key, bytes, length);

    snprintf(ret, CHECKSUM_DIGITS + 1, "%016llx%016llx", (unsigned long long)digest.high,
             (unsigned long long)digest.low);
}

void
summary_seal(struct buf *text)
{
    char checksum[CHECKSUM_DIGITS + 1], line[FIRST_LINE_MAX];
    size_t body = text->length;

    summary_checksum(buf_text(text), body, checksum);
    int length =
        snprintf(line, sizeof(line), SUMMARY_MAGIC " " SUMMARY_VERSION " %s %zu\n", checksum, body);

    buf_append(text, line, (size_t)length);
    if (!text->overflowed) {
        memmove(text->data + length, text->data, body);
        memcpy(text->data, line, (size_t)length);
    }
}
