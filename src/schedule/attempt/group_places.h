/* SPDX-License-Identifier: Apache-2.0
 *
 * One workload affinity or anti-affinity group: the clusters that members are in,
 * and which members. Private to plan/; workload_groups.h says what it is for.
 *
 * To come and to go takes time logarithmic in the number of the group's
 * clusters, but for the first who comes to one.
 */
#ifndef BALLAST_SCHEDULE_GROUP_PLACES_H
#define BALLAST_SCHEDULE_GROUP_PLACES_H

#include <stdint.h>

#include "ballast/base/arena.h"
#include "ballast/model/cluster.h"

struct group_member;

/* One member in one cluster; the member's own memory, which must stay where it is. */
struct visit {
    const struct group_member *member;
    struct visit *next, *previous; /* in the same place */
    uint32_t cluster;              /* CLUSTER_NONE: one that is gone */
};

struct group_place {
    uint32_t cluster;
    uint32_t n_visits;
    struct visit *first, *last; /* in the order in which they came */
};

enum group_rule { RULE_AFFINITY, RULE_ANTI_AFFINITY, N_RULES };

struct group {
    enum group_rule rule;
    const char *namespace_, *name;
    struct group_place *places; /* sorted by cluster; those without visits stay */
    uint32_t n_places, capacity;
    uint32_t n_placed; /* members with a visit; whoever has them come and go counts */
};

/* Total order: rule, namespace, name; for qsort and bsearch. */
int group_cmp(const void *a, const void *b);

/* NULL when nobody has been there. */
const struct group_place *group_find_place(const struct group *group, uint32_t cluster);

/* The member of the visit comes to its cluster, and goes again. */
void visit_begin(struct arena *arena, struct group *group, struct visit *visit);
void visit_end(struct group *group, struct visit *visit);

#endif
