/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds one object of a KubeFed host to the fleet under construction. join_federation.c joins them.
 */
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"
#include "kinds/decode/decoders.h"
#include "kinds/federation/federation.h"
#include "kinds/member/member_decoders.h"

enum add_result
take_kubefed_config(const struct taking *t)
{
    struct kubefed_config config;
    struct error err = ERROR_INIT;

    if (!kubefed_config_decode(builder_decoder(t->builder, &err), t->value, &config)) {
        return taking_fail(t, err.message);
    }
    vec_add(&t->builder->federation.configs, config);
    return ADD_TAKEN;
}

enum add_result
take_type_config(const struct taking *t)
{
    struct type_config type;
    struct error err = ERROR_INIT;

    if (!type_config_decode(builder_decoder(t->builder, &err), t->value, &type)) {
        return taking_skip(t, err.message);
    }
    vec_add(&t->builder->federation.types, type);
    return ADD_TAKEN;
}

static struct object_key
cluster_key(const void *items, uint32_t index)
{
    const struct kubefed_cluster *item = (const struct kubefed_cluster *)items + index;

    return (struct object_key){item->namespace_, "", item->cluster.name};
}

enum add_result
take_kubefed_cluster(const struct taking *t)
{
    struct federation_builder *federation = &t->builder->federation;
    struct kubefed_cluster cluster;
    struct error err = ERROR_INIT;

    if (!kubefed_cluster_decode(builder_decoder(t->builder, &err), t->value, &cluster)) {
        return taking_fail(t, err.message);
    }
    vec_add(&federation->clusters, cluster);
    return taking_keep(t, &federation->cluster_places, cluster_key, federation->clusters.items,
                       &federation->clusters.count);
}

static struct object_key
namespace_key(const void *items, uint32_t index)
{
    return (struct object_key){"", "", ((const struct federated_namespace *)items + index)->name};
}

enum add_result
take_federated_namespace(const struct taking *t)
{
    struct federation_builder *federation = &t->builder->federation;
    struct federated_namespace namespace_;
    struct error err = ERROR_INIT;

    if (!federated_namespace_decode(builder_decoder(t->builder, &err), t->value, &namespace_)) {
        return taking_skip(t, err.message);
    }
    vec_add(&federation->namespaces, namespace_);
    return taking_keep(t, &federation->namespace_places, namespace_key,
                       federation->namespaces.items, &federation->namespaces.count);
}

static struct object_key
federated_key(const void *items, uint32_t index)
{
    const struct binding *binding = &((const struct federated_object *)items + index)->binding;

    return (struct object_key){binding->namespace_, binding_kind_name(binding->kind),
                               binding->name};
}

enum add_result
take_federated_object(const struct taking *t)
{
    struct federation_builder *federation = &t->builder->federation;
    struct federated_object object;
    enum binding_kind kind;
    struct error err = ERROR_INIT;

    if (!binding_kind_parse(t->kind, &kind) ||
        !federated_object_decode(builder_decoder(t->builder, &err), t->value, kind, &object)) {
        return taking_skip(t, err.message);
    }
    object.binding.source = t->origin->source;
    builder_keep_federated_template(t->builder, t->value, &object.binding, &err); /* else unknown */
    vec_add(&federation->objects, object);
    return taking_keep(t, &federation->object_places, federated_key, federation->objects.items,
                       &federation->objects.count);
}
