/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds where KubeFed puts an object: its placement, bounded by that of the FederatedNamespace and
 * by the registered clusters.
 */
#include <stdlib.h>

#include "migrate_internal.h"

static const char *const placement_fields[] = {"clusters", "clusterSelector", NULL};
static const char *const cluster_fields[] = {"name", NULL};

/* One placement. `clusters`, even empty, wins over the selector. Neither means no cluster. */
struct side {
    enum { SIDE_NOTHING, SIDE_NAMES, SIDE_SELECTOR } sort;
    const char **names; /* sorted, without duplicates */
    uint32_t n_names;
    const struct value *selector;
    struct label_selector labels;
};

static int
name_cmp(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool
has_name(const char *const *names, uint32_t count, const char *name)
{
    return count > 0 && bsearch(&name, names, count, sizeof(name), name_cmp) != NULL;
}

bool
reach_has(const struct reach *reach, const char *cluster)
{
    return has_name(reach->today, reach->n_today, cluster);
}

static void
sort_names(struct side *side)
{
    uint32_t count = 0;

    if (side->n_names > 1) {
        qsort(side->names, side->n_names, sizeof(*side->names), name_cmp);
    }
    for (uint32_t i = 0; i < side->n_names; i++) {
        if (count == 0 || !str_eq(side->names[count - 1], side->names[i])) {
            side->names[count++] = side->names[i];
        }
    }
    side->n_names = count;
}

/* Skips names without a KubeFedCluster, if the input shows all clusters. */
static bool
read_names(struct migration *m, const struct input *input, const struct value *clusters,
           struct side *side)
{
    side->names = ARENA_ARRAY(m->arena, const char *, value_count(clusters));
    for (size_t i = 0; i < value_count(clusters); i++) {
        const struct value *item = value_at(clusters, i);
        const char *path = arena_printf(m->arena, "spec.placement.clusters[%zu]", i);
        const char *name = value_text(item, "name");

        if (str_is_empty(name)) {
            note_lost(m, input->label, path, "want an object with a name");
            return false;
        }
        note_unknown(m, input->label, path, item, cluster_fields);
        if (m->clusters.count > 0 && !m->has_unread_cluster && cluster_find(m, name) == NULL) {
            note_lost(m, input->label, path, "%s is no KubeFedCluster", name);
        } else {
            side->names[side->n_names++] = name;
        }
    }
    sort_names(side);
    return true;
}

static bool
is_set(const struct value *value)
{
    return value != NULL && value_type(value) != VALUE_NULL;
}

static bool
side_read(struct migration *m, const struct input *input, struct side *ret)
{
    const struct value *placement = value_get(value_get(input->root, "spec"), "placement");
    const struct value *clusters = value_get(placement, "clusters");
    const struct value *selector = value_get(placement, "clusterSelector");

    *ret = (struct side){.sort = SIDE_NOTHING};
    if (is_set(placement) && value_type(placement) != VALUE_OBJECT) {
        note_lost(m, input->label, "spec.placement", "want object");
        return false;
    }
    if (is_set(placement)) {
        note_unknown(m, input->label, "spec.placement", placement, placement_fields);
    }
    if (is_set(clusters)) {
        ret->sort = SIDE_NAMES;
        if (value_type(clusters) != VALUE_LIST) {
            note_lost(m, input->label, "spec.placement.clusters", "want list");
            return false;
        }
        return read_names(m, input, clusters, ret);
    }
    if (is_set(selector)) {
        ret->sort = SIDE_SELECTOR;
        ret->selector = selector;
        if (!selector_read(m->arena, selector, &ret->labels)) {
            note_lost(m, input->label, "spec.placement.clusterSelector", "it is no label selector");
            return false;
        }
    }
    return true;
}

static void
join(struct migration *m, const struct side *side, struct reach *reach)
{
    if (side->sort == SIDE_NOTHING) {
        reach->is_nowhere = true;
        return;
    }
    if (side->sort == SIDE_SELECTOR) {
        bool takes_all =
            side->labels.match_labels.count == 0 && side->labels.match_expressions.count == 0;

        if (!takes_all &&
            (reach->n_selectors == 0 || !value_equal(reach->selectors[0], side->selector))) {
            reach->selectors[reach->n_selectors++] = side->selector;
        }
        return;
    }
    const char **both = ARENA_ARRAY(m->arena, const char *, side->n_names);
    uint32_t count = 0;

    for (uint32_t i = 0; i < side->n_names; i++) {
        if (!reach->has_names || has_name(reach->names, reach->n_names, side->names[i])) {
            both[count++] = side->names[i];
        }
    }
    reach->has_names = true;
    reach->names = both;
    reach->n_names = count;
    reach->is_nowhere = reach->is_nowhere || count == 0;
}

static bool
side_takes(const struct side *side, const char *name, const struct label_list *labels)
{
    return side->sort == SIDE_NAMES
               ? has_name(side->names, side->n_names, name)
               : side->sort == SIDE_SELECTOR && label_selector_matches(&side->labels, labels);
}

/* Fills `today`: from names alone, or by the labels of the known clusters. */
static void
find_today(struct migration *m, const struct side *sides, uint32_t n_sides, struct reach *reach)
{
    if (reach->is_nowhere || (reach->has_names && reach->n_selectors == 0)) {
        reach->today = reach->is_nowhere ? NULL : reach->names;
        reach->n_today = reach->is_nowhere ? 0 : reach->n_names;
        reach->is_known = true;
        return;
    }
    const char **today = ARENA_ARRAY(m->arena, const char *, m->clusters.count);

    for (size_t c = 0; c < m->clusters.count; c++) {
        const struct known_cluster *cluster = &m->clusters.items[c];
        bool takes = true;

        for (uint32_t i = 0; i < n_sides; i++) {
            takes = takes && side_takes(&sides[i], cluster->name, &cluster->labels);
        }
        if (takes) {
            today[reach->n_today++] = cluster->name;
        }
    }
    reach->today = today;
    reach->is_known = m->clusters.count > 0 && !m->has_unread_cluster;
}

static bool
check_names(struct migration *m, const struct work *work, const struct reach *reach)
{
    const char *const *lists[] = {reach->names, reach->today};
    const uint32_t counts[] = {reach->n_names, reach->n_today};

    for (uint32_t l = 0; l < 2; l++) {
        for (uint32_t i = 0; i < counts[l]; i++) {
            if (!karmada_takes_cluster(lists[l][i])) {
                note_lost(m, work->input->label, "spec.placement",
                          "Karmada takes no cluster of the name %s", lists[l][i]);
                return false;
            }
        }
    }
    return true;
}

bool
reach_read(struct migration *m, const struct work *work, struct reach *ret)
{
    bool is_bounded = !str_is_empty(work->namespace_);
    void **bound = is_bounded ? map_get_str(m->namespaces, work->namespace_) : NULL;
    struct side sides[2];
    uint32_t n_sides = 1;

    *ret = (struct reach){.is_nowhere = false};
    if (!side_read(m, work->input, &sides[0])) {
        return false;
    }
    if (bound != NULL) {
        n_sides = 2;
        if (!side_read(m, *bound, &sides[1])) {
            return false;
        }
    } else if (is_bounded && !m->is_limited) {
        note_lost(m, work->input->label, "metadata.namespace",
                  "there is no FederatedNamespace %s to bound its placement", work->namespace_);
    }
    for (uint32_t i = 0; i < n_sides; i++) {
        join(m, &sides[i], ret);
    }
    find_today(m, sides, n_sides, ret);
    return work->is_namespace || check_names(m, work, ret);
}

/* Appends matchLabels as expressions: a second map could repeat a key of the first. */
static void
append_labels(struct arena *arena, struct value *expressions, const struct value *labels)
{

    for (struct value_iterator it = VALUE_ITERATOR(labels); value_each(&it);) {
        struct value *expression = value_new(arena, VALUE_OBJECT);
        struct value *values = value_new(arena, VALUE_LIST);

        value_put_text(expression, "key", it.key);
        value_put_text(expression, "operator", "In");
        value_append(values, it.value);
        value_put(expression, "values", values);
        value_append(expressions, expression);
    }
}

static void
append_items(struct value *list, const struct value *items)
{
    for (size_t i = 0; items != NULL && i < value_count(items); i++) {
        value_append(list, value_at(items, i));
    }
}

static struct value *
join_selectors(struct arena *arena, const struct value *a, const struct value *b)
{
    const struct value *labels = value_find(a, "matchLabels", VALUE_OBJECT);
    struct value *expressions = value_new(arena, VALUE_LIST);
    struct value *ret = value_new(arena, VALUE_OBJECT);

    append_items(expressions, value_find(a, "matchExpressions", VALUE_LIST));
    append_items(expressions, value_find(b, "matchExpressions", VALUE_LIST));
    append_labels(arena, expressions, value_find(b, "matchLabels", VALUE_OBJECT));
    value_put(ret, "matchLabels", labels);
    value_put(ret, "matchExpressions", expressions);
    return ret;
}

struct value *
reach_affinity(struct arena *arena, const struct reach *reach)
{
    struct value *affinity = value_new(arena, VALUE_OBJECT);

    if (reach->has_names) {
        struct value *names = value_new(arena, VALUE_LIST);

        for (uint32_t i = 0; i < reach->n_names; i++) {
            value_append(names, value_new_string(arena, reach->names[i], strlen(reach->names[i])));
        }
        value_put(affinity, "clusterNames", names);
    }
    if (reach->n_selectors == 2) {
        value_put(affinity, "labelSelector",
                  join_selectors(arena, reach->selectors[0], reach->selectors[1]));
    } else if (reach->n_selectors == 1) {
        value_put(affinity, "labelSelector", reach->selectors[0]);
    } else if (!reach->has_names) {
        value_put(affinity, "labelSelector", value_new(arena, VALUE_OBJECT));
    }
    return affinity;
}
