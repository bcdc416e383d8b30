/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds where a JSON text ends, by strings, brackets and line ends alone. The decoder checks
 * whether the text between them is JSON. Takes the text in pieces of any size.
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
    size_t line_start;             /* offset of that line's column 1 (modulo 2^64) */
    size_t depth;                  /* open brackets */
    bool in_string;                /* the next byte is in a string */
    bool escaped;                  /* the next byte follows a backslash */
    bool is_too_deep;              /* brackets nest more than VALUE_DEPTH_MAX deep */
    struct text_position too_deep; /* first place that is too deep */
};

enum scan_stop {
    SCAN_MORE,  /* all bytes are used */
    SCAN_CLOSE, /* behind the outermost closing bracket */
    SCAN_LIST,  /* behind a [ at depth 1 */
};

/* Starts a scan at a place, from whose offset it counts on. */
void scan_init(struct scan *scan, struct text_position begin);
/* Expects a new outermost bracket; keeps the place. */
void scan_restart(struct scan *scan);
/* Scans bytes up to the next stop and returns how many it passed. */
size_t scan_text(struct scan *scan, const char *bytes, size_t length, enum scan_stop *ret_stop);
/* Passes white space and returns its number of bytes. */
size_t scan_space(struct scan *scan, const char *bytes, size_t length);
/* True if a byte is white space in JSON. */
bool scan_is_space(char c);
/* Returns the place of the next byte. */
struct text_position scan_place(const struct scan *scan);

#endif
