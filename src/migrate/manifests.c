/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds the documents: a resource template, and its policies.
 */
#include "migrate_internal.h"

#define POLICY_VERSION "policy.karmada.io/v1alpha1"

static const char *const metadata_fields[] = {"labels", "annotations", NULL};
/* KubeFed sets name and namespace. Go encodes an unset time as "creationTimestamp: null". */
static const char *const ignored_fields[] = {"name",   "namespace",   "creationTimestamp",
                                             "labels", "annotations", NULL};

static struct value *
metadata_of(struct arena *arena, const char *namespace_, const char *name)
{
    struct value *metadata = value_new(arena, VALUE_OBJECT);

    value_put_text(metadata, "name", name);
    if (!str_is_empty(namespace_)) {
        value_put_text(metadata, "namespace", namespace_);
    }
    return metadata;
}

static struct value *
document_of(struct arena *arena, const char *api_version, const char *kind,
            const struct value *metadata)
{
    struct value *document = value_new(arena, VALUE_OBJECT);

    value_put_text(document, "apiVersion", api_version);
    value_put_text(document, "kind", kind);
    value_put(document, "metadata", metadata);
    return document;
}

static struct value *
template_metadata(struct migration *m, const struct work *work, const struct value *from)
{
    struct value *metadata = metadata_of(m->arena, work->namespace_, work->input->name);

    for (size_t i = 0; metadata_fields[i] != NULL; i++) {
        const struct value *member = value_find(from, metadata_fields[i], VALUE_OBJECT);

        if (value_count(member) > 0) {
            value_put(metadata, metadata_fields[i], member);
        }
    }
    for (struct value_iterator it = VALUE_ITERATOR(from); value_each(&it);) {
        size_t i = 0;

        while (ignored_fields[i] != NULL && !str_eq(ignored_fields[i], it.key)) {
            i++;
        }
        if (ignored_fields[i] == NULL) {
            note_lost(m, work->input->label,
                      arena_printf(m->arena, "spec.template.metadata.%s", it.key),
                      "of a template, only labels and annotations are carried over");
        }
    }
    return metadata;
}

static struct value *
spec_with_replicas(struct arena *arena, const struct value *spec, int64_t replicas)
{
    struct value *ret = value_copy(arena, spec);

    value_put(ret, "replicas", value_new_integer(arena, replicas));
    return ret;
}

struct value *
template_manifest(struct migration *m, const struct work *work, const struct split *split)
{
    const struct value *template = value_get(value_get(work->input->root, "spec"), "template");
    const struct value *metadata = value_find(template, "metadata", VALUE_OBJECT);
    struct value *document =
        document_of(m->arena, work->api_version, work->kind, template_metadata(m, work, metadata));

    for (struct value_iterator it = VALUE_ITERATOR(template); value_each(&it);) {
        if (str_eq(it.key, "status")) {
            if (value_count(it.value) > 0) {
                note_lost(m, work->input->label, "spec.template.status",
                          "a status is not part of a template");
            }
        } else if (value_get(document, it.key) == NULL) {
            value_put(document, it.key,
                      split != NULL && str_eq(it.key, "spec")
                          ? spec_with_replicas(m->arena, it.value, split->replicas)
                          : it.value);
        }
    }
    return document;
}

static struct value *
list_of(struct arena *arena, const struct value *item)
{
    struct value *list = value_new(arena, VALUE_LIST);

    value_append(list, item);
    return list;
}

static struct value *
selectors_of(struct arena *arena, const struct work *work)
{
    struct value *selector = value_new(arena, VALUE_OBJECT);

    value_put_text(selector, "apiVersion", work->api_version);
    value_put_text(selector, "kind", work->kind);
    if (!str_is_empty(work->namespace_)) {
        value_put_text(selector, "namespace", work->namespace_);
    }
    value_put_text(selector, "name", work->input->name);
    return list_of(arena, selector);
}

static struct value *
cluster_names(struct arena *arena, const char *name)
{
    struct value *names = value_new(arena, VALUE_OBJECT);

    value_put(names, "clusterNames", list_of(arena, value_new_string(arena, name, strlen(name))));
    return names;
}

