/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects the questions before a plan. Estimators are asked about each requirements of bindings
 * in need, once per cluster that may take them. The control plane and members are asked what ties
 * their pods to nodes there.
 */
#include <stdlib.h>

#include "ballast/base/map.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/capacity/questions.h"
#include "ballast/schedule/schedule.h"

struct room_asking {
    struct arena *arena; /* of the questions */
    struct arena *scratch;
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct policy *policy;
    const bool *about; /* by binding; NULL: bindings in need */
    struct scheduler *scheduler;
    bool *receives; /* by cluster */
    bool **asked;   /* by requirements' id + 1, then cluster; NULL: not asked */
    VEC_OF(struct room_question) questions;
    VEC_OF(struct fit_question) fits;
    VEC_OF(uint32_t) clusters; /* of the present question */
    struct map *lists;         /* of clusters, of earlier questions */
};

static bool
has_trigger(const struct diagnosis *diagnosis, const struct binding_state *state)
{
    for (uint32_t i = 0; i < state->n_findings; i++) {
        if (diagnosis->findings[state->first_finding + i].triggers) {
            return true;
        }
    }
    return false;
}

bool
capacity_is_needed(const struct fleet *fleet, const struct diagnosis *diagnosis,
                   const struct policy *policy)
{
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct binding_state *state = &diagnosis->bindings[i];

        if (state->left_alone == LEFT_ALONE_NOT &&
            (policy->reschedule_all || has_trigger(diagnosis, state))) {
            return true;
        }
    }
    return false;
}

static bool
is_in_need(const struct room_asking *asking, uint32_t index)
{
    const struct binding *binding = &asking->fleet->bindings[index];
    const struct binding_state *state = &asking->diagnosis->bindings[index];

    if (state->left_alone != LEFT_ALONE_NOT || !binding_is_workload(binding)) {
        return false;
    }
    return asking->about != NULL
               ? asking->about[index]
               : asking->policy->reschedule_all || has_trigger(asking->diagnosis, state);
}

/* True if any affinity term allows the cluster. */
static bool
may_take(const struct room_asking *asking, const struct binding *binding, uint32_t cluster)
{
    static const struct affinity_term_list no_terms;
    const struct affinity_term_list *terms =
        binding->placement != NULL ? &binding->placement->cluster_affinities : &no_terms;

    for (uint32_t i = 0; i < terms->count; i++) {
        if (scheduler_filter(asking->scheduler, binding, terms->items[i].name, cluster) ==
            FILTER_PASSED) {
            return true;
        }
    }
    return terms->count == 0 &&
           scheduler_filter(asking->scheduler, binding, "", cluster) == FILTER_PASSED;
}

/* Asks about requirements once in a cluster, and about each set: few are equal. With
 * reschedule_all, asks about no sets: Karmada does so only with a feature that is off by
 * default. */
static void
ask_about(struct room_asking *asking, uint32_t index)
{
    const struct binding *binding = &asking->fleet->bindings[index];
    const struct requirements *requirements = binding_said_requirements(binding);
    bool is_set = binding_is_set(binding) && !asking->policy->reschedule_all;
    bool **row = &asking->asked[requirements != NULL ? requirements->id + 1 : 0];

    if (*row == NULL) {
        *row = ARENA_ARRAY(asking->scratch, bool, asking->fleet->n_clusters);
    }
    for (uint32_t c = 0; c < asking->fleet->n_clusters; c++) {
        const char *name = asking->fleet->clusters[c].name;
        bool is_open = is_set || (!(*row)[c] && !binding_is_suspended_in(binding, name));

        if (asking->receives[c] && is_open && may_take(asking, binding, c)) {
            (*row)[c] = (*row)[c] || !is_set;
            vec_add(&asking->questions,
                    ((struct room_question){.cluster = c,
                                            .set = is_set ? binding : NULL,
                                            .requirements = is_set ? NULL : requirements}));
        }
    }
}

