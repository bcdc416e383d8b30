/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenSSL's encoder.
 */
#include "ballast/base/base64.h"
#include "ballast/base/wide.h"

#include <stdlib.h>

#include "ballast/base/heap.h"
#include <openssl/evp.h>

void
base64_append(struct buf *out, const void *bytes, size_t length)
{
    unsigned char *text = heap_new((length + 2) / 3 * 4 + 1, 1);
    int written = EVP_EncodeBlock(text, bytes, pin_int32(length));

    buf_append(out, text, (size_t)written);
    free(text);
}
