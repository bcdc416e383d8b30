/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps records of runs in a ring of ConfigMaps: PREFIX-0 to PREFIX-7. The names are fixed, so a
 * Role can name them. A record is gzip in binaryData, in one part or in several:
 *
 *     20260301T120000Z-1f2e3d4c5b6a7988.pending.1-of-1    before the writes of the run
 *     20260301T120000Z-1f2e3d4c5b6a7988.done.1-of-1       with what became of them
 *
 * A record goes into the ConfigMap with the latest record. If that one is full, the record goes
 * into the next one, whose old records leave. Each write is a patch with the resourceVersion that
 * was read: if another writer was faster, the ring is read again.
 */
#ifndef BALLAST_CONFIGMAPS_RECORD_RING_H
#define BALLAST_CONFIGMAPS_RECORD_RING_H

#include "ballast/kube/kube_client.h"
#include "ballast/record/record_store.h"

#define RECORD_RING_MAPS 8u
#define RECORD_RING_BYTES ((size_t)900000) /* of one ConfigMap, which may have 1 MiB */
#define RECORD_RING_AGE (INT64_C(31) * 24 * 3600 * 1000000000) /* older records leave */

struct record_ring;

/* All that it points to must outlive the ring. */
struct record_ring_options {
    const struct kube_config *config;
    struct kube_client_options client;
    const char *namespace_;
    const char *prefix; /* configmap_prefix_is_fine() */
};

/* Returns a ring that has sent no request; record_ring_free() frees it. */
struct record_ring *record_ring_new(const struct record_ring_options *options);
/* Frees a ring and its client. NULL is fine. */
void record_ring_free(struct record_ring *ring);
/* Returns the ring as a store of records; valid as long as the ring. Its prune() also removes
 * records older than RECORD_RING_AGE. A ConfigMap that does not exist holds no record. */
struct record_store record_ring_store(struct record_ring *ring);

/* Returns the statistics of the ring's requests so far. */
struct kube_statistics record_ring_statistics(const struct record_ring *ring);

#endif
