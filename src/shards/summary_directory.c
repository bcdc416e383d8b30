/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries as files of a directory.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ballast/base/file_replace.h"
#include "ballast/base/hash.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/shards/summary_carrier.h"

#define SUFFIX ".summary"
#define PAUSE (NANOS_PER_SECOND / 5)

/* Changes with the file: writers replace files and never write into them. */
static uint64_t
version_of(const char *path)
{
    static const struct hash_key key = {0, 0};
    struct stat info;

    if (stat(path, &info) != 0) {
        return 0;
    }
    const int64_t state[] = {(int64_t)info.st_ino, info.st_size, info.st_mtim.tv_sec,
                             info.st_mtim.tv_nsec};

    return hash_bytes(&key, state, sizeof(state));
}

static char *
path_in(const char *directory, struct shard shard)
{
    return str_print("%s/%u-of-%u" SUFFIX, directory, (unsigned)shard.index, (unsigned)shard.count);
}

static bool
list(void *context, void (*found)(void *found_context, const struct carried_summary *summary),
     void *found_context, struct error *err)
{
    const char *path = context;
    DIR *directory = opendir(path);
    const struct dirent *entry;

    if (directory == NULL) {
        return errno == ENOENT || error_set_errno(err, errno, "%s", path);
    }
    while ((entry = readdir(directory)) != NULL) {
        struct carried_summary summary = {.name = entry->d_name};
        const char *rest = shard_scan(entry->d_name, &summary.shard);

        if (rest != NULL && str_eq(rest, SUFFIX)) {
            char *file = path_in(path, summary.shard);

            summary.version = version_of(file);
            free(file);
            found(found_context, &summary);
        }
    }
    closedir(directory);
    return true;
}

static char *
read_file(void *context, const struct carried_summary *summary, size_t most, size_t *ret_length,
          struct error *err)
{
    char *path = path_in(context, summary->shard);

    errno = 0;
    char *text = file_read_head(path, most + 1, ret_length);

    free(path);
    if (text == NULL) {
        error_set(err, ERROR_IO, "%s", errno != 0 ? strerror(errno) : "it is no regular file");
        return NULL;
    }
    if (*ret_length > most) {
        error_set(err, ERROR_LIMIT, "it has more than %zu bytes", most);
        free(text);
        return NULL;
    }
    char *shrunk = realloc(text, *ret_length + 1);

    if (shrunk != NULL) {
        text = shrunk;
    }
    return text;
}

static const char *
put(void *context, struct arena *arena, struct shard shard, const struct buf *summary,
    struct error *err)
{
    const char *directory = context;
    char *file = path_in(directory, shard);
    const char *path = arena_strndup(arena, file, strlen(file));

    free(file);
    if (mkdir(directory, 0700) != 0 && errno != EEXIST) {
        error_set_errno(err, errno, "%s", directory);
        return NULL;
    }
    return file_replace(path, buf_text(summary), summary->length, 0600, err) ? path : NULL;
}

struct summary_carrier
summary_directory(const char *path)
{
    return (struct summary_carrier){.context = (void *)(uintptr_t)path,
                                    .place = path,
                                    .pause = PAUSE,
                                    .list = list,
                                    .read = read_file,
                                    .put = put};
}
