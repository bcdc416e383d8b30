/* SPDX-License-Identifier: Apache-2.0
 *
 * gRPC's length-prefixed messages: a flag byte (1: compressed), four bytes of length, the message.
 * A reply to a unary call is exactly one message.
 */
#ifndef BALLAST_ESTIMATOR_FRAMING_H
#define BALLAST_ESTIMATOR_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/buf.h"
#include "ballast/base/error.h"

#define FRAME_PREFIX_SIZE 5

/* Appends an empty prefix for a message that is appended next. Call with an empty `out`. */
void frame_begin(struct buf *out);
/* Fills in the prefix of the only message in `out`. */
void frame_end(struct buf *out);

struct frame_reader {
    struct buf message;
    uint8_t prefix[FRAME_PREFIX_SIZE];
    uint32_t n_prefix;  /* bytes of the prefix that have come */
    uint32_t expected;  /* length of the message, from the prefix */
    struct error error; /* the first error */
};

/* Starts a reader of one message of at most `maximum` bytes, to be released. */
void frame_reader_init(struct frame_reader *reader, size_t maximum);
/* Frees the message. */
void frame_reader_release(struct frame_reader *reader);
/* Takes the next bytes, in pieces of any size. False after an error: more bytes are not wanted. */
bool frame_reader_feed(struct frame_reader *reader, const void *bytes, size_t length);
/* True if one whole message has come; call it after the last piece. False with err. */
bool frame_reader_finish(const struct frame_reader *reader, struct error *err);

#endif
