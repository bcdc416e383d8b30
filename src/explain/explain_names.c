/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the bindings that a user's text names.
 */
#include <string.h>
#include <strings.h>

#include "ballast/base/vec.h"
#include "ballast/diagnose/notice.h"
#include "explain_internal.h"

#define MEANT_MAX 10 /* bindings of one text */
#define NAMED_MAX 5  /* bindings in an error */
#define NEAR_MAX 4   /* names in an error */

typedef VEC_OF(const char *) name_list;

/* kubectl's short names. */
static const struct {
    const char *short_name, *kind;
} short_names[] = {
    {"deploy", "Deployment"}, {"sts", "StatefulSet"},    {"ds", "DaemonSet"},
    {"rs", "ReplicaSet"},     {"cj", "CronJob"},         {"svc", "Service"},
    {"cm", "ConfigMap"},      {"rb", "ResourceBinding"}, {"crb", "ClusterResourceBinding"},
};

struct reading {
    const char *namespace_; /* NULL: any */
    const char *kind;       /* NULL: any */
    const char *name;
};

/* Accepts any case and plurals: "deployment", "Deployments", "policies". */
static bool
is_kind(const char *text, const char *kind)
{
    const size_t length = strlen(kind);

    for (size_t i = 0; i < sizeof(short_names) / sizeof(short_names[0]); i++) {
        if (strcasecmp(text, short_names[i].short_name) == 0) {
            return str_eq(short_names[i].kind, kind);
        }
    }
    if (strncasecmp(text, kind, length) == 0) {
        const char *rest = text + length;

        return str_is_empty(rest) || strcasecmp(rest, "s") == 0 || strcasecmp(rest, "es") == 0;
    }
    return length > 1 && kind[length - 1] == 'y' && strncasecmp(text, kind, length - 1) == 0 &&
           strcasecmp(text + length - 1, "ies") == 0;
}

static bool
is_meant(const struct reading *reading, const struct binding *binding)
{
    const struct object_reference *resource = &binding->resource;

    if (reading->kind != NULL && !is_kind(reading->kind, resource->kind) &&
        !is_kind(reading->kind, binding_kind_name(binding->kind))) {
        return false;
    }
    bool here = reading->namespace_ == NULL || str_eq(reading->namespace_, resource->namespace_) ||
                str_eq(reading->namespace_, binding->namespace_);

    return here && (str_eq(reading->name, resource->name) || str_eq(reading->name, binding->name));
}

static uint32_t
find_meant(const struct fleet *fleet, const struct reading *reading, uint32_t *ret)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        if (is_meant(reading, &fleet->bindings[i])) {
            ret[count++] = i;
        }
    }
    return count;
}

/* Returns the number of readings, the likeliest first. */
static uint32_t
read_text(struct arena *arena, const struct explain_question *question, struct reading ret[2])
{
    const char *slash = strchr(question->text, '/');
    const char *name = slash != NULL ? slash + 1 : question->text;
    const char *front = slash != NULL
                            ? arena_strndup(arena, question->text, (size_t)(slash - question->text))
                            : NULL;

    if (slash == NULL) {
        ret[0] =
            (struct reading){question->namespace_ != NULL ? question->namespace_ : "", NULL, name};
        ret[1] = (struct reading){NULL, NULL, name};
        return question->namespace_ != NULL ? 1 : 2;
    }
    if (question->namespace_ != NULL) {
        ret[0] = (struct reading){question->namespace_, front, name};
        return 1;
    }
    ret[0] = (struct reading){front, NULL, name};
    ret[1] = (struct reading){NULL, front, name};
    return 2;
}

static bool
begins_with_kind(const struct fleet *fleet, const struct reading *reading)
{
    bool found = false;

    for (uint32_t i = 0; reading->kind != NULL && i < fleet->n_bindings && !found; i++) {
        found = is_kind(reading->kind, fleet->bindings[i].resource.kind);
    }
    return found;
}

/* Lists the names of workloads in a namespace (NULL: all). */
static void
list_names(const struct fleet *fleet, const char *namespace_, name_list *ret)
{
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct object_reference *resource = &fleet->bindings[i].resource;
        bool is_same = ret->count > 0 && str_eq(ret->items[ret->count - 1], resource->name);

        if (!is_same && (namespace_ == NULL || str_eq(namespace_, resource->namespace_))) {
            vec_add(ret, resource->name);
        }
    }
}

