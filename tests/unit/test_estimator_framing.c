/* SPDX-License-Identifier: Apache-2.0
 *
 * gRPC's frames and what it says in headers.
 */
#include "check.h"
#include "estimator/framing.h"
#include "estimator/reply_status.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MAXIMUM 300

void suite_estimator_framing(void);

/* Fed in pieces of `piece` bytes: the message, or the error. */
static void
check_frames(const char *bytes, size_t length, size_t piece, const char *want,
             enum error_code want_code)
{
    struct frame_reader reader;
    struct error err = ERROR_INIT;
    bool goes_on = true;

    frame_reader_init(&reader, MAXIMUM);
    for (size_t at = 0; at < length && goes_on; at += piece) {
        goes_on = frame_reader_feed(&reader, bytes + at, length - at < piece ? length - at : piece);
    }
    if (frame_reader_finish(&reader, &err)) {
        CHECK_STR(buf_text(&reader.message), want);
    } else {
        CHECK_CONTAINS(err.message, want);
        CHECK_MSG(goes_on || !frame_reader_feed(&reader, "", 0), "goes on after an error");
    }
    CHECK_INT(err.code, want_code);
    frame_reader_release(&reader);
}

#define FRAMES(text) text, sizeof(text) - 1

static void
test_frames(void)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *want;
        enum error_code code;
    } table[] = {
        {FRAMES("\0\0\0\0\3abc"), "abc", ERROR_NONE},
        {FRAMES("\0\0\0\0\0"), "", ERROR_NONE},
        {FRAMES(""), "no message came", ERROR_PARSE},
        {FRAMES("\0"), "ends early", ERROR_PARSE},
        {FRAMES("\0\0\0\0"), "ends early", ERROR_PARSE},
        {FRAMES("\0\0\0\0\3ab"), "the message ends early: 2 of 3 bytes came", ERROR_PARSE},
        {FRAMES("\0\0\0\0\2abc"), "more than one message", ERROR_PARSE},
        {FRAMES("\0\0\0\0\0\0\0\0\0\0"), "more than one message", ERROR_PARSE},
        {FRAMES("\1\0\0\0\1a"), "compressed", ERROR_PARSE},
        {FRAMES("\2\0\0\0\1a"), "begins with 0x02", ERROR_PARSE},
        {FRAMES("\xff\0\0\0\1a"), "begins with 0xff", ERROR_PARSE},
        {FRAMES("\0\0\0\1\x2c"), "ends early: 0 of 300", ERROR_PARSE},
        {FRAMES("\0\0\0\1\x2d"), "the answer of 301 bytes is larger than 300", ERROR_LIMIT},
        {FRAMES("\0\xff\xff\xff\xff"), "4294967295 bytes is larger", ERROR_LIMIT},
        {FRAMES("HTTP/1.1 400 Bad Request\r\n"), "begins with 0x48", ERROR_PARSE},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        for (size_t piece = 1; piece <= 8; piece++) {
            check_frames(table[i].bytes, table[i].length, piece, table[i].want, table[i].code);
        }
        check_frames(table[i].bytes, table[i].length, 1000, table[i].want, table[i].code);
    }
}

static void
test_frame_writing(void)
{
    struct buf out;
    char message[0x1234];

    memset(message, 'x', sizeof(message));
    buf_init(&out, SIZE_MAX);
    frame_begin(&out);
    frame_end(&out);
    CHECK(out.length == 5 && memcmp(out.data, "\0\0\0\0\0", 5) == 0);
    buf_clear(&out);
    frame_begin(&out);
    buf_append(&out, message, sizeof(message));
    frame_end(&out);
    CHECK(out.length == 5 + sizeof(message) && memcmp(out.data, "\0\0\0\x12\x34xx", 7) == 0);
    buf_release(&out);
}

static void
take(struct grpc_headers *headers, const char *line)
{
    grpc_headers_take(headers, line, strlen(line));
}

static void
test_headers(void)
{
    struct grpc_headers headers;

    grpc_headers_init(&headers);
    take(&headers, "HTTP/2 200 \r\n");
    take(&headers, "content-type: application/grpc\r\n");
    take(&headers, "Grpc-Encoding:gzip\r\n");
    take(&headers, "grpc-status-details-bin: AAAA\r\n");
    take(&headers, "\r\n");
    CHECK_INT(headers.code, GRPC_ABSENT);
    CHECK_STR(headers.content_type, "application/grpc");
    CHECK_STR(headers.encoding, "gzip");
    take(&headers, "grpc-status: 5\r\n");
    take(&headers, "grpc-message:  not%20there \r\n");
    CHECK_INT(headers.code, GRPC_NOT_FOUND);
    CHECK_STR(headers.message, "not there");
    take(&headers, "HTTP/2 200 \r\n");
    CHECK_INT(headers.code, GRPC_ABSENT);
    CHECK_STR(headers.message, "");
}

