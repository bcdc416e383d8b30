/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass over filter, select and assign: what its steps share, and affinity groups of workloads.
 */
#ifndef BALLAST_SCHEDULE_SCHEDULER_H
#define BALLAST_SCHEDULE_SCHEDULER_H

#include "ballast/base/order.h"
#include "ballast/schedule/divide.h"
#include "ballast/schedule/schedule.h"
#include "ballast/schedule/workload_groups.h"

/* Both verdicts on one cluster, each an enum filter_verdict or filter.c's NOT_ASKED. */
struct kept_verdicts {
    uint8_t newcomer;
    uint8_t target; /* for a binding with replicas there */
};

/* Verdicts of the filters for one placement, resource kind and affinity term: a cache. */
struct filter_view {
    struct filter_view *next; /* of the same placement */
    const struct placement *placement;
    const struct affinity_term *term;
    const char *api_version;
    const char *kind;
    bool workload;
    const struct cluster *clusters; /* of the fleet */
    struct kept_verdicts *verdicts; /* by cluster */
    uint32_t *overflow_order;       /* by cluster, cached; NULL: no overflow affinities */
    const int64_t *weights;         /* by cluster, of the static weight list; NULL: not asked yet */
};

struct candidate {
    uint32_t cluster;
    uint32_t overflow_order;
    int32_t score;       /* 0 or 100 */
    int32_t current;     /* present replicas */
    int32_t allocatable; /* further replicas that fit */
    int32_t assigned;    /* result */
    int64_t available;   /* allocatable + current */
    uint32_t position;   /* in the current targets, or POSITION_NONE */
    bool pinned;
};

struct region_group {
    int64_t weight; /* group score */
    uint32_t region;
    uint32_t first, count; /* in scheduler.members */
    bool required;         /* holds a pinned cluster */
};

struct scheduler {
    struct arena *arena;
    const struct fleet *fleet;
    struct workload_groups *affinity_groups; /* NULL: groups are ignored */

    /* by cluster */
    uint32_t *region; /* dense, by name; or REGION_NONE */
    uint32_t n_regions;

    /* cached views, and memory for a view beyond the cache */
    struct filter_view **views; /* by id of the placement; last: other placements */
    uint32_t n_placements;
    size_t cached_bytes;
    struct filter_view spare;
    struct kept_verdicts *spare_verdicts;
    uint32_t *spare_overflow_order;
    int64_t *spare_weights;

    /* of the current decision, by cluster */
    uint32_t *position; /* POSITION_NONE outside of a decision */
    int32_t *current;
    bool *evicting;

    /* working memory, one per cluster (groups: per region) */
    struct candidate *candidates, *candidates_swap;
    struct order_item *order, *order_swap;
    struct share *shares;
    uint32_t *share_candidates;
    int32_t *caps, *replicas;
    uint32_t *members; /* indices of candidates, grouped by region */
    struct region_group *groups;
    uint32_t *chosen, *group_walk, *group_ranks; /* indices of groups; by group */
    bool *region_taken;                          /* by region */
    bool *taken;                                 /* by candidate */
    void *choice_memory;
    size_t choice_capacity;
};

/* One pass over filter, select and assign with one affinity term. */
struct attempt {
    struct scheduler *scheduler;
    struct arena *arena; /* for texts */
    const struct schedule_request *request;
    const struct placement *placement;
    const struct affinity_term *term; /* the observed one; NULL: none */
    struct filter_view *view;
    bool partial;
    bool is_silent; /* the message is not needed */
    bool overflows; /* replicas are assigned by tiers */
    struct candidate *candidates;
    uint32_t n_candidates;
    uint32_t n_pinned; /* of the candidates */

    int64_t unplaced;
    enum schedule_failure failure;
    const char *message;
};

/* Sets the failure, whose text lives as long as the result. Returns false. */
bool attempt_fail(struct attempt *attempt, enum schedule_failure failure, const char *message);
/* Returns the sum of the candidates' present replicas. */
int64_t candidates_current(const struct candidate *list, uint32_t count);

#endif
