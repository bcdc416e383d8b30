/* SPDX-License-Identifier: Apache-2.0
 *
 * Remembers the texts of objects that were skipped. Items of a list have much in common that nobody
 * wants, above all managedFields. A text that was checked once, and comes again byte for byte, is
 * JSON again.
 */
#ifndef BALLAST_FORMAT_PASSED_H
#define BALLAST_FORMAT_PASSED_H

#include <stddef.h>
#include <stdint.h>

#define PASSED_HEAD 16 /* least bytes of an object */

struct passed_texts;

/* Returns an empty memory of texts; passed_texts_free() frees it. */
struct passed_texts *passed_texts_new(void);
/* Frees a memory of texts. NULL is fine. */
void passed_texts_free(struct passed_texts *passed);

/* Returns the slot of an object, by a mark of the name before it and its first bytes. */
size_t passed_texts_slot(uint64_t before, const char *text);
/* Returns the length of the object in a slot, if text[0..length) begins with it and it was checked
 * at this depth or deeper; else 0. */
size_t passed_texts_find(const struct passed_texts *passed, size_t slot, const char *text,
                         size_t length, size_t depth);
/* Keeps the text of a skipped one-line object in a slot, unless it is very short or very long. */
void passed_texts_keep(struct passed_texts *passed, size_t slot, const char *text, size_t length,
                       size_t depth);

#endif
