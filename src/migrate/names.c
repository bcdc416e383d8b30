/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that Karmada takes.
 */
#include "parts.h"

#define CLUSTER_NAME_MAX 48 /* Karmada's pkg/apis/cluster/validation */
#define POLICY_NAME_MAX 63  /* a label's value holds it */

bool
karmada_takes_cluster(const char *name)
{
    return strlen(name) <= CLUSTER_NAME_MAX && strchr(name, '.') == NULL &&
           label_prefix_is_valid(name, strlen(name));
}

bool
karmada_takes_policy(const char *name)
{
    return strlen(name) <= POLICY_NAME_MAX && label_prefix_is_valid(name, strlen(name));
}
