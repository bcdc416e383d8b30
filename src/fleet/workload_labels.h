/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of the labels of workloads, private to fleet/.
 */
#ifndef BALLAST_FLEET_WORKLOAD_LABELS_H
#define BALLAST_FLEET_WORKLOAD_LABELS_H

#include "ballast/workload_labels.h"

int workload_labels_cmp(const struct workload_labels *a, const struct workload_labels *b);

#endif
