/* SPDX-License-Identifier: Apache-2.0
 *
 * InterPodAffinity: which pods a node's domain must or must not have, by the terms of the replica
 * and of the pods there.
 */
#include "fit_rules.h"

/* A term of the replica, and the pods in its domains. */
struct term_state {
    const struct fit_domains *domains;
    uint32_t *matching;   /* by domain: selected pods */
    signed char *selects; /* by fit_pod.alike; see fit_run_answers() */
    bool takes_own;       /* selects the replica itself */
    bool takes_others;    /* selects other replicas of its template */
};

/* Domains of one key that are closed to the replica. */
struct closing {
    const struct fit_domains *domains;
    bool *is_closed; /* by domain */
    struct closing *next;
};

struct affinity_state {
    struct term_state *to, *against;
    uint32_t n_to, n_against;
    struct closing *closings; /* by terms of pods there */
    bool *is_closed;          /* by node, from the closings */
    bool takes_own;           /* all terms of `to` select the replica itself */
    bool takes_others;        /* all terms of `to` select other replicas */
    uint64_t n_matches;       /* pods that all terms of `to` select, once per domain */
};

static const struct pod_affinity no_affinity;

static const struct pod_affinity *
affinity_of(const struct fit_run *run)
{
    const struct pod_affinity *own = run->requirements->pod_template->affinity;

    return own != NULL ? own : &no_affinity;
}

static struct term_state *
open_terms(const struct fit_run *run, const struct pod_affinity_terms *terms)
{
    const struct pod_template *own = run->requirements->pod_template;
    struct term_state *states = ARENA_ARRAY(run->arena, struct term_state, terms->count);

    for (uint32_t i = 0; i < terms->count; i++) {
        states[i].domains = fit_run_domains(run, terms->items[i].topology_key);
        states[i].matching = ARENA_ARRAY(run->arena, uint32_t, states[i].domains->count);
        states[i].selects = fit_run_answers(run);
        states[i].takes_own = pod_affinity_term_selects(&terms->items[i], own->namespace_,
                                                        own->namespace_, &own->labels);
        states[i].takes_others = pod_affinity_term_selects_replica(&terms->items[i], own);
    }
    return states;
}

/* True if a term of the replica selects a pod there. */
static bool
selects(const struct fit_run *run, const struct term_state *state,
        const struct pod_affinity_term *term, const struct fit_pod *pod)
{
    const struct pod_template *own = run->requirements->pod_template;
    signed char *answer = &state->selects[pod->alike];

    if (fit_run_has_replica(run, pod)) {
        return pod_affinity_term_selects_replica(term, own);
    }
    if (*answer == 0) {
        bool does = pod_affinity_term_selects(term, own->namespace_, pod->namespace_, pod->labels);

        *answer = does ? 1 : -1;
    }
    return *answer > 0;
}

/* Counts one more in the node's domain. False: the node has no domain. */
static bool
note_match(struct term_state *term, uint32_t node)
{
    uint32_t domain = term->domains->of[node];

    if (domain != DOMAIN_NONE) {
        term->matching[domain]++;
    }
    return domain != DOMAIN_NONE;
}

static bool
do_all_select(const struct fit_run *run, const struct term_state *states,
              const struct pod_affinity_terms *terms, const struct fit_pod *pod)
{
    for (uint32_t i = 0; i < terms->count; i++) {
        if (!selects(run, &states[i], &terms->items[i], pod)) {
            return false;
        }
    }
    return terms->count > 0;
}

static void
close_domain(const struct fit_run *run, struct affinity_state *state, const char *key,
             uint32_t node)
{
    const struct fit_domains *domains = fit_run_domains(run, key);
    struct closing *closing = state->closings;

    while (closing != NULL && closing->domains != domains) {
        closing = closing->next;
    }
    if (closing == NULL) {
        closing = ARENA_NEW(run->arena, struct closing);
        *closing = (struct closing){.domains = domains,
                                    .is_closed = ARENA_ARRAY(run->arena, bool, domains->count),
                                    .next = state->closings};
        state->closings = closing;
    }
    if (domains->of[node] != DOMAIN_NONE) {
        closing->is_closed[domains->of[node]] = true;
    }
}

