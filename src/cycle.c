/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one cycle: reads, surveys, diagnoses, plans and writes. Plans conflicts anew.
 */
#include "ballast/cycle/cycle.h"

#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/capacity/questions.h"

/* Capacity and limits that plans consume. */
struct accounts {
    struct ledger *ledger;
    struct run_accounts *run_accounts;
};

struct replan_context {
    struct arena *arena;
    const struct fleet *fleet;
    const struct policy *policy;
    const struct undo *undo; /* NULL: the run takes nothing back */
    struct accounts accounts;
    const struct decision **latest;   /* by binding; a replan frees their capacity and limits */
    struct binding *bindings;         /* the fleet's, with those read again; NULL: none was */
    const struct diagnosis **revised; /* by binding: diagnosis of it alone; NULL: not read again */
    const struct cycle_watch *watch;
    const struct report *report; /* before the writes */
};

static const struct plan *
make_plan(struct arena *arena, const struct report *view, const struct undo *undo,
          const struct accounts *accounts, struct plan_trace *trace)
{
    const struct plan_inputs inputs = {
        .fleet = view->fleet,
        .diagnosis = view->diagnosis,
        .policy = view->policy,
        .ledger = accounts->ledger,
        .run_accounts = accounts->run_accounts,
    };

    if (undo != NULL) {
        return plan_undo(arena, &inputs, undo);
    }
    return trace != NULL ? plan_fleet_traced(arena, &inputs, trace)
                         : plan_fleet(arena, view->fleet, view->diagnosis, view->policy,
                                      accounts->ledger, accounts->run_accounts);
}

/* Frees the capacity and limits of a decision that Ballast did not write. */
static void
take_back(struct replan_context *replan, uint32_t index)
{
    const struct decision *decision = replan->latest[index];

    for (uint32_t i = 0; i < decision->n_receipts; i++) {
        ledger_give_back(replan->accounts.ledger, decision->receipts[i]);
    }
    charges_give_back(decision->charges, decision->n_charges);
}

static void
note_fresh(struct replan_context *replan, uint32_t index, const struct binding *fresh,
           const struct diagnosis *diagnosis)
{
    const struct fleet *fleet = replan->fleet;

    if (replan->bindings == NULL) {
        replan->bindings = arena_memdup(replan->arena, fleet->bindings,
                                        fleet->n_bindings * sizeof(*fleet->bindings));
        replan->revised = ARENA_ARRAY(replan->arena, const struct diagnosis *, fleet->n_bindings);
    }
    replan->bindings[index] = *fresh;
    replan->revised[index] = diagnosis;
}

/* Returns the fleet with `fresh` as its only binding. */
static const struct fleet *
view_of(struct replan_context *replan, const struct binding *fresh)
{
    struct fleet *view = arena_memdup(replan->arena, replan->fleet, sizeof(*view));

    view->bindings = fresh;
    view->n_bindings = 1;
    return view;
}

static const struct binding *
last_read(const struct replan_context *replan, uint32_t index)
{
    return replan->bindings != NULL ? &replan->bindings[index] : &replan->fleet->bindings[index];
}

/* Replaces a binding after a conflict. New replicas take capacity, quota and affinity groups. */
static void
reread(void *context, uint32_t index, const struct binding *fresh)
{
    struct replan_context *replan = context;
    struct policy policy = *replan->policy;

    policy_let_end(&policy); /* one binding is quick, and the report needs its decision */
    take_back(replan, index);
    ledger_replace(replan->accounts.ledger, last_read(replan, index), fresh);
    note_fresh(
        replan, index, fresh,
        diagnose_part(replan->arena, view_of(replan, fresh), &policy, replan->report->diagnosis));
}

static const struct decision *
replan(void *context, uint32_t index)
{
    struct replan_context *replan = context;
    struct policy policy = *replan->policy;
    const struct fleet *view = view_of(replan, &replan->bindings[index]);

    policy_let_end(&policy);
    const struct report known = {
        .fleet = view, .diagnosis = replan->revised[index], .policy = &policy};
    const struct plan *plan =
        make_plan(replan->arena, &known, replan->undo, &replan->accounts, NULL);

    struct decision *decision =
        arena_memdup(replan->arena, plan_decision(replan->arena, plan, view, 0), sizeof(*decision));

    decision->binding = index;
    replan->latest[index] = decision;
    return decision;
}

static void
report_outcome(void *context, const struct write_outcome *write)
{
    const struct replan_context *replan = context;
    const struct cycle_watch *watch = replan->watch;

    if (watch->wrote != NULL) {
        watch->wrote(watch->context, replan->report, write);
    }
}

