/* SPDX-License-Identifier: Apache-2.0
 *
 * Says what an operator can do, where a run cannot bring all replicas back.
 */
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/base/wording.h"
#include "explain_internal.h"

#define NAMED_MAX 3 /* clusters, or workloads, in a sentence */

/* Remedies for codes of reasons, the first that applies. */
static const struct {
    const char *code, *help;
} by_reason[] = {
    {"FailureFollowsWorkload", "repair the workload (kubectl describe pod): it fails in every "
                               "cluster"},
    {"DisruptionGuard", "if these clusters really are down: --guard-group-by region, or a higher "
                        "--max-unhealthy-percent"},
    {"ClusterFailoverOff", "add UnhealthyCluster to `triggers`: then a run moves lost replicas"},
    {"StateNotPreserved", "add the storage class to `movableStorageClasses`, if claims may stay "
                          "behind"},
};

static const char *
left_alone_remedy(const struct subject *subject)
{
    switch ((enum left_alone)subject->state->left_alone) {
    case LEFT_ALONE_KIND:
        return arena_printf(subject->arena,
                            "add %s to `movableKinds` (--movable-kinds %s), if its "
                            "state or work may be lost",
                            subject->binding->resource.kind, subject->binding->resource.kind);
    case LEFT_ALONE_OPTED_OUT:
        return "remove the annotation ballast.io/deschedule";
    case LEFT_ALONE_SUSPENDED:
        return "end the suspension in the binding's policy";
    default:
        return "";
    }
}

static const char *
reason_remedy(const struct subject *subject)
{
    const struct decision *decision = subject->decision;

    for (size_t k = 0; k < sizeof(by_reason) / sizeof(by_reason[0]); k++) {
        for (uint32_t i = 0; i < decision->n_reasons; i++) {
            if (str_eq(decision->reasons[i].code, by_reason[k].code)) {
                return by_reason[k].help;
            }
        }
    }
    return "";
}

static bool
has_room(const struct explained_cluster *cluster)
{
    return cluster->exists && cluster->room > 0 && cluster->standing == STANDING_WELL;
}

/* True if only the affinity keeps replicas out of a cluster that has room. */
static bool
is_outside(const struct explained_cluster *cluster)
{
    return has_room(cluster) && str_eq(cluster->filter, "ClusterAffinity");
}

/* True if only a static weight of 0 does. */
static bool
is_without_weight(const struct explained_cluster *cluster)
{
    return has_room(cluster) && cluster->has_no_weight && str_eq(cluster->code, "NotChosen");
}

/* Returns a change of the policy, and the clusters that it would open: "widen the affinity of its
 * PropagationPolicy to oslo (room for 3)"; "": `is_meant` is true for none. */
static const char *
policy_remedy(const struct subject *subject, const struct explanation *of,
              bool (*is_meant)(const struct explained_cluster *), const char *change)
{
    const char *kind = str_is_empty(of->owner.policy_kind) ? "policy" : of->owner.policy_kind;
    struct name_list names = name_list_new(subject->arena, NAMED_MAX);

    for (uint32_t i = 0; i < of->n_clusters; i++) {
        const struct explained_cluster *cluster = &of->clusters[i];

        if (is_meant(cluster)) {
            name_list_add(&names, cluster->room == INT32_MAX
                                      ? cluster->name
                                      : arena_printf(subject->arena, "%s (room for %d)",
                                                     cluster->name, cluster->room));
        }
    }
    return names.count == 0 ? ""
                            : arena_printf(subject->arena, "%s its %s to %s", change, kind,
                                           name_list_text(&names, "cluster", "clusters"));
}

/* Returns " (a replica asks 2)"; "": unknown. */
static const char *
asked_text(const struct subject *subject, const char *resource)
{
    const struct requirements *requirements = subject->binding->requirements;
    const struct quantity *asked =
        requirements != NULL ? resource_list_find(&requirements->request, resource) : NULL;
    char text[QUANTITY_TEXT_MAX];

    return asked == NULL ? ""
                         : arena_printf(subject->arena, " (a replica asks %s)",
                                        quantity_format(*asked, text));
}

