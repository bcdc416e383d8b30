/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects into files as they pass by. Each list of a kind is a file of lines
 * under way ("spool"), which holds marks in the place of names that are to be
 * replaced; when all is read, the files of the fleet directory are made of them
 * (snapshot_write.c).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ballast/base/file_replace.h"
#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "snapshot_parts.h"

#define PENDING_MAX ((size_t)32 << 10)

/* --- files --- */

const char *
snapshot_path(const struct snapshot *snapshot, const char *a, const char *b, const char *c)
{
    return arena_printf(snapshot->arena, "%s/%s%s%s%s%s", snapshot->work, a,
                        str_is_empty(b) ? "" : "/", b, str_is_empty(c) ? "" : "/", c);
}

bool
snapshot_make_directory(const char *path, struct error *err)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST || error_set_errno(err, errno, "%s", path);
}

static bool
append_file(const char *path, const struct buf *text, struct error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd < 0) {
        return error_set_errno(err, errno, "%s", path);
    }
    bool done = file_write_all(fd, buf_text(text), text->length);
    int failure = errno;

    if (close(fd) != 0 && done) {
        failure = errno;
        done = false;
    }
    return done || error_set_errno(err, failure, "%s", path);
}

/* --- the tap --- */

struct snapshot_list *
snapshot_find_list(struct snapshot *snapshot, const char *member, const char *kind)
{
    struct prune_target target = prune_target(kind);
    const char *key = arena_printf(snapshot->arena, "%s/%s", member, target.file);
    void **slot = map_put_str(snapshot->by_place, key, NULL);

    if (*slot == NULL) {
        struct snapshot_list *list = vec_push(&snapshot->lists);

        list->member = arena_strndup(snapshot->arena, member, strlen(member));
        list->target = target;
        list->spool =
            arena_printf(snapshot->arena, "%s/spool/%zu", snapshot->work, snapshot->lists.count);
        buf_init(&list->pending, SNAPSHOT_TEXT_MAX);
        *slot = (void *)(uintptr_t)snapshot->lists.count;
    }
    return &snapshot->lists.items[(uintptr_t)*slot - 1];
}

void
snapshot_flush(struct snapshot *snapshot, struct snapshot_list *list)
{
    if (snapshot->failure.code == ERROR_NONE && list->pending.length > 0) {
        list->spooled = true;
        append_file(list->spool, &list->pending, &snapshot->failure);
    }
    buf_clear(&list->pending);
}

static void
forget_list(struct snapshot_list *list)
{
    if (list->spooled) {
        unlink(list->spool);
    }
    buf_clear(&list->pending);
    list->objects = 0;
    list->seen = list->spooled = false;
}

static void
on_begin(void *context)
{
    struct snapshot *snapshot = context;

    for (size_t i = 0; i < snapshot->lists.count; i++) {
        forget_list(&snapshot->lists.items[i]);
    }
    pruner_free(snapshot->pruner);
    snapshot->pruner = pruner_new(snapshot->redact);
}

static void
on_object(void *context, const struct fleet_object *object)
{
    struct snapshot *snapshot = context;
    struct snapshot_list *list = snapshot_find_list(snapshot, object->member, object->kind);

    prune_object(snapshot->pruner, object, &list->pending);
    buf_append_char(&list->pending, '\n');
    list->objects++;
    list->seen = true;
    if (list->pending.overflowed && snapshot->failure.code == ERROR_NONE) {
        error_set(&snapshot->failure, ERROR_LIMIT, "an object is too long");
    }
    if (list->pending.length >= PENDING_MAX) {
        snapshot_flush(snapshot, list);
        buf_release(&list->pending);
        buf_init(&list->pending, SNAPSHOT_TEXT_MAX);
    }
}

static void
on_saw(void *context, const char *member, enum member_part part)
{
    snapshot_find_list(context, member, prune_part_kind(part))->seen = true;
}

static void
on_forget(void *context, const char *member, enum member_part part)
{
    forget_list(snapshot_find_list(context, member, prune_part_kind(part)));
}

const struct fleet_tap *
snapshot_tap(const struct snapshot *snapshot)
{
    return &snapshot->tap;
}

/* --- beginning --- */

static bool
is_empty(DIR *directory)
{
    const struct dirent *entry;

    while ((entry = readdir(directory)) != NULL) {
        if (!str_eq(entry->d_name, ".") && !str_eq(entry->d_name, "..")) {
            return false;
        }
    }
    return true;
}

/* Accepts a missing or an empty directory. */
static bool
check_free(const char *path, struct error *err)
{
    DIR *directory = opendir(path);

    if (directory == NULL) {
        return errno == ENOENT || error_set_errno(err, errno, "%s", path);
    }
    bool empty = is_empty(directory);

    closedir(directory);
    return empty || error_set(err, ERROR_INVALID, "%s: the directory is not empty", path);
}

static size_t
length_of_path(const char *path)
{
    size_t length = strlen(path);

    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    return length;
}

char *
snapshot_copy_path(const char *path, const char *suffix)
{
    return str_print("%.*s%s", pin_width(length_of_path(path)), path, suffix);
}

char *
snapshot_parent(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL) {
        return heap_text(".");
    }
    return str_print("%.*s", slash == path ? 1 : pin_width(slash - path), path);
}

struct snapshot *
snapshot_begin(const char *path, bool redact, struct error *err)
{
    struct snapshot *snapshot = heap_new(1, sizeof(*snapshot));

    snapshot->tap = (struct fleet_tap){.context = snapshot,
                                       .begin = on_begin,
                                       .object = on_object,
                                       .saw = on_saw,
                                       .forget = on_forget};
    snapshot->path = snapshot_copy_path(path, "");
    snapshot->work_fd = -1;
    snapshot->arena = arena_new();
    snapshot->by_place = map_new();
    snapshot->redact = redact;
    snapshot->pruner = pruner_new(redact);
    buf_init(&snapshot->text, SNAPSHOT_TEXT_MAX);
    if (!check_free(snapshot->path, err) || !snapshot_open_work(snapshot, err)) {
        snapshot_free(snapshot);
        return NULL;
    }
    return snapshot;
}

unsigned
snapshot_leftovers(const struct snapshot *snapshot)
{
    return snapshot->n_leftovers;
}

uint64_t
snapshot_objects(const struct snapshot *snapshot)
{
    uint64_t objects = 0;

    for (size_t i = 0; i < snapshot->lists.count; i++) {
        objects += snapshot->lists.items[i].objects;
    }
    return objects;
}

void
snapshot_free(struct snapshot *snapshot)
{
    if (snapshot == NULL) {
        return;
    }
    snapshot_close_work(snapshot);
    for (size_t i = 0; i < snapshot->lists.count; i++) {
        buf_release(&snapshot->lists.items[i].pending);
    }
    vec_free(&snapshot->lists);
    map_free(snapshot->by_place);
    pruner_free(snapshot->pruner);
    arena_free(snapshot->arena);
    buf_release(&snapshot->text);
    free(snapshot->path);
    free(snapshot);
}
