/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses label selectors with the grammar of k8s.io/apimachinery pkg/labels/selector.go. `in` and
 * `notin` are operators only where the grammar wants one, so labels may have these names.
 */
#include "selector_text.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"

#define KEY_NAME_MAX 63
#define VALUE_MAX 63
#define SIGNS "=!(),<>"
#define SPACES " \t\r\n"

enum token {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_NOT,
    TOKEN_EQUAL,
    TOKEN_NOT_EQUAL,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_COMMA,
    TOKEN_GREATER,
    TOKEN_LESS,
};

struct selector_parser {
    struct arena *arena;
    const char *rest; /* text after the token */
    enum token token; /* current token */
    const char *word; /* text of the token */
    struct error *err;
};

static bool
is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static enum token
sign_token(const char *at, size_t *ret_length)
{
    static const struct {
        const char *text;
        enum token token;
    } signs[] = {
        {"!=", TOKEN_NOT_EQUAL}, {"==", TOKEN_EQUAL},  {"=", TOKEN_EQUAL},
        {"!", TOKEN_NOT},        {"(", TOKEN_OPEN},    {")", TOKEN_CLOSE},
        {",", TOKEN_COMMA},      {">", TOKEN_GREATER}, {"<", TOKEN_LESS},
    };

    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        *ret_length = strlen(signs[i].text);
        if (strncmp(at, signs[i].text, *ret_length) == 0) {
            return signs[i].token;
        }
    }
    return TOKEN_WORD;
}

static void
next_token(struct selector_parser *parser)
{
    const char *at = parser->rest + strspn(parser->rest, SPACES);
    size_t length = 0;

    if (*at == '\0') {
        parser->token = TOKEN_END;
    } else if (is_one_of(*at, SIGNS)) {
        parser->token = sign_token(at, &length);
    } else {
        parser->token = TOKEN_WORD;
        length = strcspn(at, SIGNS SPACES);
    }
    parser->word = arena_strndup(parser->arena, at, length);
    parser->rest = at + length;
}

static bool
refuse(struct selector_parser *parser, const char *expected)
{
    if (parser->token == TOKEN_END) {
        return error_set(parser->err, ERROR_PARSE, "want %s, got the end", expected);
    }
    return error_set(parser->err, ERROR_PARSE, "want %s, got \"%s\"", expected, parser->word);
}

bool
label_key_validate(const char *key, struct error *err)
{
    const char *slash = strchr(key, '/');
    const char *name = slash != NULL ? slash + 1 : key;

    if (slash != NULL && !label_prefix_is_valid(key, (size_t)(slash - key))) {
        return error_set(err, ERROR_PARSE,
                         "label key \"%s\": what is before the slash must be a DNS name", key);
    }
    if (strlen(name) > KEY_NAME_MAX) {
        return error_set(err, ERROR_PARSE, "label key \"%s\": longer than %d", key, KEY_NAME_MAX);
    }
    if (str_is_empty(name) || !label_value_is_valid(name)) {
        return error_set(err, ERROR_PARSE,
                         "label key \"%s\": want letters, digits and inner '-', '_', '.'", key);
    }
    return true;
}

bool
label_value_validate(const char *value, struct error *err)
{
    if (strlen(value) > VALUE_MAX) {
        return error_set(err, ERROR_PARSE, "label value \"%s\": longer than %d", value, VALUE_MAX);
    }
    if (!label_value_is_valid(value)) {
        return error_set(err, ERROR_PARSE,
                         "label value \"%s\": want letters, digits and inner '-', '_', '.'", value);
    }
    return true;
}

static void
list_add(struct arena *arena, struct str_list *list, const char *value)
{
    const char **items = ARENA_ARRAY(arena, const char *, (size_t)list->count + 1);

    if (list->count > 0) {
        memcpy(items, list->items, list->count * sizeof(*items));
    }
    items[list->count] = value;
    *list = (struct str_list){.items = items, .count = list->count + 1, .present = true};
}

