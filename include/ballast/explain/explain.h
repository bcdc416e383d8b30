/* SPDX-License-Identifier: Apache-2.0
 *
 * Explains to people why one binding is as it is, and how a run would act on it. Nothing here
 * decides: an explanation copies from the diagnosis, the decision and the planner's trace.
 *
 * An explanation points only into its arena and the fleet. Times are nanoseconds since the epoch,
 * or TIME_NONE. An absent text is "". Texts of the fleet are raw: the printer must escape them.
 */
#ifndef BALLAST_EXPLAIN_EXPLAIN_H
#define BALLAST_EXPLAIN_EXPLAIN_H

#include "ballast/base/arena.h"
#include "ballast/diagnose/coverage.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/plan/plan.h"
#include "ballast/plan/trace.h"

#define EXPLAIN_UNKNOWN (-1) /* an unknown count */

struct explained_owner {
    const char *policy_kind;      /* a policy's, or "ReplicaSchedulingPreference"; "": none */
    const char *policy_namespace; /* "": none, or unknown */
    const char *policy;           /* name; "": unknown */
    const char *policy_id;        /* permanent id; "": not in the labels */
    bool is_scheduled;            /* karmada-scheduler or KubeFed places it */
    const char *scheduler;
    const char *division;              /* "divided by dynamic weight" */
    const char *affinity;              /* name of the affinity term in use */
    const char *preference;            /* its origin: "ReplicaSchedulingPreference shop/web" */
    const char *opt_out;               /* value of ballast.io/deschedule */
    const char *cluster_failover;      /* how a lost cluster is handled */
    const char *application_failover;  /* how an unhealthy workload is handled */
    const char *const *replica_owners; /* autoscalers and overrides, in words */
    uint32_t n_replica_owners;
    int32_t priority;
    enum left_alone left_alone;    /* LEFT_ALONE_NOT: Ballast acts on it */
    const char *left_alone_reason; /* also set for only_lost */
    bool only_lost;                /* only lost replicas may move */
};

enum explained_standing {
    EXPLAINED_TRIGGERS,
    EXPLAINED_REPORTED, /* no run acts on it */
    EXPLAINED_PENDING,  /* a run will act if it lasts */
};
/* Returns the name of a standing: "triggers", "reported", "pending". */
const char *explained_standing_name(enum explained_standing standing);

struct explained_finding {
    enum finding_type type;
    const char *cluster; /* "": the whole binding */
    int32_t replicas;
    int64_t since;
    const char *message;
    enum explained_standing standing;
    const char *why_not; /* why no run acts on it */
    int64_t counts_at;   /* when a pending one triggers, if it lasts */
};

/* Why a workload holds capacity in a cluster without running there yet: replicas that are assigned
 * and may be on their way, those that an earlier decision of the plan brings, pods that wait. */
enum explained_hold { EXPLAINED_COMING, EXPLAINED_GIVEN, EXPLAINED_WAITING };
/* Returns a hold in words, a constant: "on their way", "given by this plan", "waiting for a node".
 */
const char *explained_hold_name(enum explained_hold hold);

/* A workload that holds capacity. */
struct explained_holder {
    const char *namespace_, *name;
    int64_t replicas;
    nanos128 amount; /* of the resource that bounds the cluster; 0: unknown */
    enum explained_hold hold;
};

/* A key of the configuration, with its value in force, as a text ("": not set), and where the value
 * comes from: "ballast.yaml:7", "--mode", "default". */
struct explained_setting {
    const char *key, *value, *from;
};

struct explained_cluster {
    const char *name;
    bool exists;    /* false: no Cluster of that name */
    bool is_target; /* in spec.clusters */
    bool is_target_after;
    int32_t assigned, after; /* replicas; 0: no target */
    int32_t seen, ready;     /* pods in the member, or EXPLAIN_UNKNOWN */
    int32_t stuck;           /* unschedulable or failed past the threshold, or EXPLAIN_UNKNOWN */
    int32_t leaving;         /* replicas that should leave */

    enum cluster_standing standing;
    const char *health; /* reason of `standing`; "": STANDING_WELL */

    enum filter_verdict verdict;
    const char *filter;        /* name of the refusing filter; "": passed */
    const char *filter_reason; /* text of the filter */

    const char *code;    /* why it gets no more replicas; "": no obstacle */
    const char *message; /* `code` as a sentence */

    int32_t room; /* replicas (of a set: sets) that fit; INT32_MAX: no bound */
    const char *room_source;
    struct room_bound bound; /* the resource that bounds `room` */
    const char *wish;        /* share in a preference or weight list: "weight 2" */
    bool has_no_weight;      /* the static weights that decide leave it out */
    int64_t cools_until;     /* until then no replicas go back */
    int64_t left_at;         /* the move that the cluster cools down from; TIME_NONE: none */
    const struct explained_holder *holders; /* of its capacity, where it has too little: largest
                                             * first */
    uint32_t n_holders;
};

