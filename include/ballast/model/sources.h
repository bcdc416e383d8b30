/* SPDX-License-Identifier: Apache-2.0
 *
 * The sources of facts about members, in order of preference. A source that is not
 * named is not used. The status in the control plane's own objects is always used:
 * naming it only sets its place in the order.
 */
#ifndef BALLAST_MODEL_SOURCES_H
#define BALLAST_MODEL_SOURCES_H

#include "ballast/model/fleet.h"

/* name as written, one line for help and docs */
#define MEMBER_SOURCES(X)                                                                          \
    X(PODS, "pods", "pods that run and pods that are stuck")                                       \
    X(NODES, "nodes", "which nodes there are, and with pods what is free on each")                 \
    X(ESTIMATOR, "estimator", "an existing karmada-scheduler-estimator, asked over gRPC")          \
    X(STATUS, "status", "what the control plane's objects say; always there")

enum member_source {
#define X(id, name, text) SOURCE_##id,
    MEMBER_SOURCES(X)
#undef X
        N_MEMBER_SOURCES
};

struct member_sources {
    enum member_source order[N_MEMBER_SOURCES]; /* each at most once */
    uint32_t count;
};

/* Parses the name of a source. False if unknown. */
bool member_source_parse(const char *name, enum member_source *ret);

/* True if the source is named. */
bool sources_have(const struct member_sources *sources, enum member_source source);

/* True if the estimator is named and no earlier source shows which replicas are stuck. */
bool sources_ask_stuck(const struct member_sources *sources, const struct member *member);
/* True if the estimator is named and no earlier source shows capacity. */
bool sources_ask_room(const struct member_sources *sources, const struct cluster *cluster,
                      const struct member *member);

/* Returns a copy of the fleet's members in `arena`, one per cluster. Leaves out objects of sources
 * that are not named, and estimators' answers to questions that the sources do not ask. */
const struct member *sources_keep(const struct member_sources *sources, struct arena *arena,
                                  const struct fleet *fleet);

#endif
