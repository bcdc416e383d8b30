/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the description of an exec credential plugin, builds its input and decodes its output.
 * Messages never quote the output: it is a secret.
 */
#include "exec.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/base64.h"
#include "ballast/base/heap.h"
#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "kubeconfig.h"

#define API_GROUP "client.authentication.k8s.io/"
#define CA_MAX ((size_t)1 << 20)

static bool
read_args(const struct value *value, struct kube_exec *exec, struct error *err)
{
    const struct value *list;

    if (!kubeconfig_get(value, "args", VALUE_LIST, &list, err)) {
        return false;
    }
    size_t count = list != NULL ? value_count(list) : 0;

    exec->args = heap_new(count, sizeof(*exec->args));
    for (size_t i = 0; i < count; i++) {
        if (value_type(value_at(list, i)) != VALUE_STRING) {
            return error_set(err, ERROR_CONFIG, "args[%zu]: want string, got %s", i,
                             value_type_name(value_type(value_at(list, i))));
        }
        exec->args[exec->n_args++] = heap_text(value_string(value_at(list, i)));
    }
    return true;
}

static bool
read_variables(const struct value *value, struct kube_exec *exec, struct error *err)
{
    const struct value *list;

    if (!kubeconfig_get(value, "env", VALUE_LIST, &list, err)) {
        return false;
    }
    size_t count = list != NULL ? value_count(list) : 0;

    exec->env = heap_new(count, sizeof(*exec->env));
    for (size_t i = 0; i < count; i++) {
        const char *name, *text;

        if (!kubeconfig_text(value_at(list, i), "name", &name, err) ||
            !kubeconfig_text(value_at(list, i), "value", &text, err)) {
            return error_wrap(err, "env[%zu]", i);
        }
        if (str_is_empty(name) || strchr(name, '=') != NULL) {
            return error_set(err, ERROR_CONFIG, "env[%zu].name: want the name of a variable", i);
        }
        exec->env[exec->n_env].name = heap_text(name);
        exec->env[exec->n_env++].value = heap_text(text);
    }
    return true;
}

static bool
read_version(const struct value *value, struct kube_exec *exec, struct error *err)
{
    const char *version, *mode;

    if (!kubeconfig_text(value, "apiVersion", &version, err) ||
        !kubeconfig_text(value, "interactiveMode", &mode, err)) {
        return false;
    }
    bool is_v1 = str_eq(version, API_GROUP "v1");

    if (!is_v1 && !str_eq(version, API_GROUP "v1beta1")) {
        return error_set(err, ERROR_CONFIG,
                         "apiVersion: want " API_GROUP "v1 or v1beta1, got \"%s\"", version);
    }
    if (str_eq(mode, "Always")) {
        return error_set(err, ERROR_CONFIG,
                         "interactiveMode: the plugin wants to ask a person (Always), and there is "
                         "none to ask here");
    }
    if (!str_eq(mode, "Never") && !str_eq(mode, "IfAvailable") && (is_v1 || !str_is_empty(mode))) {
        return error_set(err, ERROR_CONFIG,
                         "interactiveMode: want Never, IfAvailable or Always, got \"%s\"", mode);
    }
    exec->api_version = heap_text(version);
    return true;
}

/* A command with a slash is a path relative to its kubeconfig. */
static bool
read_command(const struct value *value, const char *directory, struct kube_exec *exec,
             struct error *err)
{
    const char *command, *hint;

    if (!kubeconfig_text(value, "command", &command, err) ||
        !kubeconfig_text(value, "installHint", &hint, err)) {
        return false;
    }
    if (str_is_empty(command)) {
        return error_set(err, ERROR_CONFIG, "command: required");
    }
    if (command[0] == '/' || strchr(command, '/') == NULL) {
        exec->command = heap_text(command);
    } else {
        exec->command = str_print("%s/%s", directory, command);
    }
    exec->install_hint = heap_text(hint);
    return true;
}

static bool
read_exec(const struct value *value, const char *directory, struct kube_exec *exec,
          struct error *err)
{
    const struct value *info;

    if (value_type(value) != VALUE_OBJECT) {
        return error_set(err, ERROR_CONFIG, "want object, got %s",
                         value_type_name(value_type(value)));
    }
    if (!kubeconfig_get(value, "provideClusterInfo", VALUE_BOOL, &info, err)) {
        return false;
    }
    exec->provide_cluster_info = info != NULL && value_bool(info);
    return read_version(value, exec, err) && read_command(value, directory, exec, err) &&
           read_args(value, exec, err) && read_variables(value, exec, err);
}

struct kube_exec *
kube_exec_from(const struct value *value, const char *directory, struct error *err)
{
    struct kube_exec *exec = heap_new(1, sizeof(*exec));

    if (!read_exec(value, directory, exec, err)) {
        kube_exec_free(exec);
        return NULL;
    }
    return exec;
}

void
kube_exec_free(struct kube_exec *exec)
{
    if (exec == NULL) {
        return;
    }
    for (size_t i = 0; i < exec->n_args; i++) {
        secret_free_text(exec->args[i]);
    }
    for (size_t i = 0; i < exec->n_env; i++) {
        free(exec->env[i].name);
        secret_free_text(exec->env[i].value);
    }
    free(exec->args);
    free(exec->env);
    free(exec->api_version);
    free(exec->command);
    free(exec->install_hint);
    free(exec->cluster_config);
    free(exec);
}

