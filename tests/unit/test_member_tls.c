/* SPDX-License-Identifier: Apache-2.0
 *
 * What is verified of a member whose KubeFedCluster leaves some of it out, by
 * servers that show certificates with faults.
 */
#include <openssl/evp.h>
#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/kube/kube_engine.h"
#include "ballast/kube/kube_member.h"
#include "check.h"
#include "fault_tls.h"
#include "kube_test.h"

#define SECRET "{\"data\":{\"token\":\"c2VzYW1l\"}}" /* sesame */

static const struct kube_config nobody;
static const struct step fine = {OK, 0, PLAIN}, last = {OK, 0, CLOSE};

static char *
base64_of(const char *text)
{
    int length = (int)strlen(text);
    char *encoded = heap_new((size_t)length * 4 / 3 + 8, 1);

    EVP_EncodeBlock((unsigned char *)encoded, (const unsigned char *)text, length);
    return encoded;
}

static struct str_list
list_of(const char *const *items)
{
    struct str_list list = {.items = items};

    while (list.count < 2 && items[list.count] != NULL) {
        list.count++;
    }
    return list;
}

/* A client as it is made of a KubeFedCluster. */
struct caller {
    struct kube_config *config;
    struct kube_client *client;
};

static bool
open_caller(struct caller *caller, const struct fault_server *server, const char *ca,
            const char *const *disabled, const char *proxy, struct kube_engine *engine)
{
    char *bundle = base64_of(ca);
    const struct kube_member member = {
        .name = "m1",
        .kind = "KubeFedCluster",
        .api_endpoint = fault_server_url(server),
        .secret_namespace = "ns",
        .secret_name = "s",
        .proxy_url = proxy,
        .ca_bundle = bundle,
        .disabled_validations = list_of(disabled),
    };
    struct kube_client_options options = fast_options();
    struct error err = ERROR_INIT;

    options.clock.wall = NULL; /* certificates are of the world's time */
    options.request_timeout = 2 * NANOS_PER_SECOND;
    options.engine = engine;
    *caller = (struct caller){kube_config_of_member(&member, SECRET, strlen(SECRET), &nobody, &err),
                              NULL};
    if (CHECK_OK(caller->config != NULL, err) && caller->config != NULL) {
        caller->client = kube_client_new(caller->config, &options, &err);
        CHECK_OK(caller->client != NULL, err);
    }
    free(bundle);
    return caller->client != NULL;
}

static void
close_caller(struct caller *caller)
{
    kube_client_free(caller->client);
    kube_config_free(caller->config);
}

/* `want` is a part of the error; NULL: it is answered. */
static void
check_call(const char *name, struct kube_client *client, const char *want)
{
    struct kube_request request = {.method = KUBE_GET, .path = "/x", .max_tries = 1};

    kube_perform(client, &request, 1);
    CHECK_MSG((request.error.code == ERROR_NONE) == (want == NULL), "%s: %s", name,
              request.error.message);
    CHECK_MSG(want == NULL || strstr(request.error.message, want) != NULL, "%s: want %s, got %s",
              name, want != NULL ? want : "", request.error.message);
    kube_request_release(&request);
}

#define ALL "*"
#define NAME "SubjectName"
#define DATES "ValidityPeriod"
#define OTHER_NAME "the server's certificate is for another name"
#define EXPIRED "the server's certificate has expired"
#define OTHER_CA "is not of an authority that we trust"

static void
test_faults(void)
{
    static const struct {
        const char *name;
        bool has_other_name, is_expired, is_of_other_ca;
        const char *disabled[3];
        const char *want;
    } cases[] = {
        {"right", false, false, false, {NULL}, NULL},
        {"right, name", false, false, false, {NAME}, NULL},
        {"right, dates", false, false, false, {DATES}, NULL},
        {"another name", true, false, false, {NULL}, OTHER_NAME},
        {"another name, name", true, false, false, {NAME}, NULL},
        {"another name, dates", true, false, false, {DATES}, OTHER_NAME},
        {"expired", false, true, false, {NULL}, EXPIRED},
        {"expired, dates", false, true, false, {DATES}, NULL},
        {"expired, name", false, true, false, {NAME}, EXPIRED},
        {"another name and expired, name", true, true, false, {NAME}, EXPIRED},
        {"another name and expired, dates", true, true, false, {DATES}, OTHER_NAME},
        {"another name and expired, both", true, true, false, {NAME, DATES}, NULL},
        {"another CA", false, false, true, {NULL}, OTHER_CA},
        {"another CA, name", false, false, true, {NAME}, OTHER_CA},
        {"another CA, dates", false, false, true, {DATES}, OTHER_CA},
        {"another CA, both", false, false, true, {NAME, DATES}, OTHER_CA},
        {"all wrong, both", true, true, true, {DATES, NAME}, OTHER_CA},
        {"all wrong, all", true, true, true, {ALL}, NULL},
        {"all wrong, all beside dates", true, true, true, {DATES, ALL}, NULL},
    };
    struct fault_identity other = fault_identity_make("other CA", NULL, false, NULL);
    char other_ca[FAULT_PEM_MAX];

    fault_certificate_pem(&other, other_ca);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct script script = {&fine, 1};
        struct fault_server *server = fault_server_start(
            &(struct fault_options){.handler = script_play,
                                    .context = &script,
                                    .san = cases[i].has_other_name ? "DNS:elsewhere.test" : NULL,
                                    .is_expired = cases[i].is_expired});
        const char *ca = cases[i].is_of_other_ca ? other_ca : fault_server_ca(server);
        struct caller caller;

        if (open_caller(&caller, server, ca, cases[i].disabled, "", NULL)) {
            check_call(cases[i].name, caller.client, cases[i].want);
            CHECK_MSG((fault_server_requests(server) > 0) == (cases[i].want == NULL),
                      "%s: requests", cases[i].name);
        }
        close_caller(&caller);
        fault_server_stop(server);
    }
    fault_identity_release(&other);
}