/* Returns the obstacle to more replicas: a filter's name, or the code; "": no obstacle. */
const char *explained_obstacle(const struct explained_cluster *cluster);

/* Returns, in `arena`, who holds a cluster's capacity: "held for 3 replicas of shop/api (on their
 * way) and 1 more workload"; "": nobody is known. */
const char *explained_held_text(struct arena *arena, const struct explained_cluster *cluster);

/* An attempt of the planner. */
struct explained_attempt {
    const char *step;
    const char *assumes;
    struct target_list after;
    int32_t unplaced;
    const char *error_type, *error_message;
    const char *refusal; /* why it was not enough; "": it was enough */
    bool is_chosen;
};

/* An earlier move. Moves are listed from the latest on. */
struct explained_move {
    int64_t time;
    struct target_list from, to; /* `to` is empty in mode Evict */
    const char *reason;
};

/* A graceful eviction task. */
struct explained_eviction {
    const char *cluster;
    const char *reason, *producer, *purge_mode;
    int64_t since;
};

/* Whether the workload runs, as far as was seen. */
enum explained_state {
    EXPLAINED_UP,
    EXPLAINED_PARTLY_DOWN,
    EXPLAINED_DOWN,    /* no replica is ready */
    EXPLAINED_UNKNOWN, /* no replica is known to be down, and a member was not seen */
};
/* Returns the name of a state: "UP", "PARTLY DOWN", "DOWN", "UNKNOWN". */
const char *explained_state_name(enum explained_state state);

struct explanation {
    /* the binding and its workload */
    const char *kind, *namespace_, *name;
    struct object_reference resource;
    bool has_replicas; /* false: only targets matter, not counts */
    bool is_divided;   /* the targets share the replicas */
    bool is_set;       /* a set of components: `room` counts sets */

    enum explained_state state;
    const char *readiness; /* "0 of 5 ready; 5 starting in member3 for 4s"; "": no replicas */
    int64_t expected;      /* replicas that should be ready */
    int64_t of_state[N_REPLICA_STATES];
    int64_t in_no_cluster; /* part of `expected` */
    bool is_seen;          /* all targets were seen */
    const char *help;      /* what would help, as a sentence without full stop; "": unknown */

    /* two sentences, without full stops: the problem and its reason */
    const char *headline;
    const char *because;

    int32_t wanted;
    int64_t assigned; /* sum of spec.clusters; `after`: with the decision */
    int64_t after;
    int64_t ready;       /* ready replicas, over targets that report them */
    bool ready_is_known; /* all targets report them */
    int64_t stuck;       /* replicas that do not run, past the threshold */

    struct explained_owner owner;
    const struct explained_finding *findings;
    uint32_t n_findings;
    const struct explained_cluster *clusters; /* sorted by name */
    uint32_t n_clusters;
    const struct explained_attempt *attempts;
    uint32_t n_attempts, n_more_attempts;

    enum plan_action action;
    bool changes;
    const char *affinity; /* name of the affinity term in the decision */
    int32_t moved, added, unplaced, deferred;
    const struct reason *reasons;
    uint32_t n_reasons;
    const struct explained_setting *settings; /* that the reasons come from */
    uint32_t n_settings;
    const char *error_type, *error_message;

    const struct explained_move *moves;
    uint32_t n_moves;
    int32_t attempt;             /* moves in a row that followed an unhelpful move */
    const char *history_problem; /* why the history cannot be read */
    const struct explained_eviction *evictions;
    uint32_t n_evictions;
};

/* The inputs of an explanation. The plan was made after plan_trace_ask for the binding. */
struct explain_subject {
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct policy *policy;
    const struct plan *plan;
    const struct plan_trace *trace;
    const struct coverage *coverage;          /* NULL: all members count as seen */
    const struct explained_setting *settings; /* all keys of the configuration; NULL: unknown */
    uint32_t n_settings;
};

/* Returns the explanation of the binding at `index` of the fleet, in `arena`. */
const struct explanation *explain(struct arena *arena, const struct explain_subject *of,
                                  uint32_t index);

/* Returns, in `arena`, what keeps more replicas out of the clusters: "NoRoom in oslo (cpu), quito
 * after 3 more; ClusterAffinity in paris"; "": nothing does. */
const char *explained_obstacles(struct arena *arena, const struct explanation *of);

/* A user's name for bindings: "NAMESPACE/NAME", "KIND/NAME" or "NAME", of the workload or
 * binding. */
struct explain_question {
    const char *text;
    const char *namespace_; /* not NULL: `text` has no namespace */
};
/* Writes the indices of the matching bindings to `ret`, which holds fleet->n_bindings. False with
 * NOT_FOUND, which lists similar names: nothing or too much matches. */
bool explain_find(const struct fleet *fleet, const struct explain_question *question, uint32_t *ret,
                  uint32_t *ret_count, struct error *err);

#endif
