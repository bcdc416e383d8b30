/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes affinity between pods, and host ports.
 */
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

#include "ballast/base/wide.h"

#define TERM_ROWS                                                                                  \
    FIELD("labelSelector", convert_struct_pointer, struct pod_affinity_term, selector,             \
          .item_size = sizeof(struct label_selector), AS_OBJECT(1, label_selector_table)),         \
        FIELD("namespaces", convert_string_list, struct pod_affinity_term, namespaces,             \
              .flags = OF_RULES, AS_TEXTS(2, TEXT_NAME)),                                          \
        FIELD("topologyKey", convert_string, struct pod_affinity_term, topology_key,               \
              AS_TEXT(3, TEXT_LABEL_KEY)),                                                         \
        FIELD("namespaceSelector", convert_presence, struct pod_affinity_term,                     \
              has_namespace_selector, AS_OBJECT(4, presence_table))

static const struct field term_table[] = {
    TERM_ROWS,
    FIELD_END,
};

static const struct field template_term_table[] = {
    TERM_ROWS,
    FIELD("matchLabelKeys", convert_string_list, struct pod_affinity_term, match_label_keys,
          .flags = OF_RULES, AS_TEXTS(0, TEXT_LABEL_KEY)),
    FIELD("mismatchLabelKeys", convert_string_list, struct pod_affinity_term, mismatch_label_keys,
          .flags = OF_RULES, AS_TEXTS(0, TEXT_LABEL_KEY)),
    FIELD_END,
};

CHECK_LIST(struct pod_affinity_terms, items, count);

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"
#define TERMS_ROW(term_table)                                                                      \
    PART(REQUIRED, convert_list, .flags = OF_RULES, .item_size = sizeof(struct pod_affinity_term), \
         AS_OBJECTS(1, term_table))

static const struct field terms_table[] = {
    TERMS_ROW(term_table),
    FIELD_END,
};

/* Only quotas need these. */
static const struct field preferred_term_table[] = {
    KEPT("namespaces", AS_TEXTS(0, TEXT_NAME)),
    KEPT("namespaceSelector", AS_OBJECT(0, presence_table)),
    FIELD_END,
};

static const struct field preferred_table[] = {
    KEPT("podAffinityTerm", AS_OBJECT(0, preferred_term_table)),
    FIELD_END,
};

const struct field template_affinity_terms_table[] = {
    TERMS_ROW(template_term_table),
    KEPT(PREFERRED, AS_OBJECTS(0, preferred_table)),
    FIELD_END,
};

#define AFFINITY_ROWS(terms_table)                                                                 \
    FIELD("podAffinity", convert_struct, struct pod_affinity, to, AS_OBJECT(2, terms_table)),      \
        FIELD("podAntiAffinity", convert_struct, struct pod_affinity, against,                     \
              AS_OBJECT(3, terms_table))

const struct field pod_affinity_table[] = {
    AFFINITY_ROWS(terms_table),
    FIELD_END,
};

const struct field template_affinity_table[] = {
    AFFINITY_ROWS(template_affinity_terms_table),
    FIELD_END,
};

/* Most pods of a workload have equal affinity, and few have any: one copy stays in the fleet's
 * memory, even if the pod goes to the scratch. */
bool
convert_pod_affinity(struct decoder *decoder, const struct field *field, const struct value *value,
                     void *target)
{
    struct fleet_builder *builder = builder_of(decoder);
    struct arena *outer = decoder->arena;
    struct pod_affinity *affinity;
    bool done = true;

    if (value_type(value) != VALUE_OBJECT) {
        return decode_fail_type(decoder, "object", value);
    }
    void **slot =
        builder_slot_by_value(builder, field->table == pod_affinity_table ? 'a' : 'A', value);

    affinity = *slot;
    if (affinity == NULL) {
        decoder->arena = builder->fleet->arena;
        affinity = ARENA_NEW(decoder->arena, struct pod_affinity);
        done = decode_object(decoder, field->table, value, affinity);
        decoder->arena = outer;
        *slot = done ? affinity : NULL;
    }
    if (done && affinity->to.count + affinity->against.count > 0) {
        builder->has_anti_affinity |= affinity->against.count > 0;
        memcpy(target, &affinity, sizeof(affinity));
    }
    return done;
}

static bool
names_namespaces(const struct value *term)
{
    return value_count(value_get(term, "namespaces")) > 0 ||
           value_is_set(value_get(term, "namespaceSelector"));
}

bool
pod_affinity_crosses_namespaces(const struct value *spec)
{
    static const char *const kinds[] = {"podAffinity", "podAntiAffinity"};
    const struct value *affinity = value_get(spec, "affinity");

    for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
        const struct value *of_kind = value_get(affinity, kinds[kind]);
        const struct value *required = value_get(of_kind, REQUIRED);
        const struct value *preferred = value_get(of_kind, PREFERRED);

        for (size_t i = 0; i < value_count(required); i++) {
            if (names_namespaces(value_at(required, i))) {
                return true;
            }
        }
        for (size_t i = 0; i < value_count(preferred); i++) {
            if (names_namespaces(value_get(value_at(preferred, i), "podAffinityTerm"))) {
                return true;
            }
        }
    }
    return false;
}

struct container_port {
    const char *ip, *protocol;
    int64_t host_port, container_port;
};

const struct field container_port_table[] = {
    FIELD("hostPort", convert_count64, struct container_port, host_port, AS_INT32(2)),
    FIELD("containerPort", convert_count64, struct container_port, container_port, AS_INT32(3)),
    FIELD("protocol", convert_string, struct container_port, protocol, AS_TEXT(4, TEXT_WORD)),
    FIELD("hostIP", convert_string, struct container_port, ip, AS_TEXT(5, TEXT_ADDRESS)),
    FIELD_END,
};

struct ports_found {
    VEC_OF(struct host_port) items;
    bool is_host_network;
};

static bool
find_ports(struct decoder *decoder, const struct value *container, struct ports_found *found)
{
    const struct value *list = value_get(container, "ports");

    for (size_t i = 0; i < value_count(list); i++) {
        struct container_port port = {.ip = NULL};

        if (!decode_object(decoder, container_port_table, value_at(list, i), &port)) {
            return false;
        }
        int64_t number = port.host_port > 0       ? port.host_port
                         : found->is_host_network ? port.container_port
                                                  : 0;

        if (number > 0) {
            struct host_port *wanted = vec_push(&found->items);

            memset(wanted, 0, sizeof(*wanted)); /* padding is compared, too */
            wanted->ip =
                str_is_empty(port.ip) ? intern_cstr(decoder->strings, ANY_ADDRESS) : port.ip;
            wanted->protocol =
                str_is_empty(port.protocol) ? intern_cstr(decoder->strings, "TCP") : port.protocol;
            wanted->port = number;
        }
    }
    return true;
}

bool
pod_ports_decode(struct decoder *decoder, const struct value *spec, struct host_port_list *ret)
{
    const struct value *containers = value_get(spec, "containers");
    const struct value *network = value_get(spec, "hostNetwork");
    struct ports_found found = {
        .items = VEC_INIT,
        .is_host_network =
            network != NULL && value_type(network) == VALUE_BOOL && value_bool(network),
    };
    bool done = true;

    for (size_t i = 0; i < value_count(containers) && done; i++) {
        done = find_ports(decoder, value_at(containers, i), &found);
    }
    ret->items = builder_share(builder_of(decoder), found.items.items,
                               found.items.count * sizeof(*found.items.items));
    ret->count = pin_uint32(found.items.count);
    vec_free(&found.items);
    return done;
}
