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

/* The section and its text must outlive it. */
struct unpacking *unpacking_begin(const struct summary_section *section);
/* The next piece's text, until the next one is asked for; to be called for as many as there are.
 * NULL: it cannot be decompressed to what was said of it, and nothing comes after it. */
const char *unpacking_next(struct unpacking *unpacking);
/* At any time. */
void unpacking_end(struct unpacking *unpacking);

#endif
