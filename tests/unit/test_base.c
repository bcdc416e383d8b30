/* SPDX-License-Identifier: Apache-2.0
 *
 * base/: errors, arena, strings, vectors, maps, buffers, time.
 */
#include <errno.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/base/heap.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
test_error_reads_outside_in(void)
{
    struct error err = ERROR_INIT;

    CHECK(!error_set(&err, ERROR_NOT_FOUND, "HTTP %d", 404));
    CHECK(!error_wrap(&err, "listing %s", "clusters"));
    CHECK_STR(err.message, "listing clusters: HTTP 404");
    CHECK_INT(err.code, ERROR_NOT_FOUND);
}

static void
test_error_takes_its_own_message_as_argument(void)
{
    struct error err = ERROR_INIT;

    error_set(&err, ERROR_IO, "inner");
    error_set(&err, ERROR_PARSE, "outer (%s)", err.message);
    CHECK_STR(err.message, "outer (inner)");
}

static void
test_long_error_is_cut_between_characters(void)
{
    struct error err = ERROR_INIT;
    char text[ERROR_MESSAGE_MAX * 2];

    for (size_t i = 0; i + 2 < sizeof(text); i += 2) {
        memcpy(text + i, "\xC3\xA9", 2);
    }
    text[sizeof(text) - 2] = '\0';
    error_set(&err, ERROR_IO, "x%s", text);
    size_t length = strlen(err.message);

    CHECK(length > ERROR_MESSAGE_MAX - 6 && length < ERROR_MESSAGE_MAX);
    CHECK_STR(err.message + length - 3, "...");
    CHECK_INT((unsigned char)err.message[length - 4], 0xA9);
}

