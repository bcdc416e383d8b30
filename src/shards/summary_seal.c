/* SPDX-License-Identifier: Apache-2.0
 *
 * The first line of a summary.
 */
#include <stdio.h>

#include "ballast/shards/summary.h"
#include "summary_parts.h"

void
summary_checksum(const char *bytes, size_t length, char ret[CHECKSUM_DIGITS + 1])
{
    static const struct hash_key key = {0, 0};
    struct digest digest = digest_bytes(&key, bytes, length);

    snprintf(ret, CHECKSUM_DIGITS + 1, "%016llx%016llx", (unsigned long long)digest.high,
             (unsigned long long)digest.low);
}

void
summary_seal(const char *bytes, size_t length, struct buf *out)
{
    char checksum[CHECKSUM_DIGITS + 1];

    summary_checksum(bytes, length, checksum);
    buf_printf(out, SUMMARY_MAGIC " " SUMMARY_VERSION " %s %zu\n", checksum, length);
    buf_append(out, bytes, length);
}
