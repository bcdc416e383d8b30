/* SPDX-License-Identifier: Apache-2.0
 *
 * The clusters of a group, sorted, each with a list of who is there.
 */
#include "group_places.h"

#include <string.h>

int
group_cmp(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    int order = strcmp(x->namespace_, y->namespace_);

    if (x->rule != y->rule) {
        return x->rule < y->rule ? -1 : 1;
    }
    return order != 0 ? order : strcmp(x->name, y->name);
}

/* Returns the index of a cluster's place, or where it would be. */
static uint32_t
place_index(const struct group *group, uint32_t cluster)
{
    uint32_t low = 0, high = group->n_places;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (group->places[middle].cluster < cluster) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct group_place *
place_add(struct arena *arena, struct group *group, uint32_t cluster)
{
    uint32_t at = place_index(group, cluster);

    if (at < group->n_places && group->places[at].cluster == cluster) {
        return &group->places[at];
    }
    if (group->n_places == group->capacity) {
        uint32_t capacity = group->capacity == 0 ? 4 : 2 * group->capacity;
        struct group_place *places = ARENA_ARRAY(arena, struct group_place, capacity);

        if (group->n_places > 0) {
            memcpy(places, group->places, group->n_places * sizeof(*places));
        }
        group->places = places;
        group->capacity = capacity;
    }
    memmove(&group->places[at + 1], &group->places[at],
            (group->n_places - at) * sizeof(*group->places));
    group->n_places++;
    group->places[at] = (struct group_place){.cluster = cluster};
    return &group->places[at];
}

const struct group_place *
group_find_place(const struct group *group, uint32_t cluster)
{
    uint32_t at = place_index(group, cluster);

    return at < group->n_places && group->places[at].cluster == cluster ? &group->places[at] : NULL;
}

void
visit_begin(struct arena *arena, struct group *group, struct visit *visit)
{
    struct group_place *place = place_add(arena, group, visit->cluster);

    visit->previous = place->last;
    if (place->last != NULL) {
        place->last->next = visit;
    } else {
        place->first = visit;
    }
    place->last = visit;
    place->n_visits++;
}

void
visit_end(struct group *group, struct visit *visit)
{
    struct group_place *place = &group->places[place_index(group, visit->cluster)];

    *(visit->previous != NULL ? &visit->previous->next : &place->first) = visit->next;
    *(visit->next != NULL ? &visit->next->previous : &place->last) = visit->previous;
    place->n_visits--;
}
