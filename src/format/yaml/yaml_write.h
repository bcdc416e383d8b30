/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of YAML text, for edits.
 */
#ifndef BALLAST_FORMAT_YAML_WRITE_H
#define BALLAST_FORMAT_YAML_WRITE_H

#include "ballast/format/yaml.h"

/* Writes a member's name and its colon. */
void yaml_write_key(const char *key, bool in_flow, struct buf *out);
/* Writes a value on one line: a scalar, [...] or {...}. */
void yaml_write_flow(const struct value *value, struct buf *out);
/* Writes a value in block style, `indent` spaces deep. `is_begun`: the first line is indented. */
void yaml_write_block(const struct value *value, int indent, bool is_begun, struct buf *out);
/* True for a scalar and an empty list or object: it fits behind a key on one line. */
bool yaml_is_inline(const struct value *value);

#endif
