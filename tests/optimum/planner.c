/* SPDX-License-Identifier: Apache-2.0
 *
 * See planner.h.
 */
#include "planner.h"

#include "ballast/base/timestamp.h"
#include "ballast/plan/plan.h"
#include "ballast/plan/trace.h"

#define NANOS_PER_MILLI 1000000
#define MEBI (INT64_C(1) << 20)
#define NANOS INT64_C(1000000000)

/* What is left of a cluster while replicas come to it. */
struct room {
    int64_t of[N_LEDGER_RESOURCES];
};

static int64_t
units(enum ledger_resource resource, struct quantity quantity)
{
    nanos128 nano = quantity.nano;

    switch (resource) {
    case LEDGER_CPU:
        return (int64_t)(nano / NANOS_PER_MILLI);
    case LEDGER_MEMORY:
        return (int64_t)(nano / NANOS / MEBI);
    case LEDGER_PODS:
    case N_LEDGER_RESOURCES:
        break;
    }
    return (int64_t)(nano / NANOS);
}

int64_t
planned_request(const struct binding *binding, enum ledger_resource resource)
{
    const struct quantity one = quantity_from_int(1);
    const struct quantity *each =
        resource == LEDGER_PODS
            ? &one
            : resource_list_find(&binding->requirements->request, ledger_resource_name(resource));

    return each != NULL ? units(resource, *each) : 0;
}

int64_t
planned_room(const struct planned *planned, uint32_t cluster, enum ledger_resource resource)
{
    struct ledger_free room;

    return ledger_free(planned->ledger, cluster, &room) ? units(resource, room.of[resource].before)
                                                        : 0;
}

static int64_t
lost_of(const struct planned *planned, uint32_t index)
{
    const struct binding *binding = &planned->fleet->bindings[index];
    const struct target_state *states =
        planned->diagnosis->targets + planned->diagnosis->bindings[index].first_target;
    int64_t lost = 0;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        lost += states[i].lost ? binding->clusters.items[i].replicas : 0;
    }
    return lost;
}

/* Replicas that come to a target. */
static int32_t
come_to(const struct decision *decision, const struct target *target)
{
    const struct target *had = target_list_find(&decision->before, target->name);
    int32_t before = had != NULL ? had->replicas : 0;

    return target->replicas > before ? target->replicas - before : 0;
}

static int64_t
come_in_all(const struct decision *decision)
{
    int64_t all = 0;

    for (uint32_t i = 0; decision != NULL && i < decision->after.count; i++) {
        all += come_to(decision, &decision->after.items[i]);
    }
    return all;
}

/* How many of them run, which then take that room. */
static int64_t
admit(struct room *room, const struct binding *binding, int64_t replicas)
{
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        int64_t each = planned_request(binding, (enum ledger_resource)i);

        replicas = each > 0 && room->of[i] / each < replicas ? room->of[i] / each : replicas;
    }
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        room->of[i] -= replicas * planned_request(binding, (enum ledger_resource)i);
    }
    return replicas;
}

static const struct plan *
plan_by(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
        const struct policy *policy, bool only_first_pass)
{
    const struct plan_inputs inputs = {
        .fleet = fleet,
        .diagnosis = diagnosis,
        .policy = policy,
        .ledger = ledger_new(arena, fleet, diagnosis, policy),
        .run_accounts = run_accounts_new(arena, fleet, diagnosis, &policy->limits),
        .only_first_pass = only_first_pass,
    };

    return plan_fleet_traced(arena, &inputs, NULL);
}

static void
give_planned(struct arena *arena, struct planned *planned, const struct policy *policy,
             bool only_first_pass)
{
    const struct fleet *fleet = planned->fleet;
    const struct plan *plan = plan_by(arena, fleet, planned->diagnosis, policy, only_first_pass);
    int64_t *given = ARENA_ARRAY(arena, int64_t, fleet->n_bindings);

    for (uint32_t b = 0; b < fleet->n_bindings; b++) {
        given[b] = come_in_all(plan->decisions[b]);
        planned->moved += plan->decisions[b] != NULL ? plan->decisions[b]->moved : 0;
    }
    planned->given = given;
}

/* Of the same fleet after Karmada has taken its lost clusters out of the bindings. */
static bool
give_by_karmada(struct arena *arena, uint64_t seed, struct planned *planned,
                const struct policy *defaults, struct error *err)
{
    const struct tight_size size = {.seed = seed, .evicted = true};
    struct fleet *evicted = tight_fleet(&size, err);
    struct policy policy = *defaults;

    if (evicted == NULL) {
        return false;
    }
    policy_stand_in_for(&policy, UPSTREAM_KARMADA);
    const struct plan *plan =
        plan_by(arena, evicted, diagnose(arena, evicted, &policy), &policy, true);
    struct room *rooms = ARENA_ARRAY(arena, struct room, evicted->n_clusters);
    int64_t *given = ARENA_ARRAY(arena, int64_t, evicted->n_bindings);

    for (uint32_t c = 0; c < evicted->n_clusters; c++) {
        for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
            rooms[c].of[i] = planned_room(planned, c, (enum ledger_resource)i);
        }
    }
    for (uint32_t b = 0; b < evicted->n_bindings; b++) {
        const struct decision *decision = plan->decisions[b];

        for (uint32_t i = 0; decision != NULL && i < decision->after.count; i++) {
            const struct target *target = &decision->after.items[i];
            uint32_t cluster = fleet_find_cluster(evicted, target->name);
            int32_t come = come_to(decision, target);

            planned->moved += come;
            given[b] += admit(&rooms[cluster], &evicted->bindings[b], come);
        }
    }
    planned->given = given;
    fleet_free(evicted);
    return true;
}

struct planned *
planned_new(struct arena *arena, uint64_t seed, enum planner planner, struct error *err)
{
    struct fleet *fleet = tight_fleet(&(struct tight_size){.seed = seed}, err);
    struct policy *policy = ARENA_NEW(arena, struct policy);
    struct planned *ret = ARENA_NEW(arena, struct planned);

    if (fleet == NULL) {
        return NULL;
    }
    policy_init(policy);
    policy->now = TIGHT_NOW * NANOS_PER_SECOND;
    ret->fleet = fleet;
    ret->diagnosis = diagnose(arena, fleet, policy);
    ret->ledger = ledger_new(arena, fleet, ret->diagnosis, policy);
    int64_t *lost = ARENA_ARRAY(arena, int64_t, fleet->n_bindings);

    for (uint32_t b = 0; b < fleet->n_bindings; b++) {
        lost[b] = lost_of(ret, b);
    }
    ret->lost = lost;
    if (planner != PLANNER_KARMADA) {
        give_planned(arena, ret, policy, planner == PLANNER_FIRST_PASS);
    } else if (!give_by_karmada(arena, seed, ret, policy, err)) {
        fleet_free(fleet);
        return NULL;
    }
    return ret;
}

void
planned_free(struct planned *planned)
{
    fleet_free(planned->fleet);
}
