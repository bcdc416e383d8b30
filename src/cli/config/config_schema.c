/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the configuration's JSON Schema (2020-12) from the table of keys, for editors and for
 * checks without Ballast. Ballast refuses all that the schema refuses, apart from some
 * undocumented spellings. The schema refuses what Ballast refuses, as far as a schema can.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/buf.h"
#include "ballast/report/emitter.h"
#include "config_key.h"

#define SCHEMA_DIALECT "https://json-schema.org/draft/2020-12/schema"
#define DIGITS "[0-9]"
#define AMOUNT "(" DIGITS "+(\\.[0-9]*)?|\\.[0-9]+)"
#define NO_AMOUNT "(0+(\\.0*)?|\\.0+)"
#define UNIT "(ns|us|\xC2\xB5s|\xCE\xBCs|ms|s|m|h)"
/* duration_parse, without negative spans */
#define DURATION_PATTERN "^(\\+?(0|(" AMOUNT UNIT ")+)|-(0|(" NO_AMOUNT UNIT ")+))$"
/* limit_parse */
#define LIMIT_PATTERN "^(-1|" DIGITS "+|0*(100|" DIGITS "{1,2})%)$"
/* setting_list, of one word; setting_kinds */
#define NAME_PATTERN "^[^, \\t]([^,]*[^, \\t])?$"
#define KIND_PATTERN "^[A-Z]([^,]*[^, \\t])?$"
/* pushgateway_check_url, without checks of host and port */
#define URL_PATTERN "^https?://[^/?#@\\s][^?#@\\s]*$"
/* label_key_validate, label_value_validate */
#define DNS_LABEL "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#define LABEL_TEXT "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
#define LABEL_KEY_PATTERN "^(" DNS_LABEL "(\\." DNS_LABEL ")*/)?" LABEL_TEXT "$"
#define LABEL_VALUE_PATTERN "^(" LABEL_TEXT ")?$"

static void emit_table(struct emitter *out, const struct config_key *table);

/* null counts as left out */
static void
emit_type(struct emitter *out, const char *type, bool is_required)
{
    if (is_required) {
        emit_string(out, "type", type);
        return;
    }
    emit_list(out, "type");
    emit_string(out, NULL, type);
    emit_string(out, NULL, "null");
    emit_end(out);
}

static void
emit_items(struct emitter *out, const char *pattern)
{
    emit_object(out, "items");
    emit_string(out, "type", "string");
    emit_string(out, "pattern", pattern);
    emit_end(out);
}

/* Returns "^([Uu]nplaced|...)s?$": accepted names of findings that may trigger, or never do. */
static void
trigger_pattern(struct buf *ret, bool may_trigger)
{
    const char *bar = "";

    buf_init(ret, SIZE_MAX / 2);
    buf_append_str(ret, "^(");
    for (int type = 0; type < N_FINDING_TYPES; type++) {
        const char *name = finding_type_name((enum finding_type)type);

        if (finding_type_may_trigger((enum finding_type)type) == may_trigger) {
            buf_printf(ret, "%s[%c%c]%s", bar, name[0], tolower((unsigned char)name[0]), name + 1);
            bar = "|";
        }
    }
    buf_append_str(ret, ")s?$");
}

static void
emit_triggers(struct emitter *out)
{
    struct buf pattern, never;

    trigger_pattern(&pattern, true);
    trigger_pattern(&never, false);
    emit_list(out, "type");
    emit_string(out, NULL, "array");
    emit_string(out, NULL, "object");
    emit_string(out, NULL, "null");
    emit_end(out);
    emit_items(out, buf_text(&pattern));
    emit_object(out, "properties"); /* suggestions for editors */
    for (int type = 0; type < N_FINDING_TYPES; type++) {
        if (finding_type_may_trigger((enum finding_type)type)) {
            emit_object(out, finding_type_name((enum finding_type)type));
            emit_string(out, "description", finding_type_summary((enum finding_type)type));
            emit_string(out, "type", "boolean");
            emit_end(out);
        }
    }
    emit_end(out);
    emit_object(out, "patternProperties");
    emit_object(out, buf_text(&pattern));
    emit_string(out, "type", "boolean");
    emit_end(out);
    emit_object(out, buf_text(&never));
    emit_list(out, "enum");
    emit_bool(out, NULL, false);
    emit_end(out);
    emit_end(out);
    emit_end(out);
    emit_bool(out, "additionalProperties", false);
    buf_release(&pattern);
    buf_release(&never);
}

