/* SPDX-License-Identifier: Apache-2.0
 *
 * Scalars as JSON text, shared by the writers of JSON and YAML.
 */
#ifndef BALLAST_FORMAT_VALUE_TEXT_H
#define BALLAST_FORMAT_VALUE_TEXT_H

#include "ballast/format/value.h"

/* Quoted and escaped. */
void text_write_string(const char *text, size_t length, struct buf *out);
/* The shortest decimal that reads back as the same number; never looks like an integer. */
void text_write_real(double real, struct buf *out);

#endif
