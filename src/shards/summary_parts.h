/* SPDX-License-Identifier: Apache-2.0
 *
 * What the writer of a summary and its reader know of it. Private to this room.
 */
#ifndef BALLAST_SHARDS_SUMMARY_PARTS_H
#define BALLAST_SHARDS_SUMMARY_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/hash.h"

#define SUMMARY_MAGIC "ballast-summary"
#define SUMMARY_VERSION "v1alpha3"

/* "0123456789abcdef0123456789abcdef" of the bytes: it tells torn from whole, whoever wrote it. */
#define CHECKSUM_DIGITS 32
void summary_checksum(const char *bytes, size_t length, char ret[CHECKSUM_DIGITS + 1]);

/* Objects are packed in pieces, so that who writes has no more of the text than one of them, and
 * who reads than a few. A summary unpacks to no more than so many bytes. */
#define SUMMARY_PIECE ((size_t)128 << 10) /* bytes of text from which on it is packed */
#define SUMMARY_PIECE_MAX ((size_t)1 << 20)
#define SUMMARY_UNPACKED_MAX (UINT64_C(4) << 30)

/* The objects of a section into a fleet under construction. false with err: they are none, or the
 * fleet has more than `most` bytes with its member (0: no bound). */
struct summary_section;
struct fleet_builder;
struct error;
bool summary_section_add(const struct summary_section *section, struct fleet_builder *builder,
                         size_t most, struct error *err);

#endif
