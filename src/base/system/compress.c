/* SPDX-License-Identifier: Apache-2.0
 *
 * zlib, whose functions are found once.
 */
#include "ballast/base/compress.h"
#include "ballast/base/wide.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "ballast/base/error.h"
#include "ballast/base/heap.h"
#include "ballast/base/library.h"

#define SONAME "libz.so.1"

struct zlib {
    __typeof__(compress) *compress;
    __typeof__(compressBound) *compressBound;
    __typeof__(uncompress) *uncompress;
    __typeof__(inflateInit2_) *inflateInit2_;
    __typeof__(inflate) *inflate;
    __typeof__(inflateReset) *inflateReset;
    __typeof__(inflateEnd) *inflateEnd;
    __typeof__(deflateInit2_) *deflateInit2_;
    __typeof__(deflate) *deflate;
    __typeof__(deflateEnd) *deflateEnd;
};

#define FIND(library, function) functions.function = library_function(library, function)

static struct zlib functions;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

static void
load(void)
{
    void *library = library_open(SONAME);

    FIND(library, compress);
    FIND(library, compressBound);
    FIND(library, uncompress);
    FIND(library, inflateInit2_);
    FIND(library, inflate);
    FIND(library, inflateReset);
    FIND(library, inflateEnd);
    FIND(library, deflateInit2_);
    FIND(library, deflate);
    FIND(library, deflateEnd);
}

static const struct zlib *
zlib(void)
{
    pthread_once(&loaded, load);
    return &functions;
}

void
compress_append(struct buf *out, const void *bytes, size_t length)
{
    uLongf size = zlib()->compressBound(length);
    Bytef *compressed = heap_new(size, 1);

    /* into so much room it fits, and it runs out of memory as everything does */
    if (zlib()->compress(compressed, &size, bytes, length) != Z_OK) {
        out_of_memory();
    }
    buf_append(out, compressed, size);
    free(compressed);
}

bool
decompress_into(char *ret, const void *bytes, size_t length, size_t original_length)
{
    uLongf size = original_length;

    if (zlib()->uncompress((Bytef *)ret, &size, bytes, length) != Z_OK || size != original_length) {
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

#define GZIP_WINDOW (MAX_WBITS + 16) /* zlib's way to say gzip */
#define GZIP_MEMORY 8                /* zlib's default */
#define STEP_MAX ((size_t)1 << 30)   /* bytes; zlib counts in 32 bits */

struct gzip {
    z_stream stream;
};

/* What the library says of one step, with what is left of the piece. */
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

    if (zlib()->inflateInit2_(&gunzip->stream, GZIP_WINDOW, ZLIB_VERSION,
                              pin_width(sizeof(gunzip->stream))) != Z_OK) {
        out_of_memory();
    }
    return gunzip;
}

bool
gunzip_step(struct gzip *gunzip, struct gzip_piece *piece, bool *ret_is_over)
{
    int result = step(gunzip, piece, zlib()->inflate, Z_NO_FLUSH);

    *ret_is_over = result == Z_STREAM_END;
    if (*ret_is_over) {
        zlib()->inflateReset(&gunzip->stream);
    }
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
}

void
gunzip_free(struct gzip *gunzip)
{
    if (gunzip != NULL) {
        zlib()->inflateEnd(&gunzip->stream);
        free(gunzip);
    }
}

struct gzip *
gzip_new(void)
{
    struct gzip *gzip = heap_new(1, sizeof(*gzip));

    if (zlib()->deflateInit2_(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                              GZIP_MEMORY, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                              pin_width(sizeof(gzip->stream))) != Z_OK) {
        out_of_memory();
    }
    return gzip;
}

bool
gzip_step(struct gzip *gzip, struct gzip_piece *piece, bool last)
{
    int result = step(gzip, piece, zlib()->deflate, last ? Z_FINISH : Z_NO_FLUSH);

    return result == Z_STREAM_END;
}

void
gzip_free(struct gzip *gzip)
{
    if (gzip != NULL) {
        zlib()->deflateEnd(&gzip->stream);
        free(gzip);
    }
}
