/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which bindings Ballast leaves alone, and why.
 */
#include "diagnose/members/observed.h"
#include "owners.h"

#include "ballast/annotations/owner_labels.h"

#include <stdio.h>
#include <strings.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/movable.h"

#define DEFAULT_SCHEDULER "default-scheduler"

struct scope_question {
    struct arena *arena;
    const struct fleet *fleet;
    const struct binding *binding;
    const struct policy *policy;
};

typedef bool left_alone_rule(const struct scope_question *asked, const char **ret_reason);

static bool
is_deleting(const struct scope_question *asked, const char **ret_reason)
{
    int64_t since = asked->binding->deletion_timestamp;

    if (since == TIME_NONE) {
        return false;
    }
    *ret_reason = arena_printf(asked->arena, "the binding is being deleted%s",
                               since_text(asked->arena, since, asked->policy->now));
    return true;
}

static bool
is_out_of_scope(const struct scope_question *asked, const char **ret_reason)
{
    const char *reason =
        out_of_scope(asked->arena, asked->fleet, asked->binding, &asked->policy->scope);

    *ret_reason = reason != NULL ? reason : *ret_reason;
    return reason != NULL;
}

static bool
is_suspended(const struct scope_question *asked, const char **ret_reason)
{
    if (binding_rare(asked->binding)->suspend_scheduling) {
        *ret_reason = "its scheduling is suspended";
    } else if (binding_rare(asked->binding)->suspend_dispatching) {
        *ret_reason = "its dispatching is suspended";
    }
    return binding_rare(asked->binding)->suspend_scheduling ||
           binding_rare(asked->binding)->suspend_dispatching;
}

static bool
is_of_other_scheduler(const struct scope_question *asked, const char **ret_reason)
{
    const char *name = asked->binding->scheduler_name;

    if (asked->binding->federated != NULL) {
        return false;
    }
    name = str_is_empty(name) ? DEFAULT_SCHEDULER : name;
    if (str_eq(name, asked->policy->scheduler_name)) {
        return false;
    }
    *ret_reason =
        arena_printf(asked->arena, "scheduler %s places it", quote_text(asked->arena, name));
    return true;
}

bool
diagnose_opt_out_is_unclear(const struct binding *binding)
{
    const char *value = label_list_find(&binding->annotations, OPT_OUT_ANNOTATION);

    return value != NULL && strcasecmp(value, "true") != 0 && strcasecmp(value, "false") != 0;
}

/* An unreadable value must not count as consent: the author of the annotation wanted something. */
static bool
is_opted_out(const struct scope_question *asked, const char **ret_reason)
{
    const char *value = label_list_find(&asked->binding->annotations, OPT_OUT_ANNOTATION);

    if (value == NULL || strcasecmp(value, "true") == 0) {
        return false;
    }
    *ret_reason = arena_printf(asked->arena, "annotation %s is \"%s\"%s", OPT_OUT_ANNOTATION,
                               quote_text(asked->arena, value),
                               diagnose_opt_out_is_unclear(asked->binding)
                                   ? ": want true or false, so it is left alone to be safe"
                                   : "");
    return true;
}

/* Karmada's dependencies-distributor takes the objects that a workload mounts wherever it goes. */
static bool
is_attached(const struct scope_question *asked, const char **ret_reason)
{
    const struct binding *binding = asked->binding;

    if (binding_rare(binding)->n_required_by == 0 || binding->placement != NULL) {
        return false;
    }
    const struct required_by *first = &binding_rare(binding)->required_by[0];
    char more[32] = "";

    if (binding_rare(binding)->n_required_by > 1) {
        snprintf(more, sizeof(more), " and %u more", binding_rare(binding)->n_required_by - 1);
    }
    *ret_reason = arena_printf(asked->arena, "it follows %s%s%s%s (spec.requiredBy)",
                               quote_text(asked->arena, first->namespace_),
                               str_is_empty(first->namespace_) ? "" : "/",
                               quote_text(asked->arena, first->name), more);
    return true;
}

