/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenSSL, loaded when it is first asked for (library.h). It is what libcurl's TLS is made of, so
 * what speaks to a server has it anyway.
 */
#ifndef BALLAST_BASE_OPENSSL_H
#define BALLAST_BASE_OPENSSL_H

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#define OPENSSL_FUNCTIONS(X)                                                                       \
    X(ASN1_TIME_to_tm)                                                                             \
    X(BIO_free)                                                                                    \
    X(BIO_new_mem_buf)                                                                             \
    X(ERR_clear_error)                                                                             \
    X(EVP_Digest)                                                                                  \
    X(EVP_EncodeBlock)                                                                             \
    X(EVP_sha256)                                                                                  \
    X(OpenSSL_version)                                                                             \
    X(PEM_read_bio_X509)                                                                           \
    X(SSL_CTX_get0_param)                                                                          \
    X(X509_VERIFY_PARAM_set_flags)                                                                 \
    X(X509_free)                                                                                   \
    X(X509_get0_notAfter)                                                                          \
    X(X509_get0_notBefore)

/* By their own names, as the headers declare them. */
struct openssl {
#define X(name) __typeof__(name) *name;
    OPENSSL_FUNCTIONS(X)
#undef X
};

/* Ends the process where there is none. Any thread may ask. */
const struct openssl *openssl(void);

#endif
