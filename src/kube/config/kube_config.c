/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the API server: --kubeconfig, the pod's service account, $KUBECONFIG, ~/.kube/config.
 */
#include "ballast/kube/kube_config.h"
#include "ballast/base/wide.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ballast/base/heap.h"
#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "kube/identity/bearer_token.h"
#include "kube/identity/exec.h"
#include "kube/identity/identity.h"
#include "kube/identity/kubeconfig.h"

#define SERVICE_ACCOUNT_DIR "/var/run/secrets/kubernetes.io/serviceaccount"
#define KUBECONFIG_MAX ((size_t)16 << 20)
#define NAMESPACE_MAX ((size_t)4096)
#define TOKEN_MAX ((size_t)1 << 20)

/* NULL: unset or empty. */
static const char *
environment(const struct kube_config_options *options, const char *name)
{
    const char *value = options->getenv != NULL ? options->getenv(name) : NULL;

    return value != NULL && !str_is_empty(value) ? value : NULL;
}

static char *
in_service_account(const struct kube_config_options *options, const char *name)
{
    const char *directory = options->service_account_dir;

    return str_print("%s/%s", directory != NULL ? directory : SERVICE_ACCOUNT_DIR, name);
}

static bool
is_in_cluster(const struct kube_config_options *options)
{
    char *token = in_service_account(options, "token");
    bool is_there = access(token, F_OK) == 0;

    free(token);
    return is_there && environment(options, "KUBERNETES_SERVICE_HOST") != NULL &&
           environment(options, "KUBERNETES_SERVICE_PORT") != NULL;
}

static char *
read_namespace(const struct kube_config_options *options)
{
    char *path = in_service_account(options, "namespace");
    struct secret text = {.data = NULL};
    struct error ignored = ERROR_INIT; /* the file is optional */
    char *namespace = NULL;

    if (secret_read_regular_file(path, NAMESPACE_MAX, &text, &ignored)) {
        secret_trim(&text);
        namespace = text.length > 0 ? str_print("%s", text.data) : NULL;
    }
    secret_wipe(&text);
    free(path);
    return namespace != NULL ? namespace : str_print("default");
}

/* Returns the account of the pod's token. An opaque token is no error: the server may know it. */
static char *
read_account(const char *token_file)
{
    struct secret token = {.data = NULL};
    struct error ignored = ERROR_INIT;
    char *account = NULL;

    if (secret_read_regular_file(token_file, TOKEN_MAX, &token, &ignored)) {
        secret_trim(&token);
        account = token_service_account(&token);
    }
    secret_wipe(&token);
    return account != NULL ? account : str_print("service account");
}

static bool
load_in_cluster(const struct kube_config_options *options, struct kube_config *config,
                struct error *err)
{
    const char *host = environment(options, "KUBERNETES_SERVICE_HOST");
    const char *port = environment(options, "KUBERNETES_SERVICE_PORT");
    bool is_bare_ipv6 = strchr(host, ':') != NULL && host[0] != '[';

    config->server = str_print(is_bare_ipv6 ? "https://[%s]:%s" : "https://%s:%s", host, port);
    config->token_file = in_service_account(options, "token");
    config->ca_file = in_service_account(options, "ca.crt");
    config->namespace_ = read_namespace(options);
    config->origin = str_print("in-cluster");
    config->context = str_print("%s", "");
    config->user = read_account(config->token_file);
    return kube_config_check(config, err) ||
           error_wrap(err, "the service account of this pod (give --kubeconfig to use another)");
}

/* Resolves the context. An error names `source`, or --context if the files lack that context. */
static bool
load_from(const struct kubeconfig *kubeconfig, const char *source,
          const struct kube_config_options *options, struct kube_config *config, struct error *err)
{
    const struct kubeconfig_file *file;

    if (options->context != NULL) {
        kubeconfig_find(kubeconfig, KUBECONFIG_CONTEXT, options->context, &file);
        source = file == NULL ? "--context" : source;
    }
    return (kubeconfig_resolve(kubeconfig, options->context, config, err) &&
            (kube_config_check(config, err) || error_wrap(err, "%s", config->origin))) ||
           (source != NULL && error_wrap(err, "%s", source));
}

static bool
add_file(struct kubeconfig *kubeconfig, const char *path, struct error *err)
{
    struct secret text = {.data = NULL};
    bool is_fine = secret_read_file(path, KUBECONFIG_MAX, &text, err) &&
                   kubeconfig_add(kubeconfig, path, text.data, text.length, err);

    secret_wipe(&text);
    return is_fine;
}

static bool
load_one(const char *path, const char *source, const struct kube_config_options *options,
         struct kube_config *config, struct error *err)
{
    struct kubeconfig kubeconfig = {.files = NULL};
    bool is_there =
        add_file(&kubeconfig, path, err) || (source != NULL && error_wrap(err, "%s", source));
    bool is_fine = is_there && load_from(&kubeconfig, source, options, config, err);

    kubeconfig_release(&kubeconfig);
    return is_fine;
}

