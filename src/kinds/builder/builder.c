/* SPDX-License-Identifier: Apache-2.0
 *
 * The builder's memory: texts and values of the fleet, shared copies, and slots by source text.
 */
#include "builder.h"

#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"

#define TEXT_MAX ((size_t)STREAM_OBJECT_MAX * 2) /* escapes lengthen a value's text */
#define TEXT_BLOCK ((size_t)8192)
#define LEFT_OUT_KINDS_MAX 32
#define MAP_SLOT_BYTES ((size_t)64) /* bytes; half of the slots are free */

struct fleet_builder *
builder_over(struct fleet *fleet)
{
    struct fleet_builder *builder = heap_new(1, sizeof(*builder));

    builder->fleet = fleet;
    builder->scratch = arena_new();
    builder->keys = arena_new();
    builder->hash_key = hash_key_of_process();
    builder->shared = map_new();
    builder->by_source = map_new();
    builder->members_by_name = map_new();
    builder->labels_by_workload = map_new();
    builder->templates_by_workload = map_new();
    builder->wanted_arena = arena_new();
    builder->wanted_by_kind = map_new();
    builder->next_member = &builder->members;
    buf_init(&builder->text, TEXT_MAX);
    builder->expectation.kubefed_namespace = "";
    return builder;
}

struct fleet_builder *
fleet_builder_new(void)
{
    struct fleet *fleet = heap_new(1, sizeof(*fleet));

    fleet->descheduler_renewed = TIME_NONE;
    fleet->arena = arena_new();
    fleet->strings = interner_new();
    fleet->captured_at = fleet->descheduler_renewed = TIME_NONE;
    return builder_over(fleet);
}

struct fleet_builder *
fleet_builder_again(struct fleet *fleet)
{
    return builder_over(fleet);
}

void
member_builder_release(struct member_builder *member)
{
    vec_free(&member->pods);
    vec_free(&member->placed);
    vec_free(&member->nodes);
    vec_free(&member->replica_sets);
    vec_free(&member->workloads);
    vec_free(&member->settled_workloads);
    vec_free(&member->settled_places);
    vec_free(&member->settled_nodes);
    vec_free(&member->priority_classes);
    map_free(member->settled_node_numbers);
    member->settled_node_numbers = NULL;
    vec_free(&member->limit_ranges);
    vec_free(&member->resource_quotas);
    vec_free(&member->claims);
    vec_free(&member->volumes);
    vec_free(&member->storage_classes);
    vec_free(&member->csi_nodes);
    vec_free(&member->disruption_budgets);
    for (int part = 0; part < N_MEMBER_PARTS; part++) {
        object_location_set_release(&member->places_of[part]);
    }
    object_location_set_release(&member->pod_places);
    settled_release(&member->settled);
    object_location_set_release(&member->node_places);
    object_location_set_release(&member->replica_set_places);
    object_location_set_release(&member->workload_places);
}

void
member_builder_free(struct member_builder *member)
{
    member_builder_release(member);
    vec_free(&member->stuck_answers);
    vec_free(&member->room_answers);
    vec_free(&member->set_answers);
    fleet_builder_free(member->apart);
    free(member);
}

void
fleet_builder_free(struct fleet_builder *builder)
{
    if (builder == NULL) {
        return;
    }
    for (struct member_builder *member = builder->members; member != NULL;) {
        struct member_builder *next = member->next;

        member_builder_free(member);
        member = next;
    }
    federation_builder_release(&builder->federation);
    vec_free(&builder->clusters);
    vec_free(&builder->bindings);
    vec_free(&builder->preferences);
    vec_free(&builder->claims);
    vec_free(&builder->quotas);
    object_location_set_release(&builder->quota_places);
    vec_free(&builder->divisible_kinds);
    vec_free(&builder->wishes);
    vec_free(&builder->rebalancers);
    object_location_set_release(&builder->rebalancer_places);
    vec_free(&builder->manifests);
    object_location_set_release(&builder->manifest_places);
    vec_free(&builder->left_out);
    vec_free(&builder->problems);
    object_location_set_release(&builder->cluster_places);
    object_location_set_release(&builder->binding_places);
    map_free(builder->members_by_name);
    map_free(builder->labels_by_workload);
    map_free(builder->templates_by_workload);
    vec_free(&builder->unseen_templates);
    vec_free(&builder->workload_labels);
    map_free(builder->wanted_by_kind);
    arena_free(builder->wanted_arena);
    map_free(builder->by_source);
    map_free(builder->shared);
    map_free(builder->shared_here);
    buf_release(&builder->text);
    arena_free(builder->keys);
    arena_free(builder->scratch);
    fleet_free(builder->fleet);
    free(builder);
}

struct decoder *
builder_decoder(struct fleet_builder *builder, struct error *err)
{
    arena_reset(builder->scratch);
    builder->decoder = (struct decoder){
        .arena = builder->fleet->arena,
        .strings = builder->fleet->strings,
        .context = builder,
        .err = err,
    };
    return &builder->decoder;
}

