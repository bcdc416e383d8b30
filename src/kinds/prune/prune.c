/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts objects down by the tables of their kinds. A value of a wrong type becomes an empty value of
 * that type: a reader of the snapshot refuses it for the same reason.
 */
#include "prune_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "ballast/base/heap.h"
#include "ballast/base/timestamp.h"
#include "ballast/format/value_text.h"
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"
#include "kinds/decode/decoders.h"
#include "kinds/member/member_decoders.h"
#include "prune_state.h"
#include "redact.h"

#define OWN_ANNOTATIONS "ballast.io/"
#define WORD_MAX 48

static void write_object(const struct walk *walk, const struct field *rules,
                         const struct value *value);

struct pruner *
pruner_new(bool redact)
{
    struct pruner *pruner = heap_new(1, sizeof(*pruner));

    pruner->redactor = redact ? redactor_new() : NULL;
    pruner->scratch = fleet_builder_new();
    pruner->arena = arena_new();
    pruner->templates = map_new();
    return pruner;
}

void
pruner_share(struct pruner *pruner)
{
    pruner->is_shared = true;
}

void
pruner_free(struct pruner *pruner)
{
    if (pruner == NULL) {
        return;
    }
    redactor_free(pruner->redactor);
    fleet_builder_free(pruner->scratch);
    map_free(pruner->templates);
    arena_free(pruner->arena);
    free(pruner);
}

void
pruner_finish(struct pruner *pruner)
{
    if (pruner->redactor != NULL) {
        redactor_finish(pruner->redactor);
    }
}

void
pruner_reveal(const struct pruner *pruner, const char *text, size_t length, struct buf *out)
{
    if (pruner->redactor != NULL) {
        redactor_reveal(pruner->redactor, text, length, out);
    } else {
        buf_append(out, text, length);
    }
}

static bool
is_word(const char *text, bool dots)
{
    size_t length = 0;

    while (length <= WORD_MAX &&
           ((text[length] >= 'a' && text[length] <= 'z') ||
            (text[length] >= 'A' && text[length] <= 'Z') || (dots && text[length] == '.'))) {
        length++;
    }
    return length <= WORD_MAX && text[length] == '\0';
}

static bool
is_time(const char *text)
{
    int64_t ignored;

    return timestamp_parse(text, &ignored) || duration_parse(text, &ignored);
}

static bool
is_quantity(const char *text)
{
    struct error ignored = ERROR_INIT;
    struct quantity quantity;

    return quantity_parse(text, strlen(text), &quantity, &ignored);
}

/* A time, and the mark of a reschedule met only partly. */
static bool
is_reschedule_mark(const char *text)
{
    size_t length = strcspn(text, " ");
    char time[TIMESTAMP_TEXT_MAX];

    if (length >= sizeof(time) || !str_eq(text + length, RESCHEDULED_PARTLY)) {
        return false;
    }
    memcpy(time, text, length);
    time[length] = '\0';
    return is_time(time);
}

static bool
is_setting(const char *text)
{
    static const char *const words[] = {"true",  "yes", "on",  "enabled",  "1",
                                        "false", "no",  "off", "disabled", "0"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcasecmp(text, words[i]) == 0) {
            return true;
        }
    }
    return is_time(text) || is_reschedule_mark(text);
}

#define REPLICAS_PATH "/spec/replicas"

static bool
is_known_group(const char *text)
{
    static const char *const known[] = {"", "apps", "batch", "types.kubefed.io"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (str_eq(text, known[i])) {
            return true;
        }
    }
    return false;
}

/* v1, v2beta1 */
static bool
is_version(const char *text)
{
    size_t length = text[0] == 'v' ? 1 + strspn(text + 1, "0123456789") : 0;

    for (size_t i = 0; length > 1 && i < 2; i++) {
        static const char *const stages[] = {"alpha", "beta"};
        size_t stage = strlen(stages[i]);

        if (strncmp(text + length, stages[i], stage) == 0) {
            length += stage + strspn(text + length + stage, "0123456789");
        }
    }
    return length > 1 && text[length] == '\0';
}

/* "1,3-5" */
static bool
is_index_list(const char *text)
{
    return text[strspn(text, "0123456789,-")] == '\0';
}

