/* SPDX-License-Identifier: Apache-2.0
 *
 * A record read: rows say which members there are and of which type. Members that
 * are not known are passed over, so that an older program reads what a newer one
 * added.
 */
#include <inttypes.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/format/value.h"
#include "ballast/record/record.h"

#define PATH_MAX_BYTES 256
#define LONG_TEXT_MAX ((size_t)64 << 10) /* bytes of an annotation, and of unknown members */

struct reader {
    struct arena *arena;
    struct error *err;
};

/* Place in the document; "": the whole. */
struct place {
    const struct value *value;
    char path[PATH_MAX_BYTES];
};

enum member_type {
    MEMBER_TEXT, /* not empty if required */
    MEMBER_NAME, /* as in the fleet, whose schema allows an empty one */
    MEMBER_COUNT,
    MEMBER_SUM, /* of counts */
    MEMBER_TIME,
    MEMBER_BOOL,
};

struct member {
    const char *key;
    enum member_type type;
    bool required;
    size_t offset;
};

#define MEMBER(key, type, required, in, member)                                                    \
    {                                                                                              \
        key, type, required, offsetof(in, member)                                                  \
    }
#define MEMBER_END                                                                                 \
    {                                                                                              \
        NULL, MEMBER_TEXT, false, 0                                                                \
    }

static const struct member record_members[] = {
    MEMBER("id", MEMBER_TEXT, true, struct record, id),
    MEMBER("command", MEMBER_TEXT, true, struct record, command),
    MEMBER("version", MEMBER_TEXT, false, struct record, version),
    MEMBER("time", MEMBER_TIME, true, struct record, time),
    MEMBER("written", MEMBER_TIME, true, struct record, written),
    MEMBER("stoodIn", MEMBER_BOOL, false, struct record, stood_in),
    MEMBER("configuration", MEMBER_TEXT, false, struct record, configuration),
    MEMBER_END,
};

static const struct member source_members[] = {
    MEMBER("platform", MEMBER_TEXT, true, struct record, platform),
    MEMBER("path", MEMBER_TEXT, false, struct record, path),
    MEMBER("server", MEMBER_TEXT, false, struct record, server),
    MEMBER("context", MEMBER_TEXT, false, struct record, context),
    MEMBER("user", MEMBER_TEXT, false, struct record, user),
    MEMBER("host", MEMBER_TEXT, false, struct record, host),
    MEMBER_END,
};

static const struct member replicas_members[] = {
    MEMBER("wanted", MEMBER_SUM, true, struct record_replicas, wanted),
    MEMBER("down", MEMBER_SUM, true, struct record_replicas, down),
    MEMBER("homeless", MEMBER_SUM, true, struct record_replicas, homeless),
    MEMBER_END,
};

static const struct member item_members[] = {
    MEMBER("namespace", MEMBER_TEXT, false, struct record_item, namespace_),
    MEMBER("name", MEMBER_TEXT, true, struct record_item, name),
    MEMBER("uid", MEMBER_TEXT, false, struct record_item, uid),
    MEMBER("replicas", MEMBER_COUNT, true, struct record_item, replicas),
    MEMBER("action", MEMBER_TEXT, false, struct record_item, action),
    MEMBER("status", MEMBER_TEXT, true, struct record_item, status),
    MEMBER("message", MEMBER_TEXT, false, struct record_item, message),
    MEMBER("resourceVersionBefore", MEMBER_TEXT, false, struct record_item, version_before),
    MEMBER("resourceVersionAfter", MEMBER_TEXT, false, struct record_item, version_after),
    MEMBER_END,
};

static const struct member resource_members[] = {
    MEMBER("apiVersion", MEMBER_TEXT, false, struct object_reference, api_version),
    MEMBER("kind", MEMBER_TEXT, false, struct object_reference, kind),
    MEMBER("name", MEMBER_TEXT, false, struct object_reference, name),
    MEMBER_END,
};

static const struct member target_members[] = {
    MEMBER("name", MEMBER_NAME, true, struct target, name),
    MEMBER("replicas", MEMBER_COUNT, true, struct target, replicas),
    MEMBER_END,
};

static const struct member task_members[] = {
    MEMBER("fromCluster", MEMBER_NAME, true, struct record_task, from_cluster),
    MEMBER("reason", MEMBER_TEXT, false, struct record_task, reason),
    MEMBER_END,
};

