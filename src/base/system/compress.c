/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes packed and unpacked by zlib, in memory and piece by piece.
 */
#include "ballast/base/compress.h"
#include "ballast/base/wide.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "ballast/base/error.h"
#include "ballast/base/heap.h"

/* zlib's macros inflateInit2() and deflateInit2() cast this size down. */
#define STREAM_SIZE pin_width(sizeof(z_stream))

void
compress_append(struct buf *out, const void *bytes, size_t length)
{
    uLongf size = compressBound(length);
    Bytef *compressed = heap_new(size, 1);

    /* compressBound() bytes are enough, so only memory can be missing */
    if (compress(compressed, &size, bytes, length) != Z_OK) {
        out_of_memory();
    }
    buf_append(out, compressed, size);
    free(compressed);
}

bool
decompress_into(char *ret, const void *bytes, size_t length, size_t original_length)
{
    uLongf size = original_length;

    if (uncompress((Bytef *)ret, &size, bytes, length) != Z_OK || size != original_length) {
        return false;
    }
    ret[size] = '\0';
    return true;
}

char *
decompress(const void *bytes, size_t length, size_t original_length)
{
    char *text = heap_new(1, original_length + 1);

    if (!decompress_into(text, bytes, length, original_length)) {
        free(text);
        return NULL;
    }
    return text;
}

#define GZIP_WINDOW (MAX_WBITS + 16) /* selects gzip */
#define GZIP_MEMORY 8                /* zlib's default */
#define STEP_MAX ((size_t)1 << 30)   /* bytes; zlib counts in 32 bits */

struct gzip {
    z_stream stream;
};

/* Runs one step of the library and moves the piece past its bytes. */
static int
step(struct gzip *gzip, struct gzip_piece *piece, __typeof__(inflate) *function, int flush)
{
    z_stream *stream = &gzip->stream;
    const size_t in = piece->in_length < STEP_MAX ? piece->in_length : STEP_MAX;
    const size_t out = piece->out_length < STEP_MAX ? piece->out_length : STEP_MAX;

    stream->next_in = (Bytef *)(uintptr_t)piece->in;
    stream->avail_in = pin_uint32(in);
    stream->next_out = (Bytef *)piece->out;
    stream->avail_out = pin_uint32(out);
    int result = function(stream, in < piece->in_length ? Z_NO_FLUSH : flush);

    piece->in += in - stream->avail_in;
    piece->in_length -= in - stream->avail_in;
    piece->out += out - stream->avail_out;
    piece->out_length -= out - stream->avail_out;
    if (result == Z_MEM_ERROR) {
        out_of_memory();
    }
    return result;
}

struct gzip *
gunzip_new(void)
{
    struct gzip *gunzip = heap_new(1, sizeof(*gunzip));

    if (inflateInit2_(&gunzip->stream, GZIP_WINDOW, ZLIB_VERSION, STREAM_SIZE) != Z_OK) {
        out_of_memory();
    }
    return gunzip;
}

bool
gunzip_step(struct gzip *gunzip, struct gzip_piece *piece, bool *ret_is_over)
{
    int result = step(gunzip, piece, inflate, Z_NO_FLUSH);

    *ret_is_over = result == Z_STREAM_END;
    if (*ret_is_over) {
        inflateReset(&gunzip->stream);
    }
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
}

void
gunzip_free(struct gzip *gunzip)
{
    if (gunzip != NULL) {
        inflateEnd(&gunzip->stream);
        free(gunzip);
    }
}

struct gzip *
gzip_new(void)
{
    struct gzip *gzip = heap_new(1, sizeof(*gzip));

    if (deflateInit2_(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                      Z_DEFAULT_STRATEGY, ZLIB_VERSION, STREAM_SIZE) != Z_OK) {
        out_of_memory();
    }
    return gzip;
}

bool
gzip_step(struct gzip *gzip, struct gzip_piece *piece, bool last)
{
    int result = step(gzip, piece, deflate, last ? Z_FINISH : Z_NO_FLUSH);

    return result == Z_STREAM_END;
}

void
gzip_free(struct gzip *gzip)
{
    if (gzip != NULL) {
        deflateEnd(&gzip->stream);
        free(gzip);
    }
}
