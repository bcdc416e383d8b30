/* SPDX-License-Identifier: Apache-2.0
 *
 * Detects requests that may be for devices.
 */
#include "device_claims.h"

#include <string.h>

#define DEVICE_API "resource.k8s.io/"

bool
device_claims_are_asked(const struct requirements *asked)
{
    return resource_list_find(&asked->request, RESOURCE_DEVICE_CLAIMS) != NULL;
}

bool
device_claims_are_of_set(const struct binding *set)
{
    return set->requirements != NULL &&
           resource_amounts_find(&set->requirements->seen, RESOURCE_DEVICE_CLAIMS) > 0;
}

static bool
serves_devices(const struct cluster *cluster)
{
    bool serves = false;

    for (uint32_t i = 0; i < cluster->n_api_enablements && !serves; i++) {
        serves =
            strncmp(cluster->api_enablements[i].group_version, DEVICE_API, strlen(DEVICE_API)) == 0;
    }
    return serves;
}

static bool
is_listed(const struct member *member, const char *resource)
{
    bool is = false;

    for (uint32_t i = 0; i < member->n_nodes && !is; i++) {
        is = resource_amounts_find(&member->nodes[i].kind->allocatable, resource) > 0;
    }
    return is;
}

/* Names of Kubernetes' own stand for no device, except that of a DeviceClass (pkg/apis/resource,
 * ResourceDeviceClassPrefix). */
static bool
is_of_devices(const char *resource)
{
    static const char class_prefix[] = "deviceclass.resource.kubernetes.io/";

    return strchr(resource, '/') != NULL &&
           (strstr(resource, "kubernetes.io/") == NULL ||
            strncmp(resource, class_prefix, sizeof(class_prefix) - 1) == 0);
}

bool
device_claims_may_serve(const struct cluster *cluster, const struct member *member,
                        const struct requirements *asked)
{
    bool may = false;

    for (uint32_t i = 0; i < asked->request.count && !may; i++) {
        const char *name = asked->request.items[i].name;

        may = is_of_devices(name) && serves_devices(cluster) && !is_listed(member, name);
    }
    return may;
}
