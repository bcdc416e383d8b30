/* SPDX-License-Identifier: Apache-2.0
 *
 * Places replicas on nodes by the rules.
 */
#include "pod_fit.h"

#include <string.h>

#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "fit_cost.h"
#include "fit_pods.h"

static const struct fit_rule *const rules[] = {
    &fit_node_ports,         &fit_volume_restrictions, &fit_volume_binding,      &fit_volume_zone,
    &fit_node_volume_limits, &fit_inter_pod_affinity,  &fit_pod_topology_spread,
};

#define N_RULES (sizeof(rules) / sizeof(rules[0]))

struct pod_fit {
    struct arena *arena;
    const struct member *member;
    struct node_pools *pools;
    struct fit_pods pods;
    struct fit_key *keys;
    uint32_t *nominated; /* nominated pods, as indices of `pods` */
};

struct pod_fit_taking {
    const struct room_taken **parts; /* of the pools */
    uint32_t n_parts;
};

struct pod_fit *
pod_fit_new(struct arena *arena, const struct member *member, struct node_pools *pools)
{
    struct pod_fit *fit = ARENA_NEW(arena, struct pod_fit);

    *fit = (struct pod_fit){.arena = arena, .member = member, .pools = pools};
    fit->pods = fit_pods_of(arena, member);
    fit->nominated = ARENA_ARRAY(arena, uint32_t, fit->pods.n_nominated);
    for (uint32_t i = 0, count = 0; count < fit->pods.n_nominated; i++) {
        if (fit->pods.items[i].is_nominated) {
            fit->nominated[count++] = i;
        }
    }
    return fit;
}

bool
pod_fit_is_costly(const struct pod_fit *fit, const struct requirements *requirements)
{
    const uint64_t n_nodes = fit->member->n_nodes;

    return fit_cost_of(requirements) * (n_nodes + fit->pods.n_alike) +
               fit_terms_of(requirements) * fit->pods.count >
           fit_budget(n_nodes, fit->pods.count);
}

bool
pod_fit_concerns(const struct pod_fit *fit, const struct requirements *requirements)
{
    return requirements->pod_template != NULL &&
           (fit->pods.has_anti_affinity || pod_template_is_tied(requirements->pod_template));
}

/* --- domains --- */

const struct fit_domains *
fit_run_domains(const struct fit_run *run, const char *key)
{
    const struct member *member = run->member;
    struct map *by_value;
    struct fit_key *found = *run->keys;

    while (found != NULL && !str_eq(found->key, key)) {
        found = found->next;
    }
    if (found != NULL) {
        return &found->domains;
    }
    found = ARENA_NEW(run->kept, struct fit_key);
    *found = (struct fit_key){.key = key, .next = *run->keys};
    *run->keys = found;
    found->domains.of = ARENA_ARRAY(run->kept, uint32_t, member->n_nodes);
    by_value = map_new();
    for (uint32_t node = 0; node < member->n_nodes; node++) {
        const char *value = node_label(&member->nodes[node], key);
        bool is_new = false;

        found->domains.of[node] = DOMAIN_NONE;
        if (value != NULL) {
            void **slot = map_put_str(by_value, value, &is_new);

            if (is_new) {
                *slot = (void *)(uintptr_t)found->domains.count++;
            }
            found->domains.of[node] = pin_uint32((uintptr_t)*slot);
        }
    }
    map_free(by_value);
    return &found->domains;
}

signed char *
fit_run_answers(const struct fit_run *run)
{
    return ARENA_ARRAY(run->arena, signed char, run->n_alike);
}

bool
fit_run_has_replica(const struct fit_run *run, const struct fit_pod *pod)
{
    const struct pod_template *own = run->requirements->pod_template;

    return pod->workload != NULL && str_eq(pod->workload, own->name) &&
           pod->labels->items == own->labels.items && str_eq(pod->namespace_, own->namespace_);
}

/* --- placing --- */

