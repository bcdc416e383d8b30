/* SPDX-License-Identifier: Apache-2.0
 *
 * The conformance runner: every vector file of the directories named on the
 * command line, one line a file, exit status 1 unless every answer agrees.
 */
#include "conform.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/buf.h"
#include "ballast/base/vec.h"

#define FILE_MAX ((size_t)1 << 30)

struct format {
    const char *dataset;
    conform_format_function *run;
};

static const struct format formats[] = {
#define X(function, dataset_) {.dataset = dataset_, .run = conform_##function},
    CONFORM_FORMATS(X)
#undef X
};

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

struct totals {
    unsigned files;
    unsigned passed;
    unsigned failed;
};

static const char *
text_of(const struct value *value)
{
    return value != NULL && value_type(value) == VALUE_STRING ? value_string(value) : NULL;
}

/* The dataset a file without a `dataset` member belongs to, told by what its cases are made of. */
static const char *
dataset_of_content(const struct value *root)
{
    const struct value *cases = value_get(root, "cases");
    const struct value *first = value_count(cases) > 0 ? value_at(cases, 0) : NULL;
    const struct value *expected = value_get(root, "expected");

    if (value_get(root, "requirements") != NULL) {
        return "estimate";
    }
    if (value_get(first, "fn") != NULL) {
        return "webster";
    }
    if (value_get(first, "eligible") != NULL) {
        return "descheduler";
    }
    if (value_get(root, "bindings") != NULL && expected != NULL) {
        struct value_iterator it = VALUE_ITERATOR(expected);

        return value_each(&it) && value_type(it.value) == VALUE_STRING ? "trigger" : "schedule";
    }
    return NULL;
}

static const struct format *
find_format(const char *base_name, const struct value *root)
{
    const char *dataset = text_of(value_get(root, "dataset"));
    const struct format *by_content = NULL;

    if (dataset == NULL) {
        dataset = dataset_of_content(root);
    }
    for (size_t i = 0; i < N_FORMATS; i++) {
        size_t length = strlen(formats[i].dataset);

        if (dataset != NULL && strcmp(dataset, formats[i].dataset) == 0) {
            by_content = &formats[i];
        }
        /* A prefix ends at "-" or ".", so that "estimate" does not take "estimates.json". */
        if (strncmp(base_name, formats[i].dataset, length) == 0 &&
            strchr("-.", base_name[length]) != NULL && by_content == NULL && dataset == NULL) {
            return &formats[i];
        }
    }
    return by_content;
}

static bool
read_file(const char *path, struct buf *out, struct error *err)
{
    char piece[65536];
    size_t length;
    FILE *file = fopen(path, "rb");
    bool ok;

    if (file == NULL) {
        return error_set_errno(err, errno, "%s", path);
    }
    while ((length = fread(piece, 1, sizeof(piece), file)) > 0) {
        buf_append(out, piece, length);
    }
    ok = ferror(file) == 0 && !out->overflowed;
    fclose(file);
    return ok || error_set(err, ERROR_IO, "%s: cannot be read, or is too large", path);
}

static struct document *
load(const char *path, struct error *err)
{
    struct buf text;
    struct document *document = NULL;

    buf_init(&text, FILE_MAX);
    if (read_file(path, &text, err)) {
        document = document_parse_json(buf_text(&text), text.length, 1, err);
        if (document == NULL) {
            error_wrap(err, "%s", path);
        }
    }
    buf_release(&text);
    return document;
}

static void
run_format(const struct format *format, const char *name, const struct value *root,
           struct totals *totals)
{
    struct conform run = {.arena = arena_new()};

    format->run(&run, root);
    printf("%s: %u of %u agree", name, run.agree, run.agree + run.differ);
    if (run.exempt > 0) {
        printf(", %u exempt", run.exempt);
    }
    if (run.planned > 0) {
        printf(", %u of them planned", run.planned);
    }
    putchar('\n');
    totals->passed += run.agree;
    totals->failed += run.differ;
    if (run.agree + run.differ + run.exempt == 0) {
        printf("  there is no case in it\n");
        totals->failed++;
    }
    arena_free(run.arena);
}

static void
run_file(const char *path, struct totals *totals)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    struct error err = ERROR_INIT;
    struct document *document = load(path, &err);
    const struct format *format;

    totals->files++;
    if (document == NULL) {
        printf("%s: %s\n", name, err.message);
        totals->failed++;
        return;
    }
    format = find_format(name, document_root(document));
    if (format == NULL) {
        printf("%s: unknown format\n", name);
        totals->failed++;
    } else {
        run_format(format, name, document_root(document), totals);
    }
    document_free(document);
    fflush(stdout);
}

static int
is_vector_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static int
entry_cmp(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* A directory's vector files in byte order of their names; a file by itself. */
static void
run_path(const char *path, struct totals *totals)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_vector_file, entry_cmp);

    if (count < 0) {
        run_file(path, totals);
        return;
    }
    for (int i = 0; i < count; i++) {
        struct buf file;

        buf_init(&file, 65536);
        buf_printf(&file, "%s/%s", path, entries[i]->d_name);
        run_file(buf_text(&file), totals);
        buf_release(&file);
        free(entries[i]);
    }
    free(entries);
}

int
main(int argc, char **argv)
{
    struct totals totals = {0};

    for (int i = 1; i < argc; i++) {
        run_path(argv[i], &totals);
    }
    if (totals.files == 0) {
        printf("no vector file found\n");
    }
    printf("%u passed, %u failed\n", totals.passed, totals.failed);
    return totals.files > 0 && totals.failed == 0 ? 0 : 1;
}
