/* SPDX-License-Identifier: Apache-2.0
 *
 * The one place where bytes of files become text: UTF-8 stays as it is; UTF-16,
 * as Windows PowerShell writes it, is turned into UTF-8, with its byte order mark
 * if it has one; gzip is unpacked before that. What it is, its first bytes say,
 * and not its name. And the way back, for who writes such a file anew.
 */
#ifndef BALLAST_BASE_TEXT_INPUT_H
#define BALLAST_BASE_TEXT_INPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/buf.h"
#include "ballast/base/error.h"

enum text_units { TEXT_UTF8, TEXT_UTF16_LE, TEXT_UTF16_BE };

/* How the text is stored. */
struct text_form {
    bool is_gzip;
    enum text_units units;
};

#define TEXT_UNPACKED_MAX ((uint64_t)1 << 30) /* bytes that gzip may unpack to */

struct text_input;

/* The descriptor stays the caller's, and is read from where it stands. Messages begin with `label`.
 * Once *stop is true, reading ends with ERROR_STOPPED; NULL: never. Both live as long. */
struct text_input *text_input_new(int fd, const char *label, const atomic_bool *stop);
/* Wipes the text, which may be secret, and frees it. NULL is allowed. */
void text_input_free(struct text_input *input);
/* The next bytes of the text, as many as come at once; 0 at its end. `size` is at least
 * TEXT_PIECE_MIN. Errors: IO, PARSE of what is broken or breaks off, LIMIT, STOPPED. */
#define TEXT_PIECE_MIN 16
bool text_input_read(struct text_input *input, char *ret, size_t size, size_t *ret_length,
                     struct error *err);
/* Once something was read. */
struct text_form text_input_form(const struct text_input *input);
/* Bytes of the descriptor so far, as they are stored. */
uint64_t text_input_taken(const struct text_input *input);

/* All of it, which is to be no more than `ret` may hold: else ERROR_LIMIT. */
bool text_input_all(int fd, const char *label, struct buf *ret, struct error *err);

/* Takes text in pieces, and hands on what is to be stored. */
struct text_output;
typedef bool text_sink(void *context, const char *bytes, size_t length, struct error *err);

struct text_output *text_output_new(struct text_form form, text_sink *sink, void *context);
bool text_output_write(struct text_output *output, const char *text, size_t length,
                       struct error *err);
/* Behind the last piece. */
bool text_output_end(struct text_output *output, struct error *err);
void text_output_free(struct text_output *output); /* NULL is fine */

#endif
