/* SPDX-License-Identifier: Apache-2.0
 *
 * One workload affinity or anti-affinity group: the clusters that members are in,
 * and which members. Private to workload_groups.c; workload_groups.h says what it is
 * for.
 *
 * A visit begins and ends in time logarithmic in the number of the group's
 * clusters, but for the first visit of a cluster.
 */
#ifndef BALLAST_SCHEDULE_GROUP_PLACES_H
#define BALLAST_SCHEDULE_GROUP_PLACES_H

#include <stdint.h>

#include "ballast/base/arena.h"
#include "ballast/model/cluster.h"

struct group_member;

/* One member in one cluster, in the member's own memory, which must not move. */
struct visit {
    const struct group_member *member;
    struct visit *next, *previous; /* in the same place */
    uint32_t cluster;              /* CLUSTER_NONE: a cluster that is gone */
};

struct group_place {
    uint32_t cluster;
    uint32_t n_visits;
    struct visit *first, *last; /* oldest first */
};

enum group_rule { RULE_AFFINITY, RULE_ANTI_AFFINITY, N_RULES };

struct group {
    enum group_rule rule;
    const char *namespace_, *name;
    struct group_place *places; /* sorted by cluster; empty places stay */
    uint32_t n_places, capacity;
    uint32_t n_placed; /* members with a visit; the caller of visit_begin counts them */
};

/* Orders groups by rule, namespace and name, for qsort and bsearch. */
int group_cmp(const void *a, const void *b);

/* Returns the place of a cluster in a group; NULL if it never had a visit. */
const struct group_place *group_find_place(const struct group *group, uint32_t cluster);

/* Adds a visit at the end of its cluster's place. A new place is in `arena`. */
void visit_begin(struct arena *arena, struct group *group, struct visit *visit);
/* Removes a visit from its place. */
void visit_end(struct group *group, struct visit *visit);

#endif
