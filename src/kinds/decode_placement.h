/* SPDX-License-Identifier: Apache-2.0
 *
 * Placements and requirements as parts of other objects. Private to this room.
 */
#ifndef BALLAST_KINDS_DECODE_PLACEMENT_H
#define BALLAST_KINDS_DECODE_PLACEMENT_H

#include "builder.h"

field_converter convert_placement;    /* const struct placement *, shared, validated */
field_converter convert_requests;     /* the same, of which v1alpha1 has the resources alone */
field_converter convert_requirements; /* const struct requirements *, shared */

extern const struct field cluster_affinity_table[];
extern const struct field placement_table[];
extern const struct field static_weight_table[];
extern const struct field requirements_table[];
extern const struct field node_selector_table[];

/* As convert_placement, without what the CRD would have refused being an error: a text that was
 * written as an annotation passed no such check. */
const struct placement *decode_placement_leniently(struct decoder *decoder,
                                                   const struct value *value);

#endif
