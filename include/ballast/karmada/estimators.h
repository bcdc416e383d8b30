/* SPDX-License-Identifier: Apache-2.0
 *
 * The members' estimators in a cycle: where they are, what they are asked, and
 * their answers as part of the fleet. Each is asked only what pods and nodes do
 * not tell (sources.h). Who cannot be found, does not answer or abstains leaves
 * no answer, and says nothing about the others.
 */
#ifndef BALLAST_KARMADA_ESTIMATORS_H
#define BALLAST_KARMADA_ESTIMATORS_H

#include "ballast/estimator/estimator_client.h"
#include "ballast/kube/kube_client.h"
#include "ballast/model/fleet.h"
#include "ballast/model/survey.h"

struct estimators;

/* How calls are made: the gRPC client's way, or a test's. */
struct estimator_port {
    void *context;
    void (*perform)(void *context, struct estimator_call *calls, uint32_t count);
    uint64_t (*bytes)(void *context); /* sent and read so far */
};
struct estimator_port estimator_client_port(struct estimator_client *client);

struct estimators_options {
    struct estimator_port port;
    struct estimator_naming naming;
    struct clock clock;
    uint32_t calls_max; /* for one kind of question; 0: 100,000 */
};

/* Texts of the naming stay the caller's, and must outlive it. */
struct estimators *estimators_new(const struct estimators_options *options);
void estimators_free(struct estimators *estimators); /* NULL is fine */

/* One list of the Services in the naming's namespace of the control plane: those of type
 * ExternalName say where estimators are, the others have upstream's names. Forgets what was found
 * before. Only a run that was stopped is an error. */
bool estimators_find(struct estimators *estimators, struct kube_client *client, uint32_t page_size,
                     struct error *err);

/* Asks what they are to be asked: a view of the fleet with the answers, which shares its memory and
 * lives as long; the fleet itself when nothing is. */
struct fleet *estimators_ask(struct estimators *estimators, struct fleet *fleet,
                             const struct survey *asked);

/* Members whose estimator left questions open since it was last looked for, each once. Where some
 * were answered it is not dead: it does not know a workload, say. */
struct estimator_failure {
    const char *member;     /* "*": all of them */
    const char *message;    /* of the first that failed */
    uint64_t asked, failed; /* questions; none where nobody could be asked */
};
const struct estimator_failure *const *estimators_failures(const struct estimators *estimators,
                                                           uint32_t *ret_count);

/* What asking cost, since it was last looked for estimators. */
struct estimator_costs {
    uint64_t calls, failures, abstentions, left_out; /* left out: over calls_max */
    uint64_t bytes;
    int64_t nanos;
};
struct estimator_costs estimators_stuck_costs(const struct estimators *estimators);
struct estimator_costs estimators_room_costs(const struct estimators *estimators);

#endif
