/* SPDX-License-Identifier: Apache-2.0
 *
 * The room that a member's estimator answered, less what was given out since.
 *
 * An answer tells how many replicas of one kind fit, and not what they have in
 * common with others. So what is given to one kind is taken from all of them, by
 * the most that it can cost wherever it is put: on its node a replica takes the
 * place of as many as its scarcest resource would have held, and of one at
 * least. Never is more promised than there is; what is promised too little is
 * seen when the estimator is asked again.
 */
#ifndef PLAN_ESTIMATOR_ROOM_H
#define PLAN_ESTIMATOR_ROOM_H

#include "ballast/estimator_answers.h"

struct estimator_room;

/* NULL when there are no answers about room, which must outlive it. */
struct estimator_room *estimator_room_new(struct arena *arena,
                                          const struct estimator_answers *answers);

/* What is left for the requirements of a key; -1: there is no answer about them. */
int32_t estimator_room_available(const struct estimator_room *room, const char *requirements_key);

void estimator_room_take(struct estimator_room *room, const struct requirements *requirements,
                         int32_t replicas);
/* The inverse of that take, whatever was taken since. */
void estimator_room_give_back(struct estimator_room *room, const struct requirements *requirements,
                              int32_t replicas);

#endif
