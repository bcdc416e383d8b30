/* SPDX-License-Identifier: Apache-2.0
 *
 * The estimators of a live run.
 */
#ifndef BALLAST_CLI_LIVE_ESTIMATORS_H
#define BALLAST_CLI_LIVE_ESTIMATORS_H

#include "ballast/karmada/estimators.h"
#include "cli/options/invocation.h"

struct live_estimators {
    struct estimator_client *client;
    struct estimators *estimators; /* NULL: the run asks none */
};

/* Opens the estimators, if the sources name them. `ret` is zeroed. `deadline` is the run's, in
 * nanoseconds; 0: none. False with ERROR_CONFIG: a file cannot be used. */
bool live_estimators_open(const struct invocation *invocation, int64_t deadline,
                          struct live_estimators *ret, struct error *err);
/* Frees what live_estimators_open opened, if anything. */
void live_estimators_close(struct live_estimators *live);
/* Logs which estimators did not answer and why, and the number of calls. */
void live_estimators_log(const struct live_estimators *live, const struct logger *logger);

#endif
