/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of the API server client share: answers, and clients whose time
 * runs faster than the world's, so that back-off does not cost test time.
 */
#ifndef BALLAST_KUBE_TEST_H
#define BALLAST_KUBE_TEST_H

#include "ballast/base/clock.h"
#include "ballast/base/timestamp.h"
#include "ballast/kube/kube_client.h"
#include "fault_server.h"

#define SHORT_DEADLINE (20 * NANOS_PER_SECOND) /* 0.4 s of the world's */
#define MS (NANOS_PER_SECOND / 1000)

#define HEAD(status, type, length)                                                                 \
    "HTTP/1.1 " status "\r\nContent-Type: " type "\r\nContent-Length: " length "\r\n"
#define BODY "{\"kind\":\"X\"}" /* 12 bytes */
#define OK HEAD("200 OK", "application/json", "12") "\r\n" BODY
#define STATUS(status, more) "HTTP/1.1 " status "\r\n" more "Content-Length: 0\r\n\r\n"

/* An answer of the server's own making, byte for byte. */
enum manner {
    PLAIN, /* and go on */
    CLOSE, /* and end the connection */
    RESET, /* and reset it */
    DRIP,  /* a byte at a time, slowly */
    ENDLESS,
    SILENT,
};

struct step {
    const char *raw;
    size_t length; /* 0: strlen */
    enum manner manner;
};

struct script {
    const struct step *steps;
    unsigned count; /* the last one goes on for ever */
};

/* A fault_handler whose context is a struct script. */
fault_handler script_play;

/* For members that own their text elsewhere. */
char *unowned(const char *text);
struct kube_client_options fast_options(void);
struct kube_config clear_config(const struct fault_server *server);

#endif
