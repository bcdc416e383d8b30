/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantities: parsing, arithmetic and conversion as apimachinery's resource
 * package does them, overflow included.
 *
 * We differ from it where its overflow turns something overcommitted into
 * plenty: a large negative amount (allocated exceeds allocatable by more than
 * 9.2 billion units, in some notations) stays negative here.
 */
#include "ballast/model/quantity.h"
#include "ballast/base/wide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NANO_SCALE (-9)
#define NANOS_PER_UNIT 1000000000
#define SMALL_DIGITS 18 /* upstream's maxInt64Factors */
#define POW10_MAX 38    /* 10^38 < 2^127 */
#define NANO_MAX ((nanos128)(~(unsigned __int128)0 >> 1))

static const char *const format_text =
    "want a quantity such as \"500m\", \"1.5\", \"128Mi\" or \"1e3\"";

static nanos128
pow10_128(int64_t exponent)
{
    nanos128 power = 1;

    for (int64_t i = 0; i < exponent; i++) {
        power *= 10;
    }
    return power;
}

/* a * b of non-negative numbers, pinned. */
static nanos128
mul_pinned(nanos128 a, nanos128 b)
{
    nanos128 product;

    return __builtin_mul_overflow(a, b, &product) ? NANO_MAX : product;
}

static nanos128
add_pinned(nanos128 a, nanos128 b)
{
    nanos128 sum;

    if (__builtin_add_overflow(a, b, &sum)) {
        return a > 0 ? NANO_MAX : -NANO_MAX;
    }
    /* Keeps the range symmetric, so that negating is always safe. */
    return sum < -NANO_MAX ? -NANO_MAX : sum;
}

/* ---- parsing ---- */

struct digits {
    const char *text;
    size_t length;
};

struct quantity_parts {
    bool negative;
    bool has_digit;      /* anywhere in the number, leading zeros included */
    struct digits whole; /* digits before the point, without leading zeros; "0": none */
    struct digits fraction;
    struct digits suffix;
};

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool
is_suffix_letter(char c)
{
    return c != '\0' && strchr("eEinumkKMGTP", c) != NULL;
}

static struct digits
take_digits(const char **at, const char *end)
{
    const char *start = *at;

    while (*at < end && is_digit(**at)) {
        (*at)++;
    }
    return (struct digits){start, (size_t)(*at - start)};
}

/* The point needs no digit on either side, and the sign needs none either: "." and "-" are 0. */
static void
take_number(const char **at, const char *end, struct quantity_parts *parts)
{
    if (*at < end && (**at == '-' || **at == '+')) {
        parts->negative = **at == '-';
        (*at)++;
    }
    const char *start = *at;

    while (*at < end && **at == '0') {
        (*at)++;
    }
    parts->has_digit = *at > start;
    parts->whole = take_digits(at, end);
    parts->has_digit = parts->has_digit || parts->whole.length > 0;
    if (parts->whole.length == 0) {
        parts->whole = (struct digits){"0", 1};
    }
    if (*at < end && **at == '.') {
        (*at)++;
        parts->fraction = take_digits(at, end);
        parts->has_digit = parts->has_digit || parts->fraction.length > 0;
    }
}

/* False if text follows the suffix. */
static bool
take_apart(const char *text, size_t length, struct quantity_parts *parts)
{
    const char *at = text;
    const char *end = text + length;

    *parts = (struct quantity_parts){.fraction = {"", 0}};
    take_number(&at, end, parts);
    const char *suffix = at;

    while (at < end && is_suffix_letter(*at)) {
        at++;
    }
    if (at < end && (*at == '-' || *at == '+')) {
        at++;
    }
    take_digits(&at, end);
    parts->suffix = (struct digits){suffix, (size_t)(at - suffix)};
    return at == end;
}

/* Value of a suffix: base^exponent. */
struct magnitude {
    int base;
    int32_t exponent;
};

