/* SPDX-License-Identifier: Apache-2.0
 *
 * Where kube-scheduler would put replicas of a template that is tied to other
 * pods or to the ports of nodes: one after the other onto any node that takes
 * it, as its plugins NodePorts, InterPodAffinity and PodTopologySpread say. Which
 * of several nodes it would prefer hardly ever changes how many there are.
 */
#ifndef BALLAST_CAPACITY_POD_FIT_H
#define BALLAST_CAPACITY_POD_FIT_H

#include "ballast/base/arena.h"
#include "capacity/nodes/node_pools.h"

struct pod_fit;
/* Replicas that a take put on nodes. */
struct pod_fit_taking;

#define POD_FIT_MOST 10000 /* more are not looked for */

/* Returns the places of a member, in `arena`. `pools` has the member's nodes unfolded, each a kind
 * of its own; takes take from it. Both outlive the result. */
struct pod_fit *pod_fit_new(struct arena *arena, const struct member *member,
                            struct node_pools *pools);

/* True if working out where replicas fit takes more steps than one look may (fit_cost.h). */
bool pod_fit_is_costly(const struct pod_fit *fit, const struct requirements *requirements);
/* True if more than resources decides where replicas fit: ties of their template, or of pods that
 * keep others away. False where there is no template: then nothing below may be called. */
bool pod_fit_concerns(const struct pod_fit *fit, const struct requirements *requirements);
/* Returns how many replicas fit, at most POD_FIT_MOST. */
int32_t pod_fit_count(struct pod_fit *fit, const struct requirements *requirements);
/* Returns how many replicas would fit, at most POD_FIT_MOST, if pods of a lower priority were gone
 * from all nodes. */
int32_t pod_fit_count_preempting(struct pod_fit *fit, const struct requirements *requirements,
                                 int32_t priority);
/* Returns kube-scheduler's name of the plugin that refuses one more replica on most nodes that have
 * resources for it: a constant. NULL: on no such node, or on fewer than refuse for resources. */
const char *pod_fit_refusal(struct pod_fit *fit, const struct requirements *requirements);
/* Takes room for replicas: where they fit, and for the others wherever resources allow. Returns
 * what was taken, in `arena`, for pod_fit_give_back. */
struct pod_fit_taking *pod_fit_take(struct pod_fit *fit, struct arena *arena,
                                    const struct requirements *requirements, int32_t replicas);
/* Gives back what one pod_fit_take took, in any order of the takes. */
void pod_fit_give_back(struct pod_fit *fit, struct pod_fit_taking *taking);

#endif
