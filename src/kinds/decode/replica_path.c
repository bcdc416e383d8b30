/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognizes paths of replicas. Only Karmada's interpreter knows the field of a custom resource, so
 * any field of these names counts.
 */
#include "decoders.h"

#include <string.h>

#include "ballast/base/str.h"

static bool
begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool
replica_path_names(const char *path)
{
    const char *last = strrchr(path, '/');

    /* there, the name is a label's or a container's */
    if (last == NULL || begins_with(path, "/spec/template/") || begins_with(path, "/metadata/")) {
        return false;
    }
    /* Karmada divides a Job's parallelism, and its completions with it */
    return str_eq(last, "/replicas") || str_eq(last, "/parallelism") ||
           str_eq(last, "/completions");
}

bool
replica_path_sets(const char *path)
{
    return str_is_empty(path) || str_eq(path, "/spec") || replica_path_names(path);
}
