/* SPDX-License-Identifier: Apache-2.0
 *
 * What a fleet is built with: the memory it will own, and what has been taken so far.
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
    struct fleet_builder *apart; /* see builder_member_memory.c; NULL: none */
    bool is_closed;              /* what follows is in: */
    struct member showed;        /* the lists alone, see builder_member.c */
    bool has[N_MEMBER_PARTS];
    struct member_gap gap;
    const char *lost_pod; /* see fleet_builder_lose_pod; NULL: there is none */
    int64_t clock_offset;
    VEC_OF(struct pod) pods;
    VEC_OF(struct placed_pod) placed;
    VEC_OF(struct node) nodes;
    VEC_OF(struct replica_set) replica_sets;
    VEC_OF(struct workload) workloads;
    VEC_OF(struct settled_workload) settled_workloads;
    VEC_OF(struct settled_place) settled_places; /* of these, on these nodes: */
    VEC_OF(const char *) settled_nodes;
    struct map *settled_node_numbers; /* name -> index into them, and one */
    VEC_OF(struct priority_class) priority_classes;
    VEC_OF(struct limit_range) limit_ranges;
    VEC_OF(struct resource_quota) resource_quotas;
    VEC_OF(struct persistent_volume_claim) claims;
    VEC_OF(struct persistent_volume) volumes;
    VEC_OF(struct storage_class) storage_classes;
    VEC_OF(struct csi_node) csi_nodes;
    VEC_OF(struct disruption_budget) disruption_budgets;
    struct object_location_set places_of[N_MEMBER_PARTS]; /* of these, and of what admits pods */
    VEC_OF(struct stuck_answer) stuck_answers;
    VEC_OF(struct room_answer) room_answers;
    VEC_OF(struct set_answer) set_answers;
    int64_t stuck_threshold; /* the shortest of what the answers are about */
    struct settled settled;
    struct object_location_set pod_places, node_places, replica_set_places, workload_places;
};

/* Texts that were kept last, by a hash of each. */
#define RECENT_TEXTS 1024

#define RECENT_LABELS 256

/* A problem, and what it is sorted by. */
struct found_problem {
    struct problem problem;
    const char *member; /* "": of the control plane */
    uint64_t place;     /* see fleet_builder_at */
};

struct fleet_builder {
    struct fleet *fleet;   /* under construction; NULL once finished */
    struct arena *scratch; /* of the object under way */
    struct arena *keys;    /* of the maps below */
    struct hash_key hash_key;
    struct map *shared;      /* bytes -> the fleet's one copy of them */
    struct map *shared_here; /* likewise the copy of the member under way; NULL: none is */
    struct map *by_source;   /* digest of a source text -> what was decoded from it */
    struct decoder decoder;  /* into the fleet's memory; context is this builder */
    struct buf text;         /* of the value under way */
    char *text_room;         /* where builder_keep_text goes on */
    size_t text_left;
    const char *recent[RECENT_TEXTS]; /* NULL: none yet; see builder_keep_common_text */
    struct label_list recent_labels[RECENT_LABELS]; /* see builder_share_labels */
    const struct fleet_tap *tap;                    /* NULL: nobody listens */
    uint64_t place;                                 /* see fleet_builder_at */
    struct fleet_builder *outer; /* of whose members it takes one; NULL: it is of a fleet */
    bool failed;                 /* a Cluster was bad: */
    struct error first_error;

    VEC_OF(struct cluster) clusters;
    VEC_OF(struct binding) bindings;
    struct object_location_set cluster_places, binding_places;
    struct member_builder *members;      /* in the order of their first objects */
    struct member_builder **next_member; /* where the next one goes */
    struct map *members_by_name;
    VEC_OF(struct preference) preferences;
    VEC_OF(struct replica_owner) claims;
    VEC_OF(struct quota) quotas;
    struct object_location_set quota_places;
    VEC_OF(struct divisible_kind) divisible_kinds;
    VEC_OF(struct rebalance_wish) wishes;
    VEC_OF(const char *) rebalancers; /* that they came from */
    struct object_location_set rebalancer_places;
    VEC_OF(struct object_key) manifests; /* that preferences came from */
    struct object_location_set manifest_places;
    struct fleet_expectation expectation;
    struct federation_builder federation;
    VEC_OF(struct left_out) left_out;
    VEC_OF(struct found_problem) problems;
    VEC_OF(struct workload_labels) workload_labels;
    struct map *labels_by_workload;    /* index into them, and one */
    struct map *templates_by_workload; /* struct pod_template, see workload_template.c */
    VEC_OF(struct unseen_templates) unseen_templates;
    bool has_admission;     /* some member has a LimitRange or ResourceQuota */
    bool has_anti_affinity; /* of some pod, or template */
    struct arena *wanted_arena;
    struct map *wanted_by_kind; /* "apiVersion\nkind" -> struct wanted; see wanted_kinds.c */
};

extern const struct field left_out_table[];

/* --- builder.c --- */

/* A builder over the memory of `fleet`, with nothing taken yet. */
struct fleet_builder *builder_over(struct fleet *fleet);
/* The decoder, made ready for one object. */
struct decoder *builder_decoder(struct fleet_builder *builder, struct error *err);
/* The fleet's one copy of `size` bytes: lists of interned strings and numbers, without padding of
 * unknown content, are equal when their bytes are. NULL for size 0. */
const void *builder_share(struct fleet_builder *builder, const void *bytes, size_t size);
/* A copy of a text that hardly occurs twice, in the fleet's memory: packed, since an arena would
 * round each up to its alignment. "" for length 0. */
const char *builder_keep_text(struct fleet_builder *builder, const char *text, size_t length);
/* Copies a text into the fleet's memory, reusing a recent identical copy. */
const char *builder_keep_common_text(struct fleet_builder *builder, const char *text,
                                     size_t length);
/* Copies labels, whose texts are in the fleet's memory, reusing a recent identical copy. */
const struct label *builder_share_labels(struct fleet_builder *builder, const struct label *labels,
                                         uint32_t count);
/* The slot, kept by what kind of thing it is and by the canonical text of `value`, of what was
 * decoded from an equal value before; it holds NULL when there is none yet. */
void **builder_slot_by_value(struct fleet_builder *builder, char kind, const struct value *value);
void **builder_slot_by_text(struct fleet_builder *builder, char kind, const char *text,
                            size_t length);
/* What was made of the very same value before, in the same stream; NULL: nothing, or it is not
 * known to recur. */
void *builder_remembered(const struct fleet_builder *builder, const struct value *value);
void builder_remember(const struct fleet_builder *builder, const struct value *value, void *made);
/* The member of a name, added when it is new. */
struct member_builder *builder_member(struct fleet_builder *builder, const char *name);
void member_builder_free(struct member_builder *member);
/* Lets go of what its objects were taken to. */
void member_builder_release(struct member_builder *member);

/* --- builder_member_memory.c --- */

/* Where a member's objects are taken to ("": those of the control plane). */
struct fleet_builder *builder_for(struct fleet_builder *builder, const char *member);

/* --- left_out.c --- */

/* Notes that objects of a kind were left out; tells who listens how many. */
void builder_leave_out(struct fleet_builder *builder, const char *kind, uint32_t count,
                       bool is_foreign);
void builder_tell_left_out(const struct fleet_builder *builder);

#endif
