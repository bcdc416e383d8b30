/* SPDX-License-Identifier: Apache-2.0
 *
 * Bindings that are left alone, and why.
 */
#include "parts.h"

#include <strings.h>

#include "ballast/str.h"
#include "ballast/timestamp.h"

#define OPT_OUT_ANNOTATION "ballast.io/deschedule"
#define RETAIN_REPLICAS_LABEL "resourcetemplate.karmada.io/retain-replicas"
#define DEFAULT_SCHEDULER "default-scheduler"

/* Fills the reason when the rule applies. */
typedef bool left_alone_rule(struct arena *arena, const struct binding *binding,
                             const struct policy *policy, const char **ret_reason);

static bool
is_deleting(struct arena *arena, const struct binding *binding, const struct policy *policy,
            const char **ret_reason)
{
    if (binding->deletion_timestamp == TIME_NONE) {
        return false;
    }
    *ret_reason = arena_printf(arena, "the binding is being deleted%s",
                               since_text(arena, binding->deletion_timestamp, policy->now));
    return true;
}

static const char *
out_of_namespaces(const struct scope *scope, const char *namespace_)
{
    if (scope->namespaces.count > 0 && !str_list_has(&scope->namespaces, namespace_)) {
        return "its namespace is not one of those to look at";
    }
    if (str_list_has(&scope->exclude_namespaces, namespace_)) {
        return "its namespace is excluded";
    }
    return NULL;
}

static bool
is_out_of_scope(struct arena *arena, const struct binding *binding, const struct policy *policy,
                const char **ret_reason)
{
    const struct scope *scope = &policy->scope;
    int32_t priority = binding->has_schedule_priority ? binding->schedule_priority : 0;
    const char *reason = out_of_namespaces(scope, binding->namespace_);

    if (reason == NULL && scope->kinds.count > 0 &&
        !str_list_has(&scope->kinds, binding->resource.kind)) {
        reason = arena_printf(arena, "kind %s is not one of those to look at",
                              quote_text(arena, binding->resource.kind));
    }
    if (reason == NULL && scope->labels != NULL &&
        !label_selector_matches(scope->labels, &binding->labels)) {
        reason = "its labels do not match the selector";
    }
    if (reason == NULL && scope->has_min_priority && priority < scope->min_priority) {
        reason = arena_printf(arena, "its priority %d is below %d", priority, scope->min_priority);
    }
    *ret_reason = reason != NULL ? reason : *ret_reason;
    return reason != NULL;
}

static bool
is_suspended(struct arena *arena, const struct binding *binding, const struct policy *policy,
             const char **ret_reason)
{
    (void)arena;
    (void)policy;
    if (binding->suspend_scheduling) {
        *ret_reason = "its scheduling is suspended";
    }
    return binding->suspend_scheduling;
}

static bool
is_of_other_scheduler(struct arena *arena, const struct binding *binding,
                      const struct policy *policy, const char **ret_reason)
{
    const char *name =
        str_is_empty(binding->scheduler_name) ? DEFAULT_SCHEDULER : binding->scheduler_name;

    if (str_eq(name, policy->scheduler_name)) {
        return false;
    }
    *ret_reason = arena_printf(arena, "scheduler %s places it", quote_text(arena, name));
    return true;
}

bool
diagnose_opt_out_is_unclear(const struct binding *binding)
{
    const char *value = label_list_find(&binding->annotations, OPT_OUT_ANNOTATION);

    return value != NULL && strcasecmp(value, "true") != 0 && strcasecmp(value, "false") != 0;
}

/* Who writes the annotation means something by it: a value that cannot be read must not be taken
 * for a yes. */
static bool
is_opted_out(struct arena *arena, const struct binding *binding, const struct policy *policy,
             const char **ret_reason)
{
    const char *value = label_list_find(&binding->annotations, OPT_OUT_ANNOTATION);

    (void)policy;
    if (value == NULL || strcasecmp(value, "true") == 0) {
        return false;
    }
    *ret_reason = arena_printf(arena, "annotation %s is \"%s\"%s", OPT_OUT_ANNOTATION,
                               quote_text(arena, value),
                               diagnose_opt_out_is_unclear(binding)
                                   ? ": want true or false, so it is left alone to be safe"
                                   : "");
    return true;
}

static bool
has_components(struct arena *arena, const struct binding *binding, const struct policy *policy,
               const char **ret_reason)
{
    (void)policy;
    if (binding->n_components <= 1) {
        return false;
    }
    *ret_reason = arena_printf(arena, "it has %u components, which cannot be divided one by one",
                               binding->n_components);
    return true;
}

static bool
is_autoscaled(struct arena *arena, const struct binding *binding, const struct policy *policy,
              const char **ret_reason)
{
    const char *value = label_list_find(&binding->labels, RETAIN_REPLICAS_LABEL);

    (void)arena;
    (void)policy;
    if (value == NULL || !str_eq(value, "true")) {
        return false;
    }
    *ret_reason = "label " RETAIN_REPLICAS_LABEL " leaves its replicas to the member clusters";
    return true;
}

static bool
is_unmovable_kind(struct arena *arena, const struct binding *binding, const struct policy *policy,
                  const char **ret_reason)
{
    const char *kind = binding->resource.kind;

    if (!(str_eq(kind, "StatefulSet") || str_eq(kind, "Job")) ||
        str_list_has(&policy->movable_kinds, kind)) {
        return false;
    }
    *ret_reason =
        arena_printf(arena, "replicas of a %s are moved only where the configuration allows it: %s",
                     kind, kind[0] == 'J' ? "it would restart their work" : "their state stays");
    return true;
}

/* In the order in which they are asked; those to opting out hold with reschedule_all, too. */
static const struct {
    enum left_alone kind;
    left_alone_rule *applies;
} rules[] = {
    {LEFT_ALONE_DELETING, is_deleting},     {LEFT_ALONE_OUT_OF_SCOPE, is_out_of_scope},
    {LEFT_ALONE_SUSPENDED, is_suspended},   {LEFT_ALONE_OTHER_SCHEDULER, is_of_other_scheduler},
    {LEFT_ALONE_OPTED_OUT, is_opted_out},   {LEFT_ALONE_COMPONENTS, has_components},
    {LEFT_ALONE_AUTOSCALED, is_autoscaled}, {LEFT_ALONE_KIND, is_unmovable_kind},
};

enum left_alone
find_left_alone(struct arena *arena, const struct binding *binding, const struct policy *policy,
                const char **ret_reason)
{
    *ret_reason = "";
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i].applies(arena, binding, policy, ret_reason)) {
            return rules[i].kind;
        }
        if (policy->reschedule_all && rules[i].kind == LEFT_ALONE_OPTED_OUT) {
            break; /* we stand in for the scheduler, to which all the rest is work like any other */
        }
    }
    return LEFT_ALONE_NOT;
}
