/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes objects of members, and templates of workloads.
 */
#ifndef BALLAST_KINDS_MEMBER_DECODERS_H
#define BALLAST_KINDS_MEMBER_DECODERS_H

#include "ballast/base/map.h"
#include "ballast/base/order.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/kinds/decode.h"
#include "ballast/model/object_location_set.h"
#include "ballast/model/pod_template.h"
#include "ballast/model/settled.h"
#include "kinds/builder/builder.h"
#include "kinds/builder/federation_builder.h"
#include "kinds/schema/field.h"
#include <stdlib.h>
#include <string.h>

/* Settled pods that differ only in their names, nodes and ages. */
struct pods_on_node {
    const char *name; /* of the node; "": the pods are on none */
    int32_t pods;
};

struct settled_group {
    struct pod pod; /* the common fields, and the creation of the newest pod */
    const struct pods_on_node *nodes;
    uint32_t n_nodes;
};

#define ANY_ADDRESS "0.0.0.0" /* of a host port */

extern const struct field workload_labels_table[];

extern const struct field workload_template_table[];

extern const struct field limit_range_table[];

extern const struct field resource_quota_table[];

extern const struct field persistent_volume_claim_table[];

extern const struct field persistent_volume_table[];

extern const struct field storage_class_table[];

extern const struct field csi_node_table[];

extern const struct field disruption_budget_table[];

extern const struct field deployment_table[];

extern const struct field replica_set_table[];

extern const struct field stateful_set_table[];

extern const struct field job_table[];

extern const struct field unseen_templates_table[];

extern const struct field pod_table[];

extern const struct field alike_pod_table[]; /* the common fields of alike pods */

extern const struct field alike_spec_of_pod_table[]; /* the spec of these fields */

extern const struct field settled_pods_table[];

extern const struct field node_table[];

/* For spec.affinity. Only templates have label keys: kube-apiserver has merged them into the
 * selectors of a pod's terms. */
extern const struct field pod_affinity_table[], template_affinity_table[];

extern const struct field template_affinity_terms_table[]; /* podAffinity, podAntiAffinity */

extern const struct field container_port_table[]; /* containers[].ports */

extern const struct field volume_table[]; /* spec.volumes[] */

/* The kubelet's report on a container: its resources may change while it runs. */
struct container_in_place {
    const char *name;
    struct resource_amounts allocated, actual; /* allocatedResources, resources.requests */
    bool is_told;                              /* the status has either */
};

struct containers_in_place {
    const struct container_in_place *items;
    uint32_t count;
    bool is_infeasible; /* the node cannot meet the spec */
};

/* Bytes of a template's name: hexadecimal SHA-256, and the NUL. */
#define POD_TEMPLATE_NAME_MAX 65

/* The fields of a PodTemplateSpec that are read. */
extern const struct field template_container_table[], template_init_container_table[],
    template_resources_table[], template_claim_table[];

extern const struct field topology_spread_table[], template_metadata_table[];

/* --- decode_labels.c --- */

/* Keeps the labels of a workload, in place of those kept before. */
void builder_keep_labels(struct fleet_builder *builder, const struct workload_labels *labels);
/* Tells the tap, if any, the labels of all bound workloads, as WorkloadLabels: with them a snapshot
 * answers a selector as the fleet does. */
void builder_report_labels(const struct fleet_builder *builder);

/* --- decode_member.c --- */

/* Decodes a Node into *ret, and shares the properties that equal nodes have in common. False with
 * the decoder's error. */
bool node_decode(struct decoder *decoder, const struct value *value, struct node *ret);
/* Decodes a ReplicaSet of a member into *ret. False with the decoder's error. */
bool replica_set_decode(struct decoder *decoder, const struct value *value,
                        struct replica_set *ret);
/* Decodes a workload of a member, of any kind that has replicas, into *ret. False with the
 * decoder's error. */
bool workload_decode(struct decoder *decoder, const struct value *value, const char *api_version,
                     const char *kind, struct workload *ret);
/* Returns the table of a member's workload, of any kind that has replicas. Never NULL. */
const struct field *workload_table(const char *api_version, const char *kind);

/* --- decode_pod.c --- */

/* Reads a pod into *ret. Pointers lead into the builder's scratch until pod_keep, since few pods
 * are kept. False with the decoder's error. */
bool pod_read(struct decoder *decoder, const struct value *value, struct pod *ret);
/* Reads the name, labels and owner of a pod that pod_read cannot read, and `with_spec` also its
 * node and requests. Marks *ret as unread; pointers lead into the builder's scratch. False: these
 * fields cannot be read either. */
bool pod_read_owner(struct decoder *decoder, const struct value *value, bool with_spec,
                    struct pod *ret);
/* Copies a pod just read from the scratch into the fleet's memory. */
void pod_keep(struct fleet_builder *builder, struct pod *pod);
/* Appends `count` settled pods like `pod`, on its node, to member->placed: the labels, affinity,
 * ports, volumes and priority that tie other pods to them. */
void pod_place(struct fleet_builder *builder, struct member_builder *member, const struct pod *pod,
               int32_t count);
