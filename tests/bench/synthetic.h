/* SPDX-License-Identifier: Apache-2.0
 *
 * Synthetic fleets of any size from a seed, written as a fleet directory the
 * way API servers answer lists: compact JSON, about 3.5 KB a binding.
 */
#ifndef BALLAST_BENCH_SYNTHETIC_H
#define BALLAST_BENCH_SYNTHETIC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SYNTHETIC_NAMESPACES 200 /* team-000, ...: of bindings in turn */

struct synthetic {
    uint64_t seed;
    uint32_t bindings;
    uint32_t clusters;
    bool pods;         /* the members' workloads and pods as well, a few percent of them stuck */
    uint32_t replicas; /* of a binding in a cluster at most; 0: 8 */
    uint32_t nodes;    /* of each member; 0: pods name 40, and none is shown */
    bool is_lean;      /* pods without managedFields, half as large */
    bool is_tied;      /* pod templates are known: replicas keep apart, and spread over zones */
    uint32_t latest;   /* pods of each member that are nobody's, on as many of its nodes */
    bool is_awaited;   /* which are kept free for them: they are not there yet */
};

/* Whether nobody can reach it. */
bool synthetic_is_lost(const struct synthetic *fleet, uint32_t cluster);

/* Writes DIR/control-plane/ and, with pods, DIR/members/; the directory must exist. false when a
 * file cannot be written. */
bool synthetic_write(const struct synthetic *fleet, const char *directory);

/* --- the lists of a fleet, each by itself --- */

void synthetic_write_clusters(const struct synthetic *fleet, FILE *file);
void synthetic_write_bindings(const struct synthetic *fleet, FILE *file);

/* What clusters have of bindings: those of cluster i begin at all[begin[i]] and end before
 * all[begin[i + 1]]. */
struct synthetic_target {
    uint32_t binding, replicas, stuck;
};
struct synthetic_targets {
    struct synthetic_target *all;
    uint32_t *begin;
};

struct synthetic_targets synthetic_targets_find(const struct synthetic *fleet);
void synthetic_targets_free(struct synthetic_targets *targets);

/* In the order of their files' names. */
enum synthetic_list {
    SYNTHETIC_DEPLOYMENTS,
    SYNTHETIC_NODES,
    SYNTHETIC_PODS,
    SYNTHETIC_REPLICA_SETS,
    N_SYNTHETIC_LISTS
};

const char *synthetic_list_file(enum synthetic_list list); /* "pods.json" */
bool synthetic_has_list(const struct synthetic *fleet, enum synthetic_list list);
/* One of a cluster's lists, whole. */
void synthetic_write_list(const struct synthetic *fleet, const struct synthetic_targets *targets,
                          uint32_t cluster, enum synthetic_list list, FILE *file);

/* What stands before the items of one of these lists, with its metadata still open. */
void synthetic_begin_page(enum synthetic_list list, FILE *file);

/* Begins a list of objects in DIR/NAME, NULL when it cannot be written; ends it. */
FILE *synthetic_open_list(const char *directory, const char *name, const char *api_version,
                          const char *kind);
bool synthetic_close_list(FILE *file);

#endif
