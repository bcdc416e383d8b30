/* SPDX-License-Identifier: Apache-2.0
 *
 * property [FLEETS [SEED]]: plans that many random fleets, from that seed on,
 * and checks what must hold of every plan. A fleet that breaks something is
 * shown and left in property-SEED.json, which `ballast plan --fleet` reads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "explained.h"
#include "invariants.h"
#include "limited.h"
#include "preferred.h"
#include "simulated.h"
#include "snapshots.h"

#include "ballast/base/timestamp.h"
#include "ballast/capacity/ledger.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/kinds/decode.h"
#include "ballast/simulate/change.h"

#define TEXT_MAX ((size_t)1 << 24)
#define OBJECTS_MAX 4096
#define SNAPSHOT_EVERY 4
#define CROWD_EVERY 64
#define BALANCE_EVERY 3
#define BALANCE_RUNS 10
#define LOST_MINUTES 10000000 /* longer than anything is tolerated */
#define SHOWN_MAX 5           /* broken fleets that a worker shows in full */

/* One world, observed, diagnosed and planned. */
struct attempt {
    struct buf text;
    struct fleet *fleet;
    struct arena *arena;
    const struct diagnosis *diagnosis;
    const struct plan *plan;
};

static struct fleet *
read_fleet(const struct buf *text, struct random *shuffle, struct error *err)
{
    static const struct object_origin origin = {.file = "world", .member = ""};
    const char *objects[OBJECTS_MAX];
    struct fleet_builder *builder = fleet_builder_new();
    struct fleet *fleet;
    int count = 0;
    bool fine = true;

    for (size_t at = 0; at < text->length && count < OBJECTS_MAX; count++) {
        objects[count] = text->data + at;
        at += strlen(objects[count]) + 1;
    }
    for (int i = count - 1; shuffle != NULL && i > 0; i--) {
        int other = random_below(shuffle, i + 1);
        const char *swapped = objects[i];

        objects[i] = objects[other];
        objects[other] = swapped;
    }
    for (int i = 0; i < count && fine; i++) {
        struct document *document = document_parse_json(objects[i], strlen(objects[i]), 1, err);

        fine = document != NULL && fleet_builder_add(builder, document_root(document), "", "",
                                                     &origin, err) == ADD_TAKEN;
        document_free(document);
    }
    fleet = fine ? fleet_builder_finish(builder, WORLD_NOW * NANOS_PER_SECOND, err) : NULL;
    fleet_builder_free(builder);
    return fleet;
}

static void
mark_seen(const struct world *world, struct buf *text)
{
    /* A member whose pods are seen has at least one: its absence would read as not seen. */
    for (int i = 0; i < world->n_clusters; i++) {
        if (world->clusters[i].seen) {
            buf_printf(text,
                       "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"seen\","
                       "\"namespace\":\"local\",\"annotations\":{"
                       "\"resource.karmada.io/cached-from-cluster\":\"%s\"}},"
                       "\"status\":{\"phase\":\"Succeeded\"}}",
                       world->clusters[i].name);
            buf_append(text, "", 1);
        }
    }
}

static bool
attempt_begin(struct attempt *attempt, const struct world *world, struct random *shuffle,
              const struct policy *wanted, struct buf *complaints)
{
    struct policy policy;
    struct error err = ERROR_INIT;

    memset(attempt, 0, sizeof(*attempt));
    attempt->arena = arena_new();
    buf_init(&attempt->text, TEXT_MAX);
    world_write(world, &attempt->text);
    mark_seen(world, &attempt->text);
    attempt->fleet = read_fleet(&attempt->text, shuffle, &err);
    if (attempt->fleet == NULL || attempt->fleet->n_problems > 0) {
        buf_printf(complaints, "the fleet cannot be read: %s\n",
                   attempt->fleet == NULL ? err.message : attempt->fleet->problems[0].message);
        return false;
    }
    policy_init(&policy);
    if (wanted != NULL) {
        policy = *wanted;
    }
    policy.now = WORLD_NOW * NANOS_PER_SECOND;
    attempt->diagnosis = diagnose(attempt->arena, attempt->fleet, &policy);
    attempt->plan =
        plan_fleet(attempt->arena, attempt->fleet, attempt->diagnosis, &policy,
                   ledger_new(attempt->arena, attempt->fleet, attempt->diagnosis, &policy),
                   budget_new(attempt->arena, attempt->fleet, attempt->diagnosis, &policy.limits));
    explained_check(
        &(struct planned_fleet){attempt->fleet, attempt->diagnosis, &policy, attempt->plan},
        complaints);
    return true;
}

