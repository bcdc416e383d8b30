/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a migration: gathers objects, sorts and reads them, and makes documents.
 */
#include <stdlib.h>

#include "ballast/base/heap.h"
#include "migrate_internal.h"

#define LIST "List"

struct migration *
migration_new(void)
{
    struct migration *m = heap_new(1, sizeof(*m));

    m->arena = arena_new();
    m->namespaces = map_new();
    m->said = map_new();
    return m;
}

void
migration_free(struct migration *m)
{
    if (m == NULL) {
        return;
    }
    vec_free(&m->documents);
    vec_free(&m->notes);
    vec_free(&m->works);
    vec_free(&m->wishes);
    vec_free(&m->clusters);
    vec_free(&m->types);
    vec_free(&m->inputs);
    map_free(m->said);
    map_free(m->namespaces);
    arena_free(m->arena);
    free(m);
}

/* "FederatedDeployment" for "FederatedDeploymentList"; a plain List does not name the kind. */
static const char *
item_kind(struct migration *m, const char *list_kind)
{
    size_t length = strlen(list_kind);
    size_t suffix = strlen(LIST);

    return length > suffix && str_eq(list_kind + length - suffix, LIST)
               ? arena_strndup(m->arena, list_kind, length - suffix)
               : "";
}

static const char *
label_of(struct migration *m, const struct input *input)
{
    const char *slash = str_is_empty(input->namespace_) ? "" : "/";

    return arena_printf(m->arena, "%s %s%s%s", str_is_empty(input->kind) ? "object" : input->kind,
                        input->namespace_, slash,
                        str_is_empty(input->name) ? "(without a name)" : input->name);
}

static const char *
group_of(struct migration *m, const char *api_version)
{
    size_t length = strcspn(api_version, "/");

    return api_version[length] == '/' ? arena_strndup(m->arena, api_version, length) : "";
}

/* Federated kinds may be of any group. */
static bool
is_of_kubefed(const struct input *input)
{
    return strncmp(input->kind, FEDERATED, strlen(FEDERATED)) == 0 ||
           is_kubefed_group(input->group);
}

static struct input
input_of(struct migration *m, const struct value *object, const char *list_api_version,
         const char *list_kind)
{
    const struct value *metadata = value_get(object, "metadata");
    const char *kind = value_text(object, "kind");
    const char *version = value_text(object, "apiVersion");
    struct input input = {
        .root = object,
        .kind = str_is_empty(kind) ? item_kind(m, list_kind) : kind,
        .api_version = version,
        .namespace_ = value_text(metadata, "namespace"),
        .name = value_text(metadata, "name"),
        .index = m->inputs.count,
    };

    if (str_is_empty(version)) {
        input.api_version = arena_strndup(m->arena, list_api_version, strlen(list_api_version));
    }
    input.group = group_of(m, input.api_version);
    return input;
}

void
migration_add(struct migration *m, const struct value *object, const char *list_api_version,
              const char *list_kind)
{
    struct input input = input_of(m, object, list_api_version, list_kind);

    if (is_of_kubefed(&input)) {
        input = input_of(m, value_copy(m->arena, object), list_api_version, list_kind);
        input.label = label_of(m, &input);
        vec_add(&m->inputs, input);
    }
}

void
migration_miss(struct migration *m, const char *place, const char *why)
{
    note_lost(m, place, "", "%s", why);
}

static int
object_cmp(const struct input *a, const struct input *b)
{
    int order = strcmp(a->namespace_, b->namespace_);

    order = order != 0 ? order : strcmp(a->name, b->name);
    order = order != 0 ? order : strcmp(a->kind, b->kind);
    return order != 0 ? order : strcmp(a->group, b->group);
}

static int
input_cmp(const void *a, const void *b)
{
    const struct input *x = a;
    const struct input *y = b;
    int order = object_cmp(x, y);

    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

/* Keeps the first of equal objects. */
static void
sort_inputs(struct migration *m)
{
    size_t count = 0;

    if (m->inputs.count > 1) {
        qsort(m->inputs.items, m->inputs.count, sizeof(*m->inputs.items), input_cmp);
    }
    for (size_t i = 0; i < m->inputs.count; i++) {
        const struct input *input = &m->inputs.items[i];

        if (count > 0 && object_cmp(&m->inputs.items[count - 1], input) == 0) {
            note_lost(m, input->label, "metadata.name", "it is in the input twice");
        } else {
            m->inputs.items[count++] = *input;
        }
    }
    m->inputs.count = count;
}

/* The interpreter must be applied before the ReplicaSets, so it comes first. */
static void
add_interpreter(struct migration *m)
{
    if (!m->divides_replica_sets) {
        return;
    }
    vec_reserve(&m->documents, 1);
    memmove(m->documents.items + 1, m->documents.items,
            m->documents.count * sizeof(*m->documents.items));
    m->documents.items[0] = interpreter_manifest(m->arena);
    m->documents.count++;
    note_remark(m, "ReplicaSets", "",
                "Karmada divides them by the ResourceInterpreterCustomization that is among the "
                "manifests: apply it first, unless Karmada has one for apps/v1 ReplicaSet");
}

struct migration_result
migration_finish(struct migration *m)
{
    struct migration_result result = {.n_lost = 0};

    sort_inputs(m);
    inputs_check(m);
    inputs_read(m);
    wishes_read(m);
    works_read(m);
    for (size_t i = 0; i < m->works.count; i++) {
        federated_migrate(m, &m->works.items[i]);
    }
    wishes_check_used(m);
    add_interpreter(m);
    for (size_t i = 0; i < m->notes.count; i++) {
        result.n_lost += m->notes.items[i].is_lost;
    }
    result.documents = m->documents.items;
    result.n_documents = m->documents.count;
    result.notes = m->notes.items;
    result.n_notes = m->notes.count;
    return result;
}
