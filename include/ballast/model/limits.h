/* SPDX-License-Identifier: Apache-2.0
 *
 * How much one run may change, as an operator says it: a number, or a share of
 * what is there.
 */
#ifndef BALLAST_MODEL_LIMITS_H
#define BALLAST_MODEL_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* id, configuration key, what it counts */
#define LIMIT_RULES(X)                                                                             \
    X(RUN_REPLICAS, "limits.maxReplicasMoved", "replicas moved by one run")                        \
    X(RUN_BINDINGS, "limits.maxBindingsChanged", "bindings written by one run")                    \
    X(NAMESPACE_REPLICAS, "limits.perNamespace.maxReplicasMoved",                                  \
      "replicas moved by one run in a namespace")                                                  \
    X(NAMESPACE_BINDINGS, "limits.perNamespace.maxBindingsChanged",                                \
      "bindings written by one run in a namespace")                                                \
    X(SOURCE_REPLICAS, "limits.perSourceCluster.maxReplicasMoved",                                 \
      "replicas taken from a cluster by one run")                                                  \
    X(DESTINATION_REPLICAS, "limits.perDestinationCluster.maxReplicasMoved",                       \
      "replicas moved to a cluster by one run")                                                    \
    X(WORKLOAD_IN_MOTION, "limits.perWorkload.maxReplicasInMotion",                                \
      "replicas of a workload that move, or still are on their way, at once")

enum limit_rule {
#define X(id, key, text) LIMIT_##id,
    LIMIT_RULES(X)
#undef X
        N_LIMIT_RULES
};

enum limit_unit { LIMIT_UNIT_NONE, LIMIT_UNIT_COUNT, LIMIT_UNIT_PERCENT };

struct limit {
    enum limit_unit unit; /* LIMIT_UNIT_NONE: no limit */
    int64_t value;        /* a count, or a percentage from 0 to 100 */
};

#define LIMIT_OPEN INT64_MAX /* as many as one likes */

struct limits {
    struct limit of[N_LIMIT_RULES];
};

const char *limit_rule_key(enum limit_rule rule);
/* "12", "25%", or "-1" for no limit. */
bool limit_parse(const char *text, struct limit *ret);
/* How many of `whole` a limit allows; LIMIT_OPEN without one. A share is rounded down, as
 * Kubernetes rounds maxUnavailable (apimachinery pkg/util/intstr, GetScaledValueFromIntOrPercent),
 * but is at least 1 unless it is 0%: else what is small would wait for ever. */
int64_t limit_allows(const struct limit *limit, int64_t whole);
/* Any of them is set. */
bool limits_any(const struct limits *limits);

#endif
