/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of every run of Ballast and over time, worked out from the
 * model alone: none of the program's own rules is called.
 */
#ifndef BALLAST_SIMULATE_CHECKS_H
#define BALLAST_SIMULATE_CHECKS_H

#include "model.h"

#include "ballast/plan/plan.h"
#include "ballast/report/report.h"

/* What one run may do; -1: as much as it likes. */
struct allowance {
    int replicas, bindings;
    int to_cluster, from_cluster; /* replicas, each */
    int patience;                 /* cycles until whoever could be helped has to be; -1: for ever */
    bool evicts;                  /* it only takes away, and karmada-scheduler places */
    bool balances;                /* replicas that run may move, too */
    bool moves_all_kinds;         /* those, too, that keep state or are not known */
    bool by_region;               /* a lost region is failed over, however many clusters it has */
};

#define ALLOW_ANY .replicas = -1, .bindings = -1, .to_cluster = -1, .from_cluster = -1

struct checks *checks_new(const struct allowance *allowance);
void checks_free(struct checks *checks); /* NULL is fine */

/* One line a complaint, "" when everything held. */
const char *checks_complaints(const struct checks *checks);

/* All take a sim without checks: then they do nothing. */
void checks_begin_run(struct sim *sim);
/* A write of the run: `before` and `evicting` are of the object that was written to. */
void checks_saw_write(struct sim *sim, int workload, const int *before);
void checks_end_run(struct sim *sim);
/* A run that left nothing to do, and a second one at once. */
void checks_saw_rerun(struct sim *sim, const struct report *first, const struct report *second);
/* Something happened to a cluster (NOBODY: to any) or a workload: what was decided before is not
 * bound by it. */
void checks_saw_event(struct sim *sim, int cluster, int workload);

#endif
