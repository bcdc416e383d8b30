/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the checks share.
 */
#ifndef BALLAST_SIMULATE_CHECKS_PARTS_H
#define BALLAST_SIMULATE_CHECKS_PARTS_H

#include "checks.h"

#define TEXT_MAX ((size_t)1 << 20)
#define THRESHOLD 300 /* seconds: the default of all of Ballast's thresholds */
#define COMPLAINTS_MAX 8
#define MAX_ATTEMPTS 5               /* after so many moves in vain there is none ... */
#define FORGOTTEN (6 * 3600 / CYCLE) /* ... until they are forgotten: cycles; the defaults */
#define ASKED_SECONDS 3600 /* a reschedule is over so long after nothing of it waits any more */
#define REFUSED_SECONDS (600 + 240) /* thresholds.inFlight, and a member that lags behind */
#define REMEMBERED_SECONDS 600      /* Ballast leaves on bindings that it moved them away */
#define MAX_TOURS 2
#define SETTLING 60      /* so long after it came back a cluster keeps what it has */
#define GUARD_PERCENT 55 /* of clusters that are not ready: the default */

struct checks {
    struct allowance allowance;
    struct buf complaints;
    int n_complaints; /* those above COMPLAINTS_MAX are not told */
    /* of the run under way */
    int64_t room[SIM_CLUSTERS], given[SIM_CLUSTERS]; /* milli cpu */
    int surplus[SIM_WORKLOADS][SIM_CLUSTERS];        /* pods beyond what is assigned */
    int moved, changed;
    int arrived[SIM_CLUSTERS], gone[SIM_CLUSTERS]; /* replicas that moved */
    /* over time */
    int neglected[SIM_WORKLOADS]; /* cycles in which it could have been helped and was not */
    int64_t cluster_event[SIM_CLUSTERS], workload_event[SIM_WORKLOADS];
    int64_t left[SIM_WORKLOADS][SIM_CLUSTERS];   /* when Ballast last took replicas away */
    int64_t toured_since[SIM_WORKLOADS];         /* the event that its tours are counted from */
    int64_t failed[SIM_WORKLOADS][SIM_CLUSTERS]; /* when it was last seen to fail there */
    int tours[SIM_WORKLOADS];                    /* while it crashes wherever it runs */
    int64_t waited[SIM_WORKLOADS];               /* when a part of a reschedule last had to wait */
};

/* About what a write made of a workload: `before` is what it was. */
void checks_complain_of(struct sim *sim, int workload, const char *what, int cluster,
                        const int *before);
bool checks_is_lost(const struct sim *sim, int cluster);
int checks_sum_of(const int *split);

/* checks_kinds.c */

/* To be called before a run: which workloads fail where. */
void checks_watch_failing(struct sim *sim);
/* Whoever sees its pods knows that it fails whatever starts there: three workloads do, and nothing
 * came up since. */
bool checks_known_to_fail(const struct sim *sim, int cluster);
/* It is refused for so long that nothing of it can be on its way any more. */
bool checks_refused_long(const struct sim *sim, const struct sim_workload *subject, int cluster);
/* Pods of it are seen somewhere, and tell what they ask for. */
bool checks_pods_seen(struct sim *sim, int workload);
/* What is no Deployment keeps its shape, and what has finished stays. */
void checks_kind(struct sim *sim, int workload, const int *before);
/* A workload that crashes wherever it runs is not sent on again and again. */
void checks_tour(struct sim *sim, int workload, const int *before);

#endif
