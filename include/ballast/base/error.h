/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors are values: the caller owns a struct error on its stack, a fallible
 * function takes it last, returns false (or NULL) and fills it on failure, and
 * leaves it alone on success. Callers add context while unwinding, so that the
 * message reads from the outside in:
 *
 *     listing resourcebindings: https://...: HTTP 403: forbidden
 *
 * Nothing here allocates. Only cli/ prints errors, only main exits.
 */
#ifndef BALLAST_BASE_ERROR_H
#define BALLAST_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

#define ERROR_MESSAGE_MAX 1024
#define ERROR_URL_MAX 512

/* name, text */
#define ERROR_CODES(X)                                                                             \
    X(NONE, "no error")                                                                            \
    X(USAGE, "wrong usage")                                                                        \
    X(CONFIG, "bad configuration")                                                                 \
    X(IO, "input/output error")                                                                    \
    X(PARSE, "malformed input")                                                                    \
    X(INVALID, "invalid object")                                                                   \
    X(LIMIT, "a limit was exceeded")                                                               \
    X(NOT_FOUND, "not found")                                                                      \
    X(CONFLICT, "conflict: the object changed since it was read")                                  \
    X(FORBIDDEN, "forbidden")                                                                      \
    X(UNAVAILABLE, "temporarily unavailable")                                                      \
    X(DEADLINE, "the deadline has passed")                                                         \
    X(STOPPED, "stopped by a signal")

enum error_code {
#define X(name, text) ERROR_##name,
    ERROR_CODES(X)
#undef X
};

/* The request that a server refused, for who wants to explain it; the message has it in words. */
struct error_request {
    int status; /* of HTTP; 0: the error is not such a refusal, and the rest means nothing */
    const char *method;      /* "GET"; static */
    char url[ERROR_URL_MAX]; /* without query; "" if longer */
};

struct error {
    enum error_code code;
    char message[ERROR_MESSAGE_MAX]; /* complete UTF-8; cut with "..." if longer */
    struct error_request request;
};

#define ERROR_INIT                                                                                 \
    {                                                                                              \
        .code = ERROR_NONE                                                                         \
    }

/* Sets code and message; the request is forgotten. Always returns false, so that `return
 * error_set(...)` reads well. */
bool error_set(struct error *err, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As error_set with IO and ": strerror(errno_value)" behind the message. */
bool error_set_errno(struct error *err, int errno_value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "<format>: " before the message, and keeps the rest. Always returns false. */
bool error_wrap(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a code means, in words. */
const char *error_code_name(enum error_code code);

/* A broken invariant of ours: one line on stderr, then abort(). Never for bad input. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Memory is exhausted: one line on stderr, then exit status 1. */
_Noreturn void out_of_memory(void);
#endif
