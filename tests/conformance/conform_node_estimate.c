/* SPDX-License-Identifier: Apache-2.0
 *
 * node-estimate.json: how many replicas the nodes of a member take, by node and
 * in all.
 */
#include "../decode_one.h"
#include <stdlib.h>
#include <string.h>

#include "../node_estimate.h"
#include "conform.h"
#include "conform_member.h"

static int
node_cmp(const void *a, const void *b)
{
    return strcmp(((const struct node *)a)->name, ((const struct node *)b)->name);
}

static bool
decode_nodes(struct arena *arena, struct fleet_builder *builder, const struct value *list,
             struct member *member, struct error *err)
{
    struct node *nodes = ARENA_ARRAY(arena, struct node, value_count(list));

    for (size_t i = 0; i < value_count(list); i++) {
        const struct node *node = decode_node(builder, value_at(list, i), err);

        if (node == NULL) {
            return error_wrap(err, "nodes[%zu]", i);
        }
        nodes[i] = *node;
    }
    member->nodes = nodes;
    member->n_nodes = (uint32_t)value_count(list);
    qsort(nodes, value_count(list), sizeof(nodes[0]), node_cmp);
    return true;
}

static const char *
answer(struct conform *run, const struct member *member, const struct requirements *requirements)
{
    struct node_room *rooms =
        estimate_node_rooms(run->arena, member, (struct pods_counted){.by_scheduler = false});
    struct conform_pair *pairs = ARENA_ARRAY(run->arena, struct conform_pair, member->n_nodes);

    for (uint32_t i = 0; i < member->n_nodes; i++) {
        pairs[i].name = member->nodes[i].name;
        pairs[i].count = estimate_node(&rooms[i], requirements);
    }
    return arena_printf(run->arena, "{\"maxReplicas\":%d,\"perNode\":%s}",
                        estimate_nodes(rooms, member->n_nodes, requirements),
                        conform_pairs(run, pairs, member->n_nodes));
}

static void
check_case(struct conform *run, struct fleet_builder *builder, const struct value *item)
{
    struct conform_case c = conform_case(item);
    const struct value *wanted = value_get(item, "replicaRequirements");
    const struct requirements *requirements = NULL;
    struct member member = {.name = "", .has_nodes = true, .has_pods = true};
    struct error err = ERROR_INIT;

    if (!decode_nodes(run->arena, builder, value_get(item, "nodes"), &member, &err) ||
        !conform_pods(run, builder, value_get(item, "pods"), &member, &err)) {
        conform_broken(run, &c, &err);
        return;
    }
    if (wanted != NULL && value_type(wanted) != VALUE_NULL) {
        requirements = decode_requirements(builder, wanted, &err);
        if (requirements == NULL) {
            conform_broken(run, &c, &err);
            return;
        }
    }
    conform_compare(run, &c, answer(run, &member, requirements),
                    conform_json(run, value_get(item, "expected")));
}

void
conform_node_estimate(struct conform *run, const struct value *root)
{
    const struct value *cases = value_get(root, "cases");
    struct fleet_builder *builder = fleet_builder_new();

    for (size_t i = 0; i < value_count(cases); i++) {
        check_case(run, builder, value_at(cases, i));
    }
    fleet_builder_free(builder);
}