static const struct {
    const char *text;
    struct magnitude magnitude;
} suffixes[] = {
    {"", {10, 0}},   {"n", {10, -9}}, {"u", {10, -6}}, {"m", {10, -3}},
    {"k", {10, 3}},  {"M", {10, 6}},  {"G", {10, 9}},  {"T", {10, 12}},
    {"P", {10, 15}}, {"E", {10, 18}}, {"Ki", {2, 10}}, {"Mi", {2, 20}},
    {"Gi", {2, 30}}, {"Ti", {2, 40}}, {"Pi", {2, 50}}, {"Ei", {2, 60}},
};

/* "e" or "E" and an integer. Upstream cuts it to 32 bits. */
static bool
parse_exponent(struct digits suffix, int32_t *ret)
{
    const char *at = suffix.text + 1;
    const char *end = suffix.text + suffix.length;
    bool negative = at < end && *at == '-';
    int64_t value = 0;

    if (suffix.length < 2 || (suffix.text[0] != 'e' && suffix.text[0] != 'E')) {
        return false;
    }
    at += *at == '-' || *at == '+';
    if (at == end) {
        return false;
    }
    for (; at < end; at++) {
        if (!is_digit(*at)) {
            return false;
        }
        int step = negative ? '0' - *at : *at - '0';

        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, step, &value)) {
            return false;
        }
    }
    *ret = low_int32(value);
    return true;
}

static bool
interpret_suffix(struct digits suffix, struct magnitude *ret)
{
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        if (strlen(suffixes[i].text) == suffix.length &&
            memcmp(suffixes[i].text, suffix.text, suffix.length) == 0) {
            *ret = suffixes[i].magnitude;
            return true;
        }
    }
    ret->base = 10;
    return parse_exponent(suffix, &ret->exponent);
}

static int64_t
digits_value(int64_t value, struct digits digits)
{
    for (size_t i = 0; i < digits.length; i++) {
        value = value * 10 + (digits.text[i] - '0');
    }
    return value;
}

/* Upstream's fast path, which decides the form: few digits, nothing finer than nano. */
static bool
parse_small(const struct quantity_parts *parts, struct magnitude magnitude, struct quantity *ret)
{
    int64_t scale = 0;
    int64_t factor = 1;
    int64_t spare;

    if (magnitude.base == 10) {
        spare = SMALL_DIGITS - (int64_t)(parts->whole.length + parts->fraction.length);
        /* 32 bits upstream, where it can wrap. */
        scale = low_int32(magnitude.exponent - (int64_t)parts->fraction.length);
    } else {
        spare = parts->fraction.length > 0
                    ? -1
                    : 15 - (int64_t)parts->whole.length - magnitude.exponent * 3 / 10 - 1;
        factor = INT64_C(1) << magnitude.exponent;
    }
    if (spare < 0 || scale < NANO_SCALE) {
        return false;
    }
    int64_t value = digits_value(digits_value(0, parts->whole), parts->fraction);

    if (__builtin_mul_overflow(value, factor, &value)) {
        return false;
    }
    int64_t shift = scale - NANO_SCALE;
    nanos128 nano = value == 0          ? 0
                    : shift > POW10_MAX ? NANO_MAX
                                        : mul_pinned(value, pow10_128(shift));

    *ret = (struct quantity){parts->negative ? -nano : nano, scale, QUANTITY_SMALL};
    return true;
}

/* An integer built digit by digit, from the least significant one. */
struct accumulator {
    int64_t dropped; /* digits still to drop, below 1e-9 */
    bool inexact;    /* a dropped digit was not zero */
    nanos128 sum;
    nanos128 weight; /* of the next digit; 0: too large to hold */
};

static void
accumulate(struct accumulator *acc, int digit)
{
    if (acc->dropped > 0) {
        acc->dropped--;
        acc->inexact = acc->inexact || digit != 0;
        return;
    }
    if (digit != 0) {
        acc->sum =
            acc->weight == 0 ? NANO_MAX : add_pinned(acc->sum, mul_pinned(acc->weight, digit));
    }
    acc->weight = acc->weight > NANO_MAX / 10 ? 0 : acc->weight * 10;
}

