/* SPDX-License-Identifier: Apache-2.0
 *
 * What pods of a member keep their data in: claims, volumes, classes; and zones of
 * nodes, which volumes may be bound to.
 */
#include "generate.h"

#define ZONE_LABEL "topology.kubernetes.io/zone"
#define REGION_LABEL "topology.kubernetes.io/region"

static json_t *
access_modes(struct gen *gen)
{
    if (percent(gen, 88)) { /* others keep their workloads where they are */
        return pack("[s]", "ReadWriteMany");
    }
    return pack("[s]", PICK(gen, "ReadWriteOnce", "ReadWriteOncePod"));
}

/* Of a claim or a volume. */
static void
put_kind(struct gen *gen, json_t *object, json_t *spec)
{
    if (percent(gen, 90)) {
        put(spec, "storageClassName", json_string(PICK(gen, "local", "local", "csi", "odd", "")));
    }
    if (percent(gen, 8)) {
        put_key(object, "metadata.annotations", "volume.beta.kubernetes.io/storage-class",
                json_string(PICK(gen, "local", "csi", "odd")));
    }
    if (percent(gen, 20)) {
        put(spec, "volumeMode", json_string(PICK(gen, "Filesystem", "Filesystem", "Block")));
    }
    put(spec, "accessModes", access_modes(gen));
}

static void
add_claim(struct gen *gen, int cluster, const char *namespace_, const char *name)
{
    json_t *claim = member_object(gen, cluster, "v1", "PersistentVolumeClaim", namespace_, name);
    json_t *spec = json_object();
    bool is_bound = percent(gen, 65);

    put(claim, "metadata.uid", json_string(name));
    put_kind(gen, claim, spec);
    if (!is_bound && percent(gen, 40)) { /* one that a volume is made for, once there is a pod */
        put(spec, "storageClassName", json_string("csi"));
    }
    put(spec, "resources.requests.storage", json_string(PICK(gen, "1Gi", "5Gi", "9Gi")));
    if (is_bound) {
        put(spec, "volumeName", json_string(PICK(gen, "v0", "v0", "v1", "v1", "v2", "v2", "gone")));
    } else if (percent(gen, 10)) {
        put(spec, "selector", pack("{s:{s:s}}", "matchLabels", "tier", PICK(gen, "a", "b")));
    }
    if (is_bound && percent(gen, 90)) {
        put_key(claim, "metadata.annotations", "pv.kubernetes.io/bind-completed",
                json_string(PICK(gen, "yes", "no")));
    }
    if (percent(gen, 4)) {
        put(claim, "metadata.deletionTimestamp", some_time_ago(gen));
    }
    put(claim, "spec", spec);
    put(claim, "status.phase",
        json_string(is_bound ? PICK(gen, "Bound", "Bound", "Bound", "Bound", "Bound", "Lost")
                             : "Pending"));
    add_object(gen, claim);
}

static json_t *
node_affinity(struct gen *gen, int cluster)
{
    char host[48];

    snprintf(host, sizeof(host), "%s-node-%d", gen->clusters[cluster].name, below(gen, 3));
    json_t *term =
        percent(gen, 10) ? pack("{s:[{s:s,s:s,s:[s]}]}", "matchFields", "key", "metadata.name",
                                "operator", "In", "values", host)
        : percent(gen, 60)
            ? pack("{s:[{s:s,s:s,s:[s]}]}", "matchExpressions", "key", "kubernetes.io/hostname",
                   "operator", PICK(gen, "In", "In", "NotIn"), "values", host)
            : pack("{s:[{s:s,s:s,s:[s]}]}", "matchExpressions", "key", "disk", "operator",
                   PICK(gen, "In", "NotIn"), "values", PICK(gen, "ssd", "hdd"));

    return pack("{s:{s:[o]}}", "required", "nodeSelectorTerms", term);
}

/* As a driver has it, or as a plugin that it has replaced. */
static void
put_source(struct gen *gen, json_t *spec)
{
    if (percent(gen, 70)) {
        put(spec, "csi",
            pack("{s:s,s:s}", "driver",
                 PICK(gen, "csi.example.com", "csi.example.com", "csi.other", "ebs.csi.aws.com"),
                 "volumeHandle", PICK(gen, "h0", "h0", "h1", "h1", "h2", "h2", "")));
    } else {
        generate_replaced_disk(gen, spec, PICK(gen, "h0", "h0", "h1", "h2", ""));
    }
}

