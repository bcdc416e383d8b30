/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that are replaced in one step.
 */
#include "ballast/base/file_replace.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "temp_dir.h"

static void
check_content(const char *path, const char *want)
{
    size_t length = 0;
    char *text = file_read_head(path, 100, &length);

    if (CHECK_MSG(text != NULL, "%s is not there", path)) {
        CHECK_STR(text, want);
        CHECK_INT(length, strlen(want));
    }
    free(text);
}

/* How many files are hidden in the directory. */
static int
count_hidden(const struct temp_dir *dir)
{
    DIR *listing = opendir(dir->path);
    const struct dirent *entry;
    int count = 0;

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        count += strstr(entry->d_name, ".ballast-new") != NULL ? 1 : 0;
    }
    if (listing != NULL) {
        closedir(listing);
    }
    return count;
}

/* As a run that was killed so many seconds ago left it. */
static void
leave_behind(const struct temp_dir *dir, const char *name, time_t seconds)
{
    const struct timespec then = {.tv_sec = time(NULL) - seconds};
    const struct timespec times[] = {then, then};

    CHECK_INT(utimensat(AT_FDCWD, temp_write(dir, name, "half", 0644), times, 0), 0);
}

static void
test_replace(void)
{
    struct temp_dir dir = temp_dir_make();
    const char *path = temp_path(&dir, "m.prom"), *link = temp_path(&dir, "link.prom");
    struct error err = ERROR_INIT;
    struct stat info;
    mode_t before = umask(077);

    CHECK_OK(file_replace(path, "one\n", 4, 0644, &err), err);
    check_content(path, "one\n");
    CHECK_INT(stat(path, &info), 0);
    CHECK_INT(info.st_mode & 07777, 0644); /* whatever the umask is */
    const ino_t first = info.st_ino;

    CHECK_INT(symlink("m.prom", link), 0);
    leave_behind(&dir, ".m.prom.ballast-new", 2L * 3600);
    leave_behind(&dir, ".m.prom.ballast-new-0123456789abcdef", 2L * 3600);
    leave_behind(&dir, ".m.prom.ballast-new-1", 60); /* somebody may be at it */
    leave_behind(&dir, ".n.prom.ballast-new-1", 2L * 3600);
    CHECK_OK(file_replace(link, "two", 3, 0644, &err), err);
    check_content(path, "two");
    CHECK_INT(stat(path, &info), 0);
    CHECK(info.st_ino != first); /* whoever reads the old one reads it to its end */
    CHECK_INT(lstat(link, &info), 0);
    CHECK(S_ISLNK(info.st_mode));
    CHECK_INT(count_hidden(&dir), 2);
    CHECK_INT(access(temp_path(&dir, ".m.prom.ballast-new-1"), F_OK), 0);
    CHECK_INT(access(temp_path(&dir, ".n.prom.ballast-new-1"), F_OK), 0);
    umask(before);
    temp_dir_remove(&dir);
}

static void
test_refused(void)
{
    struct temp_dir dir = temp_dir_make();
    const char *fifo = temp_path(&dir, "fifo");
    struct error err = ERROR_INIT;
    size_t length;

    CHECK_INT(mkfifo(fifo, 0600), 0);
    CHECK(!file_replace(fifo, "x", 1, 0644, &err));
    CHECK_CONTAINS(err.message, "fifo: it is there, and is no regular file");
    CHECK(file_read_head(fifo, 100, &length) == NULL);
    CHECK(!file_replace("/dev/null", "x", 1, 0644, &err));
    CHECK(!file_replace(dir.path, "x", 1, 0644, &err));
    CHECK(!file_replace(temp_path(&dir, "no/such/place"), "x", 1, 0644, &err));
    CHECK_CONTAINS(err.message, "no/such/place: No such file or directory");
    CHECK(file_read_head(temp_path(&dir, "absent"), 100, &length) == NULL);
    temp_dir_remove(&dir);
}

