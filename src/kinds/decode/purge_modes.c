/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the purge modes that a control plane takes in eviction tasks, from the schema of
 * ResourceBinding in its OpenAPI document or CustomResourceDefinition. Karmada up to v1.18 has
 * Immediately and Graciously, since v1.15 Directly and Gracefully.
 */
#include "decoders.h"
#include "kinds/builder/builder.h"

/* The path to the purge modes in a schema. */
static const char *const in_schema[] = {
    "properties", "spec",       "properties", "gracefulEvictionTasks",
    "items",      "properties", "purgeMode",  "enum"};

static uint32_t
modes_of(const struct value *schema)
{
    const struct value *names = schema;
    enum purge_mode mode;
    uint32_t modes = 0;

    for (size_t i = 0; names != NULL && i < sizeof(in_schema) / sizeof(in_schema[0]); i++) {
        names = value_get(names, in_schema[i]);
    }
    if (names == NULL || value_type(names) != VALUE_LIST) {
        return 0;
    }
    for (size_t i = 0; i < value_count(names); i++) {
        const struct value *name = value_at(names, i);

        if (value_type(name) == VALUE_STRING && purge_mode_parse(value_string(name), &mode)) {
            modes |= PURGE_MODE_BIT(mode);
        }
    }
    return modes;
}

uint32_t
decode_purge_modes(const struct value *openapi)
{
    const struct value *components = value_get(openapi, "components");
    const struct value *schemas = components != NULL ? value_get(components, "schemas") : NULL;
    uint32_t modes = 0;

    for (struct value_iterator it = VALUE_ITERATOR(schemas); value_each(&it);) {
        modes |= modes_of(it.value);
    }
    return modes;
}

void
builder_note_definition(struct fleet_builder *builder, const char *kind, const struct value *object)
{
    if (!str_eq(kind, "CustomResourceDefinition")) {
        return;
    }
    const struct value *spec = value_get(object, "spec");
    const struct value *versions = spec != NULL ? value_get(spec, "versions") : NULL;

    for (size_t i = 0; versions != NULL && i < value_count(versions); i++) {
        const struct value *schema = value_get(value_at(versions, i), "schema");

        schema = schema != NULL ? value_get(schema, "openAPIV3Schema") : NULL;
        builder->fleet->purge_modes |= schema != NULL ? modes_of(schema) : 0;
    }
}

void
purge_modes_encode(uint32_t modes, struct buf *out)
{
    size_t depth = sizeof(in_schema) / sizeof(in_schema[0]), count = 0;

    buf_append_str(out, "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":"
                        "\"CustomResourceDefinition\",\"metadata\":{\"name\":"
                        "\"resourcebindings.work.karmada.io\"},\"spec\":{\"versions\":[{\"name\":"
                        "\"v1alpha2\",\"schema\":{\"openAPIV3Schema\":{");
    for (size_t i = 0; i < depth; i++) {
        buf_printf(out, "\"%s\":%s", in_schema[i], i + 1 < depth ? "{" : "[");
    }
    for (int mode = 0; mode < N_PURGE_MODES; mode++) {
        if ((modes & PURGE_MODE_BIT(mode)) != 0) {
            buf_printf(out, "%s\"%s\"", count++ > 0 ? "," : "",
                       purge_mode_name((enum purge_mode)mode));
        }
    }
    buf_append_char(out, ']');
    for (size_t i = 1; i < depth; i++) {
        buf_append_char(out, '}');
    }
    buf_append_str(out, "}}}]}}\n");
}
