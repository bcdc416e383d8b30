/* SPDX-License-Identifier: Apache-2.0
 *
 * What the client makes of estimators that do not answer, and of its options.
 * How it speaks with those that do is in tests/estimator.
 */
#include "ballast/estimator/estimator_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ballast/base/timestamp.h"
#include "check.h"
#include "kube_test.h"

#define CALLS 500

void suite_estimator_client(void);

static const struct object_reference resource = {
    .api_version = "apps/v1", .kind = "Deployment", .namespace_ = "shop", .name = "web"};

static int64_t
monotonic(void *context)
{
    (void)context;
    return clock_monotonic();
}

static struct estimator_client_options
options_of(void)
{
    return (struct estimator_client_options){.clock = {.monotonic = monotonic}};
}

/* A port of the loopback: silent (connections are made, and nothing comes), or closed. */
static int
open_port(bool is_silent, uint16_t *ret_port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CHECK(fd >= 0 && bind(fd, (struct sockaddr *)&address, length) == 0 &&
          (!is_silent || listen(fd, 16) == 0) &&
          getsockname(fd, (struct sockaddr *)&address, &length) == 0);
    *ret_port = ntohs(address.sin_port);
    return fd;
}

/* Asks CALLS times; all of them fail with this code and text. */
static void
check_fails(const struct estimator_client_options *options, uint16_t port, enum error_code code,
            const char *text)
{
    static struct estimator_call calls[CALLS];
    struct error err = ERROR_INIT;
    struct estimator_client *client = estimator_client_new(options, &err);
    char host[32];
    struct estimator_address address = {.hosts = {host}, .count = 1};

    snprintf(host, sizeof(host), "127.0.0.1:%u", (unsigned)port);
    if (!CHECK_OK(client != NULL, err)) {
        return;
    }
    for (size_t i = 0; i < CALLS; i++) {
        calls[i] = (struct estimator_call){.method = ESTIMATOR_UNSCHEDULABLE_REPLICAS,
                                           .cluster = "m1",
                                           .address = &address,
                                           .resource = &resource};
    }
    estimator_perform(client, calls, CALLS);
    for (size_t i = 0; i < CALLS; i++) {
        CHECK_INT(calls[i].code, code);
        CHECK_CONTAINS(calls[i].message, text);
        CHECK_CONTAINS(calls[i].message, "estimator of m1 at 127.0.0.1:");
        CHECK_CONTAINS(calls[i].message, ": GetUnschedulableReplicas: ");
        CHECK_INT(calls[i].grpc_status, -1);
        CHECK(!calls[i].abstains && calls[i].answer == 0);
    }
    CHECK_INT(estimator_client_statistics(client).failures, CALLS);
    estimator_client_free(client);
}

static void
test_nobody_listens(void)
{
    struct estimator_client_options options = options_of();
    uint16_t port;
    int fd = open_port(false, &port);

    check_fails(&options, port, ERROR_UNAVAILABLE, "Connection refused");
    close(fd);
}

static void
test_silence_costs_one_time_limit(void)
{
    struct estimator_client_options options = options_of();
    uint16_t port;
    int fd = open_port(true, &port);
    int64_t begin = clock_monotonic();

    options.call_timeout = 300 * MS;
    check_fails(&options, port, ERROR_UNAVAILABLE, "DEADLINE_EXCEEDED: no answer");
    CHECK(clock_monotonic() - begin < 60 * NANOS_PER_SECOND); /* one after the other: 150 s */
    close(fd);
}

static void
test_deadline(void)
{
    struct estimator_client_options options = options_of();
    uint16_t port;
    int fd = open_port(true, &port);

    options.call_timeout = 3600 * NANOS_PER_SECOND;
    options.deadline = 200 * MS;
    check_fails(&options, port, ERROR_DEADLINE, "the deadline has passed");
    close(fd);
}

static void
test_stop(void)
{
    struct estimator_client_options options = options_of();
    atomic_bool stop = true;
    uint16_t port;
    int fd = open_port(true, &port);

    options.stop = &stop;
    check_fails(&options, port, ERROR_STOPPED, "stopped by a signal");
    close(fd);
}

struct told {
    unsigned count;
    uint64_t first, last, total;
};

static void
note_progress(void *context, const char *what, uint64_t done, uint64_t total)
{
    struct told *told = context;

    CHECK_STR(what, "asking estimators");
    CHECK(done >= told->last);
    told->first = told->count++ == 0 ? done : told->first;
    told->last = done;
    told->total = total;
}

static void
test_progress(void)
{
    struct estimator_client_options options = options_of();
    struct told told = {.count = 0};
    uint16_t port;
    int fd = open_port(false, &port);

    options.progress = (struct progress){&told, note_progress, NULL};
    check_fails(&options, port, ERROR_UNAVAILABLE, "Connection refused");
    CHECK(told.count > 0);
    CHECK_INT(told.first, 0);
    CHECK_INT(told.total, CALLS);
    close(fd);
}

static void
test_no_calls(void)
{
    struct estimator_client_options options = options_of();
    struct error err = ERROR_INIT;
    struct estimator_client *client = estimator_client_new(&options, &err);

    if (CHECK_OK(client != NULL, err)) {
        estimator_perform(client, NULL, 0);
        CHECK_INT(estimator_client_statistics(client).calls, 0);
    }
    estimator_client_free(client);
    estimator_client_free(NULL);
}

static void
check_refused(const char *ca, const char *cert, const char *key, const char *want)
{
    struct estimator_client_options options = options_of();
    struct error err = ERROR_INIT;

    options.ca_file = ca;
    options.cert_file = cert;
    options.key_file = key;
    CHECK(estimator_client_new(&options, &err) == NULL);
    CHECK_INT(err.code, ERROR_CONFIG);
    CHECK_CONTAINS(err.message, want);
}

static void
test_files(void)
{
    check_refused("/nonexistent/ca", "", NULL,
                  "--scheduler-estimator-ca-file: /nonexistent/ca: No such file");
    check_refused("/proc/self/status", NULL, "", "/proc/self/status: this is no PEM");
    check_refused("/", NULL, NULL, "Is a directory");
    check_refused(NULL, "/nonexistent/cert", NULL, "need each other");
    check_refused(NULL, "", "/nonexistent/key", "need each other");
    check_refused(NULL, "/nonexistent/cert", "/nonexistent/key",
                  "--scheduler-estimator-cert-file: /nonexistent/cert");
}

void
suite_estimator_client(void)
{
    check_suite("estimator_client");
    check_test("nobody listens", test_nobody_listens);
    check_test("silence costs one time limit", test_silence_costs_one_time_limit);
    check_test("the deadline of the run", test_deadline);
    check_test("stopped", test_stop);
    check_test("progress", test_progress);
    check_test("no calls", test_no_calls);
    check_test("files that cannot be used", test_files);
}
