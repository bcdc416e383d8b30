/* SPDX-License-Identifier: Apache-2.0
 *
 * Every field that the program decodes, and where the worlds vary it.
 */
#ifndef BALLAST_WORLDS_FIELDS_H
#define BALLAST_WORLDS_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

/* Compares the table with what the program asks objects for; says on stdout what is missing. */
bool check_fields(uint64_t worlds);

#endif
