/* SPDX-License-Identifier: Apache-2.0
 *
 * PodTopologySpread, DoNotSchedule: a domain may exceed the one with fewest pods by maxSkew at
 * most (pkg/scheduler/framework/plugins/podtopologyspread/filtering.go, as of Kubernetes 1.34).
 */
#include "fit_rules.h"

#include "ballast/base/str.h"
#include "ballast/schedule/estimate.h"

struct spread_state {
    const struct topology_spread *spread;
    const struct fit_domains *domains;
    bool *has_node;         /* by node: it counts */
    bool *counts;           /* by domain: a node of it counts */
    int64_t *placed;        /* by domain: selected pods */
    int64_t fewest;         /* in a domain that counts */
    uint32_t n_fewest;      /* domains with that number */
    struct label_list same; /* labels of matchLabelKeys, which a selected pod shares */
    bool takes_own;
    bool takes_others; /* other replicas of the template */
};

struct spreads_state {
    struct spread_state *items;
    uint32_t count;
};

static bool
has_all_keys(const struct spreads_state *state, uint32_t node)
{
    for (uint32_t i = 0; i < state->count; i++) {
        if (state->items[i].domains->of[node] == DOMAIN_NONE) {
            return false;
        }
    }
    return true;
}

/* Full nodes count; tainted ones count unless the policy is Honor. */
static bool
is_counted(const struct fit_run *run, const struct topology_spread *spread, uint32_t at)
{
    const struct node *node = &run->member->nodes[at];

    return (str_eq(spread->node_affinity_policy, "Ignore") ||
            estimate_node_selected(node, run->requirements)) &&
           (!str_eq(spread->node_taints_policy, "Honor") ||
            estimate_node_tolerated(node, run->requirements));
}

/* Returns the replica's labels that matchLabelKeys names. */
static struct label_list
labels_of_keys(const struct fit_run *run, const struct str_list *keys)
{
    struct label *items = ARENA_ARRAY(run->arena, struct label, keys->count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < keys->count; i++) {
        const char *value =
            label_list_find(&run->requirements->pod_template->labels, keys->items[i]);

        if (value != NULL) {
            items[count++] = (struct label){keys->items[i], value};
        }
    }
    return (struct label_list){.items = items, .count = count, .present = true};
}

/* True if each replica has a different value of a label. */
static bool
has_label_of_each(const struct label_list *own)
{
    for (uint32_t i = 0; i < own->count; i++) {
        if (str_eq(own->items[i].value, LABEL_VALUE_OF_EACH)) {
            return true;
        }
    }
    return false;
}

/* An unknown value (a template's hash) matches any pod with that label. */
static bool
has_same_labels(const struct label_list *own, const struct label_list *labels)
{
    bool has = true;

    for (uint32_t i = 0; i < own->count && has; i++) {
        const char *there = label_list_find(labels, own->items[i].key);

        has = there != NULL &&
              (label_value_is_unknown(own->items[i].value) || str_eq(own->items[i].value, there));
    }
    return has;
}

/* True if a pod counts for the constraint. */
static bool
selects(const struct fit_run *run, const struct spread_state *item, const struct fit_pod *pod,
        signed char *answer)
{
    if (fit_run_has_replica(run, pod)) {
        return item->takes_others;
    }
    if (*answer == 0) {
        bool does = str_eq(pod->namespace_, run->requirements->pod_template->namespace_) &&
                    label_selector_matches(item->spread->selector, pod->labels) &&
                    has_same_labels(&item->same, pod->labels);

        *answer = does ? 1 : -1;
    }
    return *answer > 0;
}

static void
count_pods(const struct fit_run *run, struct spread_state *item)
{
    signed char *answers = fit_run_answers(run);

    for (size_t i = 0; i < run->n_pods; i++) {
        const struct fit_pod *pod = &run->pods[i];

        if (item->has_node[pod->node] && !pod->is_leaving &&
            selects(run, item, pod, &answers[pod->alike])) {
            item->placed[item->domains->of[pod->node]]++;
        }
    }
}

