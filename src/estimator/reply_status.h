/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads gRPC's HTTP headers: grpc-status and grpc-message, as trailers behind the body or, without
 * a body, in the first block of headers. Maps a response without them to a code.
 */
#ifndef BALLAST_ESTIMATOR_REPLY_STATUS_H
#define BALLAST_ESTIMATOR_REPLY_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#include "ballast/base/error.h"

enum grpc_code {
    GRPC_ABSENT = -1,
    GRPC_OK = 0,
    GRPC_CANCELLED,
    GRPC_UNKNOWN,
    GRPC_INVALID_ARGUMENT,
    GRPC_DEADLINE_EXCEEDED,
    GRPC_NOT_FOUND,
    GRPC_ALREADY_EXISTS,
    GRPC_PERMISSION_DENIED,
    GRPC_RESOURCE_EXHAUSTED,
    GRPC_FAILED_PRECONDITION,
    GRPC_ABORTED,
    GRPC_OUT_OF_RANGE,
    GRPC_UNIMPLEMENTED,
    GRPC_INTERNAL,
    GRPC_UNAVAILABLE,
    GRPC_DATA_LOSS,
    GRPC_UNAUTHENTICATED,
};

#define GRPC_MESSAGE_MAX 600

struct grpc_headers {
    int code;                       /* enum grpc_code */
    char message[GRPC_MESSAGE_MAX]; /* decoded, not yet safe to show */
    char content_type[64];
    char encoding[32]; /* grpc-encoding */
};

/* Starts with no headers: the code is GRPC_ABSENT. */
void grpc_headers_init(struct grpc_headers *headers);
/* Takes one line of headers or trailers, with or without its line end. A status line resets all. */
void grpc_headers_take(struct grpc_headers *headers, const char *line, size_t length);

/* Returns the name of a code: "UNAVAILABLE". A code that gRPC does not define is UNKNOWN, as
 * everywhere in gRPC. */
const char *grpc_code_name(int code);
/* Returns Ballast's error for a gRPC code; NONE for OK. */
enum error_code grpc_error_code(int code);
/* Returns the gRPC code that an HTTP status other than 200 stands for if no grpc-status came. */
int grpc_code_of_http(int status);
/* True for "application/grpc", also with "+proto" and the like or with parameters. */
bool grpc_is_content_type(const char *content_type);

#endif
