/* SPDX-License-Identifier: Apache-2.0
 *
 * Where what is known of a member comes from, in order of preference. A source
 * that is not named is not used. The status in the control plane's own objects
 * is always there: naming it only says where in the order it stands.
 */
#ifndef BALLAST_MODEL_SOURCES_H
#define BALLAST_MODEL_SOURCES_H

#include "ballast/model/fleet.h"

/* name as written, one line for help and docs */
#define MEMBER_SOURCES(X)                                                                          \
    X(PODS, "pods", "what runs and what is stuck, pod by pod")                                     \
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

bool member_source_parse(const char *name, enum member_source *ret);

bool sources_have(const struct member_sources *sources, enum member_source source);

/* Whether the estimator adds something: it is named, and no source before it told already. */
bool sources_ask_stuck(const struct member_sources *sources, const struct member *member);
bool sources_ask_room(const struct member_sources *sources, const struct cluster *cluster,
                      const struct member *member);

/* The fleet's members, in `arena`, without what comes from sources that are not named, as if it had
 * not been seen, and without what would not have been asked. */
const struct member *sources_keep(const struct member_sources *sources, struct arena *arena,
                                  const struct fleet *fleet);

#endif
