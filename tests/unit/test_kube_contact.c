/* SPDX-License-Identifier: Apache-2.0
 *
 * The first contact with a server: how soon it is said that there is none, what
 * is looked at before anything is sent, and who is told of tries meanwhile.
 */
#include <limits.h>
#include <stdlib.h>

#include "ballast/base/secret.h"
#include "ballast/kube/kube_client.h"
#include "check.h"
#include "fault_tls.h"
#include "kube_test.h"
#include "temp_dir.h"

#define PATIENCE (4 * NANOS_PER_SECOND)

/* --- contact ---------------------------------------------------------------------------------- */

struct seen {
    unsigned retries, turns;
    char last[2048];
    uint32_t tries;
    int64_t pause;
};

static void
see_retry(void *context, const struct kube_retry *retry)
{
    struct seen *seen = context;

    seen->retries++;
    seen->tries = retry->tries;
    seen->pause = retry->pause;
    snprintf(seen->last, sizeof(seen->last), "%s %s%s: %s", retry->verb, retry->server, retry->path,
             retry->why->message);
}

static void
see_turn(void *context)
{
    struct seen *seen = context;

    seen->turns++;
}

/* A server that was there once. */
static char *
dead_url(void)
{
    struct script script = {&(struct step){OK, 0, PLAIN}, 1};
    struct fault_options fault = {.is_clear = true, .handler = script_play, .context = &script};
    struct fault_server *server = fault_server_start(&fault);
    char *url = strdup(fault_server_url(server));

    fault_server_stop(server);
    return url;
}

static struct kube_request
ask(const struct kube_config *config, const struct kube_client_options *options)
{
    struct kube_request request = {.method = KUBE_GET, .path = "/apis/a"};
    struct error err = ERROR_INIT;
    struct kube_client *client = kube_client_new(config, options, &err);

    if (client == NULL) {
        request.error = err;
        return request;
    }
    kube_perform(client, &request, 1);
    kube_request_release(&request);
    kube_client_free(client);
    return request;
}

static void
test_nobody_there(void)
{
    struct seen seen = {.retries = 0};
    struct kube_watch watch = {&seen, see_retry, see_turn};
    struct kube_contact contact = {.patience = PATIENCE};
    struct kube_client_options options = fast_options();
    char *url = dead_url();
    struct kube_config config = {.server = url};

    options.contact = &contact;
    options.watch = &watch;
    const struct clock *clock = &options.clock;
    int64_t begun = clock->monotonic(clock->context);
    struct kube_request request = ask(&config, &options);
    int64_t took = clock->monotonic(clock->context) - begun;

    CHECK_INT(request.error.code, ERROR_UNAVAILABLE);
    CHECK_CONTAINS(request.error.message, "/apis/a: not reached in ");
    CHECK_CONTAINS(request.error.message, " tries, at last: ");
    CHECK_CONTAINS(request.error.message, "Connection refused");
    CHECK(request.tries > 1);
    CHECK_INT(seen.retries, request.tries - 1); /* the last one is told as the error */
    CHECK_INT(seen.tries, request.tries - 1);
    CHECK(seen.pause > 0);
    CHECK_CONTAINS(seen.last, "GET http://127.0.0.1:");
    CHECK_CONTAINS(seen.last, "/apis/a: ");
    CHECK_CONTAINS(seen.last, "Connection refused");
    CHECK(seen.turns > 0);
    CHECK(!contact.is_made);
    /* of the deadline's 250 s; the clock runs 50 times as fast as the world, which may be busy */
    CHECK_MSG(took < 200 * NANOS_PER_SECOND, "it took %lld s",
              (long long)(took / NANOS_PER_SECOND));
    free(url);
}

/* As in a CronJob: as long as there is time. */
static void
test_no_patience_asked_for(void)
{
    struct kube_contact contact = {.patience = 0};
    struct kube_client_options options = fast_options();
    char *url = dead_url();
    struct kube_config config = {.server = url};

    options.contact = &contact;
    options.deadline = SHORT_DEADLINE;
    struct kube_request request = ask(&config, &options);

    CHECK_INT(request.error.code, ERROR_DEADLINE);
    CHECK_CONTAINS(request.error.message, " tries, at last: ");
    CHECK(!contact.is_made);
    free(url);
}

