/* SPDX-License-Identifier: Apache-2.0
 *
 * What a refusal was about, and how kubectl is asked about it.
 */
#include "check.h"
#include "cli/live/live_access.h"

#define SERVER "https://a:6443/karmada"

struct refusal {
    int status;
    const char *method, *url;
    const char *verb; /* NULL: it is no refusal of ours to explain */
    const char *resource, *namespace_;
};

static const struct refusal refusals[] = {
    {403, "GET", SERVER "/apis/cluster.karmada.io/v1alpha1/clusters", "list",
     "clusters.cluster.karmada.io", ""},
    {401, "GET", SERVER "/api/v1/namespaces/shop", "get", "namespaces/shop", ""},
    {403, "GET", SERVER "/api/v1/namespaces/shop/pods", "list", "pods", "shop"},
    {403, "GET", SERVER "/apis/coordination.k8s.io/v1/namespaces/n/leases/x", "get",
     "leases.coordination.k8s.io/x", "n"},
    {403, "POST", SERVER "/apis/coordination.k8s.io/v1/namespaces/n/leases", "create",
     "leases.coordination.k8s.io", "n"},
    {403, "PATCH", SERVER "/apis/g/v1/things/t", "patch", "things.g/t", ""},
    {404, "GET", SERVER "/apis/g/v1/things", NULL, NULL, NULL},
    {0, "GET", SERVER "/apis/g/v1/things", NULL, NULL, NULL},
    {403, "GET", SERVER "/apis", NULL, NULL, NULL},
    {403, "GET", SERVER, NULL, NULL, NULL},
    {403, "GET", "", NULL, NULL, NULL},
    {403, "FETCH", SERVER "/api/v1/pods", NULL, NULL, NULL},
    {403, "GET", "https://b/api/v1/pods", NULL, NULL, NULL},
};

static void
test_read(void)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        const struct refusal *want = &refusals[i];
        struct refused_access got = {.status = 0};
        struct error err = ERROR_INIT;

        error_set(&err, ERROR_FORBIDDEN, "no");
        err.request.status = want->status;
        err.request.method = want->method;
        snprintf(err.request.url, sizeof(err.request.url), "%s", want->url);
        error_wrap(&err, "listing");
        bool is_one = refused_access_read(&err, SERVER, &got);

        CHECK_MSG(is_one == (want->verb != NULL), "case %zu: %s", i, want->url);
        if (is_one && want->verb != NULL) {
            CHECK_INT(got.status, want->status);
            CHECK_STR(got.verb, want->verb);
            CHECK_STR(got.resource, want->resource);
            CHECK_STR(got.namespace_, want->namespace_);
        }
        error_set(&err, ERROR_FORBIDDEN, "something else");
        CHECK(!refused_access_read(&err, SERVER, &got));
    }
}

static char *
unowned(const char *text)
{
    return (char *)(uintptr_t)text;
}

static void
check_command(const char *context, const char *user, const char *kubeconfig, const char *want)
{
    const struct refused_access access = {403, "get", "leases.coordination.k8s.io/x", "n"};
    const struct kube_config config = {.context = unowned(context), .user = unowned(user)};
    struct buf out;

    buf_init(&out, 4096);
    refused_access_command(&access, &config, kubeconfig, &out);
    CHECK_STR(buf_text(&out), want);
    buf_release(&out);
}

#define CAN_I " auth can-i get leases.coordination.k8s.io/x -n n"

static void
test_command(void)
{
    check_command("prod", "u", NULL, "kubectl --context prod" CAN_I);
    check_command("prod", "u", "a file", "kubectl --kubeconfig 'a file' --context prod" CAN_I);
    check_command("it's $(x)", "u", "", "kubectl --context 'it'\\''s $(x)'" CAN_I);
    check_command("", "ns/name", NULL, "kubectl" CAN_I " --as system:serviceaccount:ns:name");
    check_command("", "service account", NULL, "kubectl" CAN_I);
}

static void
check_credential(const struct kube_config *config, const char *want, bool has_any)
{
    struct buf out;

    buf_init(&out, 4096);
    CHECK(refused_credential(config, &out) == has_any);
    CHECK_STR(buf_text(&out), want);
    buf_release(&out);
}

static void
test_credential(void)
{
    struct kube_config config = {.user = unowned("u")};

    check_credential(&config, "a request without any credential of user \"u\"", false);
    config.username = unowned("u");
    check_credential(&config, "the password of user \"u\"", true);
    config.client_certificate_file = unowned("f");
    check_credential(&config, "the client certificate of user \"u\"", true);
    config.token_file = unowned("f");
    check_credential(&config, "the token of user \"u\"", true);
}

void suite_live_access(void);

void
suite_live_access(void)
{
    check_suite("live_access");
    check_test("a refusal is read", test_read);
    check_test("kubectl's command", test_command);
    check_test("what was not accepted", test_credential);
}
