/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds homeless replicas: compares the numbers of replicas outside the lost clusters.
 */
#include "homeless.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "simulate_internal.h"

struct standing {
    int64_t there, elsewhere;
    uint32_t copies_there, copies_elsewhere;
    bool loses; /* has replicas in a lost cluster that exists */
};

static struct standing
count_targets(const struct target_list *list, const bool *lost)
{
    struct standing ret = {0};

    for (uint32_t i = 0; i < list->count; i++) {
        const struct target *target = &list->items[i];
        bool is_lost = target->cluster == CLUSTER_NONE || lost[target->cluster];
        int64_t replicas = target->replicas > 0 ? target->replicas : 0;

        ret.loses |= is_lost && target->cluster != CLUSTER_NONE && replicas > 0;
        *(is_lost ? &ret.there : &ret.elsewhere) += replicas;
        *(is_lost ? &ret.copies_there : &ret.copies_elsewhere) += replicas > 0 ? 1 : 0;
    }
    return ret;
}

static int64_t
clamp(int64_t value, int64_t most)
{
    return value < 0 ? 0 : value < most ? value : most;
}

struct subject {
    const struct binding *binding;
    const struct binding_state *state;
    const struct decision *decision; /* NULL: no change */
    struct standing before, after;
    bool is_divided, is_scaled;
};

static bool
counts(const struct binding_state *state)
{
    return state->left_alone != LEFT_ALONE_OUT_OF_SCOPE && state->left_alone != LEFT_ALONE_DELETING;
}

static struct subject
look_at(const struct planned *planned, uint32_t index, const bool *lost)
{
    const struct binding *binding = &planned->fleet->bindings[index];
    const struct decision *decision = planned->plan->decisions[index];
    struct subject ret = {
        .binding = binding,
        .state = &planned->diagnosis->bindings[index],
        .decision = decision,
        .before = count_targets(&binding->clusters, lost),
        .is_divided = binding_is_divided(binding),
        .is_scaled = planned->original != NULL &&
                     planned->original->bindings[index].replicas != binding->replicas,
    };

    ret.after = decision != NULL ? count_targets(&decision->after, lost) : ret.before;
    return ret;
}

/* Returns missing replicas. Missing copies go to *ret_copies if another copy runs. */
static int64_t
count_homeless(const struct subject *subject, int64_t *ret_copies)
{
    const struct standing *before = &subject->before, *after = &subject->after;
    int64_t wanted = before->there + before->elsewhere;

    *ret_copies = 0;
    if (subject->is_scaled && subject->is_divided) {
        return clamp(subject->binding->replicas - after->elsewhere, INT32_MAX);
    }
    if (subject->is_divided) {
        wanted = clamp(subject->binding->replicas, wanted);
        return clamp(wanted - after->elsewhere, before->there);
    }
    int64_t missing =
        clamp((int64_t)before->copies_there + before->copies_elsewhere - after->copies_elsewhere,
              before->copies_there);
    int64_t replicas =
        before->copies_there > 0 ? before->there / before->copies_there * missing : 0;

    if (after->copies_elsewhere > 0) {
        *ret_copies = replicas;
        return 0;
    }
    return replicas;
}

/* --- reasons --- */

/* True if the reason only names the clusters that no other reason has. */
static bool
is_rest(const struct reason *reason)
{
    return str_eq(reason->code, "MoreClusters");
}

/* Prefers NoRoom to the first reason about the binding or a marked cluster. */
static const struct reason *
find_reason(const struct decision *decision, const bool *marked, const struct fleet *fleet)
{
    const struct reason *found = NULL;

    for (uint32_t i = 0; decision != NULL && i < decision->n_reasons; i++) {
        const struct reason *reason = &decision->reasons[i];
        bool is_whole = str_is_empty(reason->cluster);
        uint32_t cluster = is_whole ? CLUSTER_NONE : fleet_find_cluster(fleet, reason->cluster);
        bool is_about =
            (is_whole && !is_rest(reason)) || (cluster != CLUSTER_NONE && marked[cluster]);

        if (is_about && (found == NULL || str_eq(reason->code, "NoRoom"))) {
            found = reason;
        }
    }
    return found;
}

