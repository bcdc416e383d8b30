/* SPDX-License-Identifier: Apache-2.0
 *
 * Selectors over labels: validity and matching as apimachinery's labels package
 * and component-helpers' nodeaffinity package have them.
 */
#include "ballast/model/selector.h"

#include "ballast/base/str.h"

/* Go's strconv.ParseInt(text, 10, 64). */
static bool
parse_integer(const char *text, int64_t *ret)
{
    bool negative = text[0] == '-';
    const char *digit = text + (text[0] == '-' || text[0] == '+');
    int64_t value = 0;

    if (*digit == '\0') {
        return false;
    }
    for (; *digit != '\0'; digit++) {
        if (*digit < '0' || *digit > '9') {
            return false;
        }
        int step = negative ? '0' - *digit : *digit - '0';

        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, step, &value)) {
            return false;
        }
    }
    *ret = value;
    return true;
}

static bool
has_one_integer(const struct str_list *values)
{
    int64_t ignored;

    return values->count == 1 && parse_integer(values->items[0], &ignored);
}

bool
label_values_are_valid(const struct str_list *values)
{
    for (uint32_t i = 0; i < values->count; i++) {
        if (!label_value_is_valid(values->items[i])) {
            return false;
        }
    }
    return true;
}

static bool
values_are_valid(const struct selector_requirement *requirement)
{
    return requirement->values_validity == VALIDITY_UNKNOWN
               ? label_values_are_valid(&requirement->values)
               : requirement->values_validity == VALIDITY_VALID;
}

bool
selector_requirement_is_valid(const struct selector_requirement *requirement, bool ordering)
{
    bool fits = false;

    switch (requirement->operator) {
    case SELECTOR_IN:
    case SELECTOR_NOT_IN:
        fits = requirement->values.count > 0;
        break;
    case SELECTOR_EXISTS:
    case SELECTOR_DOES_NOT_EXIST:
        fits = requirement->values.count == 0;
        break;
    case SELECTOR_GT:
    case SELECTOR_LT:
        fits = ordering && has_one_integer(&requirement->values);
        break;
    case SELECTOR_INVALID:
        break;
    }
    return fits && label_key_is_valid(requirement->key) && values_are_valid(requirement);
}

static bool
compares(const struct selector_requirement *requirement, const char *value)
{
    int64_t have, bound;

    if (value == NULL || requirement->values.count != 1 || !parse_integer(value, &have) ||
        !parse_integer(requirement->values.items[0], &bound)) {
        return false;
    }
    return requirement->operator== SELECTOR_GT ? have > bound : have<bound;
}

bool
selector_requirement_takes(const struct selector_requirement *requirement, const char *value)
{
    switch (requirement->operator) {
    case SELECTOR_IN:
        return value != NULL && str_list_has(&requirement->values, value);
    case SELECTOR_NOT_IN:
        return value == NULL || !str_list_has(&requirement->values, value);
    case SELECTOR_EXISTS:
        return value != NULL;
    case SELECTOR_DOES_NOT_EXIST:
        return value == NULL;
    case SELECTOR_GT:
    case SELECTOR_LT:
        return compares(requirement, value);
    case SELECTOR_INVALID:
        break;
    }
    return false;
}

bool
selector_requirement_matches(const struct selector_requirement *requirement,
                             const struct label_list *labels)
{
    return selector_requirement_takes(requirement, label_list_find(labels, requirement->key));
}

static bool
requirements_match(const struct requirement_list *requirements, const struct label_list *labels)
{
    for (uint32_t i = 0; i < requirements->count; i++) {
        if (!selector_requirement_matches(&requirements->items[i], labels)) {
            return false;
        }
    }
    return true;
}

static bool
requirements_are_valid(const struct requirement_list *requirements, bool ordering)
{
    for (uint32_t i = 0; i < requirements->count; i++) {
        if (!selector_requirement_is_valid(&requirements->items[i], ordering)) {
            return false;
        }
    }
    return true;
}

bool
label_selector_is_valid(const struct label_selector *selector)
{
    for (uint32_t i = 0; i < selector->match_labels.count; i++) {
        const struct label *label = &selector->match_labels.items[i];

        if (!label_key_is_valid(label->key) || !label_value_is_valid(label->value)) {
            return false;
        }
    }
    return requirements_are_valid(&selector->match_expressions, false);
}

/* Checks validity last: most selectors fail before. */
bool
label_selector_matches(const struct label_selector *selector, const struct label_list *labels)
{
    return selector != NULL && label_list_has_all(labels, &selector->match_labels) &&
           requirements_match(&selector->match_expressions, labels) &&
           label_selector_is_valid(selector);
}

enum selector_operator
selector_operator_parse(const char *text)
{
    static const struct {
        const char *name;
        enum selector_operator operator;
    } operators[] = {
        {"In", SELECTOR_IN},         {"NotIn", SELECTOR_NOT_IN},
        {"Exists", SELECTOR_EXISTS}, {"DoesNotExist", SELECTOR_DOES_NOT_EXIST},
        {"Gt", SELECTOR_GT},         {"Lt", SELECTOR_LT},
    };

    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        if (str_eq(operators[i].name, text)) {
            return operators[i].operator;
        }
    }
    return SELECTOR_INVALID;
}

static bool
requirement_equal(const struct selector_requirement *a, const struct selector_requirement *b)
{
    return str_eq(a->key, b->key) && str_eq(a->operator_text, b->operator_text) &&
           str_list_equal(&a->values, &b->values);
}

LIST_EQUAL(, requirement_list, requirement_equal)

bool
label_selector_equal(const struct label_selector *a, const struct label_selector *b)
{
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return label_list_equal(&a->match_labels, &b->match_labels) &&
           requirement_list_equal(&a->match_expressions, &b->match_expressions);
}
