/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes requests as upstream's client does (pkg/estimator/client/accurate.go and
 * pkg/estimator/pb/helpers.go of 1.18, which sends the old fields beside the byte-encoded ones),
 * and reads replies.
 *
 * The generated structs take pointers that are not const, but packing does not write to them.
 */
#include "messages.h"

#include <string.h>

#include "ballast/base/arena.h"
#include "estimator.pb-c.h"

#define SERVICE "/github.com.karmada_io.karmada.pkg.estimator.service.Estimator/"

static const char *const method_paths[] = {
    [ESTIMATOR_UNSCHEDULABLE_REPLICAS] = SERVICE "GetUnschedulableReplicas",
    [ESTIMATOR_MAX_AVAILABLE_REPLICAS] = SERVICE "MaxAvailableReplicas",
    [ESTIMATOR_MAX_AVAILABLE_COMPONENT_SETS] = SERVICE "MaxAvailableComponentSets",
};

const char *
message_method_path(enum estimator_method method)
{
    return method_paths[method];
}

const char *
message_method_name(enum estimator_method method)
{
    return method_paths[method] + sizeof(SERVICE) - 1;
}

static char *
text(const char *string)
{
    return (char *)(uintptr_t)string;
}

static ProtobufCBinaryData
pack(struct arena *arena, const ProtobufCMessage *message)
{
    ProtobufCBinaryData packed = {.len = protobuf_c_message_get_packed_size(message)};

    packed.data = arena_alloc(arena, packed.len);
    protobuf_c_message_pack(message, packed.data);
    return packed;
}

static Est__NodeSelectorRequirement **
make_requirements(struct arena *arena, const struct requirement_list *list)
{
    Est__NodeSelectorRequirement **made =
        ARENA_ARRAY(arena, Est__NodeSelectorRequirement *, list->count);

    for (uint32_t i = 0; i < list->count; i++) {
        const struct selector_requirement *from = &list->items[i];
        Est__NodeSelectorRequirement *to = ARENA_NEW(arena, Est__NodeSelectorRequirement);

        est__node_selector_requirement__init(to);
        to->key = text(from->key);
        to->operator_ = text(from->operator_text);
        to->n_values = from->values.count;
        to->values = (char **)(uintptr_t)from->values.items;
        made[i] = to;
    }
    return made;
}

static Est__NodeSelector *
make_node_selector(struct arena *arena, const struct node_selector *from)
{
    Est__NodeSelector *to = ARENA_NEW(arena, Est__NodeSelector);

    est__node_selector__init(to);
    to->n_nodeselectorterms = from->count;
    to->nodeselectorterms = ARENA_ARRAY(arena, Est__NodeSelectorTerm *, from->count);
    for (uint32_t i = 0; i < from->count; i++) {
        const struct node_selector_term *term = &from->terms[i];
        Est__NodeSelectorTerm *made = ARENA_NEW(arena, Est__NodeSelectorTerm);

        est__node_selector_term__init(made);
        made->n_matchexpressions = term->match_expressions.count;
        made->matchexpressions = make_requirements(arena, &term->match_expressions);
        made->n_matchfields = term->match_fields.count;
        made->matchfields = make_requirements(arena, &term->match_fields);
        to->nodeselectorterms[i] = made;
    }
    return to;
}

static Est__Toleration *
make_toleration(struct arena *arena, const struct toleration *from)
{
    Est__Toleration *to = ARENA_NEW(arena, Est__Toleration);

    est__toleration__init(to);
    to->key = text(from->key);
    to->operator_ = text(from->operator);
    to->value = text(from->value);
    to->effect = text(from->effect);
    to->has_tolerationseconds = from->has_toleration_seconds;
    to->tolerationseconds = from->toleration_seconds;
    return to;
}

static Est__Quantity *
make_quantity(struct arena *arena, struct quantity from)
{
    Est__Quantity *to = ARENA_NEW(arena, Est__Quantity);

    est__quantity__init(to);
    to->string = arena_alloc(arena, QUANTITY_TEXT_MAX);
    quantity_format(from, to->string);
    return to;
}

static void
fill_node_affinity(struct arena *arena, const struct node_selector *from, Est__NodeClaim *to)
{
    if (from->present) {
        to->nodeaffinity = make_node_selector(arena, from);
        to->nodeaffinitybytes = pack(arena, &to->nodeaffinity->base);
    }
}

