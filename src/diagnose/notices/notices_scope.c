/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports parts of the scope that match nothing: a clean report may mean an empty scope.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "diagnose/owners/owners.h"
#include "notices.h"

static const char *
namespace_of(const struct binding *binding)
{
    return binding->namespace_;
}

static const char *
kind_of(const struct binding *binding)
{
    return binding->resource.kind;
}

/* No binding is in these namespaces; users exclude them to be sure. */
static bool
is_of_system(const char *namespace_)
{
    return strncmp(namespace_, "kube-", strlen("kube-")) == 0 ||
           strncmp(namespace_, "karmada-", strlen("karmada-")) == 0;
}

/* `what`: the kind of name; `how`: its preposition ("in", "of"). */
static void
notice_names(struct notices *notices, const char *what, const char *how,
             const struct str_list *names, text_of_binding *text)
{
    const struct scope *scope = &notices->policy->scope;
    struct known_names known = KNOWN_NAMES;

    if (names->count > 0) {
        known = known_list(notices->fleet, text);
    }
    for (uint32_t i = 0; i < names->count; i++) {
        const char *name = names->items[i];

        if (!known_has(&known, name) &&
            !(names == &scope->exclude_namespaces && is_of_system(name))) {
            notice_add(notices, arena_printf(notices->arena, "%s %s", what, name),
                       "no binding is %s it%s (%s)", how,
                       known_suggest(notices->arena, &known, name), notices->in_scope);
        }
    }
    known_free(&known);
}

static void
notice_priority(struct notices *notices)
{
    const struct scope *scope = &notices->policy->scope;
    int32_t highest = INT32_MIN;

    for (uint32_t i = 0; i < notices->fleet->n_bindings; i++) {
        int32_t priority = binding_priority(&notices->fleet->bindings[i]);

        highest = priority > highest ? priority : highest;
    }
    if (scope->has_min_priority && highest < scope->min_priority &&
        notices->fleet->n_bindings > 0) {
        notice_add(notices, arena_printf(notices->arena, "priority %d", scope->min_priority),
                   "no binding has that or more: the highest is %d (%s)", highest,
                   notices->in_scope);
    }
}

/* Returns NULL if a workload of that name is in scope, or none exists. */
static const char *
why_out(const struct notices *notices, const struct workload_name *wanted)
{
    const struct fleet *fleet = notices->fleet;
    const char *reason = NULL;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct binding_state *state = &notices->diagnosis->bindings[i];

        if (!scope_is_of(wanted, &fleet->bindings[i])) {
            continue;
        }
        if (state->left_alone != LEFT_ALONE_OUT_OF_SCOPE) {
            return NULL;
        }
        reason = state->left_alone_reason;
    }
    return reason;
}

static void
notice_one_named(struct notices *notices, const struct workload_name *wanted)
{
    const char *reason = why_out(notices, wanted);
    const char *namespace_ = wanted->namespace_ != NULL ? wanted->namespace_ : "";

    if (reason != NULL) {
        notice_add(notices,
                   arena_printf(notices->arena, "%s%s%s", namespace_,
                                str_is_empty(namespace_) ? "" : "/", wanted->name),
                   "it is named, but out of scope: %s (%s)", reason, notices->in_scope);
    }
}

static void
notice_named(struct notices *notices)
{
    const struct scope *scope = &notices->policy->scope;

    for (uint32_t i = 0; i < scope->n_workloads; i++) {
        notice_one_named(notices, &scope->workloads[i]);
    }
    for (uint32_t i = 0; i < scope->names.count; i++) {
        notice_one_named(notices, &(struct workload_name){NULL, scope->names.items[i]});
    }
}

void
notice_scope(struct notices *notices)
{
    const struct scope *scope = &notices->policy->scope;

    notice_names(notices, "namespace", "in", &scope->namespaces, namespace_of);
    notice_names(notices, "excluded namespace", "in", &scope->exclude_namespaces, namespace_of);
    notice_names(notices, "kind", "of", &scope->kinds, kind_of);
    notice_selector(notices);
    notice_priority(notices);
    notice_named(notices);
    if (notices->n_in_scope == 0 && notices->fleet->n_bindings > 0 && notices->found.count == 0) {
        notice_add(notices, "scope", "no binding meets all that is asked of it (%s)",
                   notices->in_scope);
    }
}