/* A node that is kept free for nominated pods must take a replica with and without them, since they
 * may go elsewhere. Nominated pods of other nodes do not count there. So each of these nodes is a
 * case; beyond CASES_MAX, nodes share the last one. */
#define CASES_MAX 5
#define WITHOUT_NOMINATED 0

/* Steps of placing are far shorter than comparing labels. */
#define PLACING_BUDGETS 10

struct placing {
    struct fit_run run[CASES_MAX];
    void *states[CASES_MAX][N_RULES]; /* NULL: the rule never refuses */
    uint32_t n_cases;
    uint32_t *case_of; /* by node; WITHOUT_NOMINATED: no pod is nominated to it */
    int32_t *free;     /* by node: replicas that still fit by resources */
    int32_t *placed;   /* by node */
    uint64_t each;     /* most steps to ask a node */
    uint64_t steps;    /* left */
};

static bool
refuses_in(const struct placing *placing, size_t rule, uint32_t node, uint32_t in)
{
    const void *state = placing->states[in][rule];

    return state != NULL && rules[rule]->refuses(state, &placing->run[in], node);
}

static bool
refuses(const struct placing *placing, size_t rule, uint32_t node)
{
    uint32_t of_node = placing->case_of[node];

    return refuses_in(placing, rule, node, WITHOUT_NOMINATED) ||
           (of_node != WITHOUT_NOMINATED && refuses_in(placing, rule, node, of_node));
}

/* Returns the first rule that refuses one more replica; N_RULES: none does. */
static size_t
refused_by(const struct placing *placing, uint32_t node)
{
    size_t i = 0;

    while (i < N_RULES && !refuses(placing, i, node)) {
        i++;
    }
    return i;
}

static void
place_one(struct placing *placing, uint32_t node)
{
    placing->free[node]--;
    placing->placed[node]++;
    for (uint32_t c = 0; c < placing->n_cases; c++) {
        for (size_t i = 0; i < N_RULES; i++) {
            if (placing->states[c][i] != NULL) {
                rules[i]->place(placing->states[c][i], &placing->run[c], node);
            }
        }
    }
}

/* Places replicas in rounds over all nodes, until none takes one or the steps are spent. */
static int32_t
place_all(struct placing *placing, int32_t most)
{
    int32_t placed = 0, before = -1;

    while (placed > before && placed < most) {
        before = placed;
        for (uint32_t node = 0;
             node < placing->run[WITHOUT_NOMINATED].member->n_nodes && placed < most; node++) {
            if (placing->free[node] <= 0 || placing->steps < placing->each) {
                continue;
            }
            placing->steps -= placing->each;
            if (refused_by(placing, node) == N_RULES) {
                place_one(placing, node);
                placed++;
            }
        }
    }
    return placed;
}

/* Which pods that were there before this run count. */
struct who_counts {
    const uint32_t *case_of; /* by node; NULL: all nominated pods count */
    uint32_t in;             /* of nominated pods, only those of this case count */
    bool preempts;
    int32_t priority; /* lowest that stays */
};

static bool
counts(const struct fit_pod *pod, const struct who_counts *who)
{
    if (pod->taking != NULL) {
        return true;
    }
    if (pod->is_nominated && who->case_of != NULL &&
        (who->in == WITHOUT_NOMINATED || who->case_of[pod->node] != who->in)) {
        return false;
    }
    return !who->preempts || pod->priority >= who->priority;
}

static void
leave_out(struct fit_run *run, const struct who_counts *who)
{
    struct fit_pod *there = ARENA_ARRAY(run->arena, struct fit_pod, run->n_pods);
    size_t count = 0;

    for (size_t i = 0; i < run->n_pods; i++) {
        if (counts(&run->pods[i], who)) {
            there[count++] = run->pods[i];
        }
    }
    run->pods = there;
    run->n_pods = count;
}

