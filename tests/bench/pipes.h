/* SPDX-License-Identifier: Apache-2.0
 *
 * A synthetic fleet as a directory of named pipes: a child writes each list when
 * it is read, and nothing of it is kept anywhere. The lists are filled in the
 * order in which Ballast reads files, which is that of their names.
 */
#ifndef BALLAST_BENCH_PIPES_H
#define BALLAST_BENCH_PIPES_H

#include <sys/types.h>

#include "ballast/shards/shards.h"
#include "synthetic.h"

struct pipes {
    const struct synthetic *fleet;
    const struct synthetic_targets *targets;
    const char *directory; /* with control-plane/ and members/ in it */
    struct shard shard;    /* whose members there are; 0 of any: the bindings */
    const char *alone;     /* of them, the only one there is; NULL: all are */
    pid_t writer;
    int told; /* by the writer, in the end: what was read of it */
};

/* Of lists that were all read. */
struct pipes_read {
    double bytes;  /* 0: they were not */
    double over_s; /* wall_seconds() when the last one had been */
};

/* Makes the pipes, and starts who writes to them. */
bool pipes_open(struct pipes *pipes);
/* Ends the writer and removes the pipes. */
struct pipes_read pipes_close(struct pipes *pipes);

#endif
