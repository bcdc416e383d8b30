/* SPDX-License-Identifier: Apache-2.0
 *
 * New names for old ones: see ballast/kinds/prune.h. Private to this room.
 */
#ifndef BALLAST_KINDS_REDACT_H
#define BALLAST_KINDS_REDACT_H

#include "ballast/kinds/prune.h"
#include "kinds/schema/field.h"

struct redactor;

struct redactor *redactor_new(void);
void redactor_free(struct redactor *redactor); /* NULL is fine */

/* Appends a mark that stands for the text, as a JSON string. `label` is the key of a label's value,
 * else "". */
void redactor_mark(struct redactor *redactor, enum text_class text_class, const char *label,
                   const char *text, size_t length, struct buf *out);
/* Selectors compare values of this label as numbers: such numbers stay. */
void redactor_keep_numbers(struct redactor *redactor, const char *label);

void redactor_settle(struct redactor *redactor);
void redactor_reveal(const struct redactor *redactor, const char *text, size_t length,
                     struct buf *out);

#endif
