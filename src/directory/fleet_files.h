/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of a fleet directory and the objects in them, which its reader and its writer share.
 * Private to this room.
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
    char *path;   /* for open() */
    char *label;  /* for messages, relative to the directory */
    char *member; /* "": the control plane */
    enum file_format format;
    struct text_form form; /* known once the file was read */
    uint64_t size;         /* bytes, for progress; 0: unknown or unwanted */
};

/* The source of a binding; struct binding.source is its index. */
struct object_source {
    uint32_t file;
    uint64_t hash; /* of the content, if the object has no resourceVersion; else 0 */
};

struct fleet_directory {
    char *path;
    enum fleet_shape shape;
    VEC_OF(struct fleet_file) files;
    VEC_OF(char *) members; /* members with a directory */
    VEC_OF(struct object_source) sources;
    const struct fleet_tap *tap;
    struct fleet_expectation expectation;
    struct member_choice choice;
    const struct member_port *port; /* NULL: none */
    const atomic_bool *stop;
    struct progress progress;
    uint64_t maximum;         /* bytes of a JSON file */
    uint64_t highest_version; /* the highest resourceVersion in the control plane */
};

/* Lists the present files into directory->files, in an order that depends only on names. Forgets
 * earlier files, members and sources. False with err. */
bool fleet_files_list(struct fleet_directory *directory, struct error *err);

struct file_object {
    const struct value *root; /* NULL: malformed */
    const char *list_api_version, *list_kind;
    size_t line;
    size_t offset, length; /* JSON: place of its text in the file */
    const char *text;      /* JSON: its text; NULL: too long, or YAML */
    size_t document;       /* YAML: index of the document; `item`: index in a list, else -1 */
    long item;
};

struct file_ops {
    /* false (with complete err) stops the reading */
    bool (*object)(void *context, const struct file_object *object, struct error *err);
    /* Takes a malformed object between good ones; `why` begins with line and column. NULL:
     * malformed objects are ignored. */
    bool (*bad_object)(void *context, const struct file_object *object, const struct error *why,
                       struct error *err);
};

/* Receiver of a file's objects, and limits of the reading. */
struct file_reader {
    const struct file_ops *ops;
    void *context;
    const atomic_bool *stop;         /* once true, reading fails with STOPPED; NULL: never */
    uint64_t maximum;                /* bytes of JSON; more fail with LIMIT */
    const struct progress *progress; /* of the file, in bytes; NULL: none */
    wanted_chooser *wanted;          /* of the items of lists in JSON; NULL: all */
    void *wanted_context;
    /* The list of that kind ("": unknown) is incomplete: by its metadata, `remaining` more objects
     * follow (0: unknown). False (with complete err) stops the reading. NULL: that is fine. */
    bool (*breaks_off)(void *context, const char *list_kind, uint64_t remaining, struct error *err);
    wanted_passer *passes; /* items that need not be read to the end; NULL: none */
};

/* Reads all objects of an open file. *ret_list_kind, for free(), is its list's kind; NULL: none.
 * False with err, which begins with "LABEL:LINE:COLUMN: " or "LABEL: ", except for STOPPED. */
bool fleet_file_read(struct fleet_file *file, int fd, const struct file_reader *reader,
                     char **ret_list_kind, struct error *err);

/* Opens a file of the directory by its index and reads it as fleet_file_read() does. */
bool fleet_files_read(struct fleet_directory *directory, size_t file,
                      const struct file_reader *reader, char **ret_list_kind, struct error *err);

/* Fails with an incomplete list: `remaining` more objects follow (0: unknown). Returns false. */
bool fleet_file_refuse_part(const struct fleet_file *file, uint64_t remaining, struct error *err);

/* Progress of reading all files, for the directory's watcher: "reading 42 of 180 MB:
 * control-plane/bindings.yaml". */
struct fleet_progress {
    const struct progress *watcher;
    struct progress of_file; /* takes the progress of the current file */
    uint64_t before;         /* bytes of earlier files */
    uint64_t total;          /* bytes of all files; 0: unknown */
};
/* Starts the progress with the sizes of all files. `ret` and the directory must stay in place. */
void fleet_progress_begin(struct fleet_progress *ret, struct fleet_directory *directory);
/* Notes that a file was read. */
void fleet_progress_next(struct fleet_progress *progress, const struct fleet_file *done);

/* Reads one binding again; the backend's `read_again`. NULL with err. */
const struct binding *fleet_directory_read_again(void *context, struct fleet *fleet,
                                                 const struct binding *binding, struct error *err);

#define FLEET_YAML_MAX ((size_t)256 << 20) /* bytes of a YAML file */
/* Bytes of a JSON file, which may be an endless stream: over two million bindings. */
#define FLEET_JSON_MAX ((uint64_t)8 << 30)

/* True if an object is a binding, by its own kind or its list's; *ret_kind is its kind. */
bool object_is_binding(const struct file_object *object, enum binding_kind *ret_kind);
/* True if the text of a malformed object names the kind `wanted`. *ret_says_any: it names another
 * kind. Needs object->text. */
bool object_says_kind(const struct file_object *object, const char *wanted, bool *ret_says_any);
/* True if an object is a ReplicaSchedulingPreference, by its own kind or its list's. */
bool object_is_preference(const struct file_object *object);
/* Returns a text of an object's metadata; "" if absent. */
const char *object_metadata(const struct value *root, const char *key);
/* Returns a hash of an object's content in any layout, for this process only. */
uint64_t object_hash(const struct value *root);
/* Remembers the highest resourceVersion; ignores versions that are no number. */
void fleet_saw_version(struct fleet_directory *directory, const char *resource_version);

#endif
