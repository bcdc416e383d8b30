/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules by which a node refuses a replica of a template: a file each, all of
 * them in the table of pod_fit.c.
 */
#ifndef BALLAST_CAPACITY_FIT_RULES_H
#define BALLAST_CAPACITY_FIT_RULES_H

#include "ballast/base/arena.h"
#include "ballast/model/member.h"
#include "ballast/model/placement.h"

/* A pod on a node: it was there, or this run put it there. */
struct fit_pod {
    uint32_t node;
    bool is_leaving;   /* it is being deleted */
    bool is_nominated; /* it is not there, but a node is kept free for it */
    uint32_t alike;    /* a number that pods of one namespace with the same labels share */
    const char *namespace_;
    const struct label_list *labels;
    const struct pod_affinity *affinity; /* NULL: none */
    bool is_costly; /* its terms are more than may be looked at: it keeps all away from it */
    const struct host_port_list *ports;
    const struct pod_volumes *volumes; /* NULL: none */
    int32_t priority;
    const struct pod_fit_taking *taking; /* of this run; NULL: it was there */
    const char *workload;                /* of this run; NULL: it was there */
};

#define DOMAIN_NONE UINT32_MAX

/* The domains of a topology key: nodes that have the same value. */
struct fit_domains {
    uint32_t *of; /* each node; DOMAIN_NONE: it has no such label */
    uint32_t count;
};

struct fit_key {
    const char *key;
    struct fit_domains domains;
    struct fit_key *next;
};

/* Replicas of one template on their way onto nodes. */
struct fit_run {
    struct arena *arena; /* of this run */
    struct arena *kept;  /* of the member's domains */
    const struct member *member;
    const struct fit_pod *pods;
    size_t n_pods;
    uint32_t n_alike;                        /* numbers of pods that are alike */
    struct fit_key **keys;                   /* those that were asked for; NULL: none yet */
    const struct requirements *requirements; /* has a template */
};

/* Returns the domains of a topology key among the member's nodes, worked out once for a member. */
const struct fit_domains *fit_run_domains(const struct fit_run *run, const char *key);
/* Returns an array, in the arena of the run, for answers about pods by their `alike`, so that each
 * is worked out once: 0 is not known yet (at first all are), 1 is yes, -1 is no. */
signed char *fit_run_answers(const struct fit_run *run);
/* True if this run put the pod there before, as a replica of the template that is placed now. */
bool fit_run_has_replica(const struct fit_run *run, const struct fit_pod *pod);

struct fit_rule {
    const char *plugin; /* kube-scheduler's name for it */
    /* What the rule knows before the first replica; NULL: it never refuses this template. */
    void *(*open)(const struct fit_run *run);
    bool (*refuses)(const void *state, const struct fit_run *run, uint32_t node);
    /* Notes that one more replica is on that node. */
    void (*place)(void *state, const struct fit_run *run, uint32_t node);
};

extern const struct fit_rule fit_node_ports, fit_volume_restrictions, fit_volume_zone,
    fit_node_volume_limits, fit_volume_binding, fit_inter_pod_affinity, fit_pod_topology_spread;

#endif
