/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds whether Karmada's own cluster failover is at work: by the configuration, or by its marks. A
 * mark is a task of its taint manager, or a NoExecute taint under a key of Karmada's (its
 * controllers set them before v1.14, a ClusterTaintPolicy since). A NoExecute taint under another
 * key may have any author, and the taint manager may be off. A task goes once the replacements are
 * healthy, while the taint manager goes on evicting: so a run that saw a task notes that on the
 * binding.
 */
#include "clusters.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

#define TAINT_MANAGER "TaintManager"
#define KARMADA_KEYS "cluster.karmada.io/"
#define HOUR (60 * NANOS_PER_MINUTE)
#define MARK_COUNTS_FOR HOUR
/* A run renews its note no more often than this, which keeps the mark alive. */
#define NOTED_AGAIN_AFTER (15 * NANOS_PER_MINUTE)
#define SKEW (5 * NANOS_PER_MINUTE) /* between the clocks of two machines that run Ballast */

static const char *
find_taint(struct arena *arena, const struct fleet *fleet)
{
    for (uint32_t c = 0; c < fleet->n_clusters; c++) {
        const struct taint_list *taints = &fleet->clusters[c].taints;

        for (uint32_t i = 0; i < taints->count; i++) {
            if (str_eq(taints->items[i].effect, "NoExecute") &&
                strncmp(taints->items[i].key, KARMADA_KEYS, strlen(KARMADA_KEYS)) == 0) {
                return arena_printf(arena, "cluster %s has the taint %s:NoExecute",
                                    fleet->clusters[c].name, taints->items[i].key);
            }
        }
    }
    return NULL;
}

static const char *
find_task(struct arena *arena, const struct fleet *fleet)
{
    for (uint32_t b = 0; b < fleet->n_bindings; b++) {
        const struct binding *binding = &fleet->bindings[b];
        const struct rare_members *rare = binding_rare(binding);

        for (uint32_t i = 0; i < rare->n_eviction_tasks; i++) {
            if (str_eq(rare->eviction_tasks[i].producer, TAINT_MANAGER)) {
                return arena_printf(arena, "its taint manager evicts %s%s%s from %s",
                                    binding->namespace_, *binding->namespace_ == '\0' ? "" : "/",
                                    binding->name, rare->eviction_tasks[i].from_cluster);
            }
        }
    }
    return NULL;
}

/* Returns when a run last saw a task of the taint manager, and on which binding it noted that;
 * TIME_NONE: not within the hour. The annotation is untrusted. */
static int64_t
find_note(const struct fleet *fleet, int64_t now, uint32_t *ret_binding)
{
    int64_t latest = TIME_NONE;

    for (uint32_t b = 0; b < fleet->n_bindings; b++) {
        const char *text =
            label_list_find(&fleet->bindings[b].annotations, ANNOTATION_KARMADA_FAILOVER);
        int64_t at;

        if (text != NULL && timestamp_parse(text, &at) && at <= timestamp_add(now, SKEW) &&
            !timestamp_is_past(at, MARK_COUNTS_FOR, now) && (latest == TIME_NONE || at > latest)) {
            latest = at;
            *ret_binding = b;
        }
    }
    return latest;
}

static const char *
note_text(struct arena *arena, const struct binding *binding, int64_t at)
{
    char when[TIMESTAMP_TEXT_MAX];

    return arena_printf(arena, "a run saw its taint manager evict at %s (%s on %s%s%s)",
                        timestamp_format_seconds(at, when), ANNOTATION_KARMADA_FAILOVER,
                        binding->namespace_, *binding->namespace_ == '\0' ? "" : "/",
                        binding->name);
}

static bool
is_concerned(const struct fleet *fleet)
{
    for (uint32_t c = 0; c < fleet->n_clusters; c++) {
        if (taint_list_has_no_execute(&fleet->clusters[c].taints) &&
            fleet->clusters[c].deletion_timestamp == TIME_NONE) {
            return true;
        }
    }
    return false;
}

static const char *
find_mark(struct arena *arena, const struct fleet *fleet, int64_t now, struct karmada_at_work *ret)
{
    uint32_t noted = 0;
    const char *task = find_task(arena, fleet);
    const char *taint = find_taint(arena, fleet);
    int64_t at = task != NULL || ret->concerns_clusters ? find_note(fleet, now, &noted) : TIME_NONE;

    ret->is_news =
        task != NULL && (at == TIME_NONE || timestamp_is_past(at, NOTED_AGAIN_AFTER, now));
    if (taint != NULL || task != NULL) {
        return taint != NULL ? taint : task;
    }
    return at != TIME_NONE ? note_text(arena, &fleet->bindings[noted], at) : NULL;
}

struct karmada_at_work
find_karmada_at_work(struct arena *arena, const struct fleet *fleet, const struct policy *policy)
{
    const enum karmada_failover told = policy->failover.karmada;
    struct karmada_at_work ret = {.evicts = told == KARMADA_FAILOVER_LEAVE,
                                  .concerns_clusters = is_concerned(fleet),
                                  .ground = "failover.karmada says so"};

    if (told == KARMADA_FAILOVER_AUTO) {
        const char *mark = find_mark(arena, fleet, policy->now, &ret);

        ret.evicts = mark != NULL;
        ret.ground = mark != NULL ? mark : "no mark of its failover within the last hour";
    }
    return ret;
}
