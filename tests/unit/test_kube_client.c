/* SPDX-License-Identifier: Apache-2.0
 *
 * What the client sends, to whom it gives credentials, and how batches end.
 */
#include "ballast/kube/kube_client.h"

#include <stdlib.h>

#include "ballast/base/secret.h"
#include "check.h"
#include "kube/identity/exec.h"
#include "kube_test.h"
#include "temp_dir.h"

#define DEADLINE (500 * NANOS_PER_SECOND) /* 10 s of the world's: sanitizers are slow */

/* --- what is sent ----------------------------------------------------------------------------- */

struct record {
    char heads[8][2048];
    char bodies[8][256];
    unsigned count;
    unsigned refuse; /* 401 to the first so many */
    unsigned delay_ms;
};

static bool
record_request(void *context, struct fault_connection *connection,
               const struct fault_request *request)
{
    struct record *record = context;

    if (record->count < 8) {
        snprintf(record->heads[record->count], sizeof(record->heads[0]), "%s", request->head);
        snprintf(record->bodies[record->count++], sizeof(record->bodies[0]), "%s", request->body);
    }
    fault_sleep(connection, record->delay_ms);
    const char *answer = request->number <= record->refuse ? STATUS("401 x", "") : OK;

    return fault_write(connection, answer, strlen(answer));
}

static struct kube_config
tls_config(const struct fault_server *server)
{
    struct kube_config config = clear_config(server);

    secret_set(&config.ca, fault_server_ca(server), strlen(fault_server_ca(server)));
    return config;
}

static struct kube_request
perform_one(const struct kube_config *config, enum kube_method method, int64_t deadline)
{
    struct kube_client_options options = fast_options();
    struct kube_request request = {.method = method,
                                   .path = "/apis/a",
                                   .query = "limit=1",
                                   .body = method == KUBE_GET ? NULL : "{\"a\":1}",
                                   .body_length = method == KUBE_GET ? 0 : 7};
    struct error err = ERROR_INIT;

    options.request_timeout = 10 * NANOS_PER_SECOND;
    options.deadline = deadline;
    options.clock.wall = NULL; /* certificates are of the world's time */
    struct kube_client *client = kube_client_new(config, &options, &err);

    if (client == NULL) {
        request.error = err;
        return request;
    }
    kube_perform(client, &request, 1);
    buf_release(&request.reply);
    kube_client_free(client);
    return request;
}

/* A deadline that has passed is none any more where the time was somebody else's. */
static void
test_grant(void)
{
    struct record record = {.count = 0};
    struct fault_options fault = {.handler = record_request, .context = &record};
    struct fault_server *server = fault_server_start(&fault);
    struct kube_config config = tls_config(server);
    struct kube_client_options options = fast_options();
    struct error err = ERROR_INIT;

    options.deadline = 1;
    struct kube_client *client = kube_client_new(&config, &options, &err);

    if (CHECK_OK(client != NULL, err)) {
        struct kube_request late = {.method = KUBE_GET, .path = "/apis/a"}, again = late;

        kube_perform(client, &late, 1);
        CHECK_INT(late.error.code, ERROR_DEADLINE);
        kube_client_grant(client, DEADLINE);
        kube_perform(client, &again, 1);
        CHECK_OK(again.error.code == ERROR_NONE, again.error);
        buf_release(&late.reply);
        buf_release(&again.reply);
    }
    kube_client_free(client);
    secret_wipe(&config.ca);
    fault_server_stop(server);
}

static void
test_request(void)
{
    struct record record = {.count = 0};
    struct fault_options fault = {.handler = record_request, .context = &record};
    struct fault_server *server = fault_server_start(&fault);
    struct kube_config config = tls_config(server);
    char *groups[] = {unowned("g1"), unowned("g2")};

    secret_set(&config.token, "hush", 4);
    config.as = groups[0];
    config.as_groups = groups;
    config.n_as_groups = 2;
    char *extra[] = {unowned("Impersonate-Extra-a%2Fb: c"), unowned("Impersonate-Extra-d;")};

    config.as_extra = extra;
    config.n_as_extra = 2;
    struct kube_request request = perform_one(&config, KUBE_PATCH_MERGE, DEADLINE);

    CHECK_OK(request.error.code == ERROR_NONE, request.error);
    CHECK_CONTAINS(record.heads[0], "PATCH /apis/a?limit=1 HTTP/1.1\r\n");
    CHECK_CONTAINS(record.heads[0], "\r\nAuthorization: Bearer hush\r\n");
    CHECK_CONTAINS(record.heads[0], "\r\nContent-Type: application/merge-patch+json\r\n");
    CHECK_CONTAINS(record.heads[0], "\r\nAccept: application/json\r\n");
    CHECK_CONTAINS(record.heads[0], "\r\nAccept-Encoding: gzip\r\n");
    CHECK_CONTAINS(record.heads[0], "\r\nUser-Agent: ballast/test\r\n");
    CHECK_CONTAINS(record.heads[0], "\r\nImpersonate-User: g1\r\n");
    CHECK_CONTAINS(record.heads[0], "\r\nImpersonate-Group: g2\r\n");
    CHECK_CONTAINS(record.heads[0], "\r\nImpersonate-Extra-a%2Fb: c\r\n");
    CHECK_CONTAINS(record.heads[0], "\r\nImpersonate-Extra-d:\r\n");
    CHECK_STR(record.bodies[0], "{\"a\":1}");
    secret_wipe(&config.token);
    secret_wipe(&config.ca);
    fault_server_stop(server);
}

