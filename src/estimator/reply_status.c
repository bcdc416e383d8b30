/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements gRPC over HTTP/2 (doc/PROTOCOL-HTTP2.md and doc/http-grpc-status-mapping.md of
 * github.com/grpc/grpc).
 */
#include "reply_status.h"

#include <string.h>
#include <strings.h>

#include "ballast/base/text.h"
#include "ballast/http/http.h"

static const struct {
    const char *name;
    enum error_code error;
} codes[] = {
    [GRPC_OK] = {"OK", ERROR_NONE},
    [GRPC_CANCELLED] = {"CANCELLED", ERROR_UNAVAILABLE},
    [GRPC_UNKNOWN] = {"UNKNOWN", ERROR_IO},
    [GRPC_INVALID_ARGUMENT] = {"INVALID_ARGUMENT", ERROR_INVALID},
    [GRPC_DEADLINE_EXCEEDED] = {"DEADLINE_EXCEEDED", ERROR_UNAVAILABLE},
    [GRPC_NOT_FOUND] = {"NOT_FOUND", ERROR_NOT_FOUND},
    [GRPC_ALREADY_EXISTS] = {"ALREADY_EXISTS", ERROR_CONFLICT},
    [GRPC_PERMISSION_DENIED] = {"PERMISSION_DENIED", ERROR_FORBIDDEN},
    [GRPC_RESOURCE_EXHAUSTED] = {"RESOURCE_EXHAUSTED", ERROR_LIMIT},
    [GRPC_FAILED_PRECONDITION] = {"FAILED_PRECONDITION", ERROR_INVALID},
    [GRPC_ABORTED] = {"ABORTED", ERROR_CONFLICT},
    [GRPC_OUT_OF_RANGE] = {"OUT_OF_RANGE", ERROR_INVALID},
    [GRPC_UNIMPLEMENTED] = {"UNIMPLEMENTED", ERROR_NOT_FOUND},
    [GRPC_INTERNAL] = {"INTERNAL", ERROR_IO},
    [GRPC_UNAVAILABLE] = {"UNAVAILABLE", ERROR_UNAVAILABLE},
    [GRPC_DATA_LOSS] = {"DATA_LOSS", ERROR_IO},
    [GRPC_UNAUTHENTICATED] = {"UNAUTHENTICATED", ERROR_FORBIDDEN},
};

#define N_CODES (sizeof(codes) / sizeof(codes[0]))

static int
known(int code)
{
    return code >= 0 && (size_t)code < N_CODES ? code : GRPC_UNKNOWN;
}

const char *
grpc_code_name(int code)
{
    return codes[known(code)].name;
}

enum error_code
grpc_error_code(int code)
{
    return codes[known(code)].error;
}

int
grpc_code_of_http(int status)
{
    switch (status) {
    case 400:
        return GRPC_INTERNAL;
    case 401:
        return GRPC_UNAUTHENTICATED;
    case 403:
        return GRPC_PERMISSION_DENIED;
    case 404:
        return GRPC_UNIMPLEMENTED;
    case 429:
    case 502:
    case 503:
    case 504:
        return GRPC_UNAVAILABLE;
    default:
        return GRPC_UNKNOWN;
    }
}

bool
grpc_is_content_type(const char *content_type)
{
    static const char grpc[] = "application/grpc";
    size_t length = sizeof(grpc) - 1;

    return strncasecmp(content_type, grpc, length) == 0 &&
           strchr("+; ", content_type[length]) != NULL;
}

/* Decodes %XX and keeps malformed parts. Writes at most size - 1 bytes. */
static void
message_decode(const char *text, size_t length, char *ret, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < length && used + 1 < size; i++) {
        int byte = text[i] == '%' && i + 2 < length ? text_hex_byte(text + i + 1) : -1;
        char c = text[i];

        if (byte >= 0) {
            c = (char)byte;
            i += 2;
        }
        if (c != '\0') { /* would end the text */
            ret[used++] = c;
        }
    }
    ret[used] = '\0';
}

void
grpc_headers_init(struct grpc_headers *headers)
{
    *headers = (struct grpc_headers){.code = GRPC_ABSENT};
}

/* Returns a decimal number without sign as a code; UNKNOWN for anything else. */
static int
parse_code(const char *text, size_t length)
{
    int code = 0;

    if (length == 0 || length > 4) {
        return GRPC_UNKNOWN;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return GRPC_UNKNOWN;
        }
        code = code * 10 + (text[i] - '0');
    }
    return known(code);
}

void
grpc_headers_take(struct grpc_headers *headers, const char *line, size_t length)
{
    const char *value;
    size_t left;

    if (length >= 5 && memcmp(line, "HTTP/", 5) == 0) { /* a 1xx may precede */
        grpc_headers_init(headers);
    } else if ((value = http_header_value(line, length, "grpc-status", &left)) != NULL) {
        headers->code = parse_code(value, left);
    } else if ((value = http_header_value(line, length, "grpc-message", &left)) != NULL) {
        message_decode(value, left, headers->message, sizeof(headers->message));
    }
    http_header_keep(line, length, "grpc-encoding", headers->encoding, sizeof(headers->encoding));
    http_header_keep(line, length, "content-type", headers->content_type,
                     sizeof(headers->content_type));
}
