/* SPDX-License-Identifier: Apache-2.0
 *
 * VolumeBinding: a bound claim needs a node that its volume reaches. A waiting claim takes the
 * smallest free volume of its class that is large enough and reaches the node. Else the node must
 * allow provisioning (FindPodVolumes of pkg/scheduler/framework/plugins/volumebinding/binder.go,
 * FindMatchingVolume of component-helpers/storage/volume/pv_helpers.go). All replicas share the
 * template's claims, which the first one binds. A replica's own claims get what their class
 * provisions; free storage of drivers is not checked.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "fit_rules.h"
#include "fit_volumes.h"

#define NO_PROVISIONER "kubernetes.io/no-provisioner"

/* The volume that a waiting claim got from a replica of this run. */
struct promise {
    bool is_made;
    const struct persistent_volume *volume; /* NULL: one to be provisioned */
};

struct candidate {
    nanos128 size;
    uint32_t volume; /* index in the member */
};

struct waiting_claim {
    uint32_t claim; /* index in the member */
    nanos128 size;
    struct candidate *candidates; /* free volumes that suit, smallest first */
    uint32_t n_candidates;
};

struct binding_state {
    bool *refuses;            /* by node: a claim has no volume there */
    struct promise *promises; /* by claim of the member; NULL: no claim waits */
    uint32_t *taken;          /* by volume: the `round` that took it, or TAKEN_FOR_GOOD */
    uint32_t round;
    struct waiting_claim *waiting; /* of the template, smallest first, each once */
    uint32_t n_waiting;
    bool is_settled; /* each waiting claim has got something */
};

#define TAKEN_FOR_GOOD UINT32_MAX

/* --- which volume --- */

static nanos128
storage_of(const struct resource_list *list)
{
    const struct quantity *found = resource_list_find(list, STORAGE_RESOURCE);

    return found != NULL ? found->nano : 0;
}

static const char *
mode_of(const char *volume_mode)
{
    return str_is_empty(volume_mode) ? "Filesystem" : volume_mode;
}

static bool
is_of_claim(const struct persistent_volume *volume, const struct persistent_volume_claim *claim)
{
    return str_eq(volume->claim_name, claim->name) &&
           str_eq(volume->claim_namespace, claim->namespace_) &&
           (str_is_empty(volume->claim_uid) || str_eq(volume->claim_uid, claim->uid));
}

static bool
has_modes(const struct persistent_volume *volume, const struct persistent_volume_claim *claim)
{
    bool has = true;

    for (uint32_t i = 0; i < claim->access_modes.count && has; i++) {
        has = str_list_has(&volume->access_modes, claim->access_modes.items[i]);
    }
    return has;
}

/* Ignores nodes. */
static bool
may_bind(const struct persistent_volume *volume, const struct persistent_volume_claim *claim)
{
    bool is_own = is_of_claim(volume, claim);

    if (volume->is_leaving || (!str_is_empty(volume->claim_name) && !is_own) ||
        !str_eq(volume->storage_class, claim->storage_class) ||
        storage_of(&volume->capacity) < storage_of(&claim->requests) ||
        !str_eq(mode_of(volume->volume_mode), mode_of(claim->volume_mode))) {
        return false;
    }
    return is_own ||
           (str_eq(volume->phase, "Available") &&
            (claim->selector == NULL || label_selector_matches(claim->selector, &volume->labels)) &&
            has_modes(volume, claim));
}

static int
candidate_cmp(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = (x->size > y->size) - (x->size < y->size);

    return order != 0 ? order : (x->volume > y->volume) - (x->volume < y->volume);
}

/* A volume reserved for the claim is its only candidate. */
static void
find_candidates(const struct fit_run *run, struct waiting_claim *waiting)
{
    const struct member *member = run->member;
    const struct persistent_volume_claim *claim = &member->claims[waiting->claim];
    bool has_own = false;

    waiting->candidates = ARENA_ARRAY(run->arena, struct candidate, member->n_volumes);
    for (uint32_t i = 0; i < member->n_volumes && !has_own; i++) {
        if (may_bind(&member->volumes[i], claim)) {
            has_own = is_of_claim(&member->volumes[i], claim);
            waiting->n_candidates = has_own ? 0 : waiting->n_candidates;
            waiting->candidates[waiting->n_candidates++] =
                (struct candidate){storage_of(&member->volumes[i].capacity), i};
        }
    }
    if (waiting->n_candidates > 1) {
        qsort(waiting->candidates, waiting->n_candidates, sizeof(*waiting->candidates),
              candidate_cmp);
    }
}

/* Returns the smallest free volume that reaches the node; NULL: none. */
static const struct persistent_volume *
find_volume(const struct binding_state *state, const struct fit_run *run,
            const struct waiting_claim *waiting, const struct node *node)
{
    for (uint32_t i = 0; i < waiting->n_candidates; i++) {
        uint32_t volume = waiting->candidates[i].volume;

        if (state->taken[volume] != state->round && state->taken[volume] != TAKEN_FOR_GOOD &&
            fit_volume_reaches(&run->member->volumes[volume], node)) {
            return &run->member->volumes[volume];
        }
    }
    return NULL;
}

