/* SPDX-License-Identifier: Apache-2.0
 *
 * Tries each loss in turn, on a fleet with all its repairs done. A loss diagnoses and plans only
 * affected bindings. Each worker has one ledger, and gives back the capacity that a loss took.
 */
#include "ballast/simulate/survival.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/model/failure_domain.h"
#include "ballast/simulate/repairs.h"
#include "simulate_internal.h"

/* Limit in bytes for the receipts of one ledger; beyond, it is rebuilt. */
#define LEDGER_MEMORY_MAX ((size_t)128 << 20)

struct trial {
    const struct planned *fleet;
    const struct policy *policy;
    const struct members_seen *members_seen; /* members look alike in each loss */
    struct loss *losses;                     /* the worker that takes a loss fills it in */
    uint32_t n_losses;
    const uint32_t *first; /* bindings with replicas in cluster c: [first[c], first[c + 1]) */
    const uint32_t *bindings;
    const bool *restless;  /* by binding: planned in each loss */
    struct arena **arenas; /* of results, one per worker */
    atomic_uint next;
};

struct bench {
    const struct trial *trial;
    struct draft draft; /* clusters change with the loss */
    struct arena *scratch, *ledger_arena;
    struct ledger *ledger; /* of the fleet before a loss; NULL: not made */
    bool *lost;            /* by cluster */
    bool *chosen;          /* by binding */
    uint32_t *indices;     /* of planned bindings, in the fleet */
    struct binding *bindings;
    uint32_t n_bindings;
};

/* --- groups of clusters --- */

struct member_of_group {
    const char *name;
    uint32_t cluster;
};

static int
member_cmp(const void *a, const void *b)
{
    const struct member_of_group *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order != 0 ? order : x->cluster < y->cluster ? -1 : x->cluster > y->cluster;
}

/* Clusters without a group are in no loss. */
static struct loss *
list_losses(struct arena *arena, const struct fleet *fleet, enum guard_group by,
            uint32_t *ret_count)
{
    struct member_of_group *members = ARENA_ARRAY(arena, struct member_of_group, fleet->n_clusters);
    uint32_t *clusters = ARENA_ARRAY(arena, uint32_t, fleet->n_clusters);
    struct loss *losses = ARENA_ARRAY(arena, struct loss, fleet->n_clusters);
    uint32_t n_members = 0;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct cluster *cluster = &fleet->clusters[i];
        const char *name =
            by == GUARD_BY_NONE ? cluster->name : failure_domain_name(arena, cluster, by);

        if (!str_is_empty(name)) {
            members[n_members++] = (struct member_of_group){name, i};
        }
    }
    qsort(members, n_members, sizeof(*members), member_cmp);
    *ret_count = 0;
    for (uint32_t i = 0; i < n_members; i++) {
        clusters[i] = members[i].cluster;
        if (i == 0 || !str_eq(members[i].name, members[i - 1].name)) {
            losses[(*ret_count)++] =
                (struct loss){.name = members[i].name, .clusters = &clusters[i]};
        }
        losses[*ret_count - 1].n_clusters++;
    }
    return losses;
}

/* --- affected bindings --- */

static void
index_bindings(struct arena *arena, struct trial *trial)
{
    const struct fleet *fleet = trial->fleet->fleet;
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, (size_t)fleet->n_clusters + 2);

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        for (uint32_t j = 0; j < fleet->bindings[i].clusters.count; j++) {
            uint32_t cluster = fleet->bindings[i].clusters.items[j].cluster;

            if (cluster != CLUSTER_NONE) {
                first[cluster + 2]++;
            }
        }
    }
    for (uint32_t i = 2; i < fleet->n_clusters + 2; i++) {
        first[i] += first[i - 1];
    }
    uint32_t *bindings = ARENA_ARRAY(arena, uint32_t, first[fleet->n_clusters + 1]);

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        for (uint32_t j = 0; j < fleet->bindings[i].clusters.count; j++) {
            uint32_t cluster = fleet->bindings[i].clusters.items[j].cluster;

            if (cluster != CLUSTER_NONE) {
                bindings[first[cluster + 1]++] = i;
            }
        }
    }
    trial->first = first;
    trial->bindings = bindings;
}

/* These findings may concern bindings outside the lost clusters. */
static bool
asks_all(const struct policy *policy)
{
    static const enum finding_type far[] = {FINDING_INFEASIBLE_CLUSTER, FINDING_PLACEMENT_CHANGED,
                                            FINDING_UNPLACED,           FINDING_IMBALANCE,
                                            FINDING_NOT_APPLIED,        FINDING_PODS_NOT_CREATED,
                                            FINDING_NOT_READY_REPLICAS, FINDING_NODES_NOT_READY};
    bool asks = policy->reschedule_all;

    for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
        asks |= policy->triggers[far[i]];
    }
    return asks;
}

