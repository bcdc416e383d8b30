/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the way to an API server is found, how kubeconfigs are merged, and
 * every mistake in one with the words it is told in.
 */
#include "ballast/kube/kube_config.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ballast/base/secret.h"
#include "check.h"
#include "kube/identity/exec.h"
#include "kube/identity/kubeconfig.h"
#include "temp_dir.h"

#define PEM_BASE64 "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg=="
#define PEM_TEXT "-----BEGIN CERTIFICATE-----\n"

/* One context, one cluster, one user; `cluster` and `user` are the members, in flow style. */
#define ONE(cluster, user)                                                                         \
    "apiVersion: v1\nkind: Config\ncurrent-context: prod\n"                                        \
    "contexts: [{name: prod, context: {cluster: c, user: u, namespace: shop}}]\n"                  \
    "clusters: [{name: c, cluster: {" cluster "}}]\nusers: [{name: u, user: {" user "}}]\n"
#define SERVER "server: 'https://a:6443'"

/* {"sub":"system:serviceaccount:ballast-system:ballast","exp":1700000000} */
#define ACCOUNT_TOKEN                                                                              \
    "eyJhbGciOiJub25lIn0."                                                                         \
    "eyJzdWIiOiJzeXN0ZW06c2VydmljZWFjY291bnQ6YmFsbGFzdC1zeXN0ZW06"                                 \
    "YmFsbGFzdCIsImV4cCI6MTcwMDAwMDAwMH0"                                                          \
    ".c2ln"

/* The environment of the load under test. */
static const char *variables[8][2];

static const char *
fake_getenv(const char *name)
{
    for (size_t i = 0; i < 8 && variables[i][0] != NULL; i++) {
        if (strcmp(variables[i][0], name) == 0) {
            return variables[i][1];
        }
    }
    return NULL;
}

static void
set_variables(const char *first, const char *first_value, const char *second,
              const char *second_value)
{
    memset(variables, 0, sizeof(variables));
    variables[0][0] = first;
    variables[0][1] = first_value;
    variables[1][0] = second;
    variables[1][1] = second_value;
}

static struct kube_config *
load(const char *kubeconfig, const char *context, const char *service_account, struct error *err)
{
    struct kube_config_options options = {
        .kubeconfig = kubeconfig,
        .context = context,
        .getenv = fake_getenv,
        .service_account_dir = service_account != NULL ? service_account : "/nonexistent",
    };

    return kube_config_load(&options, err);
}

static void
test_members(void)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir = temp_dir_make();

    temp_write(&dir, "ca.pem", PEM_TEXT, 0600);
    temp_write(&dir, "cert.pem", PEM_TEXT, 0600);
    temp_write(&dir, "key.pem", PEM_TEXT, 0600);
    const char *path = temp_write(
        &dir, "config",
        ONE("server: 'https://a:6443/prefix/', certificate-authority: ca.pem, tls-server-name: b, "
            "proxy-url: 'http://user:secret@p:3128'",
            "client-certificate: cert.pem, client-key-data: " PEM_BASE64 ", as: admin, as-uid: '7'"
            ", as-groups: [a, b], as-user-extra: {scopes: [view, 'x y'], 'a/b %': [''], none: []}"
            ", username: me, password: hush"),
        0600);
    struct kube_config *config = load(path, NULL, NULL, &err);

    if (CHECK_OK(config != NULL, err) && config != NULL) {
        CHECK_STR(config->server, "https://a:6443/prefix");
        CHECK_STR(config->ca_file, temp_path(&dir, "ca.pem"));
        CHECK(config->ca.data == NULL);
        CHECK_STR(config->tls_server_name, "b");
        CHECK_STR(config->proxy_url, "http://user:secret@p:3128");
        CHECK(!config->insecure_skip_tls_verify);
        CHECK_STR(config->client_certificate_file, temp_path(&dir, "cert.pem"));
        CHECK_STR(config->client_key.data, PEM_TEXT);
        CHECK_INT(config->client_key.length, strlen(PEM_TEXT));
        CHECK_STR(config->username, "me");
        CHECK_STR(config->password.data, "hush");
        CHECK_STR(config->as, "admin");
        CHECK_STR(config->as_uid, "7");
        CHECK_INT(config->n_as_groups, 2);
        CHECK_STR(config->as_groups[1], "b");
        CHECK_INT(config->n_as_extra, 3);
        if (config->n_as_extra == 3) {
            CHECK_STR(config->as_extra[0], "Impersonate-Extra-scopes: view");
            CHECK_STR(config->as_extra[1], "Impersonate-Extra-scopes: x y");
            CHECK_STR(config->as_extra[2], "Impersonate-Extra-a%2Fb%20%25;");
        }
        CHECK_STR(config->namespace_, "shop");
        CHECK_CONTAINS(config->origin, "context \"prod\" of /tmp/");
        CHECK_STR(config->context, "prod");
        CHECK_STR(config->contexts, "prod (current)");
        CHECK_STR(config->user, "u");
    }
    kube_config_free(config);
    temp_dir_remove(&dir);
}

