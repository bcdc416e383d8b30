/* SPDX-License-Identifier: Apache-2.0
 *
 * One binding of a fleet directory as it is now. Of KubeFed's it is two objects,
 * which need not stand in one file.
 */
#include <stdlib.h>
#include <unistd.h>

#include "ballast/base/file_open.h"
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/kinds/decode.h"
#include "fleet_files.h"

struct binding_search {
    struct fleet_directory *directory;
    struct fleet *fleet;
    const struct binding *wanted;
    const struct value *object; /* KubeFed: federated object, valid during the search */
    uint32_t source;            /* of `object` */
    const struct binding *found;
};

static bool
read_one(const struct fleet_directory *directory, uint32_t source, const struct file_ops *ops,
         struct binding_search *search, struct error *err)
{
    struct fleet_file *file = &directory->files.items[directory->sources.items[source].file];
    const struct file_reader reader = {
        .ops = ops, .context = search, .maximum = directory->maximum};
    char *list_kind = NULL;
    int fd = file_open_named(file->path, file->label, err);

    if (fd < 0) {
        return false;
    }
    bool done = fleet_file_read(file, fd, &reader, &list_kind, err);

    close(fd);
    free(list_kind);
    return done;
}

static bool
is_of_wanted_name(const struct binding_search *search, const struct file_object *object)
{
    return str_eq(object_metadata(object->root, "namespace"), search->wanted->namespace_) &&
           str_eq(object_metadata(object->root, "name"), search->wanted->name);
}

static bool
search_preference(void *context, const struct file_object *object, struct error *err)
{
    struct binding_search *search = context;

    if (search->found != NULL || !object_is_preference(object) ||
        !is_of_wanted_name(search, object)) {
        return true;
    }
    search->found = fleet_decode_federated(search->fleet, search->object, object->root,
                                           search->wanted, search->source, err);
    return search->found != NULL;
}

/* Decodes the binding with its present preference, or without one. */
static bool
decode_federated(struct binding_search *search, const struct value *object, struct error *err)
{
    static const struct file_ops ops = {search_preference, NULL};
    const struct binding *wanted = search->wanted;

    search->object = object;
    if (wanted->federated->has_preference &&
        !read_one(search->directory, wanted->federated->preference_source, &ops, search, err)) {
        return false;
    }
    if (search->found == NULL) {
        search->found =
            fleet_decode_federated(search->fleet, object, NULL, wanted, search->source, err);
    }
    return search->found != NULL;
}

/* A new reading: later writes compare its version or content. */
static uint32_t
new_source(const struct binding_search *search, const struct value *root)
{
    struct fleet_directory *directory = search->directory;
    bool has_version = !str_is_empty(object_metadata(root, "resourceVersion"));
    struct object_source source = {
        .file = directory->sources.items[search->wanted->source].file,
        .hash = has_version ? 0 : object_hash(root),
    };

    vec_add(&directory->sources, source);
    return pin_uint32(directory->sources.count - 1);
}

static bool
search_object(void *context, const struct file_object *object, struct error *err)
{
    struct binding_search *search = context;
    enum binding_kind kind;

    if (search->found != NULL || !object_is_binding(object, &kind) ||
        kind != search->wanted->kind || !is_of_wanted_name(search, object)) {
        return true;
    }
    search->source = new_source(search, object->root);
    if (search->wanted->federated != NULL) {
        return decode_federated(search, object->root, err);
    }
    search->found = fleet_decode_binding(search->fleet, object->root, kind, search->source, err);
    return search->found != NULL;
}

const struct binding *
fleet_directory_read_again(void *context, struct fleet *fleet, const struct binding *binding,
                           struct error *err)
{
    static const struct file_ops ops = {search_object, NULL};
    struct fleet_directory *directory = context;
    struct binding_search search = {.directory = directory, .fleet = fleet, .wanted = binding};
    bool done = read_one(directory, binding->source, &ops, &search, err);

    if (done && search.found == NULL) {
        const struct fleet_file *file =
            &directory->files.items[directory->sources.items[binding->source].file];

        error_set(err, ERROR_NOT_FOUND, "%s: the object is no longer in it", file->label);
    }
    return done ? search.found : NULL;
}
