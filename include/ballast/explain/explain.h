/* SPDX-License-Identifier: Apache-2.0
 *
 * Why one binding is as it is, and what a run would do about it: what a plan
 * knows of it, put together for people. Nothing here decides, or works out anew
 * what the planner did: it is read off the diagnosis, the decision and what the
 * planner told while it made it.
 *
 * An explanation is a value of its own. Its texts and lists live in the arena it
 * was made in, or in the fleet that it is of, and nothing else is needed to
 * print it. Times are nanoseconds since the epoch, TIME_NONE where there is none.
 * A text that is absent is "". What comes from the fleet is as it was read: who
 * prints it has to make it safe.
 */
#ifndef BALLAST_EXPLAIN_EXPLAIN_H
#define BALLAST_EXPLAIN_EXPLAIN_H

#include "ballast/base/arena.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/plan/plan.h"
#include "ballast/plan/trace.h"

#define EXPLAIN_UNKNOWN (-1) /* a count that nobody told */

/* Who owns it, and whether anything is automatic for it. */
struct explained_owner {
    const char *policy_kind;      /* "PropagationPolicy", "ClusterPropagationPolicy"; KubeFed's
                                     "ReplicaSchedulingPreference" */
    const char *policy_namespace; /* "": it has none, or nobody says it */
    const char *policy;           /* its name, "": nobody says it */
    const char *policy_id;        /* its permanent id, where the labels have that */
    bool is_scheduled;            /* karmada-scheduler (KubeFed) takes it for its own */
    const char *scheduler;        /* the scheduler's name */
    const char *division;         /* "divided by dynamic weight" */
    const char *affinity;         /* the affinity term in use */
    const char *preference; /* whose wishes divide it: "ReplicaSchedulingPreference shop/web" */
    const char *opt_out;    /* the value of ballast.io/deschedule */
    const char *cluster_failover;      /* whose turn it is where a cluster is lost, in words */
    const char *application_failover;  /* likewise where the workload is not healthy */
    const char *const *replica_owners; /* autoscalers and overrides that set its replicas */
    uint32_t n_replica_owners;
    int32_t priority;
    enum left_alone left_alone;    /* LEFT_ALONE_NOT: Ballast looks after it */
    const char *left_alone_reason; /* also why only what is lost moves; "" */
    bool only_lost;                /* of it only what is lost may move */
};

/* Whether a finding makes a run act. */
enum explained_standing {
    EXPLAINED_TRIGGERS,
    EXPLAINED_REPORTED, /* it does not */
    EXPLAINED_PENDING,  /* not yet: it has to last for longer */
};
/* "triggers", "reported", "pending" */
const char *explained_standing_name(enum explained_standing standing);

struct explained_finding {
    enum finding_type type;
    const char *cluster; /* "" of the whole binding */
    int32_t replicas;
    int64_t since;
    const char *message;
    enum explained_standing standing;
    const char *why_not; /* why it does not make a run act */
    int64_t counts_at;   /* when it will count, if it lasts; of one that is pending */
};

struct explained_cluster {
    const char *name;
    bool exists;    /* there is a Cluster of that name; else only what it has is known */
    bool is_target; /* it is in spec.clusters */
    bool is_target_after;
    int32_t assigned, after; /* replicas; 0 of no target */
    int32_t seen, ready;     /* pods in the member; EXPLAIN_UNKNOWN */
    int32_t stuck;           /* of them, unschedulable or failing past the threshold */
    int32_t leaving;         /* replicas that should go somewhere else */

    enum cluster_standing standing;
    const char *health; /* why it does not stand well */

    enum filter_verdict verdict;
    const char *filter;        /* the name of the filter that refuses it; "" where it passes */
    const char *filter_reason; /* its text */

    const char *code;    /* why it gets no more than it does; "" where nothing is in the way */
    const char *message; /* the same as a sentence */

    int32_t room;            /* replicas (of a set: sets) that fit; INT32_MAX: not bounded */
    const char *room_source; /* whose word that is */
    struct room_bound bound; /* and what bounds it */
    const char *wish;        /* what a preference or a weight list says of it: "weight 2" */
    int64_t cools_until;     /* none go back there before */
};

/* What keeps it from more, in a word: the filter's name, else the code; "" nothing. */
const char *explained_obstacle(const struct explained_cluster *cluster);

/* What was tried, one after the other. */
struct explained_attempt {
    const char *step;
    const char *assumes;
    struct target_list after;
    int32_t unplaced;
    const char *error_type, *error_message;
    const char *refusal; /* why it was not enough; "": it was */
    bool is_chosen;      /* the decision follows it */
};

/* An earlier move, the latest first. */
struct explained_move {
    int64_t time;
    struct target_list from, to; /* `to` is empty of mode Evict: the scheduler chose */
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
    bool has_replicas; /* else targets have it or not, and counts of replicas say nothing */
    bool is_divided;   /* each target has a part of them */
    bool is_set;       /* of components: `room` counts sets */

    /* the verdict: what is the matter, and why, a sentence each without a full stop */
    const char *headline;
    const char *because;

    int32_t wanted;   /* spec.replicas */
    int64_t assigned; /* the sum of spec.clusters, and of what it is to be */
    int64_t after;
    int64_t ready;       /* as far as known */
    bool ready_is_known; /* by all of its targets */
    int64_t stuck;       /* not running and past the threshold */

    struct explained_owner owner;
    const struct explained_finding *findings;
    uint32_t n_findings;
    const struct explained_cluster *clusters; /* every one, by name */
    uint32_t n_clusters;
    const struct explained_attempt *attempts;
    uint32_t n_attempts, n_more_attempts;

    /* the decision */
    enum plan_action action;
    bool changes;
    const char *affinity; /* the term that it is placed by */
    int32_t moved, added, unplaced, deferred;
    const struct reason *reasons;
    uint32_t n_reasons;
    const char *error_type, *error_message;

    /* history */
    const struct explained_move *moves;
    uint32_t n_moves;
    int32_t
        attempt; /* moves in a row, the last one included, that did not help but for the first */
    const char *history_problem; /* why the record cannot be read */
    const struct explained_eviction *evictions;
    uint32_t n_evictions;
};

/* What an explanation is made from: one plan, with what led to it. The binding was asked about
 * (plan_trace_ask) before the plan was made. */
struct explain_subject {
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct policy *policy;
    const struct plan *plan;
    const struct plan_trace *trace;
};

/* Of the binding at an index of the fleet's, in `arena`. */
const struct explanation *explain(struct arena *arena, const struct explain_subject *of,
                                  uint32_t index);

/* What is asked about: "NAMESPACE/NAME", "KIND/NAME" or "NAME", of a workload or its binding. */
struct explain_question {
    const char *text;
    const char *namespace_; /* then the text names a kind, or none; NULL: any */
};
/* Writes the bindings that are meant to `ret` (room for `fleet->n_bindings`). ERROR_NOT_FOUND names
 * the nearest ones, or says that too many are meant. */
bool explain_find(const struct fleet *fleet, const struct explain_question *question, uint32_t *ret,
                  uint32_t *ret_count, struct error *err);

#endif
