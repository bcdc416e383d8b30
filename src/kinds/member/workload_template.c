/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps pod templates from resource templates of a control plane, and from federated objects. A
 * binding has only the resources and nodes of a template, not the ties between pods.
 */
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

#include <stdlib.h>

#include "ballast/base/wide.h"
#include "ballast/format/value_build.h"
#include "kinds/builder/kind.h"

#define FEDERATED_WORKLOADS "apps/v1" /* the group of the federated workloads that are read */

const struct field template_resources_table[] = {
    FIELD("requests", convert_resource_amounts, struct container_resources, requests,
          AS_AMOUNTS(0)),
    FIELD("limits", convert_resource_amounts, struct container_resources, limits, AS_AMOUNTS(0)),
    FIELD_END,
};

const struct field template_container_table[] = {
    PART("resources", convert_struct, AS_OBJECT(0, template_resources_table)),
    KEPT("ports", AS_OBJECTS(0, container_port_table)),
    FIELD_END,
};

const struct field template_init_container_table[] = {
    PART("resources", convert_struct, AS_OBJECT(0, template_resources_table)),
    FIELD("restartPolicy", convert_string, struct container_resources, restart_policy,
          AS_TEXT(0, TEXT_WORD)),
    FIELD_END,
};

const struct field topology_spread_table[] = {
    FIELD("maxSkew", convert_int64, struct topology_spread, max_skew, AS_INT64(0)),
    FIELD("topologyKey", convert_string, struct topology_spread, topology_key,
          AS_TEXT(0, TEXT_LABEL_KEY)),
    FIELD("whenUnsatisfiable", convert_string, struct topology_spread, when_unsatisfiable,
          AS_TEXT(0, TEXT_WORD)),
    FIELD("labelSelector", convert_struct_pointer, struct topology_spread, selector,
          .item_size = sizeof(struct label_selector), AS_OBJECT(0, label_selector_table)),
    FIELD("minDomains", convert_int64, struct topology_spread, min_domains, AS_INT64(0)),
    FIELD("matchLabelKeys", convert_string_list, struct topology_spread, match_label_keys,
          .flags = OF_RULES, AS_TEXTS(0, TEXT_LABEL_KEY)),
    FIELD("nodeAffinityPolicy", convert_string, struct topology_spread, node_affinity_policy,
          AS_TEXT(0, TEXT_WORD)),
    FIELD("nodeTaintsPolicy", convert_string, struct topology_spread, node_taints_policy,
          AS_TEXT(0, TEXT_WORD)),
    FIELD_END,
};

CHECK_LIST(struct topology_spread_list, items, count);
CHECK_LIST(struct container_resources_list, items, count);

