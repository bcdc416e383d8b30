/* SPDX-License-Identifier: Apache-2.0
 *
 * What is assumed of a fleet: clusters lost, drained, added or resized,
 * workloads scaled. A changed fleet is a value of its own, and the fleet that it
 * was made of is untouched. Pure.
 */
#ifndef BALLAST_SIMULATE_CHANGE_H
#define BALLAST_SIMULATE_CHANGE_H

#include "ballast/base/arena.h"
#include "ballast/base/error.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

/* In the order in which they are made, whatever the order of the list: name, as a report says it */
#define CHANGE_TYPES(X)                                                                            \
    X(ADD, "Add", "add")                                                                           \
    X(RESIZE, "Resize", "resize")                                                                  \
    X(SCALE, "Scale", "scale")                                                                     \
    X(LOSE, "Lose", "lose")                                                                        \
    X(DRAIN, "Drain", "drain")

enum change_type {
#define X(id, name, verb) CHANGE_##id,
    CHANGE_TYPES(X)
#undef X
        N_CHANGE_TYPES
};

const char *change_type_name(enum change_type type);
const char *change_type_verb(enum change_type type);

/* What is done to an amount. A percentage is of what is there. */
enum resize_how { RESIZE_TO, RESIZE_BY, RESIZE_BY_PERCENT };

struct change {
    enum change_type type;
    const char *text; /* as it was asked for: "region=eu", "m1=cpu+20%" */

    /* LOSE, DRAIN: a cluster, or all of a region, provider or zone; RESIZE: a cluster; ADD: the
     * cluster whose capacity a new one gets, empty, or NULL */
    enum guard_group by; /* GUARD_BY_NONE: `name` is a cluster's */
    const char *name;

    /* ADD: what was read; NULL where it is like `name` */
    const struct cluster *cluster;
    const struct member *member; /* its nodes; NULL: not known */
    const char *new_name;        /* where it is like another */

    /* RESIZE */
    const char *resource;
    enum resize_how how;
    int64_t percent;        /* -100 to 1000000 */
    struct quantity amount; /* to what, or by how much */

    /* SCALE */
    const char *namespace_, *workload;
    int32_t replicas;
};

struct change_list {
    const struct change *items;
    uint32_t count;
};

/* What becomes of a cluster. Name, as a report says it, what it means. */
#define CLUSTER_FATES(X)                                                                           \
    X(STAYS, "Stays", "", "it stays as it is")                                                     \
    X(ADDED, "Added", "added", "it is new")                                                        \
    X(RESIZED, "Resized", "resized", "its capacity is another")                                    \
    X(LOST, "Lost", "lost", "it is lost for good")                                                 \
    X(DRAINED, "Drained", "drained", "what runs there is to move")

enum cluster_fate {
#define X(id, name, word, text) FATE_##id,
    CLUSTER_FATES(X)
#undef X
};

const char *cluster_fate_name(enum cluster_fate fate);
const char *cluster_fate_word(enum cluster_fate fate); /* "" of what stays */

struct changed_fleet {
    struct fleet fleet;             /* it shares with the original what did not change */
    const enum cluster_fate *fates; /* by its clusters */
    const uint32_t *origins; /* by its clusters: the index in the original; CLUSTER_NONE: new */
    uint32_t n_lost, n_drained, n_added;
};

/* The fleet after those changes, in `arena`; the original, and what the changes point to, has to
 * live as long. `policy` has the scope that tells workloads of one name apart. false with
 * ERROR_NOT_FOUND for what does not exist (with the nearest name), ERROR_USAGE for what cannot be:
 * a name that is taken, a cluster that would be smaller than what runs there. */
bool fleet_change(struct arena *arena, const struct fleet *fleet, const struct change_list *changes,
                  const struct policy *policy, struct changed_fleet *ret, struct error *err);

/* By cluster of the fleet as it is: those that the changes drain; NULL: none. In `arena`. */
bool *changes_drained(struct arena *arena, const struct fleet *fleet,
                      const struct change_list *changes);

/* The rules by which a changed fleet is planned: mode Place and no limits, which only say how much
 * a run does at once; and the disruption guard does not hold where clusters are lost or drained,
 * since that is given. */
struct policy simulation_policy(const struct policy *policy, bool loses);

#endif
