/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes inside the text of an object that leave every other byte as it was:
 * a JSON merge patch applied to JSON or YAML text by splicing. Pure text in,
 * text out.
 */
#ifndef BALLAST_FORMAT_EDIT_H
#define BALLAST_FORMAT_EDIT_H

#include <stddef.h>

#include "ballast/base/buf.h"
#include "ballast/base/error.h"
#include "ballast/format/value.h"

/* Appends to `out` the JSON text of one object with `patch` (an object) merged into it. Indentation
 * of what is new follows the surroundings. */
bool edit_json(const char *text, size_t length, const struct value *patch, struct buf *out,
               struct error *err);

/* The same for one object within a YAML text of one or several documents. Refused, with the place,
 * where the change would reach other objects through an anchor, or cannot be made without rewriting
 * more than its own members. */
struct yaml_edit {
    size_t document; /* of those that have content, from 0 */
    long item;       /* the index in its `items` when it is a List, or -1 */
    const struct value *patch;
    bool done;          /* out */
    struct error error; /* out, unless done */
};

/* Makes those edits that can be made; the text is read once for all of them. False when the text as
 * a whole cannot be edited: then nothing is done, err says why, and `out` is not to be used. */
bool edit_yaml(const char *text, size_t length, struct yaml_edit *edits, size_t count,
               struct buf *out, struct error *err);

#endif
