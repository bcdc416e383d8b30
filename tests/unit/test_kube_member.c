/* SPDX-License-Identifier: Apache-2.0
 *
 * The way to a member, out of its Cluster and Secret.
 */
#include "ballast/kube/kube_member.h"

#include <stdlib.h>

#include "ballast/base/str.h"
#include "check.h"

#define TOKEN "\"token\":\"c2VzYW1l\""                 /* sesame */
#define CA "\"caBundle\":\"LS0tLS1CRUdJTiBYLS0tLS0=\"" /* -----BEGIN X----- */

static const struct kube_config nobody;

static struct kube_config *
make(const struct kube_member *member, const char *secret, const struct kube_config *ours,
     struct error *err)
{
    *err = (struct error)ERROR_INIT;
    return kube_config_of_member(member, secret, strlen(secret), ours, err);
}

static void
test_whole(void)
{
    static const struct label headers[] = {{"Proxy-Authorization", "Basic c2VjcmV0"},
                                           {"X-Way", "a,b"}};
    const struct kube_member member = {
        .name = "m1",
        .kind = "Cluster",
        .api_endpoint = "10.0.0.1:6443",
        .secret_namespace = "ns",
        .secret_name = "m1",
        .proxy_url = "http://proxy:3128",
        .proxy_header = {.items = headers, .count = 2},
    };
    char as[] = "jane", ops[] = "ops", dev[] = "dev";
    char line[] = "Impersonate-Extra-a: b";
    char *groups[] = {ops, dev}, *extra[] = {line};
    const struct kube_config ours = {
        .as = as, .as_groups = groups, .n_as_groups = 2, .as_extra = extra, .n_as_extra = 1};
    struct error err = ERROR_INIT;
    struct kube_config *config = make(&member, "{\"data\":{" TOKEN "," CA "}}", &ours, &err);

    if (CHECK_OK(config != NULL, err) && config != NULL) {
        CHECK_STR(config->server, "https://10.0.0.1:6443");
        CHECK_STR(config->token.data, "sesame");
        CHECK_STR(config->ca.data, "-----BEGIN X-----");
        CHECK(!config->insecure_skip_tls_verify);
        CHECK_STR(config->proxy_url, "http://proxy:3128");
        CHECK_INT(config->n_proxy_headers, 2);
        CHECK_STR(config->proxy_headers[0], "Proxy-Authorization: Basic c2VjcmV0");
        CHECK_STR(config->as, "jane");
        CHECK_INT(config->n_as_groups, 2);
        CHECK_STR(config->as_groups[1], "dev");
        CHECK_INT(config->n_as_extra, 1);
        CHECK_STR(config->as_extra[0], "Impersonate-Extra-a: b");
        CHECK_STR(config->origin, "Cluster m1");
    }
    kube_config_free(config);
}

static void
test_insecure(void)
{
    static const struct label headers[] = {{"X-Way", "a"}};
    const struct kube_member member = {
        .name = "m1",
        .kind = "Cluster",
        .api_endpoint = "https://m1/path/",
        .secret_namespace = "ns",
        .secret_name = "m1",
        .proxy_url = "",
        .proxy_header = {.items = headers, .count = 1},
        .insecure_skip_tls_verify = true,
    };
    struct error err = ERROR_INIT;
    struct kube_config *config = make(&member, "{\"data\":{" TOKEN "," CA "}}", &nobody, &err);

    if (CHECK_OK(config != NULL, err) && config != NULL) {
        CHECK_STR(config->server, "https://m1/path");
        CHECK(config->insecure_skip_tls_verify && config->ca.data == NULL);
        CHECK(config->proxy_url == NULL && config->n_proxy_headers == 0);
        CHECK(config->as == NULL);
    }
    kube_config_free(config);
}