const void *
builder_share(struct fleet_builder *builder, const void *bytes, size_t size)
{
    if (size == 0) {
        return NULL;
    }
    struct map *here = builder->shared_here != NULL ? builder->shared_here : builder->shared;
    void **slot = map_get(here, bytes, size);

    if (slot == NULL && here != builder->shared) {
        slot = map_get(builder->shared, bytes, size);
    }
    if (slot == NULL) {
        void *copy = arena_memdup(builder->fleet->arena, bytes, size);

        slot = map_put(here, copy, size, NULL);
        *slot = copy;
    }
    return *slot;
}

const char *
builder_keep_text(struct fleet_builder *builder, const char *text, size_t length)
{
    if (length == 0) {
        return "";
    }
    if (length >= TEXT_BLOCK / 16) {
        return arena_strndup(builder->fleet->arena, text, length);
    }
    if (length + 1 > builder->text_left) {
        builder->text_room = arena_alloc(builder->fleet->arena, TEXT_BLOCK);
        builder->text_left = TEXT_BLOCK;
    }
    char *copy = builder->text_room;

    memcpy(copy, text, length); /* the block is zeroed: the NUL is there */
    builder->text_room += length + 1;
    builder->text_left -= length + 1;
    return copy;
}

const char *
builder_keep_common_text(struct fleet_builder *builder, const char *text, size_t length)
{
    uint64_t hash = hash_bytes(&builder->hash_key, text, length);
    const char **recent = &builder->recent[hash % RECENT_TEXTS];

    if (*recent == NULL || strlen(*recent) != length || memcmp(*recent, text, length) != 0) {
        *recent = builder_keep_text(builder, text, length);
    }
    return *recent;
}

const struct label *
builder_share_labels(struct fleet_builder *builder, const struct label *labels, uint32_t count)
{
    size_t size = count * sizeof(*labels);
    uint64_t hash = hash_bytes(&builder->hash_key, labels, size);
    struct label_list *recent = &builder->recent_labels[hash % RECENT_LABELS];

    if (recent->count != count || (count > 0 && memcmp(recent->items, labels, size) != 0)) {
        *recent = (struct label_list){
            .items = arena_memdup(builder->fleet->arena, labels, size),
            .count = count,
        };
    }
    return recent->items;
}

void **
builder_slot_by_text(struct fleet_builder *builder, char kind, const char *text, size_t length)
{
    const struct hash_key of_kind = {builder->hash_key.low ^ (unsigned char)kind,
                                     builder->hash_key.high};
    struct digest digest = digest_bytes(&of_kind, text, length);
    void **slot = map_get(builder->by_source, &digest, sizeof(digest));

    if (slot == NULL) {
        const void *key = arena_memdup(builder->keys, &digest, sizeof(digest));

        slot = map_put(builder->by_source, key, sizeof(digest), NULL);
    }
    return slot;
}

void **
builder_slot_by_value(struct fleet_builder *builder, char kind, const struct value *value)
{
    buf_clear(&builder->text);
    value_write_json(value, true, &builder->text);
    return builder_slot_by_text(builder, kind, buf_text(&builder->text), builder->text.length);
}

void *
builder_remembered(const struct fleet_builder *builder, const struct value *value)
{
    const struct value_memo *memo = value_memo(value);

    return memo != NULL && memo->owner == builder ? memo->made : NULL;
}

void
builder_remember(const struct fleet_builder *builder, const struct value *value, void *made)
{
    struct value_memo *memo = value_memo(value);

    if (memo != NULL) {
        *memo = (struct value_memo){builder, made};
    }
}

struct member_builder *
builder_member(struct fleet_builder *builder, const char *name)
{
    const char *kept = intern_cstr(builder->fleet->strings, name);
    void **slot = map_put_str(builder->members_by_name, kept, NULL);

    if (*slot == NULL) {
        struct member_builder *member = heap_new(1, sizeof(*member));

        member->name = kept;
        *builder->next_member = member;
        builder->next_member = &member->next;
        *slot = member;
    }
    return *slot;
}

void
fleet_builder_problem(struct fleet_builder *builder, const char *member, const char *object,
                      const char *message)
{
    if (builder->outer != NULL) {
        fleet_builder_problem(builder->outer, member, object, message);
        return;
    }
    struct arena *arena = builder->fleet->arena;
    struct found_problem *found = vec_push(&builder->problems);

    found->problem.object = arena_strndup(arena, object, strlen(object));
    found->problem.message = arena_strndup(arena, message, strlen(message));
    found->member = intern_cstr(builder->fleet->strings, member);
    found->place = builder->place;
    if (builder->tap != NULL && builder->tap->problem != NULL) {
        builder->tap->problem(builder->tap->context, member, builder->place, object, message);
    }
}

void
fleet_builder_unread(struct fleet_builder *builder, const char *kind, const char *message)
{
    fleet_builder_problem(builder, "", kind, message);
    builder->fleet->has_unread_kind = true;
}

void
fleet_builder_at(struct fleet_builder *builder, uint64_t place)
{
    builder->place = place;
}

