/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys and certificates made on the spot.
 */
#ifndef BALLAST_FAULT_TLS_H
#define BALLAST_FAULT_TLS_H

#include <openssl/ssl.h>
#include <stdbool.h>

#define FAULT_PEM_MAX 4096

struct fault_identity {
    EVP_PKEY *key;
    X509 *certificate;
};

/* Signed by `issuer`, or by itself when that is NULL (then it is a CA). */
struct fault_identity fault_identity_make(const char *name, const char *san, bool is_expired,
                                          const struct fault_identity *issuer);
void fault_identity_release(struct fault_identity *identity);
void fault_certificate_pem(const struct fault_identity *identity, char text[FAULT_PEM_MAX]);
void fault_key_pem(const struct fault_identity *identity, char text[FAULT_PEM_MAX]);

#endif
