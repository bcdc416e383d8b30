/* SPDX-License-Identifier: Apache-2.0
 *
 * What a YAML scalar means: YAML 1.1 as kubectl resolves it, which is neither
 * the letter of that standard (no base 60, timestamps stay strings) nor of the
 * next (yes and no are booleans, a leading 0 is octal).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/wide.h"
#include "ballast/format/value_build.h"
#include "yaml_tree.h"

/* Longer texts are no numbers. */
#define NUMBER_LENGTH_MAX 400

enum scalar_type { SCALAR_NULL, SCALAR_BOOL, SCALAR_INTEGER, SCALAR_REAL, SCALAR_STRING };

struct scalar {
    enum scalar_type type;
    bool b;
    int64_t integer;
    double real;
};

static bool
is_one_of(const char *text, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (strcmp(text, *words) == 0) {
            return true;
        }
    }
    return false;
}

static bool
resolve_word(const char *text, struct scalar *ret)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const trues[] = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                        "True", "TRUE", "on",  "On",  "ON",  NULL};
    static const char *const falses[] = {"n",     "N",     "no",  "No",  "NO",  "false",
                                         "False", "FALSE", "off", "Off", "OFF", NULL};
    static const char *const nans[] = {".nan", ".NaN", ".NAN", NULL};
    static const char *const infinities[] = {".inf",  ".Inf",  ".INF",  "+.inf", "+.Inf",
                                             "+.INF", "-.inf", "-.Inf", "-.INF", NULL};

    if (is_one_of(text, nulls)) {
        ret->type = SCALAR_NULL;
    } else if (is_one_of(text, trues) || is_one_of(text, falses)) {
        ret->type = SCALAR_BOOL;
        ret->b = is_one_of(text, trues);
    } else if (is_one_of(text, nans) || is_one_of(text, infinities)) {
        ret->type = SCALAR_REAL;
        ret->real = (double)NAN;
    } else {
        return false;
    }
    return true;
}

/* Returns the base of a number's prefix, as Go's ParseInt with base 0. */
static unsigned
pass_prefix(const char **text)
{
    const char *t = *text;

    if (t[0] != '0' || t[1] == '\0') {
        return 10;
    }
    *text += 2;
    switch (t[1]) {
    case 'x':
    case 'X':
        return 16;
    case 'o':
    case 'O':
        return 8;
    case 'b':
    case 'B':
        return 2;
    default:
        *text -= 1;
        return 8;
    }
}

static unsigned
digit_value(char c)
{
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    if (c >= 'a' && c <= 'f') {
        return (unsigned)(c - 'a') + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return (unsigned)(c - 'A') + 10;
    }
    return 99;
}

static bool
resolve_integer(const char *text, struct scalar *ret)
{
    bool has_sign = text[0] == '-' || text[0] == '+';
    bool negative = text[0] == '-';
    uint64_t magnitude = 0;

    text += has_sign ? 1 : 0;
    unsigned base = pass_prefix(&text);

    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        unsigned digit = digit_value(*text);

        if (digit >= base || __builtin_mul_overflow(magnitude, base, &magnitude) ||
            __builtin_add_overflow(magnitude, digit, &magnitude)) {
            return false;
        }
    }
    ret->type = SCALAR_INTEGER;
    if (magnitude <= INT64_MAX) {
        ret->integer = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    } else if (negative && magnitude == (uint64_t)INT64_MAX + 1) {
        ret->integer = INT64_MIN;
    } else if (!has_sign) {
        ret->type = SCALAR_REAL;
        ret->real = (double)magnitude;
    } else {
        return false;
    }
    return true;
}

