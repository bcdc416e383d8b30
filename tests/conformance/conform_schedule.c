/* SPDX-License-Identifier: Apache-2.0
 *
 * schedule-*: every binding scheduled on its own, as karmada-scheduler did.
 */
#include <string.h>

#include "ballast/schedule.h"
#include "conform_fleet.h"

static const char *
kind_of(enum schedule_failure failure)
{
    switch (failure) {
    case SCHEDULE_FIT_ERROR:
        return "FitError";
    case SCHEDULE_UNSCHEDULABLE_ERROR:
        return "UnschedulableError";
    case SCHEDULE_OK:
    case SCHEDULE_OTHER_ERROR:
        break;
    }
    return "other";
}

static const char *
text_of(const struct value *value)
{
    return value != NULL && value_type(value) == VALUE_STRING ? value_string(value) : "";
}

static const char *
our_targets(struct conform *run, const struct schedule_result *result)
{
    struct conform_pair *pairs =
        ARENA_ARRAY(run->arena, struct conform_pair, result->targets.count);

    for (uint32_t i = 0; i < result->targets.count; i++) {
        pairs[i].name = result->targets.items[i].name;
        pairs[i].count = result->targets.items[i].replicas;
    }
    return conform_pairs(run, pairs, result->targets.count);
}

static const char *
our_answer(struct conform *run, const struct schedule_result *result)
{
    if (result->failure != SCHEDULE_OK) {
        return arena_printf(run->arena, "%s: %s", kind_of(result->failure), result->message);
    }
    return arena_printf(run->arena, "\"%s\" %s", result->affinity_name, our_targets(run, result));
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
their_answer(struct conform *run, const struct value *want, const struct schedule_result *result)
{
    const char *kind = text_of(value_get(want, "kind"));

    if (value_get(want, "errorUnstable") != NULL) {
        bool agree = result->failure != SCHEDULE_OK &&
                     strcmp(kind, kind_of(result->failure)) == 0 &&
                     is_variant(want, result->message);

        return agree ? our_answer(run, result) : conform_json(run, want);
    }
    if (value_get(want, "error") != NULL) {
        return arena_printf(run->arena, "%s: %s", kind, text_of(value_get(want, "error")));
    }
    return arena_printf(run->arena, "\"%s\" %s", text_of(value_get(want, "affinityName")),
                        conform_pairs_of_list(run, value_get(want, "clusters"), "replicas"));
}

static void *
begin(struct conform *run, const struct fleet *fleet)
{
    return scheduler_new(run->arena, fleet);
}

static void
compare(struct conform *run, const struct conform_case *c, void *context,
        const struct binding *binding, const struct value *want)
{
    struct schedule_result result;

    schedule_binding_as_upstream(context, run->arena, binding, &result);
    conform_compare(run, c, our_answer(run, &result), their_answer(run, want, &result));
}

void
conform_schedule(struct conform *run, const struct value *root)
{
    static const struct conform_fleet_visitor visitor = {.begin = begin, .binding = compare};

    conform_fleet(run, root, &visitor);
}
