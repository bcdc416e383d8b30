/* SPDX-License-Identifier: Apache-2.0
 *
 * The disruption guard: whether so many clusters look unhealthy at once that it
 * is more likely the observer who is cut off. After the zones of kubernetes'
 * node lifecycle controller (ComputeZoneState and handleDisruption of
 * pkg/controller/nodelifecycle): a zone that is lost as a whole is evicted
 * from, one that is disrupted in part is not, and when all zones are lost
 * nothing is.
 */
#include "parts.h"

#include "ballast/base/buf.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/failure_domain.h"

#define GROUPS_TEXT_MAX 4096 /* of those that are named; there may be as many as clusters */
#define SMALL_GROUP_MAX 2    /* so many that are not ready do not stop a group, as in Kubernetes */

/* Clusters that fail together. */
struct failure_domain {
    const char *name;
    uint32_t clusters, not_ready, due;
    uint32_t back; /* ready again, but only just */
};

struct census {
    struct arena *arena;
    const struct policy *policy;
    struct failure_domain all, rest; /* rest: all but the groups that are lost as a whole */
    struct failure_domain *groups;
    uint32_t n_groups, n_lost;
    uint32_t n_doubtful; /* groups of which no cluster is there for sure, but that are not lost */
    uint32_t *group_of;  /* by cluster */
};

static uint32_t
find_group(struct census *census, struct map *by_name, const char *name)
{
    void **slot = map_put_str(by_name, name, NULL);

    if (*slot == NULL) {
        *slot = &census->groups[census->n_groups++];
        *(struct failure_domain *)*slot = (struct failure_domain){.name = name};
    }
    return (uint32_t)((struct failure_domain *)*slot - census->groups);
}

/* Ready, but not for as long as a cluster has to be not ready to count as lost. */
static bool
is_just_back(const struct cluster *cluster, const struct cluster_health *health,
             const struct policy *policy)
{
    const struct condition *ready = condition_list_find(&cluster->conditions, "Ready");

    return health->ready && ready != NULL && ready->last_transition != TIME_NONE &&
           !timestamp_is_past(ready->last_transition, policy->unhealthy_cluster_threshold,
                              policy->now);
}

static void
count_in(struct failure_domain *group, const struct cluster_health *health, bool is_back)
{
    group->clusters++;
    group->not_ready += health->ready ? 0 : 1;
    group->due += health->healthy ? 0 : 1;
    group->back += is_back ? 1 : 0;
}

/* Those of which it is not sure that they are there to stay. An observer that was cut off gets its
 * clusters back one after another: what is still missing then is not lost because the others are
 * back. (Kubernetes gives all nodes a new grace period when a full disruption ends.) */
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

/* Deletion is somebody's decision and no sign of being cut off. What is not ready counts before
 * the threshold, too: a cut-off observer sees clusters fall one after another. */
static void
take_census(struct census *census, const struct fleet *fleet, const struct cluster_health *health)
{
    enum guard_group by = census->policy->guard_by;
    struct map *by_name = map_new();

    census->groups = ARENA_ARRAY(census->arena, struct failure_domain, fleet->n_clusters);
    census->group_of = ARENA_ARRAY(census->arena, uint32_t, fleet->n_clusters);
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct cluster *cluster = &fleet->clusters[i];

        census->group_of[i] =
            find_group(census, by_name, failure_domain_name(census->arena, cluster, by));
        if (cluster->deletion_timestamp == TIME_NONE) {
            bool is_back = is_just_back(cluster, &health[i], census->policy);

            count_in(&census->all, &health[i], is_back);
            count_in(&census->groups[census->group_of[i]], &health[i], is_back);
        }
    }
    map_free(by_name);
    for (uint32_t i = 0; i < census->n_groups; i++) {
        const struct failure_domain *group = &census->groups[i];

        if (by != GUARD_BY_NONE && census->n_groups > 1 && is_lost_group(group)) {
            census->n_lost++;
            continue;
        }
        census->n_doubtful += group->clusters > 0 && doubtful(group) == group->clusters ? 1 : 0;
        census->rest.clusters += group->clusters;
        census->rest.not_ready += group->not_ready;
        census->rest.due += group->due;
        census->rest.back += group->back;
    }
}

static bool
reaches_bound(const struct census *census, uint64_t part, uint64_t whole)
{
    return part * 100 >= (uint64_t)census->policy->max_unhealthy_percent * whole;
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

/* Whether whoever tells of the clusters' health has fallen silent: then nobody does. */
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

/* Whether the fleet as a whole says that the observer is cut off. `whole` counts clusters being
 * deleted, too, which nobody is cut off from. */
static bool
judge_fleet(const struct census *census, uint32_t whole, struct diagnosis *ret)
{
    const struct policy *policy = census->policy;
    uint32_t deleting = whole - census->all.clusters;

    if (is_lost_group(&census->all) && policy->max_unhealthy_percent != UNHEALTHY_PERCENT_ANY) {
        trip(ret, NOTHING_DONE,
             arena_printf(census->arena, "none of %u clusters is ready: %s", census->all.clusters,
                          CUT_OFF));
        ret->guards_all = true;
    } else if (census->n_lost > 0 &&
               reaches_bound(census, census->n_lost + census->n_doubtful, census->n_groups)) {
        trip(ret, NO_FAILOVER,
             arena_printf(census->arena, "%u of %u %s are lost%s as a whole, %d%% or more: %s",
                          census->n_lost + census->n_doubtful, census->n_groups,
                          failure_domain_word(policy->guard_by, true),
                          census->n_doubtful > 0 ? " or in doubt" : "",
                          policy->max_unhealthy_percent, CUT_OFF));
    } else if (census->all.due > 0 &&
               reaches_bound(census, doubtful(&census->rest), census->rest.clusters + deleting)) {
        trip(ret, NO_FAILOVER,
             arena_printf(census->arena,
                          "%u of %u clusters%s%s are not ready%s, %d%% or more: "
                          "%s",
                          doubtful(&census->rest), census->rest.clusters + deleting,
                          census->n_lost > 0 ? " outside of the lost " : "",
                          census->n_lost > 0
                              ? failure_domain_word(policy->guard_by, census->n_lost > 1)
                              : "",
                          back_text(&census->rest), policy->max_unhealthy_percent, CUT_OFF));
    }
    return ret->guard_tripped;
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

/* Groups of which a part looks unhealthy are not left, those that do as a whole are. */
static void
judge_groups(const struct census *census, struct diagnosis *ret)
{
    const char *word = failure_domain_word(census->policy->guard_by, false);
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
    struct census census = {.arena = arena, .policy = policy};

    ret->guard_verdict = ret->guard_reason = ret->lost_groups = "";
    take_census(&census, fleet, health);

    ret->guard_is_whole =
        judge_observer(&census, fleet, ret) || judge_fleet(&census, fleet->n_clusters, ret);
    if (!ret->guard_is_whole && policy->guard_by != GUARD_BY_NONE && census.n_groups > 1) {
        judge_groups(&census, ret);
    }
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        health[i].guarded = ret->guard_is_whole ||
                            (ret->guard_tripped &&
                             is_partly_disrupted(&census, &census.groups[census.group_of[i]]));
    }
}
