/* SPDX-License-Identifier: Apache-2.0
 *
 * The disruption guard: if many clusters look unhealthy at once, the observer is more likely cut
 * off than all of them lost. The guard follows the zones of kubernetes' node lifecycle controller
 * (ComputeZoneState and handleDisruption of pkg/controller/nodelifecycle). Kubernetes evicts from a
 * zone that is lost as a whole, and not from a zone that is disrupted in part. If all zones are
 * lost, Kubernetes evicts from none.
 */
#include "clusters.h"
#include "diagnose/members/observed.h"

#include "ballast/annotations/last_move.h"
#include "ballast/base/buf.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/model/failure_domain.h"

#define GROUPS_TEXT_MAX 4096 /* bytes of names; there may be a group per cluster */
#define SMALL_GROUP_MAX 2    /* unready clusters that do not stop a group, as in Kubernetes */
#define REGIONS_MIN 3        /* from this number on, clusters are grouped by region by default */
#define WARNING_PERCENT 40
#define WARNING_MIN 2 /* clusters */
#define LONG_LOST                                                                                  \
    (INT64_C(24) * 60 * NANOS_PER_MINUTE) /* too old to show anything about the observer */
#define GROUP_NONE UINT32_MAX

struct failure_domain {
    const char *name;
    uint32_t clusters, not_ready, due;
    uint32_t back; /* ready, but only just */
};

struct census {
    struct arena *arena;
    const struct policy *policy;
    enum guard_group by;
    uint32_t n_watched;              /* clusters that are not being deleted */
    uint32_t n_silent, n_overdue;    /* of them: not ready; past the threshold */
    uint32_t n_deleting;             /* the observer is not cut off from these */
    struct failure_domain all, rest; /* clusters that count; rest: without the lost groups */
    struct failure_domain *groups;
    uint32_t n_groups; /* groups with clusters that count */
    uint32_t n_lost;
    uint32_t n_doubtful; /* groups that are not lost, but have no cluster that is surely there */
    uint32_t *group_of;  /* by cluster; GROUP_NONE: not known, or the cluster does not count */
};

/* Clusters without a group do not fail together. */
static uint32_t
find_group(struct census *census, struct map *by_name, const struct cluster *cluster)
{
    const char *name = failure_domain_name(census->arena, cluster, census->by);

    if (census->by == GUARD_BY_NONE || str_is_empty(name)) {
        return GROUP_NONE;
    }
    void **slot = map_put_str(by_name, name, NULL);

    if (*slot == NULL) {
        *slot = &census->groups[census->n_groups++];
        *(struct failure_domain *)*slot = (struct failure_domain){.name = name};
    }
    return pin_uint32((struct failure_domain *)*slot - census->groups);
}

/* True if the cluster has been ready for less time than a cluster must be unready to be lost. */
static bool
is_just_back(const struct cluster *cluster, const struct cluster_health *health,
             const struct policy *policy)
{
    const struct condition *ready = condition_list_find(&cluster->conditions, "Ready");

    return health->ready && ready != NULL && ready->last_transition != TIME_NONE &&
           !timestamp_is_past(ready->last_transition, policy->unhealthy_cluster_threshold,
                              policy->now);
}

/* For the guard, a cluster that is back still holds the replicas that left it since. Otherwise the
 * guard would not hold the next run. */
static void
mark_left(const struct fleet *fleet, const struct past_move *past, int64_t now, bool *left)
{
    for (uint32_t i = 0; i < past->from.count && past->time <= now; i++) {
        const uint32_t cluster = fleet_find_cluster(fleet, past->from.items[i].name);
        const struct condition *ready =
            cluster != CLUSTER_NONE
                ? condition_list_find(&fleet->clusters[cluster].conditions, "Ready")
                : NULL;

        if (ready != NULL && past->time >= ready->last_transition) {
            left[cluster] = true;
        }
    }
}

static const bool *
find_left(const struct census *census, const struct fleet *fleet)
{
    bool *left = ARENA_ARRAY(census->arena, bool, fleet->n_clusters);

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct last_move *record = fleet->bindings[i].last_move;

        if (record == NULL) {
            continue;
        }
        mark_left(fleet, &record->last, census->policy->now, left);
        for (uint32_t k = 0; k < record->earlier.count; k++) {
            mark_left(fleet, &record->earlier.items[k], census->policy->now, left);
        }
    }
    return left;
}

/* Ballast's own view of a cluster overrides its condition. */
static bool
is_there(const struct cluster_health *health)
{
    return health->ready || health->agent_down;
}

