/* SPDX-License-Identifier: Apache-2.0
 *
 * What JSON is made of: white space, strings, numbers, words. Each function
 * begins at a place in a text and returns the one behind what it has passed, or
 * NULL where that is no JSON, or not all of it is there, or it is of a sort that
 * is too rare to be handled twice: jansson then says what it is.
 */
#ifndef BALLAST_FORMAT_TOKEN_H
#define BALLAST_FORMAT_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct token_text {
    const char *end;
    size_t lines;           /* ends of lines that were passed, */
    const char *line_start; /* and what follows the last one; NULL: none was */
};

const char *token_pass_space(struct token_text *text, const char *at);
/* From behind the opening quote; *ret_escaped: there are escapes in it. */
const char *token_pass_string(const char *at, const char *end, bool *ret_escaped);
/* A number; an integer's value in *ret, if that is not a real one. */
const char *token_pass_number(const char *at, const char *end, bool *ret_real, int64_t *ret);
/* true, false, null: `word` has `length` letters. */
const char *token_pass_word(const char *at, const char *end, const char *word, size_t length);
/* The text of a string that has been passed, escapes undone, into `out`, which has room for as
 * many bytes as there are. Returns how many it took. */
size_t token_unescape(const char *text, size_t length, char *out);

/* A number that is the same for equal texts, and most likely another for others. */
uint64_t token_mark(const char *text, size_t length);

#endif
