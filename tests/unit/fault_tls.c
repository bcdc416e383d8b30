/* SPDX-License-Identifier: Apache-2.0
 *
 * Certificates for tests.
 */
#include "fault_tls.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#define DAY (24L * 3600)

static void
add_extension(X509 *certificate, int nid, const char *text)
{
    X509V3_CTX context;

    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, text);

    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

struct fault_identity
fault_identity_make(const char *name, const char *san, bool is_expired,
                    const struct fault_identity *issuer)
{
    struct fault_identity made = {.key = EVP_EC_gen("P-256"), .certificate = X509_new()};
    const struct fault_identity *by = issuer != NULL ? issuer : &made;
    static long serial = 1;

    X509_set_version(made.certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made.certificate), serial++);
    X509_gmtime_adj(X509_getm_notBefore(made.certificate), -2 * DAY);
    X509_gmtime_adj(X509_getm_notAfter(made.certificate), is_expired ? -DAY : DAY);
    X509_set_pubkey(made.certificate, made.key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(made.certificate), "CN", MBSTRING_ASC,
                               (const unsigned char *)name, -1, -1, 0);
    X509_set_issuer_name(made.certificate, X509_get_subject_name(by->certificate));
    add_extension(made.certificate, NID_basic_constraints,
                  issuer == NULL ? "critical,CA:TRUE" : "CA:FALSE");
    if (san != NULL) {
        add_extension(made.certificate, NID_subject_alt_name, san);
    }
    X509_sign(made.certificate, by->key, EVP_sha256());
    return made;
}

void
fault_identity_release(struct fault_identity *identity)
{
    EVP_PKEY_free(identity->key);
    X509_free(identity->certificate);
}

static void
take_text(BIO *bio, char text[FAULT_PEM_MAX])
{
    int length = BIO_read(bio, text, FAULT_PEM_MAX - 1);

    text[length > 0 ? length : 0] = '\0';
    BIO_free(bio);
}

void
fault_certificate_pem(const struct fault_identity *identity, char text[FAULT_PEM_MAX])
{
    BIO *bio = BIO_new(BIO_s_mem());

    PEM_write_bio_X509(bio, identity->certificate);
    take_text(bio, text);
}

void
fault_key_pem(const struct fault_identity *identity, char text[FAULT_PEM_MAX])
{
    BIO *bio = BIO_new(BIO_s_mem());

    PEM_write_bio_PrivateKey(bio, identity->key, NULL, NULL, 0, NULL, NULL);
    take_text(bio, text);
}
