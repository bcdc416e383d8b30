/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries as ConfigMaps of an API server, where no volume is shared. Each
 * writing makes new ones, whose names nobody had before:
 *
 *     PREFIX-3-of-7-GENERATION-1, PREFIX-3-of-7-GENERATION-2, ...
 *
 * with a part each of the summary, compressed. They are immutable, so there is
 * nothing to conflict about and no right to change anything is needed; those
 * with a generation in common belong together, and each says how many there
 * are, so what is torn is known as such. The Job that they are made for owns
 * them, and they go with it. Without one, a writing takes away what earlier
 * ones of its shard left that nobody owns.
 */
#ifndef BALLAST_CONFIGMAPS_CONFIGMAP_CARRIER_H
#define BALLAST_CONFIGMAPS_CONFIGMAP_CARRIER_H

#include "ballast/kube/kube_client.h"
#include "ballast/shards/summary_carrier.h"

#define CONFIGMAP_PREFIX_MAX 40     /* of a name; with what comes behind it it is a label's value */
#define CONFIGMAP_PARTS_MAX 16u     /* of one summary */
#define CONFIGMAP_PART_MAX 1000000u /* bytes; an object may have 1 MiB */

struct configmap_carrier;

/* All of it outlives the carrier. */
struct configmap_carrier_options {
    const struct kube_config *config;
    struct kube_client_options client; /* whose deadline begins with the first use */
    const char *namespace_;
    const char *prefix; /* lower case letters, digits and dashes, as a label of DNS */
    const char *cycle;  /* what is put is made for it, and of what there is, others are of no use;
                           "": any */
    const char *owner_name, *owner_uid; /* of a Job in that namespace; "": nobody */
};

struct configmap_carrier *configmap_carrier_new(const struct configmap_carrier_options *options);
void configmap_carrier_free(struct configmap_carrier *carrier); /* NULL is fine */
/* As long as the carrier lives. */
struct summary_carrier configmap_carrier_port(struct configmap_carrier *carrier);

/* Of all that it asked the API server so far. */
struct kube_statistics configmap_carrier_statistics(const struct configmap_carrier *carrier);

/* Whether it can be a prefix. */
bool configmap_prefix_is_fine(const char *prefix);

#endif
