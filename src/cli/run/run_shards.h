/* SPDX-License-Identifier: Apache-2.0
 *
 * Shards and summaries, as the flags describe them.
 */
#ifndef BALLAST_CLI_RUN_SHARDS_H
#define BALLAST_CLI_RUN_SHARDS_H

#include "ballast/configmaps/configmap_carrier.h"
#include "ballast/shards/summaries.h"
#include "cli/options/invocation.h"

/* Returns the properties that an observe and the plan that reads its summary must share. `fleet` is
 * the server's URL, or the path of files. */
struct summary_purpose shards_purpose(const struct invocation *invocation, const char *fleet);

/* The opened store of --summaries. */
struct shards_store {
    struct summary_carrier carrier;
    struct summaries_options options;
    struct kube_config *config; /* of the API server with the ConfigMaps; NULL: a directory */
    struct configmap_carrier *configmaps;
};

/* Opens --summaries; sends no request yet. False with err. Call shards_close in any case. */
bool shards_open(const struct invocation *invocation, struct shards_store *store,
                 struct error *err);
void shards_close(struct shards_store *store); /* frees all of it; zeroes are fine */

/* Returns the statistics of requests for ConfigMaps so far; zeroes for a directory. */
struct kube_statistics shards_statistics(const struct shards_store *store);

/* Warns of members of --slice-members that the fleet lacks: they left it, or have another name. */
void shards_check(const struct invocation *invocation, const struct fleet *fleet);

/* Returns a port to the store's members, for the fleet of that name; valid while it is open. */
struct member_port shards_port(const struct invocation *invocation, const char *fleet,
                               struct shards_store *store);

#endif
