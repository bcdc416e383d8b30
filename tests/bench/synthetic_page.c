/* SPDX-License-Identifier: Apache-2.0
 *
 * See synthetic_page.h. A token says which item is the next: of which target, and
 * which one of its pods.
 */
#include "synthetic_page.h"

#include <stdlib.h>
#include <string.h>

#include "synthetic_workload.h"

struct place {
    uint32_t target, part;
};

struct walk {
    const struct synthetic *fleet;
    const struct synthetic_targets *targets;
    const struct synthetic_page *page;
    uint32_t end; /* of the targets, or of the nodes */
};

/* How many items there are of a target. */
static uint32_t
count_parts(const struct walk *walk, uint32_t target)
{
    const struct synthetic_page *page = walk->page;

    if (page->list == SYNTHETIC_NODES) {
        return 1;
    }
    const struct synthetic_target *of = &walk->targets->all[target];

    if (page->namespace_ != SYNTHETIC_NAMESPACES_ALL &&
        of->binding % SYNTHETIC_NAMESPACES != page->namespace_) {
        return 0;
    }
    return page->list == SYNTHETIC_PODS ? of->replicas : 1;
}

/* At an item, or at the end. */
static void
settle(const struct walk *walk, struct place *place)
{
    while (place->target < walk->end && place->part >= count_parts(walk, place->target)) {
        *place = (struct place){.target = place->target + 1};
    }
}

static struct place
find_place(const struct walk *walk, uint32_t begin)
{
    struct place place = {.target = begin};
    char *end;

    if (walk->page->token[0] != '\0') {
        place.target = (uint32_t)strtoul(walk->page->token, &end, 10);
        place.part = *end == '.' ? (uint32_t)strtoul(end + 1, NULL, 10) : 0;
    }
    settle(walk, &place);
    return place;
}

static void
write_item(const struct walk *walk, const struct place *place, FILE *file)
{
    if (walk->page->list == SYNTHETIC_NODES) {
        synthetic_write_node(place->target, file);
        return;
    }
    const struct synthetic_target *target = &walk->targets->all[place->target];

    if (walk->page->list == SYNTHETIC_PODS) {
        synthetic_write_pod_of(walk->fleet, target, place->part, file);
    } else if (walk->page->list == SYNTHETIC_REPLICA_SETS) {
        synthetic_write_replica_set(walk->fleet, target, file);
    } else {
        synthetic_write_deployment(walk->fleet, target, file);
    }
}

void
synthetic_write_page(const struct synthetic *fleet, const struct synthetic_targets *targets,
                     const struct synthetic_page *page, FILE *file)
{
    const bool are_nodes = page->list == SYNTHETIC_NODES;
    const struct walk walk = {fleet, targets, page,
                              are_nodes ? fleet->nodes : targets->begin[page->cluster + 1]};
    struct place at = find_place(&walk, are_nodes ? 0 : targets->begin[page->cluster]), next = at;

    for (uint32_t i = 0; i < page->limit && next.target < walk.end; i++) {
        next.part++;
        settle(&walk, &next);
    }
    synthetic_begin_page(page->list, file);
    if (next.target < walk.end) {
        fprintf(file, ",\"continue\":\"%u.%u\"", next.target, next.part);
    }
    fprintf(file, "},\"items\":[");
    for (bool is_first = true; at.target != next.target || at.part != next.part; is_first = false) {
        fputs(is_first ? "" : ",", file);
        write_item(&walk, &at, file);
        at.part++;
        settle(&walk, &at);
    }
    fprintf(file, "]}\n");
}