/* Adds the existing files of a $KUBECONFIG list, each once. */
static bool
add_list(struct kubeconfig *kubeconfig, const char *list, struct error *err)
{
    while (true) {
        size_t length = strcspn(list, ":");
        char *path = str_print("%.*s", pin_width(length), list);
        bool is_known = length == 0 || (access(path, F_OK) != 0 && errno == ENOENT);

        for (size_t i = 0; i < kubeconfig->n_files; i++) {
            is_known = is_known || str_eq(kubeconfig->files[i].path, path);
        }
        bool is_fine = is_known || add_file(kubeconfig, path, err);

        free(path);
        if (!is_fine || list[length] == '\0') {
            return is_fine;
        }
        list += length + 1;
    }
}

static bool
load_list(const char *list, const struct kube_config_options *options, struct kube_config *config,
          struct error *err)
{
    static const char source[] = "$KUBECONFIG";
    struct kubeconfig kubeconfig = {.files = NULL};
    bool is_there = add_list(&kubeconfig, list, err);

    if (is_there && kubeconfig.n_files == 0) {
        is_there = error_set(err, ERROR_CONFIG, "no file of it exists: %s", list);
    }
    bool is_fine = is_there ? load_from(&kubeconfig, source, options, config, err)
                            : error_wrap(err, "%s", source);

    kubeconfig_release(&kubeconfig);
    return is_fine;
}

/* Returns kubectl's last choice, to be freed; NULL: there is no home. */
static char *
home_path(const struct kube_config_options *options)
{
    const char *home = environment(options, "HOME");

    return home != NULL ? str_print("%s/.kube/config", home) : NULL;
}

static bool
load_home(const struct kube_config_options *options, struct kube_config *config, struct error *err)
{
    char *path = home_path(options);
    bool is_fine = false;

    if (path != NULL && access(path, F_OK) == 0) {
        is_fine = load_one(path, NULL, options, config, err);
    } else {
        error_set(err, ERROR_CONFIG,
                  "no way to an API server is known: give --kubeconfig FILE or set $KUBECONFIG "
                  "(no service account of a pod is here, and there is no %s)",
                  path != NULL ? path : "~/.kube/config");
    }
    free(path);
    return is_fine;
}

static bool
load_any(const struct kube_config_options *options, struct kube_config *config, struct error *err)
{
    const char *list = environment(options, "KUBECONFIG");

    if (options->kubeconfig != NULL && !str_is_empty(options->kubeconfig)) {
        return load_one(options->kubeconfig, "--kubeconfig", options, config, err);
    }
    /* Only a kubeconfig has contexts. */
    if (options->context == NULL && is_in_cluster(options)) {
        return load_in_cluster(options, config, err);
    }
    return list != NULL ? load_list(list, options, config, err) : load_home(options, config, err);
}

struct kube_config *
kube_config_load(const struct kube_config_options *options, struct error *err)
{
    struct kube_config *config = heap_new(1, sizeof(*config));

    if (!load_any(options, config, err)) {
        err->code = ERROR_CONFIG;
        kube_config_free(config);
        return NULL;
    }
    config->identity = identity_new(config);
    return config;
}

bool
kube_config_contexts(const struct kube_config_options *options,
                     void (*found)(void *context, const char *name), void *context,
                     struct error *err)
{
    struct kubeconfig kubeconfig = {.files = NULL};
    const char *list = environment(options, "KUBECONFIG");
    char *home = home_path(options);
    bool is_fine = true;

    if (options->kubeconfig != NULL && !str_is_empty(options->kubeconfig)) {
        is_fine = add_file(&kubeconfig, options->kubeconfig, err);
    } else if (list != NULL) {
        is_fine = add_list(&kubeconfig, list, err);
    } else if (home != NULL) {
        is_fine = add_file(&kubeconfig, home, err);
    }
    kubeconfig_each_context(&kubeconfig, found, context);
    kubeconfig_release(&kubeconfig);
    free(home);
    return is_fine;
}

void
kube_config_free(struct kube_config *config)
{
    if (config == NULL) {
        return;
    }
    identity_free(config->identity);
    free(config->server);
    secret_wipe(&config->ca);
    free(config->ca_file);
    free(config->tls_server_name);
    secret_free_text(config->proxy_url); /* may hold a password */
    for (size_t i = 0; i < config->n_proxy_headers; i++) {
        secret_free_text(config->proxy_headers[i]);
    }
    free(config->proxy_headers);
    secret_wipe(&config->token);
    free(config->token_file);
    secret_wipe(&config->client_certificate);
    secret_wipe(&config->client_key);
    free(config->client_certificate_file);
    free(config->client_key_file);
    free(config->username);
    secret_wipe(&config->password);
    kube_exec_free(config->exec);
    free(config->as);
    free(config->as_uid);
    for (size_t i = 0; i < config->n_as_groups; i++) {
        free(config->as_groups[i]);
    }
    free(config->as_groups);
    for (size_t i = 0; i < config->n_as_extra; i++) {
        free(config->as_extra[i]);
    }
    free(config->as_extra);
    free(config->namespace_);
    free(config->origin);
    free(config->context);
    free(config->user);
    free(config->contexts);
    free(config);
}
