/* SPDX-License-Identifier: Apache-2.0
 *
 * The marks by which a fleet's bindings tell nodes apart. Nodes with equal marks are equal to
 * every binding. Finding the marks reads every binding, so it happens once for all members.
 */
#ifndef BALLAST_CAPACITY_NODE_MARKS_H
#define BALLAST_CAPACITY_NODE_MARKS_H

#include "ballast/base/arena.h"
#include "ballast/model/fleet.h"

struct node_marks {
    const char *const *labels; /* sorted keys */
    uint32_t n_labels;
    bool by_hostname, by_name;
};

/* Returns the marks of a fleet, in `arena`. */
const struct node_marks *node_marks_new(struct arena *arena, const struct fleet *fleet);
/* True if a binding tells nodes apart by the label with that key. */
bool node_marks_has_label(const struct node_marks *marks, const char *key);

#endif