static const struct decision **
copy_decisions(struct arena *arena, const struct plan *plan)
{
    return arena_memdup(arena, plan->decisions, plan->n_decisions * sizeof(*plan->decisions));
}

static struct replan_context
replan_context_new(struct arena *arena, const struct cycle *cycle, const struct report *report,
                   const struct accounts *accounts)
{
    return (struct replan_context){
        .arena = arena,
        .fleet = report->fleet,
        .policy = cycle->policy,
        .undo = cycle->undo,
        .accounts = *accounts,
        .latest = copy_decisions(arena, report->plan),
        .watch = &cycle->watch,
        .report = report,
    };
}

/* Puts the outcome into the report, with new bindings, diagnoses and decisions. */
static void
carry_out(const struct replan_context *replan, const struct outcome *outcome, struct report *report)
{
    const struct decision **decisions = copy_decisions(replan->arena, report->plan);

    for (uint32_t i = 0; i < outcome->n_writes; i++) {
        decisions[outcome->writes[i].binding] = outcome->writes[i].decision;
    }
    if (replan->bindings != NULL) {
        struct fleet *fleet = arena_memdup(replan->arena, replan->fleet, sizeof(*fleet));

        fleet->bindings = replan->bindings;
        report->fleet = fleet;
        report->diagnosis =
            diagnosis_with(replan->arena, report->diagnosis, fleet, replan->revised);
    }
    report->outcome = outcome;
    report->plan = plan_with(replan->arena, report->plan, report->diagnosis, decisions);
}

static void
set_now(const struct cycle *cycle, const struct fleet *fleet)
{
    if (cycle->policy->now == TIME_NONE) {
        cycle->policy->now =
            fleet->captured_at != TIME_NONE ? fleet->captured_at : cycle->wall_clock;
    }
}

const char *
cycle_phase_name(enum cycle_phase phase)
{
    static const char *const names[] = {
#define X(id, name, text) [CYCLE_##id] = (name),
        CYCLE_PHASES(X)
#undef X
    };

    return names[phase];
}

static void
begin(const struct cycle *cycle, enum cycle_phase phase)
{
    if (cycle->watch.phase != NULL) {
        cycle->watch.phase(cycle->watch.context, phase, true);
    }
}

static void
end(const struct cycle *cycle, enum cycle_phase phase)
{
    if (cycle->watch.phase != NULL) {
        cycle->watch.phase(cycle->watch.context, phase, false);
    }
}

static struct fleet *
survey(const struct cycle *cycle, struct fleet *fleet, const struct survey *asked,
       struct error *err)
{
    const struct backend *backend = cycle->backend;

    if (backend->survey == NULL) {
        return fleet;
    }
    begin(cycle, CYCLE_SURVEY);
    struct fleet *surveyed = backend->survey(backend->context, fleet, asked, err);

    end(cycle, CYCLE_SURVEY);
    return surveyed;
}

static struct fleet *
survey_for_diagnosis(const struct cycle *cycle, struct arena *arena, struct fleet *fleet,
                     struct error *err)
{
    struct survey asked = {.unschedulable_threshold = cycle->policy->unschedulable_threshold};

    asked.stuck = diagnose_stuck_questions(arena, fleet, cycle->policy, &asked.n_stuck);
    return survey(cycle, fleet, &asked, err);
}

/* Returns which bindings to plan, by index. NULL: bindings in need. */
static const bool *
planned_bindings(const struct cycle *cycle, struct arena *arena, const struct fleet *fleet)
{
    return cycle->undo != NULL ? undo_concerns(arena, cycle->undo, fleet) : NULL;
}

static struct fleet *
survey_for_plan(const struct cycle *cycle, struct arena *arena, struct fleet *fleet,
                const struct diagnosis *diagnosis, struct error *err)
{
    struct survey asked = {
        .may_change = cycle->asks_all || cycle->undo != NULL ||
                      capacity_is_needed(fleet, diagnosis, cycle->policy),
        .wants_purge_modes =
            cycle->undo != NULL || diagnosis_allows_eviction_tasks(diagnosis, fleet),
        .is_last = true,
    };
    const bool *about = planned_bindings(cycle, arena, fleet);

    asked.room =
        capacity_room_questions(arena, fleet, diagnosis, cycle->policy, about, &asked.n_room);
    struct fit_wanted wanted = {.about = about};

    if (cycle->drained.find != NULL) {
        wanted.drained = cycle->drained.find(cycle->drained.context, arena, fleet);
    }
    asked.fit =
        capacity_fit_questions(arena, fleet, diagnosis, cycle->policy, wanted, &asked.n_fit);
    return survey(cycle, fleet, &asked, err);
}

