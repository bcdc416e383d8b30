/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects of the control plane as they are, for who makes no fleet of them.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "fleet_files.h"

/* In one file, this annotation marks the objects of members. */
#define CACHED_FROM "resource.karmada.io/cached-from-cluster"

struct visit {
    const struct fleet_visitor *visitor;
    const struct fleet_file *file;
};

static bool
visit_object(void *context, const struct file_object *object, struct error *err)
{
    const struct visit *visit = context;
    const struct value *metadata = value_get(object->root, "metadata");

    (void)err;
    if (value_get(value_get(metadata, "annotations"), CACHED_FROM) == NULL) {
        visit->visitor->object(visit->visitor->context, object->root, object->list_api_version,
                               object->list_kind);
    }
    return true;
}

static bool
visit_bad_object(void *context, const struct file_object *object, const struct error *why,
                 struct error *err)
{
    const struct visit *visit = context;
    size_t place_length = strcspn(why->message, " "); /* "12:5:" */
    char *place =
        str_print("%s:%.*s", visit->file->label, pin_width(place_length) - 1, why->message);

    (void)object;
    (void)err;
    visit->visitor->bad_object(visit->visitor->context, place, why->message + place_length + 1);
    free(place);
    return true;
}

static bool
visit_broken_list(void *context, const char *list_kind, uint64_t remaining, struct error *err)
{
    (void)list_kind;
    return fleet_file_refuse_part(((const struct visit *)context)->file, remaining, err);
}

static const struct file_ops visit_ops = {visit_object, visit_bad_object};

static bool
visit_files(struct fleet_directory *directory, const struct fleet_visitor *visitor,
            struct error *err)
{
    struct visit visit = {.visitor = visitor};
    struct fleet_progress progress;

    fleet_progress_begin(&progress, directory);
    const struct file_reader reader = {.ops = &visit_ops,
                                       .context = &visit,
                                       .stop = directory->stop,
                                       .maximum = directory->maximum,
                                       .breaks_off = visit_broken_list,
                                       .progress = &progress.of_file};

    for (size_t i = 0; i < directory->files.count; i++) {
        char *list_kind;

        visit.file = &directory->files.items[i];
        if (str_is_empty(visit.file->member)) {
            if (!fleet_files_read(directory, i, &reader, &list_kind, err)) {
                return false;
            }
            free(list_kind);
        }
        fleet_progress_next(&progress, visit.file);
    }
    return true;
}

bool
fleet_directory_visit(struct fleet_directory *directory, const struct fleet_visitor *visitor,
                      struct error *err)
{
    bool done = fleet_files_list(directory, err) && visit_files(directory, visitor, err);

    progress_end(&directory->progress);
    return done;
}
