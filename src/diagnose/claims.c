/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether somebody else decides a workload's replicas. Claims on one workload
 * are looked up; those on many (an override policy for all of a kind) are few
 * and gone through.
 */
#include "parts.h"

#include "ballast/buf.h"
#include "ballast/map.h"
#include "ballast/str.h"

struct claims {
    struct map *by_key; /* kind, namespace and name -> struct replica_claim */
    const struct claim_list *list;
    VEC_OF(uint32_t) wide; /* indices into it */
    struct buf key;
};

static void
make_key(struct buf *key, const char *kind, const char *namespace_, const char *name)
{
    buf_clear(key);
    buf_append(key, kind, strlen(kind) + 1);
    buf_append(key, namespace_, strlen(namespace_) + 1);
    buf_append(key, name, strlen(name) + 1);
}

static bool
is_wide(const struct replica_claim *claim)
{
    return str_is_empty(claim->resource_kind) || str_is_empty(claim->namespace_) ||
           str_is_empty(claim->name);
}

static bool
is_any_or(const char *wanted, const char *text)
{
    return str_is_empty(wanted) || str_eq(wanted, text);
}

struct claims *
claims_new(struct arena *arena, const struct claim_list *list)
{
    struct claims *claims = ARENA_NEW(arena, struct claims);

    claims->by_key = map_new();
    claims->list = list;
    buf_init(&claims->key, SIZE_MAX / 2);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct replica_claim *claim = &list->items[i];

        if (is_wide(claim)) {
            vec_add(&claims->wide, i);
            continue;
        }
        make_key(&claims->key, claim->resource_kind, claim->namespace_, claim->name);
        const char *key = arena_memdup(arena, claims->key.data, claims->key.length);
        void **slot = map_put(claims->by_key, key, claims->key.length, NULL);

        *slot = *slot != NULL ? *slot : (void *)claim;
    }
    return claims;
}

void
claims_free(struct claims *claims)
{
    map_free(claims->by_key);
    vec_free(&claims->wide);
    buf_release(&claims->key);
}

const struct replica_claim *
claims_find(struct claims *claims, const struct object_reference *resource)
{
    void **slot = NULL;

    if (map_count(claims->by_key) > 0) {
        make_key(&claims->key, resource->kind, resource->namespace_, resource->name);
        slot = map_get(claims->by_key, claims->key.data, claims->key.length);
    }
    if (slot != NULL) {
        return *slot;
    }
    for (size_t i = 0; i < claims->wide.count; i++) {
        const struct replica_claim *claim = &claims->list->items[claims->wide.items[i]];

        if (is_any_or(claim->resource_kind, resource->kind) &&
            is_any_or(claim->namespace_, resource->namespace_) &&
            is_any_or(claim->name, resource->name)) {
            return claim;
        }
    }
    return NULL;
}
