/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a binding of a federated object and its ReplicaSchedulingPreference.
 */
#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/kinds/federated_patch.h"
#include "federation.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"

#define DEFAULT_TARGET_API "apps/v1"

static int32_t
replicas_in(const struct federated_object *object, const char *cluster)
{
    uint32_t found =
        names_find(object->overrides, sizeof(object->overrides[0]), object->n_overrides, cluster);

    if (found != NAME_NONE) {
        return object->overrides[found].replicas;
    }
    return object->has_template_replicas ? object->template_replicas : DEFAULT_REPLICAS;
}

static int
target_cmp(const void *a, const void *b)
{
    return strcmp(((const struct target *)a)->name, ((const struct target *)b)->name);
}

static struct target_list
targets_of(struct arena *arena, const struct cluster_span *clusters,
           const struct federated_object *object)
{
    const struct federated_placement *placement = object->placement;
    uint32_t most = placement->clusters.present ? placement->clusters.count : clusters->count;
    struct target *items = ARENA_ARRAY(arena, struct target, most);
    uint32_t count = 0;

    for (uint32_t i = 0; i < most; i++) {
        const char *name =
            placement->clusters.present ? placement->clusters.items[i] : clusters->items[i].name;

        if (placement->clusters.present ||
            federated_placement_selects(placement, &clusters->items[i])) {
            items[count++] = (struct target){
                .name = name, .cluster = CLUSTER_NONE, .replicas = replicas_in(object, name)};
        }
    }
    if (count > 1) {
        qsort(items, count, sizeof(*items), target_cmp);
    }
    return (struct target_list){.items = items, .count = count, .is_sorted = true};
}

static int32_t
sum_of(const struct target_list *targets)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < targets->count; i++) {
        sum += targets->items[i].replicas;
    }
    return pin_int32(sum);
}

static const struct selector_requirement impossible = {
    .key = "", .operator_text = "", .operator= SELECTOR_INVALID };
static const struct label_selector nothing = {
    .match_expressions = {.items = &impossible, .count = 1, .present = true}};

/* Returns the intersection. As in KubeFed, an absent selector selects nothing: see or_nothing. */
static const struct label_selector *
intersect(struct arena *arena, const struct label_selector *a, const struct label_selector *b)
{
    uint32_t n_labels = a->match_labels.count + b->match_labels.count;
    uint32_t n_expressions = a->match_expressions.count + b->match_expressions.count;
    struct label *labels = ARENA_ARRAY(arena, struct label, n_labels);
    struct selector_requirement *expressions =
        ARENA_ARRAY(arena, struct selector_requirement, n_expressions);
    struct label_selector *both = ARENA_NEW(arena, struct label_selector);
    uint32_t at = 0;

    for (uint32_t i = 0; i < a->match_labels.count; i++) {
        labels[at++] = a->match_labels.items[i];
    }
    for (uint32_t i = 0; i < b->match_labels.count; i++) {
        labels[at++] = b->match_labels.items[i];
    }
    labels_sort(labels, n_labels);
    at = 0;
    for (uint32_t i = 0; i < a->match_expressions.count; i++) {
        expressions[at++] = a->match_expressions.items[i];
    }
    for (uint32_t i = 0; i < b->match_expressions.count; i++) {
        expressions[at++] = b->match_expressions.items[i];
    }
    both->match_labels = (struct label_list){labels, n_labels, true};
    both->match_expressions = (struct requirement_list){expressions, n_expressions, true};
    return both;
}

static const struct label_selector *
or_nothing(const struct label_selector *selector)
{
    return selector != NULL ? selector : &nothing;
}

/* Returns the clusters of the object's namespace. If the preference asks for it, only those that
 * the object's own selector selects. The object's own list names its targets, not the allowed
 * clusters. */
static const struct cluster_affinity *
affinity_of(struct arena *arena, const struct federated *federated)
{
    const struct federated_placement *namespace_ = federated->namespace_;
    struct cluster_affinity *affinity = ARENA_NEW(arena, struct cluster_affinity);

    if (namespace_ != NULL && namespace_->clusters.present) {
        affinity->cluster_names = namespace_->clusters;
        affinity->label_selector = namespace_->clusters.count == 0 ? &nothing : NULL;
    } else if (namespace_ != NULL) {
        affinity->label_selector = or_nothing(namespace_->selector);
    }
    if (federated->intersects) {
        const struct label_selector *own = or_nothing(federated->placement->selector);

        affinity->label_selector = affinity->label_selector == NULL
                                       ? own
                                       : intersect(arena, affinity->label_selector, own);
    }
    return affinity;
}

/* Equal placements share one id, as for other bindings. */
static const struct placement *
placement_of(struct decoder *decoder, const struct federated *federated)
{
    struct fleet_builder *builder = builder_of(decoder);
    const void *key[] = {federated->namespace_,
                         federated->intersects ? federated->placement : NULL};
    void **slot = builder_slot_by_text(builder, 'F', (const char *)key, sizeof(key));

    if (*slot == NULL) {
        struct placement *placement = ARENA_NEW(decoder->arena, struct placement);

        *placement = (struct placement){
            .id = builder->fleet->n_placements++,
            .cluster_affinity = affinity_of(decoder->arena, federated),
            .replica_scheduling = {.present = true,
                                   .type = "Divided",
                                   .preference = "Weighted",
                                   .has_weight_preference = true,
                                   .dynamic_weight = "AvailableReplicas"},
            .affinity_group_label_key = "",
            .anti_affinity_group_label_key = "",
        };
        *slot = placement;
    }
    return *slot;
}

