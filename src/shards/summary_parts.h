/* SPDX-License-Identifier: Apache-2.0
 *
 * The format of a summary, which its writer and its reader share. Private to this room.
 */
#ifndef BALLAST_SHARDS_SUMMARY_PARTS_H
#define BALLAST_SHARDS_SUMMARY_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/hash.h"

#define SUMMARY_MAGIC "ballast-summary"
#define SUMMARY_VERSION "v1alpha3"

/* Hexadecimal digits of a checksum. */
#define CHECKSUM_DIGITS 32
/* Writes the checksum of bytes in hexadecimal digits, to detect torn texts, not to authenticate. */
void summary_checksum(const char *bytes, size_t length, char ret[CHECKSUM_DIGITS + 1]);

/* Objects are packed in pieces: a writer holds the text of one piece, a reader of a few.
 * SUMMARY_UNPACKED_MAX limits the bytes that a summary unpacks to. */
#define SUMMARY_PIECE ((size_t)128 << 10) /* bytes of text from which on it is packed */
#define SUMMARY_PIECE_MAX ((size_t)1 << 20)
#define SUMMARY_UNPACKED_MAX (UINT64_C(4) << 30)

struct summary_section;
struct fleet_builder;
struct error;
/* Adds the objects of a section to a fleet under construction. False with err if they are malformed
 * or the fleet takes more than `most` bytes with the member (0: no limit). */
bool summary_section_add(const struct summary_section *section, struct fleet_builder *builder,
                         size_t most, struct error *err);

#endif