static const struct member reason_members[] = {
    MEMBER("code", MEMBER_TEXT, false, struct record_reason, code),
    MEMBER("cluster", MEMBER_TEXT, false, struct record_reason, cluster),
    MEMBER("message", MEMBER_TEXT, false, struct record_reason, message),
    MEMBER_END,
};

static struct place
member_of(const struct place *object, const char *key)
{
    struct place place = {.value = value_get(object->value, key)};

    text_print(place.path, sizeof(place.path), "%s%s%s", object->path,
               object->path[0] != '\0' ? "." : "", key);
    return place;
}

static struct place
item_of(const struct place *list, size_t index)
{
    struct place place = {.value = value_at(list->value, index)};

    text_print(place.path, sizeof(place.path), "%s[%zu]", list->path, index);
    return place;
}

static bool
want(const struct reader *reader, const struct place *place, enum value_type type)
{
    if (place->value == NULL) {
        return error_set(reader->err, ERROR_INVALID, "%s: required", place->path);
    }
    return value_type(place->value) == type ||
           error_set(reader->err, ERROR_INVALID, "%s: want %s, got %s", place->path,
                     value_type_name(type), value_type_name(value_type(place->value)));
}

static bool
read_text(const struct reader *reader, const struct place *place, size_t most, const char **ret)
{
    if (!want(reader, place, VALUE_STRING)) {
        return false;
    }
    if (value_string_length(place->value) > most) {
        return error_set(reader->err, ERROR_LIMIT, "%s: longer than %zu bytes", place->path, most);
    }
    *ret =
        arena_strndup(reader->arena, value_string(place->value), value_string_length(place->value));
    return true;
}

static bool
read_sum(const struct reader *reader, const struct place *place, int64_t most, int64_t *ret)
{
    if (!want(reader, place, VALUE_INTEGER)) {
        return false;
    }
    *ret = value_integer(place->value);
    return (*ret >= 0 && *ret <= most) ||
           error_set(reader->err, ERROR_INVALID, "%s: want 0 to %" PRId64 ", got %" PRId64,
                     place->path, most, *ret);
}

static bool
read_count(const struct reader *reader, const struct place *place, int32_t *ret)
{
    int64_t count;

    if (!read_sum(reader, place, INT32_MAX, &count)) {
        return false;
    }
    *ret = pin_int32(count);
    return true;
}

static bool
read_time(const struct reader *reader, const struct place *place, int64_t *ret)
{
    return want(reader, place, VALUE_STRING) &&
           (timestamp_parse(value_string(place->value), ret) ||
            error_set(reader->err, ERROR_INVALID, "%s: want a time as in RFC 3339", place->path));
}

static bool
read_bool(const struct reader *reader, const struct place *place, bool *ret)
{
    if (!want(reader, place, VALUE_BOOL)) {
        return false;
    }
    *ret = value_bool(place->value);
    return true;
}

static bool
read_member(const struct reader *reader, const struct member *member, const struct place *place,
            void *base)
{
    void *target = (char *)base + member->offset;

    switch (member->type) {
    case MEMBER_TEXT:
        return read_text(reader, place, RECORD_TEXT_MAX, target) &&
               (!member->required || !str_is_empty(*(const char *const *)target) ||
                error_set(reader->err, ERROR_INVALID, "%s: must not be empty", place->path));
    case MEMBER_NAME:
        return read_text(reader, place, RECORD_TEXT_MAX, target);
    case MEMBER_COUNT:
        return read_count(reader, place, target);
    case MEMBER_SUM:
        return read_sum(reader, place, RECORD_REPLICAS_MAX, target);
    case MEMBER_TIME:
        return read_time(reader, place, target);
    case MEMBER_BOOL:
        return read_bool(reader, place, target);
    }
    BUG("no type of member: %d", member->type);
}

/* An absent text is "". */
static bool
read_members(const struct reader *reader, const struct member *members, const struct place *object,
             void *base)
{
    if (!want(reader, object, VALUE_OBJECT)) {
        return false;
    }
    for (const struct member *member = members; member->key != NULL; member++) {
        const struct place place = member_of(object, member->key);

        if (place.value == NULL && !member->required) {
            if (member->type == MEMBER_TEXT) {
                *(const char **)((char *)base + member->offset) = "";
            }
        } else if (!read_member(reader, member, &place, base)) {
            return false;
        }
    }
    return true;
}