static void
number_cases(struct placing *placing)
{
    const struct fit_run *all = &placing->run[WITHOUT_NOMINATED];
    bool *is_awaited = ARENA_ARRAY(all->arena, bool, all->member->n_nodes);

    for (size_t i = 0; i < all->n_pods; i++) {
        is_awaited[all->pods[i].node] |= all->pods[i].is_nominated;
    }
    for (uint32_t node = 0; node < all->member->n_nodes; node++) {
        if (is_awaited[node]) {
            placing->n_cases += placing->n_cases < CASES_MAX ? 1 : 0;
            placing->case_of[node] = placing->n_cases - 1;
        }
    }
}

static bool
selects_any(const struct pod_affinity_terms *terms, const struct pod_template *own,
            const struct fit_pod *pod)
{
    bool selects = false;

    for (uint32_t i = 0; i < terms->count && !selects; i++) {
        selects = pod_affinity_term_selects(&terms->items[i], own->namespace_, pod->namespace_,
                                            pod->labels);
    }
    return selects;
}

/* True if rules may refuse or accept because of a nominated pod, so that both cases matter. Its
 * ports can only refuse, on its own node, so they need no second case. */
static bool
matters(const struct fit_pod *pod, const struct pod_template *own)
{
    return (pod->volumes != NULL && own->volumes != NULL) ||
           (pod->affinity != NULL && pod->affinity->against.count > 0) ||
           (own->spreads.count > 0 && str_eq(pod->namespace_, own->namespace_)) ||
           (own->affinity != NULL && (selects_any(&own->affinity->to, own, pod) ||
                                      selects_any(&own->affinity->against, own, pod)));
}

static bool
some_nominated_matters(const struct pod_fit *fit, const struct pod_template *own)
{
    bool some = false;

    for (uint32_t i = 0; i < fit->pods.n_nominated && !some; i++) {
        some = matters(&fit->pods.items[fit->nominated[i]], own);
    }
    return some;
}

static void
open_rules(const struct pod_fit *fit, struct placing *placing)
{
    const struct fit_run all = placing->run[WITHOUT_NOMINATED];
    const bool has_cases = some_nominated_matters(fit, all.requirements->pod_template);

    if (has_cases) {
        number_cases(placing);
    }
    for (uint32_t c = 0; c < placing->n_cases; c++) {
        placing->run[c] = all;
        if (has_cases) {
            leave_out(&placing->run[c], &(struct who_counts){.case_of = placing->case_of, .in = c});
        }
        for (size_t i = 0; i < N_RULES; i++) {
            placing->states[c][i] = rules[i]->open(&placing->run[c]);
        }
    }
}

static struct placing
begin(struct pod_fit *fit, struct arena *arena, const struct requirements *requirements)
{
    uint32_t n_nodes = fit->member->n_nodes;

    return (struct placing){
        .run[WITHOUT_NOMINATED] = {.arena = arena,
                                   .kept = fit->arena,
                                   .member = fit->member,
                                   .pods = fit->pods.items,
                                   .n_pods = fit->pods.count,
                                   .n_alike = fit->pods.n_alike,
                                   .keys = &fit->keys,
                                   .requirements = requirements},
        .n_cases = 1,
        .case_of = ARENA_ARRAY(arena, uint32_t, n_nodes),
        .free = ARENA_ARRAY(arena, int32_t, n_nodes),
        .placed = ARENA_ARRAY(arena, int32_t, n_nodes),
        .each = N_RULES + fit_cost_of(requirements),
        .steps = PLACING_BUDGETS * fit_budget(n_nodes, fit->pods.count),
    };
}

int32_t
pod_fit_count_preempting(struct pod_fit *fit, const struct requirements *requirements,
                         int32_t priority)
{
    struct arena *scratch = arena_new();
    struct placing placing = begin(fit, scratch, requirements);

    node_pools_fit_each_preempting(fit->pools, requirements, priority, placing.free);
    leave_out(&placing.run[WITHOUT_NOMINATED],
              &(struct who_counts){.preempts = true, .priority = priority});
    open_rules(fit, &placing);
    int32_t count = place_all(&placing, POD_FIT_MOST);

    arena_free(scratch);
    return count;
}