struct mistake {
    const char *name, *text, *context, *want;
};

static const struct mistake mistakes[] = {
    {"not YAML", "a: [", NULL, "config:"},
    {"not an object", "- 1\n", NULL, "this is no kubeconfig: want object, got list"},
    {"another kind", "kind: Secret\n", NULL, "this is no kubeconfig, but a Secret"},
    {"two documents", "kind: Config\n---\nkind: Config\n", NULL, "want one YAML document, got 2"},
    {"empty", "", NULL, "no current-context is set: choose one with --context; there is none"},
    {"no current", "contexts: [{name: a}, {name: b}]", NULL, "--context; known: a, b"},
    {"current of a wrong type", "current-context: 1", NULL,
     "current-context: want string, got integer"},
    {"contexts of a wrong type", "contexts: {a: b}", NULL, "contexts: want list, got object"},
    {"nameless", "users: [{user: {}}]", NULL, "users[0].name: required"},
    {"twice", "users: [{name: a}, {name: b}, {name: a}]", NULL, "two with the name \"a\""},
    {"entry of a wrong type", "users: [{name: a, user: 7}]", NULL,
     "users[0].user: want object, got integer"},
    {"unknown context", ONE(SERVER, ""), "Prod", "context \"Prod\" does not exist in "},
    {"known contexts", ONE(SERVER, ""), "Prod", "; known: prod (current)"},
    {"near contexts",
     "current-context: b\ncontexts: [{name: karmada-test}, {name: karmada-prod}, {name: b}]",
     "karmada-prd",
     "; did you mean \"karmada-prod\"?; known: karmada-test, karmada-prod, b (current)"},
    {"no context near", "contexts: [{name: karmada-test}]", "b", "config; known: karmada-test"},
    {"many contexts",
     "contexts: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}, {name: g}, "
     "{name: h}, {name: i}, {name: j}, {name: k}, {name: l}, {name: m}, {name: nn}, {name: o}, "
     "{name: p}, {name: q}, {name: r}, {name: s}, {name: t}, {name: u}, {name: v}]",
     "nobody", "r, s, t and 2 more"},
    {"unknown cluster", "current-context: a\ncontexts: [{name: a, context: {cluster: x}}]", NULL,
     "cluster \"x\" does not exist in "},
    {"unknown user",
     "current-context: a\ncontexts: [{name: a, context: {cluster: x, user: z}}]\n"
     "clusters: [{name: x, cluster: {" SERVER "}}]",
     NULL, "user \"z\" does not exist in "},
    {"context without cluster", "current-context: a\ncontexts: [{name: a}]", NULL,
     "context \"a\": cluster: required"},
    {"context of wrong types", "current-context: a\ncontexts: [{name: a, context: {cluster: 1}}]",
     NULL, "cluster: want string, got integer"},
    {"no server", ONE("", ""), NULL, "cluster \"c\": server: required"},
    {"server without scheme", ONE("server: 'a:6443'", ""), NULL, "server: want a URL like"},
    {"another scheme", ONE("server: 'ftp://a'", ""), NULL, "server: want a URL like"},
    {"credentials in the URL", ONE("server: 'https://me:secret@a'", ""), NULL,
     "server: credentials do not belong in the URL"},
    {"a query in the URL", ONE("server: 'https://a/?x=1'", ""), NULL, "server: a query"},
    {"flag of a wrong type", ONE(SERVER ", insecure-skip-tls-verify: 'true'", ""), NULL,
     "insecure-skip-tls-verify: want boolean, got string"},
    {"insecure with CA",
     ONE(SERVER ", insecure-skip-tls-verify: true, certificate-authority-data: " PEM_BASE64, ""),
     NULL, "contradict each other"},
    {"bad base64", ONE(SERVER ", certificate-authority-data: 'abc'", ""), NULL,
     "certificate-authority-data: this is not base64"},
    {"no PEM", ONE(SERVER ", certificate-authority-data: 'aGVsbG8='", ""), NULL,
     "certificate-authority-data: this is no PEM"},
    {"missing CA file", ONE(SERVER ", certificate-authority: gone.pem", ""), NULL,
     "gone.pem: No such file or directory"},
    {"proxy", ONE(SERVER ", proxy-url: 'ftp://p'", ""), NULL, "proxy-url: want http://"},
    {"numeric token", ONE(SERVER, "token: 12345"), NULL, "token: want string, got integer"},
    {"token with a line end", ONE(SERVER, "token: \"a\\nb\""), NULL,
     "token: may not hold control characters"},
    {"missing token file", ONE(SERVER, "tokenFile: gone"), NULL, "gone: No such file or directory"},
    {"token from a FIFO", ONE(SERVER, "tokenFile: pipe"), NULL, "pipe: this is no regular file"},
    {"CA from a FIFO", ONE(SERVER ", certificate-authority: pipe", ""), NULL,
     "pipe: this is no regular file"},
    {"key without certificate", ONE(SERVER, "client-key-data: " PEM_BASE64), NULL,
     "the certificate is missing"},
    {"certificate without key", ONE(SERVER, "client-certificate-data: " PEM_BASE64), NULL,
     "the key is missing"},
    {"two identities", ONE(SERVER, "token: a, username: b"), NULL,
     "token and username contradict each other"},
    {"colon", ONE(SERVER, "username: 'a:b'"), NULL, "username: may not hold a colon"},
    {"groups without user", ONE(SERVER, "as-groups: [a]"), NULL, "set \"as\""},
    {"groups of a wrong type", ONE(SERVER, "as: a, as-groups: [1]"), NULL,
     "as-groups: want a list of strings, got integer"},
    {"header", ONE(SERVER, "as: \"a\\r\\nb: c\""), NULL, "as: may not hold control characters"},
    {"extra without user", ONE(SERVER, "as-user-extra: {a: [b]}"), NULL, "set \"as\""},
    {"extra of a wrong type", ONE(SERVER, "as: a, as-user-extra: [b]"), NULL,
     "as-user-extra: want object, got list"},
    {"extra without a list", ONE(SERVER, "as: a, as-user-extra: {b: c}"), NULL,
     "as-user-extra: want a list of strings, got string"},
    {"extra without a key", ONE(SERVER, "as: a, as-user-extra: {'': [c]}"), NULL,
     "as-user-extra: a key is empty"},
    {"extra with a wrong value", ONE(SERVER, "as: a, as-user-extra: {b: [1]}"), NULL,
     "as-user-extra: want a list of strings, got integer"},
    {"extra with a header", ONE(SERVER, "as: a, as-user-extra: {b: [\"a\\r\\nc: d\"]}"), NULL,
     "as-user-extra: may not hold control characters"},
    {"auth-provider", ONE(SERVER, "auth-provider: {name: gcp}"), NULL,
     "auth-provider: auth providers were removed"},
    {"exec version", ONE(SERVER, "exec: {command: a, apiVersion: v1}"), NULL,
     "exec: apiVersion: want client.authentication.k8s.io/v1 or v1beta1, got \"v1\""},
    {"exec mode missing",
     ONE(SERVER, "exec: {command: a, apiVersion: client.authentication.k8s.io/v1}"), NULL,
     "interactiveMode: want Never, IfAvailable or Always, got \"\""},
    {"exec asks",
     ONE(SERVER, "exec: {command: a, apiVersion: client.authentication.k8s.io/v1, "
                 "interactiveMode: Always}"),
     NULL, "interactiveMode: the plugin wants to ask a person"},
    {"exec command", ONE(SERVER, "exec: {apiVersion: client.authentication.k8s.io/v1beta1}"), NULL,
     "exec: command: required"},
    {"exec args",
     ONE(SERVER, "exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: a, args: [1]}"),
     NULL, "exec: args[0]: want string, got integer"},
    {"exec env",
     ONE(SERVER,
         "exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: a, env: [{value: x}]}"),
     NULL, "exec: env[0].name: want the name of a variable"},
};

