/* SPDX-License-Identifier: Apache-2.0
 *
 * The first line of a summary, as its writer and its reader know it. Private to
 * this room.
 */
#ifndef BALLAST_SHARDS_SUMMARY_PARTS_H
#define BALLAST_SHARDS_SUMMARY_PARTS_H

#include "ballast/base/hash.h"

#define SUMMARY_MAGIC "ballast-summary"
#define SUMMARY_VERSION "v1alpha1"

/* "0123456789abcdef0123456789abcdef" of the bytes: it tells torn from whole, whoever wrote it. */
#define CHECKSUM_DIGITS 32
void summary_checksum(const char *bytes, size_t length, char ret[CHECKSUM_DIGITS + 1]);

#endif
