/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run asks beside the lists, since only a look at the fleet tells that it
 * has to. Pure code works the questions out, and a back end asks them.
 */
#ifndef BALLAST_MODEL_SURVEY_H
#define BALLAST_MODEL_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/binding.h"

/* How many replicas of a workload have been unschedulable in a cluster for too long. */
struct stuck_question {
    uint32_t cluster;
    const struct object_reference *workload;
};

/* How many replicas fit there, or how many sets of a binding's components. */
struct room_question {
    uint32_t cluster;
    const struct binding *set;               /* NULL: about replicas */
    const struct requirements *requirements; /* of one; NULL: none given */
};

/* Replicas of a binding may go to these clusters, pod by pod onto nodes that are known. Of a large
 * fleet each of many bindings may go to a thousand, and most of them to the same. */
struct fit_question {
    uint32_t binding, n_clusters;
    const uint32_t *clusters; /* in order, at least one; several questions may have one list */
    bool is_there; /* they are there, and may leave: only what they keep in claims is asked */
    bool may_stop; /* likewise, although they run: PodDisruptionBudgets are asked for alone */
};

/* All of one round: there is one before the diagnosis, and one before the plan. */
struct survey {
    const struct stuck_question *stuck;
    uint32_t n_stuck;
    int64_t unschedulable_threshold; /* nanoseconds: "too long" */
    const struct room_question *room;
    uint32_t n_room;
    const struct fit_question *fit; /* what ties their pods, and what of the cluster does; sorted */
    uint32_t n_fit;
    bool wants_purge_modes; /* eviction tasks may be written: which modes are known there? */
    bool may_change;        /* something may be changed: what only that needs is to be read */
    bool is_last;           /* nothing is asked after it */
};

#endif
