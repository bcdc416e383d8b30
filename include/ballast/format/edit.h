/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes inside the text of an object that leave every other byte as it was:
 * merge patches (RFC 7386) applied to JSON or YAML text by splicing. The result
 * is parsed again and must mean exactly what the patches make of the values.
 */
#ifndef BALLAST_FORMAT_EDIT_H
#define BALLAST_FORMAT_EDIT_H

#include <stddef.h>

#include "ballast/base/buf.h"
#include "ballast/base/error.h"
#include "ballast/format/value.h"

/* Appends the JSON text of one object with `patch` (an object) merged into it. New members are
 * indented as the members around them. False with err: `out` may hold part of the text. */
bool edit_json(const char *text, size_t length, const struct value *patch, struct buf *out,
               struct error *err);

/* A patch of one object in a YAML text with one or more documents. edit_yaml() refuses an edit that
 * would change other objects through an anchor, or rewrite more than the object's own members. */
struct yaml_edit {
    size_t document; /* from 0; counts only documents with content */
    long item;       /* index in the document's `items`; -1: the document itself */
    const struct value *patch;
    bool done;          /* out: the edit was made */
    struct error error; /* out: why not, and where in the text */
};

/* Appends the text with every possible edit made; `edits` have the results. At most one edit per
 * object. False with err if the text as a whole cannot be edited; `out` is unusable then. */
bool edit_yaml(const char *text, size_t length, struct yaml_edit *edits, size_t count,
               struct buf *out, struct error *err);

#endif
