/* SPDX-License-Identifier: Apache-2.0
 *
 * Where replicas go, and where they must not.
 */
#include "judge.h"

#include <string.h>

static bool
gains(const struct target_facts *target)
{
    return target->after > target->before || (target->stays && !target->assigned);
}

/* Of a duplicated workload a copy that stays may change its size wherever it is. */
static bool
is_new(const struct binding_facts *binding, const struct target_facts *target)
{
    return gains(target) && (binding->divided || !target->assigned);
}

static const char *
why_unfit(const struct judge *judge, const struct binding_facts *binding, int index)
{
    const struct target_facts *target = &binding->targets[index];
    const struct cluster_facts *cluster = &judge->facts.clusters[index];

    return !target->in_affinity ? "its affinity does not match"
           : target->evicting   ? "it is being evicted from there"
           : target->overridden ? "its replicas are overridden there"
           : target->suspended  ? "its dispatching there is suspended"
           : is_foreign_in(&judge->facts, binding->json, cluster->name)
               ? "an object of others is in the way"
           : has_untolerated_taint(cluster->json, at(binding->placement, "clusterTolerations"))
               ? "a taint is not tolerated"
               : "its API is not there, or a spread constraint's property";
}

static void
judge_health(struct judge *judge, const struct binding_facts *binding, int index)
{
    const struct cluster_facts *cluster = &judge->facts.clusters[index];
    const struct target_facts *target = &binding->targets[index];

    judge_met(judge, INV_NO_LOST_DESTINATION);
    if (target->lost || target->brief || cluster->health != HEALTH_READY) {
        judge_fail(judge, INV_NO_LOST_DESTINATION, binding, index, "it is %s",
                   cluster->json == NULL             ? "gone"
                   : cluster->deleting               ? "being deleted"
                   : cluster->health != HEALTH_READY ? "not ready"
                   : target->lost                    ? "lost by a taint at once"
                                  : "lost by a taint before it may be moved again");
    }
}

/* Clusters that settle, and whether anything was given at all. */
static void
judge_settling(struct judge *judge, const struct binding_facts *binding)
{
    for (int i = 0; i < judge->facts.n_clusters && binding->changed; i++) {
        const struct cluster_facts *cluster = &judge->facts.clusters[i];

        if (cluster->health == HEALTH_READY && cluster->age < judge->facts.stabilization) {
            judge_met(judge, INV_SETTLING);
            if (is_new(binding, &binding->targets[i])) {
                judge_fail(judge, INV_SETTLING, binding, i, "it is ready for %ds only",
                           (int)cluster->age);
            }
        }
    }
}

/* The filters that hold for newcomers; affinity, tasks and overrides hold for targets, too. */
static void
judge_fitness(struct judge *judge, const struct binding_facts *binding, int index)
{
    const struct target_facts *target = &binding->targets[index];

    judge_met(judge, INV_FIT_DESTINATION);
    if (target->assigned ? !target->in_affinity || target->overridden || target->suspended
                         : !target->fit) {
        judge_fail(judge, INV_FIT_DESTINATION, binding, index, "%s",
                   why_unfit(judge, binding, index));
    }
}

/* What moves of a Job goes to other clusters than those with a part of it that can take no more. */
static void
judge_job_parts(struct judge *judge, const struct binding_facts *binding)
{
    if (!binding->changed || !binding->divided ||
        !is(text_at(binding->json, "spec.resource.kind"), "Job")) {
        return;
    }
    for (int i = 0; i < judge->facts.n_clusters; i++) {
        const struct target_facts *target = &binding->targets[i];

        if (target->assigned && !target->lost &&
            is_job_fixed_in(&judge->facts, binding->json, judge->facts.clusters[i].name)) {
            judge_met(judge, INV_JOB_PARTS);
            if (gains(target)) {
                judge_fail(judge, INV_JOB_PARTS, binding, i, "its Job there can take no more");
            }
        }
    }
}

static void
judge_stuck(struct judge *judge, const struct binding_facts *binding)
{
    for (int i = 0; i < judge->facts.n_clusters && binding->changed; i++) {
        const struct target_facts *target = &binding->targets[i];
        int surplus = target->pods > target->before ? target->pods - target->before : 0;

        int told = told_stuck(judge, binding, i); /* of two that tell, the smaller count */

        if (!binding->divided || target->stuck <= surplus || binding->fresh ||
            (told >= 0 && told <= surplus)) {
            continue;
        }
        judge_met(judge, INV_STUCK_HERE);
        if (gains(target)) {
            judge_fail(judge, INV_STUCK_HERE, binding, i, "%d are stuck there", target->stuck);
        }
    }
}

