/* SPDX-License-Identifier: Apache-2.0
 *
 * "key=value,key=value" as OpenTelemetry has it in variables: a W3C Baggage
 * without properties (a semicolon is part of its value). Blanks around keys and
 * values do not count; bytes may be escaped as %XX.
 */
#ifndef BALLAST_OTLP_PAIRS_H
#define BALLAST_OTLP_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

/* Where one is in the text; starts with the text alone. */
struct pairs {
    const char *text;
    size_t number; /* items so far */
};

/* Texts of the heap, NULL in a bad one. */
struct pair {
    char *key, *value;
    size_t number; /* from 1 */
    bool is_bad;   /* no "=", nothing before it, or no %XX where a % is; a NUL is none */
};

size_t pairs_most(const struct pairs *pairs); /* there may be so many, and one at least */
/* The next one; empty items are passed over. False: there is none. */
bool pairs_next(struct pairs *pairs, struct pair *ret);
void pair_release(struct pair *pair); /* wipes the value */

#endif
