/* SPDX-License-Identifier: Apache-2.0
 *
 * A snapshot under way. Private to src/snapshot.
 */
#ifndef BALLAST_SNAPSHOT_SNAPSHOT_PARTS_H
#define BALLAST_SNAPSHOT_SNAPSHOT_PARTS_H

#include "ballast/base/map.h"
#include "ballast/base/vec.h"
#include "ballast/kinds/prune.h"
#include "ballast/snapshot/snapshot.h"

#define SNAPSHOT_TEXT_MAX ((size_t)STREAM_OBJECT_MAX * 4)

/* Objects of one kind, of the control plane or of one member. */
struct snapshot_list {
    const char *member; /* "": the control plane */
    struct prune_target target;
    const char *spool;  /* file of pruned objects, not finished */
    struct buf pending; /* lines not in the spool yet */
    uint64_t objects;
    bool spooled; /* the spool exists */
    bool seen;
};

struct snapshot {
    struct fleet_tap tap;
    char *path;
    char *work;           /* directory of work, beside `path` */
    int work_fd;          /* locks `work`; -1: none */
    unsigned n_leftovers; /* removed directories of killed runs */
    struct arena *arena;
    struct pruner *pruner;
    bool redact;
    VEC_OF(struct snapshot_list) lists;
    struct map *by_place; /* "member/file" -> index into lists + 1 */
    struct buf text;
    struct error failure; /* first one */
};

/* Returns the path WORK/A[/B[/C]] ("": none), in the snapshot's memory. */
const char *snapshot_path(const struct snapshot *snapshot, const char *a, const char *b,
                          const char *c);
/* Makes a directory for the owner alone; an existing one is fine. False with err. */
bool snapshot_make_directory(const char *path, struct error *err);

/* Returns a copy of a path without slashes at its end, plus `suffix`, for free(). */
char *snapshot_copy_path(const char *path, const char *suffix);
/* Returns the directory of a path's last name, for free(); "." if the path has no slash. */
char *snapshot_parent(const char *path);

/* Makes and locks the directory of work, after removing those of killed runs. False with err. */
bool snapshot_open_work(struct snapshot *snapshot, struct error *err);
/* Removes the directory of work, if this snapshot holds it, and frees its path. */
void snapshot_close_work(struct snapshot *snapshot);
/* Syncs a directory and everything in it. False with err. */
bool snapshot_sync(const char *path, struct error *err);
/* Syncs the directory entry of a path, so that a crash does not lose it. False with err. */
bool snapshot_sync_name(const char *path, struct error *err);

/* Returns the list of a member's objects of a kind, made if missing; valid until the next is
 * made. */
struct snapshot_list *snapshot_find_list(struct snapshot *snapshot, const char *member,
                                         const char *kind);
/* Appends the pending lines to the spool. snapshot->failure keeps the first error. */
void snapshot_flush(struct snapshot *snapshot, struct snapshot_list *list);

#endif
