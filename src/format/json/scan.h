/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds where a JSON text ends, knowing only strings, brackets and line ends.
 * Whether what lies between is JSON is the decoder's business. Takes the text
 * in pieces of any size.
 */
#ifndef BALLAST_FORMAT_SCAN_H
#define BALLAST_FORMAT_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* A place in a text; line and column count from 1, the column in bytes. */
struct text_position {
    size_t offset, line, column;
};

struct scan {
    size_t offset, line;           /* of the next byte */
    size_t line_start;             /* the offset column 1 of that line has (modulo 2^64) */
    size_t depth;                  /* of brackets */
    bool in_string;                /* the next byte is in a string ... */
    bool escaped;                  /* ... and behind a backslash */
    bool is_too_deep;              /* brackets nested more than VALUE_DEPTH_MAX deep ... */
    struct text_position too_deep; /* ... here for the first time */
};

enum scan_stop {
    SCAN_MORE,  /* all bytes are used up */
    SCAN_CLOSE, /* behind the bracket that closed the outermost one */
    SCAN_LIST,  /* behind a [ at depth 1 */
};

/* Begins at a place; the offset counts from there on. */
void scan_init(struct scan *scan, struct text_position begin);
/* A new outermost bracket comes next. */
void scan_restart(struct scan *scan);
/* Returns how many bytes were passed until the stop. */
size_t scan_text(struct scan *scan, const char *bytes, size_t length, enum scan_stop *ret_stop);
/* Passes white space; returns how many bytes that was. */
size_t scan_space(struct scan *scan, const char *bytes, size_t length);
bool scan_is_space(char c);
struct text_position scan_place(const struct scan *scan);

#endif