static bool
takes_node(const struct topology_term *term, const struct node *node)
{
    bool takes = term->count > 0;

    for (uint32_t i = 0; i < term->count && takes; i++) {
        const char *value = node_label(node, term->items[i].key);

        takes = value != NULL && str_list_has(&term->items[i].values, value);
    }
    return takes;
}

static bool
can_provision(const struct storage_class *class_, const struct node *node)
{
    bool can = class_->n_topologies == 0;

    for (uint32_t i = 0; i < class_->n_topologies && !can; i++) {
        can = takes_node(&class_->topologies[i], node);
    }
    return can && !str_is_empty(class_->provisioner) &&
           !str_eq(class_->provisioner, NO_PROVISIONER);
}

/* A promised claim counts as bound: only then do zone and region labels hold (VolumeZone). */
static bool
follows(const struct persistent_volume *volume, const struct node *node)
{
    return fit_volume_reaches(volume, node) && !fit_volume_is_elsewhere(volume, node);
}

/* Fills `ret` with what each claim gets if its pod goes to the node. False: one gets nothing. */
static bool
serve(struct binding_state *state, const struct fit_run *run, uint32_t node,
      const struct waiting_claim *claims, uint32_t count, struct promise *ret)
{
    const struct member *member = run->member;

    state->round++;
    for (uint32_t i = 0; i < count; i++) {
        const struct persistent_volume_claim *claim = &member->claims[claims[i].claim];

        ret[i] = state->promises[claims[i].claim];
        if (ret[i].is_made) {
            if (ret[i].volume != NULL && !follows(ret[i].volume, &member->nodes[node])) {
                return false;
            }
            continue;
        }
        ret[i] = (struct promise){true, find_volume(state, run, &claims[i], &member->nodes[node])};
        if (ret[i].volume != NULL) {
            state->taken[ret[i].volume - member->volumes] = state->round;
        } else if (member->has_volumes &&
                   !can_provision(fit_find_class(member, claim->storage_class),
                                  &member->nodes[node])) {
            return false;
        }
    }
    return true;
}

static void
keep(struct binding_state *state, const struct fit_run *run, const struct waiting_claim *claims,
     uint32_t count, const struct promise *promises)
{
    for (uint32_t i = 0; i < count; i++) {
        state->promises[claims[i].claim] = promises[i];
        if (promises[i].volume != NULL) {
            state->taken[promises[i].volume - run->member->volumes] = TAKEN_FOR_GOOD;
        }
    }
}

/* --- which claims --- */

static int
waiting_cmp(const void *a, const void *b)
{
    const struct waiting_claim *x = a, *y = b;
    int order = (x->size > y->size) - (x->size < y->size);

    return order != 0 ? order : (x->claim > y->claim) - (x->claim < y->claim);
}

/* Returns a pod's waiting claims, in the order in which they are served. */
static struct waiting_claim *
find_waiting(const struct fit_run *run, const char *namespace_, const struct pod_volumes *volumes,
             uint32_t *ret_count)
{
    struct waiting_claim *waiting =
        ARENA_ARRAY(run->arena, struct waiting_claim, volumes->n_claims);
    uint32_t count = 0, kept = 0;

    for (uint32_t i = 0; i < volumes->n_claims; i++) {
        uint32_t claim = member_find_claim(run->member, namespace_, volumes->claims[i]);

        if (claim != CLAIM_NONE &&
            fit_claim_state(run->member, &run->member->claims[claim]) == CLAIM_WAITS) {
            waiting[count++] = (struct waiting_claim){
                .claim = claim, .size = storage_of(&run->member->claims[claim].requests)};
        }
    }
    if (count > 1) {
        qsort(waiting, count, sizeof(*waiting), waiting_cmp);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || waiting[i].claim != waiting[kept - 1].claim) {
            waiting[kept++] = waiting[i];
            find_candidates(run, &waiting[kept - 1]);
        }
    }
    *ret_count = kept;
    return waiting;
}

/* Serves the replicas that this run placed, in their order. */
static void
serve_earlier(struct binding_state *state, const struct fit_run *run)
{
    const struct pod_fit_taking *last = NULL;

    for (size_t i = 0; i < run->n_pods; i++) {
        const struct fit_pod *pod = &run->pods[i];
        uint32_t count;

        if (pod->taking == last || pod->volumes == NULL || pod->volumes->n_claims == 0) {
            continue;
        }
        struct waiting_claim *claims = find_waiting(run, pod->namespace_, pod->volumes, &count);
        struct promise *made = ARENA_ARRAY(run->arena, struct promise, count);

        if (serve(state, run, pod->node, claims, count, made)) {
            keep(state, run, claims, count, made);
            last = pod->taking;
        }
    }
}

