/* SPDX-License-Identifier: Apache-2.0
 *
 * The documents that are written: a resource template, and the policies for it.
 */
#include "migrate_internal.h"

#define POLICY_VERSION "policy.karmada.io/v1alpha1"

static const char *const metadata_fields[] = {"labels", "annotations", NULL};
/* KubeFed sets the first two; the third is what an encoder leaves of nothing. */
static const char *const ignored_fields[] = {"name",   "namespace",   "creationTimestamp",
                                             "labels", "annotations", NULL};

void
put_text(struct value *object, const char *key, const char *text)
{
    value_put(object, key, value_new_string(text, strlen(text)));
}

static struct value *
metadata_of(const char *namespace_, const char *name)
{
    struct value *metadata = value_new_object();

    put_text(metadata, "name", name);
    if (!str_is_empty(namespace_)) {
        put_text(metadata, "namespace", namespace_);
    }
    return metadata;
}

static struct value *
document_of(const char *api_version, const char *kind, struct value *metadata)
{
    struct value *document = value_new_object();

    put_text(document, "apiVersion", api_version);
    put_text(document, "kind", kind);
    value_put(document, "metadata", metadata);
    return document;
}

static struct value *
template_metadata(struct migration *m, const struct work *work, const struct value *from)
{
    struct value *metadata = metadata_of(work->namespace_, work->input->name);
    struct value_iterator it = VALUE_ITERATOR(from);
    const struct value *member;
    const char *key;

    for (size_t i = 0; metadata_fields[i] != NULL; i++) {
        member = value_find(from, metadata_fields[i], VALUE_OBJECT);
        if (member != NULL && value_count(member) > 0) {
            value_put(metadata, metadata_fields[i], value_share(member));
        }
    }
    while (from != NULL && value_each(&it, &key, &member)) {
        size_t i = 0;

        while (ignored_fields[i] != NULL && !str_eq(ignored_fields[i], key)) {
            i++;
        }
        if (ignored_fields[i] == NULL) {
            note_lost(m, work->input->label,
                      arena_printf(m->arena, "spec.template.metadata.%s", key),
                      "of a template, only labels and annotations are carried over");
        }
    }
    return metadata;
}

static struct value *
spec_with_replicas(const struct value *spec, int64_t replicas)
{
    struct value *ret = value_copy_object(spec);

    value_put(ret, "replicas", value_new_integer(replicas));
    return ret;
}

struct value *
template_manifest(struct migration *m, const struct work *work, const struct split *split)
{
    const struct value *template = value_get(value_get(work->input->root, "spec"), "template");
    const struct value *metadata = value_find(template, "metadata", VALUE_OBJECT);
    struct value *document =
        document_of(work->api_version, work->kind, template_metadata(m, work, metadata));
    struct value_iterator it = VALUE_ITERATOR(template);
    const struct value *member;
    const char *key;

    while (template != NULL && value_each(&it, &key, &member)) {
        if (str_eq(key, "status")) {
            if (value_count(member) > 0) {
                note_lost(m, work->input->label, "spec.template.status",
                          "a status is not part of a template");
            }
        } else if (value_get(document, key) == NULL) {
            value_put(document, key,
                      split != NULL && str_eq(key, "spec")
                          ? spec_with_replicas(member, split->replicas)
                          : value_share(member));
        }
    }
    return document;
}

static struct value *
list_of(struct value *item)
{
    struct value *list = value_new_list();

    value_append(list, item);
    return list;
}

static struct value *
selectors_of(const struct work *work)
{
    struct value *selector = value_new_object();

    put_text(selector, "apiVersion", work->api_version);
    put_text(selector, "kind", work->kind);
    if (!str_is_empty(work->namespace_)) {
        put_text(selector, "namespace", work->namespace_);
    }
    put_text(selector, "name", work->input->name);
    return list_of(selector);
}

static struct value *
cluster_names(const char *name)
{
    struct value *names = value_new_object();

    value_put(names, "clusterNames", list_of(value_new_string(name, strlen(name))));
    return names;
}

