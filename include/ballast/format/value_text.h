/* SPDX-License-Identifier: Apache-2.0
 *
 * Scalars as JSON text, shared by the writers of JSON and YAML.
 */
#ifndef BALLAST_FORMAT_VALUE_TEXT_H
#define BALLAST_FORMAT_VALUE_TEXT_H

#include "ballast/format/value.h"

/* Appends text[0..length) as a JSON string with its quotes. */
void text_write_string(const char *text, size_t length, struct buf *out);
/* Appends a short decimal, with a point or an exponent, that reads back as the same number. */
void text_write_real(double real, struct buf *out);

#endif
