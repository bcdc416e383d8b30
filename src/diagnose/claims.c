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

#define NONE UINT32_MAX

struct claims {
    struct map *by_key; /* kind, namespace and name -> the first of the claims on it */
    const struct claim_list *list;
    uint32_t *next;        /* by claim: the next one with the same key, NONE */
    VEC_OF(uint32_t) wide; /* indices into it */
    VEC_OF(const struct replica_claim *) found;
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

/* What of a claim may differ from the key of a workload. */
static bool
is_on(const struct replica_claim *claim, const struct object_reference *resource)
{
    return is_any_or(claim->api_version, resource->api_version) &&
           is_any_or(claim->resource_kind, resource->kind) &&
           is_any_or(claim->namespace_, resource->namespace_) &&
           is_any_or(claim->name, resource->name);
}

static void
add_narrow(struct claims *claims, struct arena *arena, uint32_t index)
{
    const struct replica_claim *claim = &claims->list->items[index];

    make_key(&claims->key, claim->resource_kind, claim->namespace_, claim->name);
    const char *key = arena_memdup(arena, claims->key.data, claims->key.length);
    void **slot = map_put(claims->by_key, key, claims->key.length, NULL);
    const struct replica_claim *first = *slot;

    claims->next[index] = first != NULL ? (uint32_t)(first - claims->list->items) : NONE;
    *slot = (void *)claim;
}

struct claims *
claims_new(struct arena *arena, const struct claim_list *list)
{
    struct claims *claims = ARENA_NEW(arena, struct claims);

    claims->by_key = map_new();
    claims->list = list;
    claims->next = ARENA_ARRAY(arena, uint32_t, list->count);
    buf_init(&claims->key, SIZE_MAX / 2);
    for (uint32_t i = 0; i < list->count; i++) {
        if (is_wide(&list->items[i])) {
            vec_add(&claims->wide, i);
        }
    }
    /* each goes before those of its key, so from the last */
    for (uint32_t i = list->count; i-- > 0;) {
        if (!is_wide(&list->items[i])) {
            add_narrow(claims, arena, i);
        }
    }
    return claims;
}

void
claims_free(struct claims *claims)
{
    map_free(claims->by_key);
    vec_free(&claims->wide);
    vec_free(&claims->found);
    buf_release(&claims->key);
}

static void
add_if_on(struct claims *claims, uint32_t index, const struct object_reference *resource)
{
    const struct replica_claim *claim = &claims->list->items[index];

    if (is_on(claim, resource)) {
        vec_add(&claims->found, claim);
    }
}

const struct replica_claim *const *
claims_on(struct claims *claims, const struct object_reference *resource, uint32_t *ret_count)
{
    void **slot = NULL;

    claims->found.count = 0;
    if (map_count(claims->by_key) > 0) {
        make_key(&claims->key, resource->kind, resource->namespace_, resource->name);
        slot = map_get(claims->by_key, claims->key.data, claims->key.length);
    }
    if (slot != NULL) {
        const struct replica_claim *first = *slot;

        for (uint32_t i = (uint32_t)(first - claims->list->items); i != NONE; i = claims->next[i]) {
            add_if_on(claims, i, resource);
        }
    }
    for (size_t i = 0; i < claims->wide.count; i++) {
        add_if_on(claims, claims->wide.items[i], resource);
    }
    *ret_count = (uint32_t)claims->found.count;
    return claims->found.items;
}
