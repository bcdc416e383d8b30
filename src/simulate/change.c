/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes changes to a fleet. A lost cluster has Ready False without a transition time, which is
 * past every threshold and every bounded toleration.
 */
#include "ballast/simulate/change.h"

#include "ballast/base/str.h"
#include "ballast/diagnose/notice.h"
#include "ballast/model/failure_domain.h"
#include "simulate_internal.h"

static const struct {
    const char *name, *verb;
} types[] = {
#define X(id, name, verb) {name, verb},
    CHANGE_TYPES(X)
#undef X
};

static const struct {
    const char *name, *word;
} fates[] = {
#define X(id, name, word, text) {name, word},
    CLUSTER_FATES(X)
#undef X
};

const char *
change_type_name(enum change_type type)
{
    return types[type].name;
}

const char *
change_type_verb(enum change_type type)
{
    return types[type].verb;
}

const char *
cluster_fate_name(enum cluster_fate fate)
{
    return fates[fate].name;
}

const char *
cluster_fate_word(enum cluster_fate fate)
{
    return fates[fate].word;
}

/* `grouped` points into the bindings. */
static void
follow_groups(struct draft *draft)
{
    const struct fleet *original = draft->original;
    const struct binding **grouped =
        ARENA_ARRAY(draft->arena, const struct binding *, original->n_grouped);

    for (uint32_t i = 0; i < original->n_grouped; i++) {
        grouped[i] = &draft->bindings[original->grouped[i] - original->bindings];
    }
    draft->fleet.grouped = original->n_grouped > 0 ? grouped : NULL;
}

struct binding *
draft_bindings(struct draft *draft)
{
    const struct fleet *original = draft->original;

    if (draft->bindings == NULL) {
        draft->bindings = arena_memdup(draft->arena, original->bindings,
                                       original->n_bindings * sizeof(*original->bindings));
        draft->fleet.bindings = draft->bindings;
        follow_groups(draft);
    }
    return draft->bindings;
}

/* --- lose and drain --- */

static bool
is_meant(struct arena *arena, const struct change *change, const struct cluster *cluster)
{
    const char *name = change->by == GUARD_BY_NONE
                           ? cluster->name
                           : failure_domain_name(arena, cluster, change->by);

    return str_eq(name, change->name) ||
           (change->by == GUARD_BY_ZONE && str_list_has(&cluster->zones, change->name));
}

static const char *
group_hint(struct draft *draft, const struct change *change)
{
    const struct fleet *fleet = &draft->fleet;
    const char **known = ARENA_ARRAY(draft->arena, const char *, fleet->n_clusters);

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        known[i] = failure_domain_name(draft->arena, &fleet->clusters[i], change->by);
    }
    return str_hint(draft->arena, change->name, known, fleet->n_clusters, "");
}

static bool
take_clusters(struct draft *draft, const struct change *change, struct error *err)
{
    enum cluster_fate fate = change->type == CHANGE_LOSE ? FATE_LOST : FATE_DRAINED;
    uint32_t count = 0;

    for (uint32_t i = 0; i < draft->fleet.n_clusters; i++) {
        if (is_meant(draft->arena, change, &draft->clusters[i])) {
            count++;
            if (draft->fates[i] != FATE_LOST) { /* a lost cluster has nothing to drain */
                draft->fates[i] = fate;
            }
            draft->clusters[i].is_drained = draft->fates[i] == FATE_DRAINED;
            draft_set_ready(draft, &draft->clusters[i], "False");
        }
    }
    if (count > 0) {
        return true;
    }
    if (change->by == GUARD_BY_NONE) {
        return draft_refuse_cluster(draft, change->name, err);
    }
    return error_set(err, ERROR_NOT_FOUND, "no cluster is in %s \"%s\"%s",
                     failure_domain_word(change->by, false), change->name,
                     group_hint(draft, change));
}

bool *
changes_drained(struct arena *arena, const struct fleet *fleet, const struct change_list *changes)
{
    bool *ret = NULL;

    for (uint32_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->items[i];

        for (uint32_t c = 0; change->type == CHANGE_DRAIN && c < fleet->n_clusters; c++) {
            ret = ret != NULL ? ret : ARENA_ARRAY(arena, bool, fleet->n_clusters);
            ret[c] = ret[c] || is_meant(arena, change, &fleet->clusters[c]);
        }
    }
    return ret;
}

/* --- scale --- */

