/* SPDX-License-Identifier: Apache-2.0
 *
 * The labels of workloads, as their resource templates in the control plane have them. A binding
 * does not have them, so a selector of workloads needs them. They are known only if somebody asked
 * for them.
 */
#ifndef BALLAST_MODEL_WORKLOAD_LABELS_H
#define BALLAST_MODEL_WORKLOAD_LABELS_H

#include "ballast/model/placement.h"
#include "ballast/model/selector.h"

struct object_reference;

struct workload_labels {
    const char *group; /* of the API; "": core */
    const char *kind;
    const char *namespace_, *name;
    struct label_list labels;
};

struct workload_labels_list {
    const struct workload_labels *items; /* sorted by group, kind, namespace and name, unique */
    uint32_t count;
};

/* Compares by group, kind, namespace and name, the order of the list. Negative, 0 or positive. */
int workload_labels_cmp(const struct workload_labels *a, const struct workload_labels *b);

/* Returns the labels of a workload, in any version of its API; NULL if unknown. */
const struct label_list *workload_labels_find(const struct workload_labels_list *list,
                                              const struct object_reference *resource);

enum label_match { LABELS_MATCH, LABELS_DIFFER, LABELS_UNKNOWN };
/* Matches the selector against the workload's labels (NULL: unknown) over the binding's.
 * LABELS_UNKNOWN if only unknown labels of the workload could decide. */
enum label_match workload_labels_match(const struct label_selector *selector,
                                       const struct label_list *workload,
                                       const struct label_list *binding);

#endif
