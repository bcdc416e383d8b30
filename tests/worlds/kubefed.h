/* SPDX-License-Identifier: Apache-2.0
 *
 * Worlds of KubeFed: one in four. The objects of a host in place of Karmada's,
 * and a judge of their own, for what is written there is two objects. It shares
 * no code with the program, either.
 */
#ifndef BALLAST_WORLDS_KUBEFED_H
#define BALLAST_WORLDS_KUBEFED_H

#include "story.h"

#define CONTROL_NAMESPACE "kube-federation-system"
#define REPLICAS_PATH "/spec/replicas"
#define PREFERENCE_KIND "ReplicaSchedulingPreference"

/* --- the generator --- */

void kubefed_generate_config(struct gen *gen);
void kubefed_generate_host(struct gen *gen, bool is_namespaced);
/* Federated objects with their preferences, and what members show of them. */
void kubefed_generate_object(struct gen *gen, int index, bool is_namespaced);
/* Labels of nodes say where their clusters are. */
void kubefed_put_regions(struct gen *gen);
/* [{"name": ...}] */
json_t *kubefed_names(struct gen *gen, int share);

/* --- the judge --- */

/* A federated object before and after a run, and what is with it. */
struct fed_object {
    const json_t *before, *after;                /* the same where nothing was written */
    const json_t *preference, *preference_after; /* NULL: there is none for it */
    const char *kind, *namespace_, *name;
    const json_t *bounds; /* the placement of its namespace; NULL: it has none, or needs none */
    bool is_namespaced;   /* by the scope of the configuration */
};

struct fed_facts {
    const struct world *world;
    const struct run *run;
    const json_t *after; /* all objects as they are after the run */
    int64_t now, stabilization, unhealthy;
    const char *failover; /* Keep, Zero, Remove */
    bool stale;           /* nobody has probed any cluster for long */
};

/* FED_SEEN_RUNNING: it is not Ready, and its pods are seen to be. */
enum fed_health { FED_READY, FED_SETTLING, FED_SEEN_RUNNING, FED_DOWN, FED_DELETED, FED_GONE };

const json_t *fed_find(const json_t *objects, const char *kind, const char *namespace_,
                       const char *name);
bool fed_is_federated(const json_t *object);
/* An object of a member; "": of the host. */
const char *fed_member_of(const json_t *object);
bool fed_is_stale(const struct fed_facts *facts);
/* KubeFed's own scheduler writes: 1; it does not: 0; the specification leaves it open: -1. */
int fed_scheduler_is_on(const struct fed_facts *facts);
enum fed_health fed_health(const struct fed_facts *facts, const char *name);
bool fed_selects(const struct fed_facts *facts, const json_t *placement, const char *cluster);
/* What is told to the cluster; -1: it is not placed there. */
int64_t fed_number(const struct fed_facts *facts, const json_t *object, const char *cluster);
/* By its name or by "*". */
bool fed_has_entry(const json_t *preference, const char *cluster);
/* The last that an override says of the replicas there it says with all of spec. */
bool fed_is_whole(const json_t *object, const char *cluster);
bool fed_failed_in(const json_t *object, const char *cluster);
/* A member's own autoscaler, or the label of the workload there, decides about its replicas. */
bool fed_is_scaled_in(const struct fed_facts *facts, const struct fed_object *object,
                      const char *cluster);
/* In a member where it is: elsewhere one scales something else. */
bool fed_is_scaled(const struct fed_facts *facts, const struct fed_object *object);
/* Pods of it, those that are ready or all that are not finished; -1: nobody looked into the member.
 */
int64_t fed_pods(const struct fed_facts *facts, const struct fed_object *object,
                 const char *cluster, bool only_ready);
/* A pod of it may be between two restarts: ready, as it says, or not. */
bool fed_is_doubtful(const struct fed_facts *facts, const struct fed_object *object,
                     const char *cluster);
/* Why it must not be written; "" */
const char *fed_left_alone(const struct fed_facts *facts, const struct fed_object *object);
/* What one more of it asks for, in thousandths of a core. */
int64_t fed_cpu(const json_t *object);
/* How many of it the nodes of a member hold beside what is there; -1: nodes are not known. */
int64_t fed_room(const struct fed_facts *facts, const json_t *object, const char *cluster);
bool fed_may_grow(const struct fed_facts *facts, const char *cluster);
/* What is free in a member at most, of cpu in thousandths and of pods; false: nodes not known. */
bool fed_free(const struct fed_facts *facts, const char *cluster, int64_t *ret_cpu,
              int64_t *ret_pods);

void kubefed_judge_writes(struct judge *judge, const struct fed_facts *facts,
                          const struct fed_object *object);
void kubefed_judge_moves(struct judge *judge, const struct fed_facts *facts,
                         const struct fed_object *object);
void kubefed_judge_unplaced(struct judge *judge, const struct fed_facts *facts,
                            const struct fed_object *object);
void kubefed_judge_room(struct judge *judge, const struct fed_facts *facts);
/* Of one object of the world. */
struct fed_object fed_object_of(const struct fed_facts *facts, const json_t *json);
void fed_fail(struct judge *judge, enum invariant invariant, const struct fed_facts *facts,
              const struct fed_object *object, const char *cluster, const char *text);
/* Every name that the world knows: [name, ...]. */
json_t *fed_cluster_names(const struct fed_facts *facts, const struct fed_object *object);

/* What a run wrote, in the world. */
void kubefed_write(struct judge *judge, struct world *world, const struct run *run);

void kubefed_check_world(const struct world *world, uint64_t seed, struct judge *judge);

#endif