void
fleet_builder_expect(struct fleet_builder *builder, struct fleet_expectation expectation)
{
    if (expectation.kubefed_namespace == NULL) {
        expectation.kubefed_namespace = "";
    }
    builder->expectation = expectation;
}

void
fleet_builder_tap(struct fleet_builder *builder, const struct fleet_tap *tap)
{
    builder->tap = tap;
    if (tap != NULL) {
        tap->begin(tap->context);
    }
}

void
fleet_builder_tap_again(struct fleet_builder *builder, const struct fleet_tap *tap)
{
    builder->tap = tap;
}

void
fleet_builder_saw(struct fleet_builder *builder, const char *member, enum member_part part)
{
    builder_member(builder, member)->has[part] = true;
    if (builder->tap != NULL) {
        builder->tap->saw(builder->tap->context, member, part);
    }
}

void
fleet_builder_listed(struct fleet_builder *builder, const char *member)
{
    if (builder->tap != NULL && builder->tap->listed != NULL) {
        builder->tap->listed(builder->tap->context, member);
    }
}

void
fleet_builder_miss(struct fleet_builder *builder, const char *member, const char *parts,
                   const char *message)
{
    struct arena *arena = builder->fleet->arena;

    builder_member(builder, member)->gap = (struct member_gap){
        arena_strndup(arena, parts, strlen(parts)), arena_strndup(arena, message, strlen(message))};
}

void
fleet_builder_direct(struct fleet_builder *builder, const char *member)
{
    builder_member(builder, member)->showed.is_direct = true;
}

void
fleet_builder_clock(struct fleet_builder *builder, const char *member, int64_t offset)
{
    builder_member(builder, member)->clock_offset = offset;
}

const char *
fleet_builder_cluster(const struct fleet_builder *builder, size_t index)
{
    enum platform expected = builder->expectation.platform;
    bool is_kubefed =
        expected == PLATFORM_KUBEFED || (expected == PLATFORM_AUTO && builder->clusters.count == 0);

    if (is_kubefed) {
        return index < builder->federation.clusters.count
                   ? builder->federation.clusters.items[index].cluster.name
                   : NULL;
    }
    return index < builder->clusters.count ? builder->clusters.items[index].name : NULL;
}

static size_t
footprint_beside(const struct member_builder *of)
{
    size_t footprint = of->limit_ranges.capacity * sizeof(*of->limit_ranges.items) +
                       of->resource_quotas.capacity * sizeof(*of->resource_quotas.items) +
                       of->claims.capacity * sizeof(*of->claims.items) +
                       of->volumes.capacity * sizeof(*of->volumes.items) +
                       of->storage_classes.capacity * sizeof(*of->storage_classes.items) +
                       of->csi_nodes.capacity * sizeof(*of->csi_nodes.items) +
                       of->disruption_budgets.capacity * sizeof(*of->disruption_budgets.items);

    for (int part = 0; part < N_MEMBER_PARTS; part++) {
        footprint += object_location_set_footprint(&of->places_of[part]);
    }
    return footprint;
}

size_t
fleet_builder_footprint(struct fleet_builder *builder, const char *member)
{
    struct fleet_builder *to = builder_for(builder, member);
    const struct member_builder *of = builder_member(to, member);
    size_t maps = map_count(to->shared) + map_count(to->by_source) +
                  (to->shared_here != NULL ? map_count(to->shared_here) : 0);

    return arena_used(to->fleet->arena) + interner_footprint(to->fleet->strings) +
           arena_used(to->keys) + maps * MAP_SLOT_BYTES +
           to->claims.capacity * sizeof(*to->claims.items) +
           of->pods.capacity * sizeof(*of->pods.items) +
           of->placed.capacity * sizeof(*of->placed.items) +
           of->nodes.capacity * sizeof(*of->nodes.items) +
           of->replica_sets.capacity * sizeof(*of->replica_sets.items) +
           of->workloads.capacity * sizeof(*of->workloads.items) +
           of->settled_workloads.capacity * sizeof(*of->settled_workloads.items) +
           of->settled_places.capacity * sizeof(*of->settled_places.items) +
           object_location_set_footprint(&of->pod_places) +
           object_location_set_footprint(&of->node_places) +
           object_location_set_footprint(&of->replica_set_places) +
           object_location_set_footprint(&of->workload_places) + settled_footprint(&of->settled) +
           footprint_beside(of);
}

const struct pod *
fleet_builder_pods(struct fleet_builder *builder, const char *member, uint32_t *ret_count)
{
    const struct member_builder *found = builder_member(builder_for(builder, member), member);

    *ret_count = pin_uint32(found->pods.count);
    return found->pods.items;
}

const struct settled_pods *
fleet_builder_settled(struct fleet_builder *builder, const char *member, uint32_t *ret_count)
{
    const struct member_builder *found = builder_member(builder_for(builder, member), member);

    *ret_count = pin_uint32(found->settled.pods.count);
    return found->settled.pods.items;
}
