/* SPDX-License-Identifier: Apache-2.0
 *
 * What a fleet is built with, private to this room: the memory it will own, the
 * memory that ends with building, and what has been taken so far.
 */
#ifndef BALLAST_KINDS_BUILDER_H
#define BALLAST_KINDS_BUILDER_H

#include <stdlib.h>
#include <string.h>

#include "ballast/base/map.h"
#include "ballast/base/order.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/kinds/decode.h"
#include "ballast/model/object_location_set.h"
#include "ballast/model/settled.h"
#include "federation_builder.h"
#include "field.h"

struct member_builder {
    struct member_builder *next;
    const char *name;
    struct fleet_builder *apart; /* see builder_apart.c; NULL: none */
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

/* On an object in one file with all of a fleet: the member that it is of. */
#define ANNOTATION_MEMBER "resource.karmada.io/cached-from-cluster"

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
    struct map *wanted_by_kind; /* "apiVersion\nkind" -> struct wanted; see wanted.c */
};

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

/* Likewise a text that one in many may have in common with one before it: what came along lately is
 * found again, and what is unique costs no more than itself. */
const char *builder_keep_common_text(struct fleet_builder *builder, const char *text,
                                     size_t length);
/* The same labels, in the fleet's memory: what came lately is kept once. Their texts are there. */
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

/* "PodList" -> "Pod"; "List" says nothing of its items. */
const char *builder_item_kind(struct fleet_builder *builder, const char *list_kind);

/* What a member's workloads are told apart by, and the part that is a list of such a kind; false:
 * no part is. */
struct object_key builder_workload_key(const void *items, uint32_t index);
bool builder_workload_part(const char *kind, enum member_part *ret);

static inline int
names_cmp(const char *namespace_a, const char *name_a, const char *namespace_b, const char *name_b)
{
    int order = strcmp(namespace_a, namespace_b);

    return order != 0 ? order : strcmp(name_a, name_b);
}

/* A list for good: its items in the fleet's memory, in order, and how many they are. */
#define KEEP_SORTED(arena, list, cmp, to_items, to_count)                                          \
    do {                                                                                           \
        sort_unless_sorted((list)->items, (list)->count, sizeof(*(list)->items), (cmp));           \
        (to_items) = vec_to_arena((list), (arena));                                                \
        (to_count) = pin_uint32((list)->count);                                                    \
    } while (0)

/* What no pod leads to of a member, and what of it was seen. */
void builder_finish_beside(struct arena *arena, struct member_builder *from, struct member *to);
/* Problems of what was read once the fleet was finished. */
void builder_add_problems(const struct fleet_builder *builder);

/* The member of a name, added when it is new. */
struct member_builder *builder_member(struct fleet_builder *builder, const char *name);
void member_builder_free(struct member_builder *member);
/* Lets go of what its objects were taken to. */
void member_builder_release(struct member_builder *member);
/* A member of the fleet out of what was taken; its name and number are there. */
void builder_finish_member(struct fleet_builder *builder, struct member_builder *from,
                           struct member *to);
/* Where a member's objects are taken to ("": those of the control plane). */
struct fleet_builder *builder_for(struct fleet_builder *builder, const char *member);
/* Drops the pods of a member of which one is lost. */
void builder_forget_lost(struct fleet_builder *builder, struct member_builder *member);
/* What was taken apart of a member is let go, but for what was seen of it: whoever listens is told.
 */
void builder_end_apart(const struct fleet_builder *builder, struct member_builder *member);

/* Notes what an object of the control plane tells of it, although it is not taken: whether
 * karmada-descheduler runs as well, which purge modes there are. */
void builder_note(struct fleet_builder *builder, const char *kind, const struct value *object);
bool builder_needs(const char *kind); /* they tell something of it */
void builder_note_definition(struct fleet_builder *builder, const char *kind,
                             const struct value *object);

/* Keeps the labels of a workload; of one that is told twice the last ones count. */
void builder_keep_labels(struct fleet_builder *builder, const struct workload_labels *labels);

/* What was told of them is the fleet's. */
void builder_keep_unseen_templates(struct fleet_builder *builder);

/* Notes that objects of a kind were left out; tells who listens how many. */
void builder_leave_out(struct fleet_builder *builder, const char *kind, uint32_t count,
                       bool is_foreign);
void builder_tell_left_out(const struct fleet_builder *builder);

/* Tells who listens the labels of all workloads that the fleet's bindings bind, as WorkloadLabels:
 * with them a snapshot answers a selector as the fleet does. */
void builder_tell_labels(const struct fleet_builder *builder);

/* Into the order in which cluster_has_api looks for them. */
void api_enablements_sort(struct api_enablement *items, uint32_t count);

/* Decoding into the caller's memory; false with the decoder's error. */
bool cluster_decode(struct decoder *decoder, const struct value *value, struct cluster *ret);
bool binding_decode(struct decoder *decoder, const struct value *value, enum binding_kind kind,
                    struct binding *ret);
/* As it is before anything is known of it. */
void binding_init(struct binding *binding, enum binding_kind kind);
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
/* Into the decoder's scratch. */
bool settled_group_read(struct decoder *decoder, const struct value *value,
                        struct settled_group *ret);
bool node_decode(struct decoder *decoder, const struct value *value, struct node *ret);
bool replica_set_decode(struct decoder *decoder, const struct value *value,
                        struct replica_set *ret);
bool workload_decode(struct decoder *decoder, const struct value *value, const char *api_version,
                     const char *kind, struct workload *ret);
/* Adds to the member's answers. */
bool estimator_answers_decode(struct decoder *decoder, const struct value *value,
                              struct member_builder *member);
/* Pushes what the manifest says to builder->preferences. */
bool scheduling_preference_decode(struct decoder *decoder, const struct value *value);
bool scheduling_policy_decode(struct decoder *decoder, const struct value *value);
/* Pushes what an autoscaler or an override policy claims to builder->claims; `kind` is its. */
bool replica_owners_decode(struct decoder *decoder, const struct value *value, const char *kind);
bool quota_decode(struct decoder *decoder, const struct value *value, struct quota *ret);

#endif
