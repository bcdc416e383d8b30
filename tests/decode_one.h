/* SPDX-License-Identifier: Apache-2.0
 *
 * Single objects for tests, decoded into a builder's fleet memory by what the
 * builder itself decodes with: a fleet folds settled pods and nodes that are
 * alike, and has no place for a placement without its binding. Each returns NULL
 * with err on a bad object.
 */
#ifndef BALLAST_TESTS_DECODE_ONE_H
#define BALLAST_TESTS_DECODE_ONE_H

#include "ballast/kinds/decode.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "kinds/member/member_decoders.h"

/* Without a Cluster there is no fleet. */
static inline void
add_any_cluster(struct fleet_builder *builder)
{
    static const struct object_origin origin = {.file = "", .member = ""};
    static const char text[] = "{\"metadata\":{\"name\":\"m1\"}}";
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(text, strlen(text), 1, &err);

    fleet_builder_add(builder, document_root(document), "cluster.karmada.io/v1alpha1",
                      "ClusterList", &origin, &err);
    document_free(document);
}

static inline const struct cluster *
decode_cluster(struct fleet_builder *builder, const struct value *value, struct error *err)
{
    struct decoder *decoder = builder_decoder(builder, err);
    struct cluster *cluster = ARENA_NEW(decoder->arena, struct cluster);

    return cluster_decode(decoder, value, cluster) ? cluster : NULL;
}

static inline const struct binding *
decode_binding(struct fleet_builder *builder, const struct value *value, struct error *err)
{
    struct decoder *decoder = builder_decoder(builder, err);
    struct binding *binding = ARENA_NEW(decoder->arena, struct binding);
    bool cluster_wide = str_eq(value_text(value, "kind"), "ClusterResourceBinding");

    return binding_decode(decoder, value,
                          cluster_wide ? BINDING_CLUSTER_RESOURCE : BINDING_RESOURCE, binding)
               ? binding
               : NULL;
}

static inline const struct requirements *
decode_requirements(struct fleet_builder *builder, const struct value *value, struct error *err)
{
    const struct requirements *requirements = NULL;
    struct decoder *decoder = builder_decoder(builder, err);

    return convert_requirements(decoder, NULL, value, &requirements) ? requirements : NULL;
}

static inline const struct placement *
decode_placement(struct fleet_builder *builder, const struct value *value, struct error *err)
{
    const struct placement *placement = NULL;
    struct decoder *decoder = builder_decoder(builder, err);

    return convert_placement(decoder, NULL, value, &placement) ? placement : NULL;
}

static inline const struct pod *
decode_pod(struct fleet_builder *builder, const struct value *value, struct error *err)
{
    struct decoder *decoder = builder_decoder(builder, err);
    struct pod *pod = ARENA_NEW(decoder->arena, struct pod);

    if (!pod_read(decoder, value, pod)) {
        return NULL;
    }
    pod_keep(builder, pod);
    return pod;
}

static inline const struct node *
decode_node(struct fleet_builder *builder, const struct value *value, struct error *err)
{
    struct decoder *decoder = builder_decoder(builder, err);
    struct node *node = ARENA_NEW(decoder->arena, struct node);

    return node_decode(decoder, value, node) ? node : NULL;
}

static inline const struct replica_set *
decode_replica_set(struct fleet_builder *builder, const struct value *value, struct error *err)
{
    struct decoder *decoder = builder_decoder(builder, err);
    struct replica_set *set = ARENA_NEW(decoder->arena, struct replica_set);

    return replica_set_decode(decoder, value, set) ? set : NULL;
}

static inline const struct workload *
decode_workload(struct fleet_builder *builder, const struct value *value, struct error *err)
{
    struct decoder *decoder = builder_decoder(builder, err);
    struct workload *workload = ARENA_NEW(decoder->arena, struct workload);

    return workload_decode(decoder, value, value_text(value, "apiVersion"),
                           value_text(value, "kind"), workload)
               ? workload
               : NULL;
}

#endif
