/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet under construction: its memory, and the objects taken so far.
 */
#ifndef BALLAST_KINDS_BUILDER_H
#define BALLAST_KINDS_BUILDER_H

#include "ballast/base/map.h"
#include "ballast/base/order.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/kinds/decode.h"
#include "ballast/model/object_location_set.h"
#include "ballast/model/settled.h"
#include "federation_builder.h"
#include "kinds/schema/field.h"
#include <stdlib.h>
#include <string.h>

struct member_builder {
    struct member_builder *next;
    const char *name;
    struct fleet_builder
        *apart;     /* the member's separate builder, see builder_member_memory.c; NULL: none */
    bool is_closed; /* the lists below are in `showed` */
    struct member showed; /* only lists, see builder_member.c */
    bool has[N_MEMBER_PARTS];
    struct member_gap gap;
    const char *lost_pod; /* see fleet_builder_lose_pod; NULL: none */
    int64_t clock_offset;
    VEC_OF(struct pod) pods;
    VEC_OF(struct placed_pod) placed;
    VEC_OF(struct node) nodes;
    VEC_OF(struct replica_set) replica_sets;
    VEC_OF(struct workload) workloads;
    VEC_OF(struct settled_workload) settled_workloads;
    VEC_OF(struct settled_place) settled_places; /* of settled_workloads, on settled_nodes */
    VEC_OF(const char *) settled_nodes;
    struct map *settled_node_numbers; /* name -> 1 + index into settled_nodes */
    VEC_OF(struct priority_class) priority_classes;
    VEC_OF(struct limit_range) limit_ranges;
    VEC_OF(struct resource_quota) resource_quotas;
    VEC_OF(struct persistent_volume_claim) claims;
    VEC_OF(struct persistent_volume) volumes;
    VEC_OF(struct storage_class) storage_classes;
    VEC_OF(struct csi_node) csi_nodes;
    VEC_OF(struct disruption_budget) disruption_budgets;
    struct object_location_set places_of[N_MEMBER_PARTS]; /* of the parts without a set below */
    VEC_OF(struct stuck_answer) stuck_answers;
    VEC_OF(struct room_answer) room_answers;
    VEC_OF(struct set_answer) set_answers;
    int64_t stuck_threshold; /* nanoseconds: the shortest threshold of the stuck_answers */
    struct settled settled;
    struct object_location_set pod_places, node_places, replica_set_places, workload_places;
};

#define RECENT_TEXTS 1024

#define RECENT_LABELS 256

struct found_problem {
    struct problem problem;
    const char *member; /* "": the control plane */
    uint64_t place;     /* see fleet_builder_at */
};

struct fleet_builder {
    struct fleet *fleet;   /* under construction; NULL once finished */
    struct arena *scratch; /* of the object under way */
    struct arena *keys;    /* of the maps below */
    struct hash_key hash_key;
    struct map *shared;      /* bytes -> the fleet's one copy of them */
    struct map *shared_here; /* bytes -> the copy of the member under way; NULL: none */
    struct map *by_source;   /* digest of a source text -> the object decoded from it */
    struct decoder decoder;  /* into the fleet's memory; its context is this builder */
    struct buf text;         /* of the value under way */
    char *text_room;         /* free bytes for builder_keep_text */
    size_t text_left;
    const char *recent[RECENT_TEXTS]; /* by hash; NULL: empty; see builder_keep_common_text */
    struct label_list recent_labels[RECENT_LABELS]; /* by hash; see builder_share_labels */
    const struct fleet_tap *tap;                    /* NULL: none */
    uint64_t place;                                 /* see fleet_builder_at */
    struct fleet_builder *outer; /* the whole fleet's, if this one takes a member; NULL: none */
    bool failed;                 /* a Cluster was bad: see first_error */
    struct error first_error;

