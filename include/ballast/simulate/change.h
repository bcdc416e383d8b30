/* SPDX-License-Identifier: Apache-2.0
 *
 * Assumed changes to a fleet: clusters lost, drained, added or resized, workloads scaled. Pure.
 */
#ifndef BALLAST_SIMULATE_CHANGE_H
#define BALLAST_SIMULATE_CHANGE_H

#include "ballast/base/arena.h"
#include "ballast/base/error.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

/* Changes are made in this order, not in the list's: name, word in a report. */
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

/* Returns the name of a change: "Resize". */
const char *change_type_name(enum change_type type);
/* Returns the word for a change in a report: "resize". */
const char *change_type_verb(enum change_type type);

/* A percentage is of the present amount. */
enum resize_how { RESIZE_TO, RESIZE_BY, RESIZE_BY_PERCENT };

struct change {
    enum change_type type;
    const char *text; /* the user's text: "region=eu", "m1=cpu+20%" */

    /* LOSE, DRAIN: a cluster, or a group's. RESIZE: a cluster. ADD: a cluster to copy; "" or NULL:
     * none */
    enum guard_group by; /* GUARD_BY_NONE: `name` is a cluster's */
    const char *name;

    /* ADD: the cluster from a manifest; NULL: copy `name` */
    const struct cluster *cluster;
    const struct member *member; /* its nodes; NULL: unknown */
    const char *new_name;        /* name of a copied cluster */

    /* RESIZE */
    const char *resource;
    enum resize_how how;
    int64_t percent;        /* from -100 to 1000000 */
    struct quantity amount; /* new amount, or difference */

    /* SCALE */
    const char *namespace_, *workload;
    int32_t replicas;
};

struct change_list {
    const struct change *items;
    uint32_t count;
};

/* The fate of a cluster: name, word in a report, meaning. */
#define CLUSTER_FATES(X)                                                                           \
    X(STAYS, "Stays", "", "it stays as it is")                                                     \
    X(ADDED, "Added", "added", "it is new")                                                        \
    X(RESIZED, "Resized", "resized", "its capacity is another")                                    \
    X(LOST, "Lost", "lost", "it is lost and does not return")                                      \
    X(DRAINED, "Drained", "drained", "what runs there is to move")

enum cluster_fate {
#define X(id, name, word, text) FATE_##id,
    CLUSTER_FATES(X)
#undef X
};

/* Returns the name of a fate: "Drained". */
const char *cluster_fate_name(enum cluster_fate fate);
/* Returns the word for a fate in a report: "drained"; "": the cluster stays. */
const char *cluster_fate_word(enum cluster_fate fate);

struct changed_fleet {
    struct fleet fleet;             /* shares unchanged parts with the original */
    struct fleet unharmed;          /* the same without the losses and drains */
    const enum cluster_fate *fates; /* by its clusters */
    const uint32_t *origins;        /* by its clusters: index in the original; CLUSTER_NONE: new */
    uint32_t n_lost, n_drained, n_added;
};

/* Makes changes to a fleet, into *ret, in `arena`. The original and all data of `changes` must live
 * as long. The scope of `policy` selects among workloads of one name. False with NOT_FOUND and the
 * nearest name, or with USAGE: a taken name, or a cluster below its use. */
bool fleet_change(struct arena *arena, const struct fleet *fleet, const struct change_list *changes,
                  const struct policy *policy, struct changed_fleet *ret, struct error *err);

/* Returns the clusters to drain, by cluster of the original fleet, in `arena`; NULL: none. */
bool *changes_drained(struct arena *arena, const struct fleet *fleet,
                      const struct change_list *changes);

/* Returns the policy for a changed fleet: mode Place without limits, which bound only single runs.
 * `loses` turns the disruption guard off, because the losses are assumed. */
struct policy simulation_policy(const struct policy *policy, bool loses);

#endif
