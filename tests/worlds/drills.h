/* SPDX-License-Identifier: Apache-2.0
 *
 * Drills: small fleets with one trouble each, and with the splits that are right
 * for them, worked out here from DESIGN.md and docs/dev/findings.md alone.
 */
#ifndef BALLAST_WORLDS_DRILLS_H
#define BALLAST_WORLDS_DRILLS_H

#include "generate.h"

#define DRILL_EVERY 12 /* of so many worlds one is a drill: those of that remainder */
#define DRILL_OF_THEM 5

void drill_generate(struct gen *gen, struct world *world);

/* --- what its files share --- */

/* Cluster m<number>, ready for long. */
json_t *drill_cluster(struct gen *gen, int number, int cpu, int used);
/* It is not ready since then, and its member is not seen. */
void drill_lose(struct gen *gen, json_t *cluster, int64_t since, const char *reason);
/* Divided, each replica of one CPU, with a policy of its own; it may go to `only`. */
json_t *drill_binding(struct gen *gen, const char *namespace_, const char *name, const char *kind,
                      json_t *only);
/* An empty node of a member. */
void drill_node(struct gen *gen, int number, int index, int cpu);
json_t *drill_names(int first, int second);
void drill_assign(json_t *binding, int number, int replicas, int ready);

enum drill_pod { POD_READY, POD_STUCK, POD_HANGS, POD_UNREADY, POD_CRASHES, POD_PULLS };

/* Pods of a binding in member m<number>. */
struct drill_pods {
    int number, first, count;
    int state;     /* enum drill_pod */
    int64_t since; /* seconds ago */
    int64_t made;
};
void drill_pods(struct gen *gen, const json_t *binding, const struct drill_pods *pods);
/* The workload in the member, which wants so many; a Deployment with its ReplicaSet. */
json_t *drill_workload(struct gen *gen, const json_t *binding, int number, int wanted,
                       int64_t made);

/* {"m<first>": a, "m<second>": b} */
json_t *drill_split(int first, int a, int second, int b);
/* A Deployment that is stuck in full m1, all but `ready` of it. */
json_t *drill_stuck(struct gen *gen, int other, int ready, int stuck);
/* A pod of nobody's, which shows that the member's pods are seen. */
void drill_bystander(struct gen *gen, int number);

#define LONG_AGO 10800
int64_t drill_pick_age(struct gen *gen, const int64_t *ages, int count);
#define PICK_AGE(gen, ...)                                                                         \
    drill_pick_age(gen, (const int64_t[]){__VA_ARGS__},                                            \
                   (int)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))

/* What is right: replicas by cluster. */
void drill_expect(struct gen *gen, const char *binding, const char *why, json_t *clusters);
/* The cluster has more than that. */
void drill_expect_more(struct gen *gen, const char *binding, const char *why, int number, int than);
/* Whether such a finding of it is told. */
void drill_expect_finding(struct gen *gen, const char *binding, const char *type, bool is_told);

void drill_phantom(struct gen *gen);
void drill_ordinals(struct gen *gen);
void drill_barren(struct gen *gen);
void drill_failing(struct gen *gen);
void drill_record(struct gen *gen);
void drill_agent(struct gen *gen);
void drill_cooldown(struct gen *gen);
void drill_guard(struct gen *gen);
void drill_taint(struct gen *gen);
void drill_spread(struct gen *gen);
void drill_copies(struct gen *gen);
void drill_federated(struct gen *gen);
void drill_karmada08(struct gen *gen);
void drill_costly(struct gen *gen);

#endif