static const bool *
find_restless(struct arena *arena, const struct fleet *fleet, const struct policy *policy)
{
    bool *restless = ARENA_ARRAY(arena, bool, fleet->n_bindings);
    bool all = asks_all(policy);

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        restless[i] = all || binding_is_grouped(&fleet->bindings[i]);
    }
    return restless;
}

/* --- one loss --- */

static void
choose_bindings(struct bench *bench, const struct loss *loss)
{
    const struct trial *trial = bench->trial;
    const struct fleet *fleet = trial->fleet->fleet;

    memcpy(bench->chosen, trial->restless, fleet->n_bindings * sizeof(bool));
    for (uint32_t i = 0; i < loss->n_clusters; i++) {
        uint32_t cluster = loss->clusters[i];

        for (uint32_t j = trial->first[cluster]; j < trial->first[cluster + 1]; j++) {
            bench->chosen[trial->bindings[j]] = true;
        }
    }
    bench->n_bindings = 0;
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        if (bench->chosen[i]) {
            bench->bindings[bench->n_bindings] = fleet->bindings[i];
            bench->indices[bench->n_bindings++] = i;
        }
    }
}

/* Returns the fleet with the chosen bindings. Affinity groups are complete, because restless. */
static struct fleet
view_of(struct bench *bench)
{
    struct fleet view = bench->draft.fleet;
    const struct binding **grouped =
        ARENA_ARRAY(bench->scratch, const struct binding *, view.n_grouped);
    uint32_t n_grouped = 0;

    for (uint32_t i = 0; i < bench->n_bindings && n_grouped < view.n_grouped; i++) {
        if (binding_is_grouped(&bench->bindings[i])) {
            grouped[n_grouped++] = &bench->bindings[i];
        }
    }
    view.bindings = bench->bindings;
    view.n_bindings = bench->n_bindings;
    view.grouped = view.n_grouped > 0 ? grouped : NULL;
    return view;
}

/* Affinity groups in the ledger cannot be given back, so the ledger is rebuilt. */
static struct ledger *
open_ledger(struct bench *bench)
{
    const struct planned *fleet = bench->trial->fleet;

    if (bench->ledger == NULL || fleet->fleet->n_grouped > 0 ||
        arena_used(bench->ledger_arena) > LEDGER_MEMORY_MAX) {
        arena_reset(bench->ledger_arena);
        bench->ledger =
            ledger_new(bench->ledger_arena, fleet->fleet, fleet->diagnosis, bench->trial->policy);
    }
    return bench->ledger;
}

static void
give_back(struct ledger *ledger, const struct plan *plan)
{
    for (uint32_t i = plan->n_decisions; i-- > 0;) {
        const struct decision *decision = plan->decisions[plan->order[i]];

        for (uint32_t j = decision != NULL ? decision->n_receipts : 0; j-- > 0;) {
            ledger_give_back(ledger, decision->receipts[j]);
        }
    }
}

static void
set_lost(struct bench *bench, const struct loss *loss, bool lost)
{
    for (uint32_t i = 0; i < loss->n_clusters; i++) {
        uint32_t cluster = loss->clusters[i];

        bench->lost[cluster] = lost;
        if (lost) {
            draft_set_ready(&bench->draft, &bench->draft.clusters[cluster], "False");
        } else {
            bench->draft.clusters[cluster] = bench->draft.original->clusters[cluster];
        }
    }
}

static void
note(struct bench *bench, struct arena *arena, const struct planned *planned, struct loss *loss)
{
    struct loss found = loss_of_plan(arena, planned, bench->lost);

    found.name = loss->name;
    found.clusters = loss->clusters;
    found.n_clusters = loss->n_clusters;
    for (uint32_t i = 0; i < found.n_items; i++) {
        ((struct homeless *)found.items)[i].binding = bench->indices[found.items[i].binding];
    }
    *loss = found;
}

static void
try_loss(struct bench *bench, struct arena *arena, struct loss *loss)
{
    const struct policy *policy = bench->trial->policy;

    choose_bindings(bench, loss);
    set_lost(bench, loss, true);
    const struct fleet view = view_of(bench);
    const struct seen_already seen_already = {bench->trial->members_seen, bench->indices};
    const struct diagnosis *diagnosis =
        diagnose_seen_already(bench->scratch, &view, policy, &seen_already);
    struct ledger *ledger = open_ledger(bench);
    struct budget *budget = budget_new(bench->scratch, &view, diagnosis, &policy->limits);
    const struct plan *plan = plan_fleet(bench->scratch, &view, diagnosis, policy, ledger, budget);
    const struct planned planned = {.fleet = &view, .diagnosis = diagnosis, .plan = plan};

    if (!policy_is_stopped(policy)) {
        note(bench, arena, &planned, loss);
        give_back(ledger, plan);
    }
    set_lost(bench, loss, false);
    arena_reset(bench->scratch);
}