static void
test_mistakes(void)
{
    struct temp_dir dir = temp_dir_make();

    CHECK(mkfifo(temp_path(&dir, "pipe"), 0600) == 0);
    for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
        const struct mistake *m = &mistakes[i];
        const char *path = temp_write(&dir, "config", m->text, 0600);
        struct error err = ERROR_INIT;
        struct kube_config *config = load(path, m->context, NULL, &err);

        CHECK_MSG(config == NULL, "%s: it is accepted", m->name);
        CHECK_INT(err.code, ERROR_CONFIG);
        CHECK_MSG(strstr(err.message, m->want) != NULL, "%s: got \"%s\", want \"%s\"", m->name,
                  err.message, m->want);
        CHECK_MSG(strstr(err.message, path) != NULL, "%s: the file is not named", m->name);
        CHECK_MSG(strstr(err.message, "secret") == NULL, "%s: a secret is told", m->name);
        kube_config_free(config);
    }
    temp_dir_remove(&dir);
}

/* A header is sent whole or not at all. */
static void
test_long_extra(void)
{
    static char text[1 << 17], value[1 << 16];
    struct error err = ERROR_INIT;
    struct temp_dir dir = temp_dir_make();

    memset(value, 'x', sizeof(value) - 1);
    snprintf(text, sizeof(text), ONE(SERVER, "as: a, as-user-extra: {b: [%s]}"), value);
    struct kube_config *config = load(temp_write(&dir, "config", text, 0600), NULL, NULL, &err);

    CHECK(config == NULL);
    CHECK_CONTAINS(err.message, "as-user-extra: more than 65536 bytes");
    kube_config_free(config);
    temp_dir_remove(&dir);
}