const struct field template_claim_table[] = {
    KEPT("name", AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

/* Target: bool. */
static bool
convert_if_any(struct decoder *decoder, const struct field *field, const struct value *value,
               void *target)
{
    (void)decoder;
    (void)field;
    *(bool *)target = value_count(value) > 0;
    return true;
}

/* pod_ports_decode reads hostNetwork and ports. */
static const struct field spec_table[] = {
    FIELD("containers", convert_list, struct pod_template, containers, .flags = OF_RULES,
          .item_size = sizeof(struct container_resources), AS_OBJECTS(0, template_container_table)),
    FIELD("initContainers", convert_list, struct pod_template, init_containers, .flags = OF_RULES,
          .item_size = sizeof(struct container_resources),
          AS_OBJECTS(0, template_init_container_table)),
    FIELD("resources", convert_struct, struct pod_template, whole,
          AS_OBJECT(0, template_resources_table)),
    FIELD("overhead", convert_resource_amounts, struct pod_template, overhead, AS_AMOUNTS(0)),
    FIELD("resourceClaims", convert_if_any, struct pod_template, claims_devices,
          AS_OBJECTS(0, template_claim_table)),
    FIELD("affinity", convert_pod_affinity, struct pod_template, affinity,
          AS_OBJECT(0, template_affinity_table)),
    FIELD("topologySpreadConstraints", convert_list, struct pod_template, spreads,
          .flags = OF_RULES, .item_size = sizeof(struct topology_spread),
          AS_OBJECTS(0, topology_spread_table)),
    KEPT("hostNetwork", AS_BOOL(0)),
    FIELD("volumes", convert_pod_volumes, struct pod_template, volumes, .flags = OF_RULES,
          AS_OBJECTS(0, volume_table)),
    FIELD("priorityClassName", convert_string, struct pod_template, priority_class,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("activeDeadlineSeconds", convert_int64, struct pod_template, active_deadline,
          AS_INT64(0)),
    FIELD_END,
};

/* Target: struct pod_template. */
static bool
convert_spec(struct decoder *decoder, const struct field *field, const struct value *value,
             void *target)
{
    struct pod_template *pod_template = target;

    (void)field;
    pod_template->crosses_namespaces = pod_affinity_crosses_namespaces(value);
    return decode_object(decoder, spec_table, value, pod_template) &&
           pod_ports_decode(decoder, value, &pod_template->ports);
}

const struct field template_metadata_table[] = {
    FIELD("labels", convert_shared_map, struct pod_template, labels, AS_LABELS(0)),
    FIELD_END,
};

static const struct field template_table[] = {
    PART("metadata", convert_struct, AS_OBJECT(0, template_metadata_table)),
    PART("spec", convert_spec, AS_OBJECT(0, spec_table)),
    FIELD_END,
};

CHECK_LIST(struct claim_template_list, items, count);

static const struct field claim_metadata_table[] = {
    FIELD("name", convert_string, struct claim_template, name, AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

static const struct field claim_spec_table[] = {
    FIELD("storageClassName", convert_string, struct claim_template, storage_class,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("accessModes", convert_string_list, struct claim_template, access_modes,
          .flags = OF_RULES, AS_TEXTS(0, TEXT_WORD)),
    FIELD_END,
};

static const struct field claim_template_table[] = {
    PART("metadata", convert_struct, AS_OBJECT(0, claim_metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(0, claim_spec_table)),
    FIELD_END,
};

static const struct field workload_spec_table[] = {
    FIELD("volumeClaimTemplates", convert_list, struct pod_template, claims_made, .flags = OF_RULES,
          .item_size = sizeof(struct claim_template), AS_OBJECTS(0, claim_template_table)),
    PART("template", convert_if_object, AS_OBJECT(0, template_table)),
    FIELD_END,
};

static const struct field metadata_table[] = {
    FIELD("namespace", convert_string, struct pod_template, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_string, struct pod_template, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

static const struct field resource_table[] = {
    KEPT("apiVersion", AS_TEXT(0, TEXT_API)),
    KEPT("kind", AS_TEXT(0, TEXT_KIND)),
    FIELD_END,
};

const struct field workload_template_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, metadata_table)),
    PART("spec", convert_if_object, AS_OBJECT(0, workload_spec_table)),
    KEPT("resource", AS_OBJECT(0, resource_table)),
    FIELD_END,
};

static void
keep_template(struct fleet_builder *builder, const char *key, const char *kind,
              struct pod_template *pod_template)
{
    if (str_eq(kind, "StatefulSet")) {
        pod_template->volumes =
            pod_volumes_add_made(builder, pod_template->volumes, &pod_template->claims_made);
    }
    template_add_labels(builder, kind, pod_template);
    template_merge_label_keys(builder, pod_template);
    *map_put_str(builder->templates_by_workload, key, NULL) =
        arena_memdup(builder->fleet->arena, pod_template, sizeof(*pod_template));
}

static const char *
key_of(struct arena *arena, const char *api_version, const char *kind, const char *namespace_,
       const char *name)
{
    const char *slash = strchr(api_version, '/');
    int length = slash != NULL ? pin_width(slash - api_version) : 0;

    return arena_printf(arena, "%.*s\n%s\n%s\n%s", length, api_version, kind, namespace_, name);
}

static bool
keep(struct fleet_builder *builder, const struct value *object, const char *api_version,
     const char *kind, struct error *err)
{
    struct pod_template read = {.name = "", .priority_class = ""};

    if (!decode_object(builder_decoder(builder, err), workload_template_table, object, &read)) {
        return false;
    }
    if (read.containers.count > 0) {
        keep_template(builder, key_of(builder->keys, api_version, kind, read.namespace_, read.name),
                      kind, &read);
    }
    return read.containers.count > 0 || error_set(err, ERROR_INVALID, "it has no containers");
}

bool
builder_keep_federated_template(struct fleet_builder *builder, const struct value *object,
                                const struct binding *binding, struct error *err)
{
    const struct value *spec = value_get(value_get(value_get(object, "spec"), "template"), "spec");
    const struct value *pod_template = value_find(spec, "template", VALUE_OBJECT);
    struct pod_template read = {
        .namespace_ = binding->namespace_, .name = binding->name, .priority_class = ""};

    if (pod_template == NULL ||
        !decode_object(builder_decoder(builder, err), template_table, pod_template, &read)) {
        return false;
    }
    const char *kind = binding_kind_name(binding->kind) + strlen("Federated");
    const char *key = key_of(builder->keys, FEDERATED_WORKLOADS, kind, read.namespace_, read.name);

    if (read.containers.count > 0) {
        keep_template(builder, key, kind, &read);
    }
    return read.containers.count > 0;
}

/* The receiver prunes the object. */
static void
tell(const struct fleet_builder *builder, const struct value *object, const char *api_version,
     const char *kind)
{
    struct arena *arena = arena_new();
    struct value *resource = value_new(arena, VALUE_OBJECT), *told = value_new(arena, VALUE_OBJECT);

    value_put_text(resource, "apiVersion", api_version);
    value_put_text(resource, "kind", kind);
    value_put(told, "resource", resource);
    value_put(told, "metadata", value_get(object, "metadata"));
    value_put(told, "spec", value_get(object, "spec"));
    const struct fleet_object template = {told, "ballast.io/v1alpha1", "WorkloadTemplate", "",
                                          ADD_TAKEN};

    builder->tap->object(builder->tap->context, &template);
    arena_free(arena);
}

bool
fleet_builder_add_template(struct fleet_builder *builder, const struct value *object,
                           const char *api_version, const char *kind, struct error *err)
{
    if (value_find(value_get(object, "spec"), "template", VALUE_OBJECT) == NULL) {
        return error_set(err, ERROR_INVALID, "it has no spec.template");
    }
    if (!keep(builder, object, api_version, kind, err)) {
        return false;
    }
    if (builder->tap != NULL) {
        tell(builder, object, api_version, kind);
    }
    return true;
}

void
builder_note_template(struct fleet_builder *builder, const struct value *object,
                      const char *api_version, const char *kind)
{
    struct error ignored = ERROR_INIT;

    fleet_builder_add_template(builder, object, api_version, kind, &ignored);
}

enum add_result
take_workload_template(const struct taking *t)
{
    const struct value *resource = value_get(t->value, "resource");
    struct error err = ERROR_INIT;

    return keep(t->builder, t->value, value_text(resource, "apiVersion"),
                value_text(resource, "kind"), &err)
               ? ADD_TAKEN
               : taking_skip(t, err.message);
}

static bool
asks_for_the_same(const struct resource_list *request, const struct resource_list *wanted)
{
    for (uint32_t i = 0; i < wanted->count; i++) {
        const struct resource_quantity *item = &wanted->items[i];
        const struct quantity *known = resource_list_find(request, item->name);

        if (resource_amount_of(item->name, known != NULL ? *known : quantity_from_int(0)) !=
            resource_amount_of(item->name, item->amount)) {
            return false;
        }
    }
    return true;
}

static const struct requirements *
with_template(struct fleet *fleet, const struct requirements *requirements,
              const struct pod_template *pod_template)
{
    struct requirements *own = requirements_of_its_own(fleet, requirements);

    own->pod_template = pod_template;
    return own;
}

/* Most templates add nothing: their bindings keep sharing equal requirements. */
static bool
adds_something(const struct fleet_builder *builder, const struct pod_template *pod_template,
               const struct requirements *requirements)
{
    struct arena *scratch = arena_new();
    const struct resource_list wanted = pod_template_requests(scratch, pod_template);
    bool adds = builder->has_anti_affinity || builder->has_admission ||
                pod_template_is_tied(pod_template) ||
                !asks_for_the_same(&requirements->request, &wanted);

    arena_free(scratch);
    return adds;
}

const struct pod_template *
fleet_builder_template(struct fleet_builder *builder, const struct binding *binding)
{
    const struct object_reference *workload = &binding->resource;

    arena_reset(builder->scratch);
    void **slot = map_get_str(builder->templates_by_workload,
                              key_of(builder->scratch, workload->api_version, workload->kind,
                                     workload->namespace_, workload->name));

    return slot != NULL ? *slot : binding->pod_template;
}

void
builder_join_templates(struct fleet_builder *builder)
{
    struct fleet *fleet = builder->fleet;
    struct binding *bindings = (struct binding *)fleet->bindings;

    if (map_count(builder->templates_by_workload) == 0 && fleet->federation == NULL) {
        return;
    }
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct pod_template *found = fleet_builder_template(builder, &bindings[i]);
        const struct requirements *requirements = bindings[i].requirements;

        bindings[i].pod_template = found;
        if (requirements == NULL && bindings[i].replicas > 0 && !binding_is_set(&bindings[i])) {
            requirements = &requirements_absent;
        }
        if (found != NULL && requirements != NULL && requirements->pod_template != found &&
            adds_something(builder, found, requirements)) {
            bindings[i].requirements = with_template(fleet, requirements, found);
        }
    }
}

static int
by_identity(const void *a, const void *b)
{
    return binding_cmp(a, b);
}

void
binding_keep_template(struct fleet *fleet, struct binding *binding)
{
    const struct binding *before =
        fleet->n_bindings == 0
            ? NULL
            : bsearch(binding, fleet->bindings, fleet->n_bindings, sizeof(*binding), by_identity);

    const struct requirements *known = before != NULL ? before->requirements : NULL;

    binding->pod_template = before != NULL ? before->pod_template : NULL;
    if (known != NULL && (known->pod_template != NULL || known->seen.count > 0)) {
        struct requirements *own = requirements_of_its_own(fleet, binding->requirements);

        own->pod_template = known->pod_template;
        own->seen = known->seen;
        binding->requirements = own;
    }
}
