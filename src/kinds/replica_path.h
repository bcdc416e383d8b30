/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether what an override policy changes is a workload's replicas. Private to
 * fleet/.
 */
#ifndef BALLAST_KINDS_REPLICA_PATH_H
#define BALLAST_KINDS_REPLICA_PATH_H

#include <stdbool.h>

/* A JSON pointer (RFC 6901) to a count of replicas: the last part of "/spec/replicas",
 * "/spec/parallelism", or a deeper one of a custom resource. */
bool replica_path_names(const char *path);
/* To one, or to what holds it: what replaces "/spec" replaces the replicas. */
bool replica_path_sets(const char *path);

#endif