static void
test_reason_behind_a_long_path(void)
{
    struct error err = ERROR_INIT;
    char path[4096];

    memset(path, 'x', sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
    error_set_errno(&err, ENAMETOOLONG, "%s", path);
    CHECK_CONTAINS(err.message, "xxx...: File name too long");
}

/* However a text is cut: whole characters, and the mark. */
static void
test_cut_texts(void)
{
    static const struct {
        const char *text;
        size_t most;
        const char *kept, *marked;
    } cases[] = {
        {"", 3, "", ""},
        {"abc", 3, "abc", "abc"},
        {"abcd", 3, "abc", "..."},
        {"abcdefgh", 7, "abcdefg", "abcd..."},
        {"\xC3\xA9\xC3\xA9\xC3\xA9", 5, "\xC3\xA9\xC3\xA9", "\xC3\xA9..."},
        {"\xC3\xA9\xC3\xA9\xC3\xA9", 4, "\xC3\xA9\xC3\xA9", "..."},
        {"\xF0\x9F\x9A\xA2\xF0\x9F\x9A\xA2", 7, "\xF0\x9F\x9A\xA2", "\xF0\x9F\x9A\xA2..."},
        {"\xF0\x9F\x9A\xA2\xF0\x9F\x9A\xA2", 6, "\xF0\x9F\x9A\xA2", "..."},
        /* no UTF-8: it is cut somewhere */
        {"\xA2\xA2\xA2\xA2\xA2\xA2\xA2\xA2\xA2", 7, "\xA2\xA2\xA2\xA2\xA2\xA2\xA2",
         "\xA2\xA2\xA2\xA2..."},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char printed[16];
        struct buf out;

        CHECK_INT(text_cut(cases[i].text, strlen(cases[i].text), cases[i].most),
                  strlen(cases[i].kept));
        buf_init(&out, cases[i].most);
        text_append_cut(&out, cases[i].text, cases[i].most);
        CHECK_STR(buf_text(&out), cases[i].marked);
        buf_release(&out);
        text_print(printed, cases[i].most + 1, "%s", cases[i].text);
        CHECK_STR(printed, cases[i].marked);
    }
}

static void
test_arena_pieces_are_zeroed_aligned_and_apart(void)
{
    struct arena *arena = arena_new();
    unsigned char *pieces[200];

    for (size_t i = 0; i < COUNT(pieces); i++) {
        pieces[i] = arena_alloc(arena, i);
        CHECK_INT((uintptr_t)pieces[i] % 16, 0);
        for (size_t j = 0; j < i; j++) {
            if (pieces[i][j] != 0) {
                CHECK_MSG(false, "piece %zu is not zeroed", i);
            }
        }
        memset(pieces[i], (int)i, i);
    }
    for (size_t i = 1; i < COUNT(pieces); i++) {
        CHECK_INT(pieces[i][0], i);
        CHECK_INT(pieces[i][i - 1], i);
    }
    arena_reset(arena);
    unsigned char *again = arena_alloc(arena, 64);

    CHECK_INT(again[0] | again[63], 0);
    arena_free(arena);
}

/* Texts of any length before them do not push what needs it out of line. */
static void
test_arena_pieces_are_aligned_for_their_type(void)
{
    struct wide {
        long double number;
        char rest;
    };
    struct arena *arena = arena_new();
    const uint32_t twelve[3] = {1, 2, 3};

    for (size_t i = 0; i < 40; i++) {
        arena_strndup(arena, "0123456789012345678901234567890123456789", i);
        CHECK_INT((uintptr_t)ARENA_NEW(arena, struct wide) % alignof(struct wide), 0);
        arena_printf(arena, "%zu", i);
        CHECK_INT((uintptr_t)ARENA_ARRAY(arena, uint32_t, i) % alignof(uint32_t), 0);
        arena_strndup(arena, "x", 1);
        CHECK_INT((uintptr_t)ARENA_ARRAY(arena, void *, 3) % alignof(void *), 0);
        arena_strndup(arena, "", 0);
        CHECK_INT((uintptr_t)arena_memdup(arena, twelve, sizeof(twelve)) % alignof(uint32_t), 0);
        CHECK_INT((uintptr_t)arena_alloc(arena, i) % alignof(max_align_t), 0);
    }
    arena_free(arena);
}

/* A text takes its own bytes and what is between any two pieces (sanitizers have red zones there):
 * less than if each began at a multiple of 16. */
static void
test_arena_texts_stand_close(void)
{
    enum { MANY = 10000, TEXT = 17 };
    struct arena *arena = arena_new(), *bytes = arena_new();

    for (int i = 0; i < MANY; i++) {
        arena_strndup(arena, "0123456789012345", TEXT - 1);
        arena_strndup(bytes, "", 0);
    }
    size_t between = arena_used(bytes) / MANY;

    CHECK(arena_used(arena) < (size_t)MANY * (TEXT + between + 1));
    arena_free(bytes);
    arena_free(arena);
}

static void
test_arena_printf_of_any_length(void)
{
    struct arena *arena = arena_new();

    CHECK_STR(arena_printf(arena, "%d/%s", 7, "x"), "7/x");
    CHECK_INT(strlen(arena_printf(arena, "%0500d", 1)), 500);
    CHECK_STR(arena_strndup(arena, "abcdef", 3), "abc");
    CHECK(arena_memdup(arena, "", 0) == NULL);
    arena_free(arena);
}

static void
test_interned_strings_are_one(void)
{
    struct interner *strings = interner_new();
    const char *a = intern(strings, "member1-x", 7);

    CHECK_STR(a, "member1");
    CHECK(a == intern_cstr(strings, "member1"));
    CHECK(a != intern_cstr(strings, "member2"));
    CHECK_STR(intern_cstr(strings, NULL), "");
    interner_free(strings);
}

/* What came while it was open stays what it was, and is another one's later. */
static void
test_interned_in_passing(void)
{
    struct interner *strings = interner_new();
    const char *before = intern_cstr(strings, "before");
    size_t footprint = interner_footprint(strings);

    interner_open(strings);
    CHECK(intern_cstr(strings, "before") == before);
    const char *passing = intern_cstr(strings, "passing");

    CHECK(intern_cstr(strings, "passing") == passing);
    CHECK(interner_footprint(strings) > footprint);
    interner_close(strings);
    CHECK_STR(passing, "passing");
    CHECK(intern_cstr(strings, "before") == before);
    CHECK(intern_cstr(strings, "passing") != passing);
    interner_open(strings);
    interner_free(strings);
}

/* What is left of a block when a large piece comes is still there for the next small one. */
static void
test_large_pieces(void)
{
    enum { PIECE = 100000, MANY = 64 };
    struct arena *arena = arena_new();

    for (int i = 0; i < MANY; i++) {
        arena_alloc(arena, 1);
        arena_alloc(arena, PIECE);
    }
    CHECK(arena_used(arena) < (size_t)MANY * (PIECE + 128));
    arena_reset(arena);
    CHECK(arena_used(arena) < PIECE);
    memset(arena_alloc(arena, PIECE), 1, PIECE);
    arena_free(arena);
}

/* Also when so many others came between that the first is forgotten: then it is another copy. */
static void
test_recent_texts_are_one(void)
{
    enum { MANY = 5000 };
    struct arena *arena = arena_new();
    struct recent_texts *recent = recent_texts_new(arena);
    char text[64] = "4 of 4 replicas leave";
    const char *first = recent_text(recent, text);

    CHECK(first != text);
    CHECK(recent_text(recent, "4 of 4 replicas leave") == first);
    CHECK_STR(recent_text(recent, ""), "");
    for (int i = 0; i < MANY; i++) {
        snprintf(text, sizeof(text), "%d of %d replicas leave", i, MANY);
        CHECK_STR(recent_text(recent, text), text);
    }
    CHECK_STR(first, "4 of 4 replicas leave");
    CHECK_STR(recent_text(recent, "4 of 4 replicas leave"), "4 of 4 replicas leave");
    arena_free(arena);
}

static void
test_nearest_word(void)
{
    static const char *const known[] = {"--unschedulable-threshold", "--fleet", "--now", "run"};

    CHECK_STR(str_nearest("--unschedulable-treshold", known, 4), "--unschedulable-threshold");
    CHECK_STR(str_nearest("--Fleat", known, 4), "--fleet");
    CHECK_STR(str_nearest("rum", known, 4), "run");
    CHECK(str_nearest("--kubeconfig", known, 4) == NULL);
    CHECK(str_nearest("", known, 4) == NULL);
}

/* What two words have in common, dashes between, does not bring two others nearer. */
static void
test_nearest_of_words(void)
{
    static const char *const known[] = {"lease-namespace", "member-timeout", "dry-run",
                                        "namespace"};

    CHECK(str_nearest("all-namespaces", known, 4) == NULL);
    CHECK(str_nearest("server-timeout", known, 4) == NULL);
    CHECK_STR(str_nearest("leese-namespace", known, 4), "lease-namespace");
    CHECK_STR(str_nearest("membr-timeout", known, 4), "member-timeout");
    CHECK_STR(str_nearest("dryrun", known, 4), "dry-run");
    CHECK_STR(str_nearest("dry-rnu", known, 4), "dry-run");
    CHECK_STR(str_nearest("namespaces", known, 4), "namespace");
}

static void
test_vector_grows(void)
{
    VEC_OF(int) numbers = VEC_INIT;

    for (int i = 0; i < 1000; i++) {
        *vec_push(&numbers) = i;
    }
    vec_add(&numbers, 1000);
    CHECK_INT(numbers.count, 1001);
    CHECK_INT(numbers.items[999], 999);
    CHECK_INT(numbers.items[1000], 1000);
    vec_free(&numbers);
    CHECK_INT(numbers.count, 0);
}

static void
test_map_finds_what_was_put(void)
{
    struct map *map = map_new();
    static char keys[5000][8];
    bool added;

    for (size_t i = 0; i < COUNT(keys); i++) {
        snprintf(keys[i], sizeof(keys[i]), "k%zu", i);
        *map_put_str(map, keys[i], &added) = keys[i];
        if (!added) {
            CHECK_MSG(false, "%s was there already", keys[i]);
        }
    }
    CHECK_INT(map_count(map), COUNT(keys));
    for (size_t i = 0; i < COUNT(keys); i++) {
        void **slot = map_get_str(map, keys[i]);

        if (slot == NULL || *slot != keys[i]) {
            CHECK_MSG(false, "%s is lost", keys[i]);
        }
    }
    CHECK(map_get_str(map, "k5000") == NULL);
    CHECK(map_get(map, "k1000", 2) != NULL && *map_get(map, "k1000", 2) == keys[1]);
    map_put_str(map, "k1", &added);
    CHECK(!added);
    map_free(map);
}

static void
test_timestamps(void)
{
    static const struct {
        const char *text;
        int64_t nanos;
        const char *formatted;
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"},
        {"2026-11-20T21:17:32Z", INT64_C(1795209452) * NANOS_PER_SECOND, "2026-11-20T21:17:32Z"},
        {"2026-11-20T22:17:32.5+01:00", INT64_C(1795209452) * NANOS_PER_SECOND + 500000000,
         "2026-11-20T21:17:32.5Z"},
        {"1969-12-31T23:59:59.999999999Z", -1, "1969-12-31T23:59:59.999999999Z"},
        {"2000-02-29T12:00:00z", INT64_C(951825600) * NANOS_PER_SECOND, "2000-02-29T12:00:00Z"},
    };
    static const char *const bad[] = {
        "",
        "2026-11-20",
        "2026-11-20T21:17:32",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-11-20T24:00:00Z",
        "2026-11-20T21:17:32Zjunk",
        "2026-11-20T21:17:32.Z",
        "2026-11-20T21:17:32+1:00",
        "-026-11-20T21:17:32Z",
    };
    char buffer[TIMESTAMP_TEXT_MAX];
    int64_t nanos = 7;

    for (size_t i = 0; i < COUNT(cases); i++) {
        CHECK(timestamp_parse(cases[i].text, &nanos));
        CHECK_INT(nanos, cases[i].nanos);
        CHECK_STR(timestamp_format(nanos, buffer), cases[i].formatted);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        CHECK_MSG(!timestamp_parse(bad[i], &nanos), "\"%s\" was taken", bad[i]);
    }
    CHECK(timestamp_parse("0001-01-01T00:00:00Z", &nanos) && nanos == INT64_MIN + 1);
    CHECK(timestamp_parse("9999-01-01T00:00:00Z", &nanos) && nanos == INT64_MAX);
    CHECK_STR(timestamp_format(TIME_NONE, buffer), "");
    CHECK_STR(timestamp_format_seconds(TIME_NONE, buffer), "");
    CHECK_STR(timestamp_format_seconds(1999999999, buffer), "1970-01-01T00:00:01Z");
    CHECK_STR(timestamp_format_seconds(-1, buffer), "1969-12-31T23:59:59Z");
    CHECK_INT(span_of_seconds(90), 90 * NANOS_PER_SECOND);
    CHECK_INT(span_of_seconds(-2), -2 * NANOS_PER_SECOND);
    CHECK_INT(span_of_seconds(INT64_MAX / 2), INT64_MAX);
    CHECK_INT(span_of_seconds(INT64_MIN / 2), INT64_MIN);
    CHECK_INT(timestamp_add(TIME_NONE, 5), TIME_NONE);
    CHECK_INT(timestamp_add(INT64_MAX - 1, 5), INT64_MAX);
    CHECK(timestamp_is_past(10, 5, 16));
    CHECK(!timestamp_is_past(10, 5, 15));
    CHECK(timestamp_is_past(10, -5, 11)); /* below 0 is 0 */
    CHECK(!timestamp_is_past(10, -5, 10));
    CHECK(timestamp_is_past(TIME_NONE, INT64_MAX, INT64_MIN + 1));
}

static void
test_durations(void)
{
    static const struct {
        const char *text;
        int64_t nanos;
        const char *formatted;
    } cases[] = {
        {"5m", 300 * NANOS_PER_SECOND, "5m"},
        {"1h30m", 5400 * NANOS_PER_SECOND, "1h30m"},
        {"1.5h", 5400 * NANOS_PER_SECOND, "1h30m"},
        {"300ms", 300000000, "300ms"},
        {"0", 0, "0s"},
        {"-1m", -60 * NANOS_PER_SECOND, "-1m"},
        {"8m34.25s", 514 * NANOS_PER_SECOND + 250000000, "8m34.25s"},
        {"2540400h10m", 0, NULL},
        {"1us", 1000, "0.000001s"},
    };
    static const char *const bad[] = {"",      "5",  "m", "5x",
                                      "1h 2m", ".m", "-", "9223372036854775808ns"};
    char buffer[DURATION_TEXT_MAX];
    int64_t nanos = 7;

    for (size_t i = 0; i < COUNT(cases); i++) {
        if (cases[i].formatted != NULL) {
            CHECK_MSG(duration_parse(cases[i].text, &nanos), "\"%s\" was not taken", cases[i].text);
            CHECK_INT(nanos, cases[i].nanos);
            CHECK_STR(duration_format(nanos, buffer), cases[i].formatted);
        }
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        CHECK_MSG(!duration_parse(bad[i], &nanos), "\"%s\" was taken", bad[i]);
    }
    CHECK(duration_parse("2540400h10m", &nanos));
    CHECK(!duration_parse("2562048h", &nanos));
}

/* The values of kubectl's duration.HumanDuration. */
static void
test_short_durations(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"0", "0s"},       {"-3s", "0s"},     {"900ms", "0s"},    {"1m", "60s"},
        {"119s", "119s"},  {"2m", "2m"},      {"8m34s", "8m34s"}, {"9m59s", "9m59s"},
        {"10m30s", "10m"}, {"179m", "179m"},  {"3h", "3h"},       {"3h20m", "3h20m"},
        {"8h20m", "8h"},   {"47h59m", "47h"}, {"48h", "2d"},      {"188h20m15s", "7d20h"},
        {"192h", "8d"},    {"725h", "30d"},   {"17520h", "2y"},   {"17568h", "2y2d"},
    };
    char buffer[DURATION_TEXT_MAX];
    int64_t nanos = 0;

    for (size_t i = 0; i < COUNT(cases); i++) {
        CHECK(duration_parse(cases[i].text, &nanos));
        CHECK_STR(duration_format_short(nanos, buffer), cases[i].want);
    }
}

