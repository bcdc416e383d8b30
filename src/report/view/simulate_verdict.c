/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides if a simulation is safe, and says so in a sentence.
 */
#include "ballast/base/str.h"
#include "ballast/model/failure_domain.h"
#include "report/print/printer.h"
#include "view.h"

#define NAMES_SHOWN_MAX 3

/* --- numbers --- */

static int64_t
larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Counts homeless replicas of the fleet, with the changes and after a run of today. */
static void
count_fleet(const struct simulation_report *simulated, struct verdict *verdict)
{
    const struct repairs *repairs = simulated->simulation->repairs;
    struct report today = simulated->report;

    today.fleet = repairs->fleet;
    today.diagnosis = repairs->diagnosis;
    today.plan = repairs->plan;
    today.ledger = NULL;
    verdict->has_fleet = true;
    verdict->fleet_homeless = report_homeless(&simulated->report);
    verdict->fleet_homeless_today = report_homeless(&today);
}

/* Lost replicas are counted where they are lost. Other changes take room from the whole fleet. */
static void
count_homeless(const struct simulation_report *simulated, struct verdict *verdict)
{
    const struct simulation *simulation = simulated->simulation;
    const bool harms = simulation->changed->n_lost + simulation->changed->n_drained > 0;

    verdict->homeless = simulation->loss.homeless;
    verdict->homeless_workloads = simulation->loss.n_items;
    if (!harms && simulated->changes->count > 0) {
        count_fleet(simulated, verdict);
        const int64_t more = verdict->fleet_homeless - verdict->fleet_homeless_today;

        if (more > verdict->homeless) { /* beside the scaled workloads */
            verdict->homeless = more;
            verdict->homeless_workloads = 0;
        }
    }
    verdict->staying = simulation->drain.staying;
    verdict->staying_workloads = simulation->drain.n_stays;
    verdict->most_homeless = verdict->homeless;
}

static void
count_losses(const struct simulation_report *simulated, struct verdict *verdict)
{
    const struct survival *survival = simulated->survival;

    if (survival == NULL) {
        return;
    }
    verdict->proves_nothing = survival->n_losses == 0 && survival->n_ungrouped > 0;
    verdict->n_losses = survival->n_losses;
    verdict->worst = survival_worst(survival);
    for (uint32_t i = 0; i < survival->n_losses; i++) {
        verdict->n_fatal += survival->losses[i].homeless > verdict->allowed ? 1 : 0;
    }
    if (verdict->worst != NULL) {
        verdict->most_homeless = larger(verdict->homeless, verdict->worst->homeless);
    }
}

/* --- text --- */

static const char *
replicas_text(struct arena *arena, int64_t replicas, uint32_t workloads)
{
    const char *text = counted(arena, replicas, "replica", "replicas");

    return workloads == 0 ? text
                          : arena_printf(arena, "%s of %s", text,
                                         counted(arena, workloads, "workload", "workloads"));
}

const char *
names_of_fate(struct arena *arena, const struct simulation *simulation, enum cluster_fate fate)
{
    struct name_list names = name_list_new(arena, NAMES_SHOWN_MAX);

    for (uint32_t i = 0; i < simulation->n_clusters; i++) {
        if (simulation->clusters[i].fate == fate) {
            name_list_add(&names, simulation->clusters[i].name);
        }
    }
    return name_list_text(&names, "cluster", "clusters");
}

static const char *
join(struct arena *arena, const char *text, const char *more)
{
    return str_is_empty(text) ? more : arena_printf(arena, "%s; %s", text, more);
}

static const char *
domain_text(const struct survival *survival, bool many)
{
    return survival->by != GUARD_BY_NONE ? failure_domain_word(survival->by, many)
           : many                        ? "clusters"
                                         : "cluster";
}

/* Returns what goes wrong; "": nothing. */
static const char *
harm_text(struct arena *arena, const struct simulation_report *simulated,
          const struct verdict *verdict)
{
    const struct survival *survival = simulated->survival;
    const char *text = "";

    if (verdict->staying > 0) {
        text = arena_printf(arena, "%s would stay in %s",
                            replicas_text(arena, verdict->staying, verdict->staying_workloads),
                            names_of_fate(arena, simulated->simulation, FATE_DRAINED));
    }
    if (verdict->homeless > 0) {
        text = join(
            arena, text,
            arena_printf(arena, "%s would be homeless",
                         replicas_text(arena, verdict->homeless, verdict->homeless_workloads)));
    }
    if (verdict->proves_nothing) {
        text = join(arena, text,
                    arena_printf(arena, "no cluster names its %s, so nothing is proven",
                                 domain_text(survival, false)));
    } else if (verdict->worst != NULL && verdict->worst->homeless > 0) {
        const char *worst =
            arena_printf(arena, "without %s, %s would be homeless", verdict->worst->name,
                         replicas_text(arena, verdict->worst->homeless, verdict->worst->n_items));

        text = join(arena, text,
                    arena_printf(arena, "the fleet survives %s of %s; at worst, %s",
                                 number_text(arena, survival->n_survived),
                                 counted(arena, survival->n_losses, "single loss", "single losses"),
                                 worst));
    }
    return text;
}

/* Returns what the simulation proves. */
static const char *
good_text(struct arena *arena, const struct simulation_report *simulated,
          const struct verdict *verdict)
{
    const struct simulation *simulation = simulated->simulation;
    const struct changed_fleet *changed = simulation->changed;
    const char *text = "";

    if (changed->n_drained > 0) {
        text = arena_printf(arena, "no replica would stay in %s",
                            names_of_fate(arena, simulation, FATE_DRAINED));
    }
    if (changed->n_lost > 0) {
        text = join(arena, text,
                    arena_printf(arena, "without %s, no replica would lack a home",
                                 names_of_fate(arena, simulation, FATE_LOST)));
    }
    if (simulated->survival != NULL) {
        text = join(arena, text,
                    arena_printf(arena, "the fleet survives the loss of each %s",
                                 domain_text(simulated->survival, false)));
    }
    if (!str_is_empty(text)) {
        return text;
    }
    return verdict->fleet_homeless_today == 0
               ? "no replica would lack a home"
               : arena_printf(arena, "%s would lack a home, and %s without the change",
                              counted(arena, verdict->fleet_homeless, "replica", "replicas"),
                              number_text(arena, verdict->fleet_homeless_today));
}

struct verdict
simulation_judge(struct arena *arena, const struct simulation_report *simulated)
{
    struct verdict ret = {.allowed = simulated->has_max_homeless ? simulated->max_homeless : 0};

    count_homeless(simulated, &ret);
    count_losses(simulated, &ret);
    ret.is_safe =
        !ret.proves_nothing && ret.n_fatal == 0 && ret.homeless + ret.staying <= ret.allowed;
    const char *harm = harm_text(arena, simulated, &ret);
    const char *gate =
        simulated->has_max_homeless && !str_is_empty(harm)
            ? arena_printf(arena, " (--max-homeless %s)", number_text(arena, ret.allowed))
            : "";

    ret.text = arena_printf(arena, "%s: %s%s", ret.is_safe ? "SAFE" : "NOT SAFE",
                            str_is_empty(harm) ? good_text(arena, simulated, &ret) : harm, gate);
    return ret;
}

bool
simulation_fails(const struct simulation_report *simulated)
{
    return simulated->has_max_homeless && !simulated->verdict.is_safe;
}
