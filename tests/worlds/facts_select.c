/* SPDX-License-Identifier: Apache-2.0
 *
 * Selectors, affinity, taints and tolerations, once more.
 */
#include <string.h>

#include "facts.h"

/* Whether a value (NULL: there is none) is as a requirement wants it. */
static bool
value_fits(const json_t *requirement, const char *value)
{
    const char *operator= text_at(requirement, "operator");
    bool listed = value != NULL && list_has(at(requirement, "values"), value);

    if (is(operator, "In")) {
        return listed;
    }
    if (is(operator, "NotIn")) {
        return !listed;
    }
    return is(operator, "Exists") ? value != NULL : is(operator, "DoesNotExist") && value == NULL;
}

bool
label_selector_takes(const json_t *selector, const json_t *labels)
{
    size_t index;
    const char *key;
    json_t *value, *requirement;

    json_object_foreach(at(selector, "matchLabels"), key, value)
    {
        const char *is_there = json_string_value(json_object_get(labels, key));

        if (is_there == NULL || !is(is_there, json_string_value(value))) {
            return false;
        }
    }
    json_array_foreach(at(selector, "matchExpressions"), index, requirement)
    {
        if (!value_fits(requirement,
                        json_string_value(json_object_get(labels, text_at(requirement, "key"))))) {
            return false;
        }
    }
    return true;
}

/* Of labels that nobody knows beforehand no selector names the value. */
bool
takes_replica(const json_t *selector, const json_t *workload)
{
    static const struct {
        const char *kind, *keys[4];
    } given[] = {{"Deployment", {"pod-template-hash"}},
                 {"StatefulSet",
                  {"controller-revision-hash", "statefulset.kubernetes.io/pod-name",
                   "apps.kubernetes.io/pod-index"}},
                 {"Job",
                  {"controller-uid", "job-name", "batch.kubernetes.io/controller-uid",
                   "batch.kubernetes.io/job-name"}}};
    const json_t *own = at(workload, "spec.template.metadata.labels");
    json_t *labels = own != NULL ? json_deep_copy(own) : json_object();

    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
        for (int k = 0; k < 4 && is(given[i].kind, text_at(workload, "kind")); k++) {
            const char *key = given[i].keys[k];

            if (key != NULL) {
                json_object_set_new(labels, key,
                                    json_string(strstr(key, "job-name") != NULL
                                                    ? text_at(workload, "metadata.name")
                                                    : "(unknown)"));
            }
        }
    }
    bool takes = label_selector_takes(selector, labels);

    json_decref(labels);
    return takes;
}

bool
replica_has(const json_t *workload, const char *key)
{
    json_t *exists = pack("{s:[{s:s,s:s}]}", "matchExpressions", "key", key, "operator", "Exists");
    bool has = takes_replica(exists, workload);

    json_decref(exists);
    return has;
}

static bool
may_have(const json_t *workload, const char *key, const char *value)
{
    json_t *equal = pack("{s:{s:s}}", "matchLabels", key, value);
    json_t *unknown = pack("{s:{s:s}}", "matchLabels", key, "(unknown)");
    bool may = takes_replica(equal, workload) || takes_replica(unknown, workload);

    json_decref(equal);
    json_decref(unknown);
    return may;
}

bool
replica_is_alike(const json_t *workload, const char *key, const char *there)
{
    return !replica_has(workload, key) || (there != NULL && may_have(workload, key, there));
}

bool
replica_is_other(const json_t *workload, const char *key, const char *there)
{
    return !replica_has(workload, key) || there == NULL || !may_have(workload, key, there);
}

bool
replicas_differ(const json_t *workload, const char *key)
{
    return is(text_at(workload, "kind"), "StatefulSet") &&
           (is(key, "statefulset.kubernetes.io/pod-name") ||
            is(key, "apps.kubernetes.io/pod-index"));
}

static bool
zones_fit(const json_t *requirement, const json_t *zones)
{
    const char *operator= text_at(requirement, "operator");
    bool any = false;
    size_t index;
    json_t *zone;

    json_array_foreach(zones, index, zone)
    {
        any = any || list_has(at(requirement, "values"), json_string_value(zone));
    }
    if (is(operator, "In")) {
        return any;
    }
    if (is(operator, "NotIn")) {
        return !any;
    }
    return is(operator, "Exists") == (json_array_size(zones) > 0);
}

static bool
fields_fit(const json_t *selector, const json_t *cluster)
{
    size_t index;
    json_t *requirement;

    json_array_foreach(at(selector, "matchExpressions"), index, requirement)
    {
        const char *key = text_at(requirement, "key");
        const char *text = text_at(cluster, is(key, "region") ? "spec.region" : "spec.provider");
        bool fits = is(key, "zone") ? zones_fit(requirement, at(cluster, "spec.zones"))
                                    : value_fits(requirement, *text != '\0' ? text : NULL);

        if (!fits) {
            return false;
        }
    }
    return true;
}