/* True if a text of the class holds no name. */
static bool
is_harmless(enum text_class text_class, const char *text)
{
    switch (text_class) {
    case TEXT_WORD:
        return is_word(text, false);
    case TEXT_FIELD:
        return is_word(text, true);
    case TEXT_NUMBER:
        return is_quantity(text) || is_index_list(text) ||
               share_of_pods_parse(text).unit == SHARE_PERCENT;
    case TEXT_TIME:
        return is_time(text);
    case TEXT_PATH:
        return str_eq(text, REPLICAS_PATH);
    case TEXT_POINTER:
        return str_eq(text, REPLICAS_PATH) || str_eq(text, "/spec");
    case TEXT_SCHEDULER:
        return str_eq(text, "default-scheduler");
    case TEXT_ADDRESS:
        return str_eq(text, ANY_ADDRESS);
    case TEXT_GROUP:
        return is_known_group(text) || is_version(text);
    case TEXT_SETTING:
        return is_setting(text);
    default:
        return str_is_empty(text);
    }
}

/* Keeps the two facts that are read from messages: the kubelet's back-off time, and the rule that
 * refused the pod (of a namespace, or of the object). */
static void
write_message(const char *text, struct buf *out)
{
    static const char prefix[] = "back-off ";
    size_t length = strncmp(text, prefix, sizeof(prefix) - 1) == 0
                        ? sizeof(prefix) - 1 + strcspn(text + sizeof(prefix) - 1, " ")
                        : 0;
    const char *of_namespace = refusal_by_namespace(text);
    const char *rule = of_namespace != NULL ? of_namespace : refusal_of_object(text);
    struct buf kept;

    buf_init(&kept, WORD_MAX);
    if (length > sizeof(prefix) - 1 && length < WORD_MAX) {
        buf_append(&kept, text + sizeof(prefix) - 1, length - (sizeof(prefix) - 1));
    }
    if (kept.length > 0 && is_time(buf_text(&kept))) {
        buf_printf(out, "\"%s%s (redacted)\"", prefix, buf_text(&kept));
    } else if (rule != NULL) {
        buf_clear(&kept);
        buf_printf(&kept, "%s (redacted)", rule);
        text_write_string(buf_text(&kept), kept.length, out);
    } else {
        buf_append_str(out, str_is_empty(text) ? "\"\"" : "\"(redacted)\"");
    }
    buf_release(&kept);
}

static void
write_text(const struct walk *walk, enum text_class text_class, const char *text, size_t length)
{
    struct redactor *redactor = walk->pruner->redactor;

    if (redactor == NULL || length == 0 || is_harmless(text_class, text)) {
        text_write_string(text, length, walk->out);
    } else if (text_class == TEXT_MESSAGE) {
        write_message(text, walk->out);
    } else if (text_class == TEXT_PATH) {
        buf_append_str(walk->out, replica_path_sets(text) ? "\"" REPLICAS_PATH "\"" : "\"/\"");
    } else {
        redactor_mark(redactor, text_class < TEXT_MESSAGE ? text_class : TEXT_NAME, walk->label,
                      text, length, walk->out);
    }
}

void
prune_write_blank(const struct value *value, struct buf *out)
{
    static const char *const blank[] = {
        [VALUE_NULL] = "null", [VALUE_BOOL] = "false",  [VALUE_INTEGER] = "0",
        [VALUE_REAL] = "0.0",  [VALUE_STRING] = "\"\"", [VALUE_LIST] = "[]",
        [VALUE_OBJECT] = "{}",
    };

    buf_append_str(out, blank[value_type(value)]);
}

void
prune_write_scalar(const struct walk *walk, enum text_class text_class, const struct value *value)
{
    enum value_type type = value_type(value);

    if (type == VALUE_STRING) {
        write_text(walk, text_class, value_string(value), value_string_length(value));
    } else if (text_class == TEXT_NUMBER && type != VALUE_LIST && type != VALUE_OBJECT) {
        value_write_json(value, false, walk->out);
    } else {
        prune_write_blank(value, walk->out);
    }
}

static void
write_item(const struct walk *walk, const struct field *rule, const struct value *value)
{
    if (rule->table != NULL &&
        (rule->form != PRUNE_WORD_OR_OBJECT || value_type(value) != VALUE_STRING)) {
        write_object(walk, rule->table, value);
    } else {
        prune_write_scalar(walk, rule->text, value);
    }
}

static void
write_list(const struct walk *walk, const struct field *rule, const struct value *value)
{
    if (value_type(value) != VALUE_LIST) {
        prune_write_blank(value, walk->out);
        return;
    }
    buf_append_char(walk->out, '[');
    for (size_t i = 0; i < value_count(value); i++) {
        if (i > 0) {
            buf_append_char(walk->out, ',');
        }
        write_item(walk, rule, value_at(value, i));
    }
    buf_append_char(walk->out, ']');
}

