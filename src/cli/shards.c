/* SPDX-License-Identifier: Apache-2.0
 *
 * Which summaries are of use to this run.
 */
#include "shards.h"

#include <stdlib.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

#define PATIENCE_PART 2 /* of the deadline */
#define PATIENCE_DEFAULT (45 * NANOS_PER_SECOND)

/* However the path is written. */
static const char *
name_of(struct arena *arena, const char *fleet)
{
    char *real = realpath(fleet, NULL);
    const char *name = real != NULL ? arena_strndup(arena, real, strlen(real)) : fleet;

    free(real);
    return name;
}

struct summary_purpose
shards_purpose(const struct invocation *invocation, const char *fleet)
{
    const struct policy *policy = &invocation->settings->policy;

    return (struct summary_purpose){
        .fleet = name_of(invocation->arena, fleet),
        .cycle = invocation->settings->shards.cycle,
        .settings = summary_settings(invocation->arena, &policy->sources,
                                     policy->upstream == UPSTREAM_KUBEFED),
    };
}

/* Whoever does not know how many shards there are takes what is there. */
static int64_t
patience(const struct settings *settings)
{
    const int64_t deadline = settings->control_plane.deadline;

    return settings->shards.shard.count == 0 ? 0
           : deadline > 0                    ? deadline / PATIENCE_PART
                                             : PATIENCE_DEFAULT;
}

struct member_port
shards_port(const struct invocation *invocation, const char *fleet, struct summaries_options *where)
{
    const struct settings *settings = invocation->settings;

    *where = (struct summaries_options){
        .carrier = summary_directory(settings->shards.summaries),
        .purpose = shards_purpose(invocation, fleet),
        .sources = &settings->policy.sources,
        .clock = invocation->cli->clock,
        .max_age = settings->shards.max_age,
        .count = settings->shards.shard.count,
        .patience = patience(settings),
        .stop = invocation->cli->stop,
        .memory = (size_t)settings->control_plane.memory_limit,
    };
    return summaries_port(where);
}