static bool
has_no_placement(const struct scope_question *asked, const char **ret_reason)
{
    *ret_reason = asked->binding->placement == NULL ? "it has no spec.placement" : *ret_reason;
    return asked->binding->placement == NULL;
}

#define WITHOUT_LABEL(part)                                                                        \
    "karmada-scheduler would not schedule it: no label propagationpolicy.karmada.io/" part         \
    ", clusterpropagationpolicy.karmada.io/" part " or binding.karmada.io/managed-by"

static bool
is_not_scheduled(const struct scope_question *asked, const char **ret_reason)
{
    bool by_name = asked->fleet->owner_labels == OWNER_LABELS_POLICY_NAME;
    bool is_scheduled = fleet_schedules(asked->fleet, asked->binding);

    if (!is_scheduled) {
        *ret_reason = by_name ? WITHOUT_LABEL("name") : WITHOUT_LABEL("permanent-id");
    }
    return !is_scheduled;
}

static bool
is_not_propagated(const struct scope_question *asked, const char **ret_reason)
{
    const struct federated *federated = asked->binding->federated;

    if (federated == NULL || (federated->off == NULL && !federated->lacks_namespace)) {
        return false;
    }
    if (federated->off == NULL && policy_stands_in(asked->policy)) {
        return false; /* KubeFed's own scheduler divides the replicas all the same */
    }
    *ret_reason = federated->off != NULL
                      ? quote_text(asked->arena, federated->off)
                      : arena_printf(asked->arena,
                                     "KubeFed propagates nothing of its namespace: there is no "
                                     "FederatedNamespace %s",
                                     quote_text(asked->arena, asked->binding->namespace_));
    return true;
}

static bool
has_unread_preference(const struct scope_question *asked, const char **ret_reason)
{
    const struct federated *federated = asked->binding->federated;

    if (federated == NULL || federated->preference_problem == NULL) {
        return false;
    }
    *ret_reason = arena_printf(asked->arena,
                               "its ReplicaSchedulingPreference cannot be read, so it is not known "
                               "how many replicas it wants, and where: %s",
                               quote_text(asked->arena, federated->preference_problem));
    return true;
}

static bool
has_no_preference(const struct scope_question *asked, const char **ret_reason)
{
    const struct federated *federated = asked->binding->federated;

    if (federated == NULL || federated->has_preference) {
        return false;
    }
    *ret_reason = "no ReplicaSchedulingPreference of its name and kind says how many replicas it "
                  "wants, and where";
    return true;
}

/* With retained replicas, members own the number. An override would still win over that (kubefed
 * #1278), and no other way leads to a cluster. */
static bool
is_retained(const struct scope_question *asked, const char **ret_reason)
{
    if (asked->binding->federated == NULL || !asked->binding->federated->retains_replicas) {
        return false;
    }
    *ret_reason = "spec.retainReplicas leaves its replicas to the member clusters";
    return true;
}

static bool
is_unmovable_kind(const struct scope_question *asked, const char **ret_reason)
{
    if (binding_movability(asked->fleet, asked->binding, asked->policy) != MOVABLE_NOT) {
        return false;
    }
    *ret_reason =
        binding_is_stateful_set(asked->binding)
            ? "a StatefulSet moves only where movableKinds names it: its state stays behind"
            : arena_printf(asked->arena,
                           "a %s moves, as a whole, only where movableKinds names it: nothing says "
                           "that it works in parts, or without what it keeps there",
                           quote_text(asked->arena, asked->binding->resource.kind));
    return true;
}

/* The order of the checks: the scope, declarations about the binding, missing parts, its kind. A
 * run that stands in for a scheduler, or undoes that scheduler's writes, uses only rules with
 * holds_for_scheduler. By these rules the scheduler leaves the binding alone, too, or the binding
 * must not be written to. */
