/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes JSON's tokens: white space, strings, numbers, words. Each function begins at a place in a
 * text and returns the place behind the token. It returns NULL if the token is no JSON, is cut off,
 * or is of a kind that is too rare to be handled twice: jansson then decides.
 */
#ifndef BALLAST_FORMAT_TOKEN_H
#define BALLAST_FORMAT_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct token_text {
    const char *end;
    size_t lines;           /* line ends passed */
    const char *line_start; /* behind the last line end; NULL: none passed */
};

/* Passes white space, counts its line ends in `text`, and returns the place behind it. */
const char *token_pass_space(struct token_text *text, const char *at);
/* Passes a string from behind its opening quote; *ret_escaped: it has escapes. Returns the place
 * behind the closing quote, or NULL. */
const char *token_pass_string(const char *at, const char *end, bool *ret_escaped);
/* Passes a number; *ret is its value unless *ret_real. Returns the place behind it; NULL: no
 * number, cut off, or one for jansson (exponents, more than 18 digits). */
const char *token_pass_number(const char *at, const char *end, bool *ret_real, int64_t *ret);
/* Passes true, false or null: `word` has `length` letters. Returns the place behind it, or NULL. */
const char *token_pass_word(const char *at, const char *end, const char *word, size_t length);
/* Writes the text of a passed string, without escapes, to `out`, which holds at least `length`
 * bytes. Returns the bytes written. */
size_t token_unescape(const char *text, size_t length, char *out);

/* Returns a number that is equal for equal texts and very likely differs for other texts. */
uint64_t token_mark(const char *text, size_t length);

#endif
