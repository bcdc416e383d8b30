/* SPDX-License-Identifier: Apache-2.0
 *
 * Which CSI driver has replaced which volume plugin of Kubernetes' own. Of those that
 * kube-scheduler counts under their driver's limit: not all are
 * (pkg/scheduler/framework/plugins/nodevolumelimits/utils.go, csi-translation-lib).
 */
#include <stddef.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/model/volumes.h"

static const struct replaced_plugin plugins[] = {
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "awsElasticBlockStore"},
    {"kubernetes.io/azure-disk", "disk.csi.azure.com", "azureDisk"},
    {"kubernetes.io/cinder", "cinder.csi.openstack.org", "cinder"},
    {"kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "gcePersistentDisk"},
    {"kubernetes.io/portworx-volume", "pxd.portworx.com", "portworxVolume"},
};

#define N_PLUGINS (sizeof(plugins) / sizeof(plugins[0]))

const struct replaced_plugin *
replaced_plugin_named(const char *name)
{
    for (size_t i = 0; i < N_PLUGINS; i++) {
        if (str_eq(plugins[i].name, name)) {
            return &plugins[i];
        }
    }
    return NULL;
}

const struct replaced_plugin *
replaced_plugin_by(const char *driver)
{
    for (size_t i = 0; i < N_PLUGINS; i++) {
        if (str_eq(plugins[i].driver, driver)) {
            return &plugins[i];
        }
    }
    return NULL;
}

const struct replaced_plugin *
replaced_plugin_of(const char *source)
{
    for (size_t i = 0; i < N_PLUGINS; i++) {
        if (str_eq(plugins[i].source, source)) {
            return &plugins[i];
        }
    }
    return NULL;
}

bool
csi_node_stands_in(const struct csi_node *node, const struct replaced_plugin *plugin)
{
    size_t length = strlen(plugin->name);

    for (const char *at = node->replaced, *end; at != NULL; at = end != NULL ? end + 1 : NULL) {
        end = strchr(at, ',');
        size_t size = end != NULL ? (size_t)(end - at) : strlen(at);

        if (size == length && memcmp(at, plugin->name, length) == 0) {
            return true;
        }
    }
    return false;
}
