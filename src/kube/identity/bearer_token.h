/* SPDX-License-Identifier: Apache-2.0
 *
 * What a bearer token says of itself, where it is a JWT (RFC 7519). Nobody's
 * signature is checked: this is for messages, and for what the server would
 * refuse anyway.
 */
#ifndef BALLAST_KUBE_BEARER_TOKEN_H
#define BALLAST_KUBE_BEARER_TOKEN_H

#include "ballast/kube/kube_config.h"

struct token_claims {
    char *subject;   /* "system:serviceaccount:NAMESPACE:NAME"; NULL: it does not say */
    int64_t expires; /* nanoseconds since the epoch; TIME_NONE: it does not say */
};

/* False when the token is no JWT; then *ret holds nothing. */
bool token_read_claims(const struct secret *token, struct token_claims *ret);
void token_claims_release(struct token_claims *claims);

/* "NAMESPACE/NAME" of a service account's token, to be freed; NULL for any other. */
char *token_service_account(const struct secret *token);

#endif