/* A connection that does not come about is not waited for any longer than that, however long a
 * request may take: here it is the server's TLS that never comes. */
static void
test_silence(void)
{
    struct kube_contact contact = {.patience = NANOS_PER_SECOND / 2};
    struct kube_client_options options = fast_options();
    struct script script = {&(struct step){"", 0, PLAIN}, 1};
    struct fault_options fault = {.is_clear = true, .handler = script_play, .context = &script};
    struct fault_server *server = fault_server_start(&fault);
    char *url = NULL;

    CHECK(asprintf(&url, "https%s", fault_server_url(server) + strlen("http")) > 0);
    struct kube_config config = {.server = url};

    options.contact = &contact;
    options.clock = (struct clock){.monotonic = NULL};
    options.deadline = options.request_timeout = 60 * NANOS_PER_SECOND;
    int64_t begun = clock_monotonic();
    struct kube_request request = ask(&config, &options);

    CHECK_INT(request.error.code, ERROR_UNAVAILABLE);
    CHECK_CONTAINS(request.error.message, "/apis/a: not reached in ");
    /* else a connection is given ten seconds */
    CHECK(clock_monotonic() - begun < 8 * NANOS_PER_SECOND);
    free(url);
    fault_server_stop(server);
}

/* Whoever answers is there: tries go on for as long as before. */
static void
test_contact_is_made(void)
{
    static const struct step steps[] = {
        {STATUS("503 x", ""), 0, PLAIN}, {STATUS("503 x", ""), 0, PLAIN},
        {STATUS("503 x", ""), 0, PLAIN}, {STATUS("503 x", ""), 0, PLAIN},
        {STATUS("503 x", ""), 0, PLAIN}, {OK, 0, PLAIN},
    };
    struct script script = {steps, 6};
    struct fault_options fault = {.is_clear = true, .handler = script_play, .context = &script};
    struct fault_server *server = fault_server_start(&fault);
    struct kube_config config = clear_config(server);
    struct kube_contact contact = {.patience = NANOS_PER_SECOND};
    struct kube_client_options options = fast_options();

    options.contact = &contact;
    struct kube_request request = ask(&config, &options);
    const struct clock *clock = &options.clock;

    CHECK_OK(request.error.code == ERROR_NONE, request.error);
    CHECK_INT(request.tries, 6);
    CHECK(contact.is_made);
    CHECK(clock->monotonic(clock->context) > contact.until);
    fault_server_stop(server);
}

/* --- credentials ------------------------------------------------------------------------------ */

#define NOW (INT64_C(1700000100) * NANOS_PER_SECOND) /* 2023-11-14T22:15:00Z */
#define TOKEN(payload) "e30." payload ".c2ln"

static int64_t
wall(void *context)
{
    return *(int64_t *)context;
}

struct token_case {
    const char *name, *token, *want; /* NULL: it is sent */
};

static const struct token_case token_cases[] = {
    {"no JWT", "opaque", NULL},
    {"nothing said", TOKEN("e30"), NULL},                          /* {} */
    {"good", TOKEN("eyJleHAiOjE3MDAwMDk5OTl9"), NULL},             /* 1700009999 */
    {"a moment ago", TOKEN("eyJleHAiOjE3MDAwMDAwNTB9"), NULL},     /* 1700000050 */
    {"of a wrong type", TOKEN("eyJleHAiOiJzb29uIn0"), NULL},       /* "soon" */
    {"out of range", TOKEN("eyJleHAiOjk5OTk5OTk5OTk5OTl9"), NULL}, /* 9999999999999 */
    {"expired", TOKEN("eyJleHAiOjE3MDAwMDAwMDB9"),                 /* 1700000000 */
     "context \"prod\" of f: the token of user \"admin\" expired at 2023-11-14T22:13:20Z (this "
     "machine's clock says 2023-11-14T22:15:00Z): renew it"},
};

