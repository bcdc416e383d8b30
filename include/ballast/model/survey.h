/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions of a run beside the lists that it always reads: only a look at the
 * fleet tells that they are needed. Pure code finds the questions, and a back end
 * asks them.
 */
#ifndef BALLAST_MODEL_SURVEY_H
#define BALLAST_MODEL_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/binding.h"

/* Asks how many replicas of a workload have been unschedulable in a cluster for too long. */
struct stuck_question {
    uint32_t cluster;
    const struct object_reference *workload;
};

/* Asks how many replicas, or sets of a binding's components, fit into a cluster. */
struct room_question {
    uint32_t cluster;
    const struct binding *set;               /* NULL: about replicas */
    const struct requirements *requirements; /* of one replica; NULL: none */
};

/* Asks which of these clusters can take replicas of a binding, pod by pod onto known nodes. In a
 * large fleet, many bindings may each go to a thousand clusters, mostly to shared ones. */
struct fit_question {
    uint32_t binding, n_clusters;
    const uint32_t *clusters; /* in order, at least one; questions may share a list */
    bool is_there;            /* the replicas are there and may leave: asks only for their claims */
    bool may_stop; /* the replicas run there and may leave: asks only for PodDisruptionBudgets */
};

/* All questions of one round. One round is before the diagnosis, one before the plan. */
struct survey {
    const struct stuck_question *stuck;
    uint32_t n_stuck;
    int64_t unschedulable_threshold; /* nanoseconds: "too long" */
    const struct room_question *room;
    uint32_t n_room;
    const struct fit_question *fit; /* about ties of pods, and objects for these; sorted */
    uint32_t n_fit;
    bool wants_purge_modes; /* asks which purge modes the control plane knows */
    bool may_change;        /* the run may write: it wants objects that only a write needs */
    bool is_last;           /* no round follows */
};

#endif