static void
attempt_end(struct attempt *attempt)
{
    buf_release(&attempt->text);
    fleet_free(attempt->fleet);
    arena_free(attempt->arena);
}

static void
check_shuffled(const struct world *world, const struct policy *policy, const struct attempt *first,
               uint64_t seed, struct buf *complaints)
{
    struct random shuffle = {.state = seed | 1};
    struct attempt again;

    if (attempt_begin(&again, world, &shuffle, policy, complaints)) {
        invariants_same(first->fleet, first->plan, again.fleet, again.plan,
                        "in another order of the input", complaints);
    }
    attempt_end(&again);
}

/* The same world under limits. */
static void
check_limited(const struct world *world, uint64_t seed, struct buf *complaints)
{
    struct limits limits;
    struct policy policy;
    struct attempt limited;

    limited_generate(&limits, seed);
    policy_init(&policy);
    policy.limits = limits;
    if (attempt_begin(&limited, world, NULL, &policy, complaints)) {
        invariants_check(world, limited.fleet, limited.plan, &policy, complaints);
        limited_check(world, limited.fleet, limited.plan, &limits, complaints);
    }
    attempt_end(&limited);
}

static void
check_settled(const struct world *world, const struct policy *policy, const char *what,
              struct buf *complaints)
{
    struct attempt again;

    if (attempt_begin(&again, world, NULL, policy, complaints)) {
        invariants_settled(again.fleet, again.plan, what, complaints);
    }
    attempt_end(&again);
}

static bool
wants_room(const struct plan *plan)
{
    for (uint32_t i = 0; i < plan->n_decisions; i++) {
        if (plan->decisions[i] != NULL && invariants_scale_up_waits(plan->decisions[i])) {
            return true;
        }
    }
    return plan->totals.replicas_unplaced > 0 || plan->totals.by_action[ACTION_BLOCKED] > 0;
}

/* A request for a fresh schedule of which nothing could be met stays. */
static bool
stays_requested(const struct attempt *attempt)
{
    for (uint32_t i = 0; i < attempt->diagnosis->n_findings; i++) {
        const struct finding *finding = &attempt->diagnosis->findings[i];
        const struct decision *decision = attempt->plan->decisions[finding->binding];

        if (finding->type == FINDING_RESCHEDULE_REQUESTED && finding->triggers &&
            (decision == NULL || !decision->changes)) {
            return true;
        }
    }
    return false;
}

/* Two things a plan cannot foresee: room that it sets free itself, which those that found none may
 * use once the members caught up; and that what fails in one cluster turns out to run in the next,
 * which makes the first one to blame. */
static bool
may_settle_later(const struct attempt *attempt, const struct world *world)
{
    uint32_t blamed = 0;

    for (uint32_t i = 0; i < attempt->diagnosis->n_findings; i++) {
        const struct finding *finding = &attempt->diagnosis->findings[i];

        blamed += finding->type == FINDING_FAILED_REPLICAS && finding->triggers ? 1 : 0;
    }
    return wants_room(attempt->plan) || blamed != world_count_failing(world);
}

/* What was planned is written, and the next run finds nothing to do. Whoever was kept back by a
 * mate may follow in the next run, if that mate was decided later. */
static void
check_second_run(const struct world *world, const struct policy *policy,
                 const struct attempt *first, struct buf *complaints)
{
    struct world after = *world;

    world_apply(&after, first->fleet, first->plan);
    if (stays_requested(first)) {
        return;
    }
    if (!wants_room(first->plan) ||
        !(world_has_quota(world) || world_has_mates(world) || world_packs_anew(world, &after))) {
        check_settled(&after, policy, "a second run right away", complaints);
    }
    if (!may_settle_later(first, world)) {
        world_catch_up(&after);
        check_settled(&after, policy, "a second run after the members caught up", complaints);
    }
}

/* The same world under a preference. */
static void
check_preference(const struct world *world, uint64_t seed, struct buf *complaints)
{
    struct preferred preferred;
    struct policy policy;
    struct attempt attempt;

    preferred_generate(&preferred, world, seed);
    policy_init(&policy);
    policy.preferences = (struct preference_list){.items = &preferred.preference, .count = 1};
    if (attempt_begin(&attempt, world, NULL, &policy, complaints)) {
        invariants_check(world, attempt.fleet, attempt.plan, &policy, complaints);
        preferred_check(world, attempt.fleet, attempt.plan, &preferred, complaints);
        cooldown_check(world, attempt.fleet, attempt.plan, complaints);
        check_shuffled(world, &policy, &attempt, seed, complaints);
        check_second_run(world, &policy, &attempt, complaints);
    }
    attempt_end(&attempt);
}

