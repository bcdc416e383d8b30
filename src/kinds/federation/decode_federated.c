/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes types.kubefed.io FederatedDeployment and FederatedReplicaSet: clusters, replicas, and the
 * requirements of the template.
 */
#include "federation.h"
#include "kinds/decode/decoders.h"
#include "kinds/member/member_decoders.h"

#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/kinds/federated_patch.h"
#include "ballast/model/federation.h"

static const struct field node_affinity_table[] = {
    KEPT("requiredDuringSchedulingIgnoredDuringExecution", AS_OBJECT(0, node_selector_table)),
    FIELD_END,
};

static const struct field affinity_table[] = {
    KEPT("nodeAffinity", AS_OBJECT(0, node_affinity_table)),
    KEPT("podAffinity", AS_OBJECT(0, template_affinity_terms_table)),
    KEPT("podAntiAffinity", AS_OBJECT(0, template_affinity_terms_table)),
    FIELD_END,
};

/* template_requirements and builder_keep_federated_template read it. */
static const struct field pod_spec_table[] = {
    KEPT("containers", AS_OBJECTS(0, template_container_table)),
    KEPT("initContainers", AS_OBJECTS(0, template_init_container_table)),
    KEPT("resources", AS_OBJECT(0, template_resources_table)),
    KEPT("overhead", AS_AMOUNTS(0)),
    KEPT("resourceClaims", AS_OBJECTS(0, template_claim_table)),
    KEPT("nodeSelector", AS_LABELS(0)),
    KEPT("tolerations", AS_OBJECTS(0, toleration_table)),
    KEPT("affinity", AS_OBJECT(0, affinity_table)),
    KEPT("priorityClassName", AS_TEXT(0, TEXT_NAME)),
    KEPT("activeDeadlineSeconds", AS_INT64(0)),
    KEPT("topologySpreadConstraints", AS_OBJECTS(0, topology_spread_table)),
    KEPT("hostNetwork", AS_BOOL(0)),
    KEPT("volumes", AS_OBJECTS(0, volume_table)),
    FIELD_END,
};

/* Target: const struct requirements *. */
static bool
convert_pod_spec(struct decoder *decoder, const struct field *field, const struct value *value,
                 void *target)
{
    (void)field;
    if (value_type(value) != VALUE_OBJECT) {
        return decode_fail_type(decoder, "object", value);
    }
    const struct requirements *requirements = template_requirements(decoder, value);

    memcpy(target, &requirements, sizeof(requirements));
    return requirements != NULL;
}

static const struct field pod_template_table[] = {
    KEPT("metadata", AS_OBJECT(0, template_metadata_table)),
    FIELD("spec", convert_pod_spec, struct federated_object, binding.requirements,
          AS_OBJECT(0, pod_spec_table)),
    FIELD_END,
};

static const struct field workload_metadata_table[] = {
    FIELD("labels", convert_shared_map, struct federated_object, template_labels, AS_LABELS(0)),
    FIELD_END,
};

static const struct field template_spec_table[] = {
    FIELD("replicas", convert_presence, struct federated_object, has_template_replicas),
    FIELD("replicas", convert_count32, struct federated_object, template_replicas, AS_INT32(0)),
    PART("template", convert_struct, AS_OBJECT(0, pod_template_table)),
    FIELD_END,
};