typedef bool read_item_fn(const struct reader *reader, const struct place *place, void *ret);

/* How to read a list's items, of `size` bytes each. */
struct items {
    size_t size, most;
    bool required;
    read_item_fn *read;
};

static bool
read_list(const struct reader *reader, const struct place *list, const struct items *how,
          void *ret_items, uint32_t *ret_count)
{
    if (list->value == NULL && !how->required) {
        return true;
    }
    if (!want(reader, list, VALUE_LIST)) {
        return false;
    }
    size_t count = value_count(list->value);

    if (count > how->most) {
        return error_set(reader->err, ERROR_LIMIT, "%s: more than %zu", list->path, how->most);
    }
    char *items = arena_calloc(reader->arena, count, how->size);

    for (size_t i = 0; i < count; i++) {
        const struct place item = item_of(list, i);

        if (!how->read(reader, &item, items + i * how->size)) {
            return false;
        }
    }
    *(void **)ret_items = items;
    *ret_count = pin_uint32(count);
    return true;
}

/* Reads the unknown members of an entry as compact JSON. */
static bool
read_extra(const struct reader *reader, const struct place *place, const char **ret)
{
    struct buf text;

    if (place->value == NULL) {
        return true;
    }
    if (!want(reader, place, VALUE_OBJECT)) {
        return false;
    }
    buf_init(&text, LONG_TEXT_MAX);
    value_write_json(place->value, false, &text);
    bool fits = !text.overflowed;

    if (fits) { /* empty: the entry had no unknown members */
        *ret = arena_strndup(reader->arena, buf_text(&text), text.length);
    }
    buf_release(&text);
    return fits || error_set(reader->err, ERROR_LIMIT, "%s: longer than %zu bytes", place->path,
                             LONG_TEXT_MAX);
}

struct recorded_target {
    struct target target;
    const char *extra;
};

static bool
read_target(const struct reader *reader, const struct place *place, void *ret)
{
    struct recorded_target *recorded = ret;

    if (!read_members(reader, target_members, place, &recorded->target)) {
        return false;
    }
    const struct place extra = member_of(place, "extra");

    recorded->target.cluster = CLUSTER_NONE;
    return read_extra(reader, &extra, &recorded->extra);
}

static bool
read_targets(const struct reader *reader, const struct place *item, const char *key,
             struct target_list *ret, const char *const **ret_extras)
{
    static const struct items how = {sizeof(struct recorded_target), RECORD_LIST_MAX, true,
                                     read_target};
    const struct place list = member_of(item, key);
    const struct recorded_target *recorded;
    uint32_t count;

    if (!read_list(reader, &list, &how, &recorded, &count)) {
        return false;
    }
    struct target *targets = ARENA_ARRAY(reader->arena, struct target, count);
    const char **extras = ARENA_ARRAY(reader->arena, const char *, count);

    for (uint32_t i = 0; i < count; i++) {
        targets[i] = recorded[i].target;
        extras[i] = recorded[i].extra;
    }
    *ret = (struct target_list){.items = targets, .count = count};
    *ret_extras = extras;
    return true;
}

static bool
read_task(const struct reader *reader, const struct place *place, void *ret)
{
    return read_members(reader, task_members, place, ret);
}

static bool
read_reason(const struct reader *reader, const struct place *place, void *ret)
{
    return read_members(reader, reason_members, place, ret);
}

static const struct items reasons = {sizeof(struct record_reason), RECORD_LIST_MAX, false,
                                     read_reason};

static bool
read_annotations(const struct reader *reader, const struct place *item, struct record_item *ret)
{
    const struct place object = member_of(item, "annotations");

    if (object.value == NULL) {
        return true;
    }
    if (!want(reader, &object, VALUE_OBJECT)) {
        return false;
    }
    if (value_count(object.value) > RECORD_LIST_MAX) {
        return error_set(reader->err, ERROR_LIMIT, "%s: more than %d", object.path,
                         RECORD_LIST_MAX);
    }
    struct label *labels = ARENA_ARRAY(reader->arena, struct label, value_count(object.value));

    ret->annotations = labels;
    for (struct value_iterator it = VALUE_ITERATOR(object.value); value_each(&it);) {
        struct label *label = &labels[ret->n_annotations++];
        struct place member = {.value = it.value};

        text_print(member.path, sizeof(member.path), "%s.%s", object.path, it.key);
        label->key = arena_strndup(reader->arena, it.key, strlen(it.key));
        if (!read_text(reader, &member, LONG_TEXT_MAX, &label->value)) {
            return false;
        }
    }
    return true;
}

