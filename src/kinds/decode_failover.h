/* SPDX-License-Identifier: Apache-2.0
 *
 * spec.failover of a binding, and what its rules of state preservation find in
 * the status. Private to this room.
 */
#ifndef BALLAST_KINDS_DECODE_FAILOVER_H
#define BALLAST_KINDS_DECODE_FAILOVER_H

#include "decode_common.h"

/* Of struct binding_draft. */
extern const struct field failover_table[];

/* Reads status.aggregatedStatus (a list of objects) for the rules of a binding's behaviours, where
 * it has any. */
void decode_preserved_states(struct decoder *decoder, const struct value *aggregated,
                             const struct rare_members *rare);

#endif
