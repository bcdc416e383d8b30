/* SPDX-License-Identifier: Apache-2.0
 *
 * The client against a server that misbehaves: every request ends within its
 * deadline, with a truthful error.
 */
#include "ballast/kube/kube_client.h"

#include "check.h"
#include "kube_test.h"

#define EXPLAINED                                                                                  \
    HEAD("403 Forbidden", "application/json", "41")                                                \
    "\r\n{\"kind\":\"Status\",\"message\":\"you may not\"}"
#define GZIP_HEAD                                                                                  \
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"              \
    "Connection: close\r\n\r\n"
#define GZIP_BODY                                                                                  \
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\xca\xce\xcc\x4b"                             \
    "\x51\xb2\x52\x8a\x50\xd2\x51\xca\x4d\x2d\x49\x4c\x49\x2c\x49\x54"                             \
    "\xb2\xaa\x56\xca\x4b\xcc\x4d\x05\x0a\x27\x2a\xd5\xd6\x02\x00\x09"                             \
    "\x8b\xa4\x38\x24\x00\x00\x00"
#define GZIP_BODY_CORRUPT                                                                          \
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\xca\xce\xcc\x4b"                             \
    "\x51\xb2\x52\x8a\x50\xd2\x51\xca\x4d\x2d\x49\x4c\x49\x2c\x49\x54"                             \
    "\xb2\xaa\x56\xca\x4b\xcc\x4d\x05\x0a\x27\x2a\xd5\xd6\x02\x00\x08"                             \
    "\x8b\xa4\x38\x24\x00\x00\x00"

static const char gzip_whole[] = GZIP_HEAD GZIP_BODY;
#define GZIP_LENGTH (sizeof(gzip_whole) - 1)

/* The data's check sum does not fit. */
static const char gzip_corrupt[] = GZIP_HEAD GZIP_BODY_CORRUPT;

struct fault_case {
    const char *name;
    enum kube_method method;
    bool repeatable;
    struct step steps[4];
    const char *want; /* in the message; NULL: it succeeds */
    enum error_code code;
    int status;
    unsigned tries; /* 0: more than one */
};

