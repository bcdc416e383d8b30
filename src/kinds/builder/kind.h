/* SPDX-License-Identifier: Apache-2.0
 *
 * The kinds that there are. Private to this room.
 */
#ifndef BALLAST_KINDS_KIND_H
#define BALLAST_KINDS_KIND_H

#include "builder.h"

/* One object on its way in. */
struct taking {
    struct fleet_builder *builder;
    const struct value *value;
    const struct object_origin *origin;
    const char *api_version;
    const char *kind;
    const char *member;
    struct error *err; /* where a failure goes */
};

typedef enum add_result kind_taker(const struct taking *t);

enum kind_flags {
    IN_MEMBER = 1 << 0, /* counts in a member; else in the control plane */
    ONE_GROUP = 1 << 1, /* no other API group has a kind of that name */
    NECESSARY = 1 << 2, /* nothing can be decided without it */
    ANYWHERE = 1 << 3,  /* counts in members as in the control plane, in any version */
    FEW = 1 << 4,       /* a fleet has few, of which others than the decoder read more */
    ANY_VERSION = 1 << 5,
    OLDER_TOO = 1 << 6, /* also v1alpha1, whose fields the table has as well */
};

struct kind {
    const char *name, *list_name;
    const char *group;
    const char *version;
    const char *file; /* of a snapshot */
    unsigned flags;
    const struct field *table; /* what is read or kept of one, and its numbers in protobuf */
    kind_taker *take;
};

/* NULL: no decision needs one of that name. */
const struct kind *kind_find(const char *name);
const struct kind *kind_find_list(const char *list_name); /* by "PodList" */
bool kind_is_of_group(const struct kind *kind, const char *api_version);
bool kind_is_of_version(const struct kind *kind, const char *api_version);
/* What is read or kept of an object, of whatever kind. */
const struct field *kind_table(const char *api_version, const char *kind);

/* Not taken: a problem of the fleet's, or an error where nothing can be decided without it. */
enum add_result taking_skip(const struct taking *t, const char *message);
enum add_result taking_fail(const struct taking *t, const char *message);
enum add_result taking_skip_duplicate(const struct taking *t, const struct object_location *first);
/* Where it stands, and in words: "control-plane/rb.yaml:12: ResourceBinding shop/web". */
struct object_location taking_place(const struct taking *t);
const char *taking_label(const struct taking *t);

/* The key of items[index]. */
typedef struct object_key object_key_of(const void *items, uint32_t index);

/* The object is the last one of `items`; it is taken off again when there is one like it. */
enum add_result taking_keep(const struct taking *t, struct object_location_set *places,
                            object_key_of *key_of, const void *items, size_t *count);

/* left_out.c: one of another platform's, whose kind is called as one of ours. */
void builder_leave_out_foreign(const struct taking *t);
/* builder_other_namespaces.c: one that is not taken, as its namespace is not. */
kind_taker builder_pass;
/* builder_add.c: an object into the fleet under construction. */
kind_taker take_cluster, take_binding, take_pod, take_node, take_workload, take_replica_set,
    take_estimator_answers, take_scheduling_preference, take_scheduling_policy, take_replica_owners,
    take_quota, take_workload_labels, take_left_out;
/* unseen_templates.c */
kind_taker take_unseen_templates;
/* settled_pods.c */
kind_taker take_settled_pods;
/* settled_workloads.c */
kind_taker take_settled_workloads;
/* workload_template.c: a template of a snapshot. */
kind_taker take_workload_template;
/* decode_interpreter.c */
kind_taker take_interpreter;
/* decode_rebalancer.c */
kind_taker take_rebalancer;
/* decode_admission.c */
kind_taker take_limit_range, take_resource_quota;
/* decode_disruption.c */
kind_taker take_disruption_budget;
/* decode_volumes.c */
kind_taker take_persistent_volume_claim, take_persistent_volume, take_storage_class, take_csi_node;
/* builder_add_federation.c: what a KubeFed host has. */
kind_taker take_kubefed_config, take_type_config, take_kubefed_cluster, take_federated_namespace,
    take_federated_object;

#endif
