/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of a fleet directory and the objects in them, as its reader and its
 * sink see them. Private to these two.
 */
#ifndef BALLAST_DIRECTORY_FLEET_FILES_H
#define BALLAST_DIRECTORY_FLEET_FILES_H

#include <stdint.h>

#include "ballast/base/error.h"
#include "ballast/base/progress.h"
#include "ballast/base/text_input.h"
#include "ballast/base/vec.h"
#include "ballast/directory/fleet_directory.h"
#include "ballast/format/value.h"

enum fleet_shape { FLEET_IN_DIRECTORY, FLEET_IN_FILE, FLEET_ON_STDIN };

enum file_format { FORMAT_BY_CONTENT, FORMAT_JSON, FORMAT_YAML };

struct fleet_file {
    char *path;   /* to open it */
    char *label;  /* for messages: relative to the directory */
    char *member; /* "" in the control plane */
    enum file_format format;
    struct text_form form; /* once it was read */
    uint64_t size;         /* bytes, where somebody watches and it is known; else 0 */
};

/* Where a binding was read; struct binding.source is the index. */
struct object_source {
    uint32_t file;
    uint64_t hash; /* of the content, where the object has no resourceVersion; else 0 */
};

struct fleet_directory {
    char *path;
    enum fleet_shape shape;
    VEC_OF(struct fleet_file) files;
    VEC_OF(char *) members; /* that have a directory */
    VEC_OF(struct object_source) sources;
    const struct fleet_tap *tap;
    struct fleet_expectation expectation;
    struct member_choice choice;
    const struct member_port *port; /* NULL: there is none */
    const atomic_bool *stop;
    struct progress progress;
    uint64_t maximum;         /* bytes of a JSON file */
    uint64_t highest_version; /* of the resourceVersions in the control plane */
};

/* Fills `files` with what there is now, in an order that depends on names only. */
bool fleet_files_list(struct fleet_directory *directory, struct error *err);

/* One object of a file. */
struct file_object {
    const struct value *root; /* NULL: it is malformed */
    const char *list_api_version, *list_kind;
    size_t line;
    size_t offset, length; /* JSON: of its text in the file */
    const char *text;      /* JSON: that text, NULL when too long; YAML: NULL */
    size_t document;       /* YAML: which document, and of a list which item, else -1 */
    long item;
};

struct file_ops {
    /* false (with err, complete) stops the reading */
    bool (*object)(void *context, const struct file_object *object, struct error *err);
    /* A malformed object between good ones; `why` begins with line and column. NULL: it is passed
     * over. */
    bool (*bad_object)(void *context, const struct file_object *object, const struct error *why,
                       struct error *err);
};

/* Who is told of a file's objects, and what ends the reading early. */
struct file_reader {
    const struct file_ops *ops;
    void *context;
    const atomic_bool *stop;         /* once it is true, with ERROR_STOPPED; NULL: never */
    uint64_t maximum;                /* bytes of JSON, with ERROR_LIMIT */
    const struct progress *progress; /* told how many bytes of the file are done; NULL: nobody */
    wanted_chooser *wanted;          /* of the items of lists in JSON; NULL: all */
    void *wanted_context;
    /* A list of that kind ("": it does not say) breaks off: its metadata say that there is more of
     * it, so many objects (0: how many is not said). false (with err, complete) stops the reading.
     * NULL: whoever reads does not ask for whole lists. */
    bool (*breaks_off)(void *context, const char *list_kind, uint64_t remaining, struct error *err);
    wanted_passer *passes; /* of those, which need not be read to the end, to whoever is told of
                              objects; NULL: none */
};

/* Reads all objects of an open file. A list's kind goes to ret_list_kind (to be freed; NULL when
 * there is no list or it does not say). Errors begin with "LABEL:LINE:COLUMN: " or "LABEL: ", but
 * for ERROR_STOPPED. */
bool fleet_file_read(struct fleet_file *file, int fd, const struct file_reader *reader,
                     char **ret_list_kind, struct error *err);

/* Opens one of the directory's files and reads it likewise. */
bool fleet_files_read(struct fleet_directory *directory, size_t file,
                      const struct file_reader *reader, char **ret_list_kind, struct error *err);

/* false with err: the list in it breaks off, so many objects (0: it does not say) before its end.
 */
bool fleet_file_refuse_part(const struct fleet_file *file, uint64_t remaining, struct error *err);

/* How far the reading of all files is, told to who watches the directory: "reading 42 of 180 MB:
 * control-plane/bindings.yaml". */
struct fleet_progress {
    const struct progress *watcher;
    struct progress of_file; /* to be told of the file that is being read */
    uint64_t before;         /* bytes of the files before it */
    uint64_t total;          /* bytes of all files; 0: not known */
};
/* Looks at the sizes of the files. `ret` stays where it is, and the directory open. */
void fleet_progress_begin(struct fleet_progress *ret, struct fleet_directory *directory);
void fleet_progress_next(struct fleet_progress *progress, const struct fleet_file *done);

/* The back end's read_again. */
const struct binding *fleet_directory_read_again(void *context, struct fleet *fleet,
                                                 const struct binding *binding, struct error *err);

#define FLEET_YAML_MAX ((size_t)256 << 20) /* bytes of a YAML file */
/* Bytes of a JSON file, which may be a stream that never ends: over two million bindings. */
#define FLEET_JSON_MAX ((uint64_t)8 << 30)

/* The kind of an object, by itself or by its list: whether it is a binding, and of which kind. */
bool object_is_binding(const struct file_object *object, enum binding_kind *ret_kind);
/* A malformed object says that it is of that kind; *ret_says_any: it says of which it is. */
bool object_says_kind(const struct file_object *object, const char *wanted, bool *ret_says_any);
/* Likewise, whether it is a ReplicaSchedulingPreference. */
bool object_is_preference(const struct file_object *object);
const char *object_metadata(const struct value *root, const char *key); /* "" when absent */
/* Of the content, whatever its form in the text. */
uint64_t object_hash(const struct value *root);
/* Remembers a resourceVersion that is a number. */
void fleet_saw_version(struct fleet_directory *directory, const char *resource_version);

#endif
