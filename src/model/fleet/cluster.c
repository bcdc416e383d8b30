/* SPDX-License-Identifier: Apache-2.0
 *
 * What is asked of a Cluster.
 */
#include "ballast/model/cluster.h"

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"

const struct condition *
condition_list_find(const struct condition_list *list, const char *type)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (str_eq(list->items[i].type, type)) {
            return &list->items[i];
        }
    }
    return NULL;
}

bool
cluster_has_api(const struct cluster *cluster, const char *api_version, const char *kind)
{
    for (uint32_t i = names_before(cluster->api_enablements, sizeof(struct api_enablement),
                                   cluster->n_api_enablements, api_version);
         i < cluster->n_api_enablements &&
         str_eq(cluster->api_enablements[i].group_version, api_version);
         i++) {
        if (str_list_has(&cluster->api_enablements[i].kinds, kind)) {
            return true;
        }
    }
    return false;
}
