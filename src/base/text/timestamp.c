/* SPDX-License-Identifier: Apache-2.0
 *
 * RFC 3339 points in time and Go durations.
 */
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SECONDS_PER_DAY 86400

/* Days from the epoch of a proleptic Gregorian date (Howard Hinnant, "chrono-compatible low-level
 * date algorithms", days_from_civil). */
static int64_t
days_from_civil(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

    return era * 146097 + day_of_era - 719468;
}

static bool
read_number(const char **text, int digits, int *ret)
{
    int value = 0;

    for (int i = 0; i < digits; i++) {
        char c = (*text)[i];

        if (c < '0' || c > '9') {
            return false;
        }
        value = value * 10 + (c - '0');
    }
    *text += digits;
    *ret = value;
    return true;
}

static bool
read_char(const char **text, const char *one_of)
{
    if (**text == '\0' || strchr(one_of, **text) == NULL) {
        return false;
    }
    ++*text;
    return true;
}

static int
days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

static bool
read_date(const char **text, int64_t *ret_days)
{
    int year, month, day;

    if (!read_number(text, 4, &year) || !read_char(text, "-") || !read_number(text, 2, &month) ||
        !read_char(text, "-") || !read_number(text, 2, &day) || month < 1 || month > 12 ||
        day < 1 || day > days_in_month(year, month)) {
        return false;
    }
    *ret_days = days_from_civil(year, month, day);
    return true;
}

static bool
read_clock(const char **text, int64_t *ret_seconds)
{
    int hour, minute, second;

    if (!read_number(text, 2, &hour) || !read_char(text, ":") || !read_number(text, 2, &minute) ||
        !read_char(text, ":") || !read_number(text, 2, &second) || hour > 23 || minute > 59 ||
        second > 59) {
        return false;
    }
    *ret_seconds = hour * 3600 + minute * 60 + second;
    return true;
}

/* Drops digits finer than nanoseconds. */
static bool
read_fraction(const char **text, int64_t *ret_nanos)
{
    int64_t scale = NANOS_PER_SECOND / 10;
    const char *start;

    *ret_nanos = 0;
    if (!read_char(text, ".,")) {
        return true;
    }
    for (start = *text; **text >= '0' && **text <= '9'; ++*text) {
        *ret_nanos += (**text - '0') * scale;
        scale /= 10;
    }
    return *text > start;
}

static bool
read_offset(const char **text, int64_t *ret_seconds)
{
    int hour, minute;
    bool minus = **text == '-';

    *ret_seconds = 0;
    if (read_char(text, "Zz")) {
        return true;
    }
    if (!read_char(text, "+-") || !read_number(text, 2, &hour) || !read_char(text, ":") ||
        !read_number(text, 2, &minute) || hour > 23 || minute > 59) {
        return false;
    }
    *ret_seconds = minus ? -(hour * 3600 + minute * 60) : hour * 3600 + minute * 60;
    return true;
}

/* Keeps TIME_NONE out of the range, so that no written time reads as absent. */
static int64_t
pin(__int128_t nanos)
{
    return nanos <= INT64_MIN ? INT64_MIN + 1 : pin_int64(nanos);
}

bool
timestamp_parse(const char *text, int64_t *ret_nanos)
{
    int64_t days, seconds, nanos, offset;

    if (!read_date(&text, &days) || !read_char(&text, "Tt ") || !read_clock(&text, &seconds) ||
        !read_fraction(&text, &nanos) || !read_offset(&text, &offset) || *text != '\0') {
        return false;
    }
    __int128_t total = (__int128_t)days * SECONDS_PER_DAY + seconds - offset;

    *ret_nanos = pin(total * NANOS_PER_SECOND + nanos);
    return true;
}

/* ".5" for 500000000; "" for 0. */
static void
format_fraction(int64_t nanos, char buffer[12])
{
    int length = snprintf(buffer, 12, ".%09d", pin_int32(nanos));

    while (length > 0 && (buffer[length - 1] == '0' || buffer[length - 1] == '.')) {
        buffer[--length] = '\0';
    }
}

static const char *
format_point(int64_t nanos, bool whole_seconds, char buffer[TIMESTAMP_TEXT_MAX])
{
    int64_t fraction = (nanos % NANOS_PER_SECOND + NANOS_PER_SECOND) % NANOS_PER_SECOND;
    time_t seconds = (time_t)(nanos / NANOS_PER_SECOND - (nanos % NANOS_PER_SECOND < 0 ? 1 : 0));
    char fraction_text[12];
    struct tm utc;

    if (nanos == TIME_NONE) {
        buffer[0] = '\0';
        return buffer;
    }
    gmtime_r(&seconds, &utc);
    format_fraction(whole_seconds ? 0 : fraction, fraction_text);
    snprintf(buffer, TIMESTAMP_TEXT_MAX, "%04d-%02d-%02dT%02d:%02d:%02d%sZ", utc.tm_year + 1900,
             utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, fraction_text);
    return buffer;
}

const char *
timestamp_format(int64_t nanos, char buffer[TIMESTAMP_TEXT_MAX])
{
    return format_point(nanos, false, buffer);
}

const char *
timestamp_format_seconds(int64_t nanos, char buffer[TIMESTAMP_TEXT_MAX])
{
    return format_point(nanos, true, buffer);
}

static bool
read_unit(const char **text, int64_t *ret_nanos)
{
    static const struct {
        const char *name;
        int64_t nanos;
    } units[] = {
        /* longer names first: "ms" is no "m" */
        {"ns", 1},
        {"us", 1000},
        {"\xC2\xB5s", 1000}, /* micro sign */
        {"\xCE\xBCs", 1000}, /* Greek mu */
        {"ms", 1000000},
        {"s", NANOS_PER_SECOND},
        {"m", NANOS_PER_MINUTE},
        {"h", 60 * NANOS_PER_MINUTE},
    };

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        size_t length = strlen(units[i].name);

        if (strncmp(*text, units[i].name, length) == 0) {
            *text += length;
            *ret_nanos = units[i].nanos;
            return true;
        }
    }
    return false;
}

