/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of members, and templates of workloads, decoded.
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

/* Settled pods that are alike but for their names, their nodes and their age. */
struct pods_on_node {
    const char *name; /* of the node; "": the pods are on none */
    int32_t pods;
};

struct settled_group {
    struct pod pod; /* what they have in common, and the creation of the newest */
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

extern const struct field alike_pod_table[]; /* what alike pods have in common */

extern const struct field alike_spec_of_pod_table[]; /* of that, the spec alone */

extern const struct field settled_pods_table[];

extern const struct field node_table[];

/* Of spec.affinity. Templates alone have label keys: into the selectors of a pod's terms
 * kube-apiserver has merged them. */
extern const struct field pod_affinity_table[], template_affinity_table[];

extern const struct field template_affinity_terms_table[]; /* podAffinity, podAntiAffinity in it */

extern const struct field container_port_table[]; /* of containers[].ports */

extern const struct field volume_table[]; /* of spec.volumes[] */

/* What the kubelet says of a container, whose resources may be changed while it runs. */
struct container_in_place {
    const char *name;
    struct resource_amounts allocated, actual; /* allocatedResources, resources.requests */
    bool is_told;                              /* either */
};

struct containers_in_place {
    const struct container_in_place *items;
    uint32_t count;
    bool is_infeasible; /* what the spec wants cannot be on that node */
};

/* Bytes of a template's name: SHA-256 in hexadecimal, and the NUL. */
#define POD_TEMPLATE_NAME_MAX 65

/* The parts that are read of a PodTemplateSpec. */
extern const struct field template_container_table[], template_init_container_table[],
    template_resources_table[], template_claim_table[];

extern const struct field topology_spread_table[], template_metadata_table[];

/* --- decode_labels.c --- */

/* Keeps the labels of a workload, instead of those that were kept of it before. */
void builder_keep_labels(struct fleet_builder *builder, const struct workload_labels *labels);
/* Tells the tap, if any, the labels of all workloads that the fleet's bindings bind, as
 * WorkloadLabels: with them a snapshot answers a selector as the fleet does. */
void builder_report_labels(const struct fleet_builder *builder);

/* --- decode_member.c --- */

/* Decodes a Node into *ret; what equal nodes have in common is shared. False with the decoder's
 * error. */
bool node_decode(struct decoder *decoder, const struct value *value, struct node *ret);
/* Decodes a ReplicaSet of a member into *ret. False with the decoder's error. */
bool replica_set_decode(struct decoder *decoder, const struct value *value,
                        struct replica_set *ret);
/* Decodes a workload of a member, of any kind that has replicas, into *ret. False with the
 * decoder's error. */
bool workload_decode(struct decoder *decoder, const struct value *value, const char *api_version,
                     const char *kind, struct workload *ret);
/* Returns the table of what is read of a workload of a member, of any kind that has replicas. Never
 * NULL. */
const struct field *workload_table(const char *api_version, const char *kind);

/* --- decode_pod.c --- */

/* Reads a pod into *ret; what it points to is the builder's scratch until pod_keep, since few pods
 * are kept. False with the decoder's error. */
bool pod_read(struct decoder *decoder, const struct value *value, struct pod *ret);
/* Reads the name, labels and owner of a pod that pod_read cannot read, and `with_spec` what it
 * takes and where. Marks *ret as unread; what it points to is the builder's scratch. False: these
 * cannot be read either. */
bool pod_read_owner(struct decoder *decoder, const struct value *value, bool with_spec,
                    struct pod *ret);
/* Copies what a pod that was just read points to from the scratch into the fleet's memory. */
void pod_keep(struct fleet_builder *builder, struct pod *pod);
/* Appends `count` settled pods like `pod`, on its node, to member->placed: their labels, affinity,
 * ports, volumes and priority, by which other pods are tied to them. */
void pod_place(struct fleet_builder *builder, struct member_builder *member, const struct pod *pod,
               int32_t count);
/* Notes what a pod shows of its PriorityClass: the lowest priority of all its pods, and whether
 * they all may preempt. */
void pod_note_class(struct member_builder *member, const struct pod *pod);
/* Reads a SettledPods object into *ret; what it points to is the builder's scratch. False with the
 * decoder's error. */
bool settled_group_read(struct decoder *decoder, const struct value *value,
                        struct settled_group *ret);

/* --- decode_pod_ties.c --- */

/* Target: const struct pod_affinity *, NULL where no term is required. Equal values of one table
 * share one copy. */
field_converter convert_pod_affinity;
/* True if a term of a pod spec's affinity or anti-affinity, required or preferred, names namespaces
 * or selects them. */
bool pod_affinity_crosses_namespaces(const struct value *spec);
/* Decodes the ports of the node that the containers of a pod spec want, shared. Init containers
 * want none. False with the decoder's error. */
bool pod_ports_decode(struct decoder *decoder, const struct value *spec,
                      struct host_port_list *ret);

/* --- decode_pod_volumes.c --- */

/* Target: const struct pod_volumes *, in the fleet's memory; NULL where no volume ties a pod to
 * nodes. Equal values share one copy. */
field_converter convert_pod_volumes;
/* Returns the volumes of a StatefulSet's template (NULL: none) with the storage classes of its
 * volumeClaimTemplates added, shared. Returns `volumes` itself where they name no class. */
const struct pod_volumes *pod_volumes_add_made(struct fleet_builder *builder,
                                               const struct pod_volumes *volumes,
                                               const struct claim_template_list *made);

/* --- pod_requests.c --- */

/* Sets what a pod of this spec requests, in the decoder's memory. False with the decoder's error.
 *
 * ret->requests is what Karmada's scheduler-estimator counts: the sum over the containers, raised
 * to each init container in turn, plus the overhead. Sidecars count as init containers. Limits do
 * not stand in for requests. The pod's own `resources` do not count, nor does what is `in_place`
 * (NULL: the pod is nowhere yet).
 *
 * ret->beyond is what kube-scheduler counts beyond that (pod_need.h): of a container in place the
 * most of what it asks for, is allocated and has. */
bool pod_requests_decode(struct decoder *decoder, const struct value *spec,
                         const struct containers_in_place *in_place, struct pod *ret);

/* --- decode_pod_template.c --- */

/* Returns a digest of a core v1 PodTemplateSpec (NULL: the empty one). Templates have equal digests
 * that are equal without the label pod-template-hash. Other processes have other digests. */
struct digest pod_template_digest(struct fleet_builder *builder, const struct value *pod_template);
/* Returns the digest of a template that holds nothing but its name (pod_template_name), as a shard
 * writes templates. */
struct digest pod_template_digest_of_name(struct fleet_builder *builder, const char *name,
                                          size_t length);
/* Writes the SHA-256 of a template's canonical text in hexadecimal: every process writes the same.
 * False when OpenSSL refuses. */
bool pod_template_sum(const struct buf *canonical, char ret[POD_TEMPLATE_NAME_MAX]);
/* Writes the name of a template: its pod_template_sum. False: the template equals the empty one,
 * and has no name. */
bool pod_template_name(struct fleet_builder *builder, const struct value *pod_template,
                       char ret[POD_TEMPLATE_NAME_MAX]);

/* --- template_labels.c --- */

/* Adds to a template the labels that the controller of such a kind of workload gives to pods. The
 * list is shared. */
void template_add_labels(struct fleet_builder *builder, const char *kind,
                         struct pod_template *pod_template);
/* Merges matchLabelKeys and mismatchLabelKeys of a template's affinity terms into their selectors,
 * by its labels (pkg/registry/core/pod/strategy.go, mutatePodAffinity, as of Kubernetes 1.34).
 * Where the value of such a label is not known, every pod that has the label is taken to have the
 * same value. */
void template_merge_label_keys(struct fleet_builder *builder, struct pod_template *pod_template);

/* --- template_requirements.c --- */

/* Returns the requirements of a pod of this spec, shared. NULL with the decoder's error. */
const struct requirements *template_requirements(struct decoder *decoder,
                                                 const struct value *pod_spec);

/* --- unseen_templates.c --- */

/* Copies to the fleet which templates were not seen, as far as the builder was told. */
void builder_keep_unseen_templates(struct fleet_builder *builder);

/* --- workload_template.c --- */

/* Keeps the pod template of a resource template, if it has one, and tells the tap, if any, as a
 * WorkloadTemplate. A template that cannot be read stays unknown, without an error. */
void builder_note_template(struct fleet_builder *builder, const struct value *object,
                           const char *api_version, const char *kind);
/* Keeps the pod template in a federated object, whose binding is `binding`. False: there is none,
 * or it cannot be read; err is set only where decoding fails. */
bool builder_keep_federated_template(struct fleet_builder *builder, const struct value *object,
                                     const struct binding *binding, struct error *err);
/* Gives each binding of the fleet the pod template of its workload, and requirements that refer to
 * that template where it adds to them. */
void builder_join_templates(struct fleet_builder *builder);
/* Gives a binding that was read again the pod template that the fleet's binding of its name has,
 * and to its requirements what the fleet's say of templates and of pods seen. */
void binding_keep_template(struct fleet *fleet, struct binding *binding);

#endif