/* Upstream keeps a set, so duplicates are dropped. */
static bool
take_value(struct selector_parser *parser, struct str_list *values, const char *value)
{
    if (!label_value_validate(value, parser->err)) {
        return false;
    }
    if (!str_list_has(values, value)) {
        list_add(parser->arena, values, value);
    }
    return true;
}

/* Parses "(a,b)". An empty place between commas is the empty value, as upstream. */
static bool
parse_values(struct selector_parser *parser, struct str_list *values)
{
    if (parser->token != TOKEN_OPEN) {
        return refuse(parser, "(");
    }
    do {
        const char *value = "";

        next_token(parser);
        if (parser->token == TOKEN_WORD) {
            value = parser->word;
            next_token(parser);
        }
        if (!take_value(parser, values, value)) {
            return false;
        }
    } while (parser->token == TOKEN_COMMA);
    if (parser->token != TOKEN_CLOSE) {
        return refuse(parser, ", or )");
    }
    next_token(parser);
    return true;
}

/* Parses the value after = or !=. Nothing there is the empty value. */
static bool
parse_exact_value(struct selector_parser *parser, struct str_list *values)
{
    if (parser->token == TOKEN_END || parser->token == TOKEN_COMMA) {
        return take_value(parser, values, "");
    }
    if (parser->token != TOKEN_WORD) {
        return refuse(parser, "a value");
    }
    if (!take_value(parser, values, parser->word)) {
        return false;
    }
    next_token(parser);
    return true;
}

static bool
set_operator(struct selector_requirement *requirement, const char *operator_text)
{
    requirement->operator_text = operator_text;
    requirement->operator= selector_operator_parse(operator_text);
    return true;
}

static bool
parse_operation(struct selector_parser *parser, struct selector_requirement *requirement)
{
    enum token token = parser->token;
    bool in = token == TOKEN_WORD && str_eq(parser->word, "in");
    bool not_in = token == TOKEN_WORD && str_eq(parser->word, "notin");

    if (token == TOKEN_END || token == TOKEN_COMMA) {
        return set_operator(requirement, "Exists");
    }
    if (token == TOKEN_GREATER || token == TOKEN_LESS) {
        return error_set(parser->err, ERROR_PARSE,
                         "a label selector knows =, ==, !=, in and notin, but not \"%s\"",
                         parser->word);
    }
    if (!in && !not_in && token != TOKEN_EQUAL && token != TOKEN_NOT_EQUAL) {
        return refuse(parser, "=, ==, !=, in, notin or a comma");
    }
    set_operator(requirement, in || token == TOKEN_EQUAL ? "In" : "NotIn");
    next_token(parser);
    return in || not_in ? parse_values(parser, &requirement->values)
                        : parse_exact_value(parser, &requirement->values);
}

static bool
parse_requirement(struct selector_parser *parser, struct selector_requirement *requirement)
{
    bool absent = parser->token == TOKEN_NOT;

    if (absent) {
        next_token(parser);
    }
    if (parser->token != TOKEN_WORD) {
        return refuse(parser, "a label key");
    }
    if (!label_key_validate(parser->word, parser->err)) {
        return false;
    }
    requirement->key = parser->word;
    next_token(parser);
    return absent ? set_operator(requirement, "DoesNotExist")
                  : parse_operation(parser, requirement);
}

const struct label_selector *
selector_parse(struct arena *arena, const char *text, struct error *err)
{
    struct selector_parser parser = {.arena = arena, .rest = text, .err = err};
    VEC_OF(struct selector_requirement) found = VEC_INIT;
    bool ok = true;

    next_token(&parser);
    while (ok && (parser.token != TOKEN_END || found.count > 0)) {
        ok = parse_requirement(&parser, vec_push(&found));
        if (!ok || parser.token == TOKEN_END) {
            break;
        }
        ok = parser.token == TOKEN_COMMA || refuse(&parser, "a comma or the end");
        next_token(&parser);
    }
    struct label_selector *selector = ARENA_NEW(arena, struct label_selector);

    selector->match_expressions = (struct requirement_list){
        vec_to_arena(&found, arena), pin_uint32(found.count), found.count > 0};
    vec_free(&found);
    return ok ? selector : NULL;
}