/* A cluster that is surely there counts, empty or not: the observer is not cut off from it. Another
 * cluster counts if its loss would move replicas and is not old. */
static bool
counts(const struct census *census, const struct cluster *cluster,
       const struct cluster_health *health, bool is_back, bool was_left)
{
    bool holds = cluster->holds_replicas || (is_back && was_left);
    bool long_lost = !health->healthy && health->since != TIME_NONE &&
                     timestamp_is_past(health->since, LONG_LOST, census->policy->now);

    return (is_there(health) && !is_back) || (holds && !long_lost);
}

static void
count_in(struct failure_domain *group, const struct cluster_health *health, bool is_back)
{
    group->clusters++;
    group->not_ready += is_there(health) ? 0 : 1;
    group->due += health->healthy ? 0 : 1;
    group->back += is_back ? 1 : 0;
}

/* Counts clusters that may not be there to stay. An observer that was cut off gets its clusters
 * back one after another: the missing ones are not lost because others are back. (Kubernetes gives
 * all nodes a new grace period when a full disruption ends.) */
static uint32_t
doubtful(const struct failure_domain *group)
{
    return group->not_ready + group->back;
}

static const char *
back_text(const struct failure_domain *group)
{
    return group->back > 0 ? " or only just back" : "";
}

static bool
is_lost_group(const struct failure_domain *group)
{
    return group->clusters > 0 && group->not_ready == group->clusters && group->due > 0;
}

static void
count_missing(struct failure_domain *group, uint32_t n_missing)
{
    group->clusters += n_missing;
    group->not_ready += n_missing;
    group->due += n_missing;
}

static void
add_up_groups(struct census *census)
{
    census->rest = census->all;
    for (uint32_t i = 0; i < census->n_groups; i++) {
        const struct failure_domain *group = &census->groups[i];

        if (census->n_groups > 1 && is_lost_group(group)) {
            census->n_lost++;
            census->rest.clusters -= group->clusters;
            census->rest.not_ready -= group->not_ready;
            census->rest.due -= group->due;
            census->rest.back -= group->back;
        } else {
            census->n_doubtful += doubtful(group) == group->clusters ? 1 : 0;
        }
    }
}

/* A deletion is a decision, and no sign of a cut-off observer. Unready clusters count before the
 * threshold, too: a cut-off observer sees clusters fall one after another. */
static void
take_census(struct census *census, const struct fleet *fleet, const struct cluster_health *health)
{
    struct map *by_name = map_new();
    const bool *left = find_left(census, fleet);

    census->groups = ARENA_ARRAY(census->arena, struct failure_domain, fleet->n_clusters);
    census->group_of = ARENA_ARRAY(census->arena, uint32_t, fleet->n_clusters);
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct cluster *cluster = &fleet->clusters[i];
        bool is_back = is_just_back(cluster, &health[i], census->policy);
        bool is_watched = cluster->deletion_timestamp == TIME_NONE;

        census->group_of[i] = GROUP_NONE;
        census->n_deleting += is_watched ? 0 : 1;
        census->n_watched += is_watched ? 1 : 0;
        census->n_silent += is_watched && !is_there(&health[i]) ? 1 : 0;
        census->n_overdue += is_watched && !health[i].healthy ? 1 : 0;
        if (is_watched && counts(census, cluster, &health[i], is_back, left[i])) {
            census->group_of[i] = find_group(census, by_name, cluster);
            count_in(&census->all, &health[i], is_back);
            if (census->group_of[i] != GROUP_NONE) {
                count_in(&census->groups[census->group_of[i]], &health[i], is_back);
            }
        }
    }
    map_free(by_name);
    count_missing(&census->all, fleet->n_missing_clusters);
    add_up_groups(census);
}

static enum guard_group
guard_group_of(const struct fleet *fleet, const struct policy *policy)
{
    const char *regions[REGIONS_MIN];
    uint32_t count = 0;

    if (policy->guard_by != GUARD_BY_AUTO) {
        return policy->guard_by;
    }
    for (uint32_t i = 0; i < fleet->n_clusters && count < REGIONS_MIN; i++) {
        const char *region = fleet->clusters[i].region;
        bool is_known = str_is_empty(region);

        for (uint32_t k = 0; k < count && !is_known; k++) {
            is_known = str_eq(regions[k], region);
        }
        if (!is_known) {
            regions[count++] = region;
        }
    }
    return count < REGIONS_MIN ? GUARD_BY_NONE : GUARD_BY_REGION;
}