static void
test_codes(void)
{
    static const struct {
        const char *line;
        int want;
    } table[] = {
        {"grpc-status:0", GRPC_OK},
        {"grpc-status: 00016", GRPC_UNKNOWN},
        {"grpc-status: 16", 16},
        {"grpc-status: 17", GRPC_UNKNOWN},
        {"grpc-status: -1", GRPC_UNKNOWN},
        {"grpc-status:", GRPC_UNKNOWN},
        {"grpc-status: 1x", GRPC_UNKNOWN},
        {"grpc-status: 99999999999", GRPC_UNKNOWN},
        {"grpc-status : 0", GRPC_ABSENT},
        {"grpc-status", GRPC_ABSENT},
        {"xgrpc-status: 0", GRPC_ABSENT},
        {"grpc-statu: 0", GRPC_ABSENT},
        {"GRPC-STATUS: 7", 7},
        {":", GRPC_ABSENT},
        {"grpc-status: 0x0", GRPC_UNKNOWN},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct grpc_headers headers;

        grpc_headers_init(&headers);
        take(&headers, table[i].line);
        CHECK_MSG(headers.code == table[i].want, "%s: got %d", table[i].line, headers.code);
    }
    CHECK_STR(grpc_code_name(GRPC_UNAVAILABLE), "UNAVAILABLE");
    CHECK_STR(grpc_code_name(GRPC_UNAUTHENTICATED), "UNAUTHENTICATED");
    CHECK_STR(grpc_code_name(17), "UNKNOWN");
    CHECK_STR(grpc_code_name(-1), "UNKNOWN");
    CHECK_INT(grpc_error_code(GRPC_OK), ERROR_NONE);
    CHECK_INT(grpc_error_code(GRPC_PERMISSION_DENIED), ERROR_FORBIDDEN);
    CHECK_INT(grpc_error_code(1000), ERROR_IO);
}

static void
test_messages_are_decoded(void)
{
    static const struct {
        const char *text, *want;
    } table[] = {
        {"", ""},
        {"plain", "plain"},
        {"100%25", "100%"},
        {"a%0Ab%0ac", "a\nb\nc"},
        {"%E2%82%AC", "\xe2\x82\xac"},
        {"%", "%"},
        {"%2", "%2"},
        {"a%2", "a%2"},
        {"%zz%4", "%zz%4"},
        {"%4g%41", "%4gA"},
        {"a%00b", "ab"},
        {"%252541", "%2541"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct grpc_headers headers;
        char line[64];

        snprintf(line, sizeof(line), "grpc-message: %s\r\n", table[i].text);
        grpc_headers_init(&headers);
        grpc_headers_take(&headers, line, strlen(line));
        CHECK_STR(headers.message, table[i].want);
    }
}

static void
take_long(struct grpc_headers *headers, const char *name)
{
    struct buf line;

    buf_init(&line, SIZE_MAX);
    buf_printf(&line, "%s: %05000d", name, 0);
    grpc_headers_take(headers, line.data, line.length);
    buf_release(&line);
}

static void
test_long_headers(void)
{
    struct grpc_headers headers;

    grpc_headers_init(&headers);
    take_long(&headers, "grpc-message");
    take_long(&headers, "content-type");
    take_long(&headers, "grpc-encoding");
    CHECK_INT(strlen(headers.message), GRPC_MESSAGE_MAX - 1);
    CHECK_INT(strlen(headers.content_type), sizeof(headers.content_type) - 1);
    CHECK_INT(strlen(headers.encoding), sizeof(headers.encoding) - 1);
}

static void
test_answers_of_others(void)
{
    CHECK(grpc_is_content_type("application/grpc"));
    CHECK(grpc_is_content_type("Application/gRPC+proto"));
    CHECK(grpc_is_content_type("application/grpc; charset=utf-8"));
    CHECK(!grpc_is_content_type("application/grpc-web"));
    CHECK(!grpc_is_content_type("application/grp"));
    CHECK(!grpc_is_content_type("text/html"));
    CHECK(!grpc_is_content_type(""));
    CHECK_INT(grpc_code_of_http(503), GRPC_UNAVAILABLE);
    CHECK_INT(grpc_code_of_http(404), GRPC_UNIMPLEMENTED);
    CHECK_INT(grpc_code_of_http(403), GRPC_PERMISSION_DENIED);
    CHECK_INT(grpc_code_of_http(401), GRPC_UNAUTHENTICATED);
    CHECK_INT(grpc_code_of_http(400), GRPC_INTERNAL);
    CHECK_INT(grpc_code_of_http(302), GRPC_UNKNOWN);
    CHECK_INT(grpc_code_of_http(500), GRPC_UNKNOWN);
}

void
suite_estimator_framing(void)
{
    check_suite("estimator_framing");
    check_test("frames in pieces of any size", test_frames);
    check_test("frames are written", test_frame_writing);
    check_test("headers and trailers", test_headers);
    check_test("codes", test_codes);
    check_test("messages are decoded", test_messages_are_decoded);
    check_test("long headers are cut", test_long_headers);
    check_test("answers of something else", test_answers_of_others);
}