static void
test_token(void)
{
    struct script script = {&(struct step){OK, 0, PLAIN}, 1};
    struct fault_options fault = {.is_clear = true, .handler = script_play, .context = &script};
    int64_t now = NOW;

    for (size_t i = 0; i < sizeof(token_cases) / sizeof(token_cases[0]); i++) {
        const struct token_case *c = &token_cases[i];
        struct fault_server *server = fault_server_start(&fault);
        struct kube_config config = clear_config(server);
        struct kube_client_options options = fast_options();

        options.clock.wall = wall;
        options.clock.context = &now;
        config.origin = unowned("context \"prod\" of f");
        config.user = unowned("admin");
        secret_set(&config.token, c->token, strlen(c->token));
        struct kube_request request = ask(&config, &options);

        CHECK_MSG((request.error.code == ERROR_NONE) == (c->want == NULL), "%s: %s", c->name,
                  request.error.message);
        CHECK_INT(fault_server_requests(server), c->want == NULL ? 1 : 0);
        if (c->want != NULL) {
            CHECK_INT(request.error.code, ERROR_CONFIG);
            CHECK_CONTAINS(request.error.message, c->want);
        }
        secret_wipe(&config.token);
        fault_server_stop(server);
    }
}

/* What is shown to the server as `certificate` (NULL: it is in the file), at `now`. */
static void
check_certificate(const char *name, const char *certificate, const char *file, int64_t now,
                  const char *want)
{
    struct script script = {&(struct step){OK, 0, PLAIN}, 1};
    struct fault_options fault = {.is_clear = true, .handler = script_play, .context = &script};
    struct fault_server *server = fault_server_start(&fault);
    struct kube_config config = clear_config(server);
    struct kube_client_options options = fast_options();

    options.clock.wall = wall;
    options.clock.context = &now;
    config.client_certificate_file = unowned(file);
    if (certificate != NULL) {
        secret_set(&config.client_certificate, certificate, strlen(certificate));
    }
    struct kube_request request = ask(&config, &options);

    CHECK_MSG((request.error.code == ERROR_NONE) == (want == NULL), "%s: %s", name,
              request.error.message);
    CHECK_INT(fault_server_requests(server), want == NULL ? 1 : 0);
    if (want != NULL) {
        CHECK_INT(request.error.code, ERROR_CONFIG);
        CHECK_CONTAINS(request.error.message, want);
        CHECK_CONTAINS(request.error.message, "): renew it");
    }
    secret_wipe(&config.client_certificate);
    fault_server_stop(server);
}

/* Over a connection without TLS, where only we ourselves can look at it. */
static void
test_certificate(void)
{
    struct temp_dir dir = temp_dir_make();
    struct fault_identity expired = fault_identity_make("x", NULL, true, NULL);
    struct fault_identity good = fault_identity_make("x", NULL, false, NULL);
    char old[FAULT_PEM_MAX], fresh[FAULT_PEM_MAX], both[2 * FAULT_PEM_MAX], want[2 * PATH_MAX];
    int64_t now = clock_wall();

    fault_certificate_pem(&expired, old);
    fault_certificate_pem(&good, fresh);
    snprintf(both, sizeof(both), "%s%s", fresh, old);
    const char *file = temp_write(&dir, "cert.pem", old, 0600);

    snprintf(want, sizeof(want), "the client certificate %s expired at 2", file);
    check_certificate("good", fresh, NULL, now, NULL);
    check_certificate("expired", old, NULL, now, "API server: the client certificate expired at 2");
    check_certificate("expired, in a file", NULL, file, now, want);
    check_certificate("the text goes before the file", fresh, file, now, NULL);
    check_certificate("an authority behind it", both, NULL, now, NULL);
    check_certificate("too early", fresh, NULL, now - INT64_C(3) * 24 * 60 * NANOS_PER_MINUTE,
                      "the client certificate is not valid before 2");
    check_certificate("no certificate", "-----BEGIN NOTHING-----\n", NULL, now, NULL);
    fault_identity_release(&expired);
    fault_identity_release(&good);
    temp_dir_remove(&dir);
}

void suite_kube_contact(void);

void
suite_kube_contact(void)
{
    check_suite("kube_contact");
    check_test("nobody is there", test_nobody_there);
    check_test("tries go on within the deadline", test_no_patience_asked_for);
    check_test("a connection that does not come about", test_silence);
    check_test("once it has answered, tries go on", test_contact_is_made);
    check_test("an expired token is not sent", test_token);
    check_test("an expired certificate is not sent", test_certificate);
}
