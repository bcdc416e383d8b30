/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of kinds, and how the builder takes an object of a kind. Private to this room.
 */
#ifndef BALLAST_KINDS_KIND_H
#define BALLAST_KINDS_KIND_H

#include "builder.h"

/* One object on its way into the builder. */
struct taking {
    struct fleet_builder *builder;
    const struct value *value;
    const struct object_origin *origin;
    const char *api_version;
    const char *kind;
    const char *member;
    struct error *err;
};

typedef enum add_result kind_taker(const struct taking *t);

enum kind_flags {
    IN_MEMBER = 1 << 0, /* counts in a member; else in the control plane */
    ONE_GROUP = 1 << 1, /* no other API group has a kind of that name */
    NECESSARY = 1 << 2, /* no decision is possible without it */
    ANYWHERE = 1 << 3,  /* counts in members and in the control plane, in any version */
    FEW = 1 << 4,       /* a fleet has few objects, and code besides the decoder reads them */
    ANY_VERSION = 1 << 5,
    OLDER_TOO = 1 << 6, /* also v1alpha1, whose fields the table has as well */
};

struct kind {
    const char *name, *list_name;
    const char *group;
    const char *version;
    const char *file; /* of a snapshot */
    unsigned flags;
    const struct field *table; /* the fields read or kept, with their numbers in protobuf */
    kind_taker *take;
};

/* Returns the kind of that name, in any group. NULL: no decision needs a kind of that name. */
const struct kind *kind_find(const char *name);
/* Returns the kind whose list has that name ("PodList"), in any group; NULL: none. */
const struct kind *kind_find_list(const char *list_name);
/* True if an apiVersion ("apps/v1", "v1") has the group of the kind, in any version. */
bool kind_is_of_group(const struct kind *kind, const char *api_version);
/* True if an apiVersion ("apps/v1", "v1") has a known version of the kind, in any group. */
bool kind_is_of_version(const struct kind *kind, const char *api_version);
/* Returns the table of an object: that of the kind of its name and group (of a ONE_GROUP kind, of
 * its name), else that of workloads. Never NULL. */
const struct field *kind_table(const char *api_version, const char *kind);

/* Skips the object: records a problem of the fleet and returns ADD_SKIPPED. With a strict or told
 * origin, the problem goes to t->err instead; a strict origin gets ADD_FAILED. */
enum add_result taking_skip(const struct taking *t, const char *message);
/* Fails an object without which no decision is possible: sets t->err, keeps the builder's first
 * failure, and returns ADD_FAILED. */
enum add_result taking_fail(const struct taking *t, const char *message);
/* Skips the object as taking_skip does. The message names the place of the first object of its
 * name. */
enum add_result taking_skip_duplicate(const struct taking *t, const struct object_location *first);
/* Returns the file (interned) and the line of the object. */
struct object_location taking_place(const struct taking *t);
/* Returns the object's name in messages, in the fleet's memory: "control-plane/rb.yaml:12:
 * ResourceBinding shop/web", or, without a file, "MEMBER: KIND NAMESPACE/NAME". */
const char *taking_label(const struct taking *t);

/* Returns the key of items[index]. */
typedef struct object_key object_key_of(const void *items, uint32_t index);

/* Keeps the object, the last of *count `items`, and adds its key to `places`. If the key is there
 * already, removes the item and skips the object as a duplicate. */
enum add_result taking_keep(const struct taking *t, struct object_location_set *places,
                            object_key_of *key_of, const void *items, size_t *count);

/* Counts an object as left out whose kind has the name of a known one, but the group of another
 * platform. Ignores objects of members. */
void builder_leave_out_foreign(const struct taking *t);
/* Passes over an object of a namespace that is not taken; notes only that its list was seen. */
kind_taker builder_pass;
/* The takers that the table names. */
kind_taker take_cluster, take_binding, take_pod, take_node, take_workload, take_replica_set,
    take_estimator_answers, take_scheduling_preference, take_scheduling_policy, take_replica_owners,
    take_quota, take_workload_labels, take_left_out;
kind_taker take_unseen_templates;
kind_taker take_settled_pods;
kind_taker take_settled_workloads;
kind_taker take_workload_template;
kind_taker take_interpreter;
kind_taker take_rebalancer;
kind_taker take_limit_range, take_resource_quota;
kind_taker take_disruption_budget;
kind_taker take_persistent_volume_claim, take_persistent_volume, take_storage_class, take_csi_node;
kind_taker take_kubefed_config, take_type_config, take_kubefed_cluster, take_federated_namespace,
    take_federated_object;

#endif
