/* SPDX-License-Identifier: Apache-2.0
 *
 * The way to a member, out of its Cluster and Secret.
 */
#include "ballast/kube/kube_member.h"

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

void suite_kube_member(void);

void
suite_kube_member(void)
{
    check_suite("the way to a member");
    check_test("a Cluster and its Secret", test_whole);
    check_test("without TLS verification, without a proxy", test_insecure);
    check_test("what is missing or bad", test_what_is_missing);
}
