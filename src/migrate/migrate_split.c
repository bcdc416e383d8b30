/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds how the replicas of a workload are divided today. Karmada divides in proportion to static
 * weights, so today's counts as weights give today's split.
 */
#include "migrate_internal.h"

#include "ballast/base/wide.h"

bool
count_read(const struct value *value, int64_t *ret)
{
    if (value != NULL && value_type(value) == VALUE_INTEGER) {
        *ret = value_integer(value);
        return *ret >= 0 && *ret <= INT32_MAX;
    }
    if (value != NULL && value_type(value) == VALUE_REAL && value_real(value) >= 0 &&
        value_real(value) <= INT32_MAX) {
        *ret = pin_real(value_real(value));
        return !((double)*ret < value_real(value));
    }
    return false;
}

static bool
template_count(struct migration *m, const struct work *work, int64_t *ret)
{
    const struct value *template = value_get(value_get(work->input->root, "spec"), "template");
    const struct value *replicas = value_get(value_get(template, "spec"), "replicas");

    *ret = DEFAULT_REPLICAS;
    if (replicas == NULL || value_type(replicas) == VALUE_NULL || count_read(replicas, ret)) {
        return true;
    }
    note_lost(m, work->input->label, "spec.template.spec.replicas", "want a count of replicas");
    return false;
}

static struct map *
counts_of(const struct override_list *overrides)
{
    struct map *counts = map_new();

    for (uint32_t i = 0; i < overrides->count; i++) {
        if (overrides->items[i].has_replicas) {
            *map_put_str(counts, overrides->items[i].cluster, NULL) =
                (void *)(uintptr_t)&overrides->items[i];
        }
    }
    return counts;
}

static int64_t
count_in(const struct map *counts, const char *cluster, int64_t otherwise)
{
    void *const *slot = map_get_str(counts, cluster);

    return slot != NULL ? ((const struct cluster_overrides *)*slot)->replicas : otherwise;
}

static bool
has_counts(const struct override_list *overrides)
{
    for (uint32_t i = 0; i < overrides->count; i++) {
        if (overrides->items[i].has_replicas) {
            return true;
        }
    }
    return false;
}

/* Fills *ret with the replicas of each cluster. False if the total exceeds Karmada's int32. */
static bool
divide(struct migration *m, const struct reach *reach, const struct override_list *overrides,
       int64_t otherwise, struct split *ret)
{
    struct cluster_share *shares = ARENA_ARRAY(m->arena, struct cluster_share, reach->n_today);
    struct map *counts = counts_of(overrides);

    ret->is_divided = true;
    for (uint32_t i = 0; i < reach->n_today; i++) {
        int64_t count = count_in(counts, reach->today[i], otherwise);

        ret->replicas += count;
        if (count > 0) {
            shares[ret->n_shares++] =
                (struct cluster_share){.cluster = reach->today[i], .replicas = count};
        }
    }
    ret->shares = shares;
    map_free(counts);
    return ret->replicas <= INT32_MAX;
}

static bool
is_even(const struct reach *reach, const struct split *split)
{
    if (split->n_shares > 0 && split->n_shares != reach->n_today) {
        return false;
    }
    for (uint32_t i = 1; i < split->n_shares; i++) {
        if (split->shares[i].replicas != split->shares[0].replicas) {
            return false;
        }
    }
    return true;
}

/* Sets the total of the preference, even if the clusters run another total today. */
static void
follow_wish(struct migration *m, struct wish *wish, struct split *split)
{
    int64_t today = split->replicas;

    wish->is_used = true;
    split->replicas = wish->total_replicas;
    if (today != wish->total_replicas) {
        note_lost(m, wish->input->label, "spec.totalReplicas",
                  "it is %lld, and the clusters have %lld today: Karmada divides anew",
                  (long long)wish->total_replicas, (long long)today);
    }
}

bool
split_read(struct migration *m, const struct work *work, const struct reach *reach,
           const struct override_list *overrides, struct split *ret)
{
    struct wish *wish = wish_find(m, work->input);
    int64_t otherwise;

    *ret = (struct split){.is_divided = false};
    if (!template_count(m, work, &otherwise)) {
        return false;
    }
    if (!reach->is_known && (wish != NULL || has_counts(overrides))) {
        note_lost(m, work->input->label, "spec.placement.clusterSelector",
                  "which clusters it selects is not known: the input has no KubeFedCluster, or one "
                  "that cannot be read");
        return false;
    }
    if (!divide(m, reach, overrides, otherwise, ret)) {
        note_lost(m, work->input->label, "spec.overrides", "more replicas than Karmada can count");
        return false;
    }
    if (wish != NULL) {
        follow_wish(m, wish, ret);
    } else if (is_even(reach, ret)) {
        ret->is_divided = false;
        ret->replicas = ret->n_shares > 0    ? ret->shares[0].replicas
                        : reach->n_today > 0 ? 0
                                             : otherwise;
    }
    return true;
}
