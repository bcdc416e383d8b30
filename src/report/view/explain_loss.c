/* SPDX-License-Identifier: Apache-2.0
 *
 * Says what would become of a workload after a simulated loss.
 */
#include "ballast/base/buf.h"
#include "ballast/base/str.h"
#include "report/print/printer.h"
#include "view.h"

#define TEXT_MAX ((size_t)64 << 10)
#define NAMED_MAX 3 /* clusters in a sentence */

static bool
is_lost(const struct simulation *simulation, const char *cluster)
{
    const uint32_t index = fleet_find_cluster(&simulation->changed->fleet, cluster);

    return index != CLUSTER_NONE && simulation->changed->fates[index] == FATE_LOST;
}

static const struct homeless *
find_homeless(const struct loss *loss, uint32_t binding)
{
    for (uint32_t i = 0; i < loss->n_items; i++) {
        if (loss->items[i].binding == binding) {
            return &loss->items[i];
        }
    }
    return NULL;
}

bool
explained_loss(const struct explanations *explanations, uint32_t index, struct explained_loss *ret)
{
    const struct explanation *of = explanations->items[index];

    if (explanations->simulated == NULL) {
        return false;
    }
    const struct simulation *simulation = explanations->simulated->simulation;

    const uint32_t binding = explanations->bindings[index];

    *ret = (struct explained_loss){
        .is_repaired = repairs_decision(simulation->repairs, binding) != NULL,
        .why = find_homeless(&simulation->loss, binding),
    };
    for (uint32_t i = 0; i < of->n_clusters; i++) {
        const struct explained_cluster *cluster = &of->clusters[i];
        const int32_t more = cluster->after - cluster->assigned;

        if (is_lost(simulation, cluster->name)) {
            ret->lost += cluster->assigned;
            continue;
        }
        ret->moved += more > 0 ? more : 0;
        ret->up += cluster->ready < cluster->after ? (cluster->ready > 0 ? cluster->ready : 0)
                                                   : cluster->after;
    }
    ret->homeless = ret->why != NULL ? ret->why->replicas : 0;
    ret->copies = of->is_divided || ret->moved + ret->homeless >= ret->lost
                      ? 0
                      : ret->lost - ret->moved - ret->homeless;
    return true;
}

/* --- in words --- */

/* Returns "2 move to london", or "3 move: london +1, virginia +2". */
static const char *
moves_text(struct arena *arena, const struct explanation *of, int64_t moved)
{
    struct name_list names = name_list_new(arena, NAMED_MAX);
    const char *only = "", *number = number_text(arena, moved);

    for (uint32_t i = 0; i < of->n_clusters; i++) {
        const int32_t more = of->clusters[i].after - of->clusters[i].assigned;

        if (more > 0) {
            only = of->clusters[i].name;
            name_list_add(&names, arena_printf(arena, "%s +%d", only, more));
        }
    }
    return names.count == 1
               ? arena_printf(arena, "%s %s to %s", number, plural(moved, "moves", "move"), only)
               : arena_printf(arena, "%s move: %s", number,
                              name_list_text(&names, "cluster", "clusters"));
}

/* Appends the replicas outside the lost clusters that are not ready. */
static void
append_down(const struct explanation *of, bool is_repaired, struct buf *out)
{
    for (int state = REPLICA_STARTING; state < N_REPLICA_STATES; state++) {
        if (state != REPLICA_LOST && of->of_state[state] > 0) {
            buf_printf(out, ", %lld %s%s", (long long)of->of_state[state],
                       replica_state_name((enum replica_state)state),
                       is_repaired && state == REPLICA_STARTING ? " after today's repairs" : "");
        }
    }
}

/* Returns why replicas are homeless. */
static const char *
why_text(struct arena *arena, const struct explanation *of, const struct homeless *why)
{
    const char *obstacles = why->lacks_room ? explained_obstacles(arena, of) : "";

    return !str_is_empty(obstacles)      ? obstacles
           : !str_is_empty(why->message) ? why->message
                                         : why->code;
}

static void
append_loss(struct arena *arena, const struct explanation *of, const struct explained_loss *loss,
            struct buf *out)
{
    buf_printf(out, "%s of %s stay up%s", number_text(arena, loss->up),
               number_text(arena, of->expected), of->is_seen ? "" : " as last reported");
    append_down(of, loss->is_repaired, out);
    if (loss->moved > 0) {
        buf_printf(out, ", %s", moves_text(arena, of, loss->moved));
    }
    if (loss->copies > 0) {
        buf_printf(out, ", %s of a copy whose workload runs elsewhere",
                   counted(arena, loss->copies, "is", "are"));
    }
    if (loss->homeless > 0) {
        buf_printf(out, ", %s homeless: %s", counted(arena, loss->homeless, "stays", "stay"),
                   why_text(arena, of, loss->why));
    }
    if (loss->lost == 0) {
        buf_append_str(out, "; none of its replicas run there");
    }
}

const char *
explained_headline(struct arena *arena, const struct explanations *explanations, uint32_t index)
{
    const struct explanation *of = explanations->items[index];
    struct explained_loss loss;

    if (!explained_loss(explanations, index, &loss)) {
        return of->headline;
    }
    const struct simulation *simulation = explanations->simulated->simulation;
    struct buf text;

    buf_init(&text, TEXT_MAX);
    buf_printf(&text, "if %s were lost: ", names_of_fate(arena, simulation, FATE_LOST));
    if (of->has_replicas) {
        append_loss(arena, of, &loss, &text);
    } else {
        buf_append_str(&text, of->headline);
    }
    return buf_take(&text, arena);
}