static void
fill_tolerations(struct arena *arena, const struct toleration_list *from, Est__NodeClaim *to)
{
    to->n_tolerations = to->n_tolerationsbytes = from->count;
    to->tolerations = ARENA_ARRAY(arena, Est__Toleration *, from->count);
    to->tolerationsbytes = ARENA_ARRAY(arena, ProtobufCBinaryData, from->count);
    for (uint32_t i = 0; i < from->count; i++) {
        to->tolerations[i] = make_toleration(arena, &from->items[i]);
        to->tolerationsbytes[i] = pack(arena, &to->tolerations[i]->base);
    }
}

static Est__NodeClaim *
make_node_claim(struct arena *arena, const struct requirements *requirements)
{
    const struct node_claim *from = &requirements->node_claim;
    const struct label_list *labels = &from->node_selector;

    if (!requirements->has_node_claim) {
        return NULL;
    }
    Est__NodeClaim *to = ARENA_NEW(arena, Est__NodeClaim);

    est__node_claim__init(to);
    to->n_nodeselector = labels->count;
    to->nodeselector = ARENA_ARRAY(arena, Est__StringEntry *, labels->count);
    for (uint32_t i = 0; i < labels->count; i++) {
        to->nodeselector[i] = ARENA_NEW(arena, Est__StringEntry);
        est__string_entry__init(to->nodeselector[i]);
        to->nodeselector[i]->key = text(labels->items[i].key);
        to->nodeselector[i]->value = text(labels->items[i].value);
    }
    fill_node_affinity(arena, &from->hard_node_affinity, to);
    fill_tolerations(arena, &from->tolerations, to);
    return to;
}

struct resource_request {
    size_t count;
    Est__QuantityEntry **entries;    /* for 1.17 and earlier */
    Est__BytesEntry **bytes_entries; /* for 1.18 and later */
};

static struct resource_request
make_resource_request(struct arena *arena, const struct resource_list *from)
{
    struct resource_request to = {
        .count = from->count,
        .entries = ARENA_ARRAY(arena, Est__QuantityEntry *, from->count),
        .bytes_entries = ARENA_ARRAY(arena, Est__BytesEntry *, from->count),
    };

    for (uint32_t i = 0; i < from->count; i++) {
        Est__QuantityEntry *entry = ARENA_NEW(arena, Est__QuantityEntry);
        Est__BytesEntry *bytes_entry = ARENA_NEW(arena, Est__BytesEntry);

        est__quantity_entry__init(entry);
        entry->key = text(from->items[i].name);
        entry->value = make_quantity(arena, from->items[i].amount);
        est__bytes_entry__init(bytes_entry);
        bytes_entry->key = entry->key;
        bytes_entry->has_value = true;
        bytes_entry->value = pack(arena, &entry->value->base);
        to.entries[i] = entry;
        to.bytes_entries[i] = bytes_entry;
    }
    return to;
}

static Est__ReplicaRequirements *
make_replica_requirements(struct arena *arena, const struct requirements *from)
{
    if (from == NULL) {
        return NULL;
    }
    struct resource_request request = make_resource_request(arena, &from->request);
    Est__ReplicaRequirements *to = ARENA_NEW(arena, Est__ReplicaRequirements);

    est__replica_requirements__init(to);
    to->nodeclaim = make_node_claim(arena, from);
    to->n_resourcerequest = to->n_resourcerequestbytes = request.count;
    to->resourcerequest = request.entries;
    to->resourcerequestbytes = request.bytes_entries;
    to->namespace_ = text(from->namespace_);
    to->priorityclassname = text(from->priority_class_name);
    return to;
}

static Est__ComponentReplicaRequirements *
make_component_requirements(struct arena *arena, const struct requirements *from)
{
    if (from == NULL) {
        return NULL;
    }
    struct resource_request request = make_resource_request(arena, &from->request);
    Est__ComponentReplicaRequirements *to = ARENA_NEW(arena, Est__ComponentReplicaRequirements);

    est__component_replica_requirements__init(to);
    to->nodeclaim = make_node_claim(arena, from);
    to->n_resourcerequest = to->n_resourcerequestbytes = request.count;
    to->resourcerequest = request.entries;
    to->resourcerequestbytes = request.bytes_entries;
    to->priorityclassname = text(from->priority_class_name);
    return to;
}

static Est__Component **
make_components(struct arena *arena, const struct component *components, uint32_t count)
{
    Est__Component **made = ARENA_ARRAY(arena, Est__Component *, count);

    for (uint32_t i = 0; i < count; i++) {
        made[i] = ARENA_NEW(arena, Est__Component);
        est__component__init(made[i]);
        made[i]->name = text(components[i].name);
        made[i]->replicas = components[i].replicas;
        made[i]->replicarequirements =
            make_component_requirements(arena, components[i].requirements);
    }
    return made;
}

