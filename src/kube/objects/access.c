/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads request paths in RBAC's terms.
 */
#include "ballast/kube/kube_access.h"

#include <stdio.h>
#include <string.h>

#include "ballast/base/error.h"
#include "ballast/base/str.h"

struct path_walk {
    char text[ERROR_URL_MAX];
    char *rest;
};

static const char *
next_part(struct path_walk *walk)
{
    const char *part = walk->rest != NULL ? strsep(&walk->rest, "/") : NULL;

    return part != NULL ? part : "";
}

/* "/apis/GROUP/VERSION/namespaces/NS/RESOURCE/NAME"; the core group is "/api/v1/...". */
static bool
read_path(const char *path, struct kube_access *ret)
{
    struct path_walk walk;

    snprintf(walk.text, sizeof(walk.text), "%s", path + (path[0] == '/' ? 1 : 0));
    walk.rest = walk.text;
    const char *group = str_eq(next_part(&walk), "apis") ? next_part(&walk) : "";

    next_part(&walk); /* the version */
    const char *resource = next_part(&walk), *name = next_part(&walk);
    const char *of_namespace = next_part(&walk), *namespace_ = "";

    if (str_eq(resource, "namespaces") && !str_is_empty(of_namespace)) {
        namespace_ = name;
        resource = of_namespace;
        name = next_part(&walk);
    }
    snprintf(ret->resource, sizeof(ret->resource), "%s%s%s", resource,
             str_is_empty(group) ? "" : ".", group);
    snprintf(ret->name, sizeof(ret->name), "%s", name);
    snprintf(ret->namespace_, sizeof(ret->namespace_), "%s", namespace_);
    return !str_is_empty(resource);
}

static const char *
verb_of(const char *method, bool has_name)
{
    static const struct {
        const char *method, *of_all, *of_one;
    } verbs[] = {
        {"GET", "list", "get"},
        {"POST", "create", "create"},
        {"PUT", "update", "update"},
        {"PATCH", "patch", "patch"},
        {"DELETE", "deletecollection", "delete"},
    };

    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        if (str_eq(verbs[i].method, method)) {
            return has_name ? verbs[i].of_one : verbs[i].of_all;
        }
    }
    return NULL;
}

bool
kube_access_read(const char *method, const char *path, struct kube_access *ret)
{
    if (!read_path(path, ret)) {
        return false;
    }
    ret->verb = verb_of(method, !str_is_empty(ret->name));
    return ret->verb != NULL;
}
