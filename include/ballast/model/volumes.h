/* SPDX-License-Identifier: Apache-2.0
 *
 * Storage of a member: core/v1 PersistentVolumeClaim and PersistentVolume,
 * storage.k8s.io/v1 StorageClass and CSINode. An absent text is "".
 */
#ifndef BALLAST_MODEL_VOLUMES_H
#define BALLAST_MODEL_VOLUMES_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/quantity.h"
#include "ballast/model/selector.h"

#define STORAGE_RESOURCE "storage" /* of requests and of a capacity */

/* A volume plugin that was part of Kubernetes, and the CSI driver that replaced it. Only plugins
 * that kube-scheduler counts under their driver's limit. */
struct replaced_plugin {
    const char *name;   /* "kubernetes.io/aws-ebs" */
    const char *driver; /* "ebs.csi.aws.com" */
    const char *source; /* of a volume: "awsElasticBlockStore" */
};

/* Returns the replaced plugin with that name; NULL if there is none. */
const struct replaced_plugin *replaced_plugin_named(const char *name);
/* Returns the plugin that the CSI driver has replaced; NULL if there is none. */
const struct replaced_plugin *replaced_plugin_by(const char *driver);
/* Returns the replaced plugin of volumes with that source; NULL if there is none. */
const struct replaced_plugin *replaced_plugin_of(const char *source);

struct persistent_volume_claim {
    const char *namespace_, *name, *uid;
    const char *volume_name;
    const char *storage_class;
    const char *volume_mode; /* "": "Filesystem" */
    const char *phase;
    struct str_list access_modes;
    struct resource_list requests;
    const struct label_selector *selector; /* of volumes; NULL: any */
    bool is_bound;                         /* annotated as bound to the volume volume_name */
    bool is_leaving;                       /* being deleted */
};

struct persistent_volume {
    const char *name;
    const char *claim_namespace, *claim_name, *claim_uid; /* of spec.claimRef */
    const char *storage_class;
    const char *volume_mode; /* "": "Filesystem" */
    const char *phase;
    struct label_list labels;
    struct str_list access_modes;
    struct resource_list capacity;
    const char *csi_driver, *csi_handle;
    const struct replaced_plugin *plugin; /* plugin of the volume, which a driver may replace; NULL:
                                             the volume is of csi_driver itself */
    struct node_selector node_affinity;   /* present: usable only on nodes that it selects */
    bool is_leaving;
};

/* One of matchLabelExpressions: the node's label has one of the values. */
struct topology_requirement {
    const char *key;
    struct str_list values;
};

/* One of allowedTopologies: a node must meet all requirements. An empty term takes no node. */
struct topology_term {
    const struct topology_requirement *items;
    uint32_t count;
};

struct storage_class {
    const char *name;
    const char *provisioner;
    const char *binding_mode;
    const struct topology_term *topologies; /* none: any node */
    uint32_t n_topologies;
};

/* One of spec.drivers. */
struct csi_driver {
    const char *name;
    int64_t most; /* volumes that can be attached, if is_limited */
    bool is_limited;
};

struct csi_node {
    const char *name;     /* of the node */
    const char *replaced; /* names of plugins that drivers replace, joined by commas */
    const struct csi_driver *drivers;
    uint32_t n_drivers;
};

/* True if a CSI driver replaces the plugin on the node. */
bool csi_node_stands_in(const struct csi_node *node, const struct replaced_plugin *plugin);

#endif
