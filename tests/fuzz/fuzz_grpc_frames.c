/* SPDX-License-Identifier: Apache-2.0
 *
 * gRPC frames and header lines: the first byte says in pieces of what size the
 * rest comes, which must make no difference.
 */
#include <stdint.h>
#include <string.h>

#include "estimator/framing.h"
#include "estimator/reply_status.h"

#define MAXIMUM 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
require(bool condition, const char *what)
{
    if (!condition) {
        BUG("%s", what);
    }
}

static void
feed(struct frame_reader *reader, const uint8_t *data, size_t size, size_t piece)
{
    bool goes_on = true;

    frame_reader_init(reader, MAXIMUM);
    for (size_t at = 0; at < size && goes_on; at += piece) {
        goes_on = frame_reader_feed(reader, data + at, size - at < piece ? size - at : piece);
        require(goes_on == (reader->error.code == ERROR_NONE), "stops without an error");
        require(reader->message.length <= MAXIMUM, "more than the maximum is kept");
    }
}

static void
check_frames(const uint8_t *data, size_t size, size_t piece)
{
    struct frame_reader whole, pieces;
    struct error whole_error = ERROR_INIT, error = ERROR_INIT;

    feed(&whole, data, size, size + 1);
    feed(&pieces, data, size, piece);
    bool is_fine = frame_reader_finish(&whole, &whole_error);

    require(is_fine == frame_reader_finish(&pieces, &error), "pieces make a difference");
    require(whole_error.code == error.code, "pieces make another error");
    if (is_fine) {
        require(whole.message.length == size - FRAME_PREFIX_SIZE, "bytes are missing");
        require(whole.message.length == pieces.message.length, "pieces lose bytes");
        require(whole.message.length == 0 ||
                    memcmp(whole.message.data, data + FRAME_PREFIX_SIZE, whole.message.length) == 0,
                "other bytes than came");
    }
    frame_reader_release(&whole);
    frame_reader_release(&pieces);
}

static void
check_headers(const char *text, size_t size)
{
    struct grpc_headers headers;

    grpc_headers_init(&headers);
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end != NULL ? (size_t)(end - text) - at + 1 : size - at;

        grpc_headers_take(&headers, text + at, length);
        at += length;
    }
    require(headers.code >= GRPC_ABSENT && headers.code <= GRPC_UNAUTHENTICATED, "an odd code");
    require(strlen(headers.message) < sizeof(headers.message) &&
                strlen(headers.content_type) < sizeof(headers.content_type) &&
                strlen(headers.encoding) < sizeof(headers.encoding),
            "a text without end");
    grpc_code_name(headers.code);
    grpc_is_content_type(headers.content_type);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    check_frames(data + 1, size - 1, data[0] > 0 ? data[0] : 1);
    check_headers((const char *)data + 1, size - 1);
    return 0;
}
