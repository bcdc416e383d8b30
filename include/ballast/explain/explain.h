/* SPDX-License-Identifier: Apache-2.0
 *
 * Explains for people why one binding is as it is, and what a run would do about it. Nothing here
 * decides, or works out the planner's reasons again: an explanation is read off the diagnosis, the
 * decision and the planner's trace.
 *
 * An explanation is a value of its own. Its texts and lists live in the arena it was made in, or in
 * the fleet, and nothing else is needed to print it. Times are nanoseconds since the epoch,
 * TIME_NONE where there is none. A text that is absent is "". Texts of the fleet are as they were
 * read: whoever prints them has to make them safe.
 */
#ifndef BALLAST_EXPLAIN_EXPLAIN_H
#define BALLAST_EXPLAIN_EXPLAIN_H

#include "ballast/base/arena.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/plan/plan.h"
#include "ballast/plan/trace.h"

#define EXPLAIN_UNKNOWN (-1) /* a count that is not known */

/* The owners of a binding, and who acts on it automatically. */
struct explained_owner {
    const char *policy_kind;           /* "PropagationPolicy", "ClusterPropagationPolicy"; KubeFed's
                                          "ReplicaSchedulingPreference" */
    const char *policy_namespace;      /* "": none, or not known */
    const char *policy;                /* its name; "": not known */
    const char *policy_id;             /* its permanent id, if the labels have it */
    bool is_scheduled;                 /* karmada-scheduler (KubeFed) places it */
    const char *scheduler;             /* the scheduler's name */
    const char *division;              /* "divided by dynamic weight" */
    const char *affinity;              /* the affinity term in use */
    const char *preference;            /* the one in use: "ReplicaSchedulingPreference shop/web" */
    const char *opt_out;               /* the value of ballast.io/deschedule */
    const char *cluster_failover;      /* who acts when a cluster is lost, in words */
    const char *application_failover;  /* who acts when the workload is not healthy */
    const char *const *replica_owners; /* autoscalers and overrides that set its replicas */
    uint32_t n_replica_owners;
    int32_t priority;
    enum left_alone left_alone;    /* LEFT_ALONE_NOT: Ballast looks after it */
    const char *left_alone_reason; /* also why only lost replicas move; "" */
    bool only_lost;                /* only lost replicas of it may move */
};

/* Whether a finding makes a run act. */
enum explained_standing {
    EXPLAINED_TRIGGERS,
    EXPLAINED_REPORTED, /* it does not make a run act */
    EXPLAINED_PENDING,  /* it will, if it lasts for longer */
};
/* Returns the name of a standing: "triggers", "reported", "pending". */
const char *explained_standing_name(enum explained_standing standing);

struct explained_finding {
    enum finding_type type;
    const char *cluster; /* "": of the whole binding */
    int32_t replicas;
    int64_t since;
    const char *message;
    enum explained_standing standing;
    const char *why_not; /* why it does not make a run act */
    int64_t counts_at;   /* of a pending one: when it will trigger, if it lasts */
};

struct explained_cluster {
    const char *name;
    bool exists;    /* there is a Cluster of that name */
    bool is_target; /* it is in spec.clusters */
    bool is_target_after;
    int32_t assigned, after; /* replicas; 0 where it is no target */
    int32_t seen, ready;     /* pods in the member; EXPLAIN_UNKNOWN */
    int32_t stuck;           /* pods that are unschedulable or fail past the threshold */
    int32_t leaving;         /* replicas that should go somewhere else */

    enum cluster_standing standing;
    const char *health; /* why the cluster stands so; "": it stands well */

    enum filter_verdict verdict;
    const char *filter;        /* the filter that refuses it; "": it passes */
    const char *filter_reason; /* the filter's text */

    const char *code;    /* why it gets no more replicas; "": nothing is in the way */
    const char *message; /* `code` as a sentence */

    int32_t room;            /* replicas (of a set: sets) that fit; INT32_MAX: no bound */
    const char *room_source; /* the source of `room` */
    struct room_bound bound; /* what bounds `room` */
    const char *wish;        /* the cluster's part of a preference or weight list: "weight 2" */
    int64_t cools_until;     /* no replicas go back there before */
};

/* Returns what keeps a cluster from more replicas: the name of the filter, else the code; "":
 * nothing. */
const char *explained_obstacle(const struct explained_cluster *cluster);

/* One attempt of the planner; the attempts are in their order. */
struct explained_attempt {
    const char *step;
    const char *assumes;
    struct target_list after;
    int32_t unplaced;
    const char *error_type, *error_message;
    const char *refusal; /* why it was not enough; "": it was enough */
    bool is_chosen;      /* the decision follows it */
};

/* An earlier move; the latest comes first. */
struct explained_move {
    int64_t time;
    struct target_list from, to; /* `to` is empty in mode Evict: the scheduler chose */
    const char *reason;
};

/* A graceful eviction task in flight. */
struct explained_eviction {
    const char *cluster;
    const char *reason, *producer, *purge_mode;
    int64_t since;
};

struct explanation {
    /* the binding and its workload */
    const char *kind, *namespace_, *name;
    struct object_reference resource;
    bool has_replicas; /* false: counts of replicas mean nothing, only the targets do */
    bool is_divided;   /* each target has a part of the replicas */
    bool is_set;       /* a set of components: `room` counts sets */

    /* the verdict: the problem, and its reason, each a sentence without a full stop */
    const char *headline;
    const char *because;

    int32_t wanted;   /* spec.replicas */
    int64_t assigned; /* the sum of spec.clusters; `after`: with the decision */
    int64_t after;
    int64_t ready;       /* ready replicas of targets where they are known */
    bool ready_is_known; /* they are known of all targets */
    int64_t stuck;       /* not running and past the threshold */

    struct explained_owner owner;
    const struct explained_finding *findings;
    uint32_t n_findings;
    const struct explained_cluster *clusters; /* all clusters, by name */
    uint32_t n_clusters;
    const struct explained_attempt *attempts;
    uint32_t n_attempts, n_more_attempts;

    /* the decision */
    enum plan_action action;
    bool changes;
    const char *affinity; /* the affinity term that the decision uses */
    int32_t moved, added, unplaced, deferred;
    const struct reason *reasons;
    uint32_t n_reasons;
    const char *error_type, *error_message;

    /* history */
    const struct explained_move *moves;
    uint32_t n_moves;
    int32_t attempt;             /* of the history: moves in a row that followed an unhelpful one */
    const char *history_problem; /* why the history cannot be read */
    const struct explained_eviction *evictions;
    uint32_t n_evictions;
};

/* The source of an explanation: one plan, and all that led to it. plan_trace_ask was called about
 * the binding before the plan was made. */
struct explain_subject {
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct policy *policy;
    const struct plan *plan;
    const struct plan_trace *trace;
};

/* Returns the explanation of the binding at `index` of the fleet, in `arena`. */
const struct explanation *explain(struct arena *arena, const struct explain_subject *of,
                                  uint32_t index);

/* The binding that is asked about: "NAMESPACE/NAME", "KIND/NAME" or "NAME", of a workload or its
 * binding. */
struct explain_question {
    const char *text;
    const char *namespace_; /* if not NULL, the text has no namespace; NULL: any */
};
/* Writes the indices of the bindings that a question means to `ret` (room for fleet->n_bindings).
 * False with NOT_FOUND, which names near ones, or says that too many are meant. */
bool explain_find(const struct fleet *fleet, const struct explain_question *question, uint32_t *ret,
                  uint32_t *ret_count, struct error *err);

#endif
