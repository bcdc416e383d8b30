/* SPDX-License-Identifier: Apache-2.0
 *
 * Which items of a list are which of the list that it becomes. It knows nothing
 * of what items mean: objects that share more scalar members are more alike.
 * An alignment decides how much of a text stays, never what the text means.
 */
#ifndef BALLAST_FORMAT_LIST_ALIGN_H
#define BALLAST_FORMAT_LIST_ALIGN_H

#include "ballast/base/vec.h"
#include "ballast/format/value.h"

struct item_pair {
    size_t old, now; /* indices */
};

struct list_alignment {
    VEC_OF(struct item_pair) pairs; /* both indices ascend; unpaired items are removed or new */
    size_t compared;                /* number of pairs compared */
};

/* The search may miss items further apart than this behind the last pair. Time and `compared` are
 * linear: at most twice the window for each item of either list. */
enum { LIST_ALIGN_WINDOW = 64 };
/* Pairs the items of two lists. The caller frees ret->pairs with vec_free(). */
void list_align(const struct value *old, const struct value *now, struct list_alignment *ret);

#endif
