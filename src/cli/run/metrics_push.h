/* SPDX-License-Identifier: Apache-2.0
 *
 * Pushes the metrics of a run to a Pushgateway.
 */
#ifndef BALLAST_CLI_METRICS_PUSH_H
#define BALLAST_CLI_METRICS_PUSH_H

#include "ballast/report/metrics.h"
#include "cli/options/invocation.h"

/* Pushes `text`, all metrics but the last success, and after a success that one, too, as the
 * settings ask. Logs a warning on failure. */
void metrics_push(const struct invocation *invocation, const struct metrics_run *run,
                  const struct buf *text);

#endif
