/* SPDX-License-Identifier: Apache-2.0
 *
 * What is written: to a binding, as a JSON merge patch (RFC 7386); to a snapshot.
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
        *clusters; /* the whole new spec.clusters; what entries have besides stays */
    uint32_t n_clusters;
    const char *const *extras; /* by entry: what it has besides, as in rare_members, instead of
                                  what that of its name had; NULL: of none */
    const struct graceful_eviction_task
        *new_tasks; /* appended to the existing ones; by `json` where that is set */
    uint32_t n_new_tasks;
    const bool *tasks_taken_back;    /* by existing task: it goes; NULL: all stay */
    bool drops_emptied;              /* an entry of overrides that says nothing more goes as well */
    const struct label *annotations; /* set; a value of NULL removes */
    uint32_t n_annotations;
    bool only_annotates; /* the spec is not written; not of KubeFed's objects */
};

/* Appends {"metadata":{"resourceVersion":...,...},"spec":{...}}; no spec where it only annotates.
 */
void encode_binding_patch(const struct binding *before, const struct binding_change *change,
                          struct buf *out);

/* Appends {"metadata":{"resourceVersion":...,"annotations":...}}; without a version where it is "".
 */
void encode_annotations_patch(const char *resource_version, const struct binding_change *change,
                              struct buf *out);

/* Whether the object that answers a write has the split that was written; false with CONFLICT when
 * somebody, such as a mutating webhook, put another one in its place. An answer without a spec is
 * one that tells nothing of it: true. */
bool binding_is_as_written(const struct value *answer, const struct binding *before,
                           const struct binding_change *change, struct error *err);

/* What a new WorkloadRebalancer asks for. */
struct rebalancer_request {
    const char *name; /* "": the server finds one that begins with "ballast-" */
    const struct binding *const *bindings; /* whose workloads are meant */
    uint32_t n_bindings;
    int64_t ttl; /* how long Karmada keeps it when it is done, nanoseconds; below 0: for good */
};

#define REBALANCER_API_VERSION "apps.karmada.io/v1alpha1"

/* Appends the object, compact JSON. */
void rebalancer_encode(const struct rebalancer_request *request, struct buf *out);

/* Appends the answers as an object, compact JSON. */
void estimator_answers_encode(const struct estimator_answers *answers, struct buf *out);

#endif
