/* SPDX-License-Identifier: Apache-2.0
 *
 * Lowers an estimator's answers as a run gives out capacity.
 */
#include "estimator_room.h"

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/model/binding.h"

struct estimator_room {
    const struct estimator_answers *answers;
    wide_int *taken; /* by answer about replicas; may exceed the answer */
    wide_int *taken_sets;
};

struct estimator_room *
estimator_room_new(struct arena *arena, const struct estimator_answers *answers)
{
    if (answers->n_room + answers->n_sets == 0) {
        return NULL;
    }
    struct estimator_room *room = ARENA_NEW(arena, struct estimator_room);

    room->answers = answers;
    room->taken = ARENA_ARRAY(arena, wide_int, answers->n_room);
    room->taken_sets = ARENA_ARRAY(arena, wide_int, answers->n_sets);
    return room;
}

static int32_t
left_of(int32_t answer, wide_int taken)
{
    wide_int left = answer - taken;

    if (answer == INT32_MAX) {
        return INT32_MAX; /* unbounded */
    }
    return pin_count(left);
}

int32_t
estimator_room_available(const struct estimator_room *room, const char *requirements_key)
{
    const struct room_answer *answer = estimator_answers_room(room->answers, requirements_key);

    return answer == NULL ? -1
                          : left_of(answer->replicas, room->taken[answer - room->answers->room]);
}

bool
estimator_room_tells_sets(const struct estimator_room *room)
{
    return room->answers->n_sets > 0;
}

int32_t
estimator_room_sets(const struct estimator_room *room, const char *set_key)
{
    const struct set_answer *answer = estimator_answers_sets(room->answers, set_key);

    return answer == NULL ? -1
                          : left_of(answer->sets, room->taken_sets[answer - room->answers->sets]);
}

/* Returns how many replicas of `other` one of `taken` may cost, at most INT32_MAX. */
static wide_int
cost_of_one(const struct requirements *taken, const struct requirements *other)
{
    wide_int most = 1; /* a pod slot each */

    for (uint32_t i = 0; other != NULL && i < other->request.count; i++) {
        wide_int wanted = other->request.items[i].amount.nano;
        const struct quantity *amount =
            resource_list_find(&taken->request, other->request.items[i].name);

        if (wanted > 0 && amount != NULL && amount->nano > 0) {
            wide_int cost = (amount->nano - 1) / wanted + 1;

            most = cost > most ? cost : most;
        }
    }
    return most > INT32_MAX ? INT32_MAX : most;
}

static wide_int
cost_in_sets(const struct requirements *taken, const struct set_answer *set)
{
    wide_int most = 0;

    for (uint32_t i = 0; i < set->n_components; i++) {
        const struct component *component = &set->components[i];
        wide_int cost = component->replicas > 0 ? cost_of_one(taken, component->requirements) : 0;

        most = cost > most ? cost : most;
    }
    return most;
}

void
estimator_room_give_out(struct estimator_room *room, const struct estimator_taking *taking,
                        int sign)
{
    const struct requirements *requirements = taking->requirements;
    wide_int replicas = (wide_int)taking->replicas * sign;

    for (uint32_t i = 0; i < room->answers->n_room; i++) {
        wide_int cost = cost_of_one(requirements, room->answers->room[i].requirements);

        room->taken[i] += cost * replicas;
    }
    for (uint32_t i = 0; i < room->answers->n_sets; i++) {
        const struct set_answer *answer = &room->answers->sets[i];
        bool is_alike = taking->set_key != NULL && str_eq(answer->key, taking->set_key);

        room->taken_sets[i] += is_alike ? (wide_int)taking->sets * sign
                                        : cost_in_sets(requirements, answer) * replicas;
    }
}
