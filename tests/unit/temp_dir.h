/* SPDX-License-Identifier: Apache-2.0
 *
 * A directory of a test's own, with everything in it removed at the end.
 */
#ifndef BALLAST_TEMP_DIR_H
#define BALLAST_TEMP_DIR_H

#include <sys/types.h>

struct temp_dir {
    char path[64];
};

struct temp_dir temp_dir_make(void);
void temp_dir_remove(struct temp_dir *dir);
/* "<dir>/<name>", in a buffer that lives until the next 8 calls. */
const char *temp_path(const struct temp_dir *dir, const char *name);
/* Writes a file and gives its path. Directories in `name` are made. */
const char *temp_write(const struct temp_dir *dir, const char *name, const char *text, mode_t mode);

#endif
