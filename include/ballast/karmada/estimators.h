/* SPDX-License-Identifier: Apache-2.0
 *
 * The members' estimators in a cycle: finds them, asks them, and makes their answers part of the
 * fleet. Each is asked only what pods and nodes do not show (sources.h). An estimator that cannot
 * be found, does not answer or abstains leaves no answer; the others are asked all the same.
 */
#ifndef BALLAST_KARMADA_ESTIMATORS_H
#define BALLAST_KARMADA_ESTIMATORS_H

#include "ballast/estimator/estimator_client.h"
#include "ballast/kube/kube_client.h"
#include "ballast/model/fleet.h"
#include "ballast/model/survey.h"

struct estimators;

/* Makes calls: with the gRPC client, or in a test. */
struct estimator_port {
    void *context;
    void (*perform)(void *context, struct estimator_call *calls, uint32_t count);
    uint64_t (*bytes)(void *context); /* sent and read so far */
};
/* Returns a port that makes calls with a client, which outlives the port. */
struct estimator_port estimator_client_port(struct estimator_client *client);

struct estimators_options {
    struct estimator_port port;
    struct estimator_naming naming;
    struct clock clock;
    uint32_t calls_max; /* most calls for one kind of question; 0: 100,000 */
};

/* Returns the estimators of a fleet, to be freed with estimators_free. The texts of options->naming
 * stay the caller's, and outlive it. */
struct estimators *estimators_new(const struct estimators_options *options);
/* Frees the estimators with all that they found. NULL is fine. */
void estimators_free(struct estimators *estimators);

/* Lists the Services in the naming's namespace of the control plane. A Service of type ExternalName
 * has the address of an estimator; other estimators have upstream's names. Forgets earlier
 * addresses, failures and costs. False with err only if the run was stopped. */
bool estimators_find(struct estimators *estimators, struct kube_client *client, uint32_t page_size,
                     struct error *err);

/* Asks the questions of a survey. Returns a view of the fleet with the answers, which shares its
 * memory and lives as long; the fleet itself when nothing was asked. */
struct fleet *estimators_ask(struct estimators *estimators, struct fleet *fleet,
                             const struct survey *asked);

/* A member whose estimator left questions open since estimators_find. An estimator that answered
 * other questions is alive; it may not know a workload, for example. */
struct estimator_failure {
    const char *member;     /* "*": all members */
    const char *message;    /* of the first question that failed */
    uint64_t asked, failed; /* questions; none if no estimator could be asked */
};
/* Returns the members whose estimator left questions open since estimators_find, each once.
 * *ret_count is their number. The list lives until the next estimators_find. */
const struct estimator_failure *const *estimators_failures(const struct estimators *estimators,
                                                           uint32_t *ret_count);

/* The cost of asking since estimators_find. */
struct estimator_costs {
    uint64_t calls, failures, abstentions, left_out; /* left out: over calls_max */
    uint64_t bytes;
    int64_t nanos;
};
/* Returns the cost of questions about unschedulable replicas. */
struct estimator_costs estimators_stuck_costs(const struct estimators *estimators);
/* Returns the cost of questions about capacity. */
struct estimator_costs estimators_room_costs(const struct estimators *estimators);

#endif
