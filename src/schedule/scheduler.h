/* SPDX-License-Identifier: Apache-2.0
 *
 * What the steps of one scheduling decision share: the scheduler with its caches
 * and working memory, the attempt under way, and the steps themselves.
 *
 * Working memory is sized by the number of clusters once, so that a decision
 * allocates nothing but its result.
 */
#ifndef BALLAST_SCHEDULE_SCHEDULER_H
#define BALLAST_SCHEDULE_SCHEDULER_H

#include "ballast/base/order.h"
#include "ballast/schedule/divide.h"
#include "ballast/schedule/schedule.h"
#include "ballast/schedule/workload_groups.h"

#define REGION_NONE UINT32_MAX

/* Both answers about one cluster, each an enum filter_verdict; filter.c knows one that is not
 * asked yet. */
struct kept_verdicts {
    uint8_t newcomer;
    uint8_t target; /* of what has replicas there already */
};

/* What the filters say about clusters for one placement, resource kind and affinity term: asked of
 * a cluster when it is needed, and kept. */
struct filter_view {
    struct filter_view *next; /* of the same placement */
    const struct placement *placement;
    const struct affinity_term *term;
    const char *api_version;
    const char *kind;
    bool workload;
    const struct cluster *clusters; /* of the fleet */
    struct kept_verdicts *verdicts; /* by cluster */
    uint32_t *overflow_order; /* by cluster, NOT_ASKED; NULL: the term has no overflow affinities */
    const int64_t *weights;   /* by cluster, of the static weight list; NULL: not yet asked */
};

/* A cluster that may be chosen. */
struct candidate {
    uint32_t cluster;
    uint32_t overflow_order;
    int32_t score;       /* 0 or 100 */
    int32_t current;     /* replicas there now */
    int32_t allocatable; /* more that fit */
    int32_t assigned;    /* the answer */
    int64_t available;   /* allocatable + current */
    uint32_t position;   /* in the current targets; POSITION_NONE when it is none */
    bool pinned;
};

#define POSITION_NONE UINT32_MAX

struct region_group {
    int64_t weight; /* the group score */
    uint32_t region;
    uint32_t first, count; /* in scheduler.members */
    bool required;         /* holds a pinned cluster */
};

struct scheduler {
    struct arena *arena;
    const struct fleet *fleet;
    struct workload_groups *mates; /* NULL: groups are not looked at */

    /* by cluster */
    uint32_t *region; /* dense, in the order of the names; REGION_NONE */
    uint32_t n_regions;

    /* cached views, and the memory of one that did not find room among them */
    struct filter_view **views; /* by the id of the placement, and behind them the others' */
    uint32_t n_placements;
    size_t cached_bytes;
    struct filter_view spare;
    struct kept_verdicts *spare_verdicts;
    uint32_t *spare_overflow_order;
    int64_t *spare_weights;

    /* of the decision under way, by cluster */
    uint32_t *position; /* POSITION_NONE outside of a decision */
    int32_t *current;
    bool *evicting;

    /* working memory: as many as clusters (groups: as regions) */
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
    bool is_silent; /* nobody reads why it fails */
    bool overflows; /* replicas are assigned in tiers */
    struct candidate *candidates;
    uint32_t n_candidates;
    uint32_t n_pinned; /* of the candidates */

    int64_t unplaced;
    enum schedule_failure failure;
    const char *message;
};

/* Sets the failure, whose text must live as long as the result; always returns false. */
bool attempt_fail(struct attempt *attempt, enum schedule_failure failure, const char *message);

/* filter.c: a cluster is one of the term's, or, for what is a workload, of its overflow. */
bool affinity_term_matches(const struct affinity_term *term, bool is_workload,
                           const struct cluster *cluster);
/* The cached view; valid until the next call. */
struct filter_view *filter_view_get(struct scheduler *scheduler, const struct binding *binding,
                                    const struct affinity_term *term);
enum filter_verdict filter_view_verdict(const struct filter_view *view, uint32_t cluster,
                                        bool is_target);
/* 0 where the term's own affinity matches, else 1 + the index of the first overflow affinity that
 * does; upstream's 1000 for what matches none (a cluster that is kept all the same). */
uint32_t filter_view_overflow_order(const struct filter_view *view, uint32_t cluster);
/* What of the filters no view holds, since it differs by binding and changes as a run goes on. */
enum filter_verdict filter_own_verdict(const struct scheduler *scheduler,
                                       const struct binding *binding, bool is_evicting,
                                       uint32_t cluster);
/* By cluster, the largest weight of the static weight list's rules that match it; 0: none. */
const int64_t *filter_view_weights(struct scheduler *scheduler, struct filter_view *view);
/* The fixed text of a verdict, without what differs by cluster. */
const char *filter_text(const struct binding *binding, const struct placement *placement,
                        enum filter_verdict verdict, const struct cluster *cluster);
/* The taint that a verdict is about; NULL: it is about none. */
const struct taint *filter_taint(const struct placement *placement, enum filter_verdict verdict,
                                 const struct cluster *cluster);
/* Clusters of the verdict count in a FitError. */
bool filter_is_counted(enum filter_verdict verdict);

/* fit_error.c: why no cluster is left. */
const char *fit_error_text(const struct attempt *attempt);

/* candidates.c: the clusters that pass, in upstream's global order. */
bool attempt_filter(struct attempt *attempt);
/* Whether replicas are divided or copied at all, and not only a place is chosen. */
bool attempt_assigns_replicas(const struct attempt *attempt);

/* select.c, select_cluster.c, select_region.c: cut the candidates down to the chosen ones. */
bool attempt_select(struct attempt *attempt);
bool select_by_cluster(struct attempt *attempt, const struct spread_constraint *constraint);
bool select_by_region(struct attempt *attempt, const struct spread_constraint *region,
                      const struct spread_constraint *cluster);
/* Keeps the candidates of these indices, in this order. */
void attempt_keep(struct attempt *attempt, const uint32_t *indices, uint32_t count);

/* How many regions to take, and how many clusters they need to have together. */
struct group_bounds {
    int64_t min, max, clusters;
};

/* choose_groups.c: which regions to take. Group i is the i-th by name. Fills `chosen` with indices
 * of groups, best first, and returns how many; 0 when no combination will do. */
uint32_t choose_groups(struct scheduler *scheduler, const struct region_group *groups,
                       uint32_t count, const struct group_bounds *bounds, uint32_t *chosen);

/* assign.c, assign_dynamic.c, assign_static.c: replicas for each chosen candidate. */
bool attempt_assign(struct attempt *attempt);
/* The replicas that they have now. */
int64_t candidates_current(const struct candidate *list, uint32_t count);
bool assign_dynamic(struct attempt *attempt, struct candidate *list, uint32_t count,
                    int32_t replicas);
bool assign_static(struct attempt *attempt, struct candidate *list, uint32_t count,
                   int32_t replicas);

#endif
