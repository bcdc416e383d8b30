/* SPDX-License-Identifier: Apache-2.0
 *
 * What the flags say of shards, as their room wants it.
 */
#ifndef BALLAST_CLI_RUN_SHARDS_H
#define BALLAST_CLI_RUN_SHARDS_H

#include "ballast/configmaps/configmap_carrier.h"
#include "ballast/shards/summaries.h"
#include "cli/options/invocation.h"

/* What has to be the same in an observe and in the plan that reads its summary; `fleet` is the
 * server's URL, or the path of files. */
struct summary_purpose shards_purpose(const struct invocation *invocation, const char *fleet);

/* What --summaries means, and what it stands on. */
struct shards_store {
    struct summary_carrier carrier;
    struct summaries_options options;
    struct kube_config *config; /* of the API server that has the ConfigMaps; NULL: a directory */
    struct configmap_carrier *configmaps;
};

/* Nothing is asked yet. To be closed in any case. */
bool shards_open(const struct invocation *invocation, struct shards_store *store,
                 struct error *err);
void shards_close(struct shards_store *store); /* one of zeroes is fine */

/* What it asked for ConfigMaps so far; nothing of a directory. */
struct kube_statistics shards_statistics(const struct shards_store *store);

/* Says which members are to be cut that are not there: they may have left the fleet, or have
 * another name. */
void shards_check(const struct invocation *invocation, const struct fleet *fleet);

/* Members from there, for the fleet of that name; valid while the store is open. */
struct member_port shards_port(const struct invocation *invocation, const char *fleet,
                               struct shards_store *store);

#endif
