/* SPDX-License-Identifier: Apache-2.0
 *
 * Where kube-scheduler would put replicas of a template that is tied to other pods, domains, ports
 * or volumes. Replicas go one by one onto any node that the plugins of the fit_ files accept.
 * Preferring one node over another hardly changes how many fit.
 */
#ifndef BALLAST_CAPACITY_POD_FIT_H
#define BALLAST_CAPACITY_POD_FIT_H

#include "ballast/base/arena.h"
#include "capacity/nodes/node_pools.h"

struct pod_fit;
/* Replicas that one take put on nodes. */
struct pod_fit_taking;

#define POD_FIT_MOST 10000 /* no more are counted */

/* Returns the places of a member, in `arena`. `pools` has its nodes unfolded; takes also take from
 * there. Member and pools outlive the result. */
struct pod_fit *pod_fit_new(struct arena *arena, const struct member *member,
                            struct node_pools *pools);

/* True if finding where replicas fit takes more steps than one look may (fit_cost.h). */
bool pod_fit_is_costly(const struct pod_fit *fit, const struct requirements *requirements);
/* True if more than resources decides where replicas fit: ties of their template, or pods that keep
 * others away. False without a template; then do not call the functions below. */
bool pod_fit_concerns(const struct pod_fit *fit, const struct requirements *requirements);
/* Returns how many replicas fit, at most POD_FIT_MOST. */
int32_t pod_fit_count(struct pod_fit *fit, const struct requirements *requirements);
/* Returns how many replicas would fit without pods of lower priority, at most POD_FIT_MOST. */
int32_t pod_fit_count_preempting(struct pod_fit *fit, const struct requirements *requirements,
                                 int32_t priority);
/* Returns kube-scheduler's name of the plugin that refuses one more replica on most nodes with
 * resources for it: a constant. NULL: no plugin refuses there. */
const char *pod_fit_refusal(struct pod_fit *fit, const struct requirements *requirements);
/* Takes capacity for replicas where they fit, and for the others wherever resources allow. Returns
 * what was taken, in `arena`. */
struct pod_fit_taking *pod_fit_take(struct pod_fit *fit, struct arena *arena,
                                    const struct requirements *requirements, int32_t replicas);
/* Gives back one take, whatever was taken since. */
void pod_fit_give_back(struct pod_fit *fit, struct pod_fit_taking *taking);

#endif