static const struct fault_case fault_cases[] = {
    {"fine", KUBE_GET, false, {{OK, 0, PLAIN}}, NULL, 0, 200, 1},
    {"fine after 100 Continue",
     KUBE_GET,
     false,
     {{"HTTP/1.1 100 Continue\r\n\r\n" OK, 0, PLAIN}},
     NULL,
     0,
     200,
     1},
    {"chunked",
     KUBE_GET,
     false,
     {{"HTTP/1.1 200 OK\r\nContent-Type: application/json;charset=utf-8\r\n"
       "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n2\r\n1}\r\n0\r\n\r\n",
       0, PLAIN}},
     NULL,
     0,
     200,
     1},
    {"gzip", KUBE_GET, false, {{gzip_whole, GZIP_LENGTH, CLOSE}}, NULL, 0, 200, 1},
    {"204", KUBE_DELETE, false, {{STATUS("204 No Content", ""), 0, PLAIN}}, NULL, 0, 204, 1},
    {"429 then fine",
     KUBE_GET,
     false,
     {{STATUS("429 x", ""), 0, PLAIN}, {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     2},
    {"429 for a write",
     KUBE_POST,
     false,
     {{STATUS("429 x", "Retry-After: 1\r\n"), 0, PLAIN}, {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     2},
    {"429 for ever",
     KUBE_GET,
     false,
     {{STATUS("429 x", "Retry-After: 2\r\n"), 0, PLAIN}},
     "at last: HTTP 429: too many requests",
     ERROR_DEADLINE,
     429,
     0},
    {"429 for longer than we have",
     KUBE_GET,
     false,
     {{STATUS("429 x", "Retry-After: 90\r\n"), 0, PLAIN}},
     "no time is left to try again after 1 try, at last: HTTP 429",
     ERROR_DEADLINE,
     429,
     1},
    {"Retry-After as a date",
     KUBE_GET,
     false,
     {{STATUS("503 x", "Retry-After: Thu, 01 Jan 1970 00:18:20 GMT\r\n"), 0, PLAIN}},
     "no time is left",
     ERROR_DEADLINE,
     503,
     1}, /* 100 s from our wall clock */
    {"500 burst",
     KUBE_GET,
     false,
     {{STATUS("500 x", ""), 0, PLAIN},
      {STATUS("502 x", ""), 0, PLAIN},
      {STATUS("504 x", ""), 0, CLOSE},
      {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     4},
    {"500 for a write",
     KUBE_POST,
     false,
     {{STATUS("500 x", ""), 0, PLAIN}, {OK, 0, PLAIN}},
     "HTTP 500: internal error",
     ERROR_UNAVAILABLE,
     500,
     1},
    {"500 for a repeatable write",
     KUBE_PATCH_MERGE,
     true,
     {{STATUS("500 x", ""), 0, PLAIN}, {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     2},
    {"503 for a write",
     KUBE_POST,
     false,
     {{STATUS("503 x", ""), 0, PLAIN}, {OK, 0, PLAIN}},
     "HTTP 503: unavailable",
     ERROR_UNAVAILABLE,
     503,
     1},
    {"403",
     KUBE_GET,
     false,
     {{EXPLAINED, 0, PLAIN}},
     "HTTP 403: you may not",
     ERROR_FORBIDDEN,
     403,
     1},
    {"401 with nothing else to show",
     KUBE_GET,
     false,
     {{STATUS("401 x", ""), 0, PLAIN}},
     "HTTP 401: the server does not know who we are",
     ERROR_FORBIDDEN,
     401,
     1},
    {"404",
     KUBE_GET,
     false,
     {{STATUS("404 x", ""), 0, PLAIN}},
     "HTTP 404",
     ERROR_NOT_FOUND,
     404,
     1},
    {"409",
     KUBE_PATCH_MERGE,
     true,
     {{STATUS("409 x", ""), 0, PLAIN}},
     "HTTP 409",
     ERROR_CONFLICT,
     409,
     1},
    {"422",
     KUBE_PATCH_MERGE,
     true,
     {{STATUS("422 x", ""), 0, PLAIN}},
     "HTTP 422",
     ERROR_INVALID,
     422,
     1},
    {"redirect",
     KUBE_GET,
     false,
     {{STATUS("302 x", "Location: https://evil\x1b[2J/\r\n"), 0, PLAIN}},
     "HTTP 302: redirected to https://evil\\u001",
     ERROR_CONFIG,
     302,
     1},
    {"HTML",
     KUBE_GET,
     false,
     {{HEAD("200 OK", "text/html", "6") "\r\n<html>", 0, PLAIN}},
     "want application/json, got text/html",
     ERROR_IO,
     200,
     1},
    {"no type",
     KUBE_GET,
     false,
     {{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 0, PLAIN}},
     "want application/json, got no content type",
     ERROR_IO,
     200,
     1},
    {"reset before the answer", KUBE_GET, false, {{"", 0, RESET}, {OK, 0, PLAIN}}, NULL, 0, 200, 2},
    {"reset in the head",
     KUBE_GET,
     false,
     {{"HTTP/1.1 200 OK\r\nConte", 0, RESET}, {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     2},
    {"reset in the body",
     KUBE_GET,
     false,
     {{HEAD("200 OK", "application/json", "12") "\r\n{\"ki", 0, RESET}, {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     2},
    {"closed in the head",
     KUBE_GET,
     false,
     {{"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConte", 0, CLOSE}, {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     2},
    {"a write of which an early try may have been carried out",
     KUBE_PATCH_MERGE,
     true,
     {{"", 0, RESET}, {STATUS("403 x", ""), 0, PLAIN}},
     "HTTP 403: forbidden; it is not known whether it was carried out",
     ERROR_FORBIDDEN,
     403,
     2},
    {"500 for a repeatable write for ever",
     KUBE_PATCH_MERGE,
     true,
     {{STATUS("500 x", ""), 0, PLAIN}},
     "at last: HTTP 500: internal error; it is not known whether it was carried out",
     ERROR_DEADLINE,
     500,
     0},
    {"a login page for a write",
     KUBE_POST,
     false,
     {{HEAD("200 OK", "text/html", "6") "\r\n<html>", 0, PLAIN}},
     "got text/html; it is not known whether it was carried out",
     ERROR_IO,
     200,
     1},
    {"closed in the body",
     KUBE_GET,
     false,
     {{HEAD("200 OK", "application/json", "12") "\r\n{\"ki", 0, CLOSE}},
     "the answer broke off",
     ERROR_DEADLINE,
     200,
     0},
    {"reset of a write",
     KUBE_POST,
     false,
     {{"", 0, RESET}, {OK, 0, PLAIN}},
     "it is not known whether it was carried out",
     ERROR_UNAVAILABLE,
     0,
     1},
    {"reset of a repeatable write",
     KUBE_PATCH_MERGE,
     true,
     {{"", 0, RESET}, {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     2},
    {"shorter than told",
     KUBE_GET,
     false,
     {{HEAD("200 OK", "application/json", "11") "\r\n" BODY, 0, CLOSE}},
     "the answer is not whole",
     ERROR_DEADLINE,
     200,
     0},
    {"broken chunk",
     KUBE_GET,
     false,
     {{"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
       "zz\r\n",
       0, CLOSE},
      {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     2},
    {"empty",
     KUBE_GET,
     false,
     {{HEAD("200 OK", "application/json", "0") "\r\n", 0, PLAIN}, {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     2},
    {"truncated gzip",
     KUBE_GET,
     false,
     {{gzip_whole, GZIP_LENGTH - 12, CLOSE}, {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     2},
    {"corrupt gzip",
     KUBE_GET,
     false,
     {{gzip_corrupt, GZIP_LENGTH, CLOSE}, {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     2},
    {"no HTTP",
     KUBE_GET,
     false,
     {{"SSH-2.0-OpenSSH\r\n", 0, CLOSE}},
     "HTTP/0.9",
     ERROR_CONFIG,
     0,
     1},
    {"endless",
     KUBE_GET,
     false,
     {{"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{", 0, ENDLESS}},
     "the answer is larger than 100000 bytes",
     ERROR_LIMIT,
     200,
     1},
    {"endless error",
     KUBE_GET,
     false,
     {{"HTTP/1.1 403 x\r\n\r\n{", 0, ENDLESS}},
     "HTTP 403: {",
     ERROR_FORBIDDEN,
     403,
     1},
    {"silent", KUBE_GET, false, {{"", 0, SILENT}, {OK, 0, PLAIN}}, NULL, 0, 200, 2},
    {"silent in the body",
     KUBE_GET,
     false,
     {{HEAD("200 OK", "application/json", "12") "\r\n{", 0, SILENT}, {OK, 0, PLAIN}},
     NULL,
     0,
     200,
     2},
    {"silent to a write",
     KUBE_POST,
     false,
     {{"", 0, SILENT}, {OK, 0, PLAIN}},
     "it is not known whether",
     ERROR_UNAVAILABLE,
     0,
     1},
    {"slow bytes", KUBE_GET, false, {{OK, 0, DRIP}, {OK, 0, PLAIN}}, NULL, 0, 200, 2},
};

/* The server keeps it waiting for as long as a try may last. */
static bool
runs_into_timeout(const struct fault_case *c)
{
    bool found = false;

    for (unsigned i = 0; i < 4 && c->steps[i].raw != NULL; i++) {
        found = found || c->steps[i].manner == SILENT || c->steps[i].manner == DRIP;
    }
    return found;
}

static void
check_case(const struct fault_case *c)
{
    struct script script = {.steps = c->steps};
    struct fault_options fault = {.is_clear = true, .handler = script_play, .context = &script};
    struct kube_client_options options = fast_options();
    struct error err = ERROR_INIT;

    if (c->code == ERROR_DEADLINE) {
        options.deadline = SHORT_DEADLINE;
    } else if (!runs_into_timeout(c)) {
        options.request_timeout = 4 * NANOS_PER_SECOND; /* a machine may stand still */
    }
    while (script.count < 4 && c->steps[script.count].raw != NULL) {
        script.count++;
    }
    struct fault_server *server = fault_server_start(&fault);
    struct kube_config config = clear_config(server);
    struct kube_client *client = kube_client_new(&config, &options, &err);
    struct kube_request request = {.method = c->method,
                                   .path = "/x",
                                   .body = c->method == KUBE_GET ? NULL : "{}",
                                   .body_length = c->method == KUBE_GET ? 0 : 2,
                                   .repeatable = c->repeatable};
    int64_t begin = clock_monotonic();

    if (CHECK_OK(client != NULL, err)) {
        kube_perform(client, &request, 1);
        CHECK_MSG(clock_monotonic() - begin < 6 * NANOS_PER_SECOND, "%s: over the deadline",
                  c->name);
        CHECK_MSG(request.error.code == c->code, "%s: got %s: %s", c->name,
                  error_code_name(request.error.code), request.error.message);
        CHECK_MSG(c->want == NULL || strstr(request.error.message, c->want) != NULL,
                  "%s: got \"%s\", want \"%s\"", c->name, request.error.message,
                  c->want != NULL ? c->want : "");
        CHECK_MSG(request.status == c->status, "%s: got status %d", c->name, request.status);
        CHECK_MSG(c->tries == 0 ? request.tries > 1 : request.tries == c->tries, "%s: got %u tries",
                  c->name, request.tries);
        CHECK_INT(kube_client_statistics(client).retries, request.tries - 1);
        /* a try whose time ends before the server has read it is one that the server never saw */
        const bool may_be_cut_off = c->code == ERROR_DEADLINE || runs_into_timeout(c);
        const unsigned seen = fault_server_requests(server);

        CHECK_MSG(may_be_cut_off ? seen <= request.tries : seen == request.tries,
                  "%s: %u requests in %u tries", c->name, seen, request.tries);
        buf_release(&request.reply);
    }
    kube_client_free(client);
    fault_server_stop(server);
}

static void
test_faults(void)
{
    for (size_t i = 0; i < sizeof(fault_cases) / sizeof(fault_cases[0]); i++) {
        check_case(&fault_cases[i]);
    }
}

void suite_kube_faults(void);

void
suite_kube_faults(void)
{
    check_suite("kube_faults");
    check_test("one request each", test_faults);
}
