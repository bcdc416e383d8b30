/* SPDX-License-Identifier: Apache-2.0
 *
 * The labels of the workloads themselves, as their resource templates in the control plane carry
 * them. A binding carries none of them, so a selector that means a workload needs them; they are
 * known only where somebody asked for them.
 */
#ifndef BALLAST_MODEL_WORKLOAD_LABELS_H
#define BALLAST_MODEL_WORKLOAD_LABELS_H

#include "ballast/model/placement.h"
#include "ballast/model/selector.h"

struct object_reference;

struct workload_labels {
    const char *group; /* of the API; "" of the core's */
    const char *kind;
    const char *namespace_, *name;
    struct label_list labels;
};

struct workload_labels_list {
    const struct workload_labels *items; /* sorted by group, kind, namespace and name, each once */
    uint32_t count;
};

/* By group, kind, namespace and name: the order of the list. */
int workload_labels_cmp(const struct workload_labels *a, const struct workload_labels *b);

/* Those of a workload, whatever the version of its API; NULL: they are not known. */
const struct label_list *workload_labels_find(const struct workload_labels_list *list,
                                              const struct object_reference *resource);

/* Whether a selector matches a workload with its binding: each label is the workload's, or else
 * the binding's. Where the workload's are not known (NULL), a label that the binding does not carry
 * is neither there nor missing. */
enum label_match { LABELS_MATCH, LABELS_DIFFER, LABELS_UNKNOWN };
enum label_match workload_labels_match(const struct label_selector *selector,
                                       const struct label_list *workload,
                                       const struct label_list *binding);

#endif
