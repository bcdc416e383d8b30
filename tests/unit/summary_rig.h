/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries of four clusters in a directory, for the suites of whoever puts them
 * together.
 */
#ifndef BALLAST_SUMMARY_RIG_H
#define BALLAST_SUMMARY_RIG_H

#include "ballast/base/timestamp.h"
#include "ballast/shards/summaries.h"
#include "model_fixture.h"
#include "temp_dir.h"

#define RIG_NOW (INT64_C(1772366400) * NANOS_PER_SECOND) /* 2026-03-01T12:00:00Z */
#define RIG_CLUSTERS 4

extern const char *const rig_clusters[RIG_CLUSTERS];
extern const struct summary_purpose rig_purpose;

struct summary_rig {
    struct temp_dir dir;
    struct arena *arena;
    struct member_sources sources;
    struct summaries_options options;
    struct slicing slicing; /* of those who write */
    struct fleet *fleet;    /* of the last look */
};

void rig_init(struct summary_rig *rig);
void rig_release(struct summary_rig *rig);

/* Nodes of each member, as one shard tells of them; as all of them do. */
void rig_put(struct summary_rig *rig, struct shard shard, struct summary_purpose of, int64_t time);
void rig_put_all(struct summary_rig *rig, uint32_t count, int64_t time);
bool rig_look(struct summary_rig *rig, struct error *err);
/* Looks. Those of the shards whose bit is set are seen; of the others it is said why not. */
void rig_check_seen(struct summary_rig *rig, uint32_t count, unsigned seen, const char *why);
/* m1 in up to four slices; 0: nobody is cut. */
struct slicing rig_cut_m1(uint32_t slices);

#endif
