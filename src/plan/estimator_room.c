/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers of an estimator as a run gives room out.
 */
#include "estimator_room.h"

#include "wide.h"

struct estimator_room {
    const struct estimator_answers *answers;
    wide_int *taken; /* of each answer about room; may be more than there was */
};

struct estimator_room *
estimator_room_new(struct arena *arena, const struct estimator_answers *answers)
{
    if (answers->n_room == 0) {
        return NULL;
    }
    struct estimator_room *room = ARENA_NEW(arena, struct estimator_room);

    room->answers = answers;
    room->taken = ARENA_ARRAY(arena, wide_int, answers->n_room);
    return room;
}

int32_t
estimator_room_available(const struct estimator_room *room, const char *requirements_key)
{
    const struct room_answer *answer = estimator_answers_room(room->answers, requirements_key);

    if (answer == NULL || answer->replicas == INT32_MAX) {
        return answer == NULL ? -1 : INT32_MAX; /* nothing bounds these */
    }
    wide_int left = answer->replicas - room->taken[answer - room->answers->room];

    return left > 0 ? (int32_t)left : 0;
}

/* How many replicas of `other` one of `taken` may cost; at most what counts. */
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

static void
change(struct estimator_room *room, const struct requirements *requirements, int64_t replicas)
{
    for (uint32_t i = 0; i < room->answers->n_room; i++) {
        wide_int cost = cost_of_one(requirements, room->answers->room[i].requirements);

        room->taken[i] += cost * replicas;
    }
}

void
estimator_room_take(struct estimator_room *room, const struct requirements *requirements,
                    int32_t replicas)
{
    change(room, requirements, replicas);
}

void
estimator_room_give_back(struct estimator_room *room, const struct requirements *requirements,
                         int32_t replicas)
{
    change(room, requirements, -(int64_t)replicas);
}
