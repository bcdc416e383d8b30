/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes KubeFed's control plane: KubeFedConfig, FederatedTypeConfig, KubeFedCluster,
 * FederatedNamespace (kubefed pkg/apis/core/v1beta1).
 */
#include "decoders.h"
#include "kinds/builder/builder.h"

#include <stdlib.h>

#include "ballast/base/timestamp.h"

#define FEATURE_SCHEDULER "SchedulerPreferences"
#define DEFAULT_PERIOD (10 * NANOS_PER_SECOND)

struct feature_gate {
    const char *name, *configuration;
};

struct feature_gates {
    const struct feature_gate *items;
    uint32_t count;
};

static const struct field gate_table[] = {
    FIELD("name", convert_string, struct feature_gate, name, AS_TEXT(0, TEXT_WORD)),
    FIELD("configuration", convert_string, struct feature_gate, configuration,
          AS_TEXT(0, TEXT_WORD)),
    FIELD_END,
};

/* Target: bool. The feature is on by default. */
static bool
convert_gates(struct decoder *decoder, const struct field *field, const struct value *value,
              void *target)
{
    struct feature_gates gates = {.count = 0};

    if (!convert_list(decoder, field, value, &gates)) {
        return false;
    }
    for (uint32_t i = 0; i < gates.count; i++) {
        if (str_eq(gates.items[i].name, FEATURE_SCHEDULER)) {
            *(bool *)target = !str_eq(gates.items[i].configuration, "Disabled");
        }
    }
    return true;
}

/* Target: int64_t, nanoseconds. */
static bool
convert_period(struct decoder *decoder, const struct field *field, const struct value *value,
               void *target)
{
    int64_t period;

    (void)field;
    if (value_type(value) != VALUE_STRING) {
        return decode_fail_type(decoder, "string", value);
    }
    if (!duration_parse(value_string(value), &period) || period <= 0) {
        return decode_fail(decoder, "want a duration such as 10s, got \"%s\"", value_string(value));
    }
    *(int64_t *)target = period;
    return true;
}

static const struct field health_check_table[] = {
    FIELD("period", convert_period, struct kubefed_config, period, AS_TEXT(0, TEXT_TIME)),
    FIELD_END,
};

static const struct field config_metadata_table[] = {
    FIELD("namespace", convert_string, struct kubefed_config, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_string, struct kubefed_config, name, AS_TEXT(0, TEXT_WORD)),
    FIELD_END,
};

static const struct field config_spec_table[] = {
    FIELD("scope", convert_string, struct kubefed_config, scope, AS_TEXT(0, TEXT_WORD)),
    FIELD("featureGates", convert_gates, struct kubefed_config, schedules, .flags = OF_RULES,
          .item_size = sizeof(struct feature_gate), AS_OBJECTS(0, gate_table)),
    PART("clusterHealthCheck", convert_struct, AS_OBJECT(0, health_check_table)),
    FIELD_END,
};

const struct field kubefed_config_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, config_metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(0, config_spec_table)),
    FIELD_END,
};

bool
kubefed_config_decode(struct decoder *decoder, const struct value *value,
                      struct kubefed_config *ret)
{
    *ret = (struct kubefed_config){.schedules = true, .period = DEFAULT_PERIOD};
    return decode_object(decoder, kubefed_config_table, value, ret);
}

#define NAMES_FIELDS(member)                                                                       \
    FIELD("group", convert_string, struct type_config, member.group, AS_TEXT(0, TEXT_GROUP)),      \
        FIELD("version", convert_string, struct type_config, member.version,                       \
              AS_TEXT(0, TEXT_GROUP)),                                                             \
        FIELD("kind", convert_string, struct type_config, member.kind, AS_TEXT(0, TEXT_KIND)),     \
        FIELD("pluralName", convert_string, struct type_config, member.plural,                     \
              AS_TEXT(0, TEXT_KIND))

static const struct field federated_type_table[] = {NAMES_FIELDS(federated), FIELD_END};
static const struct field target_type_table[] = {NAMES_FIELDS(target), FIELD_END};

static const struct field type_metadata_table[] = {
    FIELD("namespace", convert_string, struct type_config, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_string, struct type_config, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_FIELD)),
    FIELD("deletionTimestamp", convert_time, struct type_config, deletion_timestamp, AS_TIME(0)),
    FIELD_END,
};

