/* SPDX-License-Identifier: Apache-2.0
 *
 * The server that misbehaves on purpose.
 */
#include "fault_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "fault_tls.h"

#define MAX_CONNECTIONS 256
#define REQUEST_MAX ((size_t)2 << 20)

struct fault_server {
    struct fault_options options;
    int listener;
    char url[64];
    char ca_pem[FAULT_PEM_MAX], client_pem[FAULT_PEM_MAX], client_key_pem[FAULT_PEM_MAX];
    SSL_CTX *tls;
    pthread_t acceptor;
    pthread_t threads[MAX_CONNECTIONS];
    pthread_mutex_t handling;
    atomic_uint requests, connections;
    atomic_bool is_stopping;
};

struct fault_connection {
    struct fault_server *server;
    int fd;
    SSL *tls;
    bool is_reset;
};

static void
check(bool condition, const char *what)
{
    if (!condition) {
        perror(what);
        abort();
    }
}

bool
fault_write(struct fault_connection *connection, const void *bytes, size_t length)
{
    const char *from = bytes;

    while (length > 0) {
        ssize_t sent = connection->tls != NULL ? SSL_write(connection->tls, from, (int)length)
                                               : send(connection->fd, from, length, MSG_NOSIGNAL);

        if (sent <= 0 || atomic_load(&connection->server->is_stopping)) {
            return false;
        }
        from += sent;
        length -= (size_t)sent;
    }
    return true;
}

void
fault_reset(struct fault_connection *connection)
{
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};

    setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    connection->is_reset = true;
}

void
fault_sleep(struct fault_connection *connection, unsigned ms)
{
    for (unsigned done = 0; done < ms && !atomic_load(&connection->server->is_stopping);
         done += 5) {
        const struct timespec time = {.tv_nsec = 5000000};

        nanosleep(&time, NULL);
    }
}

/* Some bytes within the server's life; 0 at the end. */
static size_t
read_some(struct fault_connection *connection, char *bytes, size_t size)
{
    while (connection->tls == NULL || SSL_pending(connection->tls) == 0) {
        struct pollfd wanted = {.fd = connection->fd, .events = POLLIN};

        if (atomic_load(&connection->server->is_stopping)) {
            return 0;
        }
        if (poll(&wanted, 1, 20) > 0) {
            break;
        }
    }
    ssize_t got = connection->tls != NULL ? SSL_read(connection->tls, bytes, (int)size)
                                          : recv(connection->fd, bytes, size, 0);

    return got > 0 ? (size_t)got : 0;
}

static size_t
body_length(const char *head)
{
    const char *header = strcasestr(head, "\r\ncontent-length:");

    return header != NULL ? strtoul(header + 17, NULL, 10) : 0;
}

/* Reads head and body into text; false at the end of the connection. */
static bool
read_request(struct fault_connection *connection, char text[REQUEST_MAX], char **ret_body)
{
    size_t length = 0, whole = SIZE_MAX;

    *ret_body = NULL;
    while (length < whole) {
        size_t got = read_some(connection, text + length, REQUEST_MAX - 1 - length);

        if (got == 0) {
            return false;
        }
        length += got;
        text[length] = '\0';
        char *end = strstr(text, "\r\n\r\n");

        if (*ret_body == NULL && end != NULL) {
            end[2] = '\0';
            *ret_body = end + 4;
            whole = (size_t)(end + 4 - text) + body_length(text);
        }
    }
    return true;
}

static bool
answer(struct fault_connection *connection, const char *head, const char *body)
{
    struct fault_server *server = connection->server;
    char target[8192] = "";
    struct fault_request request = {.head = head, .target = target, .body = body};

    sscanf(head, "%*s %8191s", target);
    pthread_mutex_lock(&server->handling);
    request.number = atomic_fetch_add(&server->requests, 1) + 1;
    bool goes_on = server->options.handler(server->options.context, connection, &request);

    pthread_mutex_unlock(&server->handling);
    return goes_on && !connection->is_reset;
}

static void *
serve(void *argument)
{
    struct fault_connection *connection = argument;
    char *text = malloc(REQUEST_MAX), *body;
    bool is_open = text != NULL;

    if (connection->server->tls != NULL) {
        connection->tls = SSL_new(connection->server->tls);
        SSL_set_fd(connection->tls, connection->fd);
        is_open = is_open && SSL_accept(connection->tls) == 1;
    }
    while (is_open && read_request(connection, text, &body)) {
        is_open = answer(connection, text, body);
    }
    if (connection->tls != NULL && !connection->is_reset && is_open) {
        SSL_shutdown(connection->tls);
    }
    SSL_free(connection->tls);
    close(connection->fd);
    free(text);
    free(connection);
    return NULL;
}