static void
work(void *job, uint32_t worker)
{
    struct trial *trial = job;
    const struct fleet *fleet = trial->fleet->fleet;
    struct arena *own = arena_new();
    struct bench bench = {
        .trial = trial,
        .scratch = arena_new(),
        .ledger_arena = arena_new(),
        .lost = ARENA_ARRAY(own, bool, fleet->n_clusters),
        .chosen = ARENA_ARRAY(own, bool, fleet->n_bindings),
        .indices = ARENA_ARRAY(own, uint32_t, fleet->n_bindings),
        .bindings = ARENA_ARRAY(own, struct binding, fleet->n_bindings),
    };

    bench.draft = (struct draft){.arena = bench.scratch, .original = fleet, .fleet = *fleet};
    bench.draft.clusters =
        arena_memdup(own, fleet->clusters, fleet->n_clusters * sizeof(*fleet->clusters));
    bench.draft.fleet.clusters = bench.draft.clusters;
    bench.draft.fleet.heap = NULL;
    for (uint32_t i; !policy_is_stopped(trial->policy) &&
                     (i = atomic_fetch_add(&trial->next, 1)) < trial->n_losses;) {
        try_loss(&bench, trial->arenas[worker], &trial->losses[i]);
    }
    arena_free(bench.ledger_arena);
    arena_free(bench.scratch);
    arena_free(own);
}

/* --- all losses --- */

/* Copies results from the workers' memory to the caller's. */
static void
keep(struct arena *arena, struct loss *loss)
{
    struct homeless *items = arena_memdup(arena, loss->items, loss->n_items * sizeof(*loss->items));

    for (uint32_t i = 0; i < loss->n_items; i++) {
        items[i].message = arena_printf(arena, "%s", items[i].message);
    }
    loss->items = items;
    loss->priorities =
        arena_memdup(arena, loss->priorities, loss->n_priorities * sizeof(*loss->priorities));
}

static int
loss_cmp(const void *a, const void *b)
{
    const struct loss *x = a, *y = b;

    if (x->homeless != y->homeless) {
        return x->homeless > y->homeless ? -1 : 1;
    }
    if (x->copies != y->copies) {
        return x->copies > y->copies ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

bool
survival_of(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
            enum guard_group by, const struct workers *workers, struct survival *ret)
{
    struct arena *scratch = arena_new();
    const struct repairs repairs = repairs_of(scratch, fleet, policy);
    const struct fleet repaired = repairs_carry_out(arena, &repairs, policy);
    const struct fleet *done = arena_memdup(arena, &repaired, sizeof(repaired));
    const struct planned planned = {.fleet = done, .diagnosis = diagnose(scratch, done, policy)};
    struct trial trial = {.fleet = &planned, .policy = policy};

    trial.losses = list_losses(arena, done, by, &trial.n_losses);
    trial.members_seen = members_seen_new(scratch, done, policy);
    trial.restless = find_restless(scratch, done, policy);
    trial.arenas = ARENA_ARRAY(scratch, struct arena *, workers->count);
    index_bindings(scratch, &trial);
    for (uint32_t i = 0; i < workers->count; i++) {
        trial.arenas[i] = arena_new();
    }
    workers->run(workers->count, work, &trial);
    *ret = (struct survival){.fleet = done,
                             .by = by,
                             .losses = trial.losses,
                             .n_losses = trial.n_losses,
                             .n_ungrouped = done->n_clusters};
    for (uint32_t i = 0; i < trial.n_losses; i++) {
        keep(arena, &trial.losses[i]);
        ret->n_ungrouped -= trial.losses[i].n_clusters;
        ret->n_survived += trial.losses[i].homeless == 0 ? 1 : 0;
    }
    qsort(trial.losses, trial.n_losses, sizeof(*trial.losses), loss_cmp);
    for (uint32_t i = 0; i < workers->count; i++) {
        arena_free(trial.arenas[i]);
    }
    arena_free(scratch);
    return !policy_is_stopped(policy);
}

const struct loss *
survival_worst(const struct survival *survival)
{
    return survival->n_losses > 0 ? &survival->losses[0] : NULL;
}
