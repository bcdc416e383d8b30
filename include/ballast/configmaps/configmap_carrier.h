/* SPDX-License-Identifier: Apache-2.0
 *
 * Carries summaries as ConfigMaps of an API server, where no volume is shared. Each write makes new
 * ones with new names:
 *
 *     PREFIX-3-of-7-GENERATION-1, PREFIX-3-of-7-GENERATION-2, ...
 *
 * Each holds one part of the compressed summary. They are immutable, so writers cannot conflict and
 * need no right to change ConfigMaps. Parts with one generation belong together, and each says how
 * many there are, so a missing part is noticed. A Job owns them, and Kubernetes deletes them with
 * it. Without a Job, a write deletes the ConfigMaps of its shard that nobody owns and that were
 * there before.
 */
#ifndef BALLAST_CONFIGMAPS_CONFIGMAP_CARRIER_H
#define BALLAST_CONFIGMAPS_CONFIGMAP_CARRIER_H

#include "ballast/kube/kube_client.h"
#include "ballast/shards/summary_carrier.h"

#define CONFIGMAP_PREFIX_MAX 40     /* characters; the prefix is also the value of a label */
#define CONFIGMAP_PARTS_MAX 16u     /* parts of one summary */
#define CONFIGMAP_PART_MAX 1000000u /* bytes; an object may have 1 MiB */

struct configmap_carrier;

/* All that it points to must outlive the carrier. */
struct configmap_carrier_options {
    const struct kube_config *config;
    struct kube_client_options client; /* the deadline begins with the first use */
    const char *namespace_;
    const char *prefix; /* lower-case letters, digits and dashes, as in a DNS label */
    const char *cycle;  /* of the summaries to put and find; "": any */
    const char *owner_name, *owner_uid; /* of a Job in that namespace; "": none */
};

/* Returns a carrier that has sent no request; configmap_carrier_free() frees it. */
struct configmap_carrier *configmap_carrier_new(const struct configmap_carrier_options *options);
/* Frees a carrier and its client. NULL is fine. */
void configmap_carrier_free(struct configmap_carrier *carrier);
/* Returns the carrier as a port for summaries; valid as long as the carrier. */
struct summary_carrier configmap_carrier_port(struct configmap_carrier *carrier);

/* Returns the statistics of the carrier's requests so far. */
struct kube_statistics configmap_carrier_statistics(const struct configmap_carrier *carrier);

/* True if a text can be a prefix: 1 to CONFIGMAP_PREFIX_MAX lower-case letters, digits and dashes,
 * without a dash at either end. */
bool configmap_prefix_is_fine(const char *prefix);

#endif
