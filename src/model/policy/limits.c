/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits as values.
 */
#include "ballast/model/limits.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "ballast/base/str.h"

const char *
limit_rule_key(enum limit_rule rule)
{
    static const char *const keys[] = {
#define X(id, key, text) key,
        LIMIT_RULES(X)
#undef X
    };

    return keys[rule];
}

bool
limit_parse(const char *text, struct limit *ret)
{
    char *end;

    if (str_eq(text, "-1")) {
        *ret = (struct limit){.unit = LIMIT_UNIT_NONE};
        return true;
    }
    if (!isdigit((unsigned char)text[0])) {
        return false;
    }
    errno = 0;
    long long value = strtoll(text, &end, 10);

    if (errno != 0 || (*end != '\0' && (!str_eq(end, "%") || value > 100))) {
        return false;
    }
    *ret =
        (struct limit){.unit = *end == '%' ? LIMIT_UNIT_PERCENT : LIMIT_UNIT_COUNT, .value = value};
    return true;
}

int64_t
limit_allows(const struct limit *limit, int64_t whole)
{
    if (limit->unit == LIMIT_UNIT_NONE) {
        return LIMIT_OPEN;
    }
    if (limit->unit == LIMIT_UNIT_COUNT) {
        return limit->value;
    }
    /* whole * value / 100 without overflow */
    int64_t share = whole / 100 * limit->value + whole % 100 * limit->value / 100;

    return share < 1 && limit->value > 0 ? 1 : share;
}

bool
limits_any(const struct limits *limits)
{
    for (int rule = 0; rule < N_LIMIT_RULES; rule++) {
        if (limits->of[rule].unit != LIMIT_UNIT_NONE) {
            return true;
        }
    }
    return false;
}