static void
test_data_wins(void)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir = temp_dir_make();

    const char *path = temp_write(
        &dir, "config",
        ONE(SERVER ", certificate-authority: gone, certificate-authority-data: " PEM_BASE64,
            "token: inline"),
        0600);
    struct kube_config *config = load(path, NULL, NULL, &err);

    if (CHECK_OK(config != NULL, err) && config != NULL) {
        CHECK_STR(config->ca.data, PEM_TEXT);
        CHECK_STR(config->token.data, "inline");
    }
    kube_config_free(config);
    temp_dir_remove(&dir);
}

static const char first_file[] = "contexts: [{name: shared, context: {cluster: one, user: both}}]\n"
                                 "users: [{name: both, user: {tokenFile: token}}]\n"
                                 "clusters: [{name: one, cluster: {server: 'https://one'}}]\n";
static const char second_file[] =
    "current-context: shared\n"
    "contexts: [{name: shared, context: {cluster: two, user: both, namespace: n}},\n"
    "           {name: other, context: {cluster: two, user: more}}]\n"
    "users: [{name: both, user: {token: second, as: admin}},\n"
    "        {name: more, user: {tokenFile: token}}]\n"
    "clusters: [{name: one, cluster: {server: 'https://never'}},\n"
    "           {name: two, cluster: {server: 'https://two'}}]\n";