static void
judge_terms(struct judge *judge, const struct binding_facts *binding)
{
    const json_t *terms = at(binding->placement, "clusterAffinities");
    bool any = false, one = false;
    size_t index;
    json_t *term;

    if (json_array_size(terms) < 2 || at(binding->placement, "clusterAffinity") != NULL) {
        return;
    }
    json_array_foreach(terms, index, term)
    {
        bool all = true;

        for (int i = 0; i < judge->facts.n_clusters; i++) {
            if (is_new(binding, &binding->targets[i])) {
                any = true;
                all = all && term_matches(term, judge->facts.clusters[i].json, binding->overflows);
            }
        }
        one = one || all;
    }
    if (any) {
        judge_met(judge, INV_ONE_TERM);
        if (!one) {
            judge_fail(judge, INV_ONE_TERM, binding, -1, "no affinity term has all of them");
        }
    }
}

/* Static weights choose among all that fit: upstream heeds no spread constraint for them. */
static bool
is_weighed(const struct binding_facts *binding)
{
    const json_t *scheduling = at(binding->placement, "replicaScheduling");

    return is(text_at(scheduling, "replicaDivisionPreference"), "Weighted") &&
           *text_at(scheduling, "weightPreference.dynamicWeight") == '\0';
}

/* Another constraint asks for more groups than there may be clusters. */
static bool
contradicts(const struct binding_facts *binding, int64_t most)
{
    size_t index;
    json_t *constraint;

    json_array_foreach(at(binding->placement, "spreadConstraints"), index, constraint)
    {
        if (integer_at(constraint, "minGroups", 0) > most) {
            return true;
        }
    }
    return false;
}

/* A cluster that is left stays a target without replicas where its resources are preserved: so it
 * counts no more than others without replicas, which upstream drops. */
static bool
is_spread_to(const struct binding_facts *binding, bool is_target, int replicas)
{
    bool keeps_left = json_is_true(at(binding->json, "spec.preserveResourcesOnDeletion"));

    return is_target && (replicas > 0 || !binding->divided || !keeps_left);
}

static void
judge_spread(struct judge *judge, const struct binding_facts *binding)
{
    const json_t *by_cluster =
        find_by(at(binding->placement, "spreadConstraints"), "spreadByField", "cluster");
    int64_t most = integer_at(by_cluster, "maxGroups", 0);
    int before = 0, after = 0;

    if (most <= 0 || !binding->changed || is_weighed(binding) || contradicts(binding, most)) {
        return;
    }
    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        before += is_spread_to(binding, target->assigned, target->before) ? 1 : 0;
        after += is_spread_to(binding, target->stays, target->after) ? 1 : 0;
    }
    judge_met(judge, INV_SPREAD);
    if (after > most && after > before) {
        judge_fail(judge, INV_SPREAD, binding, -1, "%d clusters where %d are the most", after,
                   (int)most);
    }
}

/* What may no longer be there is asked to leave, where somebody wants that. */
static bool
is_to_leave(const struct judge *judge, const struct binding_facts *binding,
            const struct target_facts *target)
{
    return target->refused && *binding->left_alone == '\0' &&
           trigger_is_on(&judge->facts, "InfeasibleCluster");
}

/* It stays in a cluster that is not lost. What it is to leave, or ended in this run, binds nobody
 * who is decided after it. */
static bool
is_somewhere(const struct judge *judge, const struct binding_facts *binding)
{
    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        if (target->assigned && target->stays && !target->lost &&
            !is_to_leave(judge, binding, target)) {
            return true;
        }
    }
    return false;
}

static const char apart[] = "spec.workloadAffinityGroups.antiAffinityGroup";
static const char together[] = "spec.workloadAffinityGroups.affinityGroup";

static bool
are_mates(const struct binding_facts *binding, const struct binding_facts *other, const char *path)
{
    const char *group = text_at(binding->json, path);

    return other != binding && *group != '\0' && is(other->namespace_, binding->namespace_) &&
           is(text_at(other->json, "kind"), text_at(binding->json, "kind")) &&
           is(text_at(other->json, path), group);
}