static Est__AssumedWorkload **
make_assumed(struct arena *arena, const struct estimator_call *call)
{
    Est__AssumedWorkload **made = ARENA_ARRAY(arena, Est__AssumedWorkload *, call->n_assumed);

    for (uint32_t i = 0; i < call->n_assumed; i++) {
        const struct estimator_assumed *from = &call->assumed[i];

        made[i] = ARENA_NEW(arena, Est__AssumedWorkload);
        est__assumed_workload__init(made[i]);
        made[i]->namespace_ = text(from->namespace_);
        made[i]->n_components = from->n_components;
        made[i]->components = make_components(arena, from->components, from->n_components);
    }
    return made;
}

static ProtobufCBinaryData
pack_unschedulable(struct arena *arena, const struct estimator_call *call)
{
    Est__UnschedulableReplicasRequest request = EST__UNSCHEDULABLE_REPLICAS_REQUEST__INIT;
    Est__ObjectReference resource = EST__OBJECT_REFERENCE__INIT;

    resource.apiversion = text(call->resource->api_version);
    resource.kind = text(call->resource->kind);
    resource.namespace_ = text(call->resource->namespace_);
    resource.name = text(call->resource->name);
    request.cluster = text(call->cluster);
    request.resource = &resource;
    request.unschedulablethreshold = call->threshold;
    return pack(arena, &request.base);
}

static ProtobufCBinaryData
pack_max_replicas(struct arena *arena, const struct estimator_call *call)
{
    Est__MaxAvailableReplicasRequest request = EST__MAX_AVAILABLE_REPLICAS_REQUEST__INIT;

    request.cluster = text(call->cluster);
    request.replicarequirements = make_replica_requirements(arena, call->requirements);
    request.n_assumedworkloads = call->n_assumed;
    request.assumedworkloads = make_assumed(arena, call);
    return pack(arena, &request.base);
}

static ProtobufCBinaryData
pack_max_sets(struct arena *arena, const struct estimator_call *call)
{
    Est__MaxAvailableComponentSetsRequest request = EST__MAX_AVAILABLE_COMPONENT_SETS_REQUEST__INIT;

    request.cluster = text(call->cluster);
    request.n_components = call->n_components;
    request.components = make_components(arena, call->components, call->n_components);
    request.namespace_ = text(call->namespace_);
    request.n_assumedworkloads = call->n_assumed;
    request.assumedworkloads = make_assumed(arena, call);
    return pack(arena, &request.base);
}

void
message_append_request(struct arena *scratch, struct buf *out, const struct estimator_call *call)
{
    ProtobufCBinaryData packed =
        call->method == ESTIMATOR_UNSCHEDULABLE_REPLICAS   ? pack_unschedulable(scratch, call)
        : call->method == ESTIMATOR_MAX_AVAILABLE_REPLICAS ? pack_max_replicas(scratch, call)
                                                           : pack_max_sets(scratch, call);

    buf_append(out, packed.data, packed.len);
    arena_reset(scratch);
}

/* Each reply is one number. */
bool
message_read_reply(enum estimator_method method, const void *bytes, size_t length,
                   int32_t *ret_answer, struct error *err)
{
    static const struct {
        const ProtobufCMessageDescriptor *message;
        size_t answer;
    } replies[] = {
        [ESTIMATOR_UNSCHEDULABLE_REPLICAS] = {&est__unschedulable_replicas_response__descriptor,
                                              offsetof(Est__UnschedulableReplicasResponse,
                                                       unschedulablereplicas)},
        [ESTIMATOR_MAX_AVAILABLE_REPLICAS] = {&est__max_available_replicas_response__descriptor,
                                              offsetof(Est__MaxAvailableReplicasResponse,
                                                       maxreplicas)},
        [ESTIMATOR_MAX_AVAILABLE_COMPONENT_SETS] =
            {&est__max_available_component_sets_response__descriptor,
             offsetof(Est__MaxAvailableComponentSetsResponse, maxsets)},
    };
    ProtobufCMessage *reply =
        protobuf_c_message_unpack(replies[method].message, NULL, length, bytes);

    if (reply == NULL) {
        return error_set(err, ERROR_PARSE, "the answer of %zu bytes is no %s reply", length,
                         message_method_name(method));
    }
    memcpy(ret_answer, (const char *)reply + replies[method].answer, sizeof(*ret_answer));
    protobuf_c_message_free_unpacked(reply, NULL);
    return true;
}

const char *
estimator_library_version(void)
{
    return protobuf_c_version();
}