/* --- TLS ---------------------------------------------------------------------------------------
 */

static void
check_tls(const char *name, const struct fault_options *given, struct kube_config change,
          const char *want)
{
    struct record record = {.count = 0};
    struct fault_options fault = *given;

    fault.handler = record_request;
    fault.context = &record;
    struct fault_server *server = fault_server_start(&fault);
    const char *ca = fault_server_ca(server);

    change.server = unowned(fault_server_url(server));
    if (!change.insecure_skip_tls_verify && change.ca_file == NULL) {
        secret_set(&change.ca, ca, strlen(ca));
    }
    if (change.username != NULL) { /* stands for: with the certificate that the server knows */
        const char *certificate = fault_client_certificate(server), *key = fault_client_key(server);

        secret_set(&change.client_certificate, certificate, strlen(certificate));
        secret_set(&change.client_key, key, strlen(key));
    }
    struct kube_request request = perform_one(
        &change, KUBE_GET, given->wants_certificate && want ? SHORT_DEADLINE : DEADLINE);

    CHECK_MSG((request.error.code == ERROR_NONE) == (want == NULL), "%s: %s", name,
              request.error.message);
    CHECK_MSG(want == NULL || strstr(request.error.message, want) != NULL,
              "%s: got \"%s\", want \"%s\"", name, request.error.message, want != NULL ? want : "");
    CHECK_MSG((fault_server_requests(server) > 0) == (want == NULL), "%s: requests", name);
    if (want != NULL && strstr(want, "certificate") != NULL && !given->wants_certificate) {
        CHECK_INT(request.tries, 1); /* trying again cannot help */
        CHECK_INT(request.error.code, ERROR_CONFIG);
    }
    secret_wipe(&change.ca);
    secret_wipe(&change.client_certificate);
    secret_wipe(&change.client_key);
    fault_server_stop(server);
}

static void
test_tls(void)
{
    struct fault_options fine = {.is_clear = false}, expired = {.is_expired = true};
    struct fault_options other = {.san = "DNS:kubernetes.default"};
    struct fault_options mutual = {.wants_certificate = true};
    struct kube_config none = {.server = NULL};
    struct kube_config named = {.tls_server_name = unowned("kubernetes.default")};
    struct kube_config insecure = {.insecure_skip_tls_verify = true};
    struct kube_config with_certificate = {.username = unowned("x")};
    struct kube_config system_ca = {.ca_file = unowned("/etc/ssl/certs/ca-certificates.crt")};

    check_tls("verified", &fine, none, NULL);
    check_tls("expired", &expired, none, "the server's certificate has expired: it has to be");
    check_tls("another host", &other, none, "the server's certificate is for another name: ");
    check_tls("another host, named", &other, named, NULL);
    check_tls("named as another", &fine, named, "no alternative certificate subject name matches");
    check_tls("unknown CA", &fine, system_ca, "is not of an authority that we trust: give the");
    check_tls("insecure", &expired, insecure, NULL);
    check_tls("client certificate", &mutual, with_certificate, NULL);
    check_tls("client certificate missing", &mutual, none,
              "the server may want a client certificate");
}

/* A token goes over https, or to ourselves. */
static void
test_clear(void)
{
    static const struct {
        const char *server;
        bool has_token, is_refused;
    } cases[] = {
        {"http://127.0.0.1:1", true, false}, {"http://localhost:1", true, false},
        {"http://[::1]:1", true, false},     {"http://10.0.0.1:1", false, false},
        {"http://10.0.0.1:1", true, true},   {"http://127.0.0.1.evil.org:1", true, true},
        {"HTTP://10.0.0.1:1", true, true},   {"https://10.0.0.1:1", true, false},
    };
    struct kube_client_options options = fast_options();

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct kube_config config = {.server = unowned(cases[i].server)};
        struct error err = ERROR_INIT;

        if (cases[i].has_token) {
            secret_set(&config.token, "hush", 4);
        }
        struct kube_client *client = kube_client_new(&config, &options, &err);

        CHECK_MSG((client == NULL) == cases[i].is_refused, "%s: %s", cases[i].server, err.message);
        if (client == NULL) {
            CHECK_CONTAINS(err.message, "without encryption: use https://");
        }
        kube_client_free(client);
        secret_wipe(&config.token);
    }
}

