/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks when a client certificate and a token are valid. libcrypto, which libcurl uses for TLS,
 * reads the certificates.
 */
#include "credential.h"

#include <stdlib.h>
#include <time.h>

#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "bearer_token.h"
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#define CERTIFICATE_MAX ((size_t)1 << 20)
/* servers allow for clock skew, too */
#define TOKEN_LEEWAY NANOS_PER_MINUTE

/* Keeps libcrypto from asking for a password on the terminal. */
static int /* NOLINTNEXTLINE(readability-non-const-parameter): as libcrypto wants it */
no_password(char *buffer, int size, int is_for_writing, void *context)
{
    (void)buffer, (void)size, (void)is_for_writing, (void)context;
    return 0;
}

static int64_t
time_of(const ASN1_TIME *time)
{
    struct tm tm;

    return time != NULL && ASN1_TIME_to_tm(time, &tm) == 1 ? (int64_t)timegm(&tm) * NANOS_PER_SECOND
                                                           : TIME_NONE;
}

/* Reads the validity of a PEM text's first certificate, which is the client's own. */
static bool
read_validity(const struct secret *pem, int64_t *ret_begins, int64_t *ret_ends)
{
    BIO *bio = BIO_new_mem_buf(pem->data, pin_int32(pem->length));
    X509 *certificate = bio != NULL ? PEM_read_bio_X509(bio, NULL, no_password, NULL) : NULL;

    if (certificate != NULL) {
        *ret_begins = time_of(X509_get0_notBefore(certificate));
        *ret_ends = time_of(X509_get0_notAfter(certificate));
    }
    X509_free(certificate);
    BIO_free(bio);
    ERR_clear_error();
    return certificate != NULL && *ret_begins != TIME_NONE && *ret_ends != TIME_NONE;
}

static bool
fail(const struct kube_config *config, const char *what, const char *verb, int64_t when,
     int64_t now, struct error *err)
{
    char then[TIMESTAMP_TEXT_MAX], today[TIMESTAMP_TEXT_MAX];
    bool has_user = config->user != NULL && !str_is_empty(config->user);

    timestamp_format(when, then);
    timestamp_format(now - now % NANOS_PER_SECOND, today);
    error_set(err, ERROR_CONFIG, "%s%s%s%s %s %s (this machine's clock says %s): renew it", what,
              has_user ? " of user \"" : "", has_user ? config->user : "", has_user ? "\"" : "",
              verb, then, today);
    return error_wrap(err, "%s", config->origin != NULL ? config->origin : "API server");
}

static bool
check_certificate(const struct kube_config *config, const struct secret *pem, const char *what,
                  int64_t now, struct error *err)
{
    int64_t begins, ends;

    if (pem->length > CERTIFICATE_MAX || !read_validity(pem, &begins, &ends)) {
        return true;
    }
    if (now > ends) {
        return fail(config, what, "expired at", ends, now, err);
    }
    return now >= begins || fail(config, what, "is not valid before", begins, now, err);
}

static bool
check_certificate_file(const struct kube_config *config, int64_t now, struct error *err)
{
    struct secret pem = {.data = NULL};
    struct error ignored = ERROR_INIT;
    char *what;
    bool is_fine = true;

    if (secret_read_regular_file(config->client_certificate_file, CERTIFICATE_MAX, &pem,
                                 &ignored)) {
        what = str_print("the client certificate %s", config->client_certificate_file);
        is_fine = check_certificate(config, &pem, what, now, err);
        free(what);
    }
    secret_wipe(&pem);
    return is_fine;
}

static bool
check_token(const struct kube_config *config, const struct secret *token, int64_t now,
            struct error *err)
{
    struct token_claims claims;
    bool is_fine = true;

    if (token_read_claims(token, &claims) && claims.expires != TIME_NONE &&
        timestamp_add(claims.expires, TOKEN_LEEWAY) < now) {
        is_fine = fail(config, "the token", "expired at", claims.expires, now, err);
    }
    token_claims_release(&claims);
    return is_fine;
}

bool
credential_check(const struct kube_config *config, const struct identity_view *identity,
                 int64_t now, struct error *err)
{
    if (identity->certificate.data != NULL) {
        if (!check_certificate(config, &identity->certificate, "the client certificate", now,
                               err)) {
            return false;
        }
    } else if (config->client_certificate_file != NULL &&
               !check_certificate_file(config, now, err)) {
        return false;
    }
    return identity->token.data == NULL || check_token(config, &identity->token, now, err);
}