static void
count_nodes(const struct fit_run *run, const struct spreads_state *state)
{
    for (uint32_t node = 0; node < run->member->n_nodes; node++) {
        bool has_keys = has_all_keys(state, node);

        for (uint32_t i = 0; has_keys && i < state->count; i++) {
            struct spread_state *item = &state->items[i];

            if (is_counted(run, item->spread, node)) {
                item->has_node[node] = true;
                item->counts[item->domains->of[node]] = true;
            }
        }
    }
}

static void
find_fewest(struct spread_state *spread)
{
    int64_t least = INT64_MAX, domains = 0;

    spread->n_fewest = 0;
    for (uint32_t i = 0; i < spread->domains->count; i++) {
        if (spread->counts[i]) {
            spread->n_fewest = spread->placed[i] < least    ? 1
                               : spread->placed[i] == least ? spread->n_fewest + 1
                                                            : spread->n_fewest;
            least = spread->placed[i] < least ? spread->placed[i] : least;
            domains++;
        }
    }
    spread->fewest = domains > 0 && domains >= spread->spread->min_domains ? least : 0;
}

static void *
open_spreads(const struct fit_run *run)
{
    const struct pod_template *own = run->requirements->pod_template;
    struct spreads_state *state = ARENA_NEW(run->arena, struct spreads_state);

    state->items = ARENA_ARRAY(run->arena, struct spread_state, own->spreads.count);
    for (uint32_t i = 0; i < own->spreads.count; i++) {
        const struct topology_spread *spread = &own->spreads.items[i];
        struct spread_state *item = &state->items[state->count];

        if (str_eq(spread->when_unsatisfiable, "DoNotSchedule")) {
            item->spread = spread;
            item->domains = fit_run_domains(run, spread->topology_key);
            item->has_node = ARENA_ARRAY(run->arena, bool, run->member->n_nodes);
            item->counts = ARENA_ARRAY(run->arena, bool, item->domains->count);
            item->placed = ARENA_ARRAY(run->arena, int64_t, item->domains->count);
            item->same = labels_of_keys(run, &spread->match_label_keys);
            item->takes_own = label_selector_matches(spread->selector, &own->labels);
            item->takes_others = item->takes_own && !has_label_of_each(&item->same);
            state->count++;
        }
    }
    count_nodes(run, state);
    for (uint32_t i = 0; i < state->count; i++) {
        count_pods(run, &state->items[i]);
        find_fewest(&state->items[i]);
    }
    return state->count > 0 ? state : NULL;
}

static bool
refuses_skew(const void *for_state, const struct fit_run *run, uint32_t node)
{
    const struct spreads_state *state = for_state;

    (void)run;
    for (uint32_t i = 0; i < state->count; i++) {
        const struct spread_state *spread = &state->items[i];
        uint32_t domain = spread->domains->of[node];

        if (domain == DOMAIN_NONE ||
            spread->placed[domain] + (spread->takes_own ? 1 : 0) - spread->fewest >
                spread->spread->max_skew) {
            return true;
        }
    }
    return false;
}

/* Searches for the fewest anew only once no domain has that number. */
static void
place_in(struct spread_state *spread, uint32_t domain)
{
    if (spread->placed[domain]++ == spread->fewest && --spread->n_fewest == 0) {
        find_fewest(spread);
    }
}

static void
place_skew(void *for_state, const struct fit_run *run, uint32_t node)
{
    struct spreads_state *state = for_state;

    (void)run;
    for (uint32_t i = 0; i < state->count; i++) {
        struct spread_state *spread = &state->items[i];

        if (spread->takes_others && spread->has_node[node]) {
            place_in(spread, spread->domains->of[node]);
        }
    }
}

const struct fit_rule fit_pod_topology_spread = {.plugin = "PodTopologySpread",
                                                 .open = open_spreads,
                                                 .refuses = refuses_skew,
                                                 .place = place_skew};