static void
emit_choice(struct emitter *out, const struct config_key *key)
{
    emit_list(out, "enum");
    for (const struct setting_word *word = key->param.choices; word->name != NULL; word++) {
        emit_string(out, NULL, word->name);
    }
    if (!key->required) {
        emit_null(out, NULL);
    }
    emit_end(out);
}

static void
emit_sources(struct emitter *out)
{
    emit_type(out, "array", false);
    emit_object(out, "items");
    emit_list(out, "enum");
    for (const struct setting_word *word = member_source_words; word->value >= 0; word++) {
        emit_string(out, NULL, word->name);
    }
    emit_end(out);
    emit_end(out);
    emit_bool(out, "uniqueItems", true);
}

static void
emit_labels(struct emitter *out)
{
    emit_type(out, "object", false);
    emit_object(out, "propertyNames");
    emit_string(out, "pattern", LABEL_KEY_PATTERN);
    emit_end(out);
    emit_object(out, "additionalProperties");
    emit_string(out, "type", "string");
    emit_string(out, "pattern", LABEL_VALUE_PATTERN);
    emit_end(out);
}

/* In and NotIn need values, the other operators take none. */
static void
emit_value_rule(struct emitter *out)
{
    emit_object(out, "if");
    emit_object(out, "properties");
    emit_object(out, "operator");
    emit_string(out, "pattern", "In$");
    emit_end(out);
    emit_end(out);
    emit_end(out);
    emit_object(out, "then");
    emit_object(out, "properties");
    emit_object(out, "values");
    emit_string(out, "type", "array");
    emit_integer(out, "minItems", 1);
    emit_end(out);
    emit_end(out);
    emit_list(out, "required");
    emit_string(out, NULL, "values");
    emit_end(out);
    emit_end(out);
    emit_object(out, "else");
    emit_object(out, "properties");
    emit_object(out, "values");
    emit_integer(out, "maxItems", 0);
    emit_end(out);
    emit_end(out);
    emit_end(out);
}

static void
emit_objects(struct emitter *out, const struct config_key *key)
{
    emit_type(out, "array", false);
    emit_object(out, "items");
    emit_string(out, "type", "object");
    emit_table(out, key->table);
    if (key->type->shape == SHAPE_EXPRESSIONS) {
        emit_value_rule(out);
    }
    emit_end(out);
}

static void
emit_object_map(struct emitter *out, const struct config_key *key)
{
    emit_type(out, "object", false);
    emit_object(out, "propertyNames");
    emit_integer(out, "minLength", 1);
    emit_end(out);
    emit_object(out, "additionalProperties");
    emit_string(out, "type", "object");
    emit_table(out, key->table);
    emit_end(out);
}

static void
emit_constant(struct emitter *out, const struct config_key *key)
{
    struct arena *arena = arena_new();
    const char *begin = strchr(key->help, '`') + 1;

    emit_string(out, "const", arena_strndup(arena, begin, strcspn(begin, "`")));
    arena_free(arena);
}

static void
emit_version(struct emitter *out)
{
    emit_list(out, "enum");
    emit_string(out, NULL, CONFIG_API_VERSION);
    emit_string(out, NULL, CONFIG_OLDER_API_VERSION);
    emit_end(out);
}

static void
emit_list_of(struct emitter *out, const char *pattern)
{
    emit_type(out, "array", false);
    emit_items(out, pattern);
}

static void
emit_text(struct emitter *out, const struct config_key *key, const char *pattern)
{
    emit_type(out, "string", key->required);
    if (pattern != NULL) {
        emit_string(out, "pattern", pattern);
    } else {
        emit_integer(out, "minLength", 1);
    }
}

static void
emit_integer_shape(struct emitter *out, const struct config_key *key)
{
    emit_type(out, "integer", key->required);
    emit_integer(out, "minimum", key->param.range.min);
    emit_integer(out, "maximum", key->param.range.max);
}

static void
emit_limit(struct emitter *out)
{
    emit_list(out, "type");
    emit_string(out, NULL, "integer");
    emit_string(out, NULL, "string");
    emit_string(out, NULL, "null");
    emit_end(out);
    emit_integer(out, "minimum", -1);
    emit_string(out, "pattern", LIMIT_PATTERN);
}