/* Another binding of the group that has something there, before or after; -1: anywhere. */
static bool
has_mate(const struct judge *judge, const struct binding_facts *binding, const char *path,
         int index)
{
    for (int i = 0; i < judge->facts.n_bindings; i++) {
        const struct binding_facts *other = &judge->facts.bindings[i];

        if (are_mates(binding, other, path) &&
            (index < 0 ? is_somewhere(judge, other)
                       : other->targets[index].assigned || other->targets[index].stays)) {
            return true;
        }
    }
    return false;
}

/* Pods of one that it keeps apart from may still be there, though it is no target. */
static bool
is_left_behind(const struct judge *judge, const struct binding_facts *binding, int index)
{
    const char *name = judge->facts.clusters[index].name;

    for (int i = 0; i < judge->facts.n_bindings; i++) {
        const struct binding_facts *other = &judge->facts.bindings[i];

        if (are_mates(binding, other, apart) &&
            (other->targets[index].evicting ||
             find_by(at(other->json, "status.aggregatedStatus"), "clusterName", name) != NULL)) {
            return true;
        }
    }
    return false;
}

/* All that it goes to anew the other has, too. */
static bool
goes_within(const struct judge *judge, const struct binding_facts *binding,
            const struct binding_facts *other)
{
    for (int i = 0; i < judge->facts.n_names; i++) {
        if (is_new(binding, &binding->targets[i]) && !other->targets[i].stays) {
            return false;
        }
    }
    return true;
}

static bool
is_placed_anew(const struct judge *judge, const struct binding_facts *binding)
{
    bool stays = false, goes = false;

    for (int i = 0; i < judge->facts.n_names; i++) {
        stays = stays || (binding->targets[i].assigned && !binding->targets[i].lost);
        goes = goes || is_new(binding, &binding->targets[i]);
    }
    return goes && !stays;
}

/* Two that keep together, and that nothing holds anywhere, go to the same clusters. */
static void
judge_placed_mates(struct judge *judge, const struct binding_facts *binding)
{
    for (int i = 0; i < judge->facts.n_bindings; i++) {
        const struct binding_facts *other = &judge->facts.bindings[i];

        if (other > binding && are_mates(binding, other, together) &&
            !is(text_at(binding->json, "kind"), "ClusterResourceBinding") &&
            is_placed_anew(judge, binding) && is_placed_anew(judge, other)) {
            judge_met(judge, INV_MATES);
            if (!goes_within(judge, binding, other) && !goes_within(judge, other, binding)) {
                judge_fail(judge, INV_MATES, binding, -1, "%s is placed elsewhere", other->name);
            }
        }
    }
}

static void
judge_mates(struct judge *judge, const struct binding_facts *binding, int index)
{
    if (binding->targets[index].assigned ||
        is(text_at(binding->json, "kind"), "ClusterResourceBinding")) {
        return; /* of those Karmada looks at no groups */
    }
    if (*text_at(binding->json, apart) != '\0' && has_mate(judge, binding, apart, -1)) {
        judge_met(judge, INV_ANTI_MATES);
        if (has_mate(judge, binding, apart, index) || is_left_behind(judge, binding, index)) {
            judge_fail(judge, INV_ANTI_MATES, binding, index, "one of its group is there");
        }
    }
    if (*text_at(binding->json, together) != '\0' && has_mate(judge, binding, together, -1)) {
        judge_met(judge, INV_MATES);
        if (!has_mate(judge, binding, together, index)) {
            judge_fail(judge, INV_MATES, binding, index, "none of its group is there");
        }
    }
}

/* By its finding, a quota refuses pods of it in this cluster; NULL: in any. */
static bool
is_refused_by_quota(const struct binding_facts *binding, const char *cluster)
{
    const json_t *finding;
    size_t index;

    json_array_foreach(at(binding->item, "findings"), index, finding)
    {
        if (is(text_at(finding, "type"), "PodsNotCreated") &&
            strstr(text_at(finding, "message"), "exceeded quota") != NULL &&
            (cluster == NULL || is(text_at(finding, "cluster"), cluster))) {
            return true;
        }
    }
    return false;
}

static void
judge_refusing_quotas(struct judge *judge, const struct binding_facts *binding, int index)
{
    for (int i = 0; i < judge->facts.n_bindings; i++) {
        const struct binding_facts *other = &judge->facts.bindings[i];

        if (!is(other->namespace_, binding->namespace_) || !is_refused_by_quota(other, NULL)) {
            continue;
        }
        judge_met(judge, INV_QUOTA_REFUSES);
        if (is_refused_by_quota(other, judge->facts.clusters[index].name)) {
            judge_fail(judge, INV_QUOTA_REFUSES, binding, index, "a quota refuses pods of %s there",
                       other->name);
        }
    }
}

