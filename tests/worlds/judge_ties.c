/* SPDX-License-Identifier: Apache-2.0
 *
 * Replicas of which a node takes one at most: as many nodes must be free for them
 * as are given. And quotas of a member, by pods.
 */
#include "judge.h"

/* The one disk that a world's pod may have. */
struct disk {
    const char *type, *id, *pool, *monitor;
    bool read_only;
};

struct lone {
    const json_t *workload, *spec; /* of the template */
    const char *namespace_;
};

static int64_t
host_port(const json_t *spec, const json_t *port)
{
    return integer_at(port, truth_at(spec, "hostNetwork") ? "containerPort" : "hostPort", 0);
}

static bool
is_any(const char *ip)
{
    return *ip == '\0' || is(ip, "0.0.0.0");
}

static const char *
protocol_of(const json_t *port)
{
    const char *protocol = text_at(port, "protocol");

    return *protocol == '\0' ? "TCP" : protocol;
}

/* The one port that the first container of a world's pod may have. */
static const json_t *
port_of(const json_t *spec)
{
    const json_t *port = json_array_get(at(json_array_get(at(spec, "containers"), 0), "ports"), 0);

    return host_port(spec, port) > 0 ? port : NULL;
}

static bool
clash(const json_t *a_spec, const json_t *b_spec)
{
    const json_t *a = port_of(a_spec), *b = port_of(b_spec);
    const char *a_ip = text_at(a, "hostIP"), *b_ip = text_at(b, "hostIP");

    return a != NULL && b != NULL && host_port(a_spec, a) == host_port(b_spec, b) &&
           is(protocol_of(a), protocol_of(b)) && (is_any(a_ip) || is_any(b_ip) || is(a_ip, b_ip));
}

static bool
disk_of(const json_t *spec, struct disk *ret)
{
    static const char *const ids[][2] = {{"awsElasticBlockStore", "volumeID"},
                                         {"gcePersistentDisk", "pdName"},
                                         {"iscsi", "iqn"},
                                         {"rbd", "image"}};
    const json_t *volume = json_array_get(at(spec, "volumes"), 0);

    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        const json_t *source = at(volume, ids[i][0]);

        if (source != NULL) {
            *ret = (struct disk){
                .type = ids[i][0],
                .id = text_at(source, ids[i][1]),
                .pool = text_at(source, "pool"),
                .monitor =
                    i == 3 ? json_string_value(json_array_get(at(source, "monitors"), 0)) : "",
                .read_only = i > 0 && truth_at(source, "readOnly"),
            };
            return true;
        }
    }
    return false;
}

static bool
disks_clash(const json_t *a_spec, const json_t *b_spec)
{
    struct disk a, b;

    return disk_of(a_spec, &a) && disk_of(b_spec, &b) && is(a.type, b.type) && is(a.id, b.id) &&
           is(a.pool, b.pool) && is(a.monitor, b.monitor) && !(a.read_only && b.read_only);
}

/* By its label keys the term takes a pod with these labels. */
static bool
keys_take(const struct lone *lone, const json_t *term, const json_t *labels)
{
    bool take = true;
    size_t i;
    json_t *key;

    json_array_foreach(at(term, "matchLabelKeys"), i, key)
    {
        take = take &&
               replica_is_alike(lone->workload, json_string_value(key),
                                json_string_value(json_object_get(labels, json_string_value(key))));
    }
    json_array_foreach(at(term, "mismatchLabelKeys"), i, key)
    {
        take = take &&
               replica_is_other(lone->workload, json_string_value(key),
                                json_string_value(json_object_get(labels, json_string_value(key))));
    }
    return take;
}

/* Likewise another replica. */
static bool
keys_take_replica(const struct lone *lone, const json_t *term)
{
    bool take = true;
    size_t i;
    json_t *key;

    json_array_foreach(at(term, "matchLabelKeys"), i, key)
    {
        take = take && !replicas_differ(lone->workload, json_string_value(key));
    }
    json_array_foreach(at(term, "mismatchLabelKeys"), i, key)
    {
        take = take && (replicas_differ(lone->workload, json_string_value(key)) ||
                        !replica_has(lone->workload, json_string_value(key)));
    }
    return take;
}

