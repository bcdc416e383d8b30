/* SPDX-License-Identifier: Apache-2.0
 *
 * Running the cycle on the model.
 */
#include "ballast.h"

#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "checks.h"
#include "observe.h"

#include "ballast/base/timestamp.h"
#include "ballast/cycle/cycle.h"
#include "ballast/kinds/decode.h"
#include "cli/config/config.h"

#define TEXT_MAX ((size_t)1 << 20)

struct ballast {
    struct arena *arena;
    struct interner *strings;
    struct policy policy;
};

struct ballast *
ballast_new(const char *config)
{
    struct ballast *ballast = calloc(1, sizeof(*ballast));
    struct error err = ERROR_INIT;
    struct buf text;

    if (ballast == NULL) {
        out_of_memory();
    }
    ballast->arena = arena_new();
    ballast->strings = interner_new();
    policy_init(&ballast->policy);
    buf_init(&text, TEXT_MAX);
    buf_printf(&text, "apiVersion: " CONFIG_API_VERSION "\nkind: " CONFIG_KIND "\n%s", config);
    if (!config_parse(&(struct config_text){"policy", buf_text(&text), text.length}, ballast->arena,
                      ballast->strings, &ballast->policy, NULL, &err)) {
        BUG("%s", err.message);
    }
    buf_release(&text);
    return ballast;
}

void
ballast_free(struct ballast *ballast)
{
    if (ballast != NULL) {
        interner_free(ballast->strings);
        arena_free(ballast->arena);
        free(ballast);
    }
}

/* --- the back end --- */

static struct fleet *
read_fleet(void *context, struct error *err)
{
    (void)err;
    return observe_fleet(context);
}

/* Somebody is quicker: a controller that only leaves a note, or the user, who scales. */
static void
interfere(struct sim *sim, int workload)
{
    struct sim_workload *subject = &sim->workloads[workload];

    sim_tell(sim, "%s: somebody else writes just before Ballast does", subject->name);
    if (random_percent(&sim->writer, 70)) {
        api_write(sim, workload, WRITER_OTHER,
                  "{\"metadata\":{\"annotations\":{\"example.com/seen\":\"%lld\"}}}",
                  (long long)sim->version);
        return;
    }
    subject->replicas++;
    measures_saw_scale(sim, workload, 1);
    checks_saw_event(sim, NOBODY, workload);
    api_write(sim, workload, WRITER_USER, "{\"spec\":{\"replicas\":%d}}", subject->replicas);
}

/* The connection breaks after the write: nobody tells whether it was done. Or it was tried again
 * below, and met itself. */
static void
cast_doubt(struct sim *sim, struct write_request *request)
{
    bool met_itself = random_percent(&sim->writer, 50);

    request->in_doubt = true;
    request->status = met_itself ? WRITE_CONFLICT : WRITE_FAILED;
    error_set(&request->error, met_itself ? ERROR_CONFLICT : ERROR_UNAVAILABLE,
              "the answer was lost");
}

static void
write_one(struct sim *sim, struct write_request *request)
{
    int workload = sim_find_workload(sim, request->binding->resource.name);
    int before[SIM_CLUSTERS];
    struct buf patch;

    if (random_percent(&sim->writer, sim->conflict_percent)) {
        interfere(sim, workload);
    }
    memcpy(before, sim->workloads[workload].split, sizeof(before));
    buf_init(&patch, TEXT_MAX);
    encode_binding_patch(request->binding, &request->change, &patch);
    if (api_patch(sim, workload, WRITER_POLICY, &patch, &request->error)) {
        request->status = WRITE_DONE;
        checks_saw_write(sim, workload, before);
        if (random_percent(&sim->writer, sim->doubt_percent)) {
            cast_doubt(sim, request);
        }
    } else {
        request->status = WRITE_CONFLICT;
        sim->measures.failed_writes++;
    }
    buf_release(&patch);
}

static void
write_changes(void *context, struct write_request *requests, uint32_t count,
              const atomic_bool *stop)
{
    (void)stop;
    for (uint32_t i = 0; i < count; i++) {
        write_one(context, &requests[i]);
    }
}