/* Calls `ask` for each binding in need, if some cluster may receive and is asked. */
static void
ask_all(struct room_asking *asking, bool (*is_asked)(const struct room_asking *, uint32_t cluster),
        void (*ask)(struct room_asking *, uint32_t binding))
{
    const struct fleet *fleet = asking->fleet;
    bool any = false;

    asking->receives = ARENA_ARRAY(asking->scratch, bool, fleet->n_clusters);
    for (uint32_t c = 0; c < fleet->n_clusters; c++) {
        asking->receives[c] =
            cluster_may_receive(&asking->diagnosis->clusters[c]) && is_asked(asking, c);
        any |= asking->receives[c];
    }
    if (!any || asking->policy->mode != MODE_PLACE) {
        return;
    }
    asking->scheduler = scheduler_new(asking->scratch, fleet);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        if (is_in_need(asking, i)) {
            ask(asking, i);
        }
    }
}

static bool
is_estimated(const struct room_asking *asking, uint32_t cluster)
{
    return sources_ask_room(&asking->policy->sources, &asking->fleet->clusters[cluster],
                            &asking->fleet->members[cluster]);
}

struct room_question *
capacity_room_questions(struct arena *arena, const struct fleet *fleet,
                        const struct diagnosis *diagnosis, const struct policy *policy,
                        const bool *about, uint32_t *ret_count)
{
    struct room_asking asking = {
        .scratch = arena_new(),
        .fleet = fleet,
        .diagnosis = diagnosis,
        .policy = policy,
        .about = about,
    };

    asking.asked = ARENA_ARRAY(asking.scratch, bool *, (size_t)fleet->n_requirements + 1);
    ask_all(&asking, is_estimated, ask_about);
    struct room_question *result = vec_to_arena(&asking.questions, arena);

    *ret_count = pin_uint32(asking.questions.count);
    vec_free(&asking.questions);
    arena_free(asking.scratch);
    return result;
}

/* --- running replicas that may move --- */

/* True if a binding needs nothing but balance, and the policy moves running replicas. */
static bool
may_stop(const struct room_asking *asking, uint32_t index)
{
    const struct binding_state *state = &asking->diagnosis->bindings[index];
    bool balances = false, mends = false;

    for (uint32_t i = 0; i < state->n_findings; i++) {
        const struct finding *finding = &asking->diagnosis->findings[state->first_finding + i];
        bool is_split = finding->type == FINDING_IMBALANCE;

        balances = balances || (finding->triggers && is_split);
        mends = mends || (finding->triggers && !is_split);
    }
    return asking->about == NULL && balances && !mends && policy_takes_running(asking->policy);
}

static int
cluster_cmp(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Returns the gathered clusters, sorted. Equal lists of questions are shared. */
static const uint32_t *
keep_clusters(struct room_asking *asking)
{
    uint32_t count = pin_uint32(asking->clusters.count);
    size_t size = count * sizeof(uint32_t);

    qsort(asking->clusters.items, count, sizeof(uint32_t), cluster_cmp);
    void **known = map_get(asking->lists, asking->clusters.items, size);

    if (known == NULL) {
        uint32_t *list = vec_to_arena(&asking->clusters, asking->arena);

        known = map_put(asking->lists, list, size, NULL);
        *known = list;
    }
    return *known;
}

static void
ask_about_gathered(struct room_asking *asking, struct fit_question question)
{
    if (asking->clusters.count > 0) {
        question.n_clusters = pin_uint32(asking->clusters.count);
        question.clusters = keep_clusters(asking);
        vec_add(&asking->fits, question);
    }
    asking->clusters.count = 0;
}

/* Gathers ready clusters with replicas of the binding. */
static void
gather_where_it_runs(struct room_asking *asking, const struct binding *binding)
{
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];

        if (target->cluster != CLUSTER_NONE && target->replicas > 0 &&
            asking->diagnosis->clusters[target->cluster].ready) {
            vec_add(&asking->clusters, target->cluster);
        }
    }
}

static void
ask_what_protects(struct room_asking *asking, uint32_t index)
{
    if (may_stop(asking, index)) {
        gather_where_it_runs(asking, &asking->fleet->bindings[index]);
        ask_about_gathered(asking, (struct fit_question){.binding = index, .may_stop = true});
    }
}