static const struct field template_table[] = {
    PART("metadata", convert_struct, AS_OBJECT(0, workload_metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(0, template_spec_table)),
    FIELD_END,
};

static const struct field override_path_table[] = {
    KEPT("op", AS_TEXT(0, TEXT_WORD)),
    KEPT("path", AS_TEXT(0, TEXT_POINTER)),
    KEPT("value", .form = PRUNE_SCALAR, .text = TEXT_NUMBER),
    FIELD_END,
};

static const struct field override_entry_table[] = {
    KEPT("clusterName", AS_TEXT(0, TEXT_NAME)),
    KEPT("clusterOverrides", AS_OBJECTS(0, override_path_table)),
    FIELD_END,
};

static int
override_cmp(const void *a, const void *b)
{
    return strcmp(((const struct replicas_override *)a)->cluster_name,
                  ((const struct replicas_override *)b)->cluster_name);
}

/* Returns the member's replicas. A member refuses a value that is no count, and has none. */
static int32_t
replicas_of(const struct value *override)
{
    const struct value *value = value_get(override, "value");

    if (str_eq(value_text(override, "op"), "remove")) {
        return DEFAULT_REPLICAS;
    }
    if (value == NULL || (value_type(value) != VALUE_INTEGER && value_type(value) != VALUE_REAL)) {
        return 0;
    }
    return pin_count(pin_real(value_real(value)));
}

static bool
find_replicas(const struct value *entry, int32_t *ret)
{
    const struct value *list = value_get(entry, "clusterOverrides");

    for (size_t i = 0; value_is_set(list) && i < value_count(list); i++) {
        if (str_eq(value_text(value_at(list, i), "path"), REPLICAS_OVERRIDE)) {
            *ret = replicas_of(value_at(list, i));
            return true;
        }
    }
    return false;
}

/* Target: struct federated_object. */
static bool
convert_overrides(struct decoder *decoder, const struct field *field, const struct value *value,
                  void *target)
{
    struct federated_object *object = target;
    struct error err = ERROR_INIT;

    (void)field;
    if (!federated_overrides_check(value, &err)) {
        decoder_pop(decoder, 0); /* the message has its own path */
        return error_set(decoder->err, ERROR_INVALID, "%s", err.message);
    }
    struct replicas_override *overrides =
        ARENA_ARRAY(decoder->arena, struct replicas_override, value_count(value));
    const char **whole = ARENA_ARRAY(decoder->arena, const char *, value_count(value));
    uint32_t count = 0;

    object->whole = (struct str_list){.items = whole, .present = true};
    for (size_t i = 0; i < value_count(value); i++) {
        const struct value *entry = value_at(value, i);

        if (federated_override_is_whole(entry)) {
            whole[object->whole.count++] =
                intern_cstr(decoder->strings, value_text(entry, "clusterName"));
        }
        if (find_replicas(entry, &overrides[count].replicas)) {
            overrides[count++].cluster_name =
                intern_cstr(decoder->strings, value_text(entry, "clusterName"));
        }
    }
    if (count > 1) {
        qsort(overrides, count, sizeof(*overrides), override_cmp);
    }
    object->overrides = overrides;
    object->n_overrides = count;
    return true;
}

struct told_cluster {
    struct propagation_failure told;
    struct aggregated_status remote;
};

struct told_clusters {
    const struct told_cluster *items;
    uint32_t count;
};

/* Target: struct aggregated_status. An absent count is unknown. */
static bool
convert_remote(struct decoder *decoder, const struct field *field, const struct value *value,
               void *target)
{
    struct aggregated_status *remote = target;

    *remote = (struct aggregated_status){
        .replicas = -1, .ready_replicas = -1, .updated_replicas = -1, .has_status = true};
    return convert_if_object(decoder, field, value, target);
}

static const struct field told_cluster_table[] = {
    FIELD("name", convert_string, struct told_cluster, told.cluster_name, AS_TEXT(0, TEXT_NAME)),
    FIELD("status", convert_string, struct told_cluster, told.status, AS_TEXT(0, TEXT_WORD)),
    FIELD("remoteStatus", convert_remote, struct told_cluster, remote,
          AS_OBJECT(0, told_counts_table)),
    FIELD_END,
};

static int
failure_cmp(const void *a, const void *b)
{
    return strcmp(((const struct propagation_failure *)a)->cluster_name,
                  ((const struct propagation_failure *)b)->cluster_name);
}

static void
take_told(struct decoder *decoder, const struct told_clusters *list,
          struct federated_object *object)
{
    struct propagation_failure *failures =
        ARENA_ARRAY(decoder->arena, struct propagation_failure, list->count);
    struct aggregated_status *aggregated =
        ARENA_ARRAY(decoder->arena, struct aggregated_status, list->count);

    for (uint32_t i = 0; i < list->count; i++) {
        const struct told_cluster *from = &list->items[i];

        if (!str_is_empty(from->told.status)) {
            failures[object->n_failures++] = from->told;
        }
        if (from->remote.has_status) {
            aggregated[object->binding.n_aggregated] = from->remote;
            aggregated[object->binding.n_aggregated++].cluster_name = from->told.cluster_name;
        }
    }
    if (object->n_failures > 1) {
        qsort(failures, object->n_failures, sizeof(*failures), failure_cmp);
    }
    object->failures = failures;
    object->binding.aggregated = aggregated;
    object->binding.status_by_cluster = name_index_new(
        decoder->arena, aggregated, sizeof(*aggregated), object->binding.n_aggregated);
}

/* Target: struct federated_object. */
static bool
convert_told(struct decoder *decoder, const struct field *field, const struct value *value,
             void *target)
{
    struct told_clusters list = {.count = 0};
    bool done = convert_in_scratch(decoder, convert_list, field, value, &list);

    if (done) {
        take_told(decoder, &list, target);
    }
    return done;
}

/* KubeFed's time of the last change that it propagated, or of the last error (kubefed
 * pkg/apis/core/v1alpha1, GenericCondition.LastUpdateTime). */
struct propagation {
    const char *type;
    int64_t updated;
};

struct propagations {
    const struct propagation *items;
    uint32_t count;
};

static const struct field propagation_table[] = {
    FIELD("type", convert_string, struct propagation, type, AS_TEXT(0, TEXT_WORD)),
    FIELD("lastUpdateTime", convert_time, struct propagation, updated, AS_TIME(0)),
    FIELD_END,
};

/* Target: struct federated_object. */
static bool
convert_propagation(struct decoder *decoder, const struct field *field, const struct value *value,
                    void *target)
{
    struct federated_object *object = target;
    struct propagations list = {.count = 0};

    if (!convert_in_scratch(decoder, convert_list, field, value, &list)) {
        return false;
    }
    for (uint32_t i = 0; i < list.count; i++) {
        if (str_eq(list.items[i].type, "Propagation")) {
            object->propagated_at = list.items[i].updated;
        }
    }
    return true;
}

static const struct field status_table[] = {
    FIELD("observedGeneration", convert_int64, struct federated_object, observed_generation,
          AS_INT64(0)),
    PART("conditions", convert_propagation, .flags = OF_RULES,
         .item_size = sizeof(struct propagation), AS_OBJECTS(0, propagation_table)),
    PART("clusters", convert_told, .flags = OF_CLUSTERS, .item_size = sizeof(struct told_cluster),
         AS_OBJECTS(0, told_cluster_table)),
    FIELD_END,
};

static const struct field spec_table[] = {
    PART("template", convert_struct, AS_OBJECT(0, template_table)),
    FIELD("placement", convert_federated_placement, struct federated_object, placement,
          AS_OBJECT(0, federated_placement_table)),
    PART("overrides", convert_overrides, .form = PRUNE_LIST, .table = override_entry_table),
    FIELD("retainReplicas", convert_bool, struct federated_object, retains_replicas, AS_BOOL(0)),
    FIELD_END,
};

const struct field federated_object_table[] = {
    FIELD("metadata", convert_struct, struct federated_object, binding, .flags = FIELD_REQUIRED,
          AS_OBJECT(0, binding_metadata_table)),
    PART("spec", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, spec_table)),
    PART("status", convert_struct, AS_OBJECT(0, status_table)),
    FIELD_END,
};

bool
federated_object_decode(struct decoder *decoder, const struct value *value, enum binding_kind kind,
                        struct federated_object *ret)
{
    static const struct federated_placement none = {.selector = NULL};

    *ret = (struct federated_object){.placement = &none, .propagated_at = TIME_NONE};
    binding_init(&ret->binding, kind);
    return decode_object(decoder, federated_object_table, value, ret);
}