/* Notes a pod's PriorityClass: the lowest priority of its pods, and if all of them may preempt. */
void pod_note_class(struct member_builder *member, const struct pod *pod);
/* Reads a SettledPods object into *ret; pointers lead into the builder's scratch. False with the
 * decoder's error. */
bool settled_group_read(struct decoder *decoder, const struct value *value,
                        struct settled_group *ret);

/* --- decode_pod_ties.c --- */

/* Target: const struct pod_affinity *, NULL if no term is required. Equal values of one table share
 * one copy. */
field_converter convert_pod_affinity;
/* True if a term of a pod spec's affinity or anti-affinity, required or preferred, names or selects
 * namespaces. */
bool pod_affinity_crosses_namespaces(const struct value *spec);
/* Decodes the node ports that the containers of a pod spec need, shared. Init containers need none.
 * False with the decoder's error. */
bool pod_ports_decode(struct decoder *decoder, const struct value *spec,
                      struct host_port_list *ret);

/* --- decode_pod_volumes.c --- */

/* Target: const struct pod_volumes *, in the fleet's memory; NULL if no volume ties a pod to nodes.
 * Equal values share one copy. */
field_converter convert_pod_volumes;
/* Returns the volumes of a StatefulSet's template (NULL: none), plus the storage classes of its
 * volumeClaimTemplates, shared. Returns `volumes` itself if these name no class. */
const struct pod_volumes *pod_volumes_add_made(struct fleet_builder *builder,
                                               const struct pod_volumes *volumes,
                                               const struct claim_template_list *made);

/* --- pod_requests.c --- */

/* Sets the requests of a pod of this spec, in the decoder's memory. False with the decoder's error.
 *
 * ret->requests is the count of Karmada's scheduler-estimator: the sum over the containers, raised
 * to each init container in turn, plus the overhead. Sidecars count as init containers. Limits do
 * not stand in for requests. The pod's own `resources` and `in_place` (NULL: the pod has no node)
 * do not count.
 *
 * ret->beyond is kube-scheduler's count beyond that (pod_need.h). For a container in place,
 * kube-scheduler counts the largest of requested, allocated and actual resources. */
bool pod_requests_decode(struct decoder *decoder, const struct value *spec,
                         const struct containers_in_place *in_place, struct pod *ret);

/* --- decode_pod_template.c --- */

/* Returns a digest of a core v1 PodTemplateSpec (NULL: the empty one). Digests are equal if the
 * templates are, pod-template-hash aside. Digests of other processes differ. */
struct digest pod_template_digest(struct fleet_builder *builder, const struct value *pod_template);
/* Returns the digest of a template that holds only its name (pod_template_name), as a shard writes
 * templates. */
struct digest pod_template_digest_of_name(struct fleet_builder *builder, const char *name,
                                          size_t length);
/* Writes the hexadecimal SHA-256 of a template's canonical text, equal in every process. False:
 * OpenSSL refuses. */
bool pod_template_sum(const struct buf *canonical, char ret[POD_TEMPLATE_NAME_MAX]);
/* Writes the name of a template: its pod_template_sum. False: the template equals the empty one,
 * and has no name. */
bool pod_template_name(struct fleet_builder *builder, const struct value *pod_template,
                       char ret[POD_TEMPLATE_NAME_MAX]);

/* --- template_labels.c --- */

/* Adds to a template the labels that the controller of this kind of workload gives to pods. The
 * list is shared. */
void template_add_labels(struct fleet_builder *builder, const char *kind,
                         struct pod_template *pod_template);
/* Merges matchLabelKeys and mismatchLabelKeys of a template's affinity terms into their selectors,
 * by its labels (pkg/registry/core/pod/strategy.go, mutatePodAffinity, as of Kubernetes 1.34). If
 * the value of a label is unknown, all pods with the label count as having the same value. */
void template_merge_label_keys(struct fleet_builder *builder, struct pod_template *pod_template);

/* --- template_requirements.c --- */

/* Returns the requirements of a pod of this spec, shared. NULL with the decoder's error. */
const struct requirements *template_requirements(struct decoder *decoder,
                                                 const struct value *pod_spec);

/* --- unseen_templates.c --- */

/* Copies the list of unseen templates to the fleet. */
void builder_keep_unseen_templates(struct fleet_builder *builder);

/* --- workload_template.c --- */

/* Keeps the pod template of a resource template, if any, and tells the tap, if any, as a
 * WorkloadTemplate. An unreadable template stays unknown, without an error. */
void builder_note_template(struct fleet_builder *builder, const struct value *object,
                           const char *api_version, const char *kind);
/* Keeps the pod template in a federated object, whose binding is `binding`. False: there is none,
 * or it cannot be read; err is set only if decoding fails. */
bool builder_keep_federated_template(struct fleet_builder *builder, const struct value *object,
                                     const struct binding *binding, struct error *err);
/* Gives each binding of the fleet the pod template of its workload. If the template adds to the
 * binding's requirements, the binding gets requirements that refer to it. */
void builder_join_templates(struct fleet_builder *builder);
/* Gives a binding that was read again the pod template of the fleet's binding of its name. Its
 * requirements get the template and the pods seen of the fleet's. */
void binding_keep_template(struct fleet *fleet, struct binding *binding);

#endif
