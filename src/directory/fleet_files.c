/* SPDX-License-Identifier: Apache-2.0
 *
 * Which files a fleet consists of: control-plane/ and members/NAME/, in the
 * order of their names, so that nothing depends on the order in which a file
 * system lists them.
 */
#include "fleet_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ballast/base/file_open.h"
#include "ballast/base/heap.h"
#include "ballast/base/str.h"

#define LAYOUT "want control-plane/*.{json,yaml,yml} and members/NAME/*.{json,yaml,yml}"

struct file_names {
    VEC_OF(char *) list;
};

static char *
join(const char *directory, const char *name)
{
    return str_print("%s/%s", directory, name);
}

static int
name_cmp(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
names_release(struct file_names *names)
{
    for (size_t i = 0; i < names->list.count; i++) {
        free(names->list.items[i]);
    }
    vec_free(&names->list);
}

/* Lists the visible entries of a directory, sorted. */
static bool
list_names(const char *path, struct file_names *ret, struct error *err)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;

    if (dir == NULL) {
        return error_set_errno(err, errno, "%s", path);
    }
    errno = 0;
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] != '.') {
            vec_add(&ret->list, heap_text(entry->d_name));
        }
        errno = 0;
    }
    int failure = errno;

    closedir(dir);
    if (ret->list.count > 1) {
        qsort(ret->list.items, ret->list.count, sizeof(char *), name_cmp);
    }
    return failure == 0 || error_set_errno(err, failure, "%s", path);
}

static bool
is_directory(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* True if text[0..*length) has the ending, in either case. Then cuts it off. */
static bool
take_ending(const char *text, size_t *length, const char *ending)
{
    size_t of_ending = strlen(ending);

    if (*length < of_ending || strncasecmp(text + *length - of_ending, ending, of_ending) != 0) {
        return false;
    }
    *length -= of_ending;
    return true;
}

static enum file_format
format_of(const char *name)
{
    size_t length = strlen(name);

    take_ending(name, &length, ".gz");
    if (take_ending(name, &length, ".json")) {
        return FORMAT_JSON;
    }
    return take_ending(name, &length, ".yaml") || take_ending(name, &length, ".yml")
               ? FORMAT_YAML
               : FORMAT_BY_CONTENT;
}

/* Lists every JSON and YAML file in the directory. Keeps a name that stat() refuses, so that
 * reading it reports the error. */
static bool
list_objects(struct fleet_directory *directory, const char *path, const char *label,
             const char *member, struct error *err)
{
    struct file_names names = {.list = VEC_INIT};
    bool done = list_names(path, &names, err);

    for (size_t i = 0; i < names.list.count && done; i++) {
        const char *name = names.list.items[i];
        enum file_format format = format_of(name);
        char *file_path = join(path, name);

        if (format == FORMAT_BY_CONTENT || is_directory(file_path)) {
            free(file_path);
            continue;
        }
        struct fleet_file file = {.path = file_path,
                                  .label = join(label, name),
                                  .member = heap_text(member),
                                  .format = format};

        vec_add(&directory->files, file);
    }
    names_release(&names);
    return done;
}

static bool
list_members(struct fleet_directory *directory, const char *path, struct error *err)
{
    struct file_names names = {.list = VEC_INIT};
    bool done = list_names(path, &names, err);

    for (size_t i = 0; i < names.list.count && done; i++) {
        const char *name = names.list.items[i];
        char *member_path = join(path, name);
        char *label = join("members", name);

        if (member_choice_has(&directory->choice, name) && is_directory(member_path)) {
            vec_add(&directory->members, heap_text(name));
            done = list_objects(directory, member_path, label, name, err);
        }
        free(member_path);
        free(label);
    }
    names_release(&names);
    return done;
}

static bool
fail_layout(const struct fleet_directory *directory, struct error *err)
{
    struct file_names names = {.list = VEC_INIT};

    if (!list_names(directory->path, &names, err)) {
        return false;
    }
    bool is_empty = names.list.count == 0;

    names_release(&names);
    return error_set(err, ERROR_NOT_FOUND, "%s: %s; " LAYOUT, directory->path,
                     is_empty ? "the directory is empty" : "there is no control-plane/ in it");
}

static bool
list_directory(struct fleet_directory *directory, struct error *err)
{
    char *control_plane = join(directory->path, "control-plane");
    char *members = join(directory->path, "members");
    bool done = is_directory(control_plane)
                    ? list_objects(directory, control_plane, "control-plane", "", err)
                    : fail_layout(directory, err);

    if (done && directory->files.count == 0) {
        done = error_set(err, ERROR_NOT_FOUND,
                         "%s: no file in it ends in .json, .yaml, .yml, or one of these and .gz",
                         control_plane);
    }
    if (done && is_directory(members)) {
        done = list_members(directory, members, err);
    }
    free(control_plane);
    free(members);
    return done;
}

static void
fleet_files_forget(struct fleet_directory *directory)
{
    for (size_t i = 0; i < directory->files.count; i++) {
        free(directory->files.items[i].path);
        free(directory->files.items[i].label);
        free(directory->files.items[i].member);
    }
    vec_free(&directory->files);
    for (size_t i = 0; i < directory->members.count; i++) {
        free(directory->members.items[i]);
    }
    vec_free(&directory->members);
    vec_free(&directory->sources);
    directory->highest_version = 0;
}

bool
fleet_files_list(struct fleet_directory *directory, struct error *err)
{
    fleet_files_forget(directory);
    if (directory->shape == FLEET_IN_DIRECTORY) {
        return list_directory(directory, err);
    }
    bool is_stdin = directory->shape == FLEET_ON_STDIN;
    struct fleet_file file = {.path = heap_text(directory->path),
                              .label = heap_text(is_stdin ? "standard input" : directory->path),
                              .member = heap_text(""),
                              .format = format_of(directory->path)};

    vec_add(&directory->files, file);
    return true;
}

bool
fleet_files_read(struct fleet_directory *directory, size_t file, const struct file_reader *reader,
                 char **ret_list_kind, struct error *err)
{
    struct fleet_file *of = &directory->files.items[file];
    bool is_stdin = directory->shape == FLEET_ON_STDIN;
    int fd = is_stdin ? STDIN_FILENO : file_open_named(of->path, of->label, err);

    if (fd < 0) {
        return false;
    }
    bool done = fleet_file_read(of, fd, reader, ret_list_kind, err);

    if (!is_stdin) {
        close(fd);
    }
    return done;
}

struct fleet_directory *
fleet_directory_open(const char *path, struct error *err)
{
    bool is_stdin = str_eq(path, "-");
    struct stat info;

    if (!is_stdin && stat(path, &info) != 0) {
        int failure = errno;

        if (failure == ENOENT) {
            error_set(err, ERROR_NOT_FOUND,
                      "%s: no such file or directory; want a fleet directory (with control-plane/ "
                      "in it), a JSON or YAML file, or - for standard input",
                      path);
        } else {
            error_set_errno(err, failure, "%s", path);
        }
        return NULL;
    }
    struct fleet_directory *directory = heap_new(1, sizeof(*directory));

    directory->path = heap_text(path);
    directory->maximum = FLEET_JSON_MAX;
    directory->shape = is_stdin                ? FLEET_ON_STDIN
                       : S_ISDIR(info.st_mode) ? FLEET_IN_DIRECTORY
                                               : FLEET_IN_FILE;
    return directory;
}

void
fleet_directory_close(struct fleet_directory *directory)
{
    if (directory == NULL) {
        return;
    }
    fleet_files_forget(directory);
    free(directory->path);
    free(directory);
}