static void
check_merged(const char *list, const char *context, const char *server, const char *token_file,
             const char *namespace)
{
    struct error err = ERROR_INIT;

    set_variables("KUBECONFIG", list, NULL, NULL);
    struct kube_config *config = load(NULL, context, NULL, &err);

    if (CHECK_OK(config != NULL, err) && config != NULL) {
        CHECK_STR(config->server, server);
        CHECK_STR(config->token_file, token_file);
        CHECK_STR(config->namespace_, namespace);
        /* a later file adds nothing to an entry that an earlier one has */
        CHECK(config->token.data == NULL && config->as == NULL);
    }
    kube_config_free(config);
}

static void
add_name(void *context, const char *name)
{
    char *names = context;

    snprintf(names + strlen(names), 64, "%s;", name);
}

/* What there is to choose from, whatever is chosen. */
static void
test_contexts(void)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir = temp_dir_make();
    char list[512], names[256] = "";
    struct kube_config_options how = {.getenv = fake_getenv};

    temp_write(&dir, "a/config", first_file, 0600);
    temp_write(&dir, "b/config", second_file, 0600);
    snprintf(list, sizeof(list), "%s/gone:%s/a/config:%s/b/config", dir.path, dir.path, dir.path);
    set_variables("KUBECONFIG", list, NULL, NULL);
    CHECK_OK(kube_config_contexts(&how, add_name, names, &err), err);
    CHECK_STR(names, "shared;other;");
    names[0] = '\0';
    how.kubeconfig = temp_path(&dir, "a/config");
    CHECK_OK(kube_config_contexts(&how, add_name, names, &err), err);
    CHECK_STR(names, "shared;");
    names[0] = '\0';
    how.kubeconfig = "/nonexistent";
    CHECK(!kube_config_contexts(&how, add_name, names, &err));
    CHECK_STR(names, "");
    how.kubeconfig = NULL;
    temp_write(&dir, ".kube/config", first_file, 0600);
    set_variables("HOME", dir.path, NULL, NULL);
    CHECK_OK(kube_config_contexts(&how, add_name, names, &err), err);
    CHECK_STR(names, "shared;");
    names[0] = '\0';
    set_variables(NULL, NULL, NULL, NULL); /* nowhere to look */
    CHECK(kube_config_contexts(&how, add_name, names, &err));
    CHECK_STR(names, "");
    temp_dir_remove(&dir);
}

static void
test_merge(void)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir = temp_dir_make();
    char list[512];

    temp_write(&dir, "a/config", first_file, 0600);
    temp_write(&dir, "b/config", second_file, 0600);
    temp_write(&dir, "a/token", "t", 0600);
    temp_write(&dir, "b/token", "t", 0600);
    snprintf(list, sizeof(list), ":%s/gone:%s/a/config:%s/b/config:%s/a/config", dir.path, dir.path,
             dir.path, dir.path);
    check_merged(list, NULL, "https://one", temp_path(&dir, "a/token"), "default");
    check_merged(list, "other", "https://two", temp_path(&dir, "b/token"), "default");
    temp_write(&dir, "a/config", "users: {", 0600);
    CHECK(load(NULL, NULL, NULL, &err) == NULL);
    CHECK_CONTAINS(err.message, "$KUBECONFIG: ");
    CHECK_CONTAINS(err.message, "/a/config:");
    temp_write(&dir, "a/config", first_file, 0600);
    CHECK(load(NULL, "othr", NULL, &err) == NULL);
    CHECK_CONTAINS(err.message, "--context: context \"othr\" does not exist in ");
    CHECK(strstr(err.message, "KUBECONFIG") == NULL);
    set_variables("KUBECONFIG", "/nonexistent/a:/nonexistent/b", NULL, NULL);
    CHECK(load(NULL, NULL, NULL, &err) == NULL);
    CHECK_CONTAINS(err.message, "$KUBECONFIG: no file of it exists: /nonexistent/a:/nonexistent/b");
    temp_dir_remove(&dir);
}

