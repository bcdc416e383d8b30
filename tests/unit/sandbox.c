/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet directory for one test.
 */
#include "sandbox.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

void
sandbox_init(struct sandbox *box)
{
    *box = (struct sandbox){.path = "/tmp/ballast-test-XXXXXX"};
    CHECK(mkdtemp(box->path) != NULL);
}

const char *
sandbox_path(const struct sandbox *box, const char *name, char ret[256])
{
    snprintf(ret, 256, "%s/%s", box->path, name);
    return ret;
}

/* Writes a file, with the directories it is in. */
void
sandbox_put(const struct sandbox *box, const char *name, const char *text)
{
    char path[256];

    sandbox_path(box, name, path);
    for (char *slash = strchr(path + strlen(box->path) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");

    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

void
sandbox_check(const struct sandbox *box, const char *name, const char *want)
{
    char path[256], text[8192] = "";
    FILE *file = fopen(sandbox_path(box, name, path), "r");

    if (CHECK_MSG(file != NULL, "%s is not there", name)) {
        text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
        fclose(file);
        CHECK_STR(text, want);
    }
}

static bool
append(void *context, const char *bytes, size_t length, struct error *err)
{
    (void)err;
    return fwrite(bytes, 1, length, context) == length;
}

void
sandbox_put_as(const struct sandbox *box, const char *name, struct text_form form, const char *text)
{
    struct error err = ERROR_INIT;
    char path[256];

    sandbox_put(box, name, "");
    FILE *file = fopen(sandbox_path(box, name, path), "w");
    struct text_output *output = text_output_new(form, append, file);

    CHECK(file != NULL && text_output_write(output, text, strlen(text), &err) &&
          text_output_end(output, &err));
    text_output_free(output);
    if (file != NULL) {
        fclose(file);
    }
}

void
sandbox_check_as(const struct sandbox *box, const char *name, struct text_form form,
                 const char *want)
{
    struct error err = ERROR_INIT;
    char path[256], text[8192];
    int fd = open(sandbox_path(box, name, path), O_RDONLY | O_CLOEXEC);
    struct text_input *input = text_input_new(fd, name, NULL);
    size_t length = 0;

    for (size_t got = 1; got > 0; length += got) {
        got = 0;
        CHECK_OK(text_input_read(input, text + length, sizeof(text) - length - 1, &got, &err), err);
    }
    text[length] = '\0';
    CHECK_STR(text, want);
    CHECK(text_input_form(input).is_gzip == form.is_gzip);
    CHECK_INT(text_input_form(input).units, form.units);
    text_input_free(input);
    close(fd);
}

bool
sandbox_read_path(struct sandbox *box, const char *path)
{
    fleet_free(box->fleet);
    box->fleet = NULL;
    fleet_directory_close(box->directory);
    box->directory = fleet_directory_open(path, &box->err);
    if (box->directory != NULL) {
        box->fleet = fleet_directory_read(box->directory, &box->err);
    }
    return box->fleet != NULL;
}

bool
sandbox_read(struct sandbox *box)
{
    return sandbox_read_path(box, box->path);
}

static int
remove_entry(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info;
    (void)type;
    (void)ftw;
    return remove(path);
}

void
sandbox_release(struct sandbox *box)
{
    fleet_free(box->fleet);
    fleet_directory_close(box->directory);
    CHECK(nftw(box->path, remove_entry, 8, FTW_DEPTH | FTW_PHYS) == 0);
}