static void
look_at_nodes(struct binding_state *state, const struct fit_run *run)
{
    struct promise *made = ARENA_ARRAY(run->arena, struct promise, state->n_waiting);

    state->is_settled = true;
    for (uint32_t i = 0; i < state->n_waiting; i++) {
        state->is_settled = state->is_settled && state->promises[state->waiting[i].claim].is_made;
    }
    for (uint32_t node = 0; node < run->member->n_nodes; node++) {
        if (!state->refuses[node]) {
            state->refuses[node] = !serve(state, run, node, state->waiting, state->n_waiting, made);
        }
    }
}

/* --- the rule --- */

/* A missing volume (NULL) reaches no node, if the member's volumes are known. */
static void
refuse_beyond(struct binding_state *state, const struct fit_run *run,
              const struct persistent_volume *volume)
{
    for (uint32_t node = 0; node < run->member->n_nodes; node++) {
        bool reaches = volume != NULL ? fit_volume_reaches(volume, &run->member->nodes[node])
                                      : !run->member->has_volumes;

        state->refuses[node] = state->refuses[node] || !reaches;
    }
}

/* False: nothing known of the claim can refuse. */
static bool
look_at_claim(struct binding_state *state, const struct fit_run *run, const char *name)
{
    const struct member *member = run->member;
    uint32_t found = member_find_claim(member, run->requirements->pod_template->namespace_, name);
    enum claim_state claim_state =
        found != CLAIM_NONE ? fit_claim_state(member, &member->claims[found]) : CLAIM_UNKNOWN;

    switch (claim_state) {
    case CLAIM_UNKNOWN:
        return false;
    case CLAIM_BOUND:
        refuse_beyond(state, run, fit_find_volume(member, member->claims[found].volume_name));
        return true;
    case CLAIM_UNBOUND:
        memset(state->refuses, true, member->n_nodes * sizeof(*state->refuses));
        return true;
    case CLAIM_WAITS:
        return true;
    }
    return false;
}

/* True if a claim of the class can never bind: neither the class nor a free volume of it exists. */
static bool
is_of_none(const struct member *member, const char *class_)
{
    bool is_none = member->has_storage_classes && member->has_volumes &&
                   fit_find_class(member, class_) == NULL;

    for (uint32_t i = 0; i < member->n_volumes && is_none; i++) {
        is_none = !str_eq(member->volumes[i].storage_class, class_) ||
                  !str_eq(member->volumes[i].phase, "Available");
    }
    return is_none;
}

/* Refuses all nodes if a replica's own claim can never bind. Returns true then. */
static bool
look_at_own(struct binding_state *state, const struct fit_run *run)
{
    const struct pod_volumes *volumes = run->requirements->pod_template->volumes;
    bool refuses = false;

    for (size_t i = 0; i < volumes->n_own_classes && !refuses; i++) {
        refuses = is_of_none(run->member, volumes->own_classes[i]);
    }
    if (refuses) {
        memset(state->refuses, true, run->member->n_nodes * sizeof(*state->refuses));
    }
    return refuses;
}

static void *
open_binding(const struct fit_run *run)
{
    const struct pod_template *pod_template = run->requirements->pod_template;
    const struct member *member = run->member;

    if (pod_template->volumes == NULL ||
        (pod_template->volumes->n_claims == 0 && pod_template->volumes->n_own_classes == 0)) {
        return NULL;
    }
    struct binding_state *state = ARENA_NEW(run->arena, struct binding_state);

    state->refuses = ARENA_ARRAY(run->arena, bool, member->n_nodes);
    bool may_refuse = look_at_own(state, run);

    for (uint32_t i = 0; i < pod_template->volumes->n_claims; i++) {
        may_refuse = look_at_claim(state, run, pod_template->volumes->claims[i]) || may_refuse;
    }
    state->waiting =
        find_waiting(run, pod_template->namespace_, pod_template->volumes, &state->n_waiting);
    if (state->n_waiting > 0) {
        state->promises = ARENA_ARRAY(run->arena, struct promise, member->n_claims);
        state->taken = ARENA_ARRAY(run->arena, uint32_t, member->n_volumes);
        serve_earlier(state, run);
        look_at_nodes(state, run);
    }
    return may_refuse ? state : NULL;
}

static bool
refuses_claim(const void *for_state, const struct fit_run *run, uint32_t node)
{
    const struct binding_state *state = for_state;

    (void)run;
    return state->refuses[node];
}

static void
place_claim(void *for_state, const struct fit_run *run, uint32_t node)
{
    struct binding_state *state = for_state;

    if (state->n_waiting == 0 || state->is_settled) {
        return;
    }
    struct promise *made = ARENA_ARRAY(run->arena, struct promise, state->n_waiting);

    if (serve(state, run, node, state->waiting, state->n_waiting, made)) {
        keep(state, run, state->waiting, state->n_waiting, made);
    }
    look_at_nodes(state, run);
}

const struct fit_rule fit_volume_binding = {.plugin = "VolumeBinding",
                                            .open = open_binding,
                                            .refuses = refuses_claim,
                                            .place = place_claim};
