/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of the program over a world, from the text of its objects to the
 * report and the patches that it writes. What comes out is text again, so that
 * whoever judges it knows nothing of the program's structs.
 */
#ifndef BALLAST_WORLDS_RUN_H
#define BALLAST_WORLDS_RUN_H

#include "generate.h"

struct run {
    json_t *plan;    /* as -o json --all prints it; NULL: the run failed, */
    char *problem;   /* and why */
    bool is_usage;   /* since it was not to be asked for so */
    char *record;    /* of what it wrote, as --records leaves it; NULL: it wrote nothing */
    json_t *patches; /* by the name of the binding: no two of a world have the same; of KubeFed's by
                        "KIND/NAMESPACE/NAME" of the object */
};

/* `shuffle` NULL: in the order of the world. `later`: seconds after WORLD_NOW. */
void run_world(const struct world *world, int64_t later, struct random *shuffle, struct run *ret);
/* Takes back what the record says, with what is there now. */
void run_undo(const struct world *world, const char *record, bool ignores_room, struct run *ret);
void run_release(struct run *run);

/* The plan made of a snapshot of the world, one with new names, and summaries is the same, where a
 * member has a `crowd` of pods, too; else what differs, to be freed. */
char *run_compare_snapshot(const struct world *world, int64_t later, bool crowd);

/* Explanations of the world tell what was planned; else what differs, to be freed. *ret_met: how
 * many clusters they told something of. */
char *run_explained(const struct world *world, unsigned *ret_met);
/* Numbers that stand in several formats of a report are equal; else what differs, to be freed.
 * *ret_met: how many were compared */
char *run_numbers(const struct world *world, unsigned *ret_met);

/* What simulations of the world tell is what planning it tells: the loss of one of its clusters, by
 * the seed, its drain, and survival; else what differs, to be freed. */
char *run_simulated(const struct world *world, uint64_t seed);

/* What `ballast diff -o json` says of the world before and after a run, with its record (NULL:
 * without any). NULL: neither can be looked at, as where a workload is asked for that is not there.
 */
json_t *run_diff(const struct world *before, const struct world *after, const char *record);

#endif
