/* SPDX-License-Identifier: Apache-2.0
 *
 * A directory's files by their names, which sort by time.
 */
#include "ballast/record/record_store.h"
#include "ballast/base/wide.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ballast/base/file_open.h"
#include "ballast/base/file_replace.h"
#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/text_input.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"

#define SUFFIX ".json"
#define READABLE 0640   /* cut by the umask */
#define SEARCHABLE 0750 /* cut by the umask */
#define ID_PATTERN                                                                                 \
    "dddddddd" /* 20260301 */                                                                      \
    "T"                                                                                            \
    "dddddd" /* 120000 */                                                                          \
    "Z-"                                                                                           \
    "xxxxxxxxxxxxxxxx"
#define ID_LENGTH (sizeof(ID_PATTERN) - 1)

typedef VEC_OF(char *) name_vec;

const char *
record_id_new(struct arena *arena, const struct clock *clock)
{
    char time[TIMESTAMP_TEXT_MAX], compact[TIMESTAMP_TEXT_MAX];
    size_t length = 0;

    const int64_t wall = clock->wall(clock->context);

    timestamp_format_seconds(wall, time);
    for (const char *c = time; *c != '\0'; c++) {
        if (*c != '-' && *c != ':') {
            compact[length++] = *c;
        }
    }
    compact[length] = '\0';
    /* ids of one second sort by time too */
    return arena_printf(arena, "%s-%08x%08x", compact, pin_uint32(wall % NANOS_PER_SECOND),
                        (unsigned)clock->random(clock->context));
}

static const char *
record_path(struct arena *arena, const char *directory, const char *id)
{
    size_t length = strlen(directory);
    bool has_slash = length > 0 && directory[length - 1] == '/';

    return arena_printf(arena, "%s%s%s" SUFFIX, directory, has_slash ? "" : "/", id);
}

/* --- writing --- */

static bool
put_record(const char *directory, const struct record *record, bool is_new, struct error *err)
{
    struct arena *arena = arena_new();
    const char *path = record_path(arena, directory, record->id);
    struct buf text;
    bool done;

    buf_init(&text, RECORD_BYTES_MAX);
    record_encode(record, &text);
    if (text.overflowed) {
        done = error_set(err, ERROR_LIMIT,
                         "the record would be larger than %zu bytes: change fewer bindings in a "
                         "run (--max-bindings-changed)",
                         RECORD_BYTES_MAX);
    } else if (is_new) {
        done = file_create(path, buf_text(&text), text.length, READABLE, err);
    } else {
        done = file_renew(path, buf_text(&text), text.length, err);
    }
    buf_release(&text);
    arena_free(arena);
    return done;
}

static bool
create(void *context, const struct record *record, struct error *err)
{
    const char *directory = context;

    if (mkdir(directory, SEARCHABLE) != 0 && errno != EEXIST) {
        return file_fail(err, "making the directory", directory);
    }
    return put_record(directory, record, true, err);
}

static bool
replace(void *context, const struct record *record, struct error *err)
{
    return put_record(context, record, false, err);
}

/* --- existing records --- */

static bool
is_of_pattern(char c, char pattern)
{
    switch (pattern) {
    case 'd':
        return c >= '0' && c <= '9';
    case 'x':
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    default:
        return c == pattern;
    }
}

bool
record_id_is_fine(const char *text, size_t length)
{
    if (length != ID_LENGTH) {
        return false;
    }
    for (size_t i = 0; i < ID_LENGTH; i++) {
        if (!is_of_pattern(text[i], ID_PATTERN[i])) {
            return false;
        }
    }
    return true;
}

int64_t
record_id_time(const char *id)
{
    char text[TIMESTAMP_TEXT_MAX];
    int64_t nanos;

    if (!record_id_is_fine(id, strlen(id))) {
        return TIME_NONE;
    }
    text_print(text, sizeof(text), "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", id, id + 4, id + 6, id + 9,
               id + 11, id + 13);
    return timestamp_parse(text, &nanos) ? nanos : TIME_NONE;
}

static bool
is_record_name(const char *name)
{
    return strlen(name) == ID_LENGTH + strlen(SUFFIX) && str_eq(name + ID_LENGTH, SUFFIX) &&
           record_id_is_fine(name, ID_LENGTH);
}

static int
name_cmp(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lists the names of the records, oldest first. */
static bool
list_names(const char *directory, name_vec *names, struct error *err)
{
    DIR *dir = opendir(directory);

    if (dir == NULL) {
        return file_fail(err, "opening", directory);
    }
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (is_record_name(entry->d_name)) {
            vec_add(names, str_print("%s", entry->d_name));
        }
    }
    closedir(dir);
    if (names->count > 0) {
        qsort(names->items, names->count, sizeof(*names->items), name_cmp);
    }
    return true;
}

static void
release_names(name_vec *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->items[i]);
    }
    vec_free(names);
}

static uint32_t
prune(void *context, uint32_t keep)
{
    const char *directory = context;
    struct error ignored = ERROR_INIT;
    name_vec names = VEC_INIT;
    uint32_t removed = 0;

    if (keep > 0 && list_names(directory, &names, &ignored)) {
        for (size_t i = 0; i + keep < names.count; i++) {
            char *path = str_print("%s/%s", directory, names.items[i]);

            removed += unlink(path) == 0 ? 1 : 0;
            free(path);
        }
    }
    release_names(&names);
    return removed;
}

static bool
list(void *context, struct arena *arena, struct str_list *ret, struct error *err)
{
    name_vec names = VEC_INIT;
    bool done = list_names(context, &names, err);
    const char **ids = ARENA_ARRAY(arena, const char *, names.count);

    for (size_t i = 0; i < names.count; i++) {
        ids[i] = arena_strndup(arena, names.items[i], ID_LENGTH);
    }
    *ret = (struct str_list){.items = ids, .count = pin_uint32(names.count), .present = done};
    release_names(&names);
    return done;
}

const char *
record_latest(const struct record_store *store, struct arena *arena, struct error *err)
{
    struct str_list ids;

    if (!store->list(store->context, arena, &ids, err)) {
        return NULL;
    }
    if (ids.count == 0) {
        error_set(err, ERROR_NOT_FOUND, "there is no record in %s", store->place);
        return NULL;
    }
    return ids.items[ids.count - 1];
}

/* --- reading --- */

const struct record *
record_read(struct arena *arena, const char *path, struct error *err)
{
    int fd = file_open_regular(path, path, err);
    const struct record *record = NULL;
    struct buf text;

    if (fd < 0) {
        return NULL;
    }
    buf_init(&text, RECORD_BYTES_MAX);
    if (text_input_all(fd, path, &text, err)) {
        record = record_decode(arena, buf_text(&text), text.length, err);
        if (record == NULL) {
            error_wrap(err, "%s", path);
        }
    }
    buf_release(&text);
    close(fd);
    return record;
}

static const struct record *
read_named(void *context, struct arena *arena, const char *id, struct error *err)
{
    return record_read(arena, record_path(arena, context, id), err);
}

static const char *
name(void *context, struct arena *arena, const char *id)
{
    return record_path(arena, context, id);
}

struct record_store
record_directory(const char *directory)
{
    return (struct record_store){.context = (char *)(uintptr_t)directory,
                                 .place = directory,
                                 .create = create,
                                 .replace = replace,
                                 .prune = prune,
                                 .list = list,
                                 .read = read_named,
                                 .name = name};
}
