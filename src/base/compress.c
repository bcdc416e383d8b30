/* SPDX-License-Identifier: Apache-2.0
 *
 * zlib, whose functions are found once.
 */
#include "ballast/base/compress.h"

#include <pthread.h>
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
};

static struct zlib functions;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

static void
load(void)
{
    void *library = library_open(SONAME);

    functions.compress = (__typeof__(compress) *)library_find(library, "compress");
    functions.compressBound = (__typeof__(compressBound) *)library_find(library, "compressBound");
    functions.uncompress = (__typeof__(uncompress) *)library_find(library, "uncompress");
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
