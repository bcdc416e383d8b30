/* SPDX-License-Identifier: Apache-2.0
 *
 * What pods of a template have that it does not say: labels that controllers
 * add, and what kube-apiserver makes of label keys by them. Private to this room.
 */
#ifndef BALLAST_KINDS_TEMPLATE_LABELS_H
#define BALLAST_KINDS_TEMPLATE_LABELS_H

#include "builder.h"

/* Adds the labels that the controller of such a kind of workload adds, in the fleet's memory. */
void template_add_labels(struct fleet_builder *builder, const char *kind,
                         struct pod_template *pod_template);
/* Merges matchLabelKeys and mismatchLabelKeys of its affinity terms into their selectors, by its
 * labels (pkg/registry/core/pod/strategy.go, mutatePodAffinity, as of Kubernetes 1.34). Of a label
 * whose value is not known any pod that has it is taken to have the same. */
void template_merge_label_keys(struct fleet_builder *builder, struct pod_template *pod_template);

#endif
