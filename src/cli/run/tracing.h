/* SPDX-License-Identifier: Apache-2.0
 *
 * A command as a trace: a span of its own, one of each phase, one of each try of
 * a request, sent to an OTLP/HTTP collector once the command is over. The
 * environment says whether and where (OTEL_EXPORTER_OTLP_ENDPOINT and others,
 * docs/tracing.md). What comes of that is a line of the log at most, and takes
 * OTLP_TIMEOUT_MAX at most. NULL is fine everywhere.
 */
#ifndef BALLAST_CLI_TRACING_H
#define BALLAST_CLI_TRACING_H

#include "cli/options/invocation.h"

/* The invocation outlives it. NULL: nothing is to be sent. */
struct tracing *tracing_begin(const struct invocation *invocation);
/* Sends and frees it. */
void tracing_end(struct tracing *tracing, enum exit_status status);

/* A phase begins or ends; its name is static. */
void tracing_phase(struct tracing *tracing, const char *name, bool begins);
/* For the clients; NULL: none. */
const struct kube_observer *tracing_observer(const struct tracing *tracing);

#endif
