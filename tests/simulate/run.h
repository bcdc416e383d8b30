/* SPDX-License-Identifier: Apache-2.0
 *
 * One simulation: a trace, a seed, a policy.
 */
#ifndef BALLAST_SIMULATE_RUN_H
#define BALLAST_SIMULATE_RUN_H

#include "policies.h"
#include "traces.h"

struct run {
    const struct trace *trace;
    const struct sim_policy *policy;
    uint64_t seed;
    bool verbose;
};

/* What came of it; plain numbers, so that they can go through a pipe. */
struct result {
    int64_t cycles;
    int64_t pending, nowhere, lost; /* replica-minutes */
    int64_t moves, undone, writes;
    int64_t settled; /* seconds after the last event; NEVER */
    int32_t max_returns, max_attempt;
    bool failed; /* an invariant broke */
};

/* Complaints, one a line, are appended. */
struct result run_simulation(const struct run *run, struct buf *complaints);

#endif
