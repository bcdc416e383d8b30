/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a text into values, of which only what is wanted ever comes to be. All
 * of it is checked nevertheless: what is taken here is JSON that jansson takes,
 * with the same values. The rest is jansson's: what is refused here may be JSON
 * all the same, of a sort that hardly occurs (real numbers, integers of more
 * than 18 digits, objects of hundreds of members), and why it is none is
 * jansson's to say.
 */
#ifndef BALLAST_FORMAT_PROJECT_H
#define BALLAST_FORMAT_PROJECT_H

#include <stddef.h>

#include "ballast/format/wanted.h"

struct projector;

/* Reads a whole text with a value of any type. NULL: jansson must read it. */
const struct value *project_whole(struct arena *arena, const char *bytes, size_t length);

/* Makes a reader of objects; `choose` returns the wanted members of an object. */
struct projector *projector_new(wanted_chooser *choose, void *context);
/* Sets the function that checks an object's metadata. Call it before the first read. */
void projector_pass(struct projector *projector, wanted_passer *passes, void *context);
/* Frees a reader and its last object. NULL is fine. */
void projector_free(struct projector *projector);

struct projected {
    const struct value *root; /* valid until the next read */
    size_t length;            /* bytes of text */
    size_t lines;             /* line ends in it */
    size_t line_start;        /* offset of its last line; 0: one line */
};

/* Reads the object at the beginning of bytes[0..length), an item of `list`. False: try again with
 * more text, or with jansson. */
bool projector_read(struct projector *projector, const char *bytes, size_t length,
                    const struct wanted_of *list, struct projected *ret);

#endif
