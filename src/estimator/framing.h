/* SPDX-License-Identifier: Apache-2.0
 *
 * gRPC's length-prefixed messages: a flag byte (1: compressed), four bytes of
 * length, the message. An answer to a unary call is exactly one of them.
 */
#ifndef BALLAST_ESTIMATOR_FRAMING_H
#define BALLAST_ESTIMATOR_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/buf.h"
#include "ballast/base/error.h"

#define FRAME_PREFIX_SIZE 5

/* Makes room for the prefix of a message that is appended next. */
void frame_begin(struct buf *out);
/* Fills in the prefix of the one message in `out`. */
void frame_end(struct buf *out);

struct frame_reader {
    struct buf message;
    uint8_t prefix[FRAME_PREFIX_SIZE];
    uint32_t n_prefix;  /* bytes of it that have come */
    uint32_t expected;  /* length that the prefix names */
    struct error error; /* what was wrong, for good */
};

/* At most `maximum` bytes a message. */
void frame_reader_init(struct frame_reader *reader, size_t maximum);
void frame_reader_release(struct frame_reader *reader);
/* Takes what has come, in pieces of any size. False once something is wrong: no more is wanted. */
bool frame_reader_feed(struct frame_reader *reader, const void *bytes, size_t length);
/* After the last piece: whether one whole message has come. */
bool frame_reader_finish(const struct frame_reader *reader, struct error *err);

#endif
