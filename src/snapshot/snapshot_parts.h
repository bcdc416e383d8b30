/* SPDX-License-Identifier: Apache-2.0
 *
 * A snapshot under way, private to src/observe/snapshot*.c.
 */
#ifndef BALLAST_SNAPSHOT_SNAPSHOT_PARTS_H
#define BALLAST_SNAPSHOT_SNAPSHOT_PARTS_H

#include "ballast/base/map.h"
#include "ballast/base/vec.h"
#include "ballast/kinds/prune.h"
#include "ballast/snapshot/snapshot.h"

#define SNAPSHOT_TEXT_MAX ((size_t)STREAM_OBJECT_MAX * 4)

/* The objects of one kind of one place. */
struct snapshot_list {
    const char *member; /* "": the control plane */
    struct prune_target target;
    const char *spool;  /* the file of what is pruned, under way */
    struct buf pending; /* lines that are in no file yet */
    uint64_t objects;
    bool spooled; /* there is a file */
    bool seen;
};

struct snapshot {
    struct fleet_tap tap;
    char *path;
    char *work;           /* beside it */
    int work_fd;          /* holds it; -1: there is none */
    unsigned n_leftovers; /* of killed runs, that were removed */
    struct arena *arena;
    struct pruner *pruner;
    bool redact;
    VEC_OF(struct snapshot_list) lists;
    struct map *by_place; /* "member/file" -> index into lists, and one */
    struct buf text;
    struct error failure; /* the first one */
};

/* work/A[/B[/C]], as long as it is, in the snapshot's memory. */
const char *snapshot_path(const struct snapshot *snapshot, const char *a, const char *b,
                          const char *c);
/* One that is there already is fine. */
bool snapshot_make_directory(const char *path, struct error *err);

/* A path without slashes at its end, with `suffix` behind it; the directory that its last name is
 * in. The caller frees them. */
char *snapshot_copy_path(const char *path, const char *suffix);
char *snapshot_parent(const char *path);

/* Makes and holds the directory of work, after those that nobody holds any more are removed. */
bool snapshot_open_work(struct snapshot *snapshot, struct error *err);
void snapshot_close_work(struct snapshot *snapshot);
/* Sees to it that a directory with all that is in it is on disk, and that a name is. */
bool snapshot_sync(const char *path, struct error *err);
bool snapshot_sync_name(const char *path, struct error *err);

/* The list for objects of a kind, added when it is new. */
struct snapshot_list *snapshot_find_list(struct snapshot *snapshot, const char *member,
                                         const char *kind);
/* Puts what is pending into the spool; what goes wrong is snapshot->failure. */
void snapshot_flush(struct snapshot *snapshot, struct snapshot_list *list);

#endif
