/* SPDX-License-Identifier: Apache-2.0
 *
 * What of a scope matches nothing: whoever reads that nothing is wrong has to
 * know that nothing was looked at.
 */
#include <string.h>

#include "ballast/str.h"
#include "notices.h"

#define KNOWN_SHOWN_MAX 5

/* Distinct names, in the order in which they are met. */
struct name_set {
    VEC_OF(const char *) items;
};

static bool
has_name(const struct name_set *set, const char *name)
{
    for (size_t i = set->items.count; i > 0; i--) { /* mostly it is the last one */
        if (str_eq(set->items.items[i - 1], name)) {
            return true;
        }
    }
    return false;
}

static void
add_name(struct name_set *set, const char *name)
{
    if (!has_name(set, name)) {
        vec_add(&set->items, name);
    }
}

/* What was meant, or what there is. */
static const char *
suggestion(struct arena *arena, const struct name_set *known, const char *name)
{
    const char *text = str_hint(arena, name, known->items.items, known->items.count, "");
    const char *comma = known->items.count == 1 ? "; there is " : "; there are ";

    if (!str_is_empty(text)) {
        return text;
    }
    for (size_t i = 0; i < known->items.count && i < KNOWN_SHOWN_MAX; i++) {
        text = arena_printf(arena, "%s%s%s", text, comma, quote_text(arena, known->items.items[i]));
        comma = ", ";
    }
    return known->items.count > KNOWN_SHOWN_MAX
               ? arena_printf(arena, "%s and %zu more", text, known->items.count - KNOWN_SHOWN_MAX)
               : text;
}

static void
list_namespaces(const struct fleet *fleet, struct name_set *ret)
{
    for (uint32_t i = 0; i < fleet->n_bindings; i++) { /* sorted by namespace */
        const char *namespace_ = fleet->bindings[i].namespace_;

        if (!str_is_empty(namespace_) &&
            (i == 0 || !str_eq(namespace_, fleet->bindings[i - 1].namespace_))) {
            vec_add(&ret->items, namespace_);
        }
    }
}

/* Bindings of these there are never, and whoever excludes them wants to be sure. */
static bool
is_of_system(const char *namespace_)
{
    return strncmp(namespace_, "kube-", strlen("kube-")) == 0 ||
           strncmp(namespace_, "karmada-", strlen("karmada-")) == 0;
}

static void
notice_namespaces(struct notices *notices)
{
    const struct scope *scope = &notices->policy->scope;
    struct arena *arena = notices->arena;
    struct name_set known = {.items = VEC_INIT};

    if (scope->namespaces.count == 0 && scope->exclude_namespaces.count == 0) {
        return;
    }
    list_namespaces(notices->fleet, &known);
    for (uint32_t i = 0; i < scope->namespaces.count; i++) {
        const char *name = scope->namespaces.items[i];

        if (!has_name(&known, name)) {
            notice_add(notices, arena_printf(arena, "namespace %s", name),
                       "no binding is in it%s (%s)", suggestion(arena, &known, name),
                       notices->in_scope);
        }
    }
    for (uint32_t i = 0; i < scope->exclude_namespaces.count; i++) {
        const char *name = scope->exclude_namespaces.items[i];

        if (!has_name(&known, name) && !is_of_system(name)) {
            notice_add(notices, arena_printf(arena, "excluded namespace %s", name),
                       "no binding is in it%s (%s)", suggestion(arena, &known, name),
                       notices->in_scope);
        }
    }
    vec_free(&known.items);
}

static void
notice_kinds(struct notices *notices)
{
    const struct scope *scope = &notices->policy->scope;
    struct name_set known = {.items = VEC_INIT};

    for (uint32_t i = 0; scope->kinds.count > 0 && i < notices->fleet->n_bindings; i++) {
        add_name(&known, notices->fleet->bindings[i].resource.kind);
    }
    for (uint32_t i = 0; i < scope->kinds.count; i++) {
        const char *kind = scope->kinds.items[i];

        if (!has_name(&known, kind)) {
            notice_add(notices, arena_printf(notices->arena, "kind %s", kind),
                       "no binding is of it%s (%s)", suggestion(notices->arena, &known, kind),
                       notices->in_scope);
        }
    }
    vec_free(&known.items);
}

static void
notice_priority(struct notices *notices)
{
    const struct scope *scope = &notices->policy->scope;
    int32_t highest = INT32_MIN;

    for (uint32_t i = 0; i < notices->fleet->n_bindings; i++) {
        int32_t priority = scope_priority_of(&notices->fleet->bindings[i]);

        highest = priority > highest ? priority : highest;
    }
    if (scope->has_min_priority && highest < scope->min_priority &&
        notices->fleet->n_bindings > 0) {
        notice_add(notices, arena_printf(notices->arena, "priority %d", scope->min_priority),
                   "no binding has that or more: the highest is %d (%s)", highest,
                   notices->in_scope);
    }
}

/* Why the one that was named is not looked at; NULL: one of that name is. */
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
    notice_namespaces(notices);
    notice_kinds(notices);
    notice_selector(notices);
    notice_priority(notices);
    notice_named(notices);
    if (notices->n_in_scope == 0 && notices->fleet->n_bindings > 0 && notices->found.count == 0) {
        notice_add(notices, "scope", "no binding meets all that is asked of it (%s)",
                   notices->in_scope);
    }
}