/* Ballast's own annotations on the preference count before those on the object. */
static struct label_list
join_annotations(struct arena *arena, const struct label_list *first,
                 const struct label_list *second)
{
    struct label *items = ARENA_ARRAY(arena, struct label, first->count + second->count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < first->count; i++) {
        items[count++] = first->items[i];
    }
    for (uint32_t i = 0; i < second->count; i++) {
        if (label_list_find(first, second->items[i].key) == NULL) {
            items[count++] = second->items[i];
        }
    }
    if (count > 0) {
        labels_sort(items, count);
    }
    return (struct label_list){.items = items, .count = count, .present = count > 0};
}

static void
take_preference(struct arena *arena, const struct federated_preference *preference,
                struct federated *federated, struct binding *binding)
{
    const struct binding *carrier = &preference->carrier;

    federated->has_preference = true;
    federated->preference_version = carrier->resource_version;
    federated->preference_source = carrier->source;
    federated->intersects = preference->intersects;
    binding->replicas = preference->total_replicas;
    binding->annotations = join_annotations(arena, &carrier->annotations, &binding->annotations);
    binding->last_move = carrier->last_move;
    binding->last_move_problem = carrier->last_move_problem;
}

static struct object_reference
workload_of(const struct binding *binding, const struct federated_type *type)
{
    return (struct object_reference){
        .api_version = type != NULL ? type->target_api_version : DEFAULT_TARGET_API,
        .kind = type != NULL ? type->target_kind
                             : binding_kind_name(binding->kind) + strlen("Federated"),
        .namespace_ = binding->namespace_,
        .name = binding->name,
    };
}

/* Sets the namespace that bounds the object, and the reason why KubeFed would not propagate it. */
static void
take_host(const struct federation *host, const struct federated_type *type,
          const struct binding *binding, struct federated *federated)
{
    federated->off = type == NULL ? "there is no FederatedTypeConfig of its kind" : type->off;
    if (!host->is_namespaced) {
        federated->namespace_ = federation_namespace(host, binding->namespace_);
        federated->lacks_namespace = federated->namespace_ == NULL;
    }
}

/* An override of all of spec sets the replicas, like an OverridePolicy: its author owns them. */
static void
claim_overridden(struct decoder *decoder, const struct str_list *whole,
                 const struct binding *binding)
{
    struct cluster_affinity *affinity = ARENA_NEW(decoder->arena, struct cluster_affinity);
    struct replica_owner_scope *scope = ARENA_NEW(decoder->arena, struct replica_owner_scope);
    const struct cluster_affinity **affinities =
        ARENA_ARRAY(decoder->arena, const struct cluster_affinity *, 1);
    const struct object_name object = {binding->namespace_, binding->name};

    affinity->cluster_names = *whole;
    affinities[0] = affinity;
    *scope = (struct replica_owner_scope){.affinities = affinities, .count = 1};
    vec_add(&builder_of(decoder)->claims,
            ((struct replica_owner){
                .kind = REPLICA_OWNER_OVERRIDE,
                .origin =
                    arena_printf(decoder->arena, "an override of all of spec in %s",
                                 decode_origin(decoder, binding_kind_name(binding->kind), &object)),
                .api_version = binding->resource.api_version,
                .resource_kind = binding->resource.kind,
                .namespace_ = binding->namespace_,
                .name = binding->name,
                .scope = scope,
                .member = "",
            }));
}

void
federated_binding(struct decoder *decoder, const struct cluster_span *clusters,
                  const struct federated_object *object,
                  const struct federated_preference *preference, const char *problem,
                  struct binding *ret)
{
    const struct federation *host = builder_of(decoder)->fleet->federation;
    struct federated *federated = ARENA_NEW(decoder->arena, struct federated);

    *ret = object->binding;
    const struct federated_type *type = federation_type(host, binding_kind_name(ret->kind));

    *federated = (struct federated){
        .placement = object->placement,
        .preference_version = "",
        .retains_replicas = object->retains_replicas,
        .failures = object->failures,
        .n_failures = object->n_failures,
        .propagated_at =
            object->observed_generation >= ret->generation ? object->propagated_at : TIME_NONE,
    };
    take_host(host, type, ret, federated);
    ret->resource = workload_of(ret, type);
    ret->clusters = targets_of(decoder->arena, clusters, object);
    ret->replicas = sum_of(&ret->clusters);
    if (preference == NULL) {
        federated->preference_problem = problem;
    } else {
        take_preference(decoder->arena, preference, federated, ret);
    }
    if (object->whole.count > 0) {
        claim_overridden(decoder, &object->whole, ret);
    }
    ret->federated = federated;
    ret->placement = ret->applied_placement = placement_of(decoder, federated);
    ret->applied_state = APPLIED_PARSED;
}