/* Closes the domains of a pod there whose terms select the replica. */
static void
close_domains(const struct fit_run *run, struct affinity_state *state, const struct fit_pod *pod)
{
    const struct pod_template *own = run->requirements->pod_template;

    for (uint32_t i = 0; pod->affinity != NULL && i < pod->affinity->against.count; i++) {
        const struct pod_affinity_term *term = &pod->affinity->against.items[i];

        bool keeps_away =
            pod->is_costly ||
            (fit_run_has_replica(run, pod)
                 ? pod_affinity_term_selects_replica(term, own)
                 : pod_affinity_term_selects(term, pod->namespace_, own->namespace_, &own->labels));

        if (keeps_away) {
            close_domain(run, state, term->topology_key, pod->node);
        }
    }
}

static void
close_nodes(const struct fit_run *run, struct affinity_state *state)
{
    for (const struct closing *closing = state->closings; closing != NULL;
         closing = closing->next) {
        for (uint32_t node = 0; node < run->member->n_nodes; node++) {
            uint32_t domain = closing->domains->of[node];

            state->is_closed[node] |= domain != DOMAIN_NONE && closing->is_closed[domain];
        }
    }
}

static void
note_pod(const struct fit_run *run, struct affinity_state *state, const struct fit_pod *pod)
{
    const struct pod_affinity *own = affinity_of(run);

    for (uint32_t i = 0; i < state->n_against; i++) {
        if (selects(run, &state->against[i], &own->against.items[i], pod)) {
            note_match(&state->against[i], pod->node);
        }
    }
    /* a pod helps only if all terms select it */
    if (do_all_select(run, state->to, &own->to, pod)) {
        for (uint32_t i = 0; i < state->n_to; i++) {
            state->n_matches += note_match(&state->to[i], pod->node) ? 1 : 0;
        }
    }
    close_domains(run, state, pod);
}

static void *
open_affinity(const struct fit_run *run)
{
    const struct pod_affinity *own = affinity_of(run);
    struct affinity_state *state = ARENA_NEW(run->arena, struct affinity_state);

    *state = (struct affinity_state){
        .to = open_terms(run, &own->to),
        .against = open_terms(run, &own->against),
        .n_to = own->to.count,
        .n_against = own->against.count,
        .is_closed = ARENA_ARRAY(run->arena, bool, run->member->n_nodes),
        .takes_own = true,
        .takes_others = true,
    };
    for (uint32_t i = 0; i < state->n_to; i++) {
        state->takes_own = state->takes_own && state->to[i].takes_own;
        state->takes_others = state->takes_others && state->to[i].takes_others;
    }
    for (size_t i = 0; i < run->n_pods; i++) {
        note_pod(run, state, &run->pods[i]);
    }
    close_nodes(run, state);
    return state;
}

/* The first of pods that require each other may go anywhere. */
static bool
lacks_company(const struct affinity_state *state, uint32_t node)
{
    bool lacks = false;

    for (uint32_t i = 0; i < state->n_to; i++) {
        uint32_t domain = state->to[i].domains->of[node];

        if (domain == DOMAIN_NONE) {
            return true;
        }
        lacks = lacks || state->to[i].matching[domain] == 0;
    }
    return lacks && !(state->n_matches == 0 && state->takes_own);
}

static bool
refuses_company(const void *for_state, const struct fit_run *run, uint32_t node)
{
    const struct affinity_state *state = for_state;

    (void)run;
    for (uint32_t i = 0; i < state->n_against; i++) {
        uint32_t domain = state->against[i].domains->of[node];

        if (domain != DOMAIN_NONE && state->against[i].matching[domain] > 0) {
            return true;
        }
    }
    return state->is_closed[node] || lacks_company(state, node);
}

static void
place_company(void *for_state, const struct fit_run *run, uint32_t node)
{
    struct affinity_state *state = for_state;

    (void)run;
    for (uint32_t i = 0; i < state->n_against; i++) {
        if (state->against[i].takes_others) {
            note_match(&state->against[i], node);
        }
    }
    for (uint32_t i = 0; state->takes_others && i < state->n_to; i++) {
        state->n_matches += note_match(&state->to[i], node) ? 1 : 0;
    }
}

const struct fit_rule fit_inter_pod_affinity = {.plugin = "InterPodAffinity",
                                                .open = open_affinity,
                                                .refuses = refuses_company,
                                                .place = place_company};