static const struct field type_spec_table[] = {
    FIELD("propagation", convert_string, struct type_config, propagation, AS_TEXT(0, TEXT_WORD)),
    PART("federatedType", convert_struct, AS_OBJECT(0, federated_type_table)),
    PART("targetType", convert_struct, AS_OBJECT(0, target_type_table)),
    FIELD_END,
};

const struct field type_config_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, type_metadata_table)),
    PART("spec", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, type_spec_table)),
    FIELD_END,
};

bool
type_config_decode(struct decoder *decoder, const struct value *value, struct type_config *ret)
{
    *ret = (struct type_config){.name = ""};
    return decode_object(decoder, type_config_table, value, ret);
}

/* A condition with KubeFed's time of probing. */
struct probe_condition {
    struct condition condition;
    int64_t probed;
};

struct probe_conditions {
    const struct probe_condition *items;
    uint32_t count;
};

static const struct field probe_condition_table[] = {
    FIELD("type", convert_string, struct probe_condition, condition.type, AS_TEXT(0, TEXT_WORD)),
    FIELD("status", convert_string, struct probe_condition, condition.status,
          AS_TEXT(0, TEXT_WORD)),
    FIELD("reason", convert_string, struct probe_condition, condition.reason,
          AS_TEXT(0, TEXT_WORD)),
    FIELD("message", convert_string, struct probe_condition, condition.message,
          AS_TEXT(0, TEXT_MESSAGE)),
    FIELD("lastTransitionTime", convert_time, struct probe_condition, condition.last_transition,
          AS_TIME(0)),
    FIELD("lastProbeTime", convert_time, struct probe_condition, probed, AS_TIME(0)),
    FIELD_END,
};

static const struct condition *
find_condition(const struct probe_conditions *all, const char *type)
{
    for (uint32_t i = 0; i < all->count; i++) {
        if (str_eq(all->items[i].condition.type, type)) {
            return &all->items[i].condition;
        }
    }
    return NULL;
}

/* For a cluster that does not answer, KubeFed sets the condition Offline alone; for one with a bad
 * configuration, ConfigMalformed alone. Both mean not Ready (kubefed
 * pkg/controller/kubefedcluster/clusterclient.go). */
static const struct condition *
condition_in_place_of_ready(const struct probe_conditions *all, const char **ret_status)
{
    static const struct {
        const char *type, *status;
    } others[] = {{"Offline", "False"}, {"ConfigMalformed", "Unknown"}};

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        const struct condition *found = find_condition(all, others[i].type);

        if (found != NULL && str_eq(found->status, "True")) {
            *ret_status = others[i].status;
            return found;
        }
    }
    return NULL;
}

/* Target: struct cluster. Reduces the conditions to Ready, as Karmada's clusters have it. */
static bool
convert_probe_conditions(struct decoder *decoder, const struct field *field,
                         const struct value *value, void *target)
{
    struct cluster *cluster = target;
    struct probe_conditions all = {.count = 0};
    const char *status = "";

    if (!convert_list(decoder, field, value, &all)) {
        return false;
    }
    for (uint32_t i = 0; i < all.count; i++) {
        if (all.items[i].probed > cluster->probed) {
            cluster->probed = all.items[i].probed;
        }
    }
    const struct condition *other = condition_in_place_of_ready(&all, &status);
    const struct condition *from = other != NULL ? other : find_condition(&all, "Ready");

    if (from != NULL) {
        struct condition *ready = ARENA_NEW(decoder->arena, struct condition);

        *ready = *from;
        ready->type = "Ready";
        ready->status = other != NULL ? status : from->status;
        cluster->conditions = (struct condition_list){.items = ready, .count = 1};
    }
    return true;
}

