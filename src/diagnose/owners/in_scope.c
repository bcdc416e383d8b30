/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares a binding with the scope of a run, one criterion after the other.
 */
#include "diagnose/members/observed.h"
#include "owners.h"

#include "ballast/base/str.h"

static bool
is_called(const struct workload_name *wanted, const char *namespace_, const char *name)
{
    return (wanted->namespace_ == NULL || str_eq(namespace_, wanted->namespace_)) &&
           str_eq(name, wanted->name);
}

bool
scope_is_of(const struct workload_name *wanted, const struct binding *binding)
{
    return is_called(wanted, binding->resource.namespace_, binding->resource.name) ||
           is_called(wanted, binding->namespace_, binding->name);
}

static bool
is_named(const struct scope *scope, const struct binding *binding)
{
    for (uint32_t i = 0; i < scope->n_workloads; i++) {
        if (scope_is_of(&scope->workloads[i], binding)) {
            return true;
        }
    }
    return str_list_has(&scope->names, binding->resource.name) ||
           str_list_has(&scope->names, binding->name);
}

static bool
scope_names_any(const struct scope *scope)
{
    return scope->n_workloads > 0 || scope->names.count > 0;
}

const char *
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

static const char *
out_of_labels(const struct scope *scope, const struct fleet *fleet, const struct binding *binding)
{
    if (scope->labels == NULL) {
        return NULL;
    }
    switch (scope_match_labels(scope, fleet, binding)) {
    case LABELS_MATCH:
        break;
    case LABELS_DIFFER:
        return "its labels do not match the selector";
    case LABELS_UNKNOWN:
        return "the labels of its workload are not known, and its own do not say whether the "
               "selector matches";
    }
    return NULL;
}

enum label_match
scope_match_labels(const struct scope *scope, const struct fleet *fleet,
                   const struct binding *binding)
{
    return workload_labels_match(scope->labels,
                                 workload_labels_find(&fleet->workload_labels, &binding->resource),
                                 &binding->labels);
}

const char *
out_of_scope(struct arena *arena, const struct fleet *fleet, const struct binding *binding,
             const struct scope *scope)
{
    int32_t priority = binding_priority(binding);
    const char *reason = out_of_namespaces(scope, binding->namespace_);

    if (reason == NULL && scope_names_any(scope) && !is_named(scope, binding)) {
        reason = "it is not one of the workloads that were named";
    }
    if (reason == NULL && scope->kinds.count > 0 &&
        !str_list_has(&scope->kinds, binding->resource.kind)) {
        reason = arena_printf(arena, "kind %s is not one of those to look at",
                              quote_text(arena, binding->resource.kind));
    }
    if (reason == NULL) {
        reason = out_of_labels(scope, fleet, binding);
    }
    if (reason == NULL && scope->has_min_priority && priority < scope->min_priority) {
        reason = arena_printf(arena, "its priority %d is below %d", priority, scope->min_priority);
    }
    return reason;
}
