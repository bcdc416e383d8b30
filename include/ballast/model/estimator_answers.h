/* SPDX-License-Identifier: Apache-2.0
 *
 * What the scheduler-estimator of a member answered, as data. Where there is no
 * answer it was not asked, or abstained: unknown, and never zero. In a fleet
 * directory it is an object of our own, of one member:
 *
 *     apiVersion: ballast.io/v1alpha1
 *     kind: EstimatorAnswers
 *     unschedulableThreshold: 5m
 *     unschedulable:
 *     - {apiVersion: apps/v1, kind: Deployment, namespace: shop, name: web, replicas: 2}
 *     available:
 *     - {requirements: {resourceRequest: {cpu: 500m}}, replicas: 12}
 *     - {replicas: 110}
 *     availableSets:
 *     - {namespace: shop, components: [{replicas: 1}, {replicas: 3, replicaRequirements: {…}}],
 *        sets: 2}
 *
 * `requirements` is a binding's spec.replicaRequirements; without it the answer
 * is about replicas that ask for nothing. `components` are a binding's spec.components, in their
 * order, without their names.
 */
#ifndef BALLAST_MODEL_ESTIMATOR_ANSWERS_H
#define BALLAST_MODEL_ESTIMATOR_ANSWERS_H

#include "ballast/base/arena.h"
#include "ballast/model/placement.h"

struct component;
struct object_reference;

/* Replicas of one workload that have been unschedulable for longer than the threshold. */
struct stuck_answer {
    const char *api_version;
    const char *kind;
    const char *namespace_;
    const char *name;
    int32_t replicas; /* >= 0 */
};

/* How many more replicas fit. */
struct room_answer {
    const struct requirements *requirements; /* of one of them; NULL: none given */
    const char *key;                         /* of it, by kinds/requirements_key.h */
    int32_t replicas;                        /* >= 0; INT32_MAX: nothing bounds them */
};

/* How many sets of all these components fit. */
struct set_answer {
    const char *namespace_;
    const struct component *components;
    uint32_t n_components;
    const char *key; /* of them, likewise */
    int32_t sets;    /* >= 0; INT32_MAX: nothing bounds them */
};

struct estimator_answers {
    int64_t threshold; /* of the stuck ones, nanoseconds */
    const struct stuck_answer *stuck;
    uint32_t n_stuck;
    const struct room_answer *room;
    uint32_t n_room;
    const struct set_answer *sets;
    uint32_t n_sets;
};

/* Sorts the answers in place, leaves the smallest of those about the same thing, and keeps the
 * arrays. */
struct estimator_answers estimator_answers_of(struct stuck_answer *stuck, uint32_t n_stuck,
                                              int64_t threshold, struct room_answer *room,
                                              uint32_t n_room);

/* The same of answers about sets, which take the place of those that are there. */
void estimator_answers_put_sets(struct estimator_answers *answers, struct set_answer *sets,
                                uint32_t n_sets);

/* NULL when there is no answer. */
const struct stuck_answer *estimator_answers_stuck(const struct estimator_answers *answers,
                                                   const struct object_reference *workload);
const struct room_answer *estimator_answers_room(const struct estimator_answers *answers,
                                                 const char *requirements_key);

const struct set_answer *estimator_answers_sets(const struct estimator_answers *answers,
                                                const char *set_key);

#endif
