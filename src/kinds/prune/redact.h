/* SPDX-License-Identifier: Apache-2.0
 *
 * Replaces names: see ballast/kinds/prune.h. Private to this room.
 */
#ifndef BALLAST_KINDS_REDACT_H
#define BALLAST_KINDS_REDACT_H

#include "ballast/kinds/prune.h"
#include "kinds/schema/field.h"

struct redactor;

/* Returns a redactor that knows no text yet. */
struct redactor *redactor_new(void);
/* Frees a redactor. NULL is fine. */
void redactor_free(struct redactor *redactor);

/* Appends a mark for the text, as a JSON string. `label` is the key of a label's value, else "". */
void redactor_mark(struct redactor *redactor, enum text_class text_class, const char *label,
                   const char *text, size_t length, struct buf *out);
/* Keeps numbers that are values of this label: selectors compare them as numbers. */
void redactor_keep_numbers(struct redactor *redactor, const char *label);

/* Chooses the new names, once every text has its mark. Afterwards call redactor_reveal, and not
 * redactor_mark. */
void redactor_finish(struct redactor *redactor);
/* Appends a text with its marks replaced by new names, as JSON strings. */
void redactor_reveal(const struct redactor *redactor, const char *text, size_t length,
                     struct buf *out);

#endif