/* Multiplies digits from the right, as on paper. The carry stays below 2^64: factor <= 2^60. */
static unsigned __int128
accumulate_digits(struct accumulator *acc, struct digits digits, uint64_t factor,
                  unsigned __int128 carry)
{
    for (size_t i = digits.length; i > 0; i--) {
        carry += (unsigned __int128)(unsigned)(digits.text[i - 1] - '0') * factor;
        accumulate(acc, pin_int32((wide_int)(carry % 10)));
        carry /= 10;
    }
    return carry;
}

/* Upstream's inf.Dec path: any number of digits, rounded away from zero to nano. */
static struct quantity
parse_big(const struct quantity_parts *parts, struct magnitude magnitude)
{
    bool binary = magnitude.base == 2;
    uint64_t factor = binary ? UINT64_C(1) << magnitude.exponent : 1;
    int64_t shift =
        (binary ? 0 : (int64_t)magnitude.exponent) - NANO_SCALE - (int64_t)parts->fraction.length;
    struct accumulator acc = {.dropped = shift < 0 ? -shift : 0, .weight = 1};
    unsigned __int128 carry = accumulate_digits(&acc, parts->fraction, factor, 0);

    for (carry = accumulate_digits(&acc, parts->whole, factor, carry); carry > 0; carry /= 10) {
        accumulate(&acc, pin_int32((wide_int)(carry % 10)));
    }
    nanos128 nano = acc.sum;

    if (shift > 0 && nano != 0) {
        nano = shift > POW10_MAX ? NANO_MAX : mul_pinned(nano, pow10_128(shift));
    }
    nano = add_pinned(nano, acc.inexact);
    int64_t scale = NANO_SCALE;

    if (binary && nano > (nanos128)INT64_MAX * NANOS_PER_UNIT) {
        nano = (nanos128)INT64_MAX * NANOS_PER_UNIT;
        scale = 0;
    }
    return (struct quantity){parts->negative ? -nano : nano, scale, QUANTITY_BIG};
}

static bool
is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct digits
trim(const char *text, size_t length)
{
    while (length > 0 && is_space(text[0])) {
        text++;
        length--;
    }
    while (length > 0 && is_space(text[length - 1])) {
        length--;
    }
    return (struct digits){text, length};
}

bool
quantity_parse(const char *text, size_t length, struct quantity *ret, struct error *err)
{
    struct digits trimmed = trim(text, length);
    struct quantity_parts parts;
    struct magnitude magnitude;

    if (trimmed.length == 0 || !take_apart(trimmed.text, trimmed.length, &parts)) {
        return error_set(err, ERROR_INVALID, "%s", format_text);
    }
    if (!interpret_suffix(parts.suffix, &magnitude)) {
        return error_set(err, ERROR_INVALID, "unknown suffix; %s", format_text);
    }
    if (parse_small(&parts, magnitude, ret)) {
        return true;
    }
    if (!parts.has_digit) {
        return error_set(err, ERROR_INVALID, "%s", format_text);
    }
    *ret = parse_big(&parts, magnitude);
    return true;
}