/* Reads one "12.5m": a decimal number and its unit. */
static bool
read_span(const char **text, __int128_t *ret_nanos)
{
    __int128_t whole = 0, fraction = 0, scale = 1;
    int64_t unit;
    bool any = false;

    for (; **text >= '0' && **text <= '9'; ++*text, any = true) {
        whole = whole * 10 + (**text - '0');
        if (whole > INT64_MAX) {
            return false;
        }
    }
    if (**text == '.') {
        for (++*text; **text >= '0' && **text <= '9'; ++*text, any = true) {
            if (scale < NANOS_PER_SECOND * 1000000) { /* finer digits cannot make a nanosecond */
                fraction = fraction * 10 + (**text - '0');
                scale *= 10;
            }
        }
    }
    if (!any || !read_unit(text, &unit)) {
        return false;
    }
    *ret_nanos = whole * unit + fraction * unit / scale;
    return true;
}

bool
duration_parse(const char *text, int64_t *ret_nanos)
{
    __int128_t total = 0, span;
    bool minus = *text == '-';

    if (minus || *text == '+') {
        text++;
    }
    if (strcmp(text, "0") == 0) {
        *ret_nanos = 0;
        return true;
    }
    if (*text == '\0') {
        return false;
    }
    while (*text != '\0') {
        if (!read_span(&text, &span)) {
            return false;
        }
        total += span;
        if (total > INT64_MAX) {
            return false;
        }
    }
    *ret_nanos = pin_int64(minus ? -total : total);
    return true;
}

const char *
duration_format(int64_t nanos, char buffer[DURATION_TEXT_MAX])
{
    char *at = buffer, *end = buffer + DURATION_TEXT_MAX, fraction[12];
    uint64_t rest = nanos < 0 ? -(uint64_t)nanos : (uint64_t)nanos;
    uint64_t hours = rest / (uint64_t)(60 * NANOS_PER_MINUTE);
    uint64_t minutes = rest / (uint64_t)NANOS_PER_MINUTE % 60;
    uint64_t below_minute = rest % (uint64_t)NANOS_PER_MINUTE;

    if (nanos < 0) {
        *at++ = '-';
    }
    *at = '\0';
    if (rest < (uint64_t)NANOS_PER_SECOND && rest % 1000000 == 0 && rest > 0) {
        snprintf(at, (size_t)(end - at), "%" PRIu64 "ms", rest / 1000000);
        return buffer;
    }
    if (hours > 0) {
        at += snprintf(at, (size_t)(end - at), "%" PRIu64 "h", hours);
    }
    if (minutes > 0) {
        at += snprintf(at, (size_t)(end - at), "%" PRIu64 "m", minutes);
    }
    if (below_minute > 0 || rest == 0) {
        format_fraction((int64_t)(below_minute % (uint64_t)NANOS_PER_SECOND), fraction);
        snprintf(at, (size_t)(end - at), "%" PRIu64 "%ss",
                 below_minute / (uint64_t)NANOS_PER_SECOND, fraction);
    }
    return buffer;
}

int64_t
span_of_seconds(int64_t seconds)
{
    int64_t nanos = 0;

    if (__builtin_mul_overflow(seconds, NANOS_PER_SECOND, &nanos)) {
        return seconds < 0 ? INT64_MIN : INT64_MAX;
    }
    return nanos;
}

int64_t
timestamp_add(int64_t nanos, int64_t span)
{
    return nanos == TIME_NONE ? TIME_NONE : pin((__int128_t)nanos + span);
}

int64_t
timestamp_span(int64_t from, int64_t to)
{
    return pin((__int128_t)to - from);
}

bool
timestamp_is_past(int64_t since, int64_t threshold, int64_t now)
{
    return since == TIME_NONE || timestamp_add(since, threshold < 0 ? 0 : threshold) < now;
}

/* Appends a second unit unless it is 0. */
static const char *
format_units(char *buffer, uint64_t first, const char *unit, uint64_t second,
             const char *second_unit)
{
    int length = snprintf(buffer, DURATION_TEXT_MAX, "%" PRIu64 "%s", first, unit);

    if (second > 0) {
        snprintf(buffer + length, (size_t)(DURATION_TEXT_MAX - length), "%" PRIu64 "%s", second,
                 second_unit);
    }
    return buffer;
}

/* As duration.HumanDuration of k8s.io/apimachinery. */
const char *
duration_format_short(int64_t nanos, char buffer[DURATION_TEXT_MAX])
{
    const uint64_t seconds = nanos > 0 ? (uint64_t)(nanos / NANOS_PER_SECOND) : 0;
    const uint64_t minutes = seconds / 60, hours = minutes / 60, days = hours / 24;

    if (seconds < 120) {
        return format_units(buffer, seconds, "s", 0, "");
    }
    if (minutes < 180) {
        return format_units(buffer, minutes, "m", minutes < 10 ? seconds % 60 : 0, "s");
    }
    if (hours < 48) {
        return format_units(buffer, hours, "h", hours < 8 ? minutes % 60 : 0, "m");
    }
    if (days < UINT64_C(365) * 2) {
        return format_units(buffer, days, "d", days < 8 ? hours % 24 : 0, "h");
    }
    return format_units(buffer, days / 365, "y", days < UINT64_C(365) * 8 ? days % 365 : 0, "d");
}
