/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the claims of a bearer token.
 */
#include "bearer_token.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/format/value.h"

#define SERVICE_ACCOUNT "system:serviceaccount:"
#define SECONDS_MAX (INT64_MAX / NANOS_PER_SECOND)

/* Decodes base64url without padding (RFC 7515). */
static bool
decode_part(const char *part, size_t length, struct secret *ret)
{
    size_t padding = (4 - length % 4) % 4;
    struct secret text = {.data = heap_new(length + padding + 1, 1), .length = length + padding};

    for (size_t i = 0; i < length; i++) {
        text.data[i] = (char)(part[i] == '-' ? '+' : part[i] == '_' ? '/' : part[i]);
    }
    memset(text.data + length, '=', padding);
    bool is_fine = secret_from_base64(text.data, text.length, ret);

    secret_wipe(&text);
    return is_fine;
}

static void
take_claims(const struct value *root, struct token_claims *ret)
{
    const struct value *subject = value_find(root, "sub", VALUE_STRING);
    const struct value *expires = value_find(root, "exp", VALUE_INTEGER);

    if (subject != NULL) {
        ret->subject = str_print("%s", value_string(subject));
    }
    if (expires != NULL && value_integer(expires) >= 0 && value_integer(expires) <= SECONDS_MAX) {
        ret->expires = value_integer(expires) * NANOS_PER_SECOND;
    }
}

bool
token_read_claims(const struct secret *token, struct token_claims *ret)
{
    const char *first = token->data != NULL ? strchr(token->data, '.') : NULL;
    const char *second = first != NULL ? strchr(first + 1, '.') : NULL;
    struct secret text = {.data = NULL};
    struct error ignored = ERROR_INIT;
    struct document *document = NULL;

    *ret = (struct token_claims){.expires = TIME_NONE};
    if (second != NULL && strchr(second + 1, '.') == NULL &&
        decode_part(first + 1, (size_t)(second - first - 1), &text)) {
        document = document_parse_json(text.data, text.length, 1, &ignored);
    }
    bool is_jwt = document != NULL && value_type(document_root(document)) == VALUE_OBJECT;

    if (is_jwt) {
        take_claims(document_root(document), ret);
    }
    document_free_wiped(document);
    secret_wipe(&text);
    return is_jwt;
}

void
token_claims_release(struct token_claims *claims)
{
    free(claims->subject);
    *claims = (struct token_claims){.expires = TIME_NONE};
}

char *
token_service_account(const struct secret *token)
{
    struct token_claims claims;
    char *account = NULL;

    if (token_read_claims(token, &claims) && claims.subject != NULL &&
        strncmp(claims.subject, SERVICE_ACCOUNT, strlen(SERVICE_ACCOUNT)) == 0) {
        char *colon;

        account = str_print("%s", claims.subject + strlen(SERVICE_ACCOUNT));
        colon = strchr(account, ':');
        if (colon != NULL) {
            *colon = '/';
        }
    }
    token_claims_release(&claims);
    return account;
}
