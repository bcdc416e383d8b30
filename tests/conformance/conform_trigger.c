/* SPDX-License-Identifier: Apache-2.0
 *
 * trigger-*: whether, and for which reason, karmada-scheduler scheduled a binding.
 */
#include "../upstream_trigger.h"
#include "conform_fleet.h"

static void *
begin(struct conform *run, const struct fleet *fleet)
{
    const struct fleet **context = ARENA_NEW(run->arena, const struct fleet *);

    *context = fleet;
    return context;
}

static void
compare(struct conform *run, const struct conform_case *c, void *context,
        const struct binding *binding, const struct value *want)
{
    const struct fleet *const *fleet = context;
    const char *got = upstream_trigger_name(upstream_trigger(*fleet, binding));

    conform_compare(run, c, arena_printf(run->arena, "\"%s\"", got), conform_json(run, want));
}

void
conform_trigger(struct conform *run, const struct value *root)
{
    static const struct conform_fleet_visitor visitor = {.begin = begin, .binding = compare};

    conform_fleet(run, root, &visitor);
}
