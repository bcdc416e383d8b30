/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables and converters that several kinds use.
 */
#include "decoders.h"
#include "kinds/builder/builder.h"

#include <stdlib.h>

#include "ballast/base/timestamp.h"

/* A longer label value is most likely an id, of one object or of a policy of many. */
#define INTERNED_VALUE_MAX 31

static bool
convert_operator(struct decoder *decoder, const struct field *field, const struct value *value,
                 void *target)
{
    (void)field;
    if (value_type(value) != VALUE_STRING) {
        return decode_fail_type(decoder, "string", value);
    }
    *(enum selector_operator *)target = selector_operator_parse(value_string(value));
    return true;
}

/* Reads the values, so its row stands behind theirs. Target: struct selector_requirement. */
static bool
convert_validity(struct decoder *decoder, const struct field *field, const struct value *value,
                 void *target)
{
    struct selector_requirement *requirement = target;

    (void)decoder;
    (void)field;
    (void)value;
    requirement->values_validity =
        label_values_are_valid(&requirement->values) ? VALIDITY_VALID : VALIDITY_INVALID;
    return true;
}

#define REQUIREMENT_FIELDS(key_text)                                                               \
    FIELD("key", convert_string, struct selector_requirement, key, AS_TEXT(1, key_text)),          \
        FIELD("operator", convert_string, struct selector_requirement, operator_text,              \
              AS_TEXT(2, TEXT_WORD)),                                                              \
        FIELD("operator", convert_operator, struct selector_requirement, operator),                \
        FIELD("values", convert_string_list, struct selector_requirement, values,                  \
              AS_TEXTS(3, TEXT_LABEL_VALUE)),                                                      \
        PART("values", convert_validity)

const struct field requirement_table[] = {REQUIREMENT_FIELDS(TEXT_LABEL_KEY), FIELD_END};
const struct field field_requirement_table[] = {REQUIREMENT_FIELDS(TEXT_FIELD), FIELD_END};

const struct field label_selector_table[] = {
    FIELD("matchLabels", convert_string_map, struct label_selector, match_labels, AS_LABELS(1)),
    FIELD("matchExpressions", convert_list_present, struct label_selector, match_expressions,
          .flags = OF_RULES, .item_size = sizeof(struct selector_requirement),
          AS_OBJECTS(2, requirement_table)),
    FIELD_END,
};

const struct field taint_table[] = {
    FIELD("key", convert_string, struct taint, key, AS_TEXT(1, TEXT_LABEL_KEY)),
    FIELD("value", convert_string, struct taint, value, AS_TEXT(2, TEXT_LABEL_VALUE)),
    FIELD("effect", convert_string, struct taint, effect, AS_TEXT(3, TEXT_WORD)),
    FIELD("timeAdded", convert_time, struct taint, time_added, AS_TIME(4)),
    FIELD_END,
};

const struct field toleration_table[] = {
    FIELD("key", convert_string, struct toleration, key, AS_TEXT(0, TEXT_LABEL_KEY)),
    FIELD("operator", convert_string, struct toleration, operator, AS_TEXT(0, TEXT_WORD)),
    FIELD("value", convert_string, struct toleration, value, AS_TEXT(0, TEXT_LABEL_VALUE)),
    FIELD("effect", convert_string, struct toleration, effect, AS_TEXT(0, TEXT_WORD)),
    FIELD("tolerationSeconds", convert_int64, struct toleration, toleration_seconds, AS_INT64(0)),
    FIELD("tolerationSeconds", convert_presence, struct toleration, has_toleration_seconds),
    FIELD_END,
};

const struct field condition_table[] = {
    CONDITION_ROWS(5, 6, 4),
    FIELD_END,
};

struct owner_reference {
    struct owner owner;
    bool controller;
};

const struct field owner_table[] = {
    FIELD("apiVersion", convert_string, struct owner_reference, owner.api_version,
          AS_TEXT(5, TEXT_API)),
    FIELD("kind", convert_string, struct owner_reference, owner.kind, AS_TEXT(1, TEXT_KIND)),
    FIELD("name", convert_string, struct owner_reference, owner.name, AS_TEXT(3, TEXT_NAME)),
    FIELD("uid", convert_string, struct owner_reference, owner.uid, AS_TEXT(4, TEXT_UID)),
    FIELD("controller", convert_bool, struct owner_reference, controller, AS_BOOL(6)),
    FIELD_END,
};

const struct field object_name_table[] = {
    FIELD("namespace", convert_string, struct object_name, namespace_, AS_TEXT(3, TEXT_NAME)),
    FIELD("name", convert_string, struct object_name, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(1, TEXT_NAME)),
    FIELD_END,
};

