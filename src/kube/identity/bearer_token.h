/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the claims of a bearer token that is a JWT (RFC 7519). No signature is checked: the claims
 * serve messages, and checks that the server makes anyway.
 */
#ifndef BALLAST_KUBE_BEARER_TOKEN_H
#define BALLAST_KUBE_BEARER_TOKEN_H

#include "ballast/kube/kube_config.h"

struct token_claims {
    char *subject;   /* "system:serviceaccount:NAMESPACE:NAME"; NULL: not in the token */
    int64_t expires; /* nanoseconds since the epoch; TIME_NONE: not in the token */
};

/* Reads the claims of a JWT into *ret, to be released with token_claims_release. False when the
 * token is no JWT; *ret then holds nothing. */
bool token_read_claims(const struct secret *token, struct token_claims *ret);
/* Frees the claims' texts. */
void token_claims_release(struct token_claims *claims);

/* Returns "NAMESPACE/NAME" of a service account's token, to be freed; NULL for any other token. */
char *token_service_account(const struct secret *token);

#endif