static void
emit_collection(struct emitter *out, const struct config_key *key)
{
    switch (key->type->shape) {
    case SHAPE_NAMES:
        emit_list_of(out, NAME_PATTERN);
        break;
    case SHAPE_KINDS:
        emit_list_of(out, KIND_PATTERN);
        break;
    case SHAPE_LABEL_VALUES:
        emit_list_of(out, LABEL_VALUE_PATTERN);
        break;
    case SHAPE_SOURCES:
        emit_sources(out);
        break;
    case SHAPE_TRIGGERS:
        emit_triggers(out);
        break;
    case SHAPE_LABELS:
        emit_labels(out);
        break;
    case SHAPE_OBJECT_MAP:
        emit_object_map(out, key);
        break;
    case SHAPE_OBJECT:
        emit_type(out, "object", key->required);
        emit_table(out, key->table);
        break;
    default:
        emit_objects(out, key);
        break;
    }
}

static void
emit_shape(struct emitter *out, const struct config_key *key)
{
    switch (key->type->shape) {
    case SHAPE_TEXT:
        emit_text(out, key, NULL);
        break;
    case SHAPE_LABEL_KEY:
        emit_text(out, key, LABEL_KEY_PATTERN);
        break;
    case SHAPE_DURATION:
        emit_text(out, key, DURATION_PATTERN);
        break;
    case SHAPE_URL:
        emit_text(out, key, URL_PATTERN);
        break;
    case SHAPE_CONSTANT:
        emit_constant(out, key);
        break;
    case SHAPE_VERSION:
        emit_version(out);
        break;
    case SHAPE_CHOICE:
        emit_choice(out, key);
        break;
    case SHAPE_BOOL:
        emit_type(out, "boolean", key->required);
        break;
    case SHAPE_INTEGER:
        emit_integer_shape(out, key);
        break;
    case SHAPE_LIMIT:
        emit_limit(out);
        break;
    default:
        emit_collection(out, key);
        break;
    }
}

/* Emits "[a, b]" as a list. */
static void
emit_default_list(struct emitter *out, const char *text)
{
    struct arena *arena = arena_new();

    emit_list(out, "default");
    for (const char *word = text + strspn(text, "[ "); *word != ']' && *word != '\0';) {
        size_t length = strcspn(word, ",]");

        emit_string(out, NULL, arena_strndup(arena, word, length));
        word += length;
        word += strspn(word, ", ");
    }
    emit_end(out);
    arena_free(arena);
}

static void
emit_default(struct emitter *out, const struct config_key *key)
{
    const char *text = key->default_text;
    char *end = NULL;

    if (key->type->shape == SHAPE_TRIGGERS) {
        emit_list(out, "default");
        for (int type = 0; type < N_FINDING_TYPES; type++) {
            if (finding_type_default_trigger((enum finding_type)type)) {
                emit_string(out, NULL, finding_type_name((enum finding_type)type));
            }
        }
        emit_end(out);
    } else if (text == NULL) {
        return;
    } else if (key->type->shape == SHAPE_BOOL) {
        emit_bool(out, "default", str_eq(text, "true"));
    } else if (text[0] == '[') {
        emit_default_list(out, text);
    } else {
        long long number = strtoll(text, &end, 10);

        if (end != text && *end == '\0') {
            emit_integer(out, "default", number);
        } else {
            emit_string(out, "default", text);
        }
    }
}

static void
emit_table(struct emitter *out, const struct config_key *table)
{
    struct arena *arena = arena_new();
    size_t n_required = 0;

    emit_bool(out, "additionalProperties", false);
    emit_object(out, "properties");
    for (const struct config_key *key = table; key->name != NULL; key++) {
        emit_object(out, key->name);
        emit_string(out, "description", setting_help(arena, &key->param, key->help));
        emit_shape(out, key);
        emit_default(out, key);
        emit_end(out);
        n_required += key->required ? 1 : 0;
    }
    emit_end(out);
    if (n_required > 0) {
        emit_list(out, "required");
        for (const struct config_key *key = table; key->name != NULL; key++) {
            if (key->required) {
                emit_string(out, NULL, key->name);
            }
        }
        emit_end(out);
    }
    arena_free(arena);
}

void
config_schema(FILE *stream)
{
    struct emitter out;

    emitter_begin(&out, stream, EMIT_JSON);
    emit_object(&out, NULL);
    emit_string(&out, "$schema", SCHEMA_DIALECT);
    emit_string(&out, "title", CONFIG_KIND);
    emit_string(&out, "description", "A configuration of Ballast, as ballast --config takes it.");
    emit_string(&out, "type", "object");
    emit_table(&out, config_keys);
    emit_end(&out);
}
