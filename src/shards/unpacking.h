/* SPDX-License-Identifier: Apache-2.0
 *
 * The pieces of a section unpacked in their order, ahead of whoever reads them:
 * a thread of its own does it, where there is one to be had, for it takes a
 * third of the time that reading them takes.
 */
#ifndef BALLAST_SHARDS_UNPACKING_H
#define BALLAST_SHARDS_UNPACKING_H

#include "ballast/shards/summary.h"

struct unpacking;

/* Begins to unpack a section, which with its text outlives it. unpacking_end() frees it. */
struct unpacking *unpacking_begin(const struct summary_section *section);
/* Returns the next piece's text, valid until the next call. Call it once per piece. NULL if a piece
 * is malformed; no text follows. */
const char *unpacking_next(struct unpacking *unpacking);
/* Ends the unpacking, at any time. */
void unpacking_end(struct unpacking *unpacking);

#endif