static void *
accept_all(void *argument)
{
    struct fault_server *server = argument;

    while (!atomic_load(&server->is_stopping)) {
        struct pollfd wanted = {.fd = server->listener, .events = POLLIN};
        unsigned count = atomic_load(&server->connections);

        if (poll(&wanted, 1, 20) <= 0 || count >= MAX_CONNECTIONS) {
            continue;
        }
        struct fault_connection *connection = calloc(1, sizeof(*connection));
        struct timeval time = {.tv_sec = 5};
        const int at_once =
            1; /* what is sent in pieces waits for no acknowledgement between them */

        check(connection != NULL, "calloc");
        connection->server = server;
        connection->fd = accept(server->listener, NULL, NULL);
        check(connection->fd >= 0, "accept");
        setsockopt(connection->fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time));
        setsockopt(connection->fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time));
        setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
        check(pthread_create(&server->threads[count], NULL, serve, connection) == 0, "thread");
        atomic_fetch_add(&server->connections, 1);
    }
    return NULL;
}

static void
listen_on_loopback(struct fault_server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);

    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(server->listener >= 0, "socket");
    check(bind(server->listener, (const struct sockaddr *)&address, length) == 0, "bind");
    check(listen(server->listener, 64) == 0, "listen");
    check(getsockname(server->listener, (struct sockaddr *)&address, &length) == 0, "name");
    snprintf(server->url, sizeof(server->url), "%s://127.0.0.1:%u",
             server->options.is_clear ? "http" : "https", ntohs(address.sin_port));
}

static void
make_tls(struct fault_server *server)
{
    const struct fault_options *options = &server->options;
    struct fault_identity ca = fault_identity_make("test CA", NULL, false, NULL);
    struct fault_identity own = fault_identity_make(
        "server", options->san != NULL ? options->san : "IP:127.0.0.1", options->is_expired, &ca);
    struct fault_identity client = fault_identity_make("client", NULL, false, &ca);

    server->tls = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate(server->tls, own.certificate);
    SSL_CTX_use_PrivateKey(server->tls, own.key);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(server->tls), ca.certificate);
    if (options->wants_certificate) {
        SSL_CTX_set_verify(server->tls, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    }
    fault_certificate_pem(&ca, server->ca_pem);
    fault_certificate_pem(&client, server->client_pem);
    fault_key_pem(&client, server->client_key_pem);
    fault_identity_release(&ca);
    fault_identity_release(&own);
    fault_identity_release(&client);
}

struct fault_server *
fault_server_start(const struct fault_options *options)
{
    struct fault_server *server = calloc(1, sizeof(*server));
    sigset_t all, before;

    check(server != NULL, "calloc");
    server->options = *options;
    pthread_mutex_init(&server->handling, NULL);
    listen_on_loopback(server);
    if (!options->is_clear) {
        make_tls(server);
    }
    sigfillset(&all); /* inherited: TLS writes to a closed connection give an error, no signal */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    check(pthread_create(&server->acceptor, NULL, accept_all, server) == 0, "thread");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return server;
}

void
fault_server_stop(struct fault_server *server)
{
    atomic_store(&server->is_stopping, true);
    pthread_join(server->acceptor, NULL);
    for (unsigned i = 0; i < atomic_load(&server->connections); i++) {
        pthread_join(server->threads[i], NULL);
    }
    close(server->listener);
    SSL_CTX_free(server->tls);
    pthread_mutex_destroy(&server->handling);
    free(server);
}

const char *
fault_server_url(const struct fault_server *server)
{
    return server->url;
}

const char *
fault_server_ca(const struct fault_server *server)
{
    return server->ca_pem;
}

const char *
fault_client_certificate(const struct fault_server *server)
{
    return server->client_pem;
}

const char *
fault_client_key(const struct fault_server *server)
{
    return server->client_key_pem;
}

unsigned
fault_server_requests(struct fault_server *server)
{
    return atomic_load(&server->requests);
}

unsigned
fault_server_connections(struct fault_server *server)
{
    return atomic_load(&server->connections);
}
