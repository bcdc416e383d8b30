/* SPDX-License-Identifier: Apache-2.0
 *
 * Simulations of a world: the loss of a cluster against a plan of the world in which the cluster is
 * lost, drains, and survival.
 */
#include <stdlib.h>
#include <string.h>

#include "run_parts.h"

#include "ballast/base/timestamp.h"
#include "ballast/cycle/cycle.h"
#include "ballast/simulate/simulate.h"

#define LOST_SECONDS INT64_C(600000000) /* longer than anything is tolerated */

/* One change of a fleet, simulated. */
struct trial {
    struct arena *arena;
    struct changed_fleet changed;
    const struct simulation *simulation; /* NULL: the change was refused */
};

static void
trial_begin(struct trial *trial, const struct fleet *fleet, const struct policy *policy,
            enum change_type type, const char *cluster)
{
    const struct change change = {.type = type, .text = cluster, .name = cluster};
    const struct change_list changes = {&change, 1};
    struct error err = ERROR_INIT;

    *trial = (struct trial){.arena = arena_new()};
    if (fleet_change(trial->arena, fleet, &changes, policy, &trial->changed, &err)) {
        trial->simulation = simulate(trial->arena, fleet, diagnose(trial->arena, fleet, policy),
                                     &trial->changed, policy, NULL);
    }
}

static void
show_split(const struct target_list *list, struct buf *out)
{
    for (uint32_t i = 0; i < list->count; i++) {
        buf_printf(out, " %s=%d", list->items[i].name, list->items[i].replicas);
    }
}

/* All but texts, in which the time stands. */
static void
check_decision(const struct trial *trial, uint32_t index, const struct decision *want,
               struct buf *complaints)
{
    const struct fleet *fleet = &trial->simulation->changed->fleet;
    const struct decision *got = plan_decision(trial->arena, trial->simulation->plan, fleet, index);
    bool same = got->action == want->action && got->after.count == want->after.count &&
                got->unplaced == want->unplaced && got->moved == want->moved &&
                got->added == want->added && got->n_reasons == want->n_reasons &&
                got->n_new_tasks == want->n_new_tasks && str_eq(got->error_type, want->error_type);

    for (uint32_t i = 0; same && i < got->after.count; i++) {
        same = str_eq(got->after.items[i].name, want->after.items[i].name) &&
               got->after.items[i].replicas == want->after.items[i].replicas;
    }
    for (uint32_t i = 0; same && i < got->n_reasons; i++) {
        same = str_eq(got->reasons[i].code, want->reasons[i].code) &&
               str_eq(got->reasons[i].cluster, want->reasons[i].cluster);
    }
    if (!same) {
        buf_printf(complaints, "simulated as lost: %s:", fleet->bindings[index].name);
        show_split(&got->after, complaints);
        buf_append_str(complaints, " and not");
        show_split(&want->after, complaints);
        buf_append_str(complaints, "\n");
    }
}

/* Losing the cluster decides the same as a run whose fleet says that it is lost. */
static void
check_lost(const struct fleet *fleet, const struct policy *policy, const char *cluster,
           const struct report *lost, struct buf *complaints)
{
    struct trial trial;

    trial_begin(&trial, fleet, policy, CHANGE_LOSE, cluster);
    if (trial.simulation == NULL) {
        buf_printf(complaints, "%s cannot be lost\n", cluster);
    } else if (trial.simulation->repairs->plan->totals.changed == 0) {
        for (uint32_t i = 0; i < fleet->n_bindings; i++) {
            check_decision(&trial, i, plan_decision(trial.arena, lost->plan, lost->fleet, i),
                           complaints);
        }
    }
    arena_free(trial.arena);
}

/* --- drain --- */

static int64_t
replicas_in(const struct target_list *list, const char *cluster)
{
    const struct target *target = target_list_find(list, cluster);

    return target != NULL ? target->replicas : 0;
}

static int64_t
ready_of(const struct simulation *simulation, uint32_t binding)
{
    const struct target_list *list = &simulation->changed->fleet.bindings[binding].clusters;
    const struct target_state *states =
        simulation->diagnosis->targets + simulation->diagnosis->bindings[binding].first_target;
    int64_t ready = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        ready += list->items[i].cluster == CLUSTER_NONE ? 0
                 : states[i].ready >= 0                 ? states[i].ready
                                                        : list->items[i].replicas;
    }
    return ready;
}

static void
check_move(const struct simulation *simulation, const struct drain_move *move, const char *cluster,
           struct buf *complaints)
{
    const struct binding *binding = &simulation->changed->fleet.bindings[move->binding];
    int64_t now = ready_of(simulation, move->binding);
    /* a copy of several components has their replicas, whatever spec.replicas says */
    int64_t enough = move->ends ? binding_copy_size(binding) : binding->replicas;
    int64_t floor = now < enough ? now : enough;
    int64_t between = move->ends ? floor : now;
    int64_t left = replicas_in(&move->decision->after, cluster);

