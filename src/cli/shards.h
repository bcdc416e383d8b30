/* SPDX-License-Identifier: Apache-2.0
 *
 * What the flags say of shards, as their room wants it.
 */
#ifndef BALLAST_CLI_SHARDS_H
#define BALLAST_CLI_SHARDS_H

#include "ballast/shards/summaries.h"
#include "command.h"

/* What has to be the same in an observe and in the plan that reads its summary; `fleet` is the
 * server's URL, or the path of files. */
struct summary_purpose shards_purpose(const struct invocation *invocation, const char *fleet);

/* The port that --summaries means, with what it stands on in `where`. */
struct member_port shards_port(const struct invocation *invocation, const char *fleet,
                               struct summaries_options *where);

#endif