/* NULL split: of what has no replicas that are divided. */
static struct value *
replica_scheduling(const struct split *split)
{
    struct value *ret = value_new_object();

    if (split == NULL || !split->is_divided) {
        put_text(ret, "replicaSchedulingType", "Duplicated");
        return ret;
    }
    put_text(ret, "replicaSchedulingType", "Divided");
    put_text(ret, "replicaDivisionPreference", "Weighted");
    if (split->n_shares > 0) {
        struct value *weights = value_new_list();
        struct value *preference = value_new_object();

        for (uint32_t i = 0; i < split->n_shares; i++) {
            struct value *weight = value_new_object();

            value_put(weight, "targetCluster", cluster_names(split->shares[i].cluster));
            value_put(weight, "weight", value_new_integer(split->shares[i].replicas));
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
    const char *kind =
        str_is_empty(work->namespace_) ? "ClusterPropagationPolicy" : "PropagationPolicy";
    struct value *document =
        document_of(POLICY_VERSION, kind, metadata_of(work->namespace_, work->policy_name));
    struct value *spec = value_new_object();
    struct value *placement = value_new_object();

    value_put(spec, "resourceSelectors", selectors_of(work));
    if (!m->leaves_what_is_there) {
        put_text(spec, "conflictResolution", "Overwrite");
    }
    value_put(placement, "clusterAffinity", reach_affinity(reach));
    value_put(placement, "replicaScheduling", replica_scheduling(split));
    value_put(spec, "placement", placement);
    value_put(document, "spec", spec);
    return document;
}

#define INTERPRETER "ballast-replicasets"

static struct value *
script_of(const char *text)
{
    struct value *script = value_new_object();

    put_text(script, "luaScript", text);
    return script;
}

struct value *
interpreter_manifest(void)
{
    struct value *document =
        document_of("config.karmada.io/v1alpha1", "ResourceInterpreterCustomization",
                    metadata_of("", INTERPRETER));
    struct value *spec = value_new_object();
    struct value *target = value_new_object();
    struct value *customizations = value_new_object();

    put_text(target, "apiVersion", APPS);
    put_text(target, "kind", "ReplicaSet");
    value_put(spec, "target", target);
    value_put(customizations, "replicaResource",
              script_of("local kube = require(\"kube\")\n"
                        "function GetReplicas(obj)\n"
                        "  return obj.spec.replicas, kube.accuratePodRequirements("
                        "obj.spec.template)\n"
                        "end\n"));
    value_put(customizations, "replicaRevision",
              script_of("function ReviseReplica(obj, desiredReplica)\n"
                        "  obj.spec.replicas = desiredReplica\n"
                        "  return obj\n"
                        "end\n"));
    value_put(spec, "customizations", customizations);
    value_put(document, "spec", spec);
    return document;
}

struct value *
override_manifest(const struct work *work, const struct override_list *overrides)
{
    const char *kind = str_is_empty(work->namespace_) ? "ClusterOverridePolicy" : "OverridePolicy";
    struct value *rules = value_new_list();

    for (uint32_t i = 0; i < overrides->count; i++) {
        const struct cluster_overrides *of = &overrides->items[i];

        if (value_count(of->plaintext) > 0) {
            struct value *rule = value_new_object();
            struct value *overriders = value_new_object();

            value_put(rule, "targetCluster", cluster_names(of->cluster));
            value_put(overriders, "plaintext", value_share(of->plaintext));
            value_put(rule, "overriders", overriders);
            value_append(rules, rule);
        }
    }
    if (value_count(rules) == 0) {
        value_drop(rules);
        return NULL;
    }
    struct value *document =
        document_of(POLICY_VERSION, kind, metadata_of(work->namespace_, work->policy_name));
    struct value *spec = value_new_object();

    value_put(spec, "resourceSelectors", selectors_of(work));
    value_put(spec, "overrideRules", rules);
    value_put(document, "spec", spec);
    return document;
}