const struct field retain_replicas_table[] = {
    KEPT(RETAIN_REPLICAS_LABEL, AS_TEXT(0, TEXT_LABEL_VALUE)),
    FIELD_END,
};

const struct field presence_table[] = {
    FIELD_END,
};

const char *
decode_origin(struct decoder *decoder, const char *kind, const struct object_name *object)
{
    return arena_printf(decoder->arena, "%s %s%s%s", kind, object->namespace_,
                        str_is_empty(object->namespace_) ? "" : "/", object->name);
}

bool
value_is_set(const struct value *value)
{
    return value != NULL && value_type(value) != VALUE_NULL;
}

int
names_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool
convert_sorted_names(struct decoder *decoder, const struct field *field, const struct value *value,
                     void *target)
{
    struct str_list *list = target;

    if (!convert_string_list(decoder, field, value, list)) {
        return false;
    }
    if (list->count > 1) {
        qsort((void *)list->items, list->count, sizeof(list->items[0]), names_order);
    }
    return true;
}

int
named_index_cmp(const void *a, const void *b)
{
    const struct named_index *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

int
resource_amount_cmp(const void *a, const void *b)
{
    return strcmp(((const struct resource_amount *)a)->name,
                  ((const struct resource_amount *)b)->name);
}

static int
resource_quantity_cmp(const void *a, const void *b)
{
    return strcmp(((const struct resource_quantity *)a)->name,
                  ((const struct resource_quantity *)b)->name);
}

static const char *
keep_text(struct decoder *decoder, const char *text, size_t length)
{
    return builder_keep_text(builder_of(decoder), text, length);
}

bool
convert_text(struct decoder *decoder, const struct field *field, const struct value *value,
             void *target)
{
    return decode_text(decoder, field, value, keep_text, target);
}

bool
convert_uid(struct decoder *decoder, const struct field *field, const struct value *value,
            void *target)
{
    const char *text;

    if (value_type(value) == VALUE_STRING &&
        uid_pack(value_string(value), value_string_length(value), target)) {
        return true;
    }
    if (!convert_text(decoder, field, value, &text)) {
        return false;
    }
    *(struct uid *)target = uid_of(text);
    return true;
}

static const char *
keep_label_value(struct decoder *decoder, const char *text, size_t length)
{
    return length <= INTERNED_VALUE_MAX
               ? intern(decoder->strings, text, length)
               : builder_keep_common_text(builder_of(decoder), text, length);
}

static const char *
keep_for_now(struct decoder *decoder, const char *text, size_t length)
{
    return arena_strndup(decoder->arena, text, length);
}

/* Karmada finds a binding by this id. Ballast drops it: the binding's name tells the same. */
static bool
is_own_id(const char *key)
{
    return str_eq(key, "resourcebinding.karmada.io/permanent-id") ||
           str_eq(key, "clusterresourcebinding.karmada.io/permanent-id");
}

/* Without its own id, a binding shares its labels with many others. */
bool
convert_binding_labels(struct decoder *decoder, const struct field *field,
                       const struct value *value, void *target)
{
    struct arena *outer = decoder->arena;
    struct label_list *list = target;
    uint32_t count = 0;

    (void)field;
    decoder->arena = builder_of(decoder)->scratch;
    bool done = decode_string_map(decoder, value, keep_for_now, list);

    decoder->arena = outer;
    if (!done) {
        return false;
    }
    struct label *labels = (struct label *)list->items;

    for (uint32_t i = 0; i < list->count; i++) {
        if (!is_own_id(labels[i].key)) {
            const char *text = labels[i].value;

            labels[count++] =
                (struct label){labels[i].key, keep_label_value(decoder, text, strlen(text))};
        }
    }
    list->items = builder_share_labels(builder_of(decoder), labels, count);
    list->count = count;
    return true;
}

bool
decode_in_scratch(struct decoder *decoder, const struct field *table, const struct value *value,
                  void *target)
{
    struct arena *outer = decoder->arena;

    decoder->arena = builder_of(decoder)->scratch;
    bool done = decode_object(decoder, table, value, target);

    decoder->arena = outer;
    return done;
}

bool
convert_in_scratch(struct decoder *decoder, field_converter *convert, const struct field *field,
                   const struct value *value, void *target)
{
    struct arena *outer = decoder->arena;

    decoder->arena = builder_of(decoder)->scratch;
    bool done = convert(decoder, field, value, target);

    decoder->arena = outer;
    return done;
}

bool
convert_shared_map(struct decoder *decoder, const struct field *field, const struct value *value,
                   void *target)
{
    struct fleet_builder *builder = builder_of(decoder);
    struct label_list *list = target;
    bool done = convert_in_scratch(decoder, convert_string_map, field, value, list);

    if (done) {
        list->items = builder_share(builder, list->items, list->count * sizeof(*list->items));
    }
    return done;
}

static bool
read_quantity(struct decoder *decoder, const struct value *value, struct quantity *ret)
{
    struct error err = ERROR_INIT;

    switch (value_type(value)) {
    case VALUE_STRING:
        if (!quantity_parse(value_string(value), value_string_length(value), ret, &err)) {
            return decode_fail(decoder, "%s", err.message);
        }
        return true;
    case VALUE_INTEGER:
        *ret = quantity_from_int(value_integer(value));
        return true;
    case VALUE_REAL:
        return quantity_from_real(value_real(value), ret) ||
               decode_fail(decoder, "want quantity, got %g", value_real(value));
    default:
        return decode_fail_type(decoder, "quantity", value);
    }
}

bool
decode_quantity(struct decoder *decoder, const struct value *value, struct quantity *ret)
{
    if (!read_quantity(decoder, value, ret)) {
        return false;
    }
    *ret = quantity_pinned(*ret);
    return true;
}

bool
convert_quantity(struct decoder *decoder, const struct field *field, const struct value *value,
                 void *target)
{
    (void)field;
    return decode_quantity(decoder, value, target);
}

/* Returns the members of a resource list, sorted, in the scratch. NULL with the decoder's error. */
static struct resource_quantity *
read_resources(struct decoder *decoder, const struct value *value, uint32_t *ret_count)
{
    uint32_t count = 0;

    if (value_type(value) != VALUE_OBJECT) {
        decode_fail_type(decoder, "object", value);
        return NULL;
    }
    struct resource_quantity *items =
        ARENA_ARRAY(builder_of(decoder)->scratch, struct resource_quantity, value_count(value));

    for (struct value_iterator it = VALUE_ITERATOR(value); value_each(&it);) {
        size_t before = decoder_push_name(decoder, it.key);

        if (value_type(it.value) != VALUE_NULL &&
            !decode_quantity(decoder, it.value, &items[count].amount)) {
            return NULL;
        }
        decoder_pop(decoder, before);
        items[count++].name = intern_cstr(decoder->strings, it.key);
    }
    qsort(items, count, sizeof(*items), resource_quantity_cmp);
    *ret_count = count;
    return items;
}

bool
convert_resource_list(struct decoder *decoder, const struct field *field, const struct value *value,
                      void *target)
{
    struct resource_list *list = target;
    uint32_t count = 0;
    const struct resource_quantity *items = read_resources(decoder, value, &count);

    (void)field;
    if (items == NULL) {
        return false;
    }
    list->items = builder_share(builder_of(decoder), items, count * sizeof(*items));
    list->count = count;
    list->present = true;
    return true;
}

/* True for the resources that node arithmetic counts, and for pods. */
static bool
counts_on_nodes(const char *name)
{
    return str_eq(name, "cpu") || str_eq(name, "memory") || str_eq(name, "ephemeral-storage") ||
           str_eq(name, "pods") || resource_name_is_scalar(name);
}

bool
convert_resource_amounts(struct decoder *decoder, const struct field *field,
                         const struct value *value, void *target)
{
    struct fleet_builder *builder = builder_of(decoder);
    struct resource_amounts *list = target;
    uint32_t count = 0, kept = 0;
    const struct resource_quantity *items = read_resources(decoder, value, &count);

    (void)field;
    if (items == NULL) {
        return false;
    }
    struct resource_amount *amounts = ARENA_ARRAY(builder->scratch, struct resource_amount, count);

    for (uint32_t i = 0; i < count; i++) {
        if (counts_on_nodes(items[i].name)) {
            amounts[kept].name = items[i].name;
            amounts[kept++].amount = resource_amount_of(items[i].name, items[i].amount);
        }
    }
    list->items = builder_share(builder, amounts, kept * sizeof(*amounts));
    list->count = kept;
    return true;
}

bool
convert_controller(struct decoder *decoder, const struct field *field, const struct value *value,
                   void *target)
{
    struct owner *owner = target;

    (void)field;
    if (value_type(value) != VALUE_LIST) {
        return decode_fail_type(decoder, "list", value);
    }
    for (size_t i = 0; i < value_count(value); i++) {
        struct owner_reference reference = {.controller = false};
        size_t before = decoder_push_index(decoder, i);

        if (!decode_object(decoder, owner_table, value_at(value, i), &reference)) {
            return false;
        }
        decoder_pop(decoder, before);
        if (reference.controller && str_is_empty(owner->kind)) {
            *owner = reference.owner;
        }
    }
    return true;
}