static bool
is_elsewhere(const struct reason *reason, const bool *marked, const struct fleet *fleet)
{
    uint32_t cluster =
        str_is_empty(reason->cluster) ? CLUSTER_NONE : fleet_find_cluster(fleet, reason->cluster);

    return cluster != CLUSTER_NONE && !marked[cluster];
}

/* Returns the obstacle: a code, or the message where the code alone tells nothing. */
static const char *
obstacle_text(const struct reason *reason)
{
    return str_eq(reason->code, "NotChosen") ? reason->message : reason->code;
}

/* Returns the number of other clusters with the obstacle of the reason at `index`. Sets
 * `ret_is_first`: no earlier reason has it. */
static uint32_t
count_alike(const struct decision *decision, uint32_t index, const bool *marked,
            const struct fleet *fleet, bool *ret_is_first)
{
    const char *obstacle = obstacle_text(&decision->reasons[index]);
    uint32_t count = 0;

    *ret_is_first = true;
    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        const struct reason *other = &decision->reasons[i];

        if (i != index && is_elsewhere(other, marked, fleet) &&
            str_eq(obstacle_text(other), obstacle)) {
            *ret_is_first = *ret_is_first && i > index;
            count++;
        }
    }
    return count;
}

/* Returns "berlin and 2 more: NoRoom" or, of a rest, "paris and 9 more clusters"; "": the reason is
 * not of another cluster, or an earlier one stands for it. */
static const char *
obstacle_elsewhere(struct arena *arena, const struct decision *decision, uint32_t index,
                   const bool *marked, const struct fleet *fleet)
{
    const struct reason *reason = &decision->reasons[index];
    bool is_first;

    if (is_rest(reason)) {
        return reason->message;
    }
    if (!is_elsewhere(reason, marked, fleet)) {
        return "";
    }
    const uint32_t more = count_alike(decision, index, marked, fleet, &is_first);
    const char *others = more > 0 ? arena_printf(arena, " and %u more", more) : "";

    return !is_first
               ? ""
               : arena_printf(arena, "%s%s: %s", reason->cluster, others, obstacle_text(reason));
}

/* Lists obstacles in the other clusters: "berlin and 2 more: NoRoom; oslo: ClusterNotReady; paris
 * and 9 more clusters". */
static const char *
describe_elsewhere(struct arena *arena, const struct decision *decision, const bool *marked,
                   const struct fleet *fleet)
{
    const char *text = "";

    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        const char *obstacle = obstacle_elsewhere(arena, decision, i, marked, fleet);

        if (!str_is_empty(obstacle)) {
            text = arena_printf(arena, "%s%s%s", text, str_is_empty(text) ? "" : "; ", obstacle);
        }
    }
    return text;
}

/* A reason about a lost cluster explains the departure, not the lack of capacity elsewhere. */
static const char *
message_of_lacking_room(struct arena *arena, const struct planned *planned,
                        const struct decision *decision, const struct reason *reason,
                        const bool *marked)
{
    const bool says_why =
        reason != NULL && (str_eq(reason->code, "NoRoom") || str_is_empty(reason->cluster));

    return says_why ? reason->message : describe_elsewhere(arena, decision, marked, planned->fleet);
}

