/* SPDX-License-Identifier: Apache-2.0
 *
 * schedule-*: every binding planned on its own, as karmada-scheduler did.
 */
#include <string.h>

#include "conform_fleet.h"
#include "conform_program.h"

/* The vectors' name for a decision's error: upstream names two of them. */
static const char *
kind_of(const struct decision *decision)
{
    static const char *const named[] = {"", "FitError", "UnschedulableError"};

    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        if (strcmp(decision->error_type, named[i]) == 0) {
            return named[i];
        }
    }
    return "other";
}

static bool
has_failed(const struct decision *decision)
{
    return decision->error_type[0] != '\0';
}

static const char *
text_of(const struct value *value)
{
    return value != NULL && value_type(value) == VALUE_STRING ? value_string(value) : "";
}

static const char *
our_targets(struct conform *run, const struct decision *decision)
{
    struct conform_pair *pairs =
        ARENA_ARRAY(run->arena, struct conform_pair, decision->after.count);

    for (uint32_t i = 0; i < decision->after.count; i++) {
        pairs[i].name = decision->after.items[i].name;
        pairs[i].count = decision->after.items[i].replicas;
    }
    return conform_pairs(run, pairs, decision->after.count);
}

static const char *
our_answer(struct conform *run, const struct decision *decision)
{
    if (has_failed(decision)) {
        return arena_printf(run->arena, "%s: %s", kind_of(decision), decision->error_message);
    }
    return arena_printf(run->arena, "\"%s\" %s", decision->affinity_name,
                        our_targets(run, decision));
}

/* Where upstream can answer with several texts, ours must be one of them; where they are too many
 * to list, it must at least be such a text. */
static bool
is_variant(const struct value *want, const char *message)
{
    const struct value *variants = value_get(want, "errorVariants");

    if (variants == NULL) {
        return strncmp(message, "0/", 2) == 0 &&
               strstr(message, " clusters are available: ") != NULL;
    }
    for (size_t i = 0; i < value_count(variants); i++) {
        if (strcmp(text_of(value_at(variants, i)), message) == 0) {
            return true;
        }
    }
    return false;
}

static const char *
their_answer(struct conform *run, const struct value *want, const struct decision *decision)
{
    const char *kind = text_of(value_get(want, "kind"));

    if (value_get(want, "errorUnstable") != NULL) {
        bool agree = has_failed(decision) && strcmp(kind, kind_of(decision)) == 0 &&
                     is_variant(want, decision->error_message);

        return agree ? our_answer(run, decision) : conform_json(run, want);
    }
    if (value_get(want, "error") != NULL) {
        return arena_printf(run->arena, "%s: %s", kind, text_of(value_get(want, "error")));
    }
    return arena_printf(run->arena, "\"%s\" %s", text_of(value_get(want, "affinityName")),
                        conform_pairs_of_list(run, value_get(want, "clusters"), "replicas"));
}

/* The plan of the whole fleet, as by `ballast plan --scheduler=karmada`. */
struct planned {
    const struct fleet *fleet;
    const struct plan *plan;
};

static void *
begin(struct conform *run, const struct fleet *fleet)
{
    struct planned *planned = ARENA_NEW(run->arena, struct planned);

    planned->fleet = fleet;
    planned->plan = conform_program_plan(run, fleet, UPSTREAM_KARMADA, 0);
    return planned;
}

/* Without clusters the bindings come one by one, each a fleet of its own. */
static const struct decision *
decision_for(struct conform *run, const struct planned *planned, const struct binding *binding)
{
    if (planned->fleet->n_clusters > 0) {
        return plan_decision(run->arena, planned->plan, planned->fleet,
                             (uint32_t)(binding - planned->fleet->bindings));
    }
    struct fleet *alone = arena_memdup(run->arena, planned->fleet, sizeof(*alone));

    alone->bindings = binding;
    alone->n_bindings = 1;
    return plan_decision(run->arena, conform_program_plan(run, alone, UPSTREAM_KARMADA, 0), alone,
                         0);
}

/* A plan says how many pods of components there are; the entries that are written say nothing of
 * it, as upstream's. */
static const struct decision *
as_written(struct conform *run, const struct binding *binding, const struct decision *decision)
{
    if (!binding_is_set(binding)) {
        return decision;
    }
    struct decision *written = arena_memdup(run->arena, decision, sizeof(*decision));
    struct target *targets = ARENA_ARRAY(run->arena, struct target, decision->after.count);

    for (uint32_t i = 0; i < decision->after.count; i++) {
        targets[i] = decision->after.items[i];
        targets[i].replicas = 0;
    }
    written->after.items = targets;
    return written;
}

static void
compare(struct conform *run, const struct conform_case *c, void *context,
        const struct binding *binding, const struct value *want)
{
    const struct decision *decision = as_written(run, binding, decision_for(run, context, binding));

    conform_compare(run, c, our_answer(run, decision), their_answer(run, want, decision));
}

void
conform_schedule(struct conform *run, const struct value *root)
{
    static const struct conform_fleet_visitor visitor = {.begin = begin, .binding = compare};

    conform_fleet(run, root, &visitor);
}