static bool
is_asked_for(const struct draft *draft, const struct change *change, const struct binding *binding)
{
    const struct str_list *kinds = &draft->policy->scope.kinds;

    return str_eq(binding->namespace_, change->namespace_) &&
           (str_eq(binding->resource.name, change->workload) ||
            str_eq(binding->name, change->workload)) &&
           (kinds->count == 0 || str_list_has(kinds, binding->resource.kind));
}

/* Fails with the errors of `run` for unknown workloads. */
static bool
refuse_unknown(const struct draft *draft, const struct change *change, struct error *err)
{
    const struct workload_name wanted = {change->namespace_, change->workload};
    struct policy policy = *draft->policy;

    policy.scope.names = (struct str_list){.count = 0};
    policy.scope.workloads = &wanted;
    policy.scope.n_workloads = 1;
    return scope_names_exist(&draft->fleet, &policy, err)
               ? error_set(err, ERROR_NOT_FOUND, "no binding belongs to workload %s",
                           change->workload)
               : false;
}

static bool
scale(struct draft *draft, const struct change *change, struct error *err)
{
    struct binding *bindings = draft_bindings(draft), *found = NULL;

    for (uint32_t i = 0; i < draft->fleet.n_bindings; i++) {
        if (!is_asked_for(draft, change, &bindings[i])) {
            continue;
        }
        if (found != NULL) {
            return error_set(err, ERROR_USAGE, "%s and %s have the name %s: say which with --kind",
                             found->resource.kind, bindings[i].resource.kind, change->workload);
        }
        found = &bindings[i];
    }
    if (found == NULL) {
        return refuse_unknown(draft, change, err);
    }
    if (!binding_is_workload(found) || binding_is_set(found)) {
        return error_set(err, ERROR_USAGE, "%s %s %s", found->resource.kind, found->resource.name,
                         binding_is_set(found) ? "has several components, each with replicas"
                                               : "is no workload with replicas");
    }
    found->replicas = change->replicas;
    return true;
}

/* --- all changes --- */

static void
draft_init(struct draft *draft, struct arena *arena, const struct fleet *fleet,
           const struct policy *policy)
{
    *draft = (struct draft){.arena = arena, .original = fleet, .policy = policy, .fleet = *fleet};
    draft->fleet.heap = NULL; /* the original frees it */
}

static bool
make(struct draft *draft, const struct change *change, struct error *err)
{
    bool made = change->type == CHANGE_RESIZE  ? draft_resize(draft, change, err)
                : change->type == CHANGE_SCALE ? scale(draft, change, err)
                                               : take_clusters(draft, change, err);

    return made || error_wrap(err, "--%s %s", change_type_verb(change->type), change->text);
}

static uint32_t
count_fate(const struct draft *draft, enum cluster_fate fate)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < draft->fleet.n_clusters; i++) {
        count += draft->fates[i] == fate ? 1 : 0;
    }
    return count;
}

/* Losses and drains change only clusters. */
static void
keep_unharmed(const struct draft *draft, struct changed_fleet *ret)
{
    const size_t size = draft->fleet.n_clusters * sizeof(*draft->clusters);

    ret->unharmed = draft->fleet;
    ret->unharmed.clusters = arena_memdup(draft->arena, draft->clusters, size);
}

bool
fleet_change(struct arena *arena, const struct fleet *fleet, const struct change_list *changes,
             const struct policy *policy, struct changed_fleet *ret, struct error *err)
{
    struct draft draft;

    draft_init(&draft, arena, fleet, policy);
    if (!draft_add_clusters(&draft, changes, err)) {
        return false;
    }
    for (enum change_type type = CHANGE_RESIZE; type < N_CHANGE_TYPES; type++) {
        if (type == CHANGE_LOSE) {
            keep_unharmed(&draft, ret);
        }
        for (uint32_t i = 0; i < changes->count; i++) {
            if (changes->items[i].type == type && !make(&draft, &changes->items[i], err)) {
                return false;
            }
        }
    }
    ret->fleet = draft.fleet;
    ret->fates = draft.fates;
    ret->origins = draft.origins;
    ret->n_lost = count_fate(&draft, FATE_LOST);
    ret->n_drained = count_fate(&draft, FATE_DRAINED);
    ret->n_added = draft.fleet.n_clusters - fleet->n_clusters;
    return true;
}

struct policy
simulation_policy(const struct policy *policy, bool loses)
{
    struct policy ret = *policy;

    ret.mode = MODE_PLACE;
    ret.limits = (struct limits){.of[0].unit = LIMIT_UNIT_NONE};
    if (loses) {
        ret.guard_by = GUARD_BY_NONE;
        ret.max_unhealthy_percent = UNHEALTHY_PERCENT_ANY;
    }
    return ret;
}
