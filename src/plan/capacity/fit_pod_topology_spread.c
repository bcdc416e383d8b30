/* SPDX-License-Identifier: Apache-2.0
 *
 * PodTopologySpread, DoNotSchedule: no domain may have maxSkew more than the one
 * that has fewest.
 */
#include "fit_rules.h"

#include "ballast/base/str.h"
#include "ballast/schedule/estimate.h"

struct spread_state {
    const struct topology_spread *spread;
    const struct fit_domains *domains;
    bool *counts;    /* domains with a node that the replica selects */
    int64_t *placed; /* selected pods of each */
    bool takes_own;
};

struct spreads_state {
    struct spread_state *items;
    uint32_t count;
};

/* By node selector and affinity alone, and with all keys: full and tainted nodes count, too. */
static bool
is_counted(const struct fit_run *run, const struct spreads_state *state, uint32_t node)
{
    for (uint32_t i = 0; i < state->count; i++) {
        if (state->items[i].domains->of[node] == DOMAIN_NONE) {
            return false;
        }
    }
    return estimate_node_selected(&run->member->nodes[node], run->requirements);
}

static void
count_pods(const struct fit_run *run, struct spread_state *spread, const bool *counted)
{
    const struct pod_template *own = run->requirements->pod_template;

    for (size_t i = 0; i < run->n_pods; i++) {
        const struct fit_pod *pod = &run->pods[i];

        if (counted[pod->node] && !pod->is_leaving && str_eq(pod->namespace_, own->namespace_) &&
            label_selector_matches(spread->spread->selector, pod->labels)) {
            spread->placed[spread->domains->of[pod->node]]++;
        }
    }
}

static void *
open_spreads(const struct fit_run *run)
{
    const struct pod_template *own = run->requirements->pod_template;
    struct spreads_state *state = ARENA_NEW(run->arena, struct spreads_state);
    bool *counted = ARENA_ARRAY(run->arena, bool, run->member->n_nodes);

    state->items = ARENA_ARRAY(run->arena, struct spread_state, own->spreads.count);
    for (uint32_t i = 0; i < own->spreads.count; i++) {
        const struct topology_spread *spread = &own->spreads.items[i];
        struct spread_state *item = &state->items[state->count];

        if (str_eq(spread->when_unsatisfiable, "DoNotSchedule")) {
            item->spread = spread;
            item->domains = fit_run_domains(run, spread->topology_key);
            item->counts = ARENA_ARRAY(run->arena, bool, item->domains->count);
            item->placed = ARENA_ARRAY(run->arena, int64_t, item->domains->count);
            item->takes_own = label_selector_matches(spread->selector, &own->labels);
            state->count++;
        }
    }
    for (uint32_t node = 0; node < run->member->n_nodes; node++) {
        counted[node] = is_counted(run, state, node);
        for (uint32_t i = 0; counted[node] && i < state->count; i++) {
            state->items[i].counts[state->items[i].domains->of[node]] = true;
        }
    }
    for (uint32_t i = 0; i < state->count; i++) {
        count_pods(run, &state->items[i], counted);
    }
    return state->count > 0 ? state : NULL;
}

static int64_t
fewest(const struct spread_state *spread)
{
    int64_t least = INT64_MAX;

    for (uint32_t i = 0; i < spread->domains->count; i++) {
        if (spread->counts[i] && spread->placed[i] < least) {
            least = spread->placed[i];
        }
    }
    return least < INT64_MAX ? least : 0;
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
            spread->placed[domain] + (spread->takes_own ? 1 : 0) - fewest(spread) >
                spread->spread->max_skew) {
            return true;
        }
    }
    return false;
}

static void
place_skew(void *for_state, const struct fit_run *run, uint32_t node)
{
    struct spreads_state *state = for_state;

    (void)run;
    for (uint32_t i = 0; i < state->count; i++) {
        if (state->items[i].takes_own) {
            state->items[i].placed[state->items[i].domains->of[node]]++;
        }
    }
}

const struct fit_rule fit_pod_topology_spread = {.plugin = "PodTopologySpread",
                                                 .open = open_spreads,
                                                 .refuses = refuses_skew,
                                                 .place = place_skew};
