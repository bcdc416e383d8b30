/* SPDX-License-Identifier: Apache-2.0
 *
 * Temporary directories.
 */
#include "temp_dir.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct temp_dir
temp_dir_make(void)
{
    struct temp_dir dir = {.path = "/tmp/ballast-test-XXXXXX"};

    if (mkdtemp(dir.path) == NULL) {
        perror(dir.path);
        abort();
    }
    return dir;
}

static int
remove_one(const char *path, const struct stat *info, int flag, struct FTW *where)
{
    (void)info;
    (void)flag;
    (void)where;
    return remove(path);
}

void
temp_dir_remove(struct temp_dir *dir)
{
    nftw(dir->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *
temp_path(const struct temp_dir *dir, const char *name)
{
    static char paths[8][256];
    static unsigned next;
    char *path = paths[next++ % 8];

    snprintf(path, sizeof(paths[0]), "%s/%s", dir->path, name);
    return path;
}

const char *
temp_write(const struct temp_dir *dir, const char *name, const char *text, mode_t mode)
{
    const char *path = temp_path(dir, name);

    for (const char *c = strchr(name, '/'); c != NULL; c = strchr(c + 1, '/')) {
        char parent[256];

        snprintf(parent, sizeof(parent), "%s/%.*s", dir->path, (int)(c - name), name);
        mkdir(parent, 0700);
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    size_t length = strlen(text);

    if (fd < 0 || write(fd, text, length) != (ssize_t)length) {
        perror(path);
        abort();
    }
    close(fd);
    return path;
}
