/* SPDX-License-Identifier: Apache-2.0
 *
 * The invariants' names, and what is broken.
 */
#include "judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct invariant_info invariant_infos[N_INVARIANTS] = {
#define X(id, name_, least_, text_) {.name = (name_), .text = (text_), .least = (least_)},
    INVARIANTS(X)
#undef X
};

void
judge_met(struct judge *judge, enum invariant invariant)
{
    judge->met[invariant]++;
}

static void __attribute__((format(printf, 2, 3))) say(struct judge *judge, const char *format, ...)
{
    size_t room = sizeof(judge->complaints) - judge->length;
    va_list args;

    va_start(args, format);
    int length = vsnprintf(judge->complaints + judge->length, room, format, args);

    va_end(args);
    judge->length += (size_t)length < room ? (size_t)length : room - 1;
}

static void
say_split(struct judge *judge, const struct binding_facts *binding, bool after)
{
    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        if (after ? target->stays : target->assigned) {
            say(judge, " %s=%d", judge->facts.clusters[i].name,
                after ? target->after : target->before);
        }
    }
}

void
judge_fail(struct judge *judge, enum invariant invariant, const struct binding_facts *binding,
           int cluster, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    judge->broken[invariant] = judge->any_broken = true;
    say(judge, "%s: %s%s%s: %s", invariant_infos[invariant].name,
        binding != NULL ? binding->name : "all", cluster >= 0 ? " in " : "",
        cluster >= 0 ? judge->facts.clusters[cluster].name : "", text);
    if (binding != NULL) {
        say(judge, " (of %d:", binding->replicas);
        say_split(judge, binding, false);
        say(judge, " ->");
        say_split(judge, binding, true);
        say(judge, ")");
    }
    say(judge, "\n");
}

/* Those of what a world has malformed are fine. */
static void
judge_problems(struct judge *judge, const json_t *problems)
{
    size_t index;
    json_t *problem;

    json_array_foreach(problems, index, problem)
    {
        const char *label = text_at(problem, "object");

        if (strncmp(label, "member ", strlen("member ")) != 0 &&
            strstr(text_at(problem, "message"), "status.conditions: want list") == NULL &&
            !is_bad_budget(&judge->facts, label)) {
            judge_fail(judge, INV_READ, NULL, -1, "%s: %s", label, text_at(problem, "message"));
        }
    }
}

bool
judge_read(struct judge *judge, const struct world *world, const struct run *run, int64_t later)
{
    judge_met(judge, INV_READ);
    if (run->plan == NULL) {
        judge_fail(judge, INV_READ, NULL, -1, "%s", run->problem);
        return false;
    }
    facts_read(&judge->facts, world, run, later);
    judge_problems(judge, at(run->plan, "problems"));
    return true;
}

void
judge_run(struct judge *judge, const struct world *world, const struct run *run, int64_t later)
{
    if (!judge_read(judge, world, run, later)) {
        return;
    }
    for (int i = 0; i < judge->facts.n_bindings; i++) {
        const struct binding_facts *binding = &judge->facts.bindings[i];

        judge_writes(judge, binding);
        judge_ties(judge, binding);
        judge_skew(judge, binding);
        judge_volumes(judge, binding);
        judge_claims(judge, binding);
        judge_preempting(judge, binding);
        judge_doubts(judge, binding);
        judge_moves(judge, binding);
        judge_counted(judge, binding);
        judge_states(judge, binding);
        judge_parts(judge, binding);
        judge_destinations(judge, binding);
    }
    judge_all_states(judge, run->plan);
    judge_totals(judge, run->plan);
    judge_member_quotas(judge);
    judge_disruptions(judge);
    judge_sums(judge);
    judge_sight(judge);
}
