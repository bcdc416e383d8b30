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
    const char *name; /* "" on none */
    int32_t pods;
};

struct settled_group {
    struct pod pod; /* of them, with the newest one's creation */
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

extern const struct field alike_pod_table[]; /* of one of many that are alike */

extern const struct field alike_spec_of_pod_table[]; /* nothing but its spec */

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

/* SHA-256 of what is equal for equal templates, in hexadecimal: the same in every process. false
 * when it cannot be had. */
#define POD_TEMPLATE_NAME_MAX 65

/* What is read of a PodTemplateSpec, in parts. */
extern const struct field template_container_table[], template_init_container_table[],
    template_resources_table[], template_claim_table[];

extern const struct field topology_spread_table[], template_metadata_table[];

/* --- decode_labels.c --- */

/* Keeps the labels of a workload; of one that is told twice the last ones count. */
void builder_keep_labels(struct fleet_builder *builder, const struct workload_labels *labels);
/* Tells who listens the labels of all workloads that the fleet's bindings bind, as WorkloadLabels:
 * with them a snapshot answers a selector as the fleet does. */
void builder_tell_labels(const struct fleet_builder *builder);

/* --- decode_member.c --- */

bool node_decode(struct decoder *decoder, const struct value *value, struct node *ret);
bool replica_set_decode(struct decoder *decoder, const struct value *value,
                        struct replica_set *ret);
bool workload_decode(struct decoder *decoder, const struct value *value, const char *api_version,
                     const char *kind, struct workload *ret);
/* Of whatever has replicas in a member. */
const struct field *workload_table(const char *api_version, const char *kind);

/* --- decode_pod.c --- */

/* In two steps, since few pods are kept: the decoder's scratch holds what is read of one. */
bool pod_read(struct decoder *decoder, const struct value *value, struct pod *ret);
/* Of one that cannot be read, whose it is, and what it takes where; false: that neither. */
bool pod_read_owner(struct decoder *decoder, const struct value *value, bool with_spec,
                    struct pod *ret);
void pod_keep(struct fleet_builder *builder, struct pod *pod);
/* Keeps of so many settled ones that are alike, and on one node, what ties others to them. */
void pod_place(struct fleet_builder *builder, struct member_builder *member, const struct pod *pod,
               int32_t count);
/* What it tells of its PriorityClass. */
void pod_note_class(struct member_builder *member, const struct pod *pod);
/* Into the decoder's scratch. */
bool settled_group_read(struct decoder *decoder, const struct value *value,
                        struct settled_group *ret);

/* --- decode_pod_ties.c --- */

/* Target: const struct pod_affinity *, NULL where no term is required. Equal ones of one table are
 * one. */
field_converter convert_pod_affinity;
/* Whether a term of a spec's affinity, required or preferred, says whose namespaces it is about. */
bool pod_affinity_crosses_namespaces(const struct value *spec);
/* The ports of the node that the containers of a spec want; init containers want none. */
bool pod_ports_decode(struct decoder *decoder, const struct value *spec,
                      struct host_port_list *ret);

/* --- decode_pod_volumes.c --- */

/* Target: const struct pod_volumes *, in the fleet's memory; NULL where nothing ties. Equal ones
 * are one. */
field_converter convert_pod_volumes;
/* Of a StatefulSet's template, with the classes of what it makes for each replica. */
const struct pod_volumes *pod_volumes_add_made(struct fleet_builder *builder,
                                               const struct pod_volumes *volumes,
                                               const struct claim_template_list *made);

/* --- pod_requests.c --- */

/* Of a pod's spec, as Karmada's scheduler-estimator counts it: the sum over the containers, raised
 * to each init container in turn, plus the overhead. Sidecars are like any init container, limits
 * do not stand in for requests, and the pod's own `resources` do not count, nor what is `in_place`
 * (NULL: it is nowhere yet). What kube-scheduler counts beyond that (pod_need.h) is in a list of
 * its own: of a container in place the most of what it asks for, is allocated and has. */
bool pod_requests_decode(struct decoder *decoder, const struct value *spec,
                         const struct containers_in_place *in_place, struct pod *ret);

/* --- decode_pod_template.c --- */

/* Of a core v1 PodTemplateSpec, NULL being the empty one: equal for templates that are equal once
 * the label pod-template-hash is out of both. */
struct digest pod_template_digest(struct fleet_builder *builder, const struct value *pod_template);
/* Of the one that says nothing but the name below: what a shard tells of a template. */
struct digest pod_template_digest_of_name(struct fleet_builder *builder, const char *name,
                                          size_t length);
bool pod_template_sum(const struct buf *canonical, char ret[POD_TEMPLATE_NAME_MAX]);
/* The sum of a template. false: it is like none at all, and has no name. */
bool pod_template_name(struct fleet_builder *builder, const struct value *pod_template,
                       char ret[POD_TEMPLATE_NAME_MAX]);

/* --- template_labels.c --- */

/* Adds the labels that the controller of such a kind of workload adds, in the fleet's memory. */
void template_add_labels(struct fleet_builder *builder, const char *kind,
                         struct pod_template *pod_template);
/* Merges matchLabelKeys and mismatchLabelKeys of its affinity terms into their selectors, by its
 * labels (pkg/registry/core/pod/strategy.go, mutatePodAffinity, as of Kubernetes 1.34). Of a label
 * whose value is not known any pod that has it is taken to have the same. */
void template_merge_label_keys(struct fleet_builder *builder, struct pod_template *pod_template);

/* --- template_requirements.c --- */

/* The requirements of a pod of this template (its spec), shared; NULL with the decoder's error. */
const struct requirements *template_requirements(struct decoder *decoder,
                                                 const struct value *pod_spec);

/* --- unseen_templates.c --- */

/* What was told of them is the fleet's. */
void builder_keep_unseen_templates(struct fleet_builder *builder);

/* --- workload_template.c --- */

/* Keeps the pod template of a resource template, if it has one; tells who listens, as a
 * WorkloadTemplate. What cannot be read is nobody's loss: it stays unknown. */
void builder_note_template(struct fleet_builder *builder, const struct value *object,
                           const char *api_version, const char *kind);
/* Keeps that of what a federated object federates; `binding` is the object's. false where there is
 * none, or it cannot be read. */
bool builder_keep_federated_template(struct fleet_builder *builder, const struct value *object,
                                     const struct binding *binding, struct error *err);
/* Gives bindings the templates of what they bind. */
void builder_join_templates(struct fleet_builder *builder);
/* Likewise one that was read again, as it had one before. */
void binding_keep_template(struct fleet *fleet, struct binding *binding);

#endif
