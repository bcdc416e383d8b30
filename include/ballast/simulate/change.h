/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes to assume in a fleet: clusters lost, drained, added or resized, workloads scaled. A
 * changed fleet is a value of its own; the original stays as it is. Pure.
 */
#ifndef BALLAST_SIMULATE_CHANGE_H
#define BALLAST_SIMULATE_CHANGE_H

#include "ballast/base/arena.h"
#include "ballast/base/error.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

/* Changes are made in this order, whatever the order of the list: name, word in a report. */
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

/* How an amount changes. A percentage is of the present amount. */
enum resize_how { RESIZE_TO, RESIZE_BY, RESIZE_BY_PERCENT };

struct change {
    enum change_type type;
    const char *text; /* as the user gave it: "region=eu", "m1=cpu+20%" */

    /* LOSE, DRAIN: a cluster, or all of a region, provider or zone; RESIZE: a cluster; ADD: the
     * cluster whose capacity a new one gets, empty, or NULL */
    enum guard_group by; /* GUARD_BY_NONE: `name` is that of a cluster */
    const char *name;

    /* ADD: the cluster that was read; NULL: it is like `name` */
    const struct cluster *cluster;
    const struct member *member; /* its nodes; NULL: not known */
    const char *new_name;        /* if it is like another */

    /* RESIZE */
    const char *resource;
    enum resize_how how;
    int64_t percent;        /* -100 to 1000000 */
    struct quantity amount; /* the new amount, or the difference */

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
    X(LOST, "Lost", "lost", "it is lost for good")                                                 \
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
    struct fleet fleet;             /* it shares unchanged parts with the original */
    const enum cluster_fate *fates; /* by its clusters */
    const uint32_t *origins; /* by its clusters: the index in the original; CLUSTER_NONE: new */
    uint32_t n_lost, n_drained, n_added;
};

/* Makes changes to a fleet, into *ret, in `arena`; the original and all that the changes point to
 * must live as long. `policy` has the scope, which tells workloads of one name apart. False with
 * NOT_FOUND (with the nearest name), or with USAGE for what cannot be: a name that is taken, a
 * cluster smaller than the replicas that run there. */
bool fleet_change(struct arena *arena, const struct fleet *fleet, const struct change_list *changes,
                  const struct policy *policy, struct changed_fleet *ret, struct error *err);

/* Returns, by cluster of the original fleet, which ones the changes drain; NULL: none. In `arena`.
 */
bool *changes_drained(struct arena *arena, const struct fleet *fleet,
                      const struct change_list *changes);

/* Returns the policy by which a changed fleet is planned: mode Place and no limits, which only
 * bound one run. With `loses` the disruption guard is off, too, since the losses are assumed. */
struct policy simulation_policy(const struct policy *policy, bool loses);

#endif
