/* SPDX-License-Identifier: Apache-2.0
 *
 * The metrics of a run, brought to a Pushgateway.
 */
#ifndef BALLAST_CLI_METRICS_PUSH_H
#define BALLAST_CLI_METRICS_PUSH_H

#include "ballast/report/metrics.h"
#include "cli/options/invocation.h"

/* As the settings say; `text` is all but the last success, which is kept while runs fail. That it
 * cannot be done is a warning in the log. */
void metrics_push(const struct invocation *invocation, const struct metrics_run *run,
                  const struct buf *text);

#endif
