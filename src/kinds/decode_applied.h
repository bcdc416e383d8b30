/* SPDX-License-Identifier: Apache-2.0
 *
 * Annotations that hold a placement, for the decoder of bindings.
 */
#ifndef BALLAST_KINDS_DECODE_APPLIED_H
#define BALLAST_KINDS_DECODE_APPLIED_H

#include "ballast/model/binding.h"
#include "field.h"

extern const struct field placed_for_table[]; /* of ANNOTATION_PLACED_FOR */

/* As decode_placement_leniently. Target: const struct placement *. */
field_converter convert_placement_leniently;

#define ANNOTATION_APPLIED_PLACEMENT "policy.karmada.io/applied-placement"

/* Sets what the scheduler applied. Upstream takes a text that does not parse as "nothing changed",
 * so that is a state and no error. */
void decode_applied_placement(struct decoder *outer, const char *text, size_t length,
                              struct binding *binding);
/* What ANNOTATION_PLACED_FOR holds; NULL when it does not parse. */
const struct placed_for *decode_placed_for(struct decoder *outer, const char *text, size_t length);

#endif
