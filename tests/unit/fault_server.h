/* SPDX-License-Identifier: Apache-2.0
 *
 * An HTTP/1.1 server, with TLS or without, that misbehaves on purpose: it reads
 * requests and leaves it to the test to say what goes back, byte for byte. Runs
 * in threads of its own on a loopback port.
 */
#ifndef BALLAST_FAULT_SERVER_H
#define BALLAST_FAULT_SERVER_H

#include <stdbool.h>
#include <stddef.h>

struct fault_server;
struct fault_connection;

struct fault_request {
    unsigned number;    /* of the server's, from 1 */
    const char *head;   /* request line and headers */
    const char *target; /* path and query */
    const char *body;
};

/* Answers one request; false ends the connection. Called in threads, one at a time. */
typedef bool fault_handler(void *context, struct fault_connection *connection,
                           const struct fault_request *request);

struct fault_options {
    bool is_clear;   /* no TLS */
    const char *san; /* "IP:127.0.0.1" when NULL */
    bool is_expired;
    bool wants_certificate;
    fault_handler *handler;
    void *context;
};

struct fault_server *fault_server_start(const struct fault_options *options);
void fault_server_stop(struct fault_server *server);
const char *fault_server_url(const struct fault_server *server);
/* PEM texts: of the CA, and of a client that it knows. */
const char *fault_server_ca(const struct fault_server *server);
const char *fault_client_certificate(const struct fault_server *server);
const char *fault_client_key(const struct fault_server *server);
unsigned fault_server_requests(struct fault_server *server);
unsigned fault_server_connections(struct fault_server *server);

/* For handlers. False when the client is gone. */
bool fault_write(struct fault_connection *connection, const void *bytes, size_t length);
/* Ends the connection with a TCP reset. */
void fault_reset(struct fault_connection *connection);
/* Sleeps, but not longer than the server lives. */
void fault_sleep(struct fault_connection *connection, unsigned ms);

#endif