static bool
is_looked_into(const struct room_asking *asking, uint32_t cluster)
{
    const struct member *member = &asking->fleet->members[cluster];

    return member->has_pods || member->has_nodes;
}

/* --- pods onto nodes --- */

/* True where the ledger fits pods: it needs both nodes and pods. */
static bool
is_fitted(const struct room_asking *asking, uint32_t cluster)
{
    const struct member *member = &asking->fleet->members[cluster];

    return member->has_nodes && member->has_pods;
}

static void
ask_fit(struct room_asking *asking, uint32_t index)
{
    const struct binding *binding = &asking->fleet->bindings[index];

    if ((binding->requirements == NULL && binding->replicas == 0) || binding_is_set(binding)) {
        return;
    }
    for (uint32_t c = 0; c < asking->fleet->n_clusters; c++) {
        if (asking->receives[c] &&
            !binding_is_suspended_in(binding, asking->fleet->clusters[c].name) &&
            may_take(asking, binding, c)) {
            vec_add(&asking->clusters, c);
        }
    }
    if (asking->clusters.count > 0) {
        ask_about_gathered(asking, (struct fit_question){.binding = index});
        gather_where_it_runs(asking, binding);
        ask_about_gathered(asking, (struct fit_question){.binding = index, .is_there = true});
    }
}

static bool
is_drained(const struct room_asking *asking, const bool *drained, const struct target *target)
{
    return target->cluster != CLUSTER_NONE && target->replicas > 0 && drained[target->cluster] &&
           is_looked_into(asking, target->cluster);
}

/* Asks what protects the workloads of drained clusters, and what ties them to their data. */
static void
ask_what_is_drained(struct room_asking *asking, const bool *drained)
{
    for (uint32_t b = 0; b < asking->fleet->n_bindings; b++) {
        const struct binding *binding = &asking->fleet->bindings[b];
        bool may_go = asking->diagnosis->bindings[b].left_alone == LEFT_ALONE_NOT;

        for (uint32_t i = 0; may_go && i < binding->clusters.count; i++) {
            if (is_drained(asking, drained, &binding->clusters.items[i])) {
                vec_add(&asking->clusters, binding->clusters.items[i].cluster);
            }
        }
        if (asking->clusters.count > 0) {
            struct fit_question question = {.binding = b,
                                            .n_clusters = pin_uint32(asking->clusters.count),
                                            .clusters = keep_clusters(asking),
                                            .is_there = true};

            vec_add(&asking->fits, question);
            ask_about_gathered(asking, (struct fit_question){.binding = b, .may_stop = true});
        }
    }
}

static int
question_cmp(const void *a, const void *b)
{
    const struct fit_question *x = a, *y = b;

    if (x->binding != y->binding) {
        return x->binding < y->binding ? -1 : 1;
    }
    return (x->is_there - y->is_there) * 2 + (x->may_stop - y->may_stop);
}

static void
sort_by_binding(struct room_asking *asking)
{
    if (asking->fits.count > 1) {
        qsort(asking->fits.items, asking->fits.count, sizeof(*asking->fits.items), question_cmp);
    }
}

struct fit_question *
capacity_fit_questions(struct arena *arena, const struct fleet *fleet,
                       const struct diagnosis *diagnosis, const struct policy *policy,
                       struct fit_wanted wanted, uint32_t *ret_count)
{
    struct room_asking asking = {
        .arena = arena,
        .scratch = arena_new(),
        .fleet = fleet,
        .diagnosis = diagnosis,
        .policy = policy,
        .about = wanted.about,
        .lists = map_new(),
    };

    if (policy->overcommit_protection) {
        ask_all(&asking, is_fitted, ask_fit);
    }
    ask_all(&asking, is_looked_into, ask_what_protects);
    if (wanted.drained != NULL && !policy_stands_in(policy)) {
        ask_what_is_drained(&asking, wanted.drained);
    }
    sort_by_binding(&asking);
    struct fit_question *result = vec_to_arena(&asking.fits, arena);

    *ret_count = pin_uint32(asking.fits.count);
    vec_free(&asking.fits);
    vec_free(&asking.clusters);
    map_free(asking.lists);
    arena_free(asking.scratch);
    return result;
}
