/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects that were passed over, by their text. Items of a list have much in common that nobody
 * wants, above all managedFields: what was checked once, and stands there again byte for byte, is
 * JSON again.
 */
#ifndef BALLAST_FORMAT_PASSED_H
#define BALLAST_FORMAT_PASSED_H

#include <stddef.h>
#include <stdint.h>

#define PASSED_HEAD 16 /* bytes that there must be of an object */

struct passed_texts;

struct passed_texts *passed_texts_new(void);
void passed_texts_free(struct passed_texts *passed); /* NULL is fine */

/* Where an object is looked for: by what stands before it, and by its own first PASSED_HEAD bytes.
 */
size_t passed_texts_slot(uint64_t before, const char *text);
/* The length of an object that was passed before, at no greater depth, and that text[0..length)
 * begins with; 0: none. */
size_t passed_texts_find(const struct passed_texts *passed, size_t slot, const char *text,
                         size_t length, size_t depth);
/* One that was passed, in one line. Those that are not worth it, or too large, are not kept. */
void passed_texts_keep(struct passed_texts *passed, size_t slot, const char *text, size_t length,
                       size_t depth);

#endif
