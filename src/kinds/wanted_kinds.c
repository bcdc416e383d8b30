/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the fields to read of an object: those that a snapshot keeps, by the same rows, and those
 * that are read before the kind is known.
 */
#include "ballast/format/wanted.h"

#include <stdio.h>

#include "building.h"
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"
#include "kinds/member/member_decoders.h"

#define TABLES_MAX 8  /* tables about one object */
#define KEY_MAX 512   /* a longer name is of no known kind */
#define KINDS_MAX 256 /* of more kinds, all fields are read */

/* Tables of rows about one object. */
struct tables {
    const struct field *items[TABLES_MAX];
    size_t count;
};

static const struct field any_annotations_table[] = {
    KEPT(ANNOTATION_MEMBER, AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

static const struct field any_metadata_table[] = {
    KEPT("namespace", AS_TEXT(0, TEXT_NAME)),
    KEPT("name", AS_TEXT(0, TEXT_NAME)),
    KEPT("resourceVersion", AS_TEXT(0, TEXT_NUMBER)),
    KEPT("annotations", AS_CHOSEN(0, any_annotations_table)),
    FIELD_END,
};

static const struct field any_spec_table[] = {
    KEPT("replicas", AS_INT64(0)),
    FIELD_END,
};

/* For an object of any kind: its name, its member, and the replicas that make it a workload. */
static const struct field any_table[] = {
    KEPT("metadata", AS_OBJECT(0, any_metadata_table)),
    KEPT("spec", AS_OBJECT(0, any_spec_table)),
    FIELD_END,
};

static const struct wanted *wanted_by(struct arena *arena, const struct tables *tables);

static bool
speaks_of(const struct field *row, const char *name)
{
    return row->form != PRUNE_NOT && str_eq(row->name, name);
}

static bool
is_whole(const struct field *row)
{
    bool has_members = row->form == PRUNE_OBJECT || row->form == PRUNE_LIST ||
                       row->form == PRUNE_WORD_OR_OBJECT || row->form == PRUNE_MAP ||
                       row->form == PRUNE_CHOSEN;

    return !has_members || row->table == NULL || (row->flags & FIELD_WHOLE) != 0;
}

/* Adds a row's member with the fields that all tables want of it. */
static void
add_member(struct arena *arena, struct wanted *wanted, const struct tables *tables,
           const struct field *row)
{
    struct tables inside = {.count = 0};
    const struct field *map = NULL;
    bool whole = false;

    for (size_t i = 0; i < tables->count; i++) {
        for (const struct field *other = tables->items[i]; other->name != NULL; other++) {
            if (speaks_of(other, row->name)) {
                whole = whole || is_whole(other) || inside.count == TABLES_MAX;
                map = other->form == PRUNE_MAP ? other : map;
                inside.items[inside.count] = other->table;
                inside.count += inside.count + 1 < TABLES_MAX && other->table != NULL ? 1 : 0;
            }
        }
    }
    const struct wanted *of_member = whole ? NULL : wanted_by(arena, &inside);

    if (of_member != NULL && map != NULL) {
        struct wanted *entries = wanted_new(arena);

        wanted_add_rest(entries, of_member);
        of_member = entries;
    }
    wanted_add(arena, wanted, row->name, of_member,
               (row->flags & FIELD_RECURS) == FIELD_RECURS ? WANTED_RECURS : WANTED_PLAIN);
}

/* Recursion is as deep as the tables nest. */
static const struct wanted *
wanted_by(struct arena *arena, const struct tables *tables)
{
    struct wanted *wanted = wanted_new(arena);

    for (size_t i = 0; i < tables->count; i++) {
        const struct field *row = tables->items[i];

        for (; row->name != NULL; row++) {
            if (row->form != PRUNE_NOT) {
                add_member(arena, wanted, tables, row);
            }
        }
        if (row->form == PRUNE_WHOLE) {
            wanted_add_rest(wanted, NULL);
        }
    }
    return wanted;
}

/* NULL: all fields. Kinds with few objects are read whole: other code reads them, too. */
static const struct wanted *
wanted_of_kind(struct fleet_builder *builder, const char *api_version, const char *kind)
{
    const struct kind *known = kind_find(kind);
    struct tables tables = {.items = {any_table}, .count = 1};

    if (builder_needs(kind) || (known != NULL && (known->flags & FEW) != 0)) {
        return NULL;
    }
    tables.items[tables.count++] = kind_table(api_version, kind);
    if (known == NULL || (known->flags & IN_MEMBER) != 0) {
        tables.items[tables.count++] = workload_table(api_version, kind);
        tables.items[tables.count++] = workload_labels_table; /* it may be a resource template */
        tables.items[tables.count++] = workload_template_table;
    }
    return wanted_by(builder->wanted_arena, &tables);
}

const struct wanted *
fleet_builder_wanted(void *for_builder, const struct wanted_of *object)
{
    struct fleet_builder *builder = for_builder;
    const char *api_version =
        str_is_empty(object->api_version) ? object->list_api_version : object->api_version;
    const char *kind =
        str_is_empty(object->kind) ? builder_item_kind(builder, object->list_kind) : object->kind;
    char key[KEY_MAX];
    int length = snprintf(key, sizeof(key), "%s\n%s", api_version, kind);

    /* without a type, or with a longer one, all fields are read */
    if (str_is_empty(kind) || str_is_empty(api_version) || length < 0 ||
        (size_t)length >= sizeof(key)) {
        return NULL;
    }
    void **slot = map_get(builder->wanted_by_kind, key, (size_t)length);

    if (slot == NULL && map_count(builder->wanted_by_kind) < KINDS_MAX) {
        const char *kept = arena_strndup(builder->wanted_arena, key, (size_t)length);
        const struct wanted *wanted = wanted_of_kind(builder, api_version, kind);

        slot = map_put(builder->wanted_by_kind, kept, (size_t)length, NULL);
        *slot = (void *)wanted;
    }
    return slot != NULL ? *slot : NULL;
}
