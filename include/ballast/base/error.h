/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors are values. The caller owns a struct error on its stack. A function that
 * can fail takes it as its last argument; on failure it fills the error and
 * returns false or NULL, on success it leaves the error alone. Callers add
 * context on the way up, so that the message reads from the outside in:
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

/* Request that a server refused, for code that explains the error. The message describes it. */
struct error_request {
    int status;              /* HTTP status; 0: no refused request, the other members are invalid */
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

/* Sets code and message, and clears the request. Arguments may point into the old message. Returns
 * false, for `return error_set(...)`. */
bool error_set(struct error *err, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets ERROR_IO and "<format>: <strerror(errno_value)>", clears the request. Returns false. */
bool error_set_errno(struct error *err, int errno_value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "<format>: " before the message. Keeps code and request. Returns false. */
bool error_wrap(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the meaning of a code in words, a constant. */
const char *error_code_name(enum error_code code);

/* BUG(format, ...): an invariant of Ballast is broken. Never for bad input. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
/* Prints one line with the place in the source to stderr and aborts. Call it through BUG(). */
_Noreturn void bug_at(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints one line to stderr and ends the process with status 1. */
_Noreturn void out_of_memory(void);
#endif
