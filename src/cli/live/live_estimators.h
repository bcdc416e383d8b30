/* SPDX-License-Identifier: Apache-2.0
 *
 * The estimators of a live run, where it asks any.
 */
#ifndef BALLAST_CLI_LIVE_ESTIMATORS_H
#define BALLAST_CLI_LIVE_ESTIMATORS_H

#include "ballast/karmada/estimators.h"
#include "cli/options/invocation.h"

struct live_estimators {
    struct estimator_client *client;
    struct estimators *estimators; /* NULL: nobody is to be asked */
};

/* Opens what asks estimators; does nothing where the sources do not name them. `ret` is zero
 * before. `deadline` is the run's, 0: none. False with ERROR_CONFIG when a file cannot be used. */
bool live_estimators_open(const struct invocation *invocation, int64_t deadline,
                          struct live_estimators *ret, struct error *err);
/* Frees what was opened, if anything was. */
void live_estimators_close(struct live_estimators *live);
/* Logs which estimators did not answer, and why, and how many calls there were. */
void live_estimators_log(const struct live_estimators *live, const struct logger *logger);

#endif
