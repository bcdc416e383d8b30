/* SPDX-License-Identifier: Apache-2.0
 *
 * The annotation of the parts of a reschedule, for the decoder of bindings and for snapshots.
 */
#ifndef BALLAST_KINDS_DECODE_RESCHEDULE_PARTS_H
#define BALLAST_KINDS_DECODE_RESCHEDULE_PARTS_H

#include "ballast/annotations/reschedule_parts.h"
#include "field.h"

extern const struct field reschedule_parts_table[];
#define KEPT_RESCHEDULE_PARTS                                                                      \
    KEPT(ANNOTATION_RESCHEDULE_PARTS, .flags = FIELD_MOST(RESCHEDULE_PARTS_TEXT_MAX),              \
         AS_OBJECT(0, reschedule_parts_table))

/* NULL when they do not have it, or what stands there is of no use. */
const struct reschedule_parts *decode_reschedule_parts(struct decoder *outer,
                                                       const struct label_list *annotations);

#endif