    if (move->ready_now != now || move->ready_between < between || move->ready_after < floor) {
        buf_printf(complaints, "drain of %s: %s: %lld ready now, %lld and %lld after the steps\n",
                   cluster, binding->name, (long long)now, (long long)move->ready_between,
                   (long long)move->ready_after);
    }
    if (move->ends && (move->starts > 0 || binding->clusters.count < 2)) {
        buf_printf(complaints, "drain of %s: %s: its only copy ends\n", cluster, binding->name);
    }
    if (move->stops != replicas_in(&binding->clusters, cluster) - left || move->stays != left) {
        buf_printf(complaints, "drain of %s: %s: %lld stop and %lld stay\n", cluster, binding->name,
                   (long long)move->stops, (long long)move->stays);
    }
}

static bool
is_told(const struct drain *drain, uint32_t binding)
{
    for (uint32_t i = 0; i < drain->n_stays; i++) {
        if (drain->stays[i].binding == binding && !str_is_empty(drain->stays[i].code)) {
            return true;
        }
    }
    return false;
}

static bool
ends(const struct drain *drain, uint32_t binding)
{
    for (uint32_t i = 0; i < drain->n_moves; i++) {
        if (drain->moves[i].binding == binding && drain->moves[i].ends) {
            return true;
        }
    }
    return false;
}

/* A drain never leaves fewer ready than now, and names what it does not move. */
static void
check_drain(const struct fleet *fleet, const struct policy *policy, const char *cluster,
            struct buf *complaints)
{
    struct trial trial;

    trial_begin(&trial, fleet, policy, CHANGE_DRAIN, cluster);
    const struct simulation *simulation = trial.simulation;
    int64_t there = 0;
    bool grows = false; /* a scale-up adds some where others are */

    if (simulation == NULL) {
        buf_printf(complaints, "%s cannot be drained\n", cluster);
        arena_free(trial.arena);
        return;
    }
    const struct drain *drain = &simulation->drain;
    const struct fleet *changed = &simulation->changed->fleet;

    for (uint32_t i = 0; i < drain->n_moves; i++) {
        check_move(simulation, &drain->moves[i], cluster, complaints);
    }
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct decision *decision = plan_decision(trial.arena, simulation->plan, changed, i);

        if (simulation->diagnosis->bindings[i].left_alone == LEFT_ALONE_OUT_OF_SCOPE) {
            continue;
        }
        const int64_t held = replicas_in(&changed->bindings[i].clusters, cluster);
        const int64_t left = replicas_in(&decision->after, cluster);

        there += held;
        grows = grows || left > held;
        if (held > 0 && left > 0 && !ends(drain, i) && !is_told(drain, i)) {
            buf_printf(complaints, "drain of %s: nobody says why %s stays\n", cluster,
                       fleet->bindings[i].name);
        }
    }
    if (!grows && drain->moving + drain->ending + drain->staying != there) {
        buf_printf(complaints, "drain of %s: %lld move and %lld stay of %lld\n", cluster,
                   (long long)drain->moving, (long long)drain->staying, (long long)there);
    }
    arena_free(trial.arena);
}

/* --- survival --- */

static bool
same_homeless(const struct homeless *x, const struct homeless *y)
{
    return x->binding == y->binding && x->priority == y->priority && x->replicas == y->replicas &&
           x->lacks_room == y->lacks_room && str_eq(x->code, y->code) &&
           str_eq(x->message, y->message);
}

static bool
same_loss(const struct loss *a, const struct loss *b)
{
    bool same = str_eq(a->name, b->name) && a->bindings == b->bindings &&
                a->replicas == b->replicas && a->rehomed == b->rehomed &&
                a->homeless == b->homeless && a->copies == b->copies && a->n_items == b->n_items &&
                a->n_priorities == b->n_priorities &&
                memcmp(a->missing, b->missing, sizeof(a->missing)) == 0;

    for (uint32_t i = 0; same && i < a->n_items; i++) {
        same = same_homeless(&a->items[i], &b->items[i]);
    }
    return same;
}

static void
complain(const char *what, const struct loss *got, const struct loss *want, struct buf *complaints)
{
    buf_printf(complaints, "loss of %s %s: %lld of %lld without a home, and not %lld of %lld\n",
               got->name, what, (long long)got->homeless, (long long)got->replicas,
               (long long)want->homeless, (long long)want->replicas);
}

/* Where a next run goes on, who found no room may find some by another order. */
static bool
is_settled(const struct fleet *fleet, const struct policy *policy)
{
    struct arena *arena = arena_new();
    const struct diagnosis *diagnosis = diagnose(arena, fleet, policy);
    const struct plan *plan =
        plan_fleet(arena, fleet, diagnosis, policy, ledger_new(arena, fleet, diagnosis, policy),
                   run_accounts_new(arena, fleet, diagnosis, &policy->limits));
    bool settled = plan->totals.changed == 0 && plan->totals.by_action[ACTION_BLOCKED] == 0 &&
                   plan->totals.replicas_unplaced == 0;

    arena_free(arena);
    return settled;
}

