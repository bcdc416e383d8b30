/* SPDX-License-Identifier: Apache-2.0
 *
 * What a judge knows of a world: read from its JSON by rules of its own, written
 * after DESIGN.md, docs/dev/decisions.md, docs/dev/findings.md and docs/dev/failover.md. It
 * shares no code with the program. Where those leave open what holds, a fact is
 * "unknown", and the invariants say nothing.
 */
#ifndef BALLAST_WORLDS_FACTS_H
#define BALLAST_WORLDS_FACTS_H

#include "run.h"

#define NAMES_MAX 10 /* clusters, and names of those that are gone */
#define NODES_MAX 24
#define PODS_MAX 512
#define OBJECTS_MAX 1024

enum health {
    HEALTH_READY,
    HEALTH_NOT_READY,
    HEALTH_UNREACHABLE,
    HEALTH_UNSAID,
    HEALTH_UNTOLD /* not ready, but its pods are seen to be */
};

struct cluster_facts {
    const char *name;
    const json_t *json; /* NULL: there is no Cluster of that name */
    bool deleting;
    enum health health;
    int64_t age; /* of that, in seconds; INT64_MAX: since ever */
    bool has_pods, has_nodes, has_deployments, has_sets, has_answers;
};

/* Whose business a target in a lost cluster is. */
enum turn { TURN_WELL, TURN_OURS, TURN_GUARD, TURN_TOLERATED, TURN_KARMADAS, TURN_SWITCHED_OFF };

struct target_facts {
    bool assigned;
    int before, after;
    bool stays; /* has an entry in the split after */
    bool lost;  /* the cluster cannot keep what is there */
    bool fit;   /* a newcomer passes the filters */
    bool brief; /* a toleration ends before what comes may be moved again */
    bool in_affinity;
    bool overridden /* or scaled there */, suspended, evicting;
    enum turn turn;
    bool refused;  /* no longer chosen: by affinity (of several terms, any), spread field or task */
    bool seen;     /* the pods are known */
    bool unknown;  /* neither they nor a status are */
    bool finished; /* it has run to its end there */
    int pods;      /* neither finished nor terminating */
    int ready;     /* of them; from the status where the pods are not known */
    int doubtful;  /* of them, those that may be ready only between two restarts */
    int stuck;     /* of them, past the threshold, at most */
    int failing;   /* likewise */
    int outdated;  /* of them, of an earlier version and not ready */
};

struct binding_facts {
    const json_t *json, *placement, *item, *patch;
    const json_t *note; /* a patch that notes that Karmada evicts, whatever else is in it */
    const char *name, *namespace_;
    bool divided, is_workload, is_set, fresh, asks_failover; /* a set: of components, undivided */
    bool overflows;         /* needs room: overflow affinities count */
    bool scaled;            /* a member scales it: only what is lost moves, as a whole */
    bool only_lost;         /* that, or a Job */
    bool whole;             /* divided, and each target moves as a whole */
    const char *left_alone; /* why it must not be touched; "" */
    int replicas, sum_before, sum_after;
    int64_t asked_at; /* of a reschedule; INT64_MIN: never */
    int64_t cpu;
    bool changed;
    struct target_facts targets[NAMES_MAX];
};

struct pod_facts {
    int cluster, binding; /* -1: of nobody's */
    const json_t *json;
    bool finished, failed, terminating, ready, current;
    bool unread;                    /* it is malformed */
    bool doubtful;                  /* it says that it is ready, and may be between two restarts */
    int64_t stuck_for, failing_for; /* -1: not */
    int64_t cpu;                    /* as Karmada counts it */
    int64_t on_node;                /* as kube-scheduler does */
};

/* An object, and what it is known by. */
struct object_facts {
    const json_t *json;
    const char *kind, *namespace_, *name, *member; /* member "": of the control plane */
};

