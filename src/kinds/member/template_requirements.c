/* SPDX-License-Identifier: Apache-2.0
 *
 * Derives the requirements of a template's pod in Karmada's form (karmada
 * pkg/util/helper/binding.go, GenerateReplicaRequirements): KubeFed has none of its own.
 */
#include <inttypes.h>

#include "ballast/format/value_build.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

static const struct value *
requests_value(struct arena *arena, const struct resource_amounts *amounts)
{
    struct value *ret = value_new(arena, VALUE_OBJECT);

    for (uint32_t i = 0; i < amounts->count; i++) {
        const struct resource_amount *item = &amounts->items[i];

        value_put_text(ret, item->name,
                       arena_printf(arena, "%" PRId64 "%s", item->amount,
                                    str_eq(item->name, "cpu") ? "m" : ""));
    }
    return ret;
}

static void
put_filled(struct value *object, const char *key, const struct value *member)
{
    if (value_count(member) > 0) {
        value_put(object, key, member);
    }
}

static const struct value *
requirements_value(struct arena *arena, const struct resource_amounts *amounts,
                   const struct value *spec)
{
    const struct value *affinity = value_get(value_get(spec, "affinity"), "nodeAffinity");
    struct value *ret = value_new(arena, VALUE_OBJECT), *claim = value_new(arena, VALUE_OBJECT);
    const char *priority_class = value_text(spec, "priorityClassName");

    put_filled(claim, "hardNodeAffinity",
               value_get(affinity, "requiredDuringSchedulingIgnoredDuringExecution"));
    put_filled(claim, "nodeSelector", value_get(spec, "nodeSelector"));
    put_filled(claim, "tolerations", value_get(spec, "tolerations"));
    value_put(ret, "resourceRequest", requests_value(arena, amounts));
    put_filled(ret, "nodeClaim", claim);
    if (!str_is_empty(priority_class)) {
        value_put_text(ret, "priorityClassName", priority_class);
    }
    return ret;
}

const struct requirements *
template_requirements(struct decoder *decoder, const struct value *pod_spec)
{
    struct fleet_builder *builder = builder_of(decoder);
    struct pod pod;
    struct buf text;

    if (!pod_requests_decode(decoder, pod_spec, NULL, &pod)) {
        return NULL;
    }
    struct arena *arena = arena_new();
    struct document *document =
        document_new(arena, requirements_value(arena, &pod.requests, pod_spec));

    buf_init(&text, SIZE_MAX);
    value_write_json(document_root(document), true, &text);
    void **slot = builder_slot_by_text(builder, 't', buf_text(&text), text.length);

    if (*slot == NULL) {
        struct requirements *requirements = ARENA_NEW(decoder->arena, struct requirements);

        if (decode_object(decoder, requirements_table, document_root(document), requirements)) {
            requirements->id = builder->fleet->n_requirements++;
            *slot = requirements;
        }
    }
    buf_release(&text);
    document_free(document);
    return *slot;
}
