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

/* Reads all of a text, which may be of any value. NULL: by jansson. */
const struct value *project_whole(struct arena *arena, const char *bytes, size_t length);

/* Makes a reader of objects; `choose` says what is wanted of an object. */
struct projector *projector_new(wanted_chooser *choose, void *context);
/* Before anything is read: who says what of an object matters once its metadata is there. */
void projector_pass(struct projector *projector, wanted_passer *passes, void *context);
/* Frees a reader with what it read last. NULL is fine. */
void projector_free(struct projector *projector);

/* An object that was read. */
struct projected {
    const struct value *root; /* until the next one is read */
    size_t length;            /* of its text */
    size_t lines;             /* ends of lines in it, */
    size_t line_start;        /* and where in it the last line begins; 0 where there is one line */
};

/* Reads the object at the beginning of bytes[0..length), in a list of the kind. False: to be tried
 * again when more has come, or by jansson. */
bool projector_read(struct projector *projector, const char *bytes, size_t length,
                    const struct wanted_of *list, struct projected *ret);

#endif
