/* SPDX-License-Identifier: Apache-2.0
 *
 * Requirements of a replica as text: what they mean, however they were written.
 */
#include "ballast/model/estimator_answers.h"

#include "ballast/annotations/requirements_key.h"
#include "ballast/base/str.h"
#include "ballast/format/stream.h"
#include "ballast/format/value_text.h"
#include "ballast/model/binding.h"

#define KEY_MAX ((size_t)STREAM_OBJECT_MAX * 2) /* longer than any object's key */

/* An open object or list. */
struct key_writer {
    struct buf *out;
    bool first;
};

static void
next(struct key_writer *writer)
{
    if (!writer->first) {
        buf_append_char(writer->out, ',');
    }
    writer->first = false;
}

static void
write_text(struct key_writer *writer, const char *text)
{
    text_write_string(text, strlen(text), writer->out);
}

static void
write_name(struct key_writer *writer, const char *name)
{
    next(writer);
    write_text(writer, name);
    buf_append_char(writer->out, ':');
}

/* Leaves out empty strings, as Go's omitempty does. */
static void
write_member(struct key_writer *writer, const char *name, const char *text)
{
    if (!str_is_empty(text)) {
        write_name(writer, name);
        write_text(writer, text);
    }
}

static struct key_writer
begin(struct buf *out, char bracket)
{
    buf_append_char(out, bracket);
    return (struct key_writer){out, true};
}

static void
write_expressions(struct key_writer *term, const char *name, const struct requirement_list *list)
{
    if (list->count == 0) {
        return;
    }
    write_name(term, name);
    struct key_writer items = begin(term->out, '[');

    for (uint32_t i = 0; i < list->count; i++) {
        const struct selector_requirement *requirement = &list->items[i];

        next(&items);
        struct key_writer item = begin(term->out, '{');

        write_member(&item, "key", requirement->key);
        write_member(&item, "operator", requirement->operator_text);
        if (requirement->values.count > 0) {
            write_name(&item, "values");
            struct key_writer values = begin(term->out, '[');

            for (uint32_t j = 0; j < requirement->values.count; j++) {
                next(&values);
                write_text(&values, requirement->values.items[j]);
            }
            buf_append_char(term->out, ']');
        }
        buf_append_char(term->out, '}');
    }
    buf_append_char(term->out, ']');
}

static void
write_affinity(struct key_writer *claim, const struct node_selector *selector)
{
    if (!selector->present) {
        return;
    }
    write_name(claim, "hardNodeAffinity");
    buf_append_str(claim->out, "{\"nodeSelectorTerms\":");
    struct key_writer terms = begin(claim->out, '[');

    for (uint32_t i = 0; i < selector->count; i++) {
        next(&terms);
        struct key_writer term = begin(claim->out, '{');

        write_expressions(&term, "matchExpressions", &selector->terms[i].match_expressions);
        write_expressions(&term, "matchFields", &selector->terms[i].match_fields);
        buf_append_char(claim->out, '}');
    }
    buf_append_str(claim->out, "]}");
}

static void
write_tolerations(struct key_writer *claim, const struct toleration_list *tolerations)
{
    if (tolerations->count == 0) {
        return;
    }
    write_name(claim, "tolerations");
    struct key_writer items = begin(claim->out, '[');

    for (uint32_t i = 0; i < tolerations->count; i++) {
        const struct toleration *toleration = &tolerations->items[i];

        next(&items);
        struct key_writer item = begin(claim->out, '{');

        write_member(&item, "effect", toleration->effect);
        write_member(&item, "key", toleration->key);
        write_member(&item, "operator", toleration->operator);
        if (toleration->has_toleration_seconds) {
            write_name(&item, "tolerationSeconds");
            buf_printf(claim->out, "%lld", (long long)toleration->toleration_seconds);
        }
        write_member(&item, "value", toleration->value);
        buf_append_char(claim->out, '}');
    }
    buf_append_char(claim->out, ']');
}

static void
write_claim(struct key_writer *whole, const struct requirements *requirements)
{
    const struct node_claim *from = &requirements->node_claim;

    if (!requirements->has_node_claim) {
        return;
    }
    write_name(whole, "nodeClaim");
    struct key_writer claim = begin(whole->out, '{');

    write_affinity(&claim, &from->hard_node_affinity);
    if (from->node_selector.count > 0) {
        write_name(&claim, "nodeSelector");
        struct key_writer labels = begin(whole->out, '{');

        for (uint32_t i = 0; i < from->node_selector.count; i++) {
            write_name(&labels, from->node_selector.items[i].key);
            write_text(&labels, from->node_selector.items[i].value);
        }
        buf_append_char(whole->out, '}');
    }
    write_tolerations(&claim, &from->tolerations);
    buf_append_char(whole->out, '}');
}

static void
write_request(struct key_writer *whole, const struct resource_list *request)
{
    char text[QUANTITY_TEXT_MAX];

    if (request->count == 0) {
        return;
    }
    write_name(whole, "resourceRequest");
    struct key_writer items = begin(whole->out, '{');

    for (uint32_t i = 0; i < request->count; i++) {
        write_name(&items, request->items[i].name);
        write_text(&items, quantity_format(request->items[i].amount, text));
    }
    buf_append_char(whole->out, '}');
}

const char *
requirements_key(struct arena *arena, const struct requirements *requirements)
{
    struct buf out;

    if (requirements == NULL || requirements->is_absent) {
        return "null";
    }
    buf_init(&out, KEY_MAX);
    struct key_writer whole = begin(&out, '{');

    write_member(&whole, "namespace", requirements->namespace_);
    write_claim(&whole, requirements);
    write_member(&whole, "priorityClassName", requirements->priority_class_name);
    write_request(&whole, &requirements->request);
    buf_append_char(&out, '}');
    const char *key = arena_strndup(arena, buf_text(&out), out.length);

    buf_release(&out);
    return key;
}

const char *
component_set_key(struct arena *arena, const char *namespace_, const struct component *components,
                  uint32_t count)
{
    struct arena *scratch = arena_new();
    struct buf out;

    buf_init(&out, KEY_MAX);
    struct key_writer whole = {&out, true};

    write_member(&whole, "namespace", namespace_);
    write_name(&whole, "components");
    struct key_writer items = begin(&out, '[');

    for (uint32_t i = 0; i < count; i++) {
        next(&items);
        buf_printf(&out, "{\"replicas\":%d", components[i].replicas);
        if (components[i].requirements != NULL) {
            buf_append_str(&out, ",\"replicaRequirements\":");
            buf_append_str(&out, requirements_key(scratch, components[i].requirements));
        }
        buf_append_char(&out, '}');
    }
    buf_append_char(&out, ']');
    const char *key = arena_strndup(arena, buf_text(&out), out.length);

    buf_release(&out);
    arena_free(scratch);
    return key;
}