/* Begins a member behind *count others. */
static void
write_key(const struct walk *walk, enum text_class text_class, const char *key, size_t *count)
{
    if ((*count)++ > 0) {
        buf_append_char(walk->out, ',');
    }
    write_text(walk, text_class, key, strlen(key));
    buf_append_char(walk->out, ':');
}

void
prune_write_key(const struct walk *walk, const char *key, size_t *count)
{
    if ((*count)++ > 0) {
        buf_append_char(walk->out, ',');
    }
    text_write_string(key, strlen(key), walk->out);
    buf_append_char(walk->out, ':');
}

static void
write_map(const struct walk *walk, const struct field *rule, const struct value *value)
{
    struct walk inner = *walk;
    size_t count = 0;

    if (value_type(value) != VALUE_OBJECT) {
        prune_write_blank(value, walk->out);
        return;
    }
    buf_append_char(walk->out, '{');
    for (struct value_iterator it = VALUE_ITERATOR(value); value_each(&it);) {
        inner.label = it.key;
        write_key(walk, rule->key, it.key, &count);
        write_item(&inner, rule, it.value);
    }
    buf_append_char(walk->out, '}');
}

static size_t
template_number(struct pruner *pruner, const struct value *value)
{
    struct error ignored = ERROR_INIT;

    builder_decoder(pruner->scratch, &ignored);
    struct digest digest = pod_template_digest(pruner->scratch, value);
    void **slot = map_get(pruner->templates, &digest, sizeof(digest));

    if (slot == NULL) {
        const void *key = arena_memdup(pruner->arena, &digest, sizeof(digest));

        slot = map_put(pruner->templates, key, sizeof(digest), NULL);
        *slot = (void *)(uintptr_t)map_count(pruner->templates);
    }
    return (size_t)(uintptr_t)*slot;
}

/* Writes the text that stands for a template. False: the template equals none at all. */
static bool
name_template(struct pruner *pruner, const struct value *value, char ret[POD_TEMPLATE_NAME_MAX])
{
    if (pruner->is_shared) {
        struct error ignored = ERROR_INIT;

        builder_decoder(pruner->scratch, &ignored);
        return pod_template_name(pruner->scratch, value, ret);
    }
    size_t none = template_number(pruner, NULL);
    size_t number = template_number(pruner, value);

    snprintf(ret, POD_TEMPLATE_NAME_MAX, "%zu", number);
    return number != none;
}

/* Templates are only compared with each other: their texts are equal exactly if the templates are.
 * An empty template equals none at all. */
static void
write_template(const struct walk *walk, const struct value *value)
{
    char name[POD_TEMPLATE_NAME_MAX];

    if (value_type(value) != VALUE_OBJECT || value_count(value) == 0) {
        prune_write_blank(value, walk->out);
        return;
    }
    bool has_name = name_template(walk->pruner, value, name);

    snprintf(walk->pruner->named, sizeof(walk->pruner->named), "%s", has_name ? name : "");
    if (!has_name) {
        buf_append_str(walk->out, "{}");
        return;
    }
    buf_printf(walk->out, "{\"metadata\":{\"annotations\":{\"ballast.io/template\":\"%s\"}}}",
               name);
}

/* NULL: left out. */
static const struct field *
find_rule(const struct walk *walk, const struct field *rules, const char *name)
{
    while (rules->name != NULL && (rules->form == PRUNE_NOT || !str_eq(rules->name, name))) {
        rules++;
    }
    return rules->name != NULL || (rules->form == PRUNE_WHOLE && walk->pruner->redactor == NULL)
               ? rules
               : NULL;
}

/* Writes a JSON text inside a JSON text. An unparsable text stays unparsable. */
static void
write_nested(const struct walk *walk, const struct field *rule, const char *text, size_t length)
{
    size_t most = rule->flags >> FIELD_MOST_SHIFT;
    bool is_read = most == 0 || length <= most;
    struct error ignored = ERROR_INIT;
    struct document *document = is_read ? document_parse_json(text, length, 1, &ignored) : NULL;
    struct buf inner_text;
    struct walk inner = {.pruner = walk->pruner, .label = "", .out = &inner_text};

    buf_init(&inner_text, SIZE_MAX / 2);
    if (document != NULL) {
        write_object(&inner, rule->table, document_root(document));
    } else {
        buf_append_str(&inner_text, length == 0 ? "" : "{");
    }
    if (walk->pruner->redactor != NULL) {
        redactor_mark(walk->pruner->redactor, TEXT_NESTED, "", buf_text(&inner_text),
                      inner_text.length, walk->out);
    } else {
        text_write_string(buf_text(&inner_text), inner_text.length, walk->out);
    }
    document_free(document);
    buf_release(&inner_text);
}

