/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists findings, and pending findings: those of the same diagnosis with thresholds of 0.
 */
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "explain_internal.h"

typedef VEC_OF(struct explained_finding) finding_list;

static const struct finding *
own_findings(const struct diagnosis *diagnosis, uint32_t binding, uint32_t *ret_count)
{
    const struct binding_state *state = &diagnosis->bindings[binding];

    *ret_count = state->n_findings;
    return state->n_findings > 0 ? &diagnosis->findings[state->first_finding] : NULL;
}

static const char *
why_not(const struct subject *subject, const struct finding *finding)
{
    const struct policy *policy = subject->of->policy;

    if (subject->state->left_alone != LEFT_ALONE_NOT) {
        return "the binding is left alone";
    }
    if (finding->triggers) {
        return "";
    }
    if (!policy->triggers[finding->type]) {
        return arena_printf(subject->arena, "%s is no trigger", finding_type_name(finding->type));
    }
    if (finding->blame == BLAME_WORKLOAD) {
        return "it fails wherever it runs";
    }
    int at = binding_find_target(subject->binding, finding->cluster);

    return finding->type == FINDING_UNHEALTHY_CLUSTER && at >= 0
               ? failover_owner_text(subject, subject->targets[at].owner)
               : "nothing is to be done about it";
}

static void
add_found(const struct subject *subject, finding_list *list)
{
    uint32_t count;
    const struct finding *findings = own_findings(subject->of->diagnosis, subject->index, &count);

    for (uint32_t i = 0; i < count; i++) {
        const char *why = why_not(subject, &findings[i]);

        vec_add(list, ((struct explained_finding){
                          .type = findings[i].type,
                          .cluster = findings[i].cluster,
                          .replicas = findings[i].replicas,
                          .since = findings[i].since,
                          .message = findings[i].message,
                          .standing = str_is_empty(why) ? EXPLAINED_TRIGGERS : EXPLAINED_REPORTED,
                          .why_not = why,
                          .counts_at = TIME_NONE,
                      }));
    }
}

/* --- pending findings --- */

static const struct finding *
same_finding(const struct subject *subject, const struct finding *finding)
{
    uint32_t count;
    const struct finding *findings = own_findings(subject->of->diagnosis, subject->index, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (findings[i].type == finding->type && str_eq(findings[i].cluster, finding->cluster)) {
            return &findings[i];
        }
    }
    return NULL;
}

/* Returns the time that a finding must last; below 0: no threshold. */
static int64_t
threshold_of(const struct policy *policy, enum finding_type type)
{
    switch (type) {
    case FINDING_UNSCHEDULABLE_REPLICAS:
        return policy->unschedulable_threshold;
    case FINDING_FAILED_REPLICAS:
        return policy->failed_threshold;
    default:
        return -1;
    }
}

static void
add_pending(const struct subject *subject, const struct finding *finding, finding_list *list)
{
    const uint32_t cluster = fleet_find_cluster(subject->of->fleet, finding->cluster);
    struct policy there;
    const struct policy *policy =
        cluster == CLUSTER_NONE
            ? subject->of->policy
            : policy_in(subject->of->policy, &subject->of->fleet->clusters[cluster], &there);
    const int64_t threshold = threshold_of(policy, finding->type);
    const struct finding *counted = same_finding(subject, finding);
    const int32_t more = finding->replicas - (counted != NULL ? counted->replicas : 0);
    const int64_t counts_at =
        counted == NULL ? timestamp_add(finding->since, threshold) : TIME_NONE;
    char span[DURATION_TEXT_MAX];

    if (threshold < 0 || more <= 0 ||
        (counts_at != TIME_NONE && counts_at < subject->of->policy->now)) {
        return; /* it has lasted: something else keeps it from triggering */
    }
    vec_add(list, ((struct explained_finding){
                      .type = finding->type,
                      .cluster = finding->cluster,
                      .replicas = more,
                      .since = counted == NULL ? finding->since : TIME_NONE,
                      .message = counted == NULL ? finding->message
                                                 : "more replicas, which do not count yet",
                      .standing = EXPLAINED_PENDING,
                      .why_not = arena_printf(subject->arena, "it has to last for %s",
                                              duration_format(threshold, span)),
                      .counts_at = counts_at,
                  }));
}

/* Diagnoses this binding alone, with thresholds of 0. */
static void
add_pending_pods(const struct subject *subject, finding_list *list)
{
    struct fleet view = *subject->of->fleet;
    struct policy policy = *subject->of->policy;
    uint32_t count;

    view.bindings = subject->binding;
    view.n_bindings = 1;
    policy.unschedulable_threshold = policy.growth.wait = 0;
    policy.failed_threshold = 0;
    policy_let_end(&policy);
    const struct diagnosis *soon =
        diagnose_part(subject->arena, &view, &policy, subject->of->diagnosis);
    const struct finding *findings = own_findings(soon, 0, &count);

    for (uint32_t i = 0; i < count; i++) {
        add_pending(subject, &findings[i], list);
    }
}

/* Adds clusters that will be lost if they stay unready. */
static void
add_pending_clusters(const struct subject *subject, finding_list *list)
{
    char span[DURATION_TEXT_MAX];

    for (uint32_t i = 0; i < subject->binding->clusters.count; i++) {
        const struct target *target = &subject->binding->clusters.items[i];
        const struct cluster_health *health =
            target->cluster != CLUSTER_NONE ? &subject->of->diagnosis->clusters[target->cluster]
                                            : NULL;

        if (health == NULL || health->lost_at == TIME_NONE || subject->targets[i].lost) {
            continue;
        }
        vec_add(list,
                ((struct explained_finding){
                    .type = FINDING_UNHEALTHY_CLUSTER,
                    .cluster = target->name,
                    .replicas = target->replicas,
                    .since = health->since,
                    .message = health->reason,
                    .standing = EXPLAINED_PENDING,
                    .why_not = arena_printf(
                        subject->arena, "it has to last for %s",
                        duration_format(subject->of->policy->unhealthy_cluster_threshold, span)),
                    .counts_at = health->lost_at,
                }));
    }
}

const struct explained_finding *
explain_findings(const struct subject *subject, uint32_t *ret_count)
{
    finding_list list = VEC_INIT;

    add_found(subject, &list);
    add_pending_pods(subject, &list);
    add_pending_clusters(subject, &list);
    const struct explained_finding *findings = vec_to_arena(&list, subject->arena);

    *ret_count = pin_uint32(list.count);
    vec_free(&list);
    return findings;
}