static bool
reaches(uint64_t part, uint64_t whole, int percent)
{
    return part * 100 >= (uint64_t)percent * whole;
}

static bool
reaches_bound(const struct census *census, uint64_t part, uint64_t whole)
{
    return reaches(part, whole, census->policy->max_unhealthy_percent);
}

static void
trip(struct diagnosis *diagnosis, const char *verdict, const char *reason)
{
    diagnosis->guard_tripped = true;
    diagnosis->guard_verdict = verdict;
    diagnosis->guard_reason = reason;
}

#define NOTHING_DONE "nothing at all is done"
#define NO_FAILOVER "no cluster failover"
#define NO_FAILOVER_THERE "no cluster failover in some groups"
#define CUT_OFF "it is more likely that we are cut off from them than that they are all lost"

static bool
judge_observer(const struct census *census, const struct fleet *fleet, struct diagnosis *ret)
{
    if (!fleet_is_unwatched(fleet, census->policy->now)) {
        return false;
    }
    trip(ret, NOTHING_DONE,
         arena_printf(census->arena,
                      "KubeFed's controller manager has looked at none of %u clusters%s: it seems "
                      "to be down, and then conditions say nothing and nobody carries out a write",
                      fleet->n_clusters,
                      since_text(census->arena, fleet_probed(fleet), census->policy->now)));
    ret->guards_all = true;
    return true;
}

static const char *
share_text(const struct census *census, const struct failure_domain *group)
{
    return arena_printf(census->arena, "%u of %u clusters%s%s are not ready%s", doubtful(group),
                        group->clusters + census->n_deleting,
                        census->n_lost > 0 && group == &census->rest ? " outside of the lost " : "",
                        census->n_lost > 0 && group == &census->rest
                            ? failure_domain_word(census->by, census->n_lost > 1)
                            : "",
                        back_text(group));
}

static const char *
group_share_text(const struct census *census)
{
    return arena_printf(census->arena, "%u of %u %s are lost%s as a whole",
                        census->n_lost + census->n_doubtful, census->n_groups,
                        failure_domain_word(census->by, true),
                        census->n_doubtful > 0 ? " or in doubt" : "");
}

static bool
judge_fleet(const struct census *census, uint32_t n_missing, struct diagnosis *ret)
{
    const struct policy *policy = census->policy;
    const uint32_t n_watched = census->n_watched + n_missing;
    const struct failure_domain *rest = &census->rest;

    if (policy->max_unhealthy_percent != UNHEALTHY_PERCENT_ANY && n_watched > 0 &&
        census->n_silent + n_missing == n_watched && census->n_overdue + n_missing > 0) {
        trip(ret, NOTHING_DONE,
             arena_printf(census->arena, "none of %u clusters is ready: %s", n_watched, CUT_OFF));
        ret->guards_all = true;
    } else if (census->n_lost > 0 &&
               reaches_bound(census, census->n_lost + census->n_doubtful, census->n_groups)) {
        trip(ret, NO_FAILOVER,
             arena_printf(census->arena, "%s, %d%% or more: %s", group_share_text(census),
                          policy->max_unhealthy_percent, CUT_OFF));
    } else if (census->all.due > 0 &&
               reaches_bound(census, doubtful(rest), rest->clusters + census->n_deleting)) {
        trip(ret, NO_FAILOVER,
             arena_printf(census->arena, "%s, %d%% or more: %s", share_text(census, rest),
                          policy->max_unhealthy_percent, CUT_OFF));
    }
    return ret->guard_tripped;
}

/* Warns below the bound, but near it: the reader can check whether the clusters are down. A single
 * lost cluster is nothing unusual. If groups are lost, the bound applies to groups. */
static const char *
find_warning(const struct census *census)
{
    const struct failure_domain *all = &census->all;
    const bool has_lost = census->n_lost > 0;
    const bool by_groups =
        has_lost && reaches(census->n_lost + census->n_doubtful, census->n_groups, WARNING_PERCENT);

    if (all->due == 0 || doubtful(all) < WARNING_MIN ||
        census->policy->max_unhealthy_percent == UNHEALTHY_PERCENT_ANY ||
        !(by_groups ||
          reaches(doubtful(all), all->clusters + census->n_deleting, WARNING_PERCENT))) {
        return "";
    }
    const char *of_groups = "", *and_groups = "";

    if (has_lost) {
        of_groups = arena_printf(census->arena, " of the %s, or of the clusters in other ones,",
                                 failure_domain_word(census->by, true));
        and_groups = arena_printf(census->arena, ", and %s", group_share_text(census));
    }
    return arena_printf(census->arena,
                        "%s, %d%% or more%s: check that they are down and not only out of sight; "
                        "from %d%%%s on Ballast fails over no cluster",
                        by_groups ? group_share_text(census) : share_text(census, all),
                        WARNING_PERCENT, by_groups ? "" : and_groups,
                        census->policy->max_unhealthy_percent, of_groups);
}

