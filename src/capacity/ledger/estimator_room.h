/* SPDX-License-Identifier: Apache-2.0
 *
 * The capacity that a member's estimator answered, less what the run gave out since. An answer
 * counts replicas of one requirement, not what they share with others. So a replica given out
 * lowers all answers by its highest cost: the replicas that its resources could hold, at least
 * one. Answers about sets fall by the pods that it displaces, each of another set; a set lowers
 * the answer about equal sets by one. So the run never promises too much. Where it promises too
 * little, the estimator's next answers show it.
 */
#ifndef BALLAST_CAPACITY_ESTIMATOR_ROOM_H
#define BALLAST_CAPACITY_ESTIMATOR_ROOM_H

#include <stdbool.h>

#include "ballast/model/estimator_answers.h"

struct estimator_room;

/* Returns the capacity of answers, which outlive it, in `arena`; NULL: none is about capacity. */
struct estimator_room *estimator_room_new(struct arena *arena,
                                          const struct estimator_answers *answers);

/* Returns the replicas left with the requirements of a key; -1: no answer is about them. */
int32_t estimator_room_available(const struct estimator_room *room, const char *requirements_key);

/* True if an answer is about sets of components. */
bool estimator_room_tells_sets(const struct estimator_room *room);
/* Returns the sets left with the components of a key; -1: no answer is about them. */
int32_t estimator_room_sets(const struct estimator_room *room, const char *set_key);

/* Replicas that are given out. Components of a set are given out one by one with the set's key. One
 * of them has the number of sets. */
struct estimator_taking {
    const struct requirements *requirements;
    int32_t replicas;
    const char *set_key; /* NULL: not of a set */
    int32_t sets;
};
/* Takes what is given out from all answers; with a sign of -1, gives it back, in any order. */
void estimator_room_give_out(struct estimator_room *room, const struct estimator_taking *taking,
                             int sign);

#endif