/* --- credentials that change -------------------------------------------------------------------
 */

static void
test_token_rotates(void)
{
    struct record record = {.refuse = 0};
    struct fault_options fault = {.is_clear = true, .handler = record_request, .context = &record};
    struct fault_server *server = fault_server_start(&fault);
    struct kube_config config = clear_config(server);
    struct kube_client_options options = fast_options();
    struct temp_dir dir = temp_dir_make();
    struct error err = ERROR_INIT;
    struct kube_request request = {.method = KUBE_GET, .path = "/x"};

    config.token_file = unowned(temp_write(&dir, "token", "first\n", 0600));
    struct kube_client *client = kube_client_new(&config, &options, &err);

    kube_perform(client, &request, 1);
    buf_release(&request.reply);
    temp_write(&dir, "token", "second\n", 0600);
    kube_perform(client, &request, 1);
    CHECK_OK(request.error.code == ERROR_NONE, request.error);
    buf_release(&request.reply);
    CHECK_CONTAINS(record.heads[0], "Authorization: Bearer first\r\n");
    CHECK_CONTAINS(record.heads[1], "Authorization: Bearer second\r\n");
    kube_client_free(client);
    temp_dir_remove(&dir);
    fault_server_stop(server);
}

/* A plugin that counts its runs and gives the count as the token. */
static void
check_plugin(unsigned refuse, unsigned want_requests, enum error_code want)
{
    struct record record = {.refuse = refuse};
    struct fault_options fault = {.is_clear = true, .handler = record_request, .context = &record};
    struct fault_server *server = fault_server_start(&fault);
    struct kube_config config = clear_config(server);
    struct temp_dir dir = temp_dir_make();
    struct error err = ERROR_INIT;
    static const char exec[] =
        "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"interactiveMode\":\"Never\","
        "\"command\":\"./plugin\"}";

    temp_write(
        &dir, "plugin",
        "#!/bin/sh\ncd \"${0%/*}\"\necho x >> runs\nn=$(wc -l < runs)\n"
        "echo \"{\\\"apiVersion\\\":\\\"client.authentication.k8s.io/v1\\\","
        "\\\"kind\\\":\\\"ExecCredential\\\",\\\"status\\\":{\\\"token\\\":\\\"t$n\\\"}}\"\n",
        0700);
    struct document *document = document_parse_json(exec, sizeof(exec) - 1, 1, &err);

    config.exec = kube_exec_from(document_root(document), dir.path, &err);
    struct kube_request request = perform_one(&config, KUBE_GET, DEADLINE);

    CHECK_INT(request.error.code, want);
    CHECK_INT(record.count, want_requests);
    CHECK_CONTAINS(record.heads[0], "Bearer t1\r\n");
    if (want_requests > 1) {
        CHECK_CONTAINS(record.heads[1], "Bearer t2\r\n");
    }
    document_free(document);
    kube_exec_free(config.exec);
    temp_dir_remove(&dir);
    fault_server_stop(server);
}

static void
test_plugin(void)
{
    check_plugin(0, 1, ERROR_NONE);
    check_plugin(1, 2, ERROR_NONE);      /* run again once */
    check_plugin(9, 2, ERROR_FORBIDDEN); /* and not for ever */
}

/* --- many requests ------------------------------------------------------------------------------
 */

static void
test_batch(void)
{
    struct record record = {.delay_ms = 0};
    struct fault_options fault = {.handler = record_request, .context = &record};
    struct fault_server *server = fault_server_start(&fault);
    struct kube_config config = tls_config(server);
    struct kube_client_options options = fast_options();
    struct kube_request requests[40];
    struct error err = ERROR_INIT;

    options.request_timeout = 5 * NANOS_PER_SECOND;
    struct kube_client *client = kube_client_new(&config, &options, &err);

    for (size_t i = 0; i < 40; i++) {
        requests[i] = (struct kube_request){.method = KUBE_GET, .path = "/x"};
    }
    kube_perform(client, requests, 40);
    for (size_t i = 0; i < 40; i++) {
        CHECK_OK(requests[i].error.code == ERROR_NONE, requests[i].error);
        CHECK_STR(buf_text(&requests[i].reply), BODY);
        buf_release(&requests[i].reply);
    }
    CHECK(fault_server_connections(server) <= 4); /* reused */
    CHECK_INT(kube_client_statistics(client).connections, fault_server_connections(server));
    CHECK_INT(kube_client_statistics(client).bytes_read, 40 * 12);
    kube_client_free(client);
    secret_wipe(&config.ca);
    fault_server_stop(server);
}

