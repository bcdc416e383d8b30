/* SPDX-License-Identifier: Apache-2.0
 *
 * Two looks at one fleet, and what changed between them: clusters, the room in
 * them, bindings, and whose doing it was. Pure.
 *
 * Nothing is guessed: Ballast did what a record or the history on the binding
 * (ballast.io/last-move) says it did, and only as far as that leads from the one
 * split to the other. Where it does not, what shows the scheduler or Karmada's
 * failover at work is named, and what nothing tells of is of others.
 *
 * A comparison lives in the arena it was made in, and its texts there or in the
 * fleets; times are nanoseconds since the epoch, TIME_NONE where there is none.
 */
#ifndef BALLAST_COMPARE_COMPARE_H
#define BALLAST_COMPARE_COMPARE_H

#include "ballast/diagnose/coverage.h"
#include "ballast/record/record.h"
#include "ballast/simulate/simulate.h"

/* One look: the fleet, and what was found in it, by a policy whose `now` is its own. */
struct compared_look {
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct coverage *coverage;
    const struct policy *policy;
};

struct comparison_request {
    struct compared_look before, after;
    const struct record *const *records; /* what runs wrote, in any order */
    uint32_t n_records;
    bool any_fleet; /* also where no cluster is in both */
};

/* What became of something: name, the sign before its line. */
#define COMPARED_CHANGES(X)                                                                        \
    X(CAME, "Came", '+')                                                                           \
    X(WENT, "Went", '-')                                                                           \
    X(CHANGED, "Changed", '~')

enum compared_change {
#define X(id, name, sign) COMPARED_##id,
    COMPARED_CHANGES(X)
#undef X
        N_COMPARED_CHANGES
};
const char *compared_change_name(enum compared_change change);
char compared_change_sign(enum compared_change change);

/* Whose doing a split is: name, how it is said. */
#define COMPARED_WRITERS(X)                                                                        \
    X(BALLAST, "Ballast", "Ballast")                                                               \
    X(SCHEDULER, "Scheduler", "the scheduler")                                                     \
    X(FAILOVER, "Failover", "Karmada's failover")                                                  \
    X(OTHER, "Other", "others")

enum compared_who {
#define X(id, name, text) COMPARED_BY_##id,
    COMPARED_WRITERS(X)
#undef X
        N_COMPARED_WHO
};
const char *compared_who_name(enum compared_who who);
const char *compared_who_text(enum compared_who who);

struct compared_writer {
    enum compared_who who;
    const char *proof;  /* what says so, in words; "" nothing does */
    const char *record; /* the id of the record that does; "" */
    int64_t time;       /* when */
};

/* A taint that came or went, by key, value and effect. */
struct compared_taint {
    enum compared_change change;
    const struct taint *taint;
};

/* A resource of a cluster that is not as it was. */
struct compared_resource {
    const char *name;
    struct compared_amount {
        bool known;
        struct quantity amount;
    } allocatable_before, allocatable_after, /* status.resourceSummary.allocatable */
        room_before, room_after;             /* free, as planning counts it */
};

struct compared_cluster {
    enum compared_change change;
    const char *name;
    bool is_recreated;                   /* it went, and one of its name came: the uid says so */
    enum cluster_standing stood, stands; /* where it was, and where it is there */
    const char *health_before, *health_after; /* why it does not stand well; "" */
    const struct compared_taint *taints;
    uint32_t n_taints;
    const struct compared_resource *resources;
    uint32_t n_resources;
    int64_t replicas_before, replicas_after; /* that bindings have there */
    int64_t stuck_before, stuck_after;       /* of them */
    bool was_seen, is_seen;                  /* its member was seen whole, as far as it was asked */
};

/* A cluster of a binding, where it has not what it had. */
struct compared_target {
    const char *name;
    bool was_target, is_target;
    int64_t before, after; /* replicas; 0 of no target */
};

struct compared_finding {
    enum compared_change change; /* CHANGED: the replicas are other ones */
    enum finding_type type;
    const char *cluster; /* "" of the whole binding */
    int32_t before, after;
    const char *message; /* of the later look that has it */
    bool is_unseen;      /* the look that has it not did not see that member: who knows */
};

struct compared_binding {
    enum compared_change change;
    const struct binding *binding; /* as it is, or as it was before it went */
    bool is_recreated;
    bool is_workload;                    /* else targets have it or not: replicas say nothing */
    int32_t wanted_before, wanted_after; /* of one copy; 0 of what is not there */
    const struct compared_target *targets;
    uint32_t n_targets;
    const struct compared_finding *findings;
    uint32_t n_findings;
    /* replicas: from one cluster to another, more than before, fewer; of what is in both looks */
    int64_t moved, added, removed;
    const struct compared_writer *writers; /* of the split, in the order of their times */
    uint32_t n_writers;                    /* 0: it is the same, or that cannot be told */
};

struct comparison_totals {
    uint32_t clusters[N_COMPARED_CHANGES];
    uint32_t bindings[N_COMPARED_CHANGES];
    uint32_t findings[N_COMPARED_CHANGES];
    uint32_t splits;             /* bindings in both looks whose split is another */
    uint32_t by[N_COMPARED_WHO]; /* of them, those that each had a hand in */
    int64_t moved, added, removed;
};

struct comparison {
    struct compared_look before, after;
    const struct compared_cluster *clusters; /* by name; only what changed, as the next one */
    uint32_t n_clusters;
    const struct compared_binding *bindings; /* in the order of the fleets */
    uint32_t n_bindings;
    struct comparison_totals totals;
    bool is_backwards; /* the first look is the later one: whose doing it was is not told */
};

bool comparison_is_empty(const struct comparison *comparison);

/* In `arena`. NULL with err, ERROR_INVALID: they are of two platforms, or have no cluster in
 * common. Bindings that are out of scope in either look are left out. */
const struct comparison *compare(struct arena *arena, const struct comparison_request *request,
                                 struct error *err);

#endif