static void
add_volume(struct gen *gen, int cluster, const char *name)
{
    json_t *volume = member_object(gen, cluster, "v1", "PersistentVolume", "", name);
    json_t *spec = json_object();
    bool is_near = percent(gen, 50); /* every node */

    if (!is_near && percent(gen, 30)) {
        put_key(volume, "metadata.labels",
                PICK(gen, ZONE_LABEL, "failure-domain.beta.kubernetes.io/zone"),
                json_string(PICK(gen, "za", "zb", "za__zb", "")));
    }
    if (!is_near && percent(gen, 25)) {
        put_key(volume, "metadata.labels",
                PICK(gen, REGION_LABEL, "failure-domain.beta.kubernetes.io/region"),
                json_string(PICK(gen, "ra", "rb", "ra__rb", "ra____rb")));
    }
    if (percent(gen, 50)) {
        put_key(volume, "metadata.labels", "tier", json_string(PICK(gen, "a", "b")));
    }
    if (percent(gen, 4)) {
        put(volume, "metadata.deletionTimestamp", some_time_ago(gen));
    }
    put_kind(gen, volume, spec);
    put(spec, "capacity.storage", json_string(PICK(gen, "2Gi", "6Gi", "10Gi")));
    if (!is_near && percent(gen, 70)) {
        put(spec, "nodeAffinity", node_affinity(gen, cluster));
    }
    if (percent(gen, 20)) {
        put(spec, "claimRef",
            pack("{s:s,s:s}", "namespace", binding_namespace(2 * below(gen, 2)), "name",
                 PICK(gen, "c0", "c1", "c2")));
        if (percent(gen, 50)) {
            put(spec, "claimRef.uid", json_string(PICK(gen, "c0", "c1", "c2")));
        }
    }
    if (percent(gen, 60)) {
        put_source(gen, spec);
    }
    put(volume, "spec", spec);
    put(volume, "status.phase",
        json_string(PICK(gen, "Available", "Available", "Available", "Bound", "Released")));
    add_object(gen, volume);
}

static void
add_class(struct gen *gen, int cluster, const char *name)
{
    json_t *made = member_object(gen, cluster, "storage.k8s.io/v1", "StorageClass", "", name);

    put(made, "volumeBindingMode",
        json_string(PICK(gen, "WaitForFirstConsumer", "WaitForFirstConsumer", "Immediate")));
    put(made, "provisioner",
        json_string(is(name, "local")  ? "kubernetes.io/no-provisioner"
                    : percent(gen, 80) ? "csi.example.com"
                                       : "kubernetes.io/aws-ebs"));
    if (percent(gen, 40)) {
        put(made, "allowedTopologies",
            pack("[{s:[{s:s,s:[s]}]}]", "matchLabelExpressions", "key",
                 PICK(gen, ZONE_LABEL, "disk"), "values", PICK(gen, "za", "zb", "ssd")));
    }
    add_object(gen, made);
}

static void
add_csi_node(struct gen *gen, int cluster, int node)
{
    char name[48];

    snprintf(name, sizeof(name), "%s-node-%d", gen->clusters[cluster].name, node);
    json_t *csi_node = member_object(gen, cluster, "storage.k8s.io/v1", "CSINode", "", name);
    bool is_newer = percent(gen, 30); /* than a plugin of Kubernetes */
    const char *replaced =
        PICK(gen, "kubernetes.io/aws-ebs", "kubernetes.io/aws-ebs,kubernetes.io/gce-pd",
             "kubernetes.io/azure-disk,kubernetes.io/cinder,kubernetes.io/aws-ebs",
             "kubernetes.io/gce-pd,kubernetes.io/portworx-volume", "");
    json_t *driver =
        pack("{s:s}", "name",
             is_newer ? PICK(gen, "ebs.csi.aws.com", "ebs.csi.aws.com", "pd.csi.storage.gke.io",
                             "disk.csi.azure.com", "cinder.csi.openstack.org", "pxd.portworx.com")
                      : PICK(gen, "csi.example.com", "csi.example.com", "csi.other"));

    if (is_newer || percent(gen, 20)) {
        put_key(csi_node, "metadata.annotations", "storage.alpha.kubernetes.io/migrated-plugins",
                json_string(replaced));
    }
    if (percent(gen, 90)) {
        put(driver, "allocatable.count", json_integer(between(gen, 0, 2)));
    }
    put(csi_node, "spec.drivers", pack("[o]", driver));
    add_object(gen, csi_node);
}

static void
put_zones(struct gen *gen, int cluster)
{
    size_t index;
    json_t *object;

    json_array_foreach(gen->objects, index, object)
    {
        const json_t *member = json_object_get(at(object, "metadata.annotations"),
                                               "resource.karmada.io/cached-from-cluster");

        if (is(text_at(object, "kind"), "Node") && member != NULL &&
            is(json_string_value(member), gen->clusters[cluster].name) && percent(gen, 70)) {
            put_key(object, "metadata.labels", ZONE_LABEL, json_string(PICK(gen, "za", "zb")));
            if (percent(gen, 80)) {
                put_key(object, "metadata.labels", REGION_LABEL,
                        json_string(PICK(gen, "ra", "ra", "rb")));
            }
        }
    }
}

void
generate_volumes(struct gen *gen, int index)
{
    static const char *const claims[] = {"c0", "c1", "c2"}, *const volumes[] = {"v0", "v1", "v2"};

    if (!percent(gen, 75)) {
        return;
    }
    int share = percent(gen, 50) ? 100 : 50; /* of nodes that say how many they can have */

    put_zones(gen, index);
    for (int i = 0; i < gen->clusters[index].n_nodes; i++) {
        if (percent(gen, share)) {
            add_csi_node(gen, index, i);
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int namespace_ = 0; namespace_ < 2; namespace_++) {
            if (percent(gen, 85)) {
                add_claim(gen, index, binding_namespace(2 * namespace_), claims[i]);
            }
        }
        if (percent(gen, 80)) {
            add_volume(gen, index, volumes[i]);
        }
    }
    if (percent(gen, 50)) { /* of a template's first replica */
        add_claim(gen, index, binding_namespace(0), PICK(gen, "d-w0-0", "d-w1-0", "e-w0-0"));
    }
    if (percent(gen, 90)) {
        add_class(gen, index, "local");
    }
    if (percent(gen, 80)) {
        add_class(gen, index, "csi");
    }
}
