/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of YAML text, for edits.
 */
#ifndef BALLAST_FORMAT_YAML_WRITE_H
#define BALLAST_FORMAT_YAML_WRITE_H

#include "ballast/format/yaml.h"

/* A member's name and its colon. */
void yaml_write_key(const char *key, bool in_flow, struct buf *out);
/* On one line: a scalar, [...] or {...}. */
void yaml_write_flow(const struct value *value, struct buf *out);
/* In block style, `indent` spaces deep; with `is_begun` the indentation of the first line is
 * already there. */
void yaml_write_block(const struct value *value, int indent, bool is_begun, struct buf *out);
/* A scalar, or a list or object without content: fits behind a key on the same line. */
bool yaml_is_inline(const struct value *value);

#endif
