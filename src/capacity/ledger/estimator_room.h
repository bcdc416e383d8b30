/* SPDX-License-Identifier: Apache-2.0
 *
 * The room that a member's estimator answered, less what was given out since.
 *
 * An answer tells how many replicas of one kind fit, and not what they have in
 * common with others. So what is given to one kind is taken from all of them, by
 * the most that it can cost wherever it is put: on its node a replica takes the
 * place of as many as its scarcest resource would have held, and of one at
 * least. Of sets of components it takes no more than the pods whose place it
 * takes, each of another set; but of those that are alike a whole set is one, as
 * the estimator counted them. Never is more promised than there is; what is
 * promised too little is seen when the estimator is asked again.
 */
#ifndef BALLAST_CAPACITY_ESTIMATOR_ROOM_H
#define BALLAST_CAPACITY_ESTIMATOR_ROOM_H

#include <stdbool.h>

#include "ballast/model/estimator_answers.h"

struct estimator_room;

/* Returns the room that the answers tell of, in `arena`; NULL when none is about room. The answers
 * must outlive it. */
struct estimator_room *estimator_room_new(struct arena *arena,
                                          const struct estimator_answers *answers);

/* Returns how many replicas with the requirements of a key are left; -1: no answer is about them.
 */
int32_t estimator_room_available(const struct estimator_room *room, const char *requirements_key);

/* True if some answer is about sets of components. */
bool estimator_room_tells_sets(const struct estimator_room *room);
/* Returns how many sets with the components of a key are left; -1: no answer is about them. */
int32_t estimator_room_sets(const struct estimator_room *room, const char *set_key);

/* Replicas that are given out. The components of one set are given out one after the other, each
 * with the key of the set, and one of them with the count of sets. */
struct estimator_taking {
    const struct requirements *requirements;
    int32_t replicas;
    const char *set_key; /* NULL: they are no part of a set */
    int32_t sets;
};
/* Takes what is given out from all answers; with a sign of -1, gives it back, whatever was given
 * out since. */
void estimator_room_give_out(struct estimator_room *room, const struct estimator_taking *taking,
                             int sign);

#endif