/* What of a selector the labels of a binding decide: those of its workload nobody knows here. */
static json_t *
known_part(const json_t *selector, const json_t *labels)
{
    json_t *part = json_deep_copy(selector),
           *expressions = json_object_get(part, "matchExpressions");
    json_t *wanted = json_object_get(part, "matchLabels"), *value;
    const char *key;
    void *next;

    json_object_foreach_safe(wanted, next, key, value)
    {
        if (json_object_get(labels, key) == NULL) {
            json_object_del(wanted, key);
        }
    }
    for (size_t i = json_array_size(expressions); i > 0; i--) {
        const char *name = text_at(json_array_get(expressions, i - 1), "key");

        if (json_object_get(labels, name) == NULL) {
            json_array_remove(expressions, i - 1);
        }
    }
    return part;
}

/* It may be for the binding; *ret_known is false when nobody knows whether it is. */
static bool
preference_is_for(const json_t *preference, const json_t *binding, bool *ret_known)
{
    const json_t *selector = at(preference, "selector"), *resource = at(binding, "spec.resource");
    const json_t *labels = at(selector, "labelSelector");
    const struct {
        const char *list, *text;
    } rules[] = {{"namespaces", text_at(binding, "metadata.namespace")},
                 {"names", text_at(resource, "name")},
                 {"kinds", text_at(resource, "kind")},
                 {"apiVersions", text_at(resource, "apiVersion")}};

    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        const json_t *list = at(selector, rules[i].list);

        if (json_array_size(list) > 0 && !list_has(list, rules[i].text)) {
            return false;
        }
    }
    json_t *part = labels != NULL ? known_part(labels, at(binding, "metadata.labels")) : NULL;
    bool takes = part == NULL || label_selector_takes(part, at(binding, "metadata.labels"));

    *ret_known = part == NULL || json_equal(part, labels) != 0;
    json_decref(part);
    return takes;
}

/* Of the configuration: the first that is for the binding. */
static void
judge_preference(struct judge *judge, const struct binding_facts *binding, int index)
{
    const json_t *list = at(judge->facts.world->config, "preferences"), *found = NULL;
    const char *name = judge->facts.clusters[index].name;
    size_t i;
    json_t *preference;

    json_array_foreach(list, i, preference)
    {
        bool known;

        if (preference_is_for(preference, binding->json, &known)) {
            found = known ? preference : NULL;
            break;
        }
    }
    const json_t *clusters = at(found, "clusters");

    if (json_object_size(clusters) == 0 || !binding->divided || !binding->is_workload) {
        return;
    }
    const json_t *entry = json_object_get(clusters, name);

    entry = entry != NULL ? entry : json_object_get(clusters, "*");
    judge_met(judge, INV_PREFERENCE);
    if (entry == NULL) {
        judge_fail(judge, INV_PREFERENCE, binding, index, "it has no entry");
    } else if (binding->targets[index].after > integer_at(entry, "maxReplicas", INT32_MAX)) {
        judge_fail(judge, INV_PREFERENCE, binding, index, "its maximum is exceeded");
    }
}

void
judge_destinations(struct judge *judge, const struct binding_facts *binding)
{
    if (*binding->left_alone != '\0' || judge->facts.world->reschedule_all) {
        return;
    }
    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        if (judge->facts.evicts && binding->changed) {
            judge_met(judge, INV_EVICT);
            if (gains(target)) {
                judge_fail(judge, INV_EVICT, binding, i, "it is given %d", target->after);
            }
        }
        if (!is_new(binding, target)) {
            continue;
        }
        judge_health(judge, binding, i);
        if (judge->facts.clusters[i].json != NULL) {
            judge_fitness(judge, binding, i);
        }
        judge_mates(judge, binding, i);
        judge_refusing_quotas(judge, binding, i);
        judge_preference(judge, binding, i);
    }
    judge_settling(judge, binding);
    judge_job_parts(judge, binding);
    judge_stuck(judge, binding);
    judge_ended(judge, binding);
    judge_terms(judge, binding);
    judge_spread(judge, binding);
    judge_placed_mates(judge, binding);
}