static bool
read_kind(const struct reader *reader, const struct place *item, enum binding_kind *ret)
{
    const struct place place = member_of(item, "kind");
    const char *name;

    return read_text(reader, &place, RECORD_TEXT_MAX, &name) &&
           (binding_kind_parse(name, ret) ||
            error_set(reader->err, ERROR_INVALID, "%s: \"%s\" is no kind of binding", place.path,
                      name));
}

static bool
read_item(const struct reader *reader, const struct place *place, void *ret)
{
    static const struct items tasks = {sizeof(struct record_task), RECORD_LIST_MAX, false,
                                       read_task};
    struct record_item *item = ret;

    if (!read_members(reader, item_members, place, item) ||
        !read_kind(reader, place, &item->kind) ||
        !read_targets(reader, place, "before", &item->before, &item->extras_before) ||
        !read_targets(reader, place, "after", &item->after, &item->extras_after) ||
        !read_annotations(reader, place, item)) {
        return false;
    }
    const struct place resource = member_of(place, "resource");
    const struct place task_list = member_of(place, "evictionTasks");
    const struct place reason_list = member_of(place, "reasons");

    item->resource.namespace_ = item->namespace_;
    return read_members(reader, resource_members, &resource, &item->resource) &&
           read_list(reader, &task_list, &tasks, &item->tasks, &item->n_tasks) &&
           read_list(reader, &reason_list, &reasons, &item->reasons, &item->n_reasons);
}

static bool
read_undone(const struct reader *reader, const struct place *place, void *ret)
{
    return read_text(reader, place, RECORD_TEXT_MAX, ret);
}

/* Checks that it is a record before other errors. */
static bool
is_ours(const struct reader *reader, const struct place *root)
{
    const char *version = value_text(root->value, "apiVersion");
    const char *kind = value_text(root->value, "kind");

    if (str_eq(version, RECORD_API_VERSION) && str_eq(kind, RECORD_KIND)) {
        return true;
    }
    if (str_is_empty(version) && str_is_empty(kind)) {
        return error_set(reader->err, ERROR_INVALID,
                         "it is no record: want apiVersion " RECORD_API_VERSION
                         " and kind " RECORD_KIND);
    }
    return error_set(reader->err, ERROR_INVALID,
                     "it is no record: want apiVersion " RECORD_API_VERSION " and kind " RECORD_KIND
                     ", got %.64s %.64s",
                     version, kind);
}

static bool
read_replicas(const struct reader *reader, const struct place *root, struct record_replicas *ret)
{
    const struct place object = member_of(root, "replicas");

    ret->is_known = object.value != NULL;
    return !ret->is_known || read_members(reader, replicas_members, &object, ret);
}

static bool
read_record(const struct reader *reader, const struct place *root, struct record *ret)
{
    static const struct items items = {sizeof(struct record_item), RECORD_ITEMS_MAX, true,
                                       read_item};
    static const struct items undoes = {sizeof(const char *), RECORD_LIST_MAX, false, read_undone};
    const struct place source = member_of(root, "source");
    const struct place item_list = member_of(root, "items");
    const struct place undo_list = member_of(root, "undoes");
    const struct place down_list = member_of(root, "down");

    return is_ours(reader, root) && read_members(reader, record_members, root, ret) &&
           read_members(reader, source_members, &source, ret) &&
           read_replicas(reader, root, &ret->replicas) &&
           read_list(reader, &undo_list, &undoes, &ret->undoes.items, &ret->undoes.count) &&
           read_list(reader, &down_list, &reasons, &ret->down, &ret->n_down) &&
           read_list(reader, &item_list, &items, &ret->items, &ret->n_items);
}

const struct record *
record_decode(struct arena *arena, const char *text, size_t length, struct error *err)
{
    const struct reader reader = {arena, err};
    struct document *document = document_parse_json(text, length, 1, err);
    struct record *record = ARENA_NEW(arena, struct record);

    if (document == NULL) {
        return NULL;
    }
    const struct place root = {.value = document_root(document), .path = ""};
    bool done = read_record(&reader, &root, record);

    document_free(document);
    return done ? record : NULL;
}
