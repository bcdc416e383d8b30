/* SPDX-License-Identifier: Apache-2.0
 *
 * The one place where bytes of files become text. gzip is unpacked first. Then
 * UTF-8 stays as it is, and UTF-16, as Windows PowerShell writes it, becomes
 * UTF-8; a byte order mark stays. The first bytes tell the form, never the name.
 * struct text_output goes the other way, to write a file in the form it had.
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

struct text_form {
    bool is_gzip;
    enum text_units units;
};

#define TEXT_UNPACKED_MAX ((uint64_t)1 << 30) /* bytes that one gzip input may unpack to */

struct text_input;

/* Returns an input that reads the descriptor from its present position; the caller closes the
 * descriptor. Errors begin with `label`. Once *stop is true (NULL: never), reading fails with
 * ERROR_STOPPED. `label` and `stop` outlive the input; text_input_free() frees it. */
struct text_input *text_input_new(int fd, const char *label, const atomic_bool *stop);
/* Wipes the held text, which may be secret, and frees the input. NULL is fine. */
void text_input_free(struct text_input *input);
#define TEXT_PIECE_MIN 16
/* Reads the next bytes of the text into ret[0..size), as many as come at once; *ret_length is 0 at
 * the end. `size` is at least TEXT_PIECE_MIN. False with err: IO, PARSE (malformed or incomplete),
 * LIMIT, STOPPED. */
bool text_input_read(struct text_input *input, char *ret, size_t size, size_t *ret_length,
                     struct error *err);
/* Returns the form of the stored text. Call it after the first text_input_read(). */
struct text_form text_input_form(const struct text_input *input);
/* Returns the bytes read from the descriptor so far, before unpacking. */
uint64_t text_input_taken(const struct text_input *input);

/* Appends the whole text of the descriptor to `ret`. False with err, which begins with `label`:
 * LIMIT if `ret` cannot hold the text, or as text_input_read(). */
bool text_input_all(int fd, const char *label, struct buf *ret, struct error *err);

/* Takes UTF-8 text in pieces and passes it in another form to a sink. */
struct text_output;
/* Stores the next bytes. False with err ends the output. */
typedef bool text_sink(void *context, const char *bytes, size_t length, struct error *err);

/* Returns an output of that form to the sink. text_output_free() frees it. */
struct text_output *text_output_new(struct text_form form, text_sink *sink, void *context);
/* Takes the next piece, which may split a character. False with err if the sink fails. */
bool text_output_write(struct text_output *output, const char *text, size_t length,
                       struct error *err);
/* Ends the output and passes its last bytes on. False with err: PARSE if the text ends within a
 * character, or if the sink fails. */
bool text_output_end(struct text_output *output, struct error *err);
/* Frees the output without ending it. NULL is fine. */
void text_output_free(struct text_output *output);

#endif
