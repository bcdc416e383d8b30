/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pod of a template asks of a node, in the form in which Karmada keeps it
 * (karmada pkg/util/helper/binding.go, GenerateReplicaRequirements): KubeFed has
 * no such form of its own.
 */
#include <inttypes.h>

#include "ballast/format/value_text.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

static void
write_requests(const struct resource_amounts *amounts, struct buf *out)
{
    buf_append_str(out, "{\"resourceRequest\":{");
    for (uint32_t i = 0; i < amounts->count; i++) {
        const struct resource_amount *item = &amounts->items[i];

        buf_append_str(out, i > 0 ? "," : "");
        text_write_string(item->name, strlen(item->name), out);
        buf_printf(out, ":\"%" PRId64 "%s\"", item->amount, str_eq(item->name, "cpu") ? "m" : "");
    }
    buf_append_char(out, '}');
}

static void
write_member(const char *key, const struct value *value, const char **comma, struct buf *out)
{
    if (value_is_set(value) && value_count(value) > 0) {
        buf_printf(out, "%s\"%s\":", *comma, key);
        value_write_json(value, true, out);
        *comma = ",";
    }
}

static void
write_node_claim(const struct value *spec, struct buf *out)
{
    const struct value *affinity = value_get(value_get(spec, "affinity"), "nodeAffinity");
    const char *comma = ",\"nodeClaim\":{";

    write_member("hardNodeAffinity",
                 value_get(affinity, "requiredDuringSchedulingIgnoredDuringExecution"), &comma,
                 out);
    write_member("nodeSelector", value_get(spec, "nodeSelector"), &comma, out);
    write_member("tolerations", value_get(spec, "tolerations"), &comma, out);
    buf_append_str(out, str_eq(comma, ",") ? "}" : "");
}

static struct requirements *
decode_requirements(struct decoder *decoder, const struct buf *text)
{
    struct requirements *requirements = ARENA_NEW(decoder->arena, struct requirements);
    struct document *document = document_parse_json(buf_text(text), text->length, 1, decoder->err);
    bool done = document != NULL &&
                decode_object(decoder, requirements_table, document_root(document), requirements);

    document_free(document);
    return done ? requirements : NULL;
}

const struct requirements *
template_requirements(struct decoder *decoder, const struct value *pod_spec)
{
    struct fleet_builder *builder = builder_of(decoder);
    const char *priority_class = value_text(pod_spec, "priorityClassName");
    struct pod pod;
    struct buf text;

    if (!pod_requests_decode(decoder, pod_spec, NULL, &pod)) {
        return NULL;
    }
    buf_init(&text, SIZE_MAX);
    write_requests(&pod.requests, &text);
    write_node_claim(pod_spec, &text);
    if (!str_is_empty(priority_class)) {
        buf_append_str(&text, ",\"priorityClassName\":");
        text_write_string(priority_class, strlen(priority_class), &text);
    }
    buf_append_char(&text, '}');
    void **slot = builder_slot_by_text(builder, 't', buf_text(&text), text.length);

    if (*slot == NULL) {
        struct requirements *requirements = decode_requirements(decoder, &text);

        if (requirements != NULL) {
            requirements->id = builder->fleet->n_requirements++;
        }
        *slot = requirements;
    }
    buf_release(&text);
    return *slot;
}
