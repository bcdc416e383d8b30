/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads ReplicaSchedulingPreferences: a total for the placement, and bounds that only Ballast's
 * configuration can hold.
 */
#include "migrate_internal.h"

static const char *const spec_fields[] = {
    "targetKind", "totalReplicas", "rebalance", "intersectWithClusterSelector", "clusters", NULL};
static const char *const cluster_fields[] = {"minReplicas", "maxReplicas", "weight", NULL};

/* True if Ballast's configuration takes this entry. */
static bool
check_cluster(struct migration *m, const struct input *input, const char *name,
              const struct value *entry)
{
    const char *path = arena_printf(m->arena, "spec.clusters.%s", name);
    bool is_good = value_type(entry) == VALUE_OBJECT;

    for (size_t i = 0; is_good && cluster_fields[i] != NULL; i++) {
        const struct value *number = value_get(entry, cluster_fields[i]);

        is_good =
            number == NULL || (value_type(number) == VALUE_INTEGER && value_integer(number) >= 0);
    }
    if (!is_good) {
        note_lost(m, input->label, path, "want an object of integers from 0");
        return false;
    }
    note_unknown(m, input->label, path, entry, cluster_fields);
    return true;
}

static struct value *
known_members(struct arena *arena, const struct value *entry)
{
    struct value *ret = value_new(arena, VALUE_OBJECT);

    for (size_t i = 0; cluster_fields[i] != NULL; i++) {
        value_put(ret, cluster_fields[i], value_get(entry, cluster_fields[i]));
    }
    return ret;
}

static struct value *
clusters_entry(struct migration *m, const struct input *input, const struct value *clusters)
{
    struct value *ret = value_new(m->arena, VALUE_OBJECT);

    for (struct value_iterator it = VALUE_ITERATOR(clusters); value_each(&it);) {
        if (check_cluster(m, input, it.key, it.value)) {
            value_put(ret, it.key, known_members(m->arena, it.value));
        }
    }
    return ret;
}

static void
put_one(struct arena *arena, struct value *object, const char *key, const char *text)
{
    struct value *list = value_new(arena, VALUE_LIST);

    value_append(list, value_new_string(arena, text, strlen(text)));
    value_put(object, key, list);
}

/* Notes an item for `preferences` in Ballast's configuration, as JSON, which is valid YAML. */
static void
note_entry(struct migration *m, const struct wish *wish)
{
    const struct input *input = wish->input;
    const struct value *spec = value_get(input->root, "spec");
    const struct value *clusters = value_find(spec, "clusters", VALUE_OBJECT);
    struct value *entry = value_new(m->arena, VALUE_OBJECT);
    struct value *selector = value_new(m->arena, VALUE_OBJECT);
    struct buf text;

    value_put_text(entry, "name", arena_printf(m->arena, "%s/%s", input->namespace_, input->name));
    put_one(m->arena, selector, "namespaces", input->namespace_);
    put_one(m->arena, selector, "names", input->name);
    put_one(m->arena, selector, "kinds", wish->target_kind + strlen(FEDERATED));
    value_put(entry, "selector", selector);
    value_put(entry, "rebalance", value_find(spec, "rebalance", VALUE_BOOL));
    if (value_count(clusters) > 0) {
        value_put(entry, "clusters", clusters_entry(m, input, clusters));
    }
    buf_init(&text, SIZE_MAX);
    value_write_json(entry, false, &text);
    note_remark(m, input->label, "spec", "for `preferences` of Ballast's configuration: %s",
                buf_text(&text));
    buf_release(&text);
}

static void
read_wish(struct migration *m, const struct input *input)
{
    const struct value *spec = value_get(input->root, "spec");
    const struct value *total = value_find(spec, "totalReplicas", VALUE_INTEGER);
    const struct value *intersect = value_find(spec, "intersectWithClusterSelector", VALUE_BOOL);
    struct wish wish = {.input = input, .target_kind = value_text(spec, "targetKind")};

    if (!str_eq(wish.target_kind, "FederatedDeployment") &&
        !str_eq(wish.target_kind, "FederatedReplicaSet")) {
        note_lost(m, input->label, "spec.targetKind",
                  "want FederatedDeployment or FederatedReplicaSet, got \"%s\"", wish.target_kind);
        return;
    }
    if (total == NULL || value_integer(total) < 0 || value_integer(total) > INT32_MAX) {
        note_lost(m, input->label, "spec.totalReplicas", "want a count of replicas");
        return;
    }
    if (value_get(spec, "clusters") != NULL && value_find(spec, "clusters", VALUE_NULL) == NULL &&
        value_find(spec, "clusters", VALUE_OBJECT) == NULL) {
        note_lost(m, input->label, "spec.clusters", "want object");
    }
    if (intersect != NULL && value_bool(intersect)) {
        note_lost(m, input->label, "spec.intersectWithClusterSelector",
                  "the placement has the clusters of today");
    }
    static const char *const switches[] = {"rebalance", "intersectWithClusterSelector", NULL};

    members_are(m, input->label, "spec", spec, switches, VALUE_BOOL);
    note_unknown(m, input->label, "spec", spec, spec_fields);
    wish.total_replicas = value_integer(total);
    vec_add(&m->wishes, wish);
}

void
wishes_read(struct migration *m)
{
    for (size_t i = 0; i < m->inputs.count; i++) {
        const struct input *input = &m->inputs.items[i];

        if (str_eq(input->group, SCHEDULING_GROUP) &&
            str_eq(input->kind, "ReplicaSchedulingPreference")) {
            read_wish(m, input);
        }
    }
}

/* Wishes are sorted by namespace and name, as inputs are. */
static int
place_cmp(const struct input *a, const struct input *b)
{
    int order = strcmp(a->namespace_, b->namespace_);

    return order != 0 ? order : strcmp(a->name, b->name);
}

struct wish *
wish_find(struct migration *m, const struct input *federated)
{
    size_t low = 0;
    size_t high = m->wishes.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct wish *wish = &m->wishes.items[middle];
        int order = place_cmp(federated, wish->input);

        if (order == 0) {
            return str_eq(wish->target_kind, federated->kind) ? wish : NULL;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

void
wishes_check_used(struct migration *m)
{
    for (size_t i = 0; i < m->wishes.count; i++) {
        const struct wish *wish = &m->wishes.items[i];

        if (wish->is_used) {
            note_entry(m, wish);
        } else {
            note_lost(m, wish->input->label, "spec.targetKind", "no %s %s/%s is carried over",
                      wish->target_kind, wish->input->namespace_, wish->input->name);
        }
    }
}