/* In every position of the part on its pages: what is around it stays, and of itself no page. */
static void
test_pages_are_let_go(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = 4 * page;
    char *piece = heap_new(size, 1);

    for (size_t i = 0; i < 3; i++) {
        size_t begin = 1 + i * (page - 1) / 2, length = size - 2 - begin, kept = 0;

        memset(piece, 'x', size);
        heap_let_go(piece + begin, length);
        for (size_t at = 0; at < size; at++) {
            bool is_around = at < begin || at >= begin + length;

            CHECK_MSG(!is_around || piece[at] == 'x', "%zu of %zu is gone", at, begin);
            kept += !is_around && piece[at] == 'x' ? 1 : 0;
        }
        CHECK_MSG(kept < 2 * page, "%zu of %zu bytes are still there", kept, length);
    }
    memset(piece, 'x', size);
    heap_let_go(piece, 0);
    heap_let_go(piece + 1, page - 1);
    CHECK(memchr(piece, 0, size) == NULL);
    free(piece);
}

static void
test_pinned_numbers(void)
{
    const wide_int huge = (wide_int)INT64_MAX * INT64_MAX;
    const double zero = 0;

    CHECK_INT(pin_int64(huge), INT64_MAX);
    CHECK_INT(pin_int64(-huge), INT64_MIN);
    CHECK_INT(pin_int32(INT64_C(3000000000)), INT32_MAX);
    CHECK_INT(pin_int32(SIZE_MAX), INT32_MAX);
    CHECK_INT(pin_int32(INT64_MIN), INT32_MIN);
    CHECK_INT(pin_int32(-7), -7);
    CHECK_INT(pin_count(-7), 0);
    CHECK_INT(pin_uint32(-1), 0);
    CHECK_INT(pin_uint32(SIZE_MAX), UINT32_MAX);
    CHECK_INT(pin_uint16(70000), UINT16_MAX);
    CHECK_INT(pin_width(SIZE_MAX), INT32_MAX);
    CHECK_INT(pin_real(1e300), INT64_MAX);
    CHECK_INT(pin_real(-1e300), INT64_MIN);
    CHECK_INT(pin_real(-2.9), -2);
    CHECK_INT(pin_real(0.0 / zero), 0);
    CHECK_INT(low_uint32(UINT64_C(0x500000007)), 7);
    CHECK_INT(low_int32(INT64_C(0x1FFFFFFFF)), -1);
    CHECK_INT((int64_t)low_uint64(huge + huge), (int64_t)(uint64_t)(huge + huge));
}

