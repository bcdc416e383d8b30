/* SPDX-License-Identifier: Apache-2.0
 *
 * What may be done with the replicas of a kind. The kinds are those that Karmada
 * can revise (its default interpreter and the third-party ones that it comes
 * with), as far as each replica of theirs works by itself.
 */
#include "ballast/model/movable.h"

#include <string.h>

#include "ballast/base/str.h"

static const struct known_kind {
    const char *group, *kind;
    enum movability by_default, opted_in;
} known_kinds[] = {
    {"apps", "Deployment", MOVABLE_IN_PARTS, MOVABLE_IN_PARTS},
    {"apps", "ReplicaSet", MOVABLE_IN_PARTS, MOVABLE_IN_PARTS},
    {"apps.kruise.io", "CloneSet", MOVABLE_IN_PARTS, MOVABLE_IN_PARTS},
    {"apps", "StatefulSet", MOVABLE_NOT, MOVABLE_IN_PARTS},
    {"apps.kruise.io", "StatefulSet", MOVABLE_NOT, MOVABLE_IN_PARTS},
    {"batch", "Job", MOVABLE_WHEN_LOST, MOVABLE_IN_PARTS},
};

static bool
is_of_group(const char *api_version, const char *group)
{
    size_t length = strlen(group);

    return strncmp(api_version, group, length) == 0 && api_version[length] == '/';
}

static const struct known_kind *
find_known(const struct object_reference *resource)
{
    for (size_t i = 0; i < sizeof(known_kinds) / sizeof(known_kinds[0]); i++) {
        if (str_eq(resource->kind, known_kinds[i].kind) &&
            is_of_group(resource->api_version, known_kinds[i].group)) {
            return &known_kinds[i];
        }
    }
    return NULL;
}

/* A ResourceInterpreterCustomization is for one version of a kind. */
static bool
is_interpreted(const struct fleet *fleet, const struct object_reference *resource)
{
    for (uint32_t i = 0; i < fleet->n_divisible_kinds; i++) {
        const struct divisible_kind *divisible = &fleet->divisible_kinds[i];

        if (str_eq(divisible->kind, resource->kind) &&
            str_eq(divisible->api_version, resource->api_version)) {
            return true;
        }
    }
    return false;
}

enum movability
binding_movability(const struct fleet *fleet, const struct binding *binding,
                   const struct policy *policy)
{
    const char *kind = binding->resource.kind;
    const struct known_kind *known = find_known(&binding->resource);
    bool is_opted_in = str_list_has(&policy->movable_kinds, kind);

    if (binding_is_set(binding) || !binding_is_workload(binding)) {
        return MOVABLE_IN_PARTS; /* a set leaves as a whole, where it cannot run */
    }
    if (known != NULL) {
        return is_opted_in ? known->opted_in : known->by_default;
    }
    if (is_interpreted(fleet, &binding->resource) || str_list_has(&policy->divisible_kinds, kind)) {
        return MOVABLE_IN_PARTS;
    }
    return is_opted_in ? MOVABLE_AS_WHOLE : MOVABLE_NOT;
}

bool
binding_is_stateful_set(const struct binding *binding)
{
    const char *api_version = binding->resource.api_version;

    return str_eq(binding->resource.kind, "StatefulSet") &&
           (is_of_group(api_version, "apps") || is_of_group(api_version, "apps.kruise.io"));
}

static bool
has_suffix(const char *text, const char *suffix)
{
    size_t length = strlen(text), part = strlen(suffix);

    return length >= part && str_eq(text + length - part, suffix);
}

/* True for kinds that run to an end. A failure does not end a service: it may recover. */
static bool
runs_to_end(const char *kind)
{
    static const char *const suffixes[] = {
        "Job", "Run", "Workflow", "SparkApplication", "FlinkDeployment", "Pod"};

    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        if (has_suffix(kind, suffixes[i])) {
            return !has_suffix(kind, "CronJob");
        }
    }
    return false;
}

bool
binding_has_ended(const struct binding *binding, enum ended ended)
{
    switch (ended) {
    case ENDED_WELL:
        return true;
    case ENDED_FAILED:
        return runs_to_end(binding->resource.kind);
    case ENDED_WITHOUT_SUCCESS:
        return has_suffix(binding->resource.kind, "Run");
    case ENDED_SUSPENDED:
    case ENDED_NOT:
        break;
    }
    return false;
}

bool
binding_is_halted(const struct binding *binding, enum ended ended)
{
    const struct known_kind *known = find_known(&binding->resource);

    return ended == ENDED_SUSPENDED && (known == NULL || str_eq(known->kind, "Job"));
}
