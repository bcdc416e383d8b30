/* SPDX-License-Identifier: Apache-2.0
 *
 * What a member shows of a binding, without the list around it, and its nodes.
 */
#ifndef BALLAST_BENCH_SYNTHETIC_WORKLOAD_H
#define BALLAST_BENCH_SYNTHETIC_WORKLOAD_H

#include "synthetic.h"

void synthetic_write_deployment(const struct synthetic *fleet,
                                const struct synthetic_target *target, FILE *file);
void synthetic_write_replica_set(const struct synthetic *fleet,
                                 const struct synthetic_target *target, FILE *file);
void synthetic_write_pods(const struct synthetic *fleet, const struct synthetic_target *target,
                          FILE *file);
/* One of these, without what parts it from another. */
void synthetic_write_pod_of(const struct synthetic *fleet, const struct synthetic_target *target,
                            uint32_t number, FILE *file);
void synthetic_write_node(uint32_t index, FILE *file);
/* Those that are nobody's, each of a member's behind another pod. */
void synthetic_write_latest(const struct synthetic *fleet, FILE *file);
/* What a control plane has of its workload: the template of its pods. */
void synthetic_write_template(uint32_t index, FILE *file);

#endif
