/* SPDX-License-Identifier: Apache-2.0
 *
 * What a simulation measures of a policy.
 */
#ifndef BALLAST_SIMULATE_MEASURES_H
#define BALLAST_SIMULATE_MEASURES_H

#include <stdbool.h>
#include <stdint.h>

#include "sizes.h"

struct sim;

#define UNDONE_SECONDS 3600 /* a replica that is back within that has flapped */
#define CALM_SECONDS 120    /* everything ran for so long: it has settled */

/* Replicas that were taken from a cluster, and when. */
struct departure {
    int64_t time;
    int workload, cluster;
    int replicas;
    bool forced; /* somebody else wrote, or the cluster was lost */
};

struct measures {
    int64_t pending; /* replica-seconds that something wanted to run and nothing did */
    int64_t lost;    /* the same, for replicas assigned to a cluster that is down */
    int64_t nowhere; /* of pending, while no cluster that could take the replica had room for it */
    int64_t moves;   /* replicas given to a cluster that did not come with a scale up */
    int64_t undone;  /* of them, back to where they were taken from within the hour */
    int64_t writes;  /* of spec, by the policy and by karmada-scheduler */
    int64_t failed_writes;
    int64_t trouble; /* from then on it is measured how long it takes to settle */
    int64_t settled; /* when everything ran for the first time after it; NEVER */
    int max_returns; /* most often that one binding was taken from one cluster */
    int max_attempt; /* largest attempt in the memory that Ballast keeps on a binding */
    /* workings */
    int64_t calm;              /* since when everything runs; NEVER */
    int credit[SIM_WORKLOADS]; /* replicas that a scale up still has to place */
    int leaves[SIM_WORKLOADS][SIM_CLUSTERS];
    struct departure *departures;
    int n_departures, departures_room;
};

void measures_init(struct measures *measures, int64_t now);
void measures_release(struct measures *measures);

/* spec.clusters went from one split to another. By a policy or the scheduler, unless `by_others`.
 */
void measures_saw_split(struct sim *sim, int workload, const int *before, const int *after,
                        bool by_others);
void measures_saw_scale(struct sim *sim, int workload, int more);
/* One tick went by. */
void measures_tick(struct sim *sim);

/* Replicas of a workload that something wants to run and nothing does; `ret_lost` of them are
 * assigned to clusters that are down. */
int measures_missing(struct sim *sim, int workload, int *ret_lost);

#endif
