/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks names against Karmada's limits.
 */
#include "migrate_internal.h"

#define CLUSTER_NAME_MAX 48    /* Karmada's pkg/apis/cluster/validation */
#define OLD_POLICY_NAME_MAX 63 /* Karmada before v1.11 keeps the name in a label */

bool
karmada_takes_cluster(const char *name)
{
    return strlen(name) <= CLUSTER_NAME_MAX && strchr(name, '.') == NULL &&
           label_prefix_is_valid(name, strlen(name));
}

bool
karmada_takes_policy(const char *name)
{
    return label_prefix_is_valid(name, strlen(name));
}

bool
old_karmada_takes_policy(const char *name)
{
    return strlen(name) <= OLD_POLICY_NAME_MAX;
}
