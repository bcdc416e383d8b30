/* SPDX-License-Identifier: Apache-2.0
 *
 * Points in time and spans, in nanoseconds. A point counts from the Unix epoch in
 * UTC. Points outside the years 1677 to 2262 are pinned to the nearest end.
 */
#ifndef BALLAST_BASE_TIMESTAMP_H
#define BALLAST_BASE_TIMESTAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIME_NONE INT64_MIN /* absent: Go's zero time, before all others */
#define NANOS_PER_SECOND INT64_C(1000000000)
#define NANOS_PER_MINUTE (60 * NANOS_PER_SECOND)
#define TIMESTAMP_TEXT_MAX 96 /* with the NUL */
#define DURATION_TEXT_MAX 80

/* Parses an RFC 3339 time, with or without fraction. False if malformed. Never gives TIME_NONE. */
bool timestamp_parse(const char *text, int64_t *ret_nanos);
/* Writes the time in RFC 3339 and UTC, with its fraction; "" for TIME_NONE. Returns `buffer`. */
const char *timestamp_format(int64_t nanos, char buffer[TIMESTAMP_TEXT_MAX]);
/* Writes the time in RFC 3339 and UTC, in whole seconds; "" for TIME_NONE. Returns `buffer`. */
const char *timestamp_format_seconds(int64_t nanos, char buffer[TIMESTAMP_TEXT_MAX]);

/* Parses a duration as Go's time.ParseDuration: "-1.5h", "0". False if malformed or too long. */
bool duration_parse(const char *text, int64_t *ret_nanos);
/* Writes the duration, short and exact: "5m", "1h30m", "8m34s", "300ms". Returns `buffer`. */
const char *duration_format(int64_t nanos, char buffer[DURATION_TEXT_MAX]);

/* Writes the duration as kubectl does, at most two units: "119s", "8m34s", "25m", "3h20m", "27h",
 * "7d20h", "30d", "2y45d". Below 0 counts as 0. Returns `buffer`. */
const char *duration_format_short(int64_t nanos, char buffer[DURATION_TEXT_MAX]);

/* Returns the seconds in nanoseconds, pinned to the ends of int64. */
int64_t span_of_seconds(int64_t seconds);
/* Returns the time plus `span`, pinned to the ends; TIME_NONE for TIME_NONE. */
int64_t timestamp_add(int64_t nanos, int64_t span);
/* Returns to - from, pinned to the ends. Neither is TIME_NONE. */
int64_t timestamp_span(int64_t from, int64_t to);
/* True if `since` is more than `threshold` (at least 0) before `now`, or is TIME_NONE. */
bool timestamp_is_past(int64_t since, int64_t threshold, int64_t now);

#endif