struct facts {
    const struct world *world;
    const struct run *run;
    int64_t now;
    int n_names; /* the clusters first, then the ghosts */
    int n_clusters, n_bindings, n_pods;
    struct cluster_facts clusters[NAMES_MAX];
    struct binding_facts bindings[BINDINGS_READ];
    struct pod_facts pods[PODS_MAX];
    int n_objects;
    struct object_facts objects[OBJECTS_MAX];
    /* of the configuration */
    bool evicts, has_pods, has_nodes, has_estimator, pods_first, guarded, all_guarded,
        guard_unknown;
    bool balances, moves_running;
    int64_t unschedulable, failed, unhealthy, stabilization, cooldown;
};

void facts_read(struct facts *facts, const struct world *world, const struct run *run,
                int64_t later);

/* --- the parts --- */

void read_objects(struct facts *facts);
int find_name(const struct facts *facts, const char *name);
bool trigger_is_on(const struct facts *facts, const char *type);
bool affinity_matches(const json_t *affinity, const json_t *cluster);
/* A term, its overflow tiers included where those count. */
bool term_matches(const json_t *term, const json_t *cluster, bool with_overflow);
bool placement_matches(const json_t *placement, const json_t *cluster, bool with_overflow);
bool every_term_matches(const json_t *placement, const json_t *cluster, bool with_overflow);
bool label_selector_takes(const json_t *selector, const json_t *labels);
/* It selects what is to come of the workload: with the labels that its controller gives. */
bool takes_replica(const json_t *selector, const json_t *workload);
bool replica_has(const json_t *workload, const char *key);
/* A replica has the value that is there of a label (NULL: none), or may have: of those that nobody
 * knows beforehand. Or it has no such label itself. */
bool replica_is_alike(const json_t *workload, const char *key, const char *there);
/* It has another value than that is there, or no such label itself. */
bool replica_is_other(const json_t *workload, const char *key, const char *there);
/* No two replicas have the same value. */
bool replicas_differ(const json_t *workload, const char *key);
bool tolerates(const json_t *toleration, const json_t *taint);
const json_t *find_toleration(const json_t *tolerations, const json_t *taint);
/* A taint without a toleration that keeps newcomers away. */
bool has_untolerated_taint(const json_t *cluster, const json_t *tolerations);
/* A NoExecute taint drives away what runs: at once, or because a toleration is over. */
bool is_driven_away(const json_t *cluster, const json_t *tolerations, int64_t now);
bool drives_away(const struct cluster_facts *cluster, const json_t *tolerations, int64_t now);
bool is_seen_running(const json_t *objects, const char *member);
bool has_no_execute(const json_t *cluster);
void read_clusters(struct facts *facts);
void read_guard(struct facts *facts);
void read_pods(struct facts *facts);
void read_binding(struct facts *facts, int index);
/* It is what the binding propagates, in a member. A ReplicaSet that something controls is not. */
bool is_workload_of(const struct object_facts *object, const json_t *binding);
/* The resource template that the binding binds; NULL: the world has none. */
const json_t *find_workload_of(const struct facts *facts, const json_t *binding);
const char *why_left_alone(const struct facts *facts, const json_t *binding);
/* Several components, or one whose replicas stand nowhere else: copied whole, never in part. */
bool is_set_of_components(const json_t *binding);
bool is_overridden(const struct facts *facts, const json_t *binding, const json_t *cluster);
/* By an autoscaler of that member; of the control plane's own: "". */
bool is_scaled_by_members(const struct facts *facts, const json_t *binding);
bool is_known_to_divide(const struct facts *facts, const json_t *binding);
bool has_ended(const json_t *binding, const json_t *status);
bool has_ended_in(const struct facts *facts, const json_t *binding, const char *cluster);
/* A Job whose part there, a target's, can take no more replicas. */
bool is_job_fixed_in(const struct facts *facts, const json_t *binding, const char *cluster);
/* Up to how many nodes an autoscaler may bring a cluster, by the configuration; 0: none does. */
int most_nodes(const json_t *config, const json_t *cluster);
bool may_grow(const struct facts *facts, int cluster);
bool is_foreign_in(const struct facts *facts, const json_t *binding, const char *member);
bool is_scaled_in(const struct facts *facts, const json_t *binding, const char *member);
/* What a pod takes on its node as kube-scheduler counts it, also while it is resized. */
int64_t cpu_on_node(const json_t *pod);

#endif