static void
append_member(struct buf *out, const char *name, const char *text)
{
    if (text != NULL) {
        buf_printf(out, ",\"%s\":", name);
        text_append_quoted(out, text);
    }
}

static void
append_cluster(struct buf *out, const struct kube_config *config)
{
    struct secret ca = {.data = NULL};
    struct error ignored = ERROR_INIT;

    buf_append_str(out, ",\"cluster\":{\"server\":");
    text_append_quoted(out, config->server);
    append_member(out, "tls-server-name", config->tls_server_name);
    append_member(out, "proxy-url", config->proxy_url);
    if (config->insecure_skip_tls_verify) {
        buf_append_str(out, ",\"insecure-skip-tls-verify\":true");
    }
    if (config->ca.data != NULL) {
        secret_set(&ca, config->ca.data, config->ca.length);
    } else if (config->ca_file != NULL) {
        secret_read_regular_file(config->ca_file, CA_MAX, &ca, &ignored);
    }
    if (ca.data != NULL) {
        buf_append_str(out, ",\"certificate-authority-data\":\"");
        base64_append(out, ca.data, ca.length);
        buf_append_char(out, '"');
    }
    secret_wipe(&ca);
    if (config->exec->cluster_config != NULL) {
        buf_printf(out, ",\"config\":%s", config->exec->cluster_config);
    }
    buf_append_char(out, '}');
}

void
kube_exec_info(const struct kube_config *config, struct buf *out)
{
    buf_append_str(out, "{\"apiVersion\":");
    text_append_quoted(out, config->exec->api_version);
    buf_append_str(out, ",\"kind\":\"ExecCredential\",\"spec\":{\"interactive\":false");
    if (config->exec->provide_cluster_info) {
        append_cluster(out, config);
    }
    buf_append_str(out, "}}");
}

void
kube_credential_release(struct kube_credential *credential)
{
    secret_wipe(&credential->token);
    secret_wipe(&credential->certificate);
    secret_wipe(&credential->key);
    credential->expires = TIME_NONE;
}

static bool
read_secret(const struct value *status, const char *name, struct secret *ret, struct error *err)
{
    const char *text;

    if (!kubeconfig_text(status, name, &text, err)) {
        return false;
    }
    if (!str_is_empty(text)) {
        secret_set(ret, text, strlen(text));
    }
    return true;
}

static bool
read_expiry(const struct value *status, int64_t *ret, struct error *err)
{
    const char *text;

    *ret = TIME_NONE;
    if (!kubeconfig_text(status, "expirationTimestamp", &text, err)) {
        return false;
    }
    return str_is_empty(text) || timestamp_parse(text, ret) ||
           error_set(err, ERROR_CONFIG,
                     "expirationTimestamp: want a time like "
                     "2006-01-02T15:04:05Z");
}

static bool
check_credential(const struct kube_credential *credential, struct error *err)
{
    if ((credential->certificate.data == NULL) != (credential->key.data == NULL)) {
        return error_set(err, ERROR_CONFIG,
                         "clientCertificateData and clientKeyData need each other");
    }
    if (credential->token.data == NULL && credential->certificate.data == NULL) {
        return error_set(err, ERROR_CONFIG, "neither a token nor a client certificate");
    }
    if (!secret_fits_header(credential->token.data, credential->token.length)) {
        return error_set(err, ERROR_CONFIG, "token: may not hold control characters or line ends");
    }
    return true;
}

static bool
read_credential(const char *api_version, const struct value *root, struct kube_credential *ret,
                struct error *err)
{
    const struct value *status = value_find(root, "status", VALUE_OBJECT);
    const char *version, *kind;

    if (!kubeconfig_text(root, "apiVersion", &version, err) ||
        !kubeconfig_text(root, "kind", &kind, err)) {
        return false;
    }
    if (!str_eq(kind, "ExecCredential") || !str_eq(version, api_version)) {
        return error_set(err, ERROR_CONFIG, "want an ExecCredential of %s", api_version);
    }
    if (status == NULL) {
        return error_set(err, ERROR_CONFIG, "status: required");
    }
    return (read_secret(status, "token", &ret->token, err) &&
            read_secret(status, "clientCertificateData", &ret->certificate, err) &&
            read_secret(status, "clientKeyData", &ret->key, err) &&
            read_expiry(status, &ret->expires, err) && check_credential(ret, err)) ||
           error_wrap(err, "status");
}

bool
kube_credential_decode(const char *api_version, const char *text, size_t length,
                       struct kube_credential *ret, struct error *err)
{
    struct error hidden = ERROR_INIT; /* a parser's message may quote the text */
    struct document *document = document_parse_json(text, length, 1, &hidden);
    struct kube_credential credential = {.expires = TIME_NONE};

    if (document == NULL) {
        return error_set(err, ERROR_CONFIG, "its output is not one JSON object");
    }
    bool is_fine = read_credential(api_version, document_root(document), &credential, err);

    document_free_wiped(document);
    if (!is_fine) {
        kube_credential_release(&credential);
        return error_wrap(err, "its output");
    }
    *ret = credential;
    return true;
}
