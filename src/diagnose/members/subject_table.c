/* SPDX-License-Identifier: Apache-2.0
 *
 * Open addressing with linear probing, at most half full.
 */
#include "subject_table.h"

#include <string.h>

#include "ballast/base/buf.h"
#include "ballast/base/hash.h"
#include "ballast/base/str.h"
#include "ballast/base/wide.h"

struct subject {
    uint32_t hash;    /* the high half; the low half chooses the place */
    uint32_t binding; /* the first that names the subject */
};

struct subject_table {
    const struct fleet *fleet;
    struct hash_key key;
    struct subject *subjects;
    uint32_t n_subjects;
    uint32_t *places;  /* subject + 1; 0: free */
    uint32_t n_places; /* a power of 2 */
    uint32_t *of_binding;
    struct buf text;
};

static size_t
group_length(const char *api_version)
{
    const char *slash = strchr(api_version, '/');

    return slash != NULL ? (size_t)(slash - api_version) : 0;
}

static void
append_part(struct buf *text, const char *part, size_t length)
{
    buf_append(text, part, length);
    buf_append_char(text, '\0');
}

static uint64_t
hash_of(struct subject_table *table, const struct subject_name *name)
{
    struct buf *text = &table->text;

    buf_clear(text);
    append_part(text, name->api_version, group_length(name->api_version));
    append_part(text, name->kind, strlen(name->kind));
    append_part(text, name->namespace_, strlen(name->namespace_));
    append_part(text, name->name, name->name_length);
    return hash_bytes(&table->key, text->data, text->length);
}

static bool
is_named(const struct object_reference *ref, const struct subject_name *name)
{
    const size_t length = group_length(name->api_version);

    return strncmp(ref->name, name->name, name->name_length) == 0 &&
           ref->name[name->name_length] == '\0' && str_eq(ref->namespace_, name->namespace_) &&
           str_eq(ref->kind, name->kind) && group_length(ref->api_version) == length &&
           memcmp(ref->api_version, name->api_version, length) == 0;
}

/* Returns the place of the name, or the free place where it belongs. */
static uint32_t *
find_place(struct subject_table *table, const struct subject_name *name, uint64_t hash)
{
    const uint32_t tag = pin_uint32(hash >> 32);
    uint32_t i = low_uint32(hash) & (table->n_places - 1);

    while (table->places[i] != 0) {
        const struct subject *subject = &table->subjects[table->places[i] - 1];

        if (subject->hash == tag &&
            is_named(&table->fleet->bindings[subject->binding].resource, name)) {
            break;
        }
        i = (i + 1) & (table->n_places - 1);
    }
    return &table->places[i];
}

static uint32_t
add(struct subject_table *table, uint32_t binding)
{
    const struct object_reference *ref = &table->fleet->bindings[binding].resource;
    const struct subject_name name = {ref->api_version, ref->kind, ref->namespace_, ref->name,
                                      strlen(ref->name)};
    const uint64_t hash = hash_of(table, &name);
    uint32_t *place = find_place(table, &name, hash);

    if (*place == 0) {
        table->subjects[table->n_subjects++] = (struct subject){pin_uint32(hash >> 32), binding};
        *place = table->n_subjects;
    }
    return *place - 1;
}

struct subject_table *
subject_table_new(struct arena *arena, const struct fleet *fleet)
{
    struct subject_table *table = ARENA_NEW(arena, struct subject_table);
    uint32_t n_places = 16;

    while (n_places / 2 < fleet->n_bindings) {
        n_places *= 2;
    }
    *table = (struct subject_table){
        .fleet = fleet,
        .key = hash_key_of_process(),
        .subjects = ARENA_ARRAY(arena, struct subject, fleet->n_bindings),
        .places = ARENA_ARRAY(arena, uint32_t, n_places),
        .n_places = n_places,
        .of_binding = ARENA_ARRAY(arena, uint32_t, fleet->n_bindings),
    };
    buf_init(&table->text, SIZE_MAX / 2);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        table->of_binding[i] = add(table, i);
    }
    return table;
}

void
subject_table_free(struct subject_table *table)
{
    buf_release(&table->text);
}

uint32_t
subject_table_of_binding(const struct subject_table *table, uint32_t binding)
{
    return table->of_binding[binding];
}

uint32_t
subject_table_find(struct subject_table *table, const struct subject_name *wanted)
{
    return *find_place(table, wanted, hash_of(table, wanted)) - 1; /* free: SUBJECT_NONE */
}
