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

/* Returns the kind of that name, whatever its group. NULL: no decision needs a kind of that name.
 */
const struct kind *kind_find(const char *name);
/* Returns the kind whose list has that name ("PodList"), whatever its group; NULL: none. */
const struct kind *kind_find_list(const char *list_name);
/* True if an apiVersion ("apps/v1", "v1") has the group of the kind, whatever its version. */
bool kind_is_of_group(const struct kind *kind, const char *api_version);
/* True if an apiVersion ("apps/v1", "v1") has a version of the kind that can be read. Its group is
 * not compared. */
bool kind_is_of_version(const struct kind *kind, const char *api_version);
/* Returns the table of what is read or kept of an object: that of the kind of its name and group
 * (of a ONE_GROUP kind, of its name), else that of workloads. Never NULL. */
const struct field *kind_table(const char *api_version, const char *kind);

/* Skips the object: records a problem of the fleet and returns ADD_SKIPPED. Where the origin is
 * strict or told, the problem goes to t->err instead, and a strict origin gets ADD_FAILED. */
enum add_result taking_skip(const struct taking *t, const char *message);
/* Fails the object, without which nothing can be decided: sets t->err, keeps the builder's first
 * such error, and returns ADD_FAILED. */
enum add_result taking_fail(const struct taking *t, const char *message);
/* Skips the object as taking_skip does, with a message that says where the first object of its name
 * stands. */
enum add_result taking_skip_duplicate(const struct taking *t, const struct object_location *first);
/* Returns the file (interned) and the line of the object. */
struct object_location taking_place(const struct taking *t);
/* Returns what the object is called in messages: "control-plane/rb.yaml:12: ResourceBinding
 * shop/web", or, without a file, "MEMBER: KIND NAMESPACE/NAME". It is in the fleet's memory. */
const char *taking_label(const struct taking *t);

/* The key of items[index]. */
typedef struct object_key object_key_of(const void *items, uint32_t index);

/* Keeps the object, the last of *count `items`, and adds its key to `places`. Where the key is
 * there already, it takes the item off again and skips the object as a duplicate. */
enum add_result taking_keep(const struct taking *t, struct object_location_set *places,
                            object_key_of *key_of, const void *items, size_t *count);

/* left_out.c: counts an object of the control plane as left out whose kind has the name of one of
 * ours, and the group of another platform. Does nothing for an object of a member. */
void builder_leave_out_foreign(const struct taking *t);
/* builder_other_namespaces.c: passes over an object whose namespace is not taken; notes only that
 * its list was looked at. */
kind_taker builder_pass;
/* builder_add.c: take an object into the fleet under construction. */
kind_taker take_cluster, take_binding, take_pod, take_node, take_workload, take_replica_set,
    take_estimator_answers, take_scheduling_preference, take_scheduling_policy, take_replica_owners,
    take_quota, take_workload_labels, take_left_out;
/* unseen_templates.c */
kind_taker take_unseen_templates;
/* settled_pods.c */
kind_taker take_settled_pods;
/* settled_workloads.c */
kind_taker take_settled_workloads;
/* workload_template.c: takes a template of a snapshot. */
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
/* builder_add_federation.c: take the objects of a KubeFed host. */
kind_taker take_kubefed_config, take_type_config, take_kubefed_cluster, take_federated_namespace,
    take_federated_object;

#endif