static void
test_create(void)
{
    struct temp_dir dir = temp_dir_make();
    const char *path = temp_path(&dir, "r.json"), *link = temp_path(&dir, "link.json");
    struct error err = ERROR_INIT;
    struct stat info;
    mode_t before = umask(027);

    leave_behind(&dir, ".r.json.ballast-new", 2L * 3600);
    CHECK(!file_renew(path, "none", 4, &err));
    CHECK_INT(err.code, ERROR_NOT_FOUND);
    CHECK_OK(file_create(path, "one", 3, 0666, &err), err);
    CHECK_INT(stat(path, &info), 0);
    CHECK_INT(info.st_mode & 07777, 0640); /* as the umask has it, whatever was left */
    CHECK_INT(info.st_nlink, 1);
    CHECK(!file_create(path, "two", 3, 0666, &err));
    CHECK_INT(err.code, ERROR_CONFLICT);
    CHECK_CONTAINS(err.message, "r.json: it is there already");
    check_content(path, "one");
    CHECK_INT(count_hidden(&dir), 0);

    CHECK_INT(chmod(path, 0604), 0);
    CHECK_OK(file_renew(path, "three", 5, &err), err);
    check_content(path, "three");
    CHECK_INT(stat(path, &info), 0);
    CHECK_INT(info.st_mode & 07777, 0604); /* as somebody wants it */

    CHECK_INT(symlink("r.json", link), 0);
    CHECK(!file_renew(link, "four", 4, &err));
    CHECK_CONTAINS(err.message, "link.json: it is there, and is no regular file");
    CHECK(!file_create(link, "four", 4, 0640, &err));
    check_content(path, "three");
    umask(before);
    temp_dir_remove(&dir);
}

#define N_WRITERS 8
#define N_WRITES 40
#define LARGE 100000

struct writer {
    const char *path;
    char *bytes; /* LARGE of one letter */
    int n_failed;
    struct error err;
};

static void *
write_often(void *context)
{
    struct writer *writer = context;

    for (int i = 0; i < N_WRITES; i++) {
        if (!file_replace(writer->path, writer->bytes, LARGE, 0600, &writer->err)) {
            writer->n_failed++;
        }
    }
    return NULL;
}

static void
check_whole(const char *path)
{
    size_t length = 0;
    char *text = file_read_head(path, LARGE + 1, &length);

    if (text == NULL || length != LARGE) {
        CHECK_MSG(false, "of %zu bytes", length);
    } else {
        CHECK_INT(strspn(text, (char[]){text[0], '\0'}), LARGE);
    }
    free(text);
}

static void
test_at_once(void)
{
    struct temp_dir dir = temp_dir_make();
    const char *path = temp_path(&dir, "shared");
    struct writer writers[N_WRITERS];
    pthread_t threads[N_WRITERS];

    for (int i = 0; i < N_WRITERS; i++) {
        writers[i] = (struct writer){.path = path, .bytes = malloc(LARGE), .err = ERROR_INIT};
        memset(writers[i].bytes, 'a' + i, LARGE);
    }
    write_often(&writers[0]);
    for (int i = 0; i < N_WRITERS; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, write_often, &writers[i]), 0);
    }
    for (int i = 0; i < N_WRITES; i++) {
        check_whole(path);
    }
    for (int i = 0; i < N_WRITERS; i++) {
        pthread_join(threads[i], NULL);
        CHECK_MSG(writers[i].n_failed == 0, "%d failed: %s", writers[i].n_failed,
                  writers[i].err.message);
        free(writers[i].bytes);
    }
    check_whole(path);
    CHECK_INT(count_hidden(&dir), 0);
    temp_dir_remove(&dir);
}

static void
test_head(void)
{
    struct temp_dir dir = temp_dir_make();
    size_t length = 0;
    char *text = file_read_head(temp_write(&dir, "long", "0123456789", 0600), 4, &length);

    if (CHECK(text != NULL)) {
        CHECK_STR(text, "0123");
        CHECK_INT(length, 4);
    }
    free(text);
    temp_dir_remove(&dir);
}

void suite_file_replace(void);
void
suite_file_replace(void)
{
    check_suite("file_replace");
    check_test("a file takes the place of another", test_replace);
    check_test("what is no file, and where none can be", test_refused);
    check_test("a file is made, and its content renewed", test_create);
    check_test("several write one file at once", test_at_once);
    check_test("the head of a file", test_head);
}
