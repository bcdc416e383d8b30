/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the worlds vary every field that the program decodes.
 */
#ifndef BALLAST_WORLDS_FIELDS_H
#define BALLAST_WORLDS_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

/* A field of which one value is enough. Types that occur in many places stand once, under a name of
 * their own (seams.c); so do kinds of one make. */
struct fixed_field {
    const char *path;
    const char *why;
};

extern const struct fixed_field fixed_fields[]; /* ends with a row without a path */

/* Runs that many worlds, and says on stdout which fields the program decodes of which they show one
 * value only, and which rows of fixed_fields it does not decode. False if there are such. */
bool check_fields(uint64_t worlds);

#endif
