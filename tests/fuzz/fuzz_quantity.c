/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantities: the input is two texts apart by a space. What must hold for any
 * two amounts is checked, not only that nothing breaks.
 */
#include <stdint.h>
#include <string.h>

#include "ballast/model/quantity.h"

#define NANOS 1000000000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
require(bool condition, const char *what)
{
    if (!condition) {
        BUG("%s", what);
    }
}

static void
check_plain_text_gives_it_back(struct quantity q)
{
    char text[QUANTITY_TEXT_MAX];
    struct quantity again;
    struct error err = ERROR_INIT;

    quantity_format(q, text);
    require(quantity_parse(text, strlen(text), &again, &err), "plain text refused");
    require(again.nano == q.nano, "plain text means something else");
}

static void
check_conversions(struct quantity q)
{
    nanos128 value = quantity_value(q);
    nanos128 milli = quantity_milli_value(q);

    if (q.nano >= 0 && q.nano <= (nanos128)INT64_MAX * NANOS) {
        require(value * NANOS >= q.nano && value * NANOS - q.nano < NANOS, "Value rounds up");
    }
    if (q.nano >= 0 && q.nano <= (nanos128)INT64_MAX * (NANOS / 1000)) {
        require(milli * (NANOS / 1000) >= q.nano, "MilliValue is too small");
        require(milli * (NANOS / 1000) - q.nano < NANOS / 1000, "MilliValue rounds up");
    }
    /* Up to 1: a big form rounds -0.5 to 1, as upstream. */
    require(q.nano >= 0 || (value <= 1 && milli <= 1), "a negative amount looks like room");
    require((q.nano == 0) <= (value == 0 && milli == 0), "zero is zero");
}

static struct quantity
negative(struct quantity q)
{
    q.nano = -q.nano;
    return q;
}

static void
check_pair(struct quantity a, struct quantity b)
{
    struct quantity sum = quantity_sub(a, negative(b));
    nanos128 limit = (nanos128)1 << 125;

    require(sum.nano == quantity_sub(b, negative(a)).nano, "addition commutes");
    require(quantity_cmp(a, b) == -quantity_cmp(b, a), "comparison is antisymmetric");
    require(quantity_sub(a, a).nano == 0, "a - a is 0");
    if (a.nano < limit && a.nano > -limit && b.nano < limit && b.nano > -limit) {
        require(quantity_sub(sum, b).nano == a.nano, "a + b - b is a");
        require(quantity_cmp(a, b) == quantity_cmp(quantity_sub(a, b), quantity_from_int(0)),
                "a <=> b is the sign of a - b");
    }
    check_conversions(sum);
    check_conversions(quantity_sub(a, b));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *space = size > 0 ? memchr(text, ' ', size) : NULL;
    size_t first = space != NULL ? (size_t)(space - text) : size;
    struct quantity a, b;
    struct error err = ERROR_INIT;

    if (!quantity_parse(text, first, &a, &err)) {
        require(err.code == ERROR_INVALID && err.message[0] != '\0', "refused without a reason");
        return 0;
    }
    check_plain_text_gives_it_back(a);
    check_conversions(a);
    if (space != NULL && quantity_parse(space + 1, size - first - 1, &b, &err)) {
        check_pair(a, b);
    }
    return 0;
}