static const struct field cluster_metadata_table[] = {
    FIELD("namespace", convert_string, struct kubefed_cluster, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_string, struct kubefed_cluster, cluster.name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD("uid", convert_string, struct kubefed_cluster, cluster.uid, AS_TEXT(0, TEXT_UID)),
    FIELD("resourceVersion", convert_string, struct kubefed_cluster, cluster.resource_version,
          AS_TEXT(0, TEXT_NUMBER)),
    FIELD("deletionTimestamp", convert_time, struct kubefed_cluster, cluster.deletion_timestamp,
          AS_TIME(0)),
    FIELD("labels", convert_string_map, struct kubefed_cluster, cluster.labels, AS_LABELS(0)),
    FIELD_END,
};

static const struct field cluster_status_table[] = {
    FIELD("conditions", convert_probe_conditions, struct kubefed_cluster, cluster,
          .flags = OF_RULES, .item_size = sizeof(struct probe_condition),
          AS_OBJECTS(0, probe_condition_table)),
    FIELD("region", convert_string, struct kubefed_cluster, cluster.region,
          AS_TEXT(0, TEXT_LABEL_VALUE)),
    FIELD("zones", convert_string_list, struct kubefed_cluster, cluster.zones,
          AS_TEXTS(0, TEXT_LABEL_VALUE)),
    FIELD_END,
};

const struct field kubefed_cluster_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, cluster_metadata_table)),
    PART("status", convert_struct, AS_OBJECT(0, cluster_status_table)),
    FIELD_END,
};

bool
kubefed_cluster_decode(struct decoder *decoder, const struct value *value,
                       struct kubefed_cluster *ret)
{
    *ret = (struct kubefed_cluster){
        .namespace_ = "",
        .cluster = {.probed = TIME_NONE, .provider = "", .region = "", .zone = "", .sync_mode = ""},
    };
    return decode_object(decoder, kubefed_cluster_table, value, ret);
}

struct cluster_name {
    const char *name;
};

struct cluster_name_list {
    const struct cluster_name *items;
    uint32_t count;
};

static const struct field cluster_name_table[] = {
    FIELD("name", convert_string, struct cluster_name, name, AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

/* Target: struct str_list, sorted, each name once. */
static bool
convert_cluster_names(struct decoder *decoder, const struct field *field, const struct value *value,
                      void *target)
{
    struct cluster_name_list list = {.count = 0};

    if (!convert_list(decoder, field, value, &list)) {
        return false;
    }
    const char **names = ARENA_ARRAY(decoder->arena, const char *, list.count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < list.count; i++) {
        names[i] = list.items[i].name;
    }
    if (list.count > 1) {
        qsort(names, list.count, sizeof(*names), names_order);
    }
    for (uint32_t i = 0; i < list.count; i++) {
        if (count == 0 || !str_eq(names[count - 1], names[i])) {
            names[count++] = names[i];
        }
    }
    *(struct str_list *)target = (struct str_list){.items = names, .count = count, .present = true};
    return true;
}

const struct field federated_placement_table[] = {
    FIELD("clusters", convert_cluster_names, struct federated_placement, clusters,
          .flags = OF_CLUSTERS, .item_size = sizeof(struct cluster_name),
          AS_OBJECTS(0, cluster_name_table)),
    FIELD("clusterSelector", convert_struct_pointer, struct federated_placement, selector,
          .item_size = sizeof(struct label_selector), AS_OBJECT(0, label_selector_table)),
    FIELD_END,
};

bool
convert_federated_placement(struct decoder *decoder, const struct field *field,
                            const struct value *value, void *target)
{
    struct fleet_builder *builder = builder_of(decoder);
    void **slot = builder_slot_by_value(builder, 'f', value);

    (void)field;
    if (*slot == NULL) {
        struct federated_placement *placement =
            ARENA_NEW(decoder->arena, struct federated_placement);

        if (!decode_object(decoder, federated_placement_table, value, placement)) {
            return false;
        }
        *slot = placement;
    }
    memcpy(target, slot, sizeof(*slot));
    return true;
}

static const struct field namespace_metadata_table[] = {
    FIELD("name", convert_string, struct federated_namespace, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    KEPT("namespace", AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

static const struct field namespace_spec_table[] = {
    FIELD("placement", convert_federated_placement, struct federated_namespace, placement,
          AS_OBJECT(0, federated_placement_table)),
    FIELD_END,
};

const struct field federated_namespace_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED,
         AS_OBJECT(0, namespace_metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(0, namespace_spec_table)),
    FIELD_END,
};

bool
federated_namespace_decode(struct decoder *decoder, const struct value *value,
                           struct federated_namespace *ret)
{
    static const struct federated_placement none = {.selector = NULL};

    *ret = (struct federated_namespace){.placement = &none};
    return decode_object(decoder, federated_namespace_table, value, ret);
}