static const struct {
    enum left_alone kind;
    left_alone_rule *applies;
    bool holds_for_scheduler;
} rules[] = {
    {LEFT_ALONE_OUT_OF_SCOPE, is_out_of_scope, true},
    {LEFT_ALONE_DELETING, is_deleting, true},
    {LEFT_ALONE_SUSPENDED, is_suspended, true},
    {LEFT_ALONE_OTHER_SCHEDULER, is_of_other_scheduler, true},
    {LEFT_ALONE_OPTED_OUT, is_opted_out, true},
    {LEFT_ALONE_ATTACHED, is_attached, true},
    {LEFT_ALONE_NO_PLACEMENT, has_no_placement, true},
    {LEFT_ALONE_NOT_SCHEDULED, is_not_scheduled, true},
    {LEFT_ALONE_NOT_PROPAGATED, is_not_propagated, true},
    {LEFT_ALONE_PREFERENCE_UNREAD, has_unread_preference, true},
    {LEFT_ALONE_NO_PREFERENCE, has_no_preference, true},
    {LEFT_ALONE_AUTOSCALED, is_retained, false},
    {LEFT_ALONE_KIND, is_unmovable_kind, false},
};

enum left_alone
find_left_alone(struct arena *arena, const struct fleet *fleet, const struct binding *binding,
                const struct policy *policy, const char **ret_reason)
{
    const struct scope_question asked = {arena, fleet, binding, policy};

    *ret_reason = "";
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        bool holds = rules[i].holds_for_scheduler || !policy_stands_in(policy);

        if (holds && rules[i].applies(&asked, ret_reason)) {
            return rules[i].kind;
        }
    }
    return LEFT_ALONE_NOT;
}

static bool
is_scaled_by_members(const struct binding *binding, const char **ret_reason)
{
    const char *value = label_list_find(&binding->labels, RETAIN_REPLICAS_LABEL);

    if (value == NULL || !str_eq(value, "true")) {
        return false;
    }
    *ret_reason = "label " RETAIN_REPLICAS_LABEL " leaves its replicas to the member clusters";
    return true;
}

void
find_bounds(const struct fleet *fleet, const struct binding *binding, const struct policy *policy,
            struct binding_state *state)
{
    enum movability movability = binding_movability(fleet, binding, policy);

    state->moves_whole = movability == MOVABLE_AS_WHOLE;
    if (is_scaled_by_members(binding, &state->left_alone_reason)) {
        state->only_lost = LEFT_ALONE_AUTOSCALED;
        state->moves_whole = true;
    } else if (movability == MOVABLE_WHEN_LOST) {
        state->only_lost = LEFT_ALONE_KIND;
        state->left_alone_reason = "a Job leaves only a cluster that is lost, unless movableKinds "
                                   "names it: it would restart its work";
    }
}

bool
bounds_allow(const struct binding_state *state, const struct binding *binding,
             enum finding_type type)
{
    bool any = state->only_lost == LEFT_ALONE_NOT;
    bool in_parts = any && !(state->moves_whole && placement_is_divided(binding->placement));

    switch (type) {
    case FINDING_RESCHEDULE_REQUESTED:
    case FINDING_PLACEMENT_CHANGED:
    case FINDING_UNPLACED:
    case FINDING_IMBALANCE:
        return in_parts;
    case FINDING_REPLICA_MISMATCH:
        return in_parts || (any && binding->clusters.count == 1);
    case FINDING_UNHEALTHY_CLUSTER:
        return true;
    default:
        return any;
    }
}

const char *
owner_labels_notice(const struct fleet *fleet, const struct binding_state *bindings)
{
    if (fleet->federation != NULL) {
        return "";
    }
    if (fleet->owner_labels == OWNER_LABELS_POLICY_NAME) {
        return "no binding has a policy's permanent-id label, but the label "
               "propagationpolicy.karmada.io/name or clusterpropagationpolicy.karmada.io/name: "
               "this looks like a Karmada before v1.10, whose scheduler goes by those";
    }
    for (uint32_t i = 0; fleet->owner_labels == OWNER_LABELS_NONE && i < fleet->n_bindings; i++) {
        if (bindings[i].left_alone == LEFT_ALONE_NOT_SCHEDULED) {
            return "no binding has a label that says who owns it, such as "
                   "propagationpolicy.karmada.io/permanent-id: karmada-scheduler would schedule "
                   "none, and Ballast leaves all alone. If an export lost the labels, export the "
                   "fleet again with them";
        }
    }
    return "";
}
