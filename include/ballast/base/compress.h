/* SPDX-License-Identifier: Apache-2.0
 *
 * Compressed bytes. Ballast's own use zlib's format (RFC 1950), which has a
 * checksum; files of others may use gzip's (RFC 1952). Exhausted memory ends the
 * process.
 */
#ifndef BALLAST_BASE_COMPRESS_H
#define BALLAST_BASE_COMPRESS_H

#include <stdbool.h>

#include "ballast/base/buf.h"

/* Appends the bytes compressed in zlib's format; nothing if `out` overflows. */
void compress_append(struct buf *out, const void *bytes, size_t length);

/* Returns the original_length bytes of zlib's format with a NUL behind them, for free(). NULL if
 * malformed or of another length. A wrong, huge length costs address space but no memory. */
char *decompress(const void *bytes, size_t length, size_t original_length);
/* Decompresses zlib's format into `ret`, which holds original_length + 1 bytes, and adds a NUL.
 * False if malformed or of another length; `ret` is garbage then. */
bool decompress_into(char *ret, const void *bytes, size_t length, size_t original_length);

#define GZIP_MAGIC "\x1f\x8b" /* first bytes of a gzip file */

/* gzip in pieces. A step moves `in` and `out` past the bytes that it reads and writes. */
struct gzip;
struct gzip_piece {
    const char *in;
    size_t in_length;
    char *out;
    size_t out_length;
};

/* Returns a decompressor at the beginning of a gzip member. gunzip_free() frees it. */
struct gzip *gunzip_new(void);
/* Decompresses a piece. Sets *ret_is_over if a gzip member ends there; the next step begins another
 * one. False if the bytes are malformed. */
bool gunzip_step(struct gzip *gunzip, struct gzip_piece *piece, bool *ret_is_over);
/* Frees a decompressor. NULL is fine. */
void gunzip_free(struct gzip *gunzip);

/* Returns a compressor for one gzip member. gzip_free() frees it. */
struct gzip *gzip_new(void);
/* Compresses a piece; `last` if no input follows. True once the last piece is written whole; until
 * then, the caller calls again with more output space. */
bool gzip_step(struct gzip *gzip, struct gzip_piece *piece, bool last);
/* Frees a compressor. NULL is fine. */
void gzip_free(struct gzip *gzip);

#endif
