/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares two looks at one fleet: which clusters, resources and bindings changed, and who changed
 * them. Pure.
 *
 * Ballast is an author of a split only if a record or the binding's history (ballast.io/last-move)
 * proves it. If these do not lead from the first split to the second, the scheduler and Karmada's
 * failover are authors if there is a sign of them. Without any sign, the author is "others".
 *
 * A comparison lives in the arena it was made in, its texts there or in the fleets. Times are
 * nanoseconds since the epoch; TIME_NONE: none.
 */
#ifndef BALLAST_COMPARE_COMPARE_H
#define BALLAST_COMPARE_COMPARE_H

#include "ballast/diagnose/coverage.h"
#include "ballast/record/record.h"
#include "ballast/simulate/simulate.h"

/* One look: a fleet, its findings and the policy, whose `now` is the time of the look. */
struct compared_look {
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct coverage *coverage;
    const struct policy *policy;
};

struct comparison_request {
    struct compared_look before, after;
    const struct record *const *records; /* of runs and undos, in any order */
    uint32_t n_records;
    bool any_fleet; /* compare although no cluster is in both looks */
};

/* Changes: name in JSON, sign before the line. */
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
/* Returns the name of a change in JSON: "Came", "Went", "Changed". */
const char *compared_change_name(enum compared_change change);
/* Returns the sign before a change's line: '+', '-', '~'. */
char compared_change_sign(enum compared_change change);

/* Authors of a split: name in JSON, words in a sentence. */
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
/* Returns the name of an author in JSON: "Ballast", "Scheduler", "Failover", "Other". */
const char *compared_who_name(enum compared_who who);
/* Returns the words for an author in a sentence: "Karmada's failover". */
const char *compared_who_text(enum compared_who who);

struct compared_writer {
    enum compared_who who;
    const char *proof;  /* in words; "": none */
    const char *record; /* id of the record that proves it; "": none */
    int64_t time;       /* when the author wrote */
};

/* A taint that came or went, by key, value and effect. */
struct compared_taint {
    enum compared_change change;
    const struct taint *taint;
};

struct compared_resource {
    const char *name;
    struct compared_amount {
        bool known;
        struct quantity amount;
    } allocatable_before, allocatable_after, /* status.resourceSummary.allocatable */
        room_before, room_after;             /* free capacity, as the planner counts it */
};

struct compared_cluster {
    enum compared_change change;
    const char *name;
    bool is_recreated;                        /* another uid: a new cluster has this name */
    enum cluster_standing stood, stands;      /* STANDING_WELL: well, or not in the look */
    const char *health_before, *health_after; /* the reason; "": the cluster is well */
    const struct compared_taint *taints;
    uint32_t n_taints;
    const struct compared_resource *resources;
    uint32_t n_resources;
    int64_t replicas_before, replicas_after; /* assigned by bindings */
    int64_t stuck_before, stuck_after;       /* of these, stuck */
    bool was_seen, is_seen;                  /* the look has all it asked the member for */
};

/* A target cluster that came, went or changed its replicas. */
struct compared_target {
    const char *name;
    bool was_target, is_target;
    int64_t before, after; /* replicas; 0: no target */
};

struct compared_finding {
    enum compared_change change; /* CHANGED: the number of replicas changed */
    enum finding_type type;
    const char *cluster; /* "": the whole binding */
    int32_t before, after;
    const char *message; /* from the later look that has the finding */
    bool is_unseen;      /* unknown if the other look has it: that look did not see the member */
};

struct compared_binding {
    enum compared_change change;
    const struct binding *binding; /* of the second look; if it went, of the first */
    bool is_recreated;
    bool is_workload;                    /* false: only the targets matter, not the replicas */
    int32_t wanted_before, wanted_after; /* replicas of one copy; 0: not in the look */
    const struct compared_target *targets;
    uint32_t n_targets;
    const struct compared_finding *findings;
    uint32_t n_findings;
    /* replicas; 0 unless both looks have the binding */
    int64_t moved, added, removed;
    const struct compared_writer *writers; /* authors: Ballast, oldest first, then others */
    uint32_t n_writers; /* 0: the split did not change, or the author is unknown */
};

struct comparison_totals {
    uint32_t clusters[N_COMPARED_CHANGES];
    uint32_t bindings[N_COMPARED_CHANGES];
    uint32_t findings[N_COMPARED_CHANGES];
    uint32_t splits;             /* bindings in both looks whose split changed */
    uint32_t by[N_COMPARED_WHO]; /* by author; a binding may have several */
    int64_t moved, added, removed;
};

struct comparison {
    struct compared_look before, after;
    const struct compared_cluster *clusters; /* only changed clusters, by name */
    uint32_t n_clusters;
    const struct compared_binding *bindings; /* only changed bindings, in the fleets' order */
    uint32_t n_bindings;
    struct comparison_totals totals;
    bool is_backwards; /* the first look is later: no authors are named */
};

/* True if no cluster and no binding changed. */
bool comparison_is_empty(const struct comparison *comparison);

/* Returns the comparison of two looks, in `arena`, without bindings that are out of scope in
 * either. NULL with err INVALID: the platforms differ, or no cluster is in both. */
const struct comparison *compare(struct arena *arena, const struct comparison_request *request,
                                 struct error *err);

#endif
