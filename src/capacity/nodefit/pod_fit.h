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

/* Of a member whose nodes are in these pools, each a kind of its own. */
struct pod_fit *pod_fit_new(struct arena *arena, const struct member *member,
                            struct node_pools *pools);

/* To work out where its replicas fit takes more steps than one look may (fit_cost.h). */
bool pod_fit_is_costly(const struct pod_fit *fit, const struct requirements *requirements);
/* Whether the template decides more than its resources do. */
bool pod_fit_concerns(const struct pod_fit *fit, const struct requirements *requirements);
/* How many fit. */
int32_t pod_fit_count(struct pod_fit *fit, const struct requirements *requirements);
/* How many would, if pods of a lower priority were gone from all nodes. */
int32_t pod_fit_count_preempting(struct pod_fit *fit, const struct requirements *requirements,
                                 int32_t priority);
/* Where some nodes with resources for one more refuse it: kube-scheduler's name of the plugin that
 * does so on most of them. NULL: resources alone decide. */
const char *pod_fit_refusal(struct pod_fit *fit, const struct requirements *requirements);
/* Takes as many as fit where they fit, and the others wherever there is room. */
struct pod_fit_taking *pod_fit_take(struct pod_fit *fit, struct arena *arena,
                                    const struct requirements *requirements, int32_t replicas);
/* In any order of the takes. */
void pod_fit_give_back(struct pod_fit *fit, struct pod_fit_taking *taking);

#endif
