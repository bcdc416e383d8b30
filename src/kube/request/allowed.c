/* SPDX-License-Identifier: Apache-2.0
 *
 * Remembers allowed requests by verb and resource, without namespaces and names.
 */
#include "allowed.h"

#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/kube/kube_access.h"
#include "transfer.h"

struct allowed_use {
    int64_t refused_since; /* monotonic; TIME_NONE: not refused */
};

/* A relayed path is a key of its own, as the member behind the proxy decides about it. */
static bool
make_key(const struct kube_request *request, struct buf *key)
{
    const char *method = transfer_verb(request->method);
    struct kube_access access;

    buf_clear(key);
    if (request->is_relayed) {
        buf_printf(key, "%s %s", method, request->path);
    } else if (kube_access_read(method, request->path, &access)) {
        buf_printf(key, "%s %s", access.verb, access.resource);
    }
    return key->length > 0 && !key->overflowed;
}

static struct allowed_use *
find_use(const struct allowed *allowed, const struct buf *key)
{
    void **slot = allowed->uses != NULL ? map_get(allowed->uses, buf_text(key), key->length) : NULL;

    return slot != NULL ? *slot : NULL;
}

void
allowed_release(struct allowed *allowed)
{
    map_free(allowed->uses);
    if (allowed->arena != NULL) {
        arena_free(allowed->arena);
    }
}

void
allowed_note(struct allowed *allowed, const struct kube_request *request)
{
    struct buf key;

    buf_init(&key, ERROR_URL_MAX);
    if (make_key(request, &key) && find_use(allowed, &key) == NULL) {
        if (allowed->uses == NULL) {
            allowed->uses = map_new();
            allowed->arena = arena_new();
        }
        struct allowed_use *use = ARENA_NEW(allowed->arena, struct allowed_use);
        const char *kept = arena_strndup(allowed->arena, buf_text(&key), key.length);

        use->refused_since = TIME_NONE;
        *map_put(allowed->uses, kept, key.length, NULL) = use;
    }
    buf_release(&key);
}

/* Recognizes kube-apiserver's words for a refusal by its authorizers (k8s.io/apiserver
 * pkg/endpoints/handlers/responsewriters/errors.go). */
static bool
is_of_authorizer(const char *message)
{
    const char *user = strstr(message, "is forbidden: User \"");

    return user != NULL && strstr(user, "\" cannot ") != NULL;
}

int64_t
allowed_until(struct allowed *allowed, const struct kube_request *request, const char *message,
              int64_t now)
{
    struct allowed_use *use = NULL;
    struct buf key;

    buf_init(&key, ERROR_URL_MAX);
    if (is_of_authorizer(message) && make_key(request, &key)) {
        use = find_use(allowed, &key);
    }
    buf_release(&key);
    if (use == NULL) {
        return 0;
    }
    if (use->refused_since == TIME_NONE) {
        use->refused_since = now;
    }
    return timestamp_add(use->refused_since, ALLOWED_DOUBT);
}