static void
test_order(void)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir = temp_dir_make();
    struct kube_config *config;

    temp_write(&dir, ".kube/config", ONE("server: 'https://home'", "token: a"), 0600);
    const char *path = temp_write(&dir, "given", ONE("server: 'https://given'", "token: b"), 0600);

    set_variables("HOME", dir.path, NULL, NULL);
    config = load(NULL, NULL, NULL, &err);
    CHECK(config != NULL && strcmp(config->server, "https://home") == 0);
    kube_config_free(config);
    set_variables("HOME", dir.path, "KUBECONFIG", path);
    config = load(NULL, NULL, NULL, &err);
    CHECK(config != NULL && strcmp(config->server, "https://given") == 0);
    kube_config_free(config);
    set_variables("HOME", "/nonexistent", NULL, NULL);
    CHECK(load(NULL, NULL, NULL, &err) == NULL);
    CHECK_CONTAINS(err.message, "give --kubeconfig FILE or set $KUBECONFIG");
    CHECK_CONTAINS(err.message, "there is no /nonexistent/.kube/config");
    CHECK(load("/nonexistent/x", NULL, NULL, &err) == NULL);
    CHECK_STR(err.message, "--kubeconfig: /nonexistent/x: No such file or directory");
    CHECK_INT(err.code, ERROR_CONFIG);
    CHECK(load(path, "nosuch", NULL, &err) == NULL);
    CHECK_CONTAINS(err.message, "--context: context \"nosuch\" does not exist in ");
    CHECK(strstr(err.message, "--kubeconfig") == NULL);
    temp_write(&dir, "given", ONE("server: 'ftp://given'", "token: b"), 0600);
    CHECK(load(path, NULL, NULL, &err) == NULL);
    CHECK_CONTAINS(err.message, "--kubeconfig: context \"");
    temp_dir_remove(&dir);
}

static void
check_in_cluster(const struct temp_dir *dir, const char *host, const char *server)
{
    struct error err = ERROR_INIT;

    set_variables("KUBERNETES_SERVICE_HOST", host, "KUBERNETES_SERVICE_PORT", "6443");
    struct kube_config *config = load(NULL, NULL, temp_path(dir, "sa"), &err);

    if (CHECK_OK(config != NULL, err) && config != NULL) {
        CHECK_STR(config->server, server);
        CHECK_STR(config->token_file, temp_path(dir, "sa/token"));
        CHECK_STR(config->ca_file, temp_path(dir, "sa/ca.crt"));
        CHECK_STR(config->namespace_, "karmada-system");
        CHECK_STR(config->origin, "in-cluster");
        CHECK_STR(config->context, "");
        CHECK(config->contexts == NULL);
        CHECK_STR(config->user, "service account");
    }
    kube_config_free(config);
}

