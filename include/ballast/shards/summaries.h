/* SPDX-License-Identifier: Apache-2.0
 *
 * Members that come from summaries, one a shard, in the place of looking into
 * them. What is missing, torn, late, of another version, fleet or cycle is not
 * seen, and each such member says why; of one that is cut, all slices or nothing.
 */
#ifndef BALLAST_SHARDS_SUMMARIES_H
#define BALLAST_SHARDS_SUMMARIES_H

#include <stdatomic.h>

#include "ballast/backend/backend.h"
#include "ballast/base/clock.h"
#include "ballast/shards/summary.h"
#include "ballast/shards/summary_carrier.h"

struct summaries_options {
    struct summary_carrier carrier;
    struct summary_purpose purpose;
    const struct member_sources *sources; /* to say what is not seen */
    struct clock clock;                   /* where the fleet does not say when it is read */
    int64_t max_age;                      /* of a summary, either way, nanoseconds; 0: any */
    uint32_t count;                       /* of shards; 0: as the files tell */
    struct slicing slicing;               /* how members are to be cut */
    int64_t patience;        /* nanoseconds that those of so many shards are waited for */
    const atomic_bool *stop; /* ends the waiting with ERROR_STOPPED; NULL: nothing does */
    size_t memory; /* bytes that what the members show may take together, one of them half of it;
                      0: no bound */
};

/* Valid while the options are. */
struct member_port summaries_port(const struct summaries_options *options);

#endif
