/* SPDX-License-Identifier: Apache-2.0
 *
 * What the client decides without a wire: when to try again, how fast to send,
 * what an error answer says.
 */
#include "ballast/base/timestamp.h"
#include "check.h"
#include "kube/request/rate_limit.h"
#include "kube/request/retry.h"
#include "kube/request/status.h"

#define SECOND NANOS_PER_SECOND
#define MS (NANOS_PER_SECOND / 1000)

static void
test_may(void)
{
    static const struct {
        enum failure failure;
        int status;
        int64_t retry_after;
        bool read, write, repeatable; /* whether each may */
    } cases[] = {
        {FAILURE_UNSENT, 0, RETRY_NONE, true, true, true},
        {FAILURE_LOST, 0, RETRY_NONE, true, false, true},
        {FAILURE_BODY, 200, RETRY_NONE, true, false, true},
        {FAILURE_FATAL, 0, RETRY_NONE, false, false, false},
        {FAILURE_STATUS, 429, RETRY_NONE, true, true, true},
        {FAILURE_STATUS, 503, 0, true, true, true},
        {FAILURE_STATUS, 503, RETRY_NONE, true, false, true},
        {FAILURE_STATUS, 500, 0, true, false, true},
        {FAILURE_STATUS, 502, RETRY_NONE, true, false, true},
        {FAILURE_STATUS, 504, RETRY_NONE, true, false, true},
        {FAILURE_STATUS, 501, RETRY_NONE, false, false, false},
        {FAILURE_STATUS, 401, RETRY_NONE, false, false, false},
        {FAILURE_STATUS, 404, RETRY_NONE, false, false, false},
        {FAILURE_STATUS, 409, 0, false, false, false},
        {FAILURE_STATUS, 410, RETRY_NONE, false, false, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct try_result attempt = {.failure = cases[i].failure,
                                     .status = cases[i].status,
                                     .retry_after = cases[i].retry_after};

        CHECK_MSG(retry_may(&attempt) == cases[i].write, "case %zu, write", i);
        attempt.is_read = true;
        CHECK_MSG(retry_may(&attempt) == cases[i].read, "case %zu, read", i);
        attempt.is_read = false;
        attempt.repeatable = true;
        CHECK_MSG(retry_may(&attempt) == cases[i].repeatable, "case %zu, repeatable", i);
    }
}

/* Only where the server surely did nothing is there none. */
static void
test_doubt(void)
{
    static const struct {
        enum failure failure;
        int status;
        int64_t retry_after;
        bool want;
    } cases[] = {
        {FAILURE_UNSENT, 0, RETRY_NONE, false},   {FAILURE_LOST, 0, RETRY_NONE, true},
        {FAILURE_BODY, 200, RETRY_NONE, true},    {FAILURE_FATAL, 0, RETRY_NONE, false},
        {FAILURE_FATAL, 200, RETRY_NONE, true},   {FAILURE_FATAL, 302, RETRY_NONE, false},
        {FAILURE_STATUS, 429, RETRY_NONE, false}, {FAILURE_STATUS, 503, 0, false},
        {FAILURE_STATUS, 503, RETRY_NONE, true},  {FAILURE_STATUS, 500, RETRY_NONE, true},
        {FAILURE_STATUS, 504, 0, true},           {FAILURE_STATUS, 403, RETRY_NONE, false},
        {FAILURE_STATUS, 409, RETRY_NONE, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct try_result attempt = {.failure = cases[i].failure,
                                     .status = cases[i].status,
                                     .retry_after = cases[i].retry_after};

        CHECK_MSG(retry_leaves_doubt(&attempt) == cases[i].want, "case %zu", i);
        attempt.is_read = true;
        CHECK_MSG(!retry_leaves_doubt(&attempt), "case %zu, a read", i);
    }
}

static void
test_delay(void)
{
    CHECK_INT(retry_delay(1, RETRY_NONE, 0), 100 * MS);
    CHECK(retry_delay(1, RETRY_NONE, UINT32_MAX) < 200 * MS);
    CHECK(retry_delay(1, RETRY_NONE, UINT32_MAX) > 199 * MS);
    CHECK_INT(retry_delay(2, RETRY_NONE, 0), 200 * MS);
    CHECK_INT(retry_delay(4, RETRY_NONE, 0), 800 * MS);
    CHECK_INT(retry_delay(7, RETRY_NONE, 0), 5 * SECOND); /* 12.8 s are cut to 10 */
    CHECK_INT(retry_delay(UINT32_MAX, RETRY_NONE, 0), 5 * SECOND);
    CHECK_INT(retry_delay(1, 3 * SECOND, 0), 3 * SECOND);
    CHECK(retry_delay(1, 3 * SECOND, UINT32_MAX) > 3 * SECOND);
    CHECK_INT(retry_delay(3, 0, 0), 400 * MS); /* "at once" does not mean in a hot loop */
}

static void
test_retry_after(void)
{
    static const struct {
        const char *text;
        int64_t want;
    } cases[] = {
        {"0", 0},
        {"7", 7 * SECOND},
        {"299", 299 * SECOND},
        {"301", RETRY_AFTER_MAX},
        {"99999999999999999999999999", RETRY_AFTER_MAX},
        {"", RETRY_NONE},
        {"-1", RETRY_NONE},
        {"1.5 s", RETRY_NONE},
        {"soon", RETRY_NONE},
        {"Thu, 01 Jan 1970 00:16:50 GMT", 10 * SECOND}, /* 1010 s after the epoch */
        {"Thu, 01 Jan 1970 00:16:00 GMT", 0},           /* over */
        {"Fri, 31 Dec 2100 23:59:59 GMT", RETRY_AFTER_MAX},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t got = retry_after_parse(cases[i].text, 1000 * SECOND);

        CHECK_MSG(got == cases[i].want, "\"%s\": got %" PRId64 ", want %" PRId64, cases[i].text,
                  got, cases[i].want);
    }
}

static void
test_rate(void)
{
    struct rate_limit limit;

    rate_limit_init(&limit, 10, 3, 0);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(rate_limit_take(&limit, 0), 0);
    }
    int64_t wait = rate_limit_take(&limit, 0);

    CHECK(wait >= 100 * MS && wait <= 101 * MS);
    CHECK(rate_limit_take(&limit, 50 * MS) > 0);
    CHECK(rate_limit_take(&limit, 40 * MS) > 0); /* a clock that goes back */
    CHECK_INT(rate_limit_take(&limit, wait), 0);
    /* a long rest gives the burst, no more */
    for (int i = 0; i < 3; i++) {
        CHECK_INT(rate_limit_take(&limit, 3600 * SECOND), 0);
    }
    CHECK(rate_limit_take(&limit, 3600 * SECOND) > 0);
    rate_limit_init(&limit, 0, 0, 0);
    for (int i = 0; i < 1000; i++) {
        CHECK_INT(rate_limit_take(&limit, 0), 0);
    }
}

/* In ten seconds no more than burst + 10 * qps pass, however they are asked for. */
static void
test_rate_holds(void)
{
    struct rate_limit limit;
    int passed = 0;

    rate_limit_init(&limit, 40, 60, 0);
    for (int64_t now = 0; now < 10 * SECOND; now += 3 * MS) {
        passed += rate_limit_take(&limit, now) == 0 ? 1 : 0;
    }
    CHECK(passed >= 455 && passed <= 460);
}

/* Whoever comes behind leaves half of the burst: 130 writes pass at once with the limits that a run
 * has where nothing is given, although two Events come with each. */
static void
test_rate_is_left(void)
{
    struct rate_limit limit;
    int written = 0, told = 0;

    rate_limit_init(&limit, 100, 400, 0);
    while (written < 130 && rate_limit_take(&limit, 0) == 0) {
        written++;
        for (int i = 0; i < 2 && rate_limit_wait(&limit, 0, 200) == 0; i++) {
            CHECK_INT(rate_limit_take(&limit, 0), 0);
            told++;
        }
    }
    CHECK_INT(written, 130);
    CHECK_MSG(told >= 130 && told <= 140, "%d Events beside them", told);
    CHECK(rate_limit_wait(&limit, 0, 200) > 0); /* but all of them pass in the end */
    CHECK_INT(rate_limit_wait(&limit, 3 * SECOND, 200), 0);
    rate_limit_init(&limit, 10, 1, 0); /* of a burst of one there is nothing to leave */
    CHECK_INT(rate_limit_wait(&limit, 0, 0.5), 0);
    rate_limit_slow(&limit, 0, SECOND);
    CHECK_INT(rate_limit_wait(&limit, 0, 0.5), SECOND);
    rate_limit_init(&limit, 0, 0, 0); /* nor where there is no limit */
    CHECK_INT(rate_limit_wait(&limit, 0, 0), 0);
}

/* What a server says in many answers at once halves the rate once; it comes back with time. */
static void
test_rate_slows(void)
{
    struct rate_limit limit;
    int passed = 0;

    rate_limit_init(&limit, 100, 200, 0);
    CHECK_INT(rate_limit_take(&limit, 0), 0);
    for (int i = 0; i < 10; i++) {
        rate_limit_slow(&limit, i * MS, SECOND);
    }
    CHECK_INT(rate_limit_take(&limit, 9 * MS), SECOND);
    CHECK_INT(rate_limit_take(&limit, 509 * MS), SECOND / 2);
    for (int64_t now = 1009 * MS; now < 2009 * MS; now += MS) {
        passed += rate_limit_take(&limit, now) == 0 ? 1 : 0;
    }
    CHECK_MSG(passed >= 49 && passed <= 53, "%d a second", passed);
    rate_limit_slow(&limit, 3 * SECOND, 3600 * SECOND);
    CHECK_INT(rate_limit_take(&limit, 3 * SECOND), RATE_PAUSE_MAX);
    passed = 0;
    rate_limit_take(&limit, 100 * SECOND); /* the burst is back, and the rate */
    for (int64_t now = 100 * SECOND; now < 101 * SECOND; now += MS) {
        passed += rate_limit_take(&limit, now) == 0 ? 1 : 0;
    }
    CHECK_MSG(passed >= 297 && passed <= 300, "%d after a rest", passed);
    rate_limit_init(&limit, 0, 0, 0);
    rate_limit_slow(&limit, 0, SECOND);
    CHECK_INT(rate_limit_take(&limit, 0), SECOND);
    CHECK_INT(rate_limit_take(&limit, SECOND), 0);
}

static void
test_explain(void)
{
    static const struct {
        int status;
        enum error_code code;
        const char *body, *want;
    } cases[] = {
        {403, ERROR_FORBIDDEN, "{\"kind\":\"Status\",\"message\":\"pods is forbidden\"}",
         "HTTP 403: pods is forbidden"},
        {409, ERROR_CONFLICT, "{\"message\":\"a\\nb\\u001b[31mc\"}", "HTTP 409: a b\\u001B[31mc"},
        {404, ERROR_NOT_FOUND, "404 page not found\n", "HTTP 404: 404 page not found"},
        {404, ERROR_NOT_FOUND, "", "HTTP 404: not found"},
        {502, ERROR_UNAVAILABLE, "<html>", "HTTP 502: no reason given"},
        {422, ERROR_INVALID, "{\"message\":7}", "HTTP 422: no reason given"},
        {400, ERROR_INVALID, "{}", "HTTP 400: bad request"},
        {429, ERROR_UNAVAILABLE, "{", "HTTP 429: {"},
        {401, ERROR_FORBIDDEN, "null", "HTTP 401: the server does not know who we are"},
        {418, ERROR_IO, "", "HTTP 418: no reason given"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error err = ERROR_INIT;

        CHECK(!status_explain(cases[i].status, cases[i].body, strlen(cases[i].body), &err));
        CHECK_INT(err.code, cases[i].code);
        CHECK_MSG(strcasecmp(err.message, cases[i].want) == 0, "got \"%s\", want \"%s\"",
                  err.message, cases[i].want);
    }
}

static void
test_explain_is_bounded(void)
{
    struct error err = ERROR_INIT;
    char body[4096] = "{\"message\":\"";
    size_t length = strlen(body);

    while (length < 4000) {
        body[length] = '\xc3';
        body[length + 1] = '\xa4';
        length += 2;
    }
    snprintf(body + length, sizeof(body) - length, "\"}");
    status_explain(500, body, strlen(body), &err);
    CHECK(strlen(err.message) < 700);
    CHECK_CONTAINS(err.message, "\xc3\xa4...");
}

static void
test_whole(void)
{
    static const struct {
        const char *text;
        bool is_whole;
    } cases[] = {
        {"{}", true},
        {"{\"a\":[1,{}]} \r\n\t", true},
        {"{\"a\":\"}\\\"]\"}", true},
        {"", false},
        {"{", false},
        {"{\"a\":[1,{}]", false},
        {"{\"a\":\"}", false},
        {"{\"a\":\"\\", false},
        {"{}}", false},
        {"{}{}", false},
        {"}", false},
        {"null", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_MSG(status_body_is_whole(cases[i].text, strlen(cases[i].text)) == cases[i].is_whole,
                  "%s", cases[i].text);
    }
}

void suite_kube_policy(void);

void
suite_kube_policy(void)
{
    check_suite("kube_policy");
    check_test("what may be tried again", test_may);
    check_test("what leaves doubt", test_doubt);
    check_test("delays", test_delay);
    check_test("Retry-After", test_retry_after);
    check_test("token bucket", test_rate);
    check_test("token bucket over time", test_rate_holds);
    check_test("what is left of the rate", test_rate_is_left);
    check_test("the rate slows down", test_rate_slows);
    check_test("error answers", test_explain);
    check_test("long error answers", test_explain_is_bounded);
    check_test("whole bodies", test_whole);
}
