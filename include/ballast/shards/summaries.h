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
    const struct member_sources *sources; /* to name unseen parts */
    struct clock clock;                   /* if the fleet has no time of reading */
    int64_t max_age;                      /* of a summary, before or after; nanoseconds; 0: any */
    uint32_t count;                       /* of shards; 0: by the files */
    struct slicing slicing;               /* wanted slices */
    int64_t patience;                     /* nanoseconds to wait for `count` summaries */
    const atomic_bool *stop;              /* ends the wait with ERROR_STOPPED; NULL: never */
    size_t memory; /* bytes: 1/4 for texts, 1/2 for members, 1/4 for one; 0: no limit */
};

/* Returns a port for members from summaries; valid as long as the options. */
struct member_port summaries_port(const struct summaries_options *options);

#endif
