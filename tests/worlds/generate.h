/* SPDX-License-Identifier: Apache-2.0
 *
 * A random world: the objects of a small fleet and a configuration, all as
 * JSON. Every field that the program decodes is varied (fields.c says where).
 * Worlds have themes, so that what belongs together meets often enough.
 */
#ifndef BALLAST_WORLDS_GENERATE_H
#define BALLAST_WORLDS_GENERATE_H

#include "json.h"
#include "random.h"

#define WORLD_NOW INT64_C(1772366400) /* 2026-03-01T12:00:00Z */
#define CLUSTERS_MAX 6
#define BINDINGS_MAX 6
#define BINDINGS_READ (BINDINGS_MAX + 1) /* with the one that is divided anew in parts */

/* What a run is given; everything is owned. */
struct world {
    json_t *objects;  /* of the control plane and, marked, of members */
    json_t *config;   /* a BallastConfiguration */
    json_t *expected; /* of a drill, what is right for it (drills.h); NULL: it is none */
    bool reschedule_all;
    bool is_kubefed;   /* its control plane is KubeFed's, */
    bool as_karmada08; /* the scheduler of Karmada 0.8 decides */
    bool takeover;     /* and it is written although KubeFed's own scheduler writes, too */
};

#define KUBEFED_EVERY 4 /* of so many worlds one is KubeFed's */

void world_generate(struct world *world, uint64_t seed);
void world_free(struct world *world);
struct world world_copy(const struct world *world);

/* --- what the generator's files share --- */

enum theme {
    THEME_OVERFLOW,
    THEME_TAINTS,
    THEME_LOST,
    THEME_SCALE,
    THEME_RESCHEDULE,
    THEME_MEMORY,
    THEME_STUCK,
    THEME_FAILED,
    THEME_FULL,
    THEME_QUOTA,
    THEME_PREFERENCE,
    THEME_MATES,
    THEME_SPREAD,
    THEME_SOURCES,
    THEME_POLICY,
    THEME_BALANCE,
    THEME_TIES,
    THEME_ODD,
    N_THEMES
};

struct gen_cluster {
    char name[16];
    bool ready; /* for long */
    bool sees_pods, sees_nodes, sees_replica_sets, sees_workloads;
    int n_nodes;
};

struct gen {
    struct random random;
    unsigned themes;
    bool is_old_server; /* policies have names, and no permanent ids yet */
    bool marks_managed; /* Karmada labels what it makes in members */
    int n_clusters, n_bindings;
    struct gen_cluster clusters[CLUSTERS_MAX];
    json_t *objects;
    json_t *config;
    json_t *expected;
};

/* The percentages of worlds with the theme and of others. */
bool chance(struct gen *gen, enum theme theme, int with, int without);
bool percent(struct gen *gen, int share);
int below(struct gen *gen, int bound);
int between(struct gen *gen, int low, int high);
const char *pick_text(struct gen *gen, const char *const *texts);
#define PICK(gen, ...) pick_text(gen, (const char *const[]){__VA_ARGS__, NULL})
json_t *ago(struct gen *gen, int64_t seconds);
/* Somewhere between a few seconds and some hours ago, often near the thresholds. */
json_t *some_time_ago(struct gen *gen);
json_t *cpu_quantity(struct gen *gen, int milli);
void add_object(struct gen *gen, json_t *object);
/* A random subset of the clusters' names. */
json_t *some_clusters(struct gen *gen, int share);
json_t *some_requirement(struct gen *gen, const char *key, const char *a, const char *b);

const char *binding_namespace(int index);
void generate_config(struct gen *gen);
/* Nodes that an autoscaler may add, in the configuration: by dice of its own. */
void generate_growth(const struct gen *gen);
json_t *preference_clusters(struct gen *gen);
void generate_cluster(struct gen *gen, int index);
void generate_nodes(struct gen *gen, int index);
void generate_binding(struct gen *gen, int index);
/* One whose reschedule goes in parts, and a limit that has it so: by dice of its own. */
void generate_binding_in_parts(const struct gen *gen, bool is_for_placement);
void generate_others(struct gen *gen);
void generate_answers(struct gen *gen, int index);
/* What they say about the sets of components that bindings have by now. */
void generate_set_answers(struct gen *gen);
json_t *generate_affinity(struct gen *gen, const json_t *names);
json_t *generate_placement(struct gen *gen, const json_t *targets);
json_t *generate_tolerations(struct gen *gen);
json_t *generate_requirements(struct gen *gen);
/* In a PodSpec; `share` of a hundred have some. */
void generate_pod_affinity(struct gen *gen, json_t *spec, const char *kind, int share);
/* A sidecar, and cpu of the pod as a whole: what templates may have. */
/* Pods that need devices (dynamic resource allocation). */
void generate_device_claim(struct gen *gen, json_t *spec, int share);
void generate_stay_and_whole(struct gen *gen, json_t *spec, int share);
void generate_host_port(struct gen *gen, json_t *spec, int share);
void generate_volume(struct gen *gen, json_t *spec, int share);
/* Of a volume, or of a PersistentVolume's spec: one of a plugin that a CSI driver has replaced. */
void generate_replaced_disk(struct gen *gen, json_t *source, const char *id);
/* The workload that a binding binds, in the control plane. */
void generate_template(struct gen *gen, const json_t *binding);
void generate_admission(struct gen *gen, int index);
void generate_volumes(struct gen *gen, int index);
/* What is there by now finds no room but by preempting: by dice of its own. */
void generate_preempting(const struct gen *gen);
/* Once there are workloads. */
void generate_disruptions(struct gen *gen);
void generate_budget(struct gen *gen, int cluster, const char *namespace_, const char *app,
                     const char *name);
/* A binding's workload, with nothing in its template that ties it, so that much of it moves.
 * Karmada has what it asks for from here. */
json_t *generate_plain_template(const json_t *binding);
/* A Deployment with which nothing is wrong but where it is, as the next one of the world's. */
json_t *generate_placed(struct gen *gen, int replicas, json_t *clusters, json_t *scheduling);
/* Plain Deployments that are short of replicas, or lose some: by dice of its own. */
void generate_plain(struct gen *gen);
/* More bindings, which are elsewhere than they are to be, and balance that moves them. */
void generate_balance(struct gen *gen);
/* Likewise by dice of its own, and one that left a cluster which has returned. */
void generate_balance_alone(const struct gen *gen);
json_t *generate_label_selector(struct gen *gen, bool of_clusters);
void generate_foreign(struct gen *gen, const json_t *binding, const json_t *names);
/* generate_job.c: how far a Job of a member is. */
void generate_job_progress(struct gen *gen, json_t *job);
/* What a member shows of a binding that has so many replicas there; returns what is ready. */
int generate_member_workload(struct gen *gen, int cluster, const json_t *binding, int replicas);
json_t *member_object(struct gen *gen, int cluster, const char *api_version, const char *kind,
                      const char *namespace_, const char *name);
json_t *generate_failover(struct gen *gen);
json_t *generate_last_move(struct gen *gen, const json_t *targets);

#endif
