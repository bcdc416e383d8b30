/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks that the workloads that a scope names exist, and suggests similar names.
 */
#include <stdio.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/diagnose/notice.h"
#include "owners.h"

#define MISSING_SHOWN_MAX 5
#define ELSEWHERE_MAX 3

struct quest {
    struct arena *arena;
    const struct fleet *fleet;
    const struct scope *scope;
    const char *namespace_; /* NULL: any namespace in scope */
    const char *name;
};

static bool
is_in_place(const struct quest *quest, const struct binding *binding)
{
    return quest->namespace_ != NULL ? str_eq(binding->namespace_, quest->namespace_) ||
                                           str_eq(binding->resource.namespace_, quest->namespace_)
                                     : out_of_namespaces(quest->scope, binding->namespace_) == NULL;
}

static bool
is_there(const struct quest *quest)
{
    const struct workload_name wanted = {quest->namespace_, quest->name};

    for (uint32_t i = 0; i < quest->fleet->n_bindings; i++) {
        const struct binding *binding = &quest->fleet->bindings[i];

        if (scope_is_of(&wanted, binding) && is_in_place(quest, binding)) {
            return true;
        }
    }
    return false;
}

static const char *
full_name(struct arena *arena, const struct object_reference *resource)
{
    return arena_printf(arena, "%s%s%s", resource->namespace_,
                        str_is_empty(resource->namespace_) ? "" : "/", resource->name);
}

/* Returns ": did you mean shop/web or pay/web?" for workloads of that name in other namespaces. */
static const char *
hint_elsewhere(const struct quest *quest)
{
    const struct workload_name wanted = {NULL, quest->name};
    const char *text = "";
    uint32_t shown = 0;

    for (uint32_t i = 0; i < quest->fleet->n_bindings && shown < ELSEWHERE_MAX; i++) {
        const struct binding *binding = &quest->fleet->bindings[i];

        if (scope_is_of(&wanted, binding)) {
            text = arena_printf(quest->arena, "%s%s%s", text,
                                shown++ == 0 ? ": did you mean " : " or ",
                                full_name(quest->arena, &binding->resource));
        }
    }
    return shown > 0 ? arena_printf(quest->arena, "%s?", text) : "";
}

static const char *
hint_near(const struct quest *quest, bool anywhere)
{
    VEC_OF(const char *) known = VEC_INIT;
    bool full = anywhere && quest->namespace_ != NULL;
    const char *prefix = full || str_is_empty(quest->namespace_ != NULL ? quest->namespace_ : "")
                             ? ""
                             : arena_printf(quest->arena, "%s/", quest->namespace_);
    const char *text = full ? arena_printf(quest->arena, "%s%s%s", quest->namespace_,
                                           str_is_empty(quest->namespace_) ? "" : "/", quest->name)
                            : quest->name;

    for (uint32_t i = 0; i < quest->fleet->n_bindings; i++) {
        const struct binding *binding = &quest->fleet->bindings[i];

        if (anywhere || is_in_place(quest, binding)) {
            vec_add(&known,
                    full ? full_name(quest->arena, &binding->resource) : binding->resource.name);
        }
    }
    const char *hint = str_hint(quest->arena, text, known.items, known.count, prefix);

    vec_free(&known);
    return hint;
}

static const char *
describe(const struct quest *quest)
{
    const char *hint = hint_near(quest, false);

    hint = str_is_empty(hint) ? hint_elsewhere(quest) : hint;
    hint = str_is_empty(hint) ? hint_near(quest, true) : hint;
    return arena_printf(quest->arena, "%s%s%s%s",
                        quest->namespace_ != NULL ? quest->namespace_ : "",
                        quest->namespace_ != NULL && !str_is_empty(quest->namespace_) ? "/" : "",
                        quest->name, hint);
}

struct missing {
    struct arena *arena;
    const char *text;
    uint32_t count;
};

static void
look_for(struct missing *missing, const struct quest *quest)
{
    if (is_there(quest)) {
        return;
    }
    if (missing->count < MISSING_SHOWN_MAX) {
        missing->text = arena_printf(missing->arena, "%s%s%s", missing->text,
                                     missing->count > 0 ? " " : "", describe(quest));
    }
    missing->count++;
}

bool
scope_names_exist(const struct fleet *fleet, const struct policy *policy, struct error *err)
{
    const struct scope *scope = &policy->scope;
    struct arena *arena = arena_new();
    struct missing missing = {.arena = arena, .text = ""};
    struct quest quest = {.arena = arena, .fleet = fleet, .scope = scope};

    for (uint32_t i = 0; i < scope->n_workloads; i++) {
        quest.namespace_ = scope->workloads[i].namespace_;
        quest.name = scope->workloads[i].name;
        look_for(&missing, &quest);
    }
    quest.namespace_ = NULL;
    for (uint32_t i = 0; i < scope->names.count; i++) {
        quest.name = scope->names.items[i];
        look_for(&missing, &quest);
    }
    if (missing.count > MISSING_SHOWN_MAX) {
        missing.text =
            arena_printf(arena, "%s and %u more", missing.text, missing.count - MISSING_SHOWN_MAX);
    }
    if (missing.count > 0) {
        error_set(err, ERROR_NOT_FOUND, "no binding belongs to workload %s", missing.text);
    }
    arena_free(arena);
    return missing.count == 0;
}
