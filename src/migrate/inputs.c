/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads KubeFed's own objects: clusters, federated types, namespaces and settings.
 */
#include <stdlib.h>

#include "migrate_internal.h"

bool
is_being_deleted(const struct input *input)
{
    return value_find(value_get(input->root, "metadata"), "deletionTimestamp", VALUE_STRING) !=
           NULL;
}

static int
cluster_cmp(const void *a, const void *b)
{
    return strcmp(((const struct known_cluster *)a)->name, ((const struct known_cluster *)b)->name);
}

const struct known_cluster *
cluster_find(const struct migration *m, const char *name)
{
    const struct known_cluster wanted = {.name = name};

    return m->clusters.count == 0 ? NULL
                                  : bsearch(&wanted, m->clusters.items, m->clusters.count,
                                            sizeof(wanted), cluster_cmp);
}

const struct target_type *
target_type_find(const struct migration *m, const char *federated_group, const char *federated_kind)
{
    for (size_t i = 0; i < m->types.count; i++) {
        const struct target_type *type = &m->types.items[i];

        if (str_eq(type->federated_group, federated_group) &&
            str_eq(type->federated_kind, federated_kind)) {
            return type;
        }
    }
    return NULL;
}

static const char *const named_by[] = {"namespace", "name", NULL};

static bool
check_input(struct migration *m, const struct input *input)
{
    static const char *const typed_by[] = {"apiVersion", "kind", NULL};
    static const char *const parts[] = {"metadata", "spec", NULL};
    const struct value *metadata = value_get(input->root, "metadata");
    bool is_good = members_are(m, input->label, "", input->root, typed_by, VALUE_STRING) &&
                   members_are(m, input->label, "", input->root, parts, VALUE_OBJECT) &&
                   members_are(m, input->label, "metadata", metadata, named_by, VALUE_STRING);

    if (is_good && str_is_empty(input->name)) {
        note_lost(m, input->label, "metadata.name", "required");
        is_good = false;
    }
    return is_good;
}

void
inputs_check(struct migration *m)
{
    size_t count = 0;

    for (size_t i = 0; i < m->inputs.count; i++) {
        const struct input *input = &m->inputs.items[i];

        if (check_input(m, input)) {
            m->inputs.items[count++] = *input;
        } else {
            note_lost(m, input->label, "", "left out, since it does not say which object it is");
            m->has_unread_cluster |= str_eq(input->kind, "KubeFedCluster");
        }
    }
    m->inputs.count = count;
}

static const char *
labels_hint(struct migration *m, const struct label_list *labels)
{
    const char *text = labels->count > 0 ? ", and give the Cluster the labels " : "";

    for (uint32_t i = 0; i < labels->count; i++) {
        text = arena_printf(m->arena, "%s%s%s=%s", text, i > 0 ? "," : "", labels->items[i].key,
                            labels->items[i].value);
    }
    return text;
}

static void
read_cluster(struct migration *m, const struct input *input)
{
    const struct value *metadata = value_get(input->root, "metadata");
    struct known_cluster *cluster = vec_push(&m->clusters);

    cluster->name = input->name;
    if (!member_has_texts(m, input->label, "metadata", metadata, "labels")) {
        m->has_unread_cluster = true;
    }
    labels_read(m->arena, value_get(metadata, "labels"), &cluster->labels);
    if (!karmada_takes_cluster(input->name)) {
        note_lost(m, input->label, "metadata.name",
                  "Karmada takes no cluster of this name: want a DNS label of at most 48 "
                  "characters");
        return;
    }
    note_remark(m, input->label, "", "to be joined: karmadactl join %s%s", input->name,
                labels_hint(m, &cluster->labels));
}

/* Returns an apiVersion. The core group has no name: "v1". */
static const char *
joined_version(struct migration *m, const struct value *type)
{
    const char *group = value_text(type, "group");
    const char *version = value_text(type, "version");

    return str_is_empty(group) ? version : arena_printf(m->arena, "%s/%s", group, version);
}

static void
read_type(struct migration *m, const struct input *input)
{
    const struct value *spec = value_get(input->root, "spec");
    const struct value *federated = value_get(spec, "federatedType");
    const struct value *target = value_get(spec, "targetType");
    static const char *const fields[] = {"group", "version", "kind", "scope", NULL};

    if (!members_are(m, input->label, "spec.federatedType", federated, fields, VALUE_STRING) ||
        !members_are(m, input->label, "spec.targetType", target, fields, VALUE_STRING)) {
        return;
    }
    struct target_type type = {
        .federated_group = value_text(federated, "group"),
        .federated_kind = value_text(federated, "kind"),
        .api_version = joined_version(m, target),
        .kind = value_text(target, "kind"),
        .is_namespaced = str_eq(value_text(target, "scope"), "Namespaced"),
    };

    if (str_is_empty(type.federated_group)) {
        type.federated_group = TYPES_GROUP;
    }
    if (str_is_empty(type.federated_kind) || str_is_empty(type.kind) ||
        str_is_empty(value_text(target, "version"))) {
        note_lost(m, input->label, "spec", "federatedType or targetType does not say which it is");
        return;
    }
    if (!str_eq(value_text(spec, "propagation"), "Enabled") || is_being_deleted(input)) {
        note_lost(m, input->label, "spec.propagation",
                  "not Enabled: what runs of this kind need not be what is written");
    }
    vec_add(&m->types, type);
}

static void
read_config(struct migration *m, const struct input *input)
{
    const struct value *spec = value_get(input->root, "spec");

    member_is(m, input->label, "spec", spec, "scope", VALUE_STRING);
    member_is(m, input->label, "spec.syncController", value_get(spec, "syncController"),
              "adoptResources", VALUE_STRING);
    m->is_limited = str_eq(value_text(spec, "scope"), "Namespaced");
    m->leaves_what_is_there =
        str_eq(value_text(value_get(spec, "syncController"), "adoptResources"), "Disabled");
}

static void
read_namespace(struct migration *m, const struct input *input)
{
    if (str_eq(input->namespace_, input->name)) {
        *map_put_str(m->namespaces, input->name, NULL) = (void *)(uintptr_t)input;
    }
}

static const struct {
    const char *group, *kind;
    void (*read)(struct migration *m, const struct input *input);
} readers[] = {
    {CORE_GROUP, "KubeFedCluster", read_cluster},
    {CORE_GROUP, "KubeFedConfig", read_config},
    {CORE_GROUP, "FederatedTypeConfig", read_type},
    {TYPES_GROUP, "FederatedNamespace", read_namespace},
};

void
inputs_read(struct migration *m)
{
    for (size_t i = 0; i < m->inputs.count; i++) {
        const struct input *input = &m->inputs.items[i];

        for (size_t r = 0; r < sizeof(readers) / sizeof(readers[0]); r++) {
            if (str_eq(input->group, readers[r].group) && str_eq(input->kind, readers[r].kind)) {
                readers[r].read(m, input);
            }
        }
    }
    if (m->clusters.count > 1) {
        qsort(m->clusters.items, m->clusters.count, sizeof(*m->clusters.items), cluster_cmp);
    }
}