void suite_base(void);

void
suite_base(void)
{
    check_suite("base");
    check_test("an error reads from the outside in", test_error_reads_outside_in);
    check_test("an error can quote itself", test_error_takes_its_own_message_as_argument);
    check_test("a long error is cut between characters", test_long_error_is_cut_between_characters);
    check_test("a reason behind a long path", test_reason_behind_a_long_path);
    check_test("texts that are cut", test_cut_texts);
    check_test("arena pieces are zeroed, aligned and apart",
               test_arena_pieces_are_zeroed_aligned_and_apart);
    check_test("arena pieces are aligned for their type",
               test_arena_pieces_are_aligned_for_their_type);
    check_test("texts in an arena stand close", test_arena_texts_stand_close);
    check_test("arena printf", test_arena_printf_of_any_length);
    check_test("interned strings are one", test_interned_strings_are_one);
    check_test("interned in passing", test_interned_in_passing);
    check_test("large pieces", test_large_pieces);
    check_test("recent texts are one", test_recent_texts_are_one);
    check_test("the nearest word", test_nearest_word);
    check_test("the nearest of several words", test_nearest_of_words);
    check_test("a vector grows", test_vector_grows);
    check_test("a map finds what was put", test_map_finds_what_was_put);
    check_test("pages are let go", test_pages_are_let_go);
    check_test("numbers are pinned to narrower types", test_pinned_numbers);
    check_test("timestamps", test_timestamps);
    check_test("durations", test_durations);
    check_test("short durations", test_short_durations);
}
