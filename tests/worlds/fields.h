/* SPDX-License-Identifier: Apache-2.0
 *
 * Every field that the program decodes, and where the worlds vary it.
 */
#ifndef BALLAST_WORLDS_FIELDS_H
#define BALLAST_WORLDS_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

struct field_row {
    const char *path;
    const char *varied; /* by which function; NULL: */
    const char *fixed;  /* why one value is enough */
};

/* Each ends with a row without a path. */
extern const struct field_row field_rows[], field_rows_of_volumes[];

/* Compares the table with what the program asks the objects of that many worlds for; says on stdout
 * what is missing, or is there in vain. */
bool check_fields(uint64_t worlds);

#endif
