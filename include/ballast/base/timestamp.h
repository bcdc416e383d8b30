/* SPDX-License-Identifier: Apache-2.0
 *
 * Points in time and spans, in nanoseconds. A point is counted from the Unix
 * epoch in UTC (1677..2262; what lies outside is pinned to the ends).
 */
#ifndef BALLAST_BASE_TIMESTAMP_H
#define BALLAST_BASE_TIMESTAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIME_NONE INT64_MIN /* absent: Go's zero time, before everything else */
#define NANOS_PER_SECOND INT64_C(1000000000)
#define NANOS_PER_MINUTE (60 * NANOS_PER_SECOND)
#define TIMESTAMP_TEXT_MAX 96 /* with the NUL */
#define DURATION_TEXT_MAX 80

/* RFC 3339 with optional fraction, "Z" or numeric offset. */
bool timestamp_parse(const char *text, int64_t *ret_nanos);
/* RFC 3339 in UTC; a fraction only when there is one. TIME_NONE gives "". */
const char *timestamp_format(int64_t nanos, char buffer[TIMESTAMP_TEXT_MAX]);
/* The same down to the second before it, for people: a clock has more digits than anybody measured.
 */
const char *timestamp_format_seconds(int64_t nanos, char buffer[TIMESTAMP_TEXT_MAX]);

/* Go's time.ParseDuration ("1h30m", "5m", "300ms", "-1.5h", "0"), checked for overflow. */
bool duration_parse(const char *text, int64_t *ret_nanos);
/* Short and exact: "5m", "1h30m", "8m34s", "300ms". */
const char *duration_format(int64_t nanos, char buffer[DURATION_TEXT_MAX]);

/* So many seconds, pinned to the ends. */
int64_t span_of_seconds(int64_t seconds);
/* a + span, pinned to the ends instead of overflowing; TIME_NONE stays. */
int64_t timestamp_add(int64_t nanos, int64_t span);
/* From one to the other, pinned to the ends; neither is TIME_NONE. */
int64_t timestamp_span(int64_t from, int64_t to);
/* `since` lies more than `threshold` (negative: 0) before `now`. TIME_NONE is past every one. */
bool timestamp_is_past(int64_t since, int64_t threshold, int64_t now);

#endif
