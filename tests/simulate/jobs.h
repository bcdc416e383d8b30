/* SPDX-License-Identifier: Apache-2.0
 *
 * Many simulations, shared among as many processes as there are processors.
 */
#ifndef BALLAST_SIMULATE_JOBS_H
#define BALLAST_SIMULATE_JOBS_H

#include "run.h"

struct job {
    struct run run;
    struct result result; /* out */
};

/* Complaints go to stdout, of the first few that have some. false when a process died. */
bool jobs_run(struct job *jobs, size_t count);

#endif
