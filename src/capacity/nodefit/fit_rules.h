/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules by which a node refuses a replica. Each has a file; pod_fit.c lists them.
 */
#ifndef BALLAST_CAPACITY_FIT_RULES_H
#define BALLAST_CAPACITY_FIT_RULES_H

#include "ballast/base/arena.h"
#include "ballast/model/member.h"
#include "ballast/model/placement.h"

/* A pod on a node, present or placed by this run. */
struct fit_pod {
    uint32_t node;
    bool is_leaving;
    bool is_nominated; /* not there yet; a node is kept free for it */
    uint32_t alike;    /* shared by pods with equal namespace and labels */
    const char *namespace_;
    const struct label_list *labels;
    const struct pod_affinity *affinity; /* NULL: none */
    bool is_costly;                      /* too many terms to look at: it keeps every pod away */
    const struct host_port_list *ports;
    const struct pod_volumes *volumes; /* NULL: none */
    int32_t priority;
    const struct pod_fit_taking *taking; /* of this run; NULL: not placed by it */
    const char *workload;                /* of this run; NULL: not placed by it */
};

#define DOMAIN_NONE UINT32_MAX

/* Nodes with equal values of a topology key are a domain. */
struct fit_domains {
    uint32_t *of; /* by node; DOMAIN_NONE: it lacks the label */
    uint32_t count;
};

struct fit_key {
    const char *key;
    struct fit_domains domains;
    struct fit_key *next;
};

/* The placing of replicas of one template. */
struct fit_run {
    struct arena *arena; /* of this placing */
    struct arena *kept;  /* of the member's domains */
    const struct member *member;
    const struct fit_pod *pods;
    size_t n_pods;
    uint32_t n_alike;                        /* numbers used for fit_pod.alike */
    struct fit_key **keys;                   /* list of the keys in use */
    const struct requirements *requirements; /* has a template */
};

/* Returns the domains of a topology key among the member's nodes, computed once per member. */
const struct fit_domains *fit_run_domains(const struct fit_run *run, const char *key);
/* Returns answers by fit_pod.alike, in the arena of the placing. 0: unknown; 1: yes; -1: no. */
signed char *fit_run_answers(const struct fit_run *run);
/* True if this run placed the pod as a replica of the template being placed. */
bool fit_run_has_replica(const struct fit_run *run, const struct fit_pod *pod);

struct fit_rule {
    const char *plugin; /* kube-scheduler's name */
    /* Returns the state before the first replica; NULL: the rule never refuses this template. */
    void *(*open)(const struct fit_run *run);
    bool (*refuses)(const void *state, const struct fit_run *run, uint32_t node);
    /* Counts one more replica on the node. */
    void (*place)(void *state, const struct fit_run *run, uint32_t node);
};

extern const struct fit_rule fit_node_ports, fit_volume_restrictions, fit_volume_zone,
    fit_node_volume_limits, fit_volume_binding, fit_inter_pod_affinity, fit_pod_topology_spread;

#endif
