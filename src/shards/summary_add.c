/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects of a section into a fleet, piece by piece.
 */
#include "ballast/base/str.h"
#include "ballast/kinds/member_folder.h"
#include "ballast/kinds/prune.h"
#include "ballast/shards/summary.h"
#include "summary_parts.h"
#include "unpacking.h"

#define OBJECT_MAX ((size_t)8 << 20)
#define OBJECT_VALUES_MAX ((size_t)1 << 17)

struct adding {
    const struct summary_section *section;
    struct fleet_builder *builder;
    size_t most;        /* bytes of the fleet with this member; 0: no limit */
    uint32_t n_skipped; /* objects */
};

static bool
check_namespace(const struct summary_section *section, const char *namespace_, struct error *err)
{
    return (slice_set_of(namespace_, section->n_slices) & section->slices) != 0 ||
           error_set(err, ERROR_INVALID, "it tells of namespace \"%s\", which is in slice %u",
                     namespace_, (unsigned)slice_of(namespace_, section->n_slices));
}

/* Checks that the object is in a slice of the section. */
static bool
check_slice(const struct summary_section *section, const struct value *object, struct error *err)
{
    const char *kind = value_text(object, "kind");
    const struct value *workloads = value_get(object, "workloads");
    bool is_good = true;

    if (section->n_slices <= 1) {
        return true;
    }
    if (!str_eq(kind, SETTLED_WORKLOADS_KIND)) {
        return check_namespace(section, fleet_object_namespace(object, kind), err);
    }
    for (size_t i = 0; is_good && workloads != NULL && i < value_count(workloads); i++) {
        is_good = check_namespace(section, value_text(value_at(workloads, i), "namespace"), err);
    }
    return is_good;
}

/* True if the writer could not read the object either and noted that. Writers drop unreadable pods
 * without a known owner, so a pod skipped here would go unnoticed. */
static bool
is_told_bad(const struct adding *adding, const struct value *object, enum add_result result)
{
    const char *kind = value_text(object, "kind");

    if (adding->n_skipped > adding->section->n_problems) {
        return false;
    }
    return result == ADD_UNREAD ||
           (!str_eq(kind, prune_part_kind(MEMBER_PODS)) && !str_eq(kind, SETTLED_PODS_KIND) &&
            !str_eq(kind, SETTLED_WORKLOADS_KIND));
}

static bool
add_object(void *context, const struct stream_object *object, struct error *err)
{
    struct adding *adding = context;
    const char *member = adding->section->member;
    const struct object_origin origin = {.file = "", .member = member, .is_told = true};
    struct error why = ERROR_INIT;

    if (!object->in_list) {
        return error_set(err, ERROR_PARSE, "its objects are no list");
    }
    if (!check_slice(adding->section, object->root, err)) {
        return false;
    }
    enum add_result result = fleet_builder_add(
        adding->builder, object->root, object->list_api_version, object->list_kind, &origin, &why);

    const bool is_bad = result == ADD_SKIPPED || result == ADD_UNREAD;

    adding->n_skipped += is_bad ? 1 : 0;
    if (result == ADD_FAILED || (is_bad && !is_told_bad(adding, object->root, result))) {
        *err = why;
        return false;
    }
    return adding->most == 0 || fleet_builder_footprint(adding->builder, member) <= adding->most ||
           error_set(err, ERROR_LIMIT, "what it shows takes too much memory (--memory-limit)");
}

static bool
add_pieces(const struct summary_section *section, struct stream *stream, struct error *err)
{
    struct unpacking *unpacking = unpacking_begin(section);
    bool done = true;

    for (uint32_t i = 0; done && i < section->n_pieces; i++) {
        const size_t length = section->pieces[i].original;
        const char *text = unpacking_next(unpacking);

        done = text != NULL ? stream_feed(stream, text, length, err)
                            : error_set(err, ERROR_PARSE,
                                        "its objects cannot be decompressed to %zu bytes", length);
    }
    unpacking_end(unpacking);
    return done;
}

static bool
add_objects(struct adding *adding, struct error *err)
{
    static const struct stream_ops ops = {add_object, NULL};
    struct stream *stream = stream_new(&ops, adding);

    stream_bound(stream, OBJECT_MAX, OBJECT_VALUES_MAX);
    stream_want(stream, fleet_builder_wanted, adding->builder);
    bool done = add_pieces(adding->section, stream, err) && stream_finish(stream, err);

    stream_free(stream);
    return done;
}

bool
summary_section_add(const struct summary_section *section, struct fleet_builder *builder,
                    size_t most, struct error *err)
{
    struct adding adding = {.section = section, .builder = builder, .most = most};

    return add_objects(&adding, err);
}