static void
notify(const struct cycle *cycle, void (*told)(void *context, const struct fleet *fleet),
       const struct fleet *fleet)
{
    if (told != NULL) {
        told(cycle->watch.context, fleet);
    }
}

/* After a stop or the deadline, findings are incomplete: Ballast plans nothing. */
static bool
goes_on(const struct cycle *cycle, struct error *err)
{
    if (cycle->stop != NULL && *cycle->stop) {
        return error_set(err, ERROR_STOPPED, "stopped before anything was written");
    }
    return !time_limit_is_over(&cycle->time_limit) ||
           error_set(err, ERROR_DEADLINE,
                     "the deadline passed before there was a plan, and nothing was written: try "
                     "again with a longer --deadline, or plan less with --namespace");
}

bool
cycle_observe(const struct cycle *cycle, struct cycle_result *ret, struct error *err)
{
    memset(ret, 0, sizeof(*ret));
    ret->arena = arena_new();
    cycle->policy->stop = cycle->stop;
    cycle->policy->time_limit = cycle->time_limit;
    begin(cycle, CYCLE_READ);
    ret->fleet = cycle->backend->read(cycle->backend->context, err);
    end(cycle, CYCLE_READ);
    if (ret->fleet == NULL || !goes_on(cycle, err)) {
        return false;
    }
    notify(cycle, cycle->watch.was_read, ret->fleet);
    set_now(cycle, ret->fleet);
    /* without a survey, working out questions is wasted */
    const bool is_surveyed = cycle->backend->survey != NULL;
    struct fleet *fleet =
        is_surveyed ? survey_for_diagnosis(cycle, ret->arena, ret->fleet, err) : ret->fleet;

    if (fleet == NULL) {
        return false;
    }
    fleet->members = sources_keep(&cycle->policy->sources, fleet->arena, fleet);
    if (!scope_names_exist(fleet, cycle->policy, err)) {
        return false;
    }
    begin(cycle, CYCLE_DIAGNOSE);
    const struct diagnosis *diagnosis = diagnose(ret->arena, fleet, cycle->policy);

    end(cycle, CYCLE_DIAGNOSE);
    if (!goes_on(cycle, err)) {
        return false;
    }
    ret->surveyed = is_surveyed ? survey_for_plan(cycle, ret->arena, fleet, diagnosis, err) : fleet;
    if (ret->surveyed == NULL) {
        return false;
    }
    diagnosis_fill_needs(ret->surveyed, diagnosis);
    notify(cycle, cycle->watch.was_surveyed, ret->surveyed);
    ret->report = (struct report){
        .fleet = ret->surveyed,
        .diagnosis = diagnosis,
        .coverage = coverage_of(ret->arena, ret->surveyed, diagnosis, cycle->policy),
        .origin = cycle->backend->origin,
        .policy = cycle->policy,
        .notices = cycle->undo != NULL ? undo_missing(ret->arena, cycle->undo, fleet)
                                       : find_notices(ret->arena, fleet, diagnosis, cycle->policy),
        .undo = cycle->undo,
    };
    return goes_on(cycle, err);
}

static bool
may_write(const struct cycle *cycle, const struct report *report)
{
    const struct confirmation *confirmation = cycle->confirmation;

    if (confirmation == NULL || report->plan->totals.changed == 0) {
        return true;
    }
    begin(cycle, CYCLE_ASK);
    bool agreed = confirmation->ask(confirmation->context, report);

    end(cycle, CYCLE_ASK);
    return agreed;
}

/* Records the writes in the journal, if there is one, before Ballast makes them. */
static bool
open_journal(const struct cycle *cycle, const struct report *report, struct error *err)
{
    return cycle->journal == NULL || report->plan->totals.changed == 0 ||
           cycle->journal->open(cycle->journal->context, report, err);
}

