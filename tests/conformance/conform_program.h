/* SPDX-License-Identifier: Apache-2.0
 *
 * The way of `ballast plan --scheduler=NAME` for vectors that are no fleets: one
 * is made of their parts, decoded, diagnosed and planned.
 */
#ifndef BALLAST_CONFORM_PROGRAM_H
#define BALLAST_CONFORM_PROGRAM_H

#include "ballast/kinds/decode.h"
#include "ballast/plan/plan.h"
#include "conform.h"

/* A ResourceBinding of the Deployment default/w, or as said; what is NULL is left out. JSON texts.
 */
struct conform_binding {
    const char *api_version, *kind;
    const char *namespace_, *name; /* of the workload */
    int64_t replicas;
    const char *request;   /* of one replica: the resources */
    const char *clusters;  /* spec.clusters */
    const char *statuses;  /* status.aggregatedStatus */
    const char *placement; /* which it has been scheduled for already */
    bool is_new;           /* it has not */
};

struct conform_object {
    const char *member; /* "" in the control plane */
    const char *json;
    bool is_bad; /* it cannot be read, which is no end of it */
};

/* False with err where one of them is not taken. */
bool conform_program_add(struct fleet_builder *builder, const struct conform_object *objects,
                         size_t n_objects, struct error *err);

/* The fleet of Clusters (a list, or one), one binding, and other objects, which the caller frees;
 * NULL with err when any of them cannot be read. */
struct fleet *conform_program_fleet(struct conform *run, const struct value *clusters,
                                    const struct conform_binding *binding,
                                    const struct conform_object *objects, size_t n_objects,
                                    struct error *err);
/* What is planned for it, in the run's memory. */
const struct plan *conform_program_plan(struct conform *run, const struct fleet *fleet,
                                        enum upstream_scheduler upstream, int64_t now);
/* The decision on its one binding. */
const struct decision *conform_program_decide(struct conform *run, const struct fleet *fleet,
                                              enum upstream_scheduler upstream, int64_t now);
/* {"cluster":replicas,...} as conform_pairs writes it, or "an error". */
const char *conform_decision_text(struct conform *run, const struct decision *decision);

#endif