void
homeless_explain(struct arena *arena, const struct planned *planned, uint32_t index,
                 const bool *marked, struct homeless *ret)
{
    const struct binding *binding = &planned->fleet->bindings[index];
    const struct binding_state *state = &planned->diagnosis->bindings[index];
    const struct decision *decision = planned->plan->decisions[index];
    const struct reason *reason = find_reason(decision, marked, planned->fleet);
    const bool is_left_alone = state->left_alone != LEFT_ALONE_NOT;

    ret->binding = index;
    ret->priority = binding_priority(binding);
    ret->lacks_room =
        !is_left_alone && decision != NULL && binding_is_divided(binding) &&
        (decision->unplaced > 0 || str_eq(decision->error_type, "UnschedulableError"));
    ret->code = reason != NULL ? reason->code : "NotMoved";
    ret->message = reason != NULL ? reason->message : "";
    if (ret->lacks_room) {
        ret->code = "NoRoom";
        ret->message = message_of_lacking_room(arena, planned, decision, reason, marked);
    } else if (reason != NULL && str_eq(reason->code, "ScaleUpWaits")) {
        ret->lacks_room = true; /* it waits for capacity for all replicas */
    } else if (is_left_alone) {
        ret->message = state->left_alone_reason;
    } else if (decision != NULL && !str_is_empty(decision->error_type)) {
        ret->code = decision->error_type;
        ret->message = decision->error_message;
    }
}

/* --- sums --- */

struct tally {
    struct arena *arena;
    const struct planned *planned;
    const bool *lost;
    struct loss *loss;
    VEC_OF(struct homeless) items;
};

static void
tally_binding(struct tally *tally, uint32_t index)
{
    const struct subject subject = look_at(tally->planned, index, tally->lost);
    struct loss *loss = tally->loss;
    int64_t copies = 0;

    if ((!subject.before.loses && !subject.is_scaled) || !counts(subject.state)) {
        return;
    }
    struct homeless item = {.replicas = count_homeless(&subject, &copies)};
    int64_t stood = subject.before.loses ? subject.before.there : 0;

    loss->bindings += stood > 0 ? 1 : 0;
    loss->replicas += stood;
    loss->copies += copies;
    loss->homeless += item.replicas;
    loss->rehomed += clamp(stood - item.replicas - copies, INT64_MAX);
    if (item.replicas == 0) {
        return;
    }
    homeless_explain(tally->arena, tally->planned, index, tally->lost, &item);
    item.message = arena_printf(tally->arena, "%s", item.message);
    if (item.lacks_room) {
        add_requests(loss->missing, subject.binding, item.replicas);
    }
    vec_add(&tally->items, item);
}

static int
homeless_cmp(const void *a, const void *b)
{
    const struct homeless *x = a, *y = b;

    if (x->priority != y->priority) {
        return x->priority > y->priority ? -1 : 1;
    }
    if (x->replicas != y->replicas) {
        return x->replicas > y->replicas ? -1 : 1;
    }
    return x->binding < y->binding ? -1 : x->binding > y->binding;
}

static void
sum_priorities(struct tally *tally)
{
    struct loss *loss = tally->loss;
    struct priority_loss *sums = ARENA_ARRAY(tally->arena, struct priority_loss, loss->n_items);

    for (uint32_t i = 0; i < loss->n_items; i++) {
        const struct homeless *item = &loss->items[i];

        if (i == 0 || item->priority != loss->items[i - 1].priority) {
            sums[loss->n_priorities++].priority = item->priority;
        }
        sums[loss->n_priorities - 1].bindings++;
        sums[loss->n_priorities - 1].replicas += item->replicas;
    }
    loss->priorities = sums;
}

struct loss
loss_of_plan(struct arena *arena, const struct planned *planned, const bool *lost)
{
    struct loss ret = {.name = ""};
    struct tally tally = {.arena = arena, .planned = planned, .lost = lost, .loss = &ret};

    for (uint32_t i = 0; i < planned->fleet->n_bindings; i++) {
        tally_binding(&tally, i);
    }
    if (tally.items.count > 1) {
        qsort(tally.items.items, tally.items.count, sizeof(*tally.items.items), homeless_cmp);
    }
    ret.items = vec_to_arena(&tally.items, arena);
    ret.n_items = pin_uint32(tally.items.count);
    vec_free(&tally.items);
    sum_priorities(&tally);
    return ret;
}
