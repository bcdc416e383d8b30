/* SPDX-License-Identifier: Apache-2.0
 *
 * The directory in which a snapshot is written until it is whole: DIR.partial-XXXXXX, beside DIR.
 * It is held locked, and the kernel lets go of a lock when its holder is gone: so the next snapshot
 * of that name knows what a killed one left behind from what is under way, and removes it. Where
 * there are no locks nothing is removed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ballast/base/str.h"
#include "snapshot_parts.h"

#define OPEN_FILES_MAX 16 /* of a walk */
#define MARK ".partial-"
#define RANDOM "XXXXXX"
#define TRIES 8

static int
remove_entry(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info;
    (void)type;
    (void)at;
    remove(path); /* entries that cannot be removed stay */
    return 0;
}

static void
remove_tree(const char *path)
{
    nftw(path, remove_entry, OPEN_FILES_MAX, FTW_DEPTH | FTW_PHYS);
}

/* --- on disk --- */

static int
sync_entry(const char *path, const struct stat *info, int type, struct FTW *at)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int failure;

    (void)info;
    (void)at;
    if (fd < 0) {
        return errno;
    }
    /* some file systems cannot sync a directory: EINVAL */
    failure = fsync(fd) == 0 || (type == FTW_D && errno == EINVAL) ? 0 : errno;
    close(fd);
    return failure;
}

bool
snapshot_sync(const char *path, struct error *err)
{
    int failure = nftw(path, sync_entry, OPEN_FILES_MAX, FTW_PHYS);

    return failure == 0 || error_set_errno(err, failure > 0 ? failure : errno, "%s", path);
}

bool
snapshot_sync_name(const char *path, struct error *err)
{
    char *parent = snapshot_parent(path);
    struct stat info;
    int failure = stat(parent, &info) != 0 ? errno : sync_entry(parent, &info, FTW_D, NULL);

    if (failure != 0) {
        error_set_errno(err, failure, "%s", parent);
    }
    free(parent);
    return failure == 0;
}

/* --- what killed runs left --- */

static bool
is_same_file(int fd, const char *path)
{
    struct stat open_one, named;

    return fstat(fd, &open_one) == 0 && lstat(path, &named) == 0 &&
           open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}

static bool
is_ours(int fd)
{
    struct stat info;

    return fstat(fd, &info) == 0 && info.st_uid == geteuid();
}

/* Removes the directory unless a process holds it. */
static bool
remove_leftover(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    bool is_left = fd >= 0 && is_ours(fd) && flock(fd, LOCK_EX | LOCK_NB) == 0;

    if (is_left) {
        remove_tree(path);
    }
    if (fd >= 0) {
        close(fd);
    }
    return is_left;
}

/* NAME.partial-XXXXXX, with any six letters or digits. */
static bool
is_partial(const char *entry, const char *name)
{
    size_t length = strlen(name);
    const char *random = entry + length + strlen(MARK);

    return strlen(entry) == length + strlen(MARK RANDOM) && strncmp(entry, name, length) == 0 &&
           strncmp(entry + length, MARK, strlen(MARK)) == 0 && strpbrk(random, "./") == NULL;
}

static unsigned
remove_leftovers(const char *path)
{
    char *parent = snapshot_parent(path);
    const char *slash = strrchr(path, '/');
    DIR *directory = opendir(parent);
    const struct dirent *entry;
    unsigned count = 0;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        if (is_partial(entry->d_name, slash != NULL ? slash + 1 : path)) {
            char *found = str_print("%s/%s", parent, entry->d_name);

            count += remove_leftover(found) ? 1 : 0;
            free(found);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    free(parent);
    return count;
}

/* --- the directory --- */

/* Another run may find the directory before it is locked, and remove it. */
static bool
hold(struct snapshot *snapshot)
{
    int fd = open(snapshot->work, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    bool held = fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
                is_same_file(fd, snapshot->work);

    if (held) {
        snapshot->work_fd = fd;
    } else if (fd >= 0) {
        close(fd);
    }
    return held;
}

bool
snapshot_open_work(struct snapshot *snapshot, struct error *err)
{
    snapshot->n_leftovers = remove_leftovers(snapshot->path);
    for (int i = 0; i < TRIES; i++) {
        char *work = snapshot_copy_path(snapshot->path, MARK RANDOM);

        if (mkdtemp(work) == NULL) {
            error_set_errno(err, errno, "%s", work);
            free(work);
            return false;
        }
        free(snapshot->work);
        snapshot->work = work;
        if (hold(snapshot)) {
            return snapshot_make_directory(snapshot_path(snapshot, "spool", "", ""), err);
        }
        rmdir(work);
    }
    return error_set(err, ERROR_IO, "%s: it is removed again and again", snapshot->work);
}

void
snapshot_close_work(struct snapshot *snapshot)
{
    if (snapshot->work_fd >= 0) {
        remove_tree(snapshot->work);
        close(snapshot->work_fd);
    }
    free(snapshot->work);
}