/* Returns "agg-03, agg-08": the nearest names, removed from `names`. */
static const char *
nearest_text(struct arena *arena, const char *name, name_list *names)
{
    const char *text = "", *near;

    for (uint32_t i = 0;
         i < NEAR_MAX && (near = str_nearest(name, names->items, names->count)) != NULL; i++) {
        text = arena_printf(arena, "%s%s%s", text, i > 0 ? ", " : "", near);
        size_t kept = 0;

        for (size_t j = 0; j < names->count; j++) {
            if (!str_eq(names->items[j], near)) {
                names->items[kept++] = names->items[j];
            }
        }
        names->count = kept;
    }
    return text;
}

static const char *
some_text(struct arena *arena, const name_list *names)
{
    const char *text = "";

    for (uint32_t i = 0; i < names->count && i < NEAR_MAX; i++) {
        text = arena_printf(arena, "%s%s%s", text, i > 0 ? ", " : "", names->items[i]);
    }
    return names->count > NEAR_MAX ? arena_printf(arena, "%s, ...", text) : text;
}

/* Appends the nearest names to the error, or else some existing ones. */
static void
add_near(const struct fleet *fleet, const struct reading *reading, struct error *err)
{
    struct arena *arena = arena_new();
    const char *message = arena_printf(arena, "%s", err->message);
    name_list names = VEC_INIT;

    bool is_of_any = reading->namespace_ == NULL || str_is_empty(reading->namespace_);

    list_names(fleet, is_of_any ? NULL : reading->namespace_, &names);
    const char *some = some_text(arena, &names);
    const char *near = nearest_text(arena, reading->name, &names);

    bool is_said = strchr(message, '?') != NULL; /* the message suggests one name already */

    if (strchr(near, ',') != NULL || (!is_said && !str_is_empty(near))) {
        error_set(err, ERROR_NOT_FOUND, "%s (near: %s)", message, near);
    } else if (!is_said && !str_is_empty(some)) {
        error_set(err, ERROR_NOT_FOUND, "%s (there: %s)", message, some);
    }
    vec_free(&names);
    arena_free(arena);
}

/* Fails with the errors of `run` and `plan` for unknown workloads. */
static bool
refuse_unknown(const struct fleet *fleet, const struct reading *reading, struct error *err)
{
    const struct workload_name wanted = {reading->namespace_, reading->name};
    struct policy nameless;

    policy_init(&nameless);
    nameless.scope.workloads = &wanted;
    nameless.scope.n_workloads = 1;
    if (!scope_names_exist(fleet, &nameless, err)) {
        add_near(fleet, reading, err);
        return false;
    }
    const struct reading any_kind = {reading->namespace_, NULL, reading->name};

    for (uint32_t i = 0; i < fleet->n_bindings; i++) { /* only the kind differs */
        if (is_meant(&any_kind, &fleet->bindings[i])) {
            return error_set(err, ERROR_NOT_FOUND, "%s%s%s is no %s: it is a %s",
                             reading->namespace_ != NULL ? reading->namespace_ : "",
                             reading->namespace_ != NULL ? "/" : "", reading->name, reading->kind,
                             fleet->bindings[i].resource.kind);
        }
    }
    return error_set(err, ERROR_NOT_FOUND, "there is no %s", reading->name);
}

static bool
refuse_many(const struct fleet *fleet, const struct explain_question *question,
            const uint32_t *found, uint32_t count, struct error *err)
{
    struct arena *arena = arena_new();
    const char *names = "";

    for (uint32_t i = 0; i < NAMED_MAX; i++) {
        const struct binding *binding = &fleet->bindings[found[i]];

        names = arena_printf(arena, "%s%s%s/%s", names, i > 0 ? ", " : "", binding->namespace_,
                             binding->resource.name);
    }
    error_set(err, ERROR_NOT_FOUND, "%u bindings belong to a workload %s: say which, as in %s",
              count, question->text, names);
    arena_free(arena);
    return false;
}

bool
explain_find(const struct fleet *fleet, const struct explain_question *question, uint32_t *ret,
             uint32_t *ret_count, struct error *err)
{
    struct arena *arena = arena_new();
    struct reading readings[2];
    const uint32_t n_readings = read_text(arena, question, readings);
    bool ok = true;

    *ret_count = 0;
    for (uint32_t i = 0; i < n_readings && *ret_count == 0; i++) {
        *ret_count = find_meant(fleet, &readings[i], ret);
    }
    if (*ret_count == 0) {
        const struct reading *last = &readings[n_readings - 1];

        ok = refuse_unknown(fleet, begins_with_kind(fleet, last) ? last : &readings[0], err);
    } else if (*ret_count > MEANT_MAX) {
        ok = refuse_many(fleet, question, ret, *ret_count, err);
    }
    arena_free(arena);
    return ok;
}