static void
write_annotation(const struct walk *walk, const struct field *rules, const char *key,
                 const struct value *value, size_t *count)
{
    const struct field *rule = find_rule(walk, rules, key);

    if (value_type(value) != VALUE_STRING) { /* the binding is refused for it */
        write_key(walk, TEXT_LABEL_KEY, key, count);
        prune_write_blank(value, walk->out);
    } else if (rule != NULL && rule->form == PRUNE_SCALAR) {
        prune_write_key(walk, key, count);
        prune_write_scalar(walk, rule->text, value);
    } else if (rule != NULL) {
        prune_write_key(walk, key, count);
        write_nested(walk, rule, value_string(value), value_string_length(value));
    } else if (strncmp(key, OWN_ANNOTATIONS, strlen(OWN_ANNOTATIONS)) == 0) {
        prune_write_key(walk, key, count);
        prune_write_scalar(walk, TEXT_SETTING, value);
    }
}

static void
write_annotations(const struct walk *walk, const struct field *rules, const struct value *value)
{
    size_t count = 0;

    if (value_type(value) != VALUE_OBJECT) {
        prune_write_blank(value, walk->out);
        return;
    }
    buf_append_char(walk->out, '{');
    for (struct value_iterator it = VALUE_ITERATOR(value); value_each(&it);) {
        write_annotation(walk, rules, it.key, it.value, &count);
    }
    buf_append_char(walk->out, '}');
}

static void
write_member(const struct walk *walk, const struct field *rule, const struct value *value)
{
    switch (rule->form) {
    case PRUNE_NOT:
        break;
    case PRUNE_SCALAR:
    case PRUNE_OBJECT:
    case PRUNE_WORD_OR_OBJECT:
    case PRUNE_CHOSEN:
        write_item(walk, rule, value);
        break;
    case PRUNE_LIST:
        write_list(walk, rule, value);
        break;
    case PRUNE_MAP:
        write_map(walk, rule, value);
        break;
    case PRUNE_TEMPLATE:
        write_template(walk, value);
        break;
    case PRUNE_ANNOTATIONS:
        write_annotations(walk, rule->table, value);
        break;
    case PRUNE_STATE_RULES:
        prune_state_rules(walk, value);
        break;
    case PRUNE_TOLD_STATUS:
        prune_told_status(walk, rule->table, value);
        break;
    case PRUNE_WHOLE:
        value_write_json(value, false, walk->out);
        break;
    }
}

void
prune_write_members(const struct walk *walk, const struct field *rules, const struct value *value,
                    size_t *count)
{
    const struct field *key_rule = find_rule(walk, rules, "key");
    struct walk inner = *walk;

    if (key_rule != NULL) {
        const char *operator= value_text(value, "operator");

        inner.label = key_rule->text == TEXT_LABEL_KEY ? value_text(value, "key") : "";
        if (walk->pruner->redactor != NULL && (str_eq(operator, "Gt") || str_eq(operator, "Lt"))) {
            redactor_keep_numbers(walk->pruner->redactor, inner.label);
        }
    } else {
        inner.label = "";
    }
    for (struct value_iterator it = VALUE_ITERATOR(value); value_each(&it);) {
        const struct field *rule = find_rule(walk, rules, it.key);

        if (rule != NULL) {
            prune_write_key(walk, it.key, count);
            write_member(&inner, rule, it.value);
        }
    }
}

static void
write_object(const struct walk *walk, const struct field *rules, const struct value *value)
{
    size_t count = 0;

    if (value_type(value) != VALUE_OBJECT) {
        prune_write_blank(value, walk->out);
        return;
    }
    buf_append_char(walk->out, '{');
    prune_write_members(walk, rules, value, &count);
    buf_append_char(walk->out, '}');
}

void
prune_object(struct pruner *pruner, const struct fleet_object *object, struct buf *out)
{
    struct walk walk = {.pruner = pruner, .root = object->value, .label = "", .out = out};
    size_t count = 0;

    buf_append_char(out, '{');
    prune_write_key(&walk, "apiVersion", &count);
    write_text(&walk, TEXT_API, object->api_version, strlen(object->api_version));
    prune_write_key(&walk, "kind", &count);
    write_text(&walk, TEXT_KIND, object->kind, strlen(object->kind));
    prune_write_members(&walk, kind_table(object->api_version, object->kind), object->value,
                        &count);
    buf_append_char(out, '}');
}

void
prune_name(struct pruner *pruner, const char *name, struct buf *out)
{
    struct walk walk = {.pruner = pruner, .label = "", .out = out};

    write_text(&walk, TEXT_NAME, name, strlen(name));
}