/* The same world in mode Evict: nothing is given, what is ready stays, and once is enough. */
static void
check_evict(const struct world *world, uint64_t seed, struct buf *complaints)
{
    struct policy policy;
    struct attempt attempt;

    policy_init(&policy);
    policy.mode = MODE_EVICT;
    if (attempt_begin(&attempt, world, NULL, &policy, complaints)) {
        invariants_check(world, attempt.fleet, attempt.plan, &policy, complaints);
        check_shuffled(world, &policy, &attempt, seed, complaints);
        check_second_run(world, &policy, &attempt, complaints);
    }
    attempt_end(&attempt);
}

/* Runs that balance, one after the other, come to an end; on the way everything holds that holds of
 * other runs, and nothing that is ready moves where that is not wanted. */
static void
check_balance(const struct world *world, uint64_t seed, struct buf *complaints)
{
    struct world after = *world;
    struct preferred preferred;
    struct policy policy;
    bool goes_on = true;

    preferred_generate(&preferred, world, seed);
    preferred.preference.rebalance = true;
    policy_init(&policy);
    if (seed % 3 == 0) {
        policy.preferences = (struct preference_list){.items = &preferred.preference, .count = 1};
    }
    policy.triggers[FINDING_IMBALANCE] = true;
    policy.balance = (struct balance_policy){.static_weights = true, .move_running = seed % 2 == 0};
    for (int run = 0; goes_on; run++) {
        struct attempt attempt;

        goes_on = attempt_begin(&attempt, &after, NULL, &policy, complaints) &&
                  attempt.plan->totals.changed > 0;
        if (goes_on && !policy.balance.move_running) {
            invariants_check(&after, attempt.fleet, attempt.plan, &policy, complaints);
        }
        if (goes_on && run == BALANCE_RUNS) {
            invariants_settled(attempt.fleet, attempt.plan, "balance goes on", complaints);
            goes_on = false;
        }
        if (goes_on) {
            world_apply(&after, attempt.fleet, attempt.plan);
            world_catch_up(&after);
        }
        attempt_end(&attempt);
    }
}

static void
check_snapshots(const struct attempt *first, bool crowded, struct buf *complaints)
{
    struct policy policy;

    policy_init(&policy);
    policy.now = WORLD_NOW * NANOS_PER_SECOND;
    snapshots_check(&first->text, &policy, true, complaints);
    summaries_check(&first->text, &policy, crowded, complaints);
}

/* A cluster is lost in the program's own way, and by what its object says. */
static void
check_simulated(const struct world *world, const struct attempt *first, uint64_t seed,
                struct buf *complaints)
{
    const int64_t now = WORLD_NOW * NANOS_PER_SECOND;
    struct world without = *world;
    struct world_cluster *lost = &without.clusters[seed % (uint64_t)world->n_clusters];
    struct policy policy;
    struct attempt attempt;

    policy_init(&policy);
    policy = simulation_policy(&policy, true);
    lost->ready = 0;
    lost->ready_minutes = LOST_MINUTES;
    if (attempt_begin(&attempt, &without, NULL, &policy, complaints)) {
        simulated_check_lost(first->fleet, lost->name, attempt.fleet, attempt.plan, now,
                             complaints);
        simulated_check_drain(first->fleet, lost->name, now, complaints);
        simulated_check_survival(first->fleet, now, complaints);
    }
    attempt_end(&attempt);
}

static void
check_world(const struct world *world, uint64_t seed, struct attempt *first, struct buf *complaints)
{
    if (!attempt_begin(first, world, NULL, NULL, complaints)) {
        return;
    }
    invariants_check(world, first->fleet, first->plan, NULL, complaints);
    check_shuffled(world, NULL, first, seed, complaints);
    cooldown_check(world, first->fleet, first->plan, complaints);
    check_limited(world, seed, complaints);
    check_preference(world, seed, complaints);
    check_evict(world, seed, complaints);
    if (seed % BALANCE_EVERY == 0) {
        check_balance(world, seed / BALANCE_EVERY, complaints);
    }
    if (seed % SNAPSHOT_EVERY == 0) {
        check_snapshots(first, seed % CROWD_EVERY == 0, complaints);
    }
    check_second_run(world, NULL, first, complaints);
    check_simulated(world, first, seed, complaints);
}