/* The one term that keeps its like from its node; NULL: none does. */
static const json_t *
lone_term(const struct lone *lone)
{
    const json_t *term = json_array_get(
        at(lone->spec, "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution"),
        0);
    const json_t *namespaces = at(term, "namespaces");
    bool is_own = namespaces == NULL || list_has(namespaces, lone->namespace_);

    return is(text_at(term, "topologyKey"), "kubernetes.io/hostname") &&
                   (is_own || at(term, "namespaceSelector") != NULL) &&
                   at(term, "labelSelector") != NULL &&
                   takes_replica(at(term, "labelSelector"), lone->workload) &&
                   keys_take_replica(lone, term)
               ? term
               : NULL;
}

static bool
is_lone(const struct lone *lone, const json_t *term)
{
    return port_of(lone->spec) != NULL || term != NULL || disks_clash(lone->spec, lone->spec);
}

static bool
keeps_away(const struct lone *lone, const json_t *term, const json_t *pod)
{
    return (port_of(lone->spec) != NULL && clash(lone->spec, at(pod, "spec"))) ||
           disks_clash(lone->spec, at(pod, "spec")) ||
           (term != NULL && at(term, "namespaces") == NULL &&
            is(text_at(pod, "metadata.namespace"), lone->namespace_) &&
            label_selector_takes(at(term, "labelSelector"), at(pod, "metadata.labels")) &&
            keys_take(lone, term, at(pod, "metadata.labels")));
}

static int
count_free(const struct facts *facts, const struct lone *lone, const json_t *term, int cluster)
{
    int count = 0;

    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];
        bool is_free =
            is(object->kind, "Node") && is(object->member, facts->clusters[cluster].name);

        for (int p = 0; p < facts->n_pods && is_free; p++) {
            const struct pod_facts *pod = &facts->pods[p];

            is_free = pod->cluster != cluster || pod->finished ||
                      !is(text_at(pod->json, "spec.nodeName"), object->name) ||
                      !keeps_away(lone, term, pod->json);
        }
        count += is_free ? 1 : 0;
    }
    return count;
}

/* Static weights divide whatever the room is, as upstream's do. */
static bool
looks_at_room(const struct binding_facts *binding)
{
    const json_t *scheduling = at(binding->placement, "replicaScheduling");

    return binding->divided && (*text_at(scheduling, "weightPreference.dynamicWeight") != '\0' ||
                                is(text_at(scheduling, "replicaDivisionPreference"), "Aggregated"));
}

void
judge_ties(struct judge *judge, const struct binding_facts *binding)
{
    const struct facts *facts = &judge->facts;
    const json_t *workload = find_workload_of(facts, binding->json);
    const struct lone lone = {.workload = workload,
                              .spec = at(workload, "spec.template.spec"),
                              .namespace_ = binding->namespace_};
    const json_t *term = lone_term(&lone);

    if (!looks_at_room(binding) || at(binding->json, "spec.replicaRequirements") == NULL ||
        !is_lone(&lone, term) || !facts->has_nodes || !facts->has_pods ||
        json_is_false(at(facts->world->config, "overcommitProtection"))) {
        return;
    }
    for (int i = 0; i < facts->n_clusters; i++) {
        const struct target_facts *target = &binding->targets[i];
        int shown = target->seen ? target->pods : target->ready;
        int had = target->before > shown ? target->before : shown;
        const struct cluster_facts *cluster = &facts->clusters[i];

        if (target->after > had && cluster->has_pods && cluster->has_nodes && !may_grow(facts, i)) {
            int most = count_free(facts, &lone, term, i);

            judge_met(judge, INV_TIES);
            if (target->after - had > most) {
                judge_fail(judge, INV_TIES, binding, i, "%d more where %d nodes take one each",
                           target->after - had, most);
            }
        }
    }
}

