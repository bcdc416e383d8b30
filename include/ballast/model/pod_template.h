/* SPDX-License-Identifier: Apache-2.0
 *
 * What a replica asks for beyond the resources and nodes of its binding, by its
 * workload's pod template: what kube-apiserver makes its requests of, and what
 * ties it to other pods (core/v1 PodSpec).
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

/* A disk that a volume names itself: as often as it has monitors. All texts are the fleet's
 * interned ones. */
struct pod_disk {
    const char *type; /* of the volume, "awsElasticBlockStore" */
    const char *id;
    const char *pool, *monitor; /* of "rbd", else "" */
    const char
        *handle; /* what the CSI driver that has replaced its plugin knows it by; "": none has */
    uint64_t read_only; /* 1: pods that all only read it may share it, or nobody minds */
};

/* What of spec.volumes ties a pod to nodes. Without padding, for equal ones are one. */
struct pod_volumes {
    const char *const *claims; /* names of PersistentVolumeClaims of its namespace */
    const struct pod_disk *disks;
    /* The storage classes of volumes that are made for this pod alone: generic ephemeral ones. Of
     * a StatefulSet's template those of its claims, too. Interned texts. */
    const char *const *own_classes;
    uint32_t n_claims, n_disks;
    size_t n_own_classes;
};

/* Some disk is of a plugin that a CSI driver has replaced. */
bool pod_volumes_have_replaced(const struct pod_volumes *volumes);

/* One of requiredDuringSchedulingIgnoredDuringExecution. */
struct pod_affinity_term {
    const struct label_selector *selector; /* NULL: absent, matches no pod */
    /* Of a template, as kube-apiserver merges them into the selector of each pod: what it selects
     * has the pod's own values of these labels, or others. They are merged already. */
    struct str_list match_label_keys, mismatch_label_keys;
    /* Those keys name a label that each replica has another value of: what it selects of the other
     * replicas, as far as is known, is selected by this instead (NULL: none). */
    bool is_other_among_replicas;
    const struct label_selector *among_replicas;
    struct str_list namespaces; /* empty: that of the pod that has the term */
    const char *topology_key;
    bool has_namespace_selector;
};

struct pod_affinity_terms {
    const struct pod_affinity_term *items;
    uint32_t count;
};

/* What of spec.affinity is between pods, and required. */
struct pod_affinity {
    struct pod_affinity_terms to, against; /* podAffinity, podAntiAffinity */
};

/* One of topologySpreadConstraints. */
struct topology_spread {
    const char *topology_key;
    const char *when_unsatisfiable; /* of no other than "DoNotSchedule" anything is to be said */
    const struct label_selector *selector; /* NULL: absent, matches no pod */
    struct str_list match_label_keys; /* what it selects has the pod's own values of these labels */
    const char
        *node_affinity_policy; /* "Ignore": nodes count that it does not select; default Honor */
    const char *node_taints_policy; /* "Honor": tainted nodes do not count; default Ignore */
    int64_t max_skew;
    int64_t min_domains; /* while there are fewer, none is taken to have fewest */
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

/* One of a StatefulSet's volumeClaimTemplates: each replica has a claim of its own by it. */
struct claim_template {
    const char *name;
    const char *storage_class; /* "": absent */
    struct str_list access_modes;
};

struct claim_template_list {
    const struct claim_template *items;
    uint32_t count;
};

/* What a pod with resourceClaims asks for beside resources. No node lists any of it: which devices
 * are free is not read. */
#define RESOURCE_DEVICE_CLAIMS "resource.k8s.io/claims"

/* No label has these values: of one that a controller will give, it is not known; likewise, and
 * each replica has another. */
#define LABEL_VALUE_UNKNOWN "?"
#define LABEL_VALUE_OF_EACH "#"

/* It is one of them. */
bool label_value_is_unknown(const char *value);

struct pod_template {
    const char *namespace_;
    const char *name;         /* of the workload */
    struct label_list labels; /* with those that its controller adds */
    struct container_resources_list containers, init_containers;
    struct container_resources whole; /* spec.resources: instead of the sum of its containers */
    struct resource_amounts overhead;
    struct host_port_list ports;
    const struct pod_affinity *affinity; /* NULL: none is required */
    struct topology_spread_list spreads;
    const struct pod_volumes *volumes;      /* NULL: none that ties it */
    struct claim_template_list claims_made; /* by the StatefulSet */
    const char *priority_class;             /* "" */
    int64_t active_deadline;                /* seconds; 0: none */
    bool claims_devices;     /* it has resourceClaims (dynamic resource allocation) */
    bool crosses_namespaces; /* a term of its affinity, a preferred one, too, names namespaces */
};

/* Whether a term of a pod of the namespace `own` selects a pod of that namespace and those labels.
 */
bool pod_affinity_term_selects(const struct pod_affinity_term *term, const char *own,
                               const char *namespace_, const struct label_list *labels);
/* Whether a term of a template's replica selects another replica of it. */
bool pod_affinity_term_selects_replica(const struct pod_affinity_term *term,
                                       const struct pod_template *own);
/* Two pods cannot have both on one node. */
bool host_ports_clash(const struct host_port_list *a, const struct host_port_list *b);
/* Of a container: as kube-apiserver fills it in, a limit without a request is the request. NULL:
 * it names none. */
const struct resource_amount *container_amount(const struct container_resources *container,
                                               const char *resource, bool is_limit);

struct pod_amount {
    bool is_named;
    int64_t amount;
};

/* Of one of its pods without overhead: of what its containers name (pod_need.h), or what it names
 * for all of them. A limit of the whole without a request is the request where no container has
 * one, and of huge pages. */
struct pod_amount pod_template_amount(const struct pod_template *pod_template, const char *resource,
                                      bool is_limit);
/* It names cpu, memory or huge pages for all of its containers. */
bool pod_template_has_whole(const struct pod_template *pod_template);
/* What one of its pods asks for, overhead included, in `arena`. */
struct resource_list pod_template_requests(struct arena *arena,
                                           const struct pod_template *pod_template);
/* It is tied to other pods of its node or of the node's domain, or to volumes. */
bool pod_template_is_tied(const struct pod_template *pod_template);

#endif
