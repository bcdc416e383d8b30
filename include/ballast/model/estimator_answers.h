/* SPDX-License-Identifier: Apache-2.0
 *
 * The answers of a member's scheduler-estimator. Without an answer it was not
 * asked, or abstained: the number is unknown, never zero. A fleet directory has
 * the answers of one member as an object of Ballast's own:
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

/* Number of further replicas that fit. */
struct room_answer {
    const struct requirements *requirements; /* of one replica; NULL: none */
    const char *key;                         /* requirements_key() of them */
    int32_t replicas;                        /* >= 0; INT32_MAX: no bound */
};

/* Number of sets of all these components that fit. */
struct set_answer {
    const char *namespace_;
    const struct component *components;
    uint32_t n_components;
    const char *key; /* component_set_key() of namespace and components */
    int32_t sets;    /* >= 0; INT32_MAX: no bound */
};

struct estimator_answers {
    int64_t threshold; /* of `stuck`, nanoseconds */
    const struct stuck_answer *stuck;
    uint32_t n_stuck;
    const struct room_answer *room;
    uint32_t n_room;
    const struct set_answer *sets;
    uint32_t n_sets;
};

/* Returns the answers, which keep the arrays. Sorts the arrays in place; of several answers to one
 * question, keeps the smallest. */
struct estimator_answers estimator_answers_of(struct stuck_answer *stuck, uint32_t n_stuck,
                                              int64_t threshold, struct room_answer *room,
                                              uint32_t n_room);

/* Replaces the answers about sets, and keeps the array. Sorts the array in place; of several
 * answers to one question, keeps the smallest. */
void estimator_answers_put_sets(struct estimator_answers *answers, struct set_answer *sets,
                                uint32_t n_sets);

/* Returns how many replicas of the workload are stuck; NULL without an answer. */
const struct stuck_answer *estimator_answers_stuck(const struct estimator_answers *answers,
                                                   const struct object_reference *workload);
/* Returns how many replicas with that requirements_key() fit; NULL without an answer. */
const struct room_answer *estimator_answers_room(const struct estimator_answers *answers,
                                                 const char *requirements_key);

/* Returns how many sets with that component_set_key() fit; NULL without an answer. */
const struct set_answer *estimator_answers_sets(const struct estimator_answers *answers,
                                                const char *set_key);

#endif
