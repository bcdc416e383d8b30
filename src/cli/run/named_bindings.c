/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the bindings and workloads that a command's arguments name.
 */
#include <string.h>

#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/explain/explain.h"
#include "cli/options/invocation.h"
#include "run.h"

bool
find_named_bindings(const struct invocation *invocation, const struct fleet *fleet, uint32_t *ret,
                    uint32_t *ret_count, struct error *err)
{
    const char *namespace_ = invocation->settings->named_namespace;
    uint32_t *found = ARENA_ARRAY(invocation->arena, uint32_t, fleet->n_bindings);
    bool *is_taken = ARENA_ARRAY(invocation->arena, bool, fleet->n_bindings);

    *ret_count = 0;
    for (size_t i = 0; i < invocation->n_arguments; i++) {
        const struct explain_question question = {
            .text = invocation->arguments[i],
            .namespace_ = str_is_empty(namespace_) ? NULL : namespace_,
        };
        uint32_t count;

        if (!explain_find(fleet, &question, found, &count, err)) {
            return false;
        }
        for (uint32_t j = 0; j < count; j++) {
            if (!is_taken[found[j]]) {
                is_taken[found[j]] = true;
                ret[(*ret_count)++] = found[j];
            }
        }
    }
    return true;
}

/* Reads "NAMESPACE/NAME", "KIND/NAME" or "NAME". */
static bool
read_workload(const struct invocation *invocation, const char *text, struct workload_name *ret)
{
    const struct str_list *namespaces = &invocation->settings->policy.scope.namespaces;
    const char *slash = strchr(text, '/');
    size_t length = slash != NULL ? (size_t)(slash - text) : 0;
    const char *name = slash != NULL ? slash + 1 : text;

    *ret = (struct workload_name){arena_strndup(invocation->arena, text, length), name};
    if (slash == NULL && namespaces->count == 1) {
        ret->namespace_ = namespaces->items[0];
    }
    return !str_is_empty(name) && (slash == NULL || length > 0) && strchr(name, '/') == NULL;
}

enum exit_status
read_workloads(const struct invocation *invocation)
{
    struct scope *scope = &invocation->settings->policy.scope;
    struct workload_name *workloads =
        ARENA_ARRAY(invocation->arena, struct workload_name, invocation->n_arguments);

    for (size_t i = 0; i < invocation->n_arguments; i++) {
        if (!read_workload(invocation, invocation->arguments[i], &workloads[i])) {
            return cli_refuse(invocation->cli,
                              "argument \"%s\": want NAMESPACE/NAME of a workload; add --kind "
                              "if several have that name",
                              invocation->arguments[i]);
        }
    }
    scope->workloads = workloads;
    scope->n_workloads = pin_uint32(invocation->n_arguments);
    return STATUS_DONE;
}

static bool
is_one_namespace(const struct fleet *fleet, const uint32_t *found, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (!str_eq(fleet->bindings[found[i]].namespace_, fleet->bindings[found[0]].namespace_)) {
            return false;
        }
    }
    return true;
}

/* Returns the number of bindings that the text names; 0: none, too many to be meant, or some in
 * several namespaces, of which a run must not choose. */
static uint32_t
find_workload(const struct invocation *invocation, const struct fleet *fleet, const char *text,
              uint32_t *ret)
{
    const struct str_list *namespaces = &invocation->settings->policy.scope.namespaces;
    const char *of_flag = namespaces->count == 1 ? namespaces->items[0] : NULL;
    struct explain_question question = {text, of_flag};
    struct error ignored = ERROR_INIT;
    uint32_t count = 0;

    if (explain_find(fleet, &question, ret, &count, &ignored)) {
        return is_one_namespace(fleet, ret, count) ? count : 0;
    }
    if (of_flag == NULL || strncmp(text, of_flag, strlen(of_flag)) != 0 ||
        text[strlen(of_flag)] != '/') {
        return 0;
    }
    question.namespace_ = NULL; /* "shop/web -n shop" */
    return explain_find(fleet, &question, ret, &count, &ignored) ? count : 0;
}

void
resolve_workloads(const struct invocation *invocation, const struct fleet *fleet)
{
    struct arena *arena = invocation->arena;
    struct scope *scope = &invocation->settings->policy.scope;
    const uint32_t n_named = scope->n_workloads;
    uint32_t *found = ARENA_ARRAY(arena, uint32_t, fleet->n_bindings);
    VEC_OF(struct workload_name) names = VEC_INIT;

    for (uint32_t i = 0; i < n_named; i++) {
        const struct workload_name *typed = &scope->workloads[i];
        const uint32_t count = find_workload(invocation, fleet, invocation->arguments[i], found);

        if (count == 0) {
            vec_add(&names, *typed); /* the check of the scope refuses it */
        }
        for (uint32_t j = 0; j < count; j++) {
            const struct binding *binding = &fleet->bindings[found[j]];
            const bool has_kind = !str_is_empty(typed->namespace_) &&
                                  !str_eq(typed->namespace_, binding->namespace_) &&
                                  !str_eq(typed->namespace_, binding->resource.namespace_);

            vec_add(&names, ((struct workload_name){binding->namespace_,
                                                    has_kind ? binding->name : typed->name}));
        }
    }
    scope->n_workloads = pin_uint32(names.count);
    scope->workloads = vec_to_arena(&names, arena);
    vec_free(&names);
}