static void
test_what_is_missing(void)
{
    static const struct label bad[] = {{"X: y", "sesame"}}, split[] = {{"X", "a\r\nsesame: b"}};
    static const struct {
        const char *endpoint, *secret, *proxy;
        struct label_list headers;
        const char *message;
    } cases[] = {
        {"m1", "{\"data\":{" CA "}}", "", {.count = 0}, "Secret ns/s: data.token: required"},
        {"m1", "{\"data\":{\"token\":\"\"," CA "}}", "", {.count = 0}, "data.token: required"},
        {"m1", "{\"data\":{" TOKEN "}}", "", {.count = 0}, "data.caBundle: required"},
        {"m1", "{\"data\":{\"token\":\"sesame!\"," CA "}}", "", {.count = 0}, "this is no base64"},
        {"m1", "{\"stringData\":{}}", "", {.count = 0}, "data.token: required"},
        {"m1", "sesame", "", {.count = 0}, "this is no JSON"},
        {"m1", "{\"data\":{" TOKEN ",\"caBundle\":\"c2VzYW1l\"}}", "", {.count = 0}, "no PEM"},
        {"http://m1", "{\"data\":{" TOKEN "," CA "}}", "ftp://x", {.count = 0}, "proxy-url: want"},
        {"m1", "{\"data\":{" TOKEN "," CA "}}", "http://x", {bad, 1, true}, "spec.proxyHeader"},
        {"m1", "{\"data\":{" TOKEN "," CA "}}", "http://x", {split, 1, true}, "spec.proxyHeader"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct kube_member member = {
            .name = "m1",
            .kind = "Cluster",
            .api_endpoint = cases[i].endpoint,
            .secret_namespace = "ns",
            .secret_name = "s",
            .proxy_url = cases[i].proxy,
            .proxy_header = cases[i].headers,
        };
        struct error err = ERROR_INIT;
        struct kube_config *config = make(&member, cases[i].secret, &nobody, &err);

        CHECK(config == NULL);
        CHECK_CONTAINS(err.message, cases[i].message);
        CHECK_MSG(strstr(err.message, "sesame") == NULL, "a secret is told: %s", err.message);
        kube_config_free(config);
    }
}

#define LIST(names, n)                                                                             \
    {                                                                                              \
        .items = (names), .count = (n)                                                             \
    }
#define CA64 "LS0tLS1CRUdJTiBYLS0tLS0=" /* -----BEGIN X----- */

struct kubefed_case {
    const char *endpoint, *server, *ca, *secret;
    struct str_list disabled;
    bool skips_all, skips_name, skips_dates;
    const char *weakness, *message;
};

static void
check_kubefed_config(const struct kubefed_case *c, const struct kube_config *config)
{
    bool has_ca = !c->skips_all && !str_is_empty(c->ca);

    CHECK_STR(config->server, c->server);
    CHECK_STR(config->token.data, "sesame");
    CHECK_STR(config->proxy_url, "http://proxy:3128");
    CHECK_STR(config->origin, "KubeFedCluster m1");
    CHECK((config->ca.data != NULL) == has_ca);
    CHECK(!has_ca || str_eq(config->ca.data, "-----BEGIN X-----"));
    CHECK(config->insecure_skip_tls_verify == c->skips_all);
    CHECK(config->skip_subject_name == c->skips_name);
    CHECK(config->skip_validity_period == c->skips_dates);
}

static void
check_kubefed(const struct kubefed_case *c)
{
    const struct kube_member member = {
        .name = "m1",
        .kind = "KubeFedCluster",
        .api_endpoint = c->endpoint,
        .secret_namespace = "kfns",
        .secret_name = "s",
        .proxy_url = "http://proxy:3128",
        .ca_bundle = c->ca,
        .disabled_validations = c->disabled,
    };
    char *secret = str_print("{\"data\":{%s}}", c->secret);
    const char *weakness = kube_member_weakness(&member);
    struct error err = ERROR_INIT;
    struct kube_config *config = make(&member, secret, &nobody, &err);

    CHECK_CONTAINS(err.message, c->message != NULL ? c->message : "");
    CHECK_MSG((weakness != NULL) == (c->weakness != NULL), "%s",
              weakness != NULL ? weakness : "no weakness");
    CHECK(weakness == NULL || c->weakness == NULL || strstr(weakness, c->weakness) != NULL);
    if (CHECK_OK((config != NULL) == (c->server != NULL), err) && config != NULL) {
        check_kubefed_config(c, config);
    }
    kube_config_free(config);
    free(secret);
}

/* A KubeFedCluster's CA is its own, whatever the Secret has. */
static void
test_kubefed(void)
{
    static const char *const all[] = {"*"}, *const name[] = {"SubjectName"};
    static const char *const dates[] = {"ValidityPeriod"}, *const any[] = {"", "Name\""};
    static const char *const both[] = {"ValidityPeriod", "SubjectName"};
    static const struct kubefed_case cases[] = {
        {"h", "https://h", CA64, TOKEN, {.count = 0}, 0, 0, 0, NULL, NULL},
        {"h:1", "https://h:1", CA64, TOKEN "," CA, {.count = 0}, 0, 0, 0, NULL, NULL},
        {"https://h", "https://h", "", TOKEN, {.count = 0}, 0, 0, 0, NULL, NULL},
        {"h", "https://h", CA64, TOKEN, LIST(all, 1), 1, 0, 0, "* in disabledTLSValidations", NULL},
        {"h", "https://h", CA64, TOKEN, LIST(name, 1), 0, 1, 0, NULL, NULL},
        {"h", "https://h", CA64, TOKEN, LIST(dates, 1), 0, 0, 1, NULL, NULL},
        {"h", "https://h", CA64, TOKEN, LIST(both, 2), 0, 1, 1, NULL, NULL},
        {"h", "https://h", "", TOKEN, LIST(dates, 1), 0, 0, 1, NULL, NULL},
        {"h", "https://h", "", TOKEN, LIST(name, 1), 0, 1, 0, "SubjectName in", NULL},
        {"h", NULL, CA64, TOKEN, LIST(any, 1), 0, 0, 0, NULL, "ValidityPeriod, got \"\""},
        {"h", NULL, CA64, TOKEN, LIST(any, 2), 0, 0, 0, NULL, "disabledTLSValidations: want *"},
        {"h", NULL, CA64 "!", TOKEN, {.count = 0}, 0, 0, 0, NULL, "spec.caBundle: this is no base"},
        {"h", NULL, "c2VzYW1l", TOKEN, {.count = 0}, 0, 0, 0, NULL, "no PEM"},
        {"h", NULL, CA64, "\"token\":\"\"", {.count = 0}, 0, 0, 0, NULL, "data.token: required"},
        {"h", NULL, CA64, CA, {.count = 0}, 0, 0, 0, NULL, "Secret kfns/s: data.token: required"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_kubefed(&cases[i]);
    }
}

void suite_kube_member(void);

void
suite_kube_member(void)
{
    check_suite("the way to a member");
    check_test("a Cluster and its Secret", test_whole);
    check_test("a KubeFedCluster and its Secret", test_kubefed);
    check_test("without TLS verification, without a proxy", test_insecure);
    check_test("what is missing or bad", test_what_is_missing);
}