    VEC_OF(struct cluster) clusters;
    VEC_OF(struct binding) bindings;
    struct object_location_set cluster_places, binding_places;
    struct member_builder *members;      /* in the order of their first objects */
    struct member_builder **next_member; /* the end of that list */
    struct map *members_by_name;
    VEC_OF(struct preference) preferences;
    VEC_OF(struct replica_owner) claims;
    VEC_OF(struct quota) quotas;
    struct object_location_set quota_places;
    VEC_OF(struct divisible_kind) divisible_kinds;
    VEC_OF(struct rebalance_wish) wishes;
    VEC_OF(const char *) rebalancers; /* names of those that the wishes came from */
    struct object_location_set rebalancer_places;
    VEC_OF(struct object_key) manifests; /* those that preferences came from */
    struct object_location_set manifest_places;
    struct fleet_expectation expectation;
    struct federation_builder federation;
    VEC_OF(struct left_out) left_out;
    VEC_OF(struct found_problem) problems;
    VEC_OF(struct workload_labels) workload_labels;
    struct map *labels_by_workload;    /* 1 + index into workload_labels */
    struct map *templates_by_workload; /* struct pod_template, see workload_template.c */
    VEC_OF(struct unseen_templates) unseen_templates;
    bool has_admission;     /* some member has a LimitRange or ResourceQuota */
    bool has_anti_affinity; /* some pod or template has anti-affinity */
    struct arena *wanted_arena;
    struct map *wanted_by_kind; /* "apiVersion\nkind" -> struct wanted; see wanted_kinds.c */
};

extern const struct field left_out_table[];

/* --- builder.c --- */

/* Returns a builder over the memory of `fleet`, with nothing taken yet. Free it with
 * fleet_builder_free after setting its `fleet` to NULL. */
struct fleet_builder *builder_over(struct fleet *fleet);
/* Returns the builder's decoder, ready for one object. Empties the scratch, and with it the object
 * before. Errors go to `err`. */
struct decoder *builder_decoder(struct fleet_builder *builder, struct error *err);
/* Returns the fleet's one copy of `size` bytes. NULL for size 0. The bytes may hold interned
 * strings and numbers, but no uninitialized padding: equality is by bytes. */
const void *builder_share(struct fleet_builder *builder, const void *bytes, size_t size);
/* Copies a rarely repeated text into the fleet's memory, packed: an arena would round each text up
 * to its alignment. "" for length 0. */
const char *builder_keep_text(struct fleet_builder *builder, const char *text, size_t length);
/* Copies a text into the fleet's memory, reusing a recent identical copy. */
const char *builder_keep_common_text(struct fleet_builder *builder, const char *text,
                                     size_t length);
/* Copies labels, whose texts are in the fleet's memory, reusing a recent identical copy. */
const struct label *builder_share_labels(struct fleet_builder *builder, const struct label *labels,
                                         uint32_t count);
/* Returns the slot for the result of decoding an equal value. It holds NULL until the caller fills
 * it, and is valid until the next slot is asked for. Different `kind`s never share a slot. */
void **builder_slot_by_value(struct fleet_builder *builder, char kind, const struct value *value);
/* Returns the slot for the result of decoding an equal text (any bytes). It holds NULL until the
 * caller fills it, and is valid until the next slot is asked for. Different `kind`s never share a
 * slot. */
void **builder_slot_by_text(struct fleet_builder *builder, char kind, const char *text,
                            size_t length);
/* Returns the object that this builder made of the very same value before, in the same stream.
 * NULL: none, or the value is not known to recur. */
void *builder_remembered(const struct fleet_builder *builder, const struct value *value);
/* Keeps the object made of a value, for builder_remembered. Does nothing if the value is not known
 * to recur. */
void builder_remember(const struct fleet_builder *builder, const struct value *value, void *made);
/* Returns the member of that name, added when it is new. */
struct member_builder *builder_member(struct fleet_builder *builder, const char *name);
/* Frees a member's builder, its lists, and its separate builder, if any. */
void member_builder_free(struct member_builder *member);
/* Frees the lists of the member's objects. The answers of estimators stay. */
void member_builder_release(struct member_builder *member);

/* --- builder_member_memory.c --- */

/* Returns the builder that takes a member's objects ("": the control plane's). It is a separate
 * builder if only the tap wants members, else `builder` itself. */
struct fleet_builder *builder_for(struct fleet_builder *builder, const char *member);

/* --- left_out.c --- */

/* Adds `count` to the left-out objects of a kind. Beyond a maximum, it ignores new kinds.
 * `is_foreign`: the kind belongs to the platform that the fleet is not of. */
void builder_leave_out(struct fleet_builder *builder, const char *kind, uint32_t count,
                       bool is_foreign);
/* Tells the tap, if any, how many objects of which kinds the finished fleet leaves out. Skips
 * foreign kinds: the tap has had their objects. */
void builder_report_left_out(const struct fleet_builder *builder);

#endif