bool
affinity_matches(const json_t *affinity, const json_t *cluster)
{
    const char *name = text_at(cluster, "metadata.name");
    const json_t *names = at(affinity, "clusterNames");
    const json_t *selector = at(affinity, "labelSelector");

    return !list_has(at(affinity, "exclude"), name) &&
           (json_array_size(names) == 0 || list_has(names, name)) &&
           (selector == NULL || label_selector_takes(selector, at(cluster, "metadata.labels"))) &&
           fields_fit(at(affinity, "fieldSelector"), cluster);
}

bool
term_matches(const json_t *term, const json_t *cluster, bool with_overflow)
{
    size_t index;
    json_t *tier;

    if (affinity_matches(term, cluster)) {
        return true;
    }
    json_array_foreach(with_overflow ? at(term, "overflowAffinities") : NULL, index, tier)
    {
        if (affinity_matches(tier, cluster)) {
            return true;
        }
    }
    return false;
}

bool
placement_matches(const json_t *placement, const json_t *cluster, bool with_overflow)
{
    const json_t *one = at(placement, "clusterAffinity");
    const json_t *terms = at(placement, "clusterAffinities");
    size_t index;
    json_t *term;

    if (one != NULL) {
        return affinity_matches(one, cluster);
    }
    json_array_foreach(terms, index, term)
    {
        if (term_matches(term, cluster, with_overflow)) {
            return true;
        }
    }
    return json_array_size(terms) == 0;
}

bool
every_term_matches(const json_t *placement, const json_t *cluster, bool with_overflow)
{
    const json_t *terms = at(placement, "clusterAffinities");
    size_t index;
    json_t *term;

    json_array_foreach(at(placement, "clusterAffinity") == NULL ? terms : NULL, index, term)
    {
        if (!term_matches(term, cluster, with_overflow)) {
            return false;
        }
    }
    return placement_matches(placement, cluster, with_overflow);
}

bool
tolerates(const json_t *toleration, const json_t *taint)
{
    const char *effect = text_at(toleration, "effect"), *key = text_at(toleration, "key");
    const char *operator= text_at(toleration, "operator");

    if ((*effect != '\0' && !is(effect, text_at(taint, "effect"))) ||
        (*key != '\0' && !is(key, text_at(taint, "key")))) {
        return false;
    }
    return is(operator, "Exists") || ((*operator== '\0' || is(operator, "Equal")) &&
                                      is(text_at(toleration, "value"), text_at(taint, "value")));
}

const json_t *
find_toleration(const json_t *tolerations, const json_t *taint)
{
    size_t index;
    json_t *toleration;

    json_array_foreach(tolerations, index, toleration)
    {
        if (tolerates(toleration, taint)) {
            return toleration;
        }
    }
    return NULL;
}

bool
has_untolerated_taint(const json_t *cluster, const json_t *tolerations)
{
    size_t index;
    json_t *taint;

    json_array_foreach(at(cluster, "spec.taints"), index, taint)
    {
        const char *effect = text_at(taint, "effect");

        if ((is(effect, "NoSchedule") || is(effect, "NoExecute")) &&
            find_toleration(tolerations, taint) == NULL) {
            return true;
        }
    }
    return false;
}

bool
has_no_execute(const json_t *cluster)
{
    return find_by(at(cluster, "spec.taints"), "effect", "NoExecute") != NULL;
}

/* As Karmada's taint manager: of the tolerations in use (the first for each taint) the earliest end
 * counts, from when each taint that it tolerates was added. */
bool
is_driven_away(const json_t *cluster, const json_t *tolerations, int64_t now)
{
    const json_t *taints = at(cluster, "spec.taints");
    size_t i, j;
    json_t *taint, *other;

    json_array_foreach(taints, i, taint)
    {
        const json_t *used = find_toleration(tolerations, taint);

        if (!is(text_at(taint, "effect"), "NoExecute")) {
            continue;
        }
        if (used == NULL) {
            return true;
        }
        int64_t seconds = integer_at(used, "tolerationSeconds", INT64_MAX / 4);

        json_array_foreach(taints, j, other)
        {
            int64_t added = seconds_of(text_at(other, "timeAdded"), INT64_MAX / 4);

            if (is(text_at(other, "effect"), "NoExecute") && tolerates(used, other) &&
                added + (seconds > 0 ? seconds : 0) <= now) {
                return true;
            }
        }
    }
    return false;
}