bool
quantity_from_real(double value, struct quantity *ret)
{
    char text[40];
    struct error err;

    if (!isfinite(value)) {
        return false;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    return quantity_parse(text, strlen(text), ret, &err);
}

/* ---- conversion ---- */

/* Go's int64(x) beyond int64, except that negative values stay negative. */
static int64_t
cut_to_int64(nanos128 value)
{
    return value < INT64_MIN ? INT64_MIN : (int64_t)low_uint64(value);
}

/* Rounds away from zero. Amounts beyond int64 give the low bits or 0: upstream drops the overflow
 * flag, and multiplies at once only by a few powers of ten (positiveScaleInt64). */
static int64_t
scaled_small(struct quantity q, int64_t divisor, int64_t target_scale)
{
    nanos128 quotient = q.nano / divisor;
    nanos128 remainder = q.nano % divisor;
    int64_t up = q.scale - target_scale;

    if (remainder != 0) {
        quotient += q.nano > 0 ? 1 : -1;
    }
    bool loses = quotient > INT64_MAX && !((up >= 1 && up <= 3) || up == 6 || up == 9);

    return loses ? 0 : cut_to_int64(quotient);
}

/* Truncates and then adds one, for negative amounts too, as upstream's scaledValue does. */
static int64_t
scaled_big(struct quantity q, int64_t divisor)
{
    return cut_to_int64(q.nano / divisor + (q.nano % divisor != 0));
}

static int64_t
quantity_scaled(struct quantity q, int64_t divisor, int64_t target_scale)
{
    /* 128-bit division is several times slower. */
    if (q.nano >= 0 && q.nano <= INT64_MAX) {
        int64_t nano = pin_int64(q.nano);

        return nano / divisor + (nano % divisor != 0);
    }
    return q.form == QUANTITY_SMALL ? scaled_small(q, divisor, target_scale)
                                    : scaled_big(q, divisor);
}

int64_t
quantity_value(struct quantity q)
{
    return quantity_scaled(q, NANOS_PER_UNIT, 0);
}

int64_t
quantity_milli_value(struct quantity q)
{
    return quantity_scaled(q, NANOS_PER_UNIT / 1000, -3);
}

/* ---- arithmetic ---- */

static bool
fits_int64(nanos128 value)
{
    return value >= INT64_MIN && value <= INT64_MAX;
}

/* True if both amounts and their sum are 64-bit multiples of 10^scale. */
static bool
sum_stays_small(struct quantity a, struct quantity b, nanos128 sum, int64_t scale)
{
    int64_t shift = scale - NANO_SCALE;

    if (a.form != QUANTITY_SMALL || b.form != QUANTITY_SMALL) {
        return false;
    }
    if (fits_int64(a.nano) && fits_int64(b.nano) && fits_int64(sum)) {
        return true;
    }
    nanos128 unit = shift > POW10_MAX ? NANO_MAX : pow10_128(shift);

    return fits_int64(a.nano / unit) && fits_int64(b.nano / unit) && fits_int64(sum / unit);
}

static struct quantity
quantity_add(struct quantity a, struct quantity b)
{
    if (a.form == QUANTITY_SMALL && b.form == QUANTITY_SMALL && (a.nano == 0 || b.nano == 0)) {
        return b.nano == 0 ? a : b;
    }
    nanos128 sum = add_pinned(a.nano, b.nano);
    int64_t scale = a.scale < b.scale ? a.scale : b.scale;
    int64_t form = sum_stays_small(a, b, sum, scale) ? QUANTITY_SMALL : QUANTITY_BIG;

    return (struct quantity){sum, scale, form};
}

struct quantity
quantity_sub(struct quantity a, struct quantity b)
{
    b.nano = -b.nano;
    return quantity_add(a, b);
}

struct quantity
quantity_pinned(struct quantity q)
{
    const nanos128 most = (nanos128)INT64_MAX * NANOS_PER_UNIT;

    if (q.nano <= most && q.nano >= -most) {
        return q;
    }
    return quantity_from_int(q.nano > 0 ? INT64_MAX : -INT64_MAX);
}

int
quantity_cmp(struct quantity a, struct quantity b)
{
    return (a.nano > b.nano) - (a.nano < b.nano);
}

struct quantity
quantity_from_int(int64_t value)
{
    return (struct quantity){(nanos128)value * NANOS_PER_UNIT, 0, QUANTITY_SMALL};
}

/* ---- writing ---- */

const char *
quantity_format(struct quantity q, char buffer[QUANTITY_TEXT_MAX])
{
    static const char letters[] = {'n', 'u', 'm', '\0', 'k', 'M', 'G', 'T', 'P', 'E'};
    unsigned __int128 rest = q.nano < 0 ? -(unsigned __int128)q.nano : (unsigned __int128)q.nano;
    size_t step = rest == 0 ? 3 : 0;
    size_t at = QUANTITY_TEXT_MAX - 2;

    while (rest != 0 && rest % 1000 == 0 && step + 1 < sizeof(letters)) {
        rest /= 1000;
        step++;
    }
    buffer[QUANTITY_TEXT_MAX - 1] = '\0';
    buffer[at] = letters[step];
    do {
        buffer[--at] = (char)('0' + pin_int32((wide_int)(rest % 10)));
        rest /= 10;
    } while (rest != 0);
    if (q.nano < 0) {
        buffer[--at] = '-';
    }
    return memmove(buffer, buffer + at, QUANTITY_TEXT_MAX - at);
}
