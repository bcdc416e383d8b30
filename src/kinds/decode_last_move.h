/* SPDX-License-Identifier: Apache-2.0
 *
 * The annotation of the last move, for the decoder of bindings.
 */
#ifndef BALLAST_KINDS_DECODE_LAST_MOVE_H
#define BALLAST_KINDS_DECODE_LAST_MOVE_H

#include "ballast/annotations/last_move.h"
#include "field.h"

extern const struct field last_move_table[];
#define KEPT_LAST_MOVE                                                                             \
    KEPT(ANNOTATION_LAST_MOVE, .flags = FIELD_MOST(LAST_MOVE_TEXT_MAX),                            \
         AS_OBJECT(0, last_move_table))

/* NULL, and why in *ret_problem, when the text is none. */
const struct last_move *decode_last_move(struct decoder *outer, const char *text, size_t length,
                                         const char **ret_problem);

#endif
