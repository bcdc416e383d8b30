/* SPDX-License-Identifier: Apache-2.0
 *
 * The demands of a replica beyond the resources and nodes in its binding, by its
 * workload's pod template (core/v1 PodSpec): the parts of which kube-apiserver
 * makes its requests, and its ties to other pods.
 */
#ifndef BALLAST_MODEL_POD_TEMPLATE_H
#define BALLAST_MODEL_POD_TEMPLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/arena.h"
#include "ballast/model/quantity.h"
#include "ballast/model/selector.h"

/* A port of the node that a container wants. */
struct host_port {
    const char *ip;       /* "0.0.0.0": any */
    const char *protocol; /* "TCP", "UDP", "SCTP" */
    int64_t port;
};

struct host_port_list {
    const struct host_port *items;
    uint32_t count;
};

/* A disk that a volume names directly: one entry per monitor. The fleet interns all texts. */
struct pod_disk {
    const char *type; /* of the volume, "awsElasticBlockStore" */
    const char *id;
    const char *pool, *monitor; /* of "rbd", else "" */
    const char *handle; /* its name for the CSI driver that replaced the plugin; "": not replaced */
    uint64_t read_only; /* 1: pods may share the disk if all of them have 1 */
};

/* Parts of spec.volumes that tie a pod to nodes. No padding: equal bytes are found and shared. */
struct pod_volumes {
    const char *const *claims; /* names of PersistentVolumeClaims of the pod's namespace */
    const struct pod_disk *disks;
    /* Storage classes of volumes that are made for each pod: of generic ephemeral volumes, and of
     * the claims in a StatefulSet's template. Interned texts. */
    const char *const *own_classes;
    uint32_t n_claims, n_disks;
    size_t n_own_classes;
};

/* True if a CSI driver has replaced the plugin of some disk. */
bool pod_volumes_have_replaced(const struct pod_volumes *volumes);

/* One of requiredDuringSchedulingIgnoredDuringExecution. */
struct pod_affinity_term {
    const struct label_selector *selector; /* NULL: absent, matches no pod */
    /* Selected pods have the pod's own values of the first keys, and other values of the second
     * keys. The selector includes both, as kube-apiserver merges them for each pod. */
    struct str_list match_label_keys, mismatch_label_keys;
    /* These keys name a label whose value differs in each replica. For other replicas,
     * `among_replicas` replaces the selector, as far as known (NULL: it selects none). */
    bool is_other_among_replicas;
    const struct label_selector *among_replicas;
    struct str_list namespaces; /* empty: the namespace of the pod that has the term */
    const char *topology_key;
    bool has_namespace_selector;
};

struct pod_affinity_terms {
    const struct pod_affinity_term *items;
    uint32_t count;
};

struct pod_affinity {
    struct pod_affinity_terms to, against; /* podAffinity, podAntiAffinity */
};

/* One of topologySpreadConstraints. */
struct topology_spread {
    const char *topology_key;
    const char *when_unsatisfiable;        /* only "DoNotSchedule" matters */
    const struct label_selector *selector; /* NULL: absent, matches no pod */
    struct str_list match_label_keys; /* selected pods have the pod's own values of these labels */
    const char *node_affinity_policy; /* "Ignore": nodes outside the pod's affinity count too */
    const char *node_taints_policy;   /* "Honor": tainted nodes do not count; default Ignore */
    int64_t max_skew;
    int64_t min_domains; /* with fewer domains, the smallest count of pods is 0 */
};

struct topology_spread_list {
    const struct topology_spread *items;
    uint32_t count;
};

struct container_resources {
    struct resource_amounts requests, limits;
    const char *restart_policy; /* of an init container; "Always": a sidecar */
};

struct container_resources_list {
    const struct container_resources *items;
    uint32_t count;
};

/* One of a StatefulSet's volumeClaimTemplates: each replica has its own claim. */
struct claim_template {
    const char *name;
    const char *storage_class; /* "": absent */
    struct str_list access_modes;
};

struct claim_template_list {
    const struct claim_template *items;
    uint32_t count;
};

/* Resource that stands for the resourceClaims of a pod. No node has any of it, since Ballast does
 * not read which devices are free. */
#define RESOURCE_DEVICE_CLAIMS "resource.k8s.io/claims"

/* Stand for the unknown value of a label that a controller will set. No real label has them. */
#define LABEL_VALUE_UNKNOWN "?" /* one value for all replicas */
#define LABEL_VALUE_OF_EACH "#" /* another value for each replica */

/* True if the value is one of these two. */
bool label_value_is_unknown(const char *value);

struct pod_template {
    const char *namespace_;
    const char *name;         /* of the workload */
    struct label_list labels; /* with the labels that the controller adds */
    struct container_resources_list containers, init_containers;
    struct container_resources whole; /* spec.resources: replaces the sum of the containers */
    struct resource_amounts overhead;
    struct host_port_list ports;
    const struct pod_affinity *affinity; /* NULL: none required */
    struct topology_spread_list spreads;
    const struct pod_volumes *volumes;      /* NULL: none ties the pod */
    struct claim_template_list claims_made; /* of a StatefulSet */
    const char *priority_class;             /* "" */
    int64_t active_deadline;                /* seconds; 0: none */
    bool claims_devices;     /* it has resourceClaims (dynamic resource allocation) */
    bool crosses_namespaces; /* an affinity term, required or preferred, names namespaces */
};

/* True if the term, of a pod in namespace `own`, selects a pod with that namespace and labels. A
 * namespace selector counts as selecting every namespace. */
bool pod_affinity_term_selects(const struct pod_affinity_term *term, const char *own,
                               const char *namespace_, const struct label_list *labels);
/* True if the term, of one replica of the template, selects another replica of the template. */
bool pod_affinity_term_selects_replica(const struct pod_affinity_term *term,
                                       const struct pod_template *own);
/* True if two pods with these ports cannot be on one node. */
bool host_ports_clash(const struct host_port_list *a, const struct host_port_list *b);
/* Returns a container's limit, or its request. A limit without a request is also the request, as
 * kube-apiserver fills it in. NULL if the container names none. */
const struct resource_amount *container_amount(const struct container_resources *container,
                                               const char *resource, bool is_limit);

struct pod_amount {
    bool is_named;
    int64_t amount;
};

/* Returns the request or limit of one pod without overhead: spec.resources if that names the
 * resource, else the sum of its containers (pod_need.h). In spec.resources, a limit without a
 * request is the request of huge pages, and of other resources if no container names one. */
struct pod_amount pod_template_amount(const struct pod_template *pod_template, const char *resource,
                                      bool is_limit);
/* True if spec.resources names cpu, memory or huge pages. */
bool pod_template_has_whole(const struct pod_template *pod_template);
/* Returns the requests of one pod, overhead included, in `arena`. */
struct resource_list pod_template_requests(struct arena *arena,
                                           const struct pod_template *pod_template);
/* True if the template has required pod affinity, required spreading, host ports or volumes. */
bool pod_template_is_tied(const struct pod_template *pod_template);

#endif