/* Returns how many replicas are placed, at most `most`. */
static int32_t
place(struct pod_fit *fit, struct arena *arena, const struct requirements *requirements,
      int32_t most, struct placing *placing)
{
    *placing = begin(fit, arena, requirements);
    node_pools_fit_each(fit->pools, requirements, placing->free);
    open_rules(fit, placing);
    return place_all(placing, most);
}

int32_t
pod_fit_count(struct pod_fit *fit, const struct requirements *requirements)
{
    struct arena *scratch = arena_new();
    struct placing placing;
    int32_t count = place(fit, scratch, requirements, POD_FIT_MOST, &placing);

    arena_free(scratch);
    return count;
}

const char *
pod_fit_refusal(struct pod_fit *fit, const struct requirements *requirements)
{
    struct arena *scratch = arena_new();
    uint32_t nodes[N_RULES + 1] = {0};
    struct placing placing;
    size_t most = 0;

    place(fit, scratch, requirements, POD_FIT_MOST, &placing);
    for (uint32_t node = 0; node < fit->member->n_nodes; node++) {
        nodes[placing.free[node] > 0 ? refused_by(&placing, node) : N_RULES]++;
    }
    for (size_t i = 1; i < N_RULES; i++) {
        most = nodes[i] > nodes[most] ? i : most;
    }
    arena_free(scratch);
    return nodes[most] > 0 ? rules[most]->plugin : NULL;
}

static void
note_placed(struct pod_fit *fit, const struct pod_template *pod_template,
            const struct pod_fit_taking *taking, uint32_t node, int32_t count)
{
    const struct fit_pod pod = {
        .node = node,
        .alike = fit->pods.n_alike - 1,
        .namespace_ = pod_template->namespace_,
        .labels = &pod_template->labels,
        .affinity = pod_template->affinity,
        .ports = &pod_template->ports,
        .volumes = pod_template->volumes,
        .taking = taking,
        .workload = pod_template->name,
    };

    for (int32_t i = 0; i < count; i++) {
        fit_pods_add(&fit->pods, &pod);
    }
}

struct pod_fit_taking *
pod_fit_take(struct pod_fit *fit, struct arena *arena, const struct requirements *requirements,
             int32_t replicas)
{
    struct pod_fit_taking *taking = ARENA_NEW(arena, struct pod_fit_taking);
    struct arena *scratch = arena_new();
    struct placing placing;
    int32_t placed = place(fit, scratch, requirements, replicas, &placing);
    const struct room_taken **parts =
        ARENA_ARRAY(scratch, const struct room_taken *, fit->member->n_nodes + (size_t)1);

    fit->pods.n_alike++;
    for (uint32_t node = 0; node < fit->member->n_nodes; node++) {
        if (placing.placed[node] > 0) {
            parts[taking->n_parts++] =
                node_pools_take_on(fit->pools, arena, requirements, node, placing.placed[node]);
            note_placed(fit, requirements->pod_template, taking, node, placing.placed[node]);
        }
    }
    if (placed < replicas) {
        parts[taking->n_parts++] =
            node_pools_take(fit->pools, arena, requirements, replicas - placed);
    }
    taking->parts = arena_memdup(arena, parts, taking->n_parts * sizeof(const struct room_taken *));
    arena_free(scratch);
    return taking;
}

void
pod_fit_give_back(struct pod_fit *fit, struct pod_fit_taking *taking)
{
    size_t kept = 0;

    for (uint32_t i = 0; i < taking->n_parts; i++) {
        node_pools_give_back(fit->pools, taking->parts[i]);
    }
    for (size_t i = 0; i < fit->pods.count; i++) {
        if (fit->pods.items[i].taking != taking) {
            fit->pods.items[kept++] = fit->pods.items[i];
        }
    }
    fit->pods.count = kept;
}
