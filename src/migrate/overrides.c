/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the overrides of a federated object. Overrides of replicas are kept apart: they belong to
 * the placement.
 */
#include <stdlib.h>

#include "migrate_internal.h"

static const char *const entry_fields[] = {"clusterName", "clusterOverrides", NULL};
static const char *const override_fields[] = {"op", "path", "value", NULL};
/* KubeFed refuses an object that overrides one of these. */
static const char *const refused_paths[] = {"/kind", "/metadata/name", "/metadata/namespace",
                                            "/metadata/generateName", NULL};

struct overrides_reader {
    struct migration *m;
    const struct work *work;
    const struct reach *reach;
};

static bool
refuse(const struct overrides_reader *r, const char *path, const char *what)
{
    note_lost(r->m, r->work->input->label, path, "%s", what);
    return false;
}

static bool
is_one_of(const char *const *texts, const char *text)
{
    size_t i = 0;

    while (texts[i] != NULL && !str_eq(texts[i], text)) {
        i++;
    }
    return texts[i] != NULL;
}

static bool
check_override(const struct overrides_reader *r, const char *where, const struct value *item,
               const struct map *paths)
{
    const char *path = value_text(item, "path");
    const char *op = value_text(item, "op");

    if (str_is_empty(path)) {
        return refuse(r, where, "want an object with a path");
    }
    if (is_one_of(refused_paths, path)) {
        return refuse(r, where, "KubeFed refuses an override of that path");
    }
    if (map_get_str(paths, path) != NULL) {
        return refuse(r, where, "a second override of that path");
    }
    if (!member_is(r->m, r->work->input->label, where, item, "op", VALUE_STRING)) {
        return false;
    }
    if (!is_one_of((const char *const[]){"", "add", "remove", "replace", NULL}, op)) {
        return refuse(r, where, "want op add, remove or replace");
    }
    note_unknown(r->m, r->work->input->label, where, item, override_fields);
    return true;
}

static struct value *
plaintext_of(struct arena *arena, const struct value *item)
{
    const char *op = value_text(item, "op");
    struct value *ret = value_new(arena, VALUE_OBJECT);

    value_put_text(ret, "path", value_text(item, "path"));
    value_put_text(ret, "operator", str_is_empty(op) ? "replace" : op);
    if (!str_eq(op, "remove")) {
        value_put(ret, "value", value_get(item, "value"));
    }
    return ret;
}

static bool
take_override(const struct overrides_reader *r, const char *where, const struct value *item,
              struct cluster_overrides *cluster)
{
    const struct value *value = value_get(item, "value");
    bool is_removed = str_eq(value_text(item, "op"), "remove");

    if (r->work->has_replicas && str_eq(value_text(item, "path"), REPLICAS_PATH)) {
        cluster->has_replicas = true;
        cluster->replicas = DEFAULT_REPLICAS;
        return is_removed || count_read(value, &cluster->replicas) ||
               refuse(r, where, "want a count of replicas");
    }
    if (!is_removed && (value == NULL || value_type(value) == VALUE_NULL)) {
        note_lost(r->m, r->work->input->label, where, "an override of %s without a value",
                  value_text(item, "path"));
        return true;
    }
    value_append(cluster->plaintext, plaintext_of(r->m->arena, item));
    return true;
}

static bool
read_cluster(const struct overrides_reader *r, const char *where, const struct value *list,
             struct cluster_overrides *cluster)
{
    struct map *paths = map_new();
    bool done = true;

    for (size_t i = 0; i < value_count(list) && done; i++) {
        const struct value *item = value_at(list, i);
        const char *path = arena_printf(r->m->arena, "%s.clusterOverrides[%zu]", where, i);

        done = check_override(r, path, item, paths) && take_override(r, path, item, cluster);
        map_put_str(paths, value_text(item, "path"), NULL);
    }
    map_free(paths);
    return done;
}

/* Reads one entry. `ret->cluster` stays NULL if the object is not placed in that cluster. */
static bool
read_entry(const struct overrides_reader *r, const char *where, const struct value *entry,
           struct map *clusters, struct cluster_overrides *ret)
{
    const char *name = value_text(entry, "clusterName");
    const struct value *list = value_get(entry, "clusterOverrides");
    bool is_new;

    if (str_is_empty(name)) {
        return refuse(r, where, "want an object with a clusterName");
    }
    map_put_str(clusters, name, &is_new);
    if (!is_new) {
        return refuse(r, where, "a second entry of that cluster");
    }
    if (list != NULL && value_type(list) != VALUE_NULL && value_type(list) != VALUE_LIST) {
        return refuse(r, where, "clusterOverrides: want list");
    }
    note_unknown(r->m, r->work->input->label, where, entry, entry_fields);
    ret->plaintext = value_new(r->m->arena, VALUE_LIST);
    if (!read_cluster(r, where, list, ret)) {
        return false;
    }
    if (r->reach->is_known && !reach_has(r->reach, name)) {
        if (value_count(list) > 0) {
            note_lost(r->m, r->work->input->label, where, "the object is not placed in %s", name);
        }
        return true;
    }
    if (!karmada_takes_cluster(name)) {
        return refuse(r, where, "Karmada takes no cluster of that name");
    }
    ret->cluster = name;
    return true;
}

bool
overrides_read(struct migration *m, const struct work *work, const struct reach *reach,
               struct override_list *ret)
{
    const struct overrides_reader reader = {m, work, reach};
    const struct value *list = value_get(value_get(work->input->root, "spec"), "overrides");
    struct map *clusters = map_new();
    bool done = true;

    *ret = (struct override_list){.count = 0};
    if (list != NULL && value_type(list) != VALUE_NULL && value_type(list) != VALUE_LIST) {
        done = refuse(&reader, "spec.overrides", "want list");
    }
    size_t count = done ? value_count(list) : 0;
    struct cluster_overrides *items = ARENA_ARRAY(m->arena, struct cluster_overrides, count);

    for (size_t i = 0; i < count && done; i++) {
        const char *where = arena_printf(m->arena, "spec.overrides[%zu]", i);

        done = read_entry(&reader, where, value_at(list, i), clusters, &items[ret->count]);
        if (done && items[ret->count].cluster != NULL) {
            ret->count++;
        } else {
            items[ret->count] = (struct cluster_overrides){.cluster = NULL};
        }
    }
    ret->items = items;
    map_free(clusters);
    return done;
}
