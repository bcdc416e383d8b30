/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets on a libcurl handle how much of a server to verify. libcurl cannot leave out a certificate's
 * dates, so OpenSSL gets that setting directly, if libcurl uses this program's OpenSSL.
 */
#include "tls.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "ballast/base/str.h"
#include <curl/curl.h>
#include <openssl/crypto.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

/* Keeps connections without date checks apart. libcurl ignores the function below when it reuses a
 * connection or a session, but it compares these options (since 7.83.1). OpenSSL ignores this
 * option. */
#define APART ((long)CURLSSLOPT_REVOKE_BEST_EFFORT)

static void
set_pem(CURL *easy, const struct http_pem *pem, CURLoption bytes, CURLoption file)
{
    struct curl_blob blob = {
        .data = (void *)pem->data, .len = pem->length, .flags = CURL_BLOB_COPY};

    if (pem->data != NULL) {
        curl_easy_setopt(easy, bytes, &blob);
    } else if (pem->file != NULL) {
        curl_easy_setopt(easy, file, pem->file);
    }
}

/* libcurl knows one path of the system's bundle. A static program may run on another system. */
static void
set_system_bundle(CURL *easy)
{
    static const char *const others[] = {
        "/etc/ssl/certs/ca-certificates.crt", /* Debian, Alpine, Arch */
        "/etc/pki/tls/certs/ca-bundle.crt",   /* Fedora, RHEL */
        "/etc/ssl/ca-bundle.pem",             /* SUSE */
        "/etc/ssl/cert.pem",
    };
    const char *own = NULL;

    curl_easy_getinfo(easy, CURLINFO_CAINFO, &own);
    if (own == NULL || access(own, R_OK) == 0) {
        return;
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (access(others[i], R_OK) == 0) {
            curl_easy_setopt(easy, CURLOPT_CAINFO, others[i]);
            curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, others[i]);
            return;
        }
    }
}

/* Sets the flag on this context only: other contexts may share its store of authorities. */
static CURLcode
forget_dates(CURL *easy, void *context, void *unused)
{
    (void)easy, (void)unused;
    X509_VERIFY_PARAM *wanted = SSL_CTX_get0_param(context);

    return wanted != NULL && X509_VERIFY_PARAM_set_flags(wanted, X509_V_FLAG_NO_CHECK_TIME) == 1
               ? CURLE_OK
               : CURLE_SSL_CONNECT_ERROR;
}

/* True if libcurl uses this program's OpenSSL, so that its contexts are readable here. */
static bool
is_our_openssl(const char *library)
{
    char *ours = str_print("OpenSSL/%s", OpenSSL_version(OPENSSL_VERSION_STRING));
    bool is_ours = library != NULL && str_eq(library, ours);

    free(ours);
    return is_ours;
}

static bool
set_dateless(CURL *easy, const struct http_proxy *proxy, struct error *err)
{
    const char *library = curl_version_info(CURLVERSION_NOW)->ssl_version;

    if (proxy != NULL && proxy->url != NULL && strncasecmp(proxy->url, "https:", 6) == 0) {
        return error_set(err, ERROR_CONFIG,
                         "the dates of the server's certificate cannot be left unverified behind "
                         "an https:// proxy: those of the proxy's would be, too");
    }
    if (!is_our_openssl(library) ||
        curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, forget_dates) != CURLE_OK ||
        curl_easy_setopt(easy, CURLOPT_SSL_OPTIONS, APART) != CURLE_OK) {
        return error_set(err, ERROR_CONFIG,
                         "to leave a certificate's dates unverified and nothing else, libcurl has "
                         "to be built on OpenSSL %s: it is built on %s",
                         OpenSSL_version(OPENSSL_VERSION_STRING),
                         library != NULL ? library : "no TLS library");
    }
    return true;
}

bool
tls_set(void *easy, const struct http_tls *tls, const struct http_proxy *proxy, struct error *err)
{
    if (tls->skip_verify) {
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    } else {
        set_system_bundle(easy);
        set_pem(easy, &tls->ca, CURLOPT_CAINFO_BLOB, CURLOPT_CAINFO);
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, tls->skip_name ? 0L : 2L);
    }
    if (http_pem_is_given(&tls->ca)) { /* else the system's authorities would be trusted, too */
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    set_pem(easy, &tls->certificate, CURLOPT_SSLCERT_BLOB, CURLOPT_SSLCERT);
    set_pem(easy, &tls->key, CURLOPT_SSLKEY_BLOB, CURLOPT_SSLKEY);
    /* else OpenSSL asks for an encrypted key's password on the terminal */
    curl_easy_setopt(easy, CURLOPT_KEYPASSWD, "");
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    return !tls->skip_dates || tls->skip_verify || set_dateless(easy, proxy, err);
}