static void
show_world(const struct attempt *attempt)
{
    for (uint32_t i = 0; attempt->plan != NULL && i < attempt->plan->n_decisions; i++) {
        const struct decision *decision =
            plan_decision(attempt->arena, attempt->plan, attempt->fleet, i);
        const struct binding_state *state = &attempt->diagnosis->bindings[decision->binding];
        struct buf line;

        buf_init(&line, TEXT_MAX);
        buf_printf(&line, "  %s: %s: ", attempt->fleet->bindings[decision->binding].resource.name,
                   plan_action_name(decision->action));
        invariants_show_split(&decision->before, &line);
        buf_append_str(&line, " -> ");
        invariants_show_split(&decision->after, &line);
        for (uint32_t f = 0; f < state->n_findings; f++) {
            const struct finding *finding = &attempt->diagnosis->findings[state->first_finding + f];

            buf_printf(&line, " [%s %s %d]", finding_type_name(finding->type), finding->cluster,
                       finding->replicas);
        }
        for (uint32_t r = 0; r < decision->n_reasons; r++) {
            buf_printf(&line, " (%s)", decision->reasons[r].message);
        }
        printf("%s\n", buf_text(&line));
        buf_release(&line);
    }
}

static void
save_world(const struct buf *text, uint64_t seed)
{
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "property-%llu.json", (unsigned long long)seed);
    file = fopen(path, "w");
    if (file == NULL) {
        return;
    }
    fprintf(file, "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    for (size_t at = 0; at < text->length; at += strlen(text->data + at) + 1) {
        fprintf(file, "%s\n%s", at > 0 ? "," : "", text->data + at);
    }
    fprintf(file, "\n]}\n");
    fclose(file);
    printf("  ballast plan --fleet %s --now 2026-03-01T12:00:00Z\n", path);
}

/* true when everything holds. */
static bool
run_seed(uint64_t seed, bool show)
{
    struct world world;
    struct attempt first;
    struct buf complaints;
    bool fine;

    buf_init(&complaints, TEXT_MAX);
    world_generate(&world, seed);
    check_world(&world, seed, &first, &complaints);
    fine = complaints.length == 0;
    if (!fine && show) {
        printf("seed %llu:\n%s", (unsigned long long)seed, buf_text(&complaints));
        show_world(&first);
        save_world(&first.text, seed);
        fflush(stdout);
    }
    attempt_end(&first);
    buf_release(&complaints);
    return fine;
}

/* Every `step`-th seed; returns how many broke something. */
static unsigned
run_seeds(uint64_t first, uint64_t last, uint64_t step)
{
    unsigned broken = 0;

    for (uint64_t seed = first; seed < last; seed += step) {
        broken += run_seed(seed, broken < SHOWN_MAX) ? 0 : 1;
    }
    return broken;
}

/* The seeds shared among as many processes as there are processors. */
static unsigned
run_workers(uint64_t first, uint64_t last)
{
    long workers = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned broken = 0;
    int ends[2];

    if (workers < 2 || pipe(ends) != 0) {
        return run_seeds(first, last, 1);
    }
    fflush(stdout);
    for (long i = 0; i < workers; i++) {
        if (fork() == 0) {
            unsigned mine = run_seeds(first + (uint64_t)i, last, (uint64_t)workers);
            bool told = write(ends[1], &mine, sizeof(mine)) == (ssize_t)sizeof(mine);

            fflush(stdout);
            _exit(told ? 0 : 1);
        }
    }
    for (long i = 0; i < workers; i++) {
        int status = 0;
        unsigned theirs = 1;

        if (wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            printf("a worker died: run again with one seed at a time\n");
        } else if (read(ends[0], &theirs, sizeof(theirs)) != (ssize_t)sizeof(theirs)) {
            theirs = 1;
        }
        broken += theirs;
    }
    return broken;
}

int
main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 5000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    unsigned broken = count == 1 ? run_seeds(seed, seed + 1, 1) : run_workers(seed, seed + count);

    printf("properties: %llu passed, %u failed\n", (unsigned long long)count - broken, broken);
    return count > 0 && broken == 0 ? 0 : 1;
}