static void
test_in_cluster(void)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir = temp_dir_make();

    temp_write(&dir, "sa/token", "t", 0600);
    temp_write(&dir, "sa/ca.crt", PEM_TEXT, 0600);
    temp_write(&dir, "sa/namespace", "karmada-system\n", 0600);
    check_in_cluster(&dir, "10.0.0.1", "https://10.0.0.1:6443");
    check_in_cluster(&dir, "::1", "https://[::1]:6443");
    check_in_cluster(&dir, "[fd00::1]", "https://[fd00::1]:6443");
    check_in_cluster(&dir, "kubernetes.default", "https://kubernetes.default:6443");
    /* a context is of a kubeconfig */
    CHECK(load(NULL, "prod", temp_path(&dir, "sa"), &err) == NULL);
    CHECK_CONTAINS(err.message, "no way to an API server is known");
    unlink(temp_path(&dir, "sa/ca.crt"));
    CHECK(load(NULL, NULL, temp_path(&dir, "sa"), &err) == NULL);
    CHECK_CONTAINS(err.message, "sa/ca.crt: No such file or directory");
    set_variables("KUBERNETES_SERVICE_HOST", "10.0.0.1", NULL, NULL);
    CHECK(load(NULL, NULL, temp_path(&dir, "sa"), &err) == NULL);
    temp_dir_remove(&dir);
}

/* Who a pod is, as far as its token tells. */
static void
test_account(void)
{
    static const struct {
        const char *token, *want;
    } cases[] = {
        {ACCOUNT_TOKEN "\n", "ballast-system/ballast"},
        {"e30.eyJzdWIiOiJqYW5lIn0.c2ln", "service account"}, /* {"sub":"jane"} */
        {"e30.W10.c2ln", "service account"},                 /* [] */
        {"e30.!.c2ln", "service account"},
        {"e30.e30", "service account"},
        {"opaque", "service account"},
    };
    struct temp_dir dir = temp_dir_make();
    struct error err = ERROR_INIT;

    temp_write(&dir, "sa/ca.crt", PEM_TEXT, 0600);
    set_variables("KUBERNETES_SERVICE_HOST", "10.0.0.1", "KUBERNETES_SERVICE_PORT", "6443");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        temp_write(&dir, "sa/token", cases[i].token, 0600);
        struct kube_config *config = load(NULL, NULL, temp_path(&dir, "sa"), &err);

        if (CHECK_OK(config != NULL, err) && config != NULL) {
            CHECK_STR(config->user, cases[i].want);
        }
        kube_config_free(config);
    }
    temp_dir_remove(&dir);
}

static void
test_base64(void)
{
    static const struct {
        const char *text, *want; /* NULL: malformed */
    } cases[] = {
        {"", ""},
        {"YQ==", "a"},
        {"YWI=", "ab"},
        {"YWJj", "abc"},
        {"YWJjZA==", "abcd"},
        {"YW\nJj\r\n", "abc"},
        {"+/+/", "\xfb\xff\xbf"},
        {"YQ", NULL},
        {"YQ=", NULL},
        {"YQ===", NULL},
        {"Y", NULL},
        {"YQ==YQ==", NULL},
        {"Y-_j", NULL},
        {"YW Jj", NULL},
        {"=", NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct secret got = {.data = NULL};
        bool is_fine = secret_from_base64(cases[i].text, strlen(cases[i].text), &got);

        CHECK_MSG(is_fine == (cases[i].want != NULL), "\"%s\"", cases[i].text);
        if (is_fine && cases[i].want != NULL) {
            CHECK_STR(got.data, cases[i].want);
            CHECK_INT(got.length, strlen(cases[i].want));
        }
        secret_wipe(&got);
    }
}

void suite_kube_config(void);

void
suite_kube_config(void)
{
    check_suite("kube_config");
    check_test("members of a kubeconfig", test_members);
    check_test("mistakes", test_mistakes);
    check_test("a header that is too long", test_long_extra);
    check_test("data wins over files", test_data_wins);
    check_test("merging", test_merge);
    check_test("contexts", test_contexts);
    check_test("order of the places", test_order);
    check_test("in-cluster", test_in_cluster);
    check_test("the service account of a pod", test_account);
    check_test("base64", test_base64);
}