/* What a workload is given there that had its template known. */
int
given_by_template(const struct facts *facts, const struct binding_facts *binding, int cluster)
{
    const struct target_facts *target = &binding->targets[cluster];
    int shown = target->seen ? target->pods : target->ready;
    int had = target->before > shown ? target->before : shown;
    bool counts = looks_at_room(binding) && find_workload_of(facts, binding->json) != NULL &&
                  at(binding->json, "spec.replicaRequirements") != NULL;

    return counts && target->after > had ? target->after - had : 0;
}

static bool
names_others(const json_t *spec, const char *kind)
{
    const json_t *terms = at(spec, kind);
    size_t index;
    json_t *term;

    json_array_foreach(at(terms, "requiredDuringSchedulingIgnoredDuringExecution"), index, term)
    {
        if (json_array_size(at(term, "namespaces")) > 0 || at(term, "namespaceSelector") != NULL) {
            return true;
        }
    }
    json_array_foreach(at(terms, "preferredDuringSchedulingIgnoredDuringExecution"), index, term)
    {
        const json_t *inner = at(term, "podAffinityTerm");

        if (json_array_size(at(inner, "namespaces")) > 0 ||
            at(inner, "namespaceSelector") != NULL) {
            return true;
        }
    }
    return false;
}

/* Pods of a template are of a scope. BestEffort is left to others: it takes what limits fill in. */
static bool
is_of_scope(const json_t *spec, const char *scope, const char *how, const json_t *values)
{
    const char *class_ = text_at(spec, "priorityClassName");

    if (is(scope, "PriorityClass")) {
        return is(how, "Exists")         ? *class_ != '\0'
               : is(how, "DoesNotExist") ? *class_ == '\0'
               : is(how, "In")           ? *class_ != '\0' && list_has(values, class_)
                                         : *class_ == '\0' || !list_has(values, class_);
    }
    if (is(scope, "CrossNamespacePodAffinity")) {
        return names_others(spec, "affinity.podAffinity") ||
               names_others(spec, "affinity.podAntiAffinity");
    }
    return is(scope, "Terminating") || is(scope, "NotTerminating")
               ? (at(spec, "activeDeadlineSeconds") != NULL) == is(scope, "Terminating")
               : false;
}

/* For certain. */
static bool
is_counted_by(const struct facts *facts, const struct binding_facts *binding, const json_t *quota)
{
    const json_t *spec = at(find_workload_of(facts, binding->json), "spec.template.spec");
    size_t index;
    json_t *item;

    json_array_foreach(at(quota, "spec.scopes"), index, item)
    {
        if (!is_of_scope(spec, json_string_value(item), "Exists", NULL)) {
            return false;
        }
    }
    json_array_foreach(at(quota, "spec.scopeSelector.matchExpressions"), index, item)
    {
        if (!is_of_scope(spec, text_at(item, "scopeName"), text_at(item, "operator"),
                         at(item, "values"))) {
            return false;
        }
    }
    return true;
}

void
judge_member_quotas(struct judge *judge)
{
    const struct facts *facts = &judge->facts;

    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *quota = &facts->objects[i];
        int cluster = is(quota->kind, "ResourceQuota") ? find_name(facts, quota->member) : -1;
        int64_t left = integer_at(quota->json, "status.hard.pods", 0) -
                       integer_at(quota->json, "status.used.pods", 0);
        int given = 0;

        if (cluster < 0 || json_is_false(at(facts->world->config, "overcommitProtection"))) {
            continue;
        }
        for (int b = 0; b < facts->n_bindings; b++) {
            given += is(facts->bindings[b].namespace_, quota->namespace_) &&
                             is_counted_by(facts, &facts->bindings[b], quota->json)
                         ? given_by_template(facts, &facts->bindings[b], cluster)
                         : 0;
        }
        if (given > 0) {
            judge_met(judge, INV_MEMBER_QUOTA);
        }
        if (given > 0 && given > left) {
            judge_fail(judge, INV_MEMBER_QUOTA, NULL, cluster, "%d pods are given of %lld in %s",
                       given, (long long)left, quota->namespace_);
        }
    }
}
