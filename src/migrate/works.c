/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the federated objects, their kinds, and names for their policies.
 */
#include <ctype.h>
#include <stdlib.h>

#include "migrate_internal.h"

#define KUBEFED_SUFFIX ".kubefed.io"

/* Kinds that need no FederatedTypeConfig. */
static const struct target_type known_types[] = {
    {TYPES_GROUP, "FederatedDeployment", APPS, "Deployment", true},
    {TYPES_GROUP, "FederatedReplicaSet", APPS, "ReplicaSet", true},
    {TYPES_GROUP, "FederatedNamespace", "v1", "Namespace", false},
};

/* KubeFed's own bookkeeping, and kinds that inputs.c and preferences.c read. */
static const char *const other_kinds[] = {
    "KubeFedCluster",         "KubeFedConfig",
    "FederatedTypeConfig",    "ReplicaSchedulingPreference",
    "PropagatedVersion",      "ClusterPropagatedVersion",
    "FederatedServiceStatus", NULL,
};

static bool
is_other_kind(const char *kind)
{
    size_t i = 0;

    while (other_kinds[i] != NULL && !str_eq(other_kinds[i], kind)) {
        i++;
    }
    return other_kinds[i] != NULL;
}

bool
is_kubefed_group(const char *group)
{
    size_t length = strlen(group);
    size_t suffix = strlen(KUBEFED_SUFFIX);

    return length > suffix && str_eq(group + length - suffix, KUBEFED_SUFFIX);
}

/* A FederatedTypeConfig comes first, then KubeFed's own kinds, then the template. */
static bool
find_type(struct migration *m, const struct input *input, struct work *work)
{
    const struct target_type *type = target_type_find(m, input->group, input->kind);
    const struct value *template = value_get(value_get(input->root, "spec"), "template");

    for (size_t i = 0; type == NULL && i < sizeof(known_types) / sizeof(known_types[0]); i++) {
        if (str_eq(known_types[i].federated_group, input->group) &&
            str_eq(known_types[i].federated_kind, input->kind)) {
            type = &known_types[i];
        }
    }
    work->is_namespaced = type != NULL && type->is_namespaced;
    work->api_version = type != NULL ? type->api_version : value_text(template, "apiVersion");
    work->kind = type != NULL ? type->kind : value_text(template, "kind");
    return !str_is_empty(work->api_version) && !str_is_empty(work->kind);
}

static bool
check_work(struct migration *m, const struct input *input, const struct work *work)
{
    if (is_being_deleted(input)) {
        note_lost(m, input->label, "metadata.deletionTimestamp", "left out: it is being deleted");
        return false;
    }
    if (str_eq(input->group, TYPES_GROUP) && !str_eq(input->api_version, TYPES_GROUP "/v1beta1")) {
        note_lost(m, input->label, "apiVersion", "left out: want " TYPES_GROUP "/v1beta1");
        return false;
    }
    if (work->is_namespaced && str_is_empty(input->namespace_)) {
        note_lost(m, input->label, "metadata.namespace", "left out: required");
        return false;
    }
    if (work->is_namespace && !str_eq(input->namespace_, input->name)) {
        note_lost(m, input->label, "metadata.name",
                  "left out: KubeFed passes over one that is not named as its namespace");
        return false;
    }
    return true;
}

static void
add_work(struct migration *m, const struct input *input)
{
    struct work work = {.input = input};

    if (!find_type(m, input, &work)) {
        note_lost(m, input->label, "spec.template",
                  "left out: neither it nor a FederatedTypeConfig says which apiVersion and kind "
                  "it is");
        return;
    }
    work.is_namespace = str_eq(work.kind, "Namespace") && str_eq(work.api_version, "v1");
    work.namespace_ = work.is_namespace ? "" : input->namespace_;
    work.has_replicas = str_eq(work.api_version, APPS) &&
                        (str_eq(work.kind, "Deployment") || str_eq(work.kind, "ReplicaSet"));
    if (check_work(m, input, &work)) {
        vec_add(&m->works, work);
    }
}

static const char *
full_name(struct migration *m, const char *namespace_, const char *name)
{
    return arena_printf(m->arena, "%s/%s", namespace_, name);
}

/* Returns the name that Karmada gives a binding: name and kind, in lower case. */
static const char *
name_with_kind(struct migration *m, const struct work *work)
{
    char *name = arena_printf(m->arena, "%s-%s", work->input->name, work->kind);

    for (char *c = name + strlen(work->input->name); *c != '\0'; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    return name;
}

/* The first object of a namespace and name gives its policies its own name. `taken` holds
 * "NAMESPACE/NAME" of policies. */
static void
name_policies(struct migration *m, struct map *taken)
{
    bool is_new;

    for (size_t i = 0; i < m->works.count; i++) {
        struct work *work = &m->works.items[i];

        map_put_str(taken, full_name(m, work->namespace_, work->input->name), &is_new);
        work->policy_name = is_new ? work->input->name : NULL;
    }
    for (size_t i = 0; i < m->works.count; i++) {
        struct work *work = &m->works.items[i];

        if (work->policy_name == NULL) {
            work->policy_name = name_with_kind(m, work);
            map_put_str(taken, full_name(m, work->namespace_, work->policy_name), &is_new);
            if (!is_new) {
                note_lost(m, work->input->label, "metadata.name",
                          "left out: another policy is called %s", work->policy_name);
                work->policy_name = "";
            }
        }
    }
}

/* Workloads come first among objects of one name. */
static int
work_rank(const struct work *work)
{
    return work->has_replicas ? 0 : 1;
}

/* Namespaces, then cluster-scoped objects, then the rest in the order of the inputs. */
static int
work_cmp(const void *a, const void *b)
{
    const struct work *x = a;
    const struct work *y = b;
    int order = (int)y->is_namespace - (int)x->is_namespace;

    order = order != 0 ? order : strcmp(x->namespace_, y->namespace_);
    order = order != 0 ? order : strcmp(x->input->name, y->input->name);
    order = order != 0 ? order : work_rank(x) - work_rank(y);
    return order != 0 ? order : (x->input > y->input) - (x->input < y->input);
}

void
works_read(struct migration *m)
{
    struct map *taken = map_new();

    for (size_t i = 0; i < m->inputs.count; i++) {
        const struct input *input = &m->inputs.items[i];
        bool is_federated = str_eq(input->group, TYPES_GROUP) &&
                            strncmp(input->kind, FEDERATED, strlen(FEDERATED)) == 0;

        if (is_federated || target_type_find(m, input->group, input->kind) != NULL) {
            add_work(m, input);
        } else if (is_kubefed_group(input->group) && !is_other_kind(input->kind)) {
            note_lost(m, input->label, "kind", "Karmada has nothing of the sort");
        }
    }
    if (m->works.count > 1) {
        qsort(m->works.items, m->works.count, sizeof(*m->works.items), work_cmp);
    }
    name_policies(m, taken);
    map_free(taken);
}