static const char *
pass_digits(const char *text)
{
    while (*text >= '0' && *text <= '9') {
        text++;
    }
    return text;
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? */
static bool
is_real(const char *text)
{
    text += *text == '-' || *text == '+' ? 1 : 0;
    const char *behind = pass_digits(text);
    bool has_digits = behind > text;

    if (*behind == '.') {
        const char *fraction = behind + 1;

        behind = pass_digits(fraction);
        has_digits = has_digits || behind > fraction;
    }
    if (!has_digits) {
        return false;
    }
    if (*behind == 'e' || *behind == 'E') {
        behind += behind[1] == '-' || behind[1] == '+' ? 2 : 1;
        if (pass_digits(behind) == behind) {
            return false;
        }
        behind = pass_digits(behind);
    }
    return *behind == '\0';
}

static bool
resolve_number(const char *text, size_t length, struct scalar *ret)
{
    char plain[NUMBER_LENGTH_MAX + 1];
    size_t used = 0;

    if (length > NUMBER_LENGTH_MAX || strchr("+-.0123456789", text[0]) == NULL) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '_') {
            plain[used++] = text[i];
        }
    }
    plain[used] = '\0';
    if (text[0] != '.' && resolve_integer(plain, ret)) {
        return true;
    }
    if (!is_real(plain)) {
        return false;
    }
    ret->type = SCALAR_REAL;
    ret->real = strtod(plain, NULL);
    return isfinite(ret->real);
}

static struct scalar
resolve_plain(const char *text, size_t length)
{
    struct scalar scalar = {.type = SCALAR_STRING};

    if (strlen(text) != length) {
        return scalar;
    }
    if (!resolve_word(text, &scalar) && !resolve_number(text, length, &scalar)) {
        scalar.type = SCALAR_STRING;
    }
    return scalar;
}

/* True if the scalar fits an explicit tag. Tags other than these and binary make it a string. */
static bool
fits_tag(const char *tag, struct scalar *scalar)
{
    if (strcmp(tag, "null") == 0) {
        return scalar->type == SCALAR_NULL;
    }
    if (strcmp(tag, "bool") == 0) {
        return scalar->type == SCALAR_BOOL;
    }
    if (strcmp(tag, "int") == 0) {
        return scalar->type == SCALAR_INTEGER;
    }
    if (strcmp(tag, "float") == 0) {
        return scalar->type == SCALAR_INTEGER || scalar->type == SCALAR_REAL;
    }
    scalar->type = SCALAR_STRING;
    return strcmp(tag, "binary") != 0;
}

/* kubectl writes 3.0 as 3 when it converts YAML to JSON. */
static struct value *
new_number(struct arena *arena, double real)
{
    if (real >= -9.2e18 && real <= 9.2e18 && floor(real) <= real && floor(real) >= real) {
        return value_new_integer(arena, pin_real(real));
    }
    return value_new_real(arena, real);
}

static struct value *
make_value(const struct yaml_node *node, const struct scalar *scalar, struct arena *arena,
           struct error *err)
{
    struct value *value = NULL;

    switch (scalar->type) {
    case SCALAR_NULL:
        return value_new(arena, VALUE_NULL);
    case SCALAR_BOOL:
        return value_new_bool(arena, scalar->b);
    case SCALAR_INTEGER:
        return value_new_integer(arena, scalar->integer);
    case SCALAR_REAL:
        value = new_number(arena, scalar->real);
        if (value == NULL) {
            error_set(err, ERROR_PARSE, "%s is not a number that JSON has", node->text);
        }
        return value;
    case SCALAR_STRING:
    default:
        value = value_new_string(arena, node->text, node->length);
        if (value == NULL) {
            error_set(err, ERROR_PARSE, "a string with a NUL character or invalid UTF-8");
        }
        return value;
    }
}

struct value *
yaml_resolve(const struct yaml_node *node, struct arena *arena, struct error *err)
{
    struct scalar scalar = {.type = SCALAR_STRING};

    if (node->is_plain || node->tag != NULL) {
        scalar = resolve_plain(node->text, node->length);
    }
    if (node->tag != NULL && !fits_tag(node->tag, &scalar)) {
        error_set(err, ERROR_PARSE, "the tag !!%s does not fit the value", node->tag);
        return NULL;
    }
    return make_value(node, &scalar, arena, err);
}

bool
yaml_needs_quotes(const char *text, size_t length)
{
    return resolve_plain(text, length).type != SCALAR_STRING;
}