/* A NULL split: the object has no replicas. */
static struct value *
replica_scheduling(struct arena *arena, const struct split *split)
{
    struct value *ret = value_new(arena, VALUE_OBJECT);

    if (split == NULL || !split->is_divided) {
        value_put_text(ret, "replicaSchedulingType", "Duplicated");
        return ret;
    }
    value_put_text(ret, "replicaSchedulingType", "Divided");
    value_put_text(ret, "replicaDivisionPreference", "Weighted");
    if (split->n_shares > 0) {
        struct value *weights = value_new(arena, VALUE_LIST);
        struct value *preference = value_new(arena, VALUE_OBJECT);

        for (uint32_t i = 0; i < split->n_shares; i++) {
            struct value *weight = value_new(arena, VALUE_OBJECT);

            value_put(weight, "targetCluster", cluster_names(arena, split->shares[i].cluster));
            value_put(weight, "weight", value_new_integer(arena, split->shares[i].replicas));
            value_append(weights, weight);
        }
        value_put(preference, "staticWeightList", weights);
        value_put(ret, "weightPreference", preference);
    }
    return ret;
}

struct value *
propagation_manifest(const struct migration *m, const struct work *work, const struct reach *reach,
                     const struct split *split)
{
    struct arena *arena = m->arena;
    const char *kind =
        str_is_empty(work->namespace_) ? "ClusterPropagationPolicy" : "PropagationPolicy";
    struct value *document = document_of(arena, POLICY_VERSION, kind,
                                         metadata_of(arena, work->namespace_, work->policy_name));
    struct value *spec = value_new(arena, VALUE_OBJECT);
    struct value *placement = value_new(arena, VALUE_OBJECT);

    value_put(spec, "resourceSelectors", selectors_of(arena, work));
    if (!m->leaves_what_is_there) {
        value_put_text(spec, "conflictResolution", "Overwrite");
    }
    value_put(placement, "clusterAffinity", reach_affinity(arena, reach));
    value_put(placement, "replicaScheduling", replica_scheduling(arena, split));
    value_put(spec, "placement", placement);
    value_put(document, "spec", spec);
    return document;
}

#define INTERPRETER "ballast-replicasets"

static struct value *
script_of(struct arena *arena, const char *text)
{
    struct value *script = value_new(arena, VALUE_OBJECT);

    value_put_text(script, "luaScript", text);
    return script;
}

struct value *
interpreter_manifest(struct arena *arena)
{
    struct value *document =
        document_of(arena, "config.karmada.io/v1alpha1", "ResourceInterpreterCustomization",
                    metadata_of(arena, "", INTERPRETER));
    struct value *spec = value_new(arena, VALUE_OBJECT);
    struct value *target = value_new(arena, VALUE_OBJECT);
    struct value *customizations = value_new(arena, VALUE_OBJECT);

    value_put_text(target, "apiVersion", APPS);
    value_put_text(target, "kind", "ReplicaSet");
    value_put(spec, "target", target);
    value_put(customizations, "replicaResource",
              script_of(arena, "local kube = require(\"kube\")\n"
                               "function GetReplicas(obj)\n"
                               "  return obj.spec.replicas, kube.accuratePodRequirements("
                               "obj.spec.template)\n"
                               "end\n"));
    value_put(customizations, "replicaRevision",
              script_of(arena, "function ReviseReplica(obj, desiredReplica)\n"
                               "  obj.spec.replicas = desiredReplica\n"
                               "  return obj\n"
                               "end\n"));
    value_put(spec, "customizations", customizations);
    value_put(document, "spec", spec);
    return document;
}

struct value *
override_manifest(struct arena *arena, const struct work *work,
                  const struct override_list *overrides)
{
    const char *kind = str_is_empty(work->namespace_) ? "ClusterOverridePolicy" : "OverridePolicy";
    struct value *rules = value_new(arena, VALUE_LIST);

    for (uint32_t i = 0; i < overrides->count; i++) {
        const struct cluster_overrides *of = &overrides->items[i];

        if (value_count(of->plaintext) > 0) {
            struct value *rule = value_new(arena, VALUE_OBJECT);
            struct value *overriders = value_new(arena, VALUE_OBJECT);

            value_put(rule, "targetCluster", cluster_names(arena, of->cluster));
            value_put(overriders, "plaintext", of->plaintext);
            value_put(rule, "overriders", overriders);
            value_append(rules, rule);
        }
    }
    if (value_count(rules) == 0) {
        return NULL;
    }
    struct value *document = document_of(arena, POLICY_VERSION, kind,
                                         metadata_of(arena, work->namespace_, work->policy_name));
    struct value *spec = value_new(arena, VALUE_OBJECT);

    value_put(spec, "resourceSelectors", selectors_of(arena, work));
    value_put(spec, "overrideRules", rules);
    value_put(document, "spec", spec);
    return document;
}