static const char *
cluster_remedy(const struct subject *subject, const struct explanation *of)
{
    const char *affinity = policy_remedy(subject, of, is_outside, "widen the affinity of");
    const char *weights = policy_remedy(subject, of, is_without_weight, "give a weight in");
    int64_t cools_until = TIME_NONE;
    const char *scarce = "";
    char until[TIMESTAMP_TEXT_MAX];

    for (uint32_t i = 0; i < of->n_clusters; i++) {
        const struct explained_cluster *cluster = &of->clusters[i];

        if (str_eq(cluster->code, "Cooldown") &&
            (cools_until == TIME_NONE || cluster->cools_until < cools_until)) {
            cools_until = cluster->cools_until;
        }
        if (str_eq(cluster->code, "NoRoom") && str_is_empty(scarce)) {
            scarce = cluster->bound.resource;
        }
    }
    if (!str_is_empty(affinity)) {
        return affinity;
    }
    if (!str_is_empty(weights)) {
        return weights;
    }
    if (cools_until != TIME_NONE) {
        return arena_printf(subject->arena, "wait until %s, when a cooldown ends",
                            timestamp_format_seconds(cools_until, until));
    }
    return str_is_empty(scarce)
               ? ""
               : arena_printf(subject->arena, "add nodes, or lower the workload's request for %s%s",
                              scarce, asked_text(subject, scarce));
}

/* Says which moves of this run come first, in the order of their decisions: "a later run moves
 * them, after the replicas of shop/web (2) and 3 more workloads". */
static const char *
moved_first(const struct subject *subject)
{
    const struct plan *plan = subject->of->plan;
    struct name_list names = name_list_new(subject->arena, NAMED_MAX);

    for (uint32_t i = 0; i < plan->n_decisions && plan->order != NULL; i++) {
        const uint32_t at = plan->order[i];
        const struct decision *decision = plan->decisions[at];

        if (decision != NULL && decision->moved > 0 && at != subject->index) {
            const struct object_reference *resource = &subject->of->fleet->bindings[at].resource;

            name_list_add(&names, arena_printf(subject->arena, "%s%s%s (%d)", resource->namespace_,
                                               str_is_empty(resource->namespace_) ? "" : "/",
                                               resource->name, decision->moved));
        }
    }
    return names.count == 0
               ? "a later run moves them"
               : arena_printf(subject->arena, "a later run moves them, after the replicas of %s",
                              name_list_text(&names, "workload", "workloads"));
}

/* Names the limit, and the flag that lets one run move more. */
static const char *
limit_remedy(const struct subject *subject, const struct explanation *of)
{
    const char *text = moved_first(subject);

    for (uint32_t i = 0; i < of->n_settings; i++) {
        const struct explained_setting *setting = &of->settings[i];

        if (strncmp(setting->key, "limits.", strlen("limits.")) == 0) {
            text = arena_printf(subject->arena, "%s; %s is %s (%s)", text, setting->key,
                                setting->value, setting->from);
        }
    }
    return arena_printf(subject->arena, "%s; --max-replicas-moved lets one run move more", text);
}

const char *
explain_remedy(const struct subject *subject, const struct explanation *of)
{
    const bool is_held = of->action == ACTION_BLOCKED || of->unplaced > 0 || of->in_no_cluster > 0;

    if (of->owner.left_alone != LEFT_ALONE_NOT) {
        return of->state == EXPLAINED_UP ? "" : left_alone_remedy(subject);
    }
    if (of->deferred > 0 || of->action == ACTION_DEFERRED) {
        return limit_remedy(subject, of);
    }
    const char *by_code = of->state == EXPLAINED_UP ? "" : reason_remedy(subject);

    return !str_is_empty(by_code) ? by_code : is_held ? cluster_remedy(subject, of) : "";
}
