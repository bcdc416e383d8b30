/* SPDX-License-Identifier: Apache-2.0
 *
 * Encodes changes of a binding as JSON merge patches (RFC 7386), and objects as JSON.
 */
#ifndef BALLAST_KINDS_ENCODE_H
#define BALLAST_KINDS_ENCODE_H

#include "ballast/base/buf.h"
#include "ballast/format/value.h"
#include "ballast/model/binding.h"
#include "ballast/model/estimator_answers.h"

/* A change of one binding. */
struct binding_change {
    const struct target
        *clusters; /* the whole new spec.clusters; other members of existing entries stay */
    uint32_t n_clusters;
    const char *const *extras; /* by entry: replaces its other members, see
                                  rare_members.target_extras; NULL: they stay */
    const struct graceful_eviction_task
        *new_tasks; /* appended to the existing tasks; by `json` where that is set */
    uint32_t n_new_tasks;
    const bool *tasks_taken_back;    /* by existing task, true: removed; NULL: all stay */
    bool drops_emptied;              /* KubeFed's override entries that become empty go */
    const struct label *annotations; /* to set; value NULL: to remove */
    uint32_t n_annotations;
    bool only_annotates; /* the spec stays; not for KubeFed's objects */
};

/* Appends {"metadata":{"resourceVersion":...,...},"spec":{...}}; no spec if it only annotates. */
void encode_binding_patch(const struct binding *before, const struct binding_change *change,
                          struct buf *out);

/* Appends {"metadata":{"resourceVersion":...,"annotations":...}}; version "": without it. */
void encode_annotations_patch(const char *resource_version, const struct binding_change *change,
                              struct buf *out);

/* True if the object that answers a write has the written split, or no spec. False with CONFLICT:
 * another writer, for example a mutating webhook, replaced the split. */
bool binding_is_as_written(const struct value *answer, const struct binding *before,
                           const struct binding_change *change, struct error *err);

/* A request to make a WorkloadRebalancer. */
struct rebalancer_request {
    const char *name; /* "": the API server makes one that begins with "ballast-" */
    const struct binding *const *bindings; /* of the workloads to reschedule */
    uint32_t n_bindings;
    int64_t ttl; /* nanoseconds that Karmada keeps the finished object; below 0: for good */
};

#define REBALANCER_API_VERSION "apps.karmada.io/v1alpha1"

/* Appends the WorkloadRebalancer as compact JSON. */
void rebalancer_encode(const struct rebalancer_request *request, struct buf *out);

/* Appends the answers as one EstimatorAnswers object, compact JSON. */
void estimator_answers_encode(const struct estimator_answers *answers, struct buf *out);

#endif
