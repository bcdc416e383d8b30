/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks a configuration before anything is sent. The errors name the remedy, which those of a TLS
 * library or a server do not.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "ballast/http/http.h"
#include "kube/identity/exec.h"
#include "kube/identity/kubeconfig.h"

/* Returns why a server's URL is unusable; NULL: it is fine. User, query and fragment would change
 * the paths that the client appends. */
static const char *
server_mistake(const char *server)
{
    struct http_url url = {.scheme = NULL};
    const char *mistake = NULL;

    if (!secret_fits_header(server, strlen(server)) || strchr(server, ' ') != NULL ||
        (strncasecmp(server, "https://", 8) != 0 && strncasecmp(server, "http://", 7) != 0) ||
        !http_url_split(&url, server)) {
        mistake = "want a URL like https://host:6443";
    } else if (url.user != NULL) {
        mistake = "credentials do not belong in the URL";
    } else if (url.query != NULL || url.fragment != NULL) {
        mistake = "a query or fragment does not belong in the URL";
    }
    http_url_release(&url);
    return mistake;
}

static bool
check_server(struct kube_config *config, struct error *err)
{
    const char *mistake = server_mistake(config->server);

    if (mistake != NULL) { /* not quoted: may hold a password */
        return error_set(err, ERROR_CONFIG, "server: %s", mistake);
    }
    size_t length = strlen(config->server);

    while (length > 0 && config->server[length - 1] == '/') {
        config->server[--length] = '\0';
    }
    return true;
}

static bool
check_proxy(const struct kube_config *config, struct error *err)
{
    static const char *const schemes[] = {"http://", "https://", "socks5://", "socks5h://"};

    if (config->proxy_url == NULL) {
        return true;
    }
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        if (strncasecmp(config->proxy_url, schemes[i], strlen(schemes[i])) == 0) {
            return true;
        }
    }
    return error_set(err, ERROR_CONFIG, "proxy-url: want http://, https:// or socks5://host:port");
}

/* Checks a file that libcurl reads at every connection. */
static bool
check_file(const char *name, const char *path, const struct secret *data, struct error *err)
{
    struct stat info;

    if (path == NULL || data->data != NULL) {
        return true;
    }
    if (access(path, R_OK) != 0 || stat(path, &info) != 0) {
        return error_set(err, ERROR_CONFIG, "%s: %s: %s", name, path, strerror(errno));
    }
    return S_ISREG(info.st_mode) ||
           error_set(err, ERROR_CONFIG, "%s: %s: this is no regular file", name, path);
}

static bool
check_pem(const char *name, const struct secret *data, struct error *err)
{
    if (data->data == NULL || memmem(data->data, data->length, "-----BEGIN ", 11) != NULL) {
        return true;
    }
    return error_set(err, ERROR_CONFIG, "%s: this is no PEM (want base64 of -----BEGIN ...)", name);
}

static bool
check_tls(const struct kube_config *config, struct error *err)
{
    bool has_ca = config->ca.data != NULL || config->ca_file != NULL;
    bool has_certificate =
        config->client_certificate.data != NULL || config->client_certificate_file != NULL;
    bool has_key = config->client_key.data != NULL || config->client_key_file != NULL;

    if (has_ca && config->insecure_skip_tls_verify) {
        return error_set(err, ERROR_CONFIG,
                         "certificate-authority and insecure-skip-tls-verify contradict each "
                         "other: remove one");
    }
    if (has_certificate != has_key) {
        return error_set(err, ERROR_CONFIG, "client-certificate and client-key need each other: %s",
                         has_key ? "the certificate is missing" : "the key is missing");
    }
    return check_pem("certificate-authority-data", &config->ca, err) &&
           check_pem("client-certificate-data", &config->client_certificate, err) &&
           check_pem("client-key-data", &config->client_key, err) &&
           check_file("certificate-authority", config->ca_file, &config->ca, err) &&
           check_file("client-certificate", config->client_certificate_file,
                      &config->client_certificate, err) &&
           check_file("client-key", config->client_key_file, &config->client_key, err);
}

static bool
check_identity(const struct kube_config *config, struct error *err)
{
    struct secret no_token = {.data = NULL};
    bool has_token = config->token.data != NULL || config->token_file != NULL;

    if (config->username != NULL && has_token) {
        return error_set(err, ERROR_CONFIG, "token and username contradict each other: remove one");
    }
    if (config->username != NULL && strchr(config->username, ':') != NULL) {
        return error_set(err, ERROR_CONFIG, "username: may not hold a colon");
    }
    if (config->as == NULL &&
        (config->as_uid != NULL || config->n_as_groups > 0 || config->n_as_extra > 0)) {
        return error_set(err, ERROR_CONFIG,
                         "as-uid, as-groups and as-user-extra want a user to impersonate: set "
                         "\"as\"");
    }
    /* With a token beside it, the file may appear later. */
    return check_file("tokenFile", config->token_file,
                      config->token.data != NULL ? &config->token : &no_token, err);
}

static bool
check_header(const char *name, const char *text, size_t length, struct error *err)
{
    if (text == NULL || secret_fits_header(text, length)) {
        return true;
    }
    return error_set(err, ERROR_CONFIG, "%s: may not hold control characters or line ends", name);
}

static bool
check_headers(const struct kube_config *config, struct error *err)
{
    bool is_fine =
        check_header("token", config->token.data, config->token.length, err) &&
        check_header("username", config->username,
                     config->username != NULL ? strlen(config->username) : 0, err) &&
        check_header("password", config->password.data, config->password.length, err) &&
        check_header("as", config->as, config->as != NULL ? strlen(config->as) : 0, err) &&
        check_header("as-uid", config->as_uid, config->as_uid != NULL ? strlen(config->as_uid) : 0,
                     err);

    for (size_t i = 0; is_fine && i < config->n_as_groups; i++) {
        is_fine =
            check_header("as-groups", config->as_groups[i], strlen(config->as_groups[i]), err);
    }
    for (size_t i = 0; is_fine && i < config->n_as_extra; i++) {
        is_fine =
            check_header("as-user-extra", config->as_extra[i], strlen(config->as_extra[i]), err);
    }
    return is_fine;
}

bool
kube_config_check(struct kube_config *config, struct error *err)
{
    return check_server(config, err) && check_proxy(config, err) && check_tls(config, err) &&
           check_identity(config, err) && check_headers(config, err);
}
