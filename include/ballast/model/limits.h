/* SPDX-License-Identifier: Apache-2.0
 *
 * How much one run may change, as an operator sets it: a number, or a percentage.
 */
#ifndef BALLAST_MODEL_LIMITS_H
#define BALLAST_MODEL_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* id, configuration key, counted unit */
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

#define LIMIT_OPEN INT64_MAX /* no limit */

struct limits {
    struct limit of[N_LIMIT_RULES];
};

/* Returns the rule's key in the configuration, a constant. */
const char *limit_rule_key(enum limit_rule rule);
/* Parses "12", "25%" (at most 100%), or "-1" for no limit. False if malformed. */
bool limit_parse(const char *text, struct limit *ret);
/* Returns how many of `whole` the limit allows; LIMIT_OPEN without a limit. Rounds a percentage
 * down, as Kubernetes rounds maxUnavailable (apimachinery pkg/util/intstr,
 * GetScaledValueFromIntOrPercent), but to at least 1 unless it is 0%: small workloads must move. */
int64_t limit_allows(const struct limit *limit, int64_t whole);
/* True if any rule has a limit. */
bool limits_any(const struct limits *limits);

#endif
