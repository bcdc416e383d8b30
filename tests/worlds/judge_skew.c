/* SPDX-License-Identifier: Apache-2.0
 *
 * Topology spread: no domain has maxSkew more than another can come to, which may
 * take nothing, or is full at some time.
 */
#include "judge.h"

#include <stdint.h>

/* The one constraint that a world's template may have, in one cluster. */
struct skew {
    const struct facts *facts;
    const json_t *constraint, *workload;
    const char *namespace_;
    int cluster;
    int64_t cpu; /* of a replica, at least */
};

static const char *
label_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(at(object, "metadata.labels"), key));
}

static bool
are_alike(const struct skew *skew, const json_t *pod)
{
    bool are = true;
    size_t i;
    json_t *key;

    json_array_foreach(at(skew->constraint, "matchLabelKeys"), i, key)
    {
        const char *name = json_string_value(key);

        are = are && replica_is_alike(skew->workload, name, label_of(pod, name));
    }
    return are;
}

static int
count_on(const struct skew *skew, const json_t *node)
{
    const json_t *selector = at(skew->constraint, "labelSelector");
    int count = 0;

    for (int i = 0; i < skew->facts->n_pods && selector != NULL; i++) {
        const struct pod_facts *pod = &skew->facts->pods[i];

        count += pod->cluster == skew->cluster && !pod->finished &&
                         at(pod->json, "metadata.deletionTimestamp") == NULL &&
                         is(text_at(pod->json, "spec.nodeName"), text_at(node, "metadata.name")) &&
                         is(text_at(pod->json, "metadata.namespace"), skew->namespace_) &&
                         label_selector_takes(selector, at(pod->json, "metadata.labels")) &&
                         are_alike(skew, pod->json)
                     ? 1
                     : 0;
    }
    return count;
}

/* What is judged tolerates nothing. */
static bool
is_tainted(const json_t *node)
{
    return find_by(at(node, "spec.taints"), "effect", "NoSchedule") != NULL ||
           find_by(at(node, "spec.taints"), "effect", "NoExecute") != NULL;
}

/* No more than so many fit there by resources. */
static int64_t
room_on(const struct skew *skew, const struct object_facts *object)
{
    const json_t *node = object->json;
    int64_t left = free_on(skew->facts, skew->cluster, object);
    int64_t pods = milli_of(at(node, "status.allocatable.pods")) / 1000;

    if (is_tainted(node) || truth_at(node, "spec.unschedulable") || left < skew->cpu) {
        return 0;
    }
    return skew->cpu > 0 && left / skew->cpu < pods ? left / skew->cpu : pods;
}

struct domain {
    const char *value;
    int64_t count, room;
};

/* Those of the nodes that count. */
static int
read_domains(const struct skew *skew, struct domain *domains)
{
    const char *key = text_at(skew->constraint, "topologyKey");
    int count = 0;

    for (int i = 0; i < skew->facts->n_objects; i++) {
        const struct object_facts *object = &skew->facts->objects[i];
        const char *value = label_of(object->json, key);
        int found = 0;

        if (!is(object->kind, "Node") || value == NULL ||
            !is(object->member, skew->facts->clusters[skew->cluster].name) ||
            (is(text_at(skew->constraint, "nodeTaintsPolicy"), "Honor") &&
             is_tainted(object->json))) {
            continue;
        }
        while (found < count && !is(domains[found].value, value)) {
            found++;
        }
        if (found == count) {
            domains[count++] = (struct domain){.value = value};
        }
        domains[found].count += count_on(skew, object->json);
        domains[found].room += room_on(skew, object);
    }
    return count;
}

static int64_t
least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A replica sees those that came before it. */
static bool
sees_others(const struct skew *skew)
{
    bool sees = true;
    size_t i;
    json_t *key;

    json_array_foreach(at(skew->constraint, "matchLabelKeys"), i, key)
    {
        sees = sees && !replicas_differ(skew->workload, json_string_value(key));
    }
    return sees;
}

/* How many there may be, at most. */
static int64_t
most_of(const struct skew *skew)
{
    const json_t *selector = at(skew->constraint, "labelSelector");
    bool takes_own = selector != NULL && takes_replica(selector, skew->workload);
    struct domain domains[NODES_MAX];
    int n_domains = read_domains(skew, domains);
    int64_t fewest = INT64_MAX / 2, most = 0;

    for (int i = 0; i < n_domains; i++) {
        fewest = least(fewest, domains[i].count + domains[i].room);
    }
    if (integer_at(skew->constraint, "minDomains", 1) > n_domains) {
        fewest = 0;
    }
    for (int i = 0; i < n_domains; i++) {
        int64_t left = fewest + integer_at(skew->constraint, "maxSkew", 0) - domains[i].count;

        if (left >= (takes_own ? 1 : 0)) {
            most += takes_own && sees_others(skew) ? least(left, domains[i].room) : domains[i].room;
        }
    }
    return most;
}

static bool
has_claim(const struct binding_facts *binding)
{
    return at(binding->json, "spec.replicaRequirements.nodeClaim") != NULL;
}

void
judge_skew(struct judge *judge, const struct binding_facts *binding)
{
    const struct facts *facts = &judge->facts;
    const json_t *workload = find_workload_of(facts, binding->json);
    const json_t *constraint =
        json_array_get(at(workload, "spec.template.spec.topologySpreadConstraints"), 0);

    if (!is(text_at(constraint, "whenUnsatisfiable"), "DoNotSchedule") || has_claim(binding) ||
        !facts->has_nodes || !facts->has_pods ||
        json_is_false(at(facts->world->config, "overcommitProtection"))) {
        return;
    }
    for (int i = 0; i < facts->n_clusters; i++) {
        const struct skew skew = {.facts = facts,
                                  .constraint = constraint,
                                  .workload = workload,
                                  .namespace_ = binding->namespace_,
                                  .cluster = i,
                                  .cpu = cpu_asked_for(facts, binding)};
        int more = given_by_template(facts, binding, i);

        if (more == 0 || !facts->clusters[i].has_pods || !facts->clusters[i].has_nodes ||
            may_grow(facts, i)) {
            continue;
        }
        int64_t most = most_of(&skew);

        judge_met(judge, INV_SKEW);
        if (more > most) {
            judge_fail(judge, INV_SKEW, binding, i, "%d more where its spread leaves %d", more,
                       (int)most);
        }
    }
}