/* Neither a connection nor a TLS session of one whose dates do not count serves another. */
static void
test_apart(void)
{
    static const char *const dates[] = {DATES, NULL}, *const none[] = {NULL};

    for (int stays = 0; stays < 2; stays++) {
        struct script script = {stays ? &fine : &last, 1};
        struct fault_server *server = fault_server_start(&(struct fault_options){
            .handler = script_play, .context = &script, .is_expired = true});
        struct kube_engine *engine = kube_engine_new(4);
        struct caller lenient, strict;

        if (open_caller(&lenient, server, fault_server_ca(server), dates, "", engine) &&
            open_caller(&strict, server, fault_server_ca(server), none, "", engine)) {
            check_call("expired at first", strict.client, EXPIRED);
            for (int i = 0; i < 2; i++) {
                check_call("without dates", lenient.client, NULL);
                check_call("with dates", strict.client, EXPIRED);
            }
        }
        CHECK_INT(fault_server_requests(server), 2);
        close_caller(&lenient);
        close_caller(&strict);
        kube_engine_free(engine);
        fault_server_stop(server);
    }
}

struct seen {
    char head[256];
};

static bool
refuse_tunnel(void *context, struct fault_connection *connection,
              const struct fault_request *request)
{
    struct seen *seen = context;

    snprintf(seen->head, sizeof(seen->head), "%s", request->head);
    fault_write(connection, STATUS("403 no", ""), strlen(STATUS("403 no", "")));
    return false;
}

/* Whatever is left out, the way is the proxy's. */
static void
test_proxy(void)
{
    static const char *const ways[][3] = {{NULL}, {ALL}, {NAME}, {DATES}, {NAME, DATES}};
    struct script script = {&fine, 1};
    struct fault_server *server =
        fault_server_start(&(struct fault_options){.handler = script_play, .context = &script});

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct seen seen = {.head = ""};
        struct fault_server *proxy = fault_server_start(
            &(struct fault_options){.is_clear = true, .handler = refuse_tunnel, .context = &seen});
        char *wanted = str_print("CONNECT %s ", fault_server_url(server) + strlen("https://"));
        struct caller caller;

        if (open_caller(&caller, server, fault_server_ca(server), ways[i], fault_server_url(proxy),
                        NULL)) {
            check_call("a proxy", caller.client, "the proxy does not let us through");
        }
        CHECK_CONTAINS(seen.head, wanted);
        CHECK_INT(fault_server_connections(server), 0);
        close_caller(&caller);
        fault_server_stop(proxy);
        free(wanted);
    }
    fault_server_stop(server);
}

/* The dates of a proxy's own certificate count. */
static void
test_proxy_with_tls(void)
{
    static const char *const dates[] = {DATES, NULL}, *const all[] = {DATES, ALL, NULL};
    struct fault_server *server = fault_server_start(&(struct fault_options){.handler = NULL});
    struct fault_server *proxy = fault_server_start(&(struct fault_options){.handler = NULL});
    struct caller caller;

    if (open_caller(&caller, server, fault_server_ca(server), dates, fault_server_url(proxy),
                    NULL)) {
        check_call("dates", caller.client, "behind an https:// proxy");
    }
    CHECK_INT(fault_server_connections(server) + fault_server_connections(proxy), 0);
    close_caller(&caller);
    if (open_caller(&caller, server, fault_server_ca(server), all, fault_server_url(proxy), NULL)) {
        check_call("all", caller.client, "certificate"); /* the proxy's, which nobody vouches for */
    }
    CHECK_INT(fault_server_connections(server), 0);
    CHECK(fault_server_connections(proxy) > 0);
    close_caller(&caller);
    fault_server_stop(proxy);
    fault_server_stop(server);
}

void suite_member_tls(void);

void
suite_member_tls(void)
{
    check_suite("what is verified of a member");
    check_test("certificates with faults", test_faults);
    check_test("one without dates and one with them", test_apart);
    check_test("the proxy is kept", test_proxy);
    check_test("a proxy with TLS", test_proxy_with_tls);
}
