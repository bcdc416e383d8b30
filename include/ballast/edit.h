/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes inside the text of an object that leave every other byte as it was:
 * a JSON merge patch applied to JSON or YAML text by splicing. Pure text in,
 * text out.
 */
#ifndef BALLAST_EDIT_H
#define BALLAST_EDIT_H

#include <stddef.h>

#include "ballast/buf.h"
#include "ballast/error.h"
#include "ballast/value.h"

/* Appends to `out` the JSON text of one object with `patch` (an object) merged into it. Indentation
 * of what is new follows the surroundings. */
bool edit_json(const char *text, size_t length, const struct value *patch, struct buf *out,
               struct error *err);

/* The same for one object within a YAML text of one or several documents: `document` counts the
 * documents that have content, from 0; `item` is the index in its `items` when it is a List, or -1.
 * Refused, with the place, where the change would reach other objects through an anchor. */
bool edit_yaml(const char *text, size_t length, size_t document, long item,
               const struct value *patch, struct buf *out, struct error *err);

#endif