/* Both make today's repairs first, so a loss says the same in a certificate and alone. */
static void
check_alone(const struct fleet *fleet, const struct policy *policy, const struct loss *loss,
            struct buf *complaints)
{
    struct trial trial;

    trial_begin(&trial, fleet, policy, CHANGE_LOSE, loss->name);
    if (trial.simulation == NULL) {
        buf_printf(complaints, "%s cannot be lost\n", loss->name);
    } else {
        struct loss alone = trial.simulation->loss;

        alone.name = loss->name;
        if (!same_loss(loss, &alone)) {
            complain("in a certificate and alone", loss, &alone, complaints);
        }
    }
    arena_free(trial.arena);
}

/* Of what keeps data in claims a certificate may tell less than a loss alone. */
static bool
has_claims(const struct world *world)
{
    size_t index;
    json_t *object;

    json_array_foreach(world->objects, index, object)
    {
        if (is(text_at(object, "kind"), "PersistentVolumeClaim") ||
            at(object, "spec.volumeClaimTemplates") != NULL) {
            return true;
        }
    }
    return false;
}

/* A certificate is the same for any number of workers, and each of its losses the same as losing
 * that cluster alone, the whole fleet planned. */
static void
check_survival(const struct fleet *fleet, const struct policy *policy, bool alone,
               struct buf *complaints)
{
    struct arena *arena = arena_new();
    const struct workers one = workers_threads(1), some = workers_threads(3);
    struct survival survival, again;

    if (survival_of(arena, fleet, policy, GUARD_BY_NONE, &one, &survival) &&
        survival_of(arena, fleet, policy, GUARD_BY_NONE, &some, &again)) {
        bool settled = alone && is_settled(survival.fleet, policy);

        for (uint32_t i = 0; i < survival.n_losses; i++) {
            if (!same_loss(&survival.losses[i], &again.losses[i])) {
                complain("by one worker and by several", &survival.losses[i], &again.losses[i],
                         complaints);
            }
            if (settled) {
                check_alone(fleet, policy, &survival.losses[i], complaints);
            }
        }
    }
    arena_free(arena);
}

/* --- the world --- */

/* What an object says of a cluster that is lost, whatever was seen of its pods. */
static const char *
lose_cluster(struct world *world, uint64_t seed)
{
    size_t index, count = 0;
    json_t *object, *lost = NULL;

    json_array_foreach(world->objects, index, object)
    {
        if (is(text_at(object, "kind"), "Cluster") && seed % ++count == 0) {
            lost = object;
        }
    }
    put(lost, "status.conditions",
        pack("[{s:s,s:s,s:s,s:o}]", "type", "Ready", "status", "False", "reason",
             "ClusterNotReachable", "lastTransitionTime", time_json(WORLD_NOW - LOST_SECONDS)));
    return text_at(lost, "metadata.name");
}

static bool
plan_world(const struct world *world, struct policy *policy, struct cycle_result *ret)
{
    struct world_ports ports = {.world = world};
    static const atomic_bool stop = false; /* the policy keeps it */
    const struct fleet_origin origin = {.path = "world"};
    const struct backend backend = {.context = &ports, .origin = &origin, .read = world_ports_read};
    const struct cycle cycle = {.backend = &backend, .policy = policy, .stop = &stop};
    struct error err = ERROR_INIT;

    return cycle_run(&cycle, ret, &err);
}

char *
run_simulated(const struct world *world, uint64_t seed)
{
    struct world without = world_copy(world);
    const char *cluster = lose_cluster(&without, seed);
    struct arena *arena = arena_new();
    struct interner *strings = interner_new();
    struct cycle_result first = {.fleet = NULL}, lost = {.fleet = NULL};
    struct policy policy;
    struct error err = ERROR_INIT;
    struct buf complaints;

    buf_init(&complaints, (size_t)1 << 16);
    if (world_policy(world, arena, strings, &policy, &err)) {
        policy = simulation_policy(&policy, true);
        policy.now = WORLD_NOW * NANOS_PER_SECOND;
        if (plan_world(world, &policy, &first) && plan_world(&without, &policy, &lost)) {
            const struct fleet *fleet = first.report.fleet;

            check_lost(fleet, &policy, cluster, &lost.report, &complaints);
            check_drain(fleet, &policy, cluster, &complaints);
            check_survival(fleet, &policy, !has_claims(world), &complaints);
        }
    }
    char *found = complaints.length > 0 ? strdup(buf_text(&complaints)) : NULL;

    cycle_result_release(&first);
    cycle_result_release(&lost);
    buf_release(&complaints);
    interner_free(strings);
    arena_free(arena);
    world_free(&without);
    return found;
}
