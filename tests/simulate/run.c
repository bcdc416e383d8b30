/* SPDX-License-Identifier: Apache-2.0
 *
 * The clock.
 */
#include "run.h"

#include "api.h"
#include "ballast.h"
#include "control.h"
#include "karmada.h"
#include "member.h"

static void
tick(struct sim *sim, struct script *script, const struct sim_policy *policy)
{
    script_play(script, sim);
    for (int c = 0; c < sim->n_clusters; c++) {
        member_step(sim, c);
    }
    control_clusters(sim);
    control_collect_status(sim);
    control_evictions(sim);
    if (policy->fails_over) {
        karmada_evict_tainted(sim);
    }
    karmada_schedule(sim);
}

static void
act(struct sim *sim, const struct sim_policy *policy, struct ballast *ballast)
{
    if (policy->deschedules) {
        karmada_deschedule(sim);
    }
    if (ballast != NULL) {
        ballast_run(ballast, sim);
    }
}

static void
play_all(struct sim *sim, struct script *script, const struct sim_policy *policy,
         struct ballast *ballast, struct result *result)
{
    for (; sim->now < script->end; sim->now += TICK) {
        tick(sim, script, policy);
        if (sim->now - SIM_START < WARM_UP) {
            continue;
        }
        if ((sim->now - SIM_START) % CYCLE == 0) {
            act(sim, policy, ballast);
            result->cycles++;
        }
        measures_tick(sim);
    }
}

static void
take_measures(const struct sim *sim, struct result *result)
{
    const struct measures *measures = &sim->measures;

    result->pending = measures->pending / 60;
    result->nowhere = measures->nowhere / 60;
    result->lost = measures->lost / 60;
    result->moves = measures->moves;
    result->undone = measures->undone;
    result->writes = measures->writes;
    result->max_returns = measures->max_returns;
    result->max_attempt = measures->max_attempt;
    result->settled = measures->settled == NEVER ? NEVER : measures->settled - measures->trouble;
}

struct result
run_simulation(const struct run *run, struct buf *complaints)
{
    struct sim *sim = sim_new(run->seed, run->verbose);
    struct ballast *ballast = run->policy->config != NULL ? ballast_new(run->policy->config) : NULL;
    struct script script = {.events = VEC_INIT};
    struct result result = {0};

    sim->estimators = run->policy->estimators;
    run->trace->prepare(sim, &script);
    script_sort(&script);
    sim->measures.trouble = script_trouble(&script);
    sim->checks = ballast != NULL ? checks_new(&run->policy->allowance) : NULL;
    play_all(sim, &script, run->policy, ballast, &result);
    take_measures(sim, &result);
    if (sim->checks != NULL && *checks_complaints(sim->checks) != '\0') {
        result.failed = true;
        buf_append_str(complaints, checks_complaints(sim->checks));
    }
    checks_free(sim->checks);
    vec_free(&script.events);
    ballast_free(ballast);
    sim_free(sim);
    return result;
}