static void
test_nobody_listens(void)
{
    struct kube_config config = {.server = unowned("http://127.0.0.1:1")};
    int64_t begin = clock_monotonic();
    struct kube_request request = perform_one(&config, KUBE_POST, SHORT_DEADLINE);

    CHECK_INT(request.error.code, ERROR_DEADLINE);
    CHECK(request.tries > 1); /* nothing was sent: a write goes again, too */
    CHECK_CONTAINS(request.error.message, "POST http://127.0.0.1:1/apis/a: ");
    /* The words between these two are libcurl's, and differ from one version to the next. */
    CHECK_CONTAINS(request.error.message, " port 1: ");
    CHECK_CONTAINS(request.error.message, ": Connection refused");
    /* A duration would make each message a different one. */
    CHECK(strstr(request.error.message, " ms:") == NULL);
    CHECK(clock_monotonic() - begin < 2 * NANOS_PER_SECOND);
}

/* A request may be given less than its client has. */
static void
test_own_limits(void)
{
    static const struct step steps[] = {{"", 0, SILENT}, {STATUS("500 x", ""), 0, PLAIN}};
    struct script script = {.steps = steps, .count = 2};
    struct fault_options fault = {.is_clear = true, .handler = script_play, .context = &script};
    struct fault_server *server = fault_server_start(&fault);
    struct kube_config config = clear_config(server);
    struct kube_client_options options = fast_options();
    struct kube_request request = {
        .method = KUBE_GET, .path = "/x", .max_tries = 3, .timeout = NANOS_PER_SECOND};
    struct error err = ERROR_INIT;

    options.request_timeout = 100 * NANOS_PER_SECOND;
    struct kube_client *client = kube_client_new(&config, &options, &err);

    kube_perform(client, &request, 1);
    CHECK_INT(request.error.code, ERROR_UNAVAILABLE);
    CHECK_INT(request.tries, 3);
    CHECK_CONTAINS(request.error.message, "given up after 3 tries, at last: HTTP 500");
    kube_client_free(client);
    fault_server_stop(server);
}

struct stopper {
    atomic_bool stop;
    struct script script;
};

static bool
play_and_stop(void *context, struct fault_connection *connection,
              const struct fault_request *request)
{
    struct stopper *stopper = context;

    stopper->stop = true;
    fault_sleep(connection, 100);
    return script_play(&stopper->script, connection, request);
}

/* The write on its way is waited for, what was not sent is not sent. */
static void
test_stop(void)
{
    static const struct step step = {OK, 0, PLAIN};
    struct stopper stopper = {.script = {.steps = &step, .count = 1}};
    struct fault_options fault = {.is_clear = true, .handler = play_and_stop, .context = &stopper};
    struct fault_server *server = fault_server_start(&fault);
    struct kube_config config = clear_config(server);
    struct kube_client_options options = fast_options();
    struct kube_request requests[2] = {
        {.method = KUBE_PATCH_MERGE, .path = "/1", .body = "{}", .body_length = 2},
        {.method = KUBE_PATCH_MERGE, .path = "/2", .body = "{}", .body_length = 2},
    };
    struct error err = ERROR_INIT;

    options.concurrency = 1;
    options.request_timeout = 20 * NANOS_PER_SECOND; /* however busy the machine is */
    options.stop = &stopper.stop;
    struct kube_client *client = kube_client_new(&config, &options, &err);

    kube_perform(client, requests, 2);
    CHECK_OK(requests[0].error.code == ERROR_NONE, requests[0].error);
    CHECK_INT(requests[1].error.code, ERROR_STOPPED);
    CHECK_INT(requests[1].tries, 0);
    CHECK_INT(fault_server_requests(server), 1);
    buf_release(&requests[0].reply);
    kube_client_free(client);
    fault_server_stop(server);
}

void suite_kube_client(void);

void
suite_kube_client(void)
{
    check_suite("kube_client");
    check_test("what is sent", test_request);
    check_test("grant", test_grant);
    check_test("certificates", test_tls);
    check_test("no secrets in clear", test_clear);
    check_test("a token that rotates", test_token_rotates);
    check_test("a plugin after 401", test_plugin);
    check_test("many at once", test_batch);
    check_test("nobody listens", test_nobody_listens);
    check_test("a request's own limits", test_own_limits);
    check_test("stopped between writes", test_stop);
}