/* Prefers bindings that this run does not write, then bindings with eviction tasks. */
static const struct binding *
find_to_note_on(struct cycle_result *ret)
{
    const struct report *report = &ret->report;
    const struct binding *best = NULL;
    int best_rank = 0;

    for (uint32_t i = 0; i < report->fleet->n_bindings; i++) {
        const struct binding *binding = &report->fleet->bindings[i];
        const bool is_left = report->diagnosis->bindings[i].left_alone != LEFT_ALONE_NOT;
        const bool changes = plan_decision(ret->arena, report->plan, report->fleet, i)->changes;
        const int rank = 1 + (changes ? 0 : 2) + (binding_rare(binding)->n_eviction_tasks > 0);

        if (!is_left && binding->federated == NULL && rank > best_rank) {
            best = binding;
            best_rank = rank;
        }
    }
    return best;
}

/* Returns the binding with the resourceVersion that this run's write gave it. */
static const struct binding *
as_left(struct cycle_result *ret, const struct binding *binding)
{
    const struct outcome *outcome = ret->report.outcome;
    const uint32_t index = pin_uint32(binding - ret->report.fleet->bindings);
    struct binding *left = arena_memdup(ret->arena, binding, sizeof(*left));

    for (uint32_t i = 0; i < outcome->n_writes; i++) {
        if (outcome->writes[i].binding == index && *outcome->writes[i].version != '\0') {
            left->resource_version = outcome->writes[i].version;
        }
    }
    return left;
}

/* Karmada's taint manager stays at work after its eviction tasks end. Later runs read the note. */
static void
note_karmada_failover(const struct cycle *cycle, struct cycle_result *ret)
{
    char *when = arena_alloc(ret->arena, TIMESTAMP_TEXT_MAX);
    struct label annotation = {ANNOTATION_KARMADA_FAILOVER, when};

    if (!ret->report.diagnosis->karmada.is_news || cycle->undo != NULL ||
        policy_stands_in(cycle->policy)) {
        return;
    }
    const struct binding *binding = find_to_note_on(ret);

    if (binding != NULL) {
        timestamp_format_seconds(cycle->policy->now, when);
        apply_note(ret->arena, as_left(ret, binding), &annotation, cycle->backend, cycle->stop);
    }
}

static void
write_plan(const struct cycle *cycle, struct cycle_result *ret)
{
    const struct accounts accounts = {ret->report.ledger, ret->run_accounts};
    struct replan_context context = replan_context_new(ret->arena, cycle, &ret->report, &accounts);
    struct replanner replanner = {
        .context = &context, .reread = reread, .replan = replan, .written = report_outcome};

    begin(cycle, CYCLE_WRITE);
    const struct outcome *outcome =
        apply(ret->arena, ret->surveyed, ret->report.plan, cycle->backend, &replanner, cycle->stop);

    end(cycle, CYCLE_WRITE);
    carry_out(&context, outcome, &ret->report);
    note_karmada_failover(cycle, ret);
}

bool
cycle_plan(const struct cycle *cycle, struct cycle_result *ret, struct plan_trace *trace,
           struct error *err)
{
    struct arena *arena = ret->arena;
    struct report *report = &ret->report;
    const struct policy *policy = cycle->policy;

    if (!policy_check(policy, ret->surveyed, cycle->writes, err)) {
        return false;
    }
    begin(cycle, CYCLE_PLAN);
    if (cycle->undo == NULL) {
        report->diagnosis = plan_drop_idle_guard(arena, ret->surveyed, report->diagnosis, policy);
    }
    const struct accounts accounts = {
        .ledger = ledger_new_about(arena, ret->surveyed, report->diagnosis, policy,
                                   planned_bindings(cycle, arena, ret->surveyed)),
        .run_accounts = run_accounts_new(arena, ret->surveyed, report->diagnosis, &policy->limits),
    };
    const struct plan *plan = make_plan(arena, report, cycle->undo, &accounts, trace);

    end(cycle, CYCLE_PLAN);
    if (!goes_on(cycle, err)) {
        return false;
    }
    report->plan = plan;
    report->ledger = accounts.ledger;
    ret->run_accounts = accounts.run_accounts;
    return true;
}

bool
cycle_run(const struct cycle *cycle, struct cycle_result *ret, struct error *err)
{
    if (!cycle_observe(cycle, ret, err) || !cycle_plan(cycle, ret, NULL, err)) {
        return false;
    }
    if (!cycle->writes) {
        return true;
    }
    ret->is_declined = !may_write(cycle, &ret->report);
    if (ret->is_declined) {
        return true;
    }
    if (!open_journal(cycle, &ret->report, err)) {
        return false;
    }
    write_plan(cycle, ret);
    return true;
}

void
cycle_result_release(struct cycle_result *result)
{
    fleet_free(result->fleet);
    arena_free(result->arena);
    memset(result, 0, sizeof(*result));
}