static bool
is_partly_disrupted(const struct census *census, const struct failure_domain *group)
{
    return group->due > 0 && !is_lost_group(group) && doubtful(group) > SMALL_GROUP_MAX &&
           reaches_bound(census, doubtful(group), group->clusters);
}

static const char *
finish_text(const struct census *census, struct buf *text)
{
    const char *kept =
        text->length == 0 && !text->overflowed
            ? ""
            : arena_printf(census->arena, "%s%s", buf_text(text), text->overflowed ? ", ..." : "");

    buf_release(text);
    return kept;
}

static void
judge_groups(const struct census *census, struct diagnosis *ret)
{
    const char *word = failure_domain_word(census->by, false);
    bool is_tripped = false;
    struct buf disrupted, lost;

    buf_init(&disrupted, GROUPS_TEXT_MAX);
    buf_init(&lost, GROUPS_TEXT_MAX);
    for (uint32_t i = 0; i < census->n_groups; i++) {
        const struct failure_domain *group = &census->groups[i];

        if (is_partly_disrupted(census, group)) {
            is_tripped = true;
            buf_printf(&disrupted, "%s%s %s: %u of %u clusters are not ready%s, %d%% or more",
                       disrupted.length > 0 ? "; " : "", word, group->name, doubtful(group),
                       group->clusters, back_text(group), census->policy->max_unhealthy_percent);
        } else if (is_lost_group(group)) {
            buf_printf(&lost, "%s%s %s (%u clusters)", lost.length > 0 ? ", " : "", word,
                       group->name, group->clusters);
        }
    }
    ret->lost_groups = finish_text(census, &lost);
    const char *reason = finish_text(census, &disrupted);

    if (is_tripped) {
        trip(ret, NO_FAILOVER_THERE, reason);
    }
}

void
diagnose_guard(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
               struct cluster_health *health, struct diagnosis *ret)
{
    struct census census = {.arena = arena, .policy = policy, .by = guard_group_of(fleet, policy)};

    ret->guard_verdict = ret->guard_reason = ret->guard_warning = ret->lost_groups = "";
    take_census(&census, fleet, health);

    ret->guard_is_whole =
        judge_observer(&census, fleet, ret) || judge_fleet(&census, fleet->n_missing_clusters, ret);
    if (!ret->guard_is_whole) {
        ret->guard_warning = find_warning(&census);
        if (census.n_groups > 1) {
            judge_groups(&census, ret);
        }
    }
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        uint32_t group = census.group_of[i];

        health[i].guarded =
            ret->guard_is_whole || (ret->guard_tripped && group != GROUP_NONE &&
                                    is_partly_disrupted(&census, &census.groups[group]));
    }
}

static void
note_turns(const struct diagnosis *diagnosis, const struct binding *binding,
           const struct binding_state *state, bool *ret_held, bool *ret_leaves)
{
    const struct target_state *targets = diagnosis->targets + state->first_target;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        *ret_held = *ret_held || targets[i].owner == FAILOVER_OWNER_GUARDED;
        *ret_leaves = *ret_leaves || targets[i].owner == FAILOVER_OWNER_OURS;
    }
    for (uint32_t i = 0; diagnosis->guards_all && i < state->n_findings; i++) {
        *ret_held = *ret_held || diagnosis->findings[state->first_finding + i].triggers;
    }
}

void
assess_guard(struct diagnosis *diagnosis, const struct fleet *fleet, const struct policy *policy)
{
    bool held = fleet_is_unwatched(fleet, policy->now), leaves = false;

    if (!diagnosis->guard_tripped && str_is_empty(diagnosis->guard_warning)) {
        return;
    }
    for (uint32_t i = 0; i < fleet->n_bindings && !(held && leaves); i++) {
        if (diagnosis->bindings[i].left_alone == LEFT_ALONE_NOT) {
            note_turns(diagnosis, &fleet->bindings[i], &diagnosis->bindings[i], &held, &leaves);
        }
    }
    diagnosis->guard_tripped = diagnosis->guard_tripped && held;
    if (!leaves) {
        diagnosis->guard_warning = "";
    }
}