static const struct binding *
read_again(void *context, struct fleet *fleet, const struct binding *binding, struct error *err)
{
    struct sim *sim = context;
    int workload = sim_find_workload(sim, binding->resource.name);

    return fleet_decode_binding(fleet, document_root(sim->workloads[workload].binding),
                                BINDING_RESOURCE, 0, err);
}

/* --- the story --- */

static void
tell_targets(const struct target_list *list, struct buf *out)
{
    for (uint32_t i = 0; i < list->count; i++) {
        buf_printf(out, "%s%s=%d", i > 0 ? " " : "", list->items[i].name, list->items[i].replicas);
    }
}

static void
tell_decision(const struct sim *sim, const struct fleet *fleet, const struct decision *decision)
{
    struct buf line;

    buf_init(&line, TEXT_MAX);
    buf_printf(&line, "%s: %s: ", fleet->bindings[decision->binding].resource.name,
               plan_action_name(decision->action));
    tell_targets(&decision->before, &line);
    if (decision->changes) {
        buf_append_str(&line, " -> ");
        tell_targets(&decision->after, &line);
    }
    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        buf_printf(&line, "; %s%s%s: %s", decision->reasons[i].code,
                   *decision->reasons[i].cluster != '\0' ? " " : "", decision->reasons[i].cluster,
                   decision->reasons[i].message);
    }
    if (*decision->error_message != '\0') {
        buf_printf(&line, "; %s: %s", decision->error_type, decision->error_message);
    }
    sim_tell(sim, "%s", buf_text(&line));
    buf_release(&line);
}

static void
tell_plan(const struct sim *sim, const struct fleet *fleet, const struct plan *plan)
{
    for (uint32_t i = 0; sim->verbose && i < plan->n_decisions; i++) {
        if (plan->decisions[i] != NULL && plan->decisions[i]->action != ACTION_NONE) {
            tell_decision(sim, fleet, plan->decisions[i]);
        }
    }
}

/* --- runs --- */

static void
run(struct ballast *ballast, struct sim *sim, bool writes, struct cycle_result *ret)
{
    static const atomic_bool never_stop = false;
    struct policy policy = ballast->policy;
    struct error err = ERROR_INIT;
    const struct backend backend = {
        .context = sim,
        .read = read_fleet,
        .write = write_changes,
        .read_again = read_again,
    };
    struct cycle cycle = {
        .backend = &backend,
        .writes = writes,
        .policy = &policy,
        .wall_clock = sim->now * NANOS_PER_SECOND,
        .stop = &never_stop,
    };

    policy.now = TIME_NONE;
    if (!cycle_run(&cycle, ret, &err)) {
        BUG("%s", err.message);
    }
}

/* Whoever found no room may find some at once, in the order and the packing of a second run; and
 * what a limit deferred is a second run's to do. */
static bool
leaves_nothing_to_do(const struct plan *plan, const struct outcome *outcome)
{
    return plan->totals.replicas_unplaced == 0 && plan->totals.by_action[ACTION_BLOCKED] == 0 &&
           plan->totals.by_action[ACTION_DEFERRED] == 0 && plan->totals.replicas_deferred == 0 &&
           outcome->n_failed == 0;
}

static void
read_memory(struct sim *sim)
{
    for (int w = 0; w < sim->n_workloads; w++) {
        int attempt = api_attempt(sim, w);

        if (attempt > sim->measures.max_attempt) {
            sim->measures.max_attempt = attempt;
        }
    }
}

void
ballast_run(struct ballast *ballast, struct sim *sim)
{
    struct cycle_result result, again;

    checks_begin_run(sim);
    run(ballast, sim, true, &result);
    tell_plan(sim, result.surveyed, result.report.plan);
    checks_end_run(sim);
    if (sim->checks != NULL && result.report.plan->totals.changed > 0 &&
        leaves_nothing_to_do(result.report.plan, result.report.outcome)) {
        run(ballast, sim, false, &again);
        checks_saw_rerun(sim, &result.report, &again.report);
        cycle_result_release(&again);
    }
    cycle_result_release(&result);
    read_memory(sim);
}
