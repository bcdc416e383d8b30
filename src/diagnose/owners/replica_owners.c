/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds whether others decide a workload's replicas. Claims on one set of workloads (one by name,
 * all of a kind in a namespace, ...) form a group, whose clusters are computed once. A workload is
 * in at most PATTERNS groups, however many claims there are.
 */
#include "diagnose/members/observed.h"
#include "owners.h"

#include "ballast/base/buf.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/model/affinity.h"
#include "ballast/model/closed_clusters.h"

#define NONE UINT32_MAX
#define PATTERNS 16   /* by which of API version, kind, namespace and name are given */
#define FEW_CLAIMS 64 /* with fewer, the first claim in a cluster is searched one by one */

struct owned_group {
    struct closing_group closing;
    uint32_t first, last, count; /* chain of its claims */
    bool is_closed;
};

struct replica_owners {
    struct arena *arena;
    const struct fleet *fleet;
    size_t n_words; /* words of a bit per cluster */
    struct map *groups;
    struct map *scopes;  /* a claim's scope -> its bits */
    struct map *brought; /* "kind\nnamespace\nname" of a possible autoscaler -> its binding */
    uint32_t *next;      /* by claim: the next of its group; NONE: none */
    unsigned patterns;
    struct buf key;
};

static void
append_part(struct buf *key, const char *text, bool is_given)
{
    buf_append(key, text, is_given ? strlen(text) : 0);
    buf_append_char(key, '\0');
}

static void
make_key(struct buf *key, unsigned pattern, const char *const parts[4])
{
    buf_clear(key);
    for (unsigned i = 0; i < 4; i++) {
        append_part(key, parts[i], (pattern >> i & 1) != 0);
    }
}

static void
add_claim(struct replica_owners *claims, uint32_t index)
{
    const struct replica_owner *claim = &claims->fleet->claims.items[index];
    const char *const parts[] = {claim->api_version, claim->resource_kind, claim->namespace_,
                                 claim->name};
    unsigned pattern = 0;

    for (unsigned i = 0; i < 4; i++) {
        pattern |= str_is_empty(parts[i]) ? 0 : 1u << i;
    }
    claims->patterns |= 1u << pattern;
    make_key(&claims->key, pattern, parts);
    void **slot = map_get(claims->groups, claims->key.data, claims->key.length);

    if (slot == NULL) {
        const void *key = arena_memdup(claims->arena, claims->key.data, claims->key.length);
        struct owned_group *group = ARENA_NEW(claims->arena, struct owned_group);

        group->first = index;
        slot = map_put(claims->groups, key, claims->key.length, NULL);
        *slot = group;
    } else {
        claims->next[((struct owned_group *)*slot)->last] = index;
    }
    struct owned_group *group = *slot;

    group->last = index;
    group->count++;
    claims->next[index] = NONE;
}

static const char *
key_of_scaler(struct replica_owners *claims, const char *kind, const char *namespace_,
              const char *name)
{
    buf_clear(&claims->key);
    buf_printf(&claims->key, "%s\n%s\n%s", kind, namespace_, name);
    return buf_text(&claims->key);
}

/* Karmada only propagates these autoscalers to members. */
static void
add_brought(struct replica_owners *claims, const struct binding *binding)
{
    const struct object_reference *resource = &binding->resource;

    if (str_eq(resource->kind, "HorizontalPodAutoscaler") ||
        str_eq(resource->kind, "ScaledObject")) {
        const char *key =
            key_of_scaler(claims, resource->kind, resource->namespace_, resource->name);

        *map_put_str(claims->brought, arena_strndup(claims->arena, key, strlen(key)), NULL) =
            (void *)binding;
    }
}

struct replica_owners *
replica_owners_new(struct arena *arena, const struct fleet *fleet)
{
    struct replica_owners *claims = ARENA_NEW(arena, struct replica_owners);

    *claims = (struct replica_owners){
        .arena = arena,
        .fleet = fleet,
        .n_words = (size_t)fleet->n_clusters / 64 + 1,
        .groups = map_new(),
        .scopes = map_new(),
        .brought = map_new(),
        .next = ARENA_ARRAY(arena, uint32_t, fleet->claims.count),
    };
    buf_init(&claims->key, SIZE_MAX / 2);
    for (uint32_t i = 0; i < fleet->claims.count; i++) {
        add_claim(claims, i);
    }
    for (uint32_t i = 0; i < fleet->n_bindings && fleet->claims.count > 0; i++) {
        add_brought(claims, &fleet->bindings[i]);
    }
    return claims;
}

void
replica_owners_free(struct replica_owners *claims)
{
    map_free(claims->groups);
    map_free(claims->scopes);
    map_free(claims->brought);
    buf_release(&claims->key);
}

/* --- where the claims of a group count --- */

static bool
scope_has(const struct replica_owner_scope *scope, const struct cluster *cluster)
{
    for (uint32_t i = 0; i < scope->count; i++) {
        if (scope->affinities[i] == NULL ||
            cluster_affinity_matches(scope->affinities[i], cluster)) {
            return true;
        }
    }
    return false;
}

/* Caches by scope: claims of one policy share a scope. */
static const uint64_t *
bits_of(struct replica_owners *claims, const struct replica_owner_scope *const *scope)
{
    void **slot = map_put(claims->scopes, scope, sizeof(*scope), NULL);

    if (*slot == NULL) {
        uint64_t *bits = ARENA_ARRAY(claims->arena, uint64_t, claims->n_words);

        for (uint32_t i = 0; i < claims->fleet->n_clusters; i++) {
            if (scope_has(*scope, &claims->fleet->clusters[i])) {
                bits[i / 64] |= UINT64_C(1) << (i % 64);
            }
        }
        *slot = bits;
    }
    return *slot;
}

static const uint64_t *
bits_of_brought(struct replica_owners *claims, const struct replica_owner *claim)
{
    void **slot =
        map_get_str(claims->brought, key_of_scaler(claims, claim->scaler_kind, claim->namespace_,
                                                   claim->scaler_name));
    const struct binding *binding = slot != NULL ? *slot : NULL;

    if (binding == NULL) {
        return NULL;
    }
    uint64_t *bits = ARENA_ARRAY(claims->arena, uint64_t, claims->n_words);

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        uint32_t cluster = binding->clusters.items[i].cluster;

        if (cluster != CLUSTER_NONE) {
            bits[cluster / 64] |= UINT64_C(1) << (cluster % 64);
        }
    }
    return bits;
}

static void
note_first(uint32_t *first, uint32_t word, uint64_t added, uint32_t number)
{
    for (; first != NULL && added != 0; added &= added - 1) {
        first[word * 64 + (uint32_t)__builtin_ctzll(added)] = number;
    }
}

/* Adds the clusters that claim `number` closes and earlier claims do not. */
static void
add_bits(const struct replica_owners *claims, const struct closing_claim *closing, uint32_t number,
         uint64_t *bits, uint32_t *first)
{
    if (closing->bits == NULL) {
        uint64_t added = (UINT64_C(1) << (closing->cluster % 64)) & ~bits[closing->cluster / 64];

        bits[closing->cluster / 64] |= added;
        note_first(first, closing->cluster / 64, added, number);
        return;
    }
    for (uint32_t word = 0; word < claims->n_words; word++) {
        uint64_t added = closing->bits[word] & ~bits[word];

        bits[word] |= added;
        note_first(first, word, added, number);
    }
}

static void
merge_claims(struct replica_owners *claims, struct closing_group *closing)
{
    uint64_t *bits = ARENA_ARRAY(claims->arena, uint64_t, claims->n_words);
    uint32_t *first = NULL;

    if (closing->n_claims >= FEW_CLAIMS) {
        first = ARENA_ARRAY(claims->arena, uint32_t, claims->fleet->n_clusters);
    }
    for (uint32_t i = 0; i < closing->n_claims; i++) {
        add_bits(claims, &closing->claims[i], i, bits, first);
    }
    closing->bits = bits;
    closing->first = first;
}

/* An autoscaler in a member, or its workload's label, decides only there. */
static bool
closes(struct replica_owners *claims, const struct replica_owner *claim, struct closing_claim *ret)
{
    *ret = (struct closing_claim){.claim = claim, .cluster = CLUSTER_NONE};
    if (claim->kind == REPLICA_OWNER_OVERRIDE) {
        ret->bits = bits_of(claims, &claim->scope);
        return true;
    }
    if (str_is_empty(claim->member)) {
        ret->bits = bits_of_brought(claims, claim);
        return ret->bits != NULL;
    }
    ret->cluster = fleet_find_cluster(claims->fleet, claim->member);
    return ret->cluster != CLUSTER_NONE;
}

static void
close_group(struct replica_owners *claims, struct owned_group *group)
{
    struct closing_group *closing = &group->closing;
    struct closing_claim *items = ARENA_ARRAY(claims->arena, struct closing_claim, group->count);

    for (uint32_t i = group->first; i != NONE; i = claims->next[i]) {
        if (closes(claims, &claims->fleet->claims.items[i], &items[closing->n_claims])) {
            closing->n_claims++;
        }
    }
    closing->claims = items;
    if (closing->n_claims == 1 && items[0].bits != NULL) {
        closing->bits = items[0].bits;
    } else if (closing->n_claims > 0) {
        merge_claims(claims, closing);
    }
    group->is_closed = true;
}

/* --- consequences for a binding --- */

static uint32_t
find_groups(struct replica_owners *claims, const struct object_reference *resource,
            struct owned_group *ret[PATTERNS])
{
    const char *const parts[] = {resource->api_version, resource->kind, resource->namespace_,
                                 resource->name};
    uint32_t count = 0;

    for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
        if ((claims->patterns >> pattern & 1) == 0) {
            continue;
        }
        make_key(&claims->key, pattern, parts);
        void **slot = map_get(claims->groups, claims->key.data, claims->key.length);

        if (slot != NULL) {
            ret[count++] = *slot;
        }
    }
    return count;
}

static const struct closed_clusters *
join_groups(struct replica_owners *claims, struct owned_group *const *groups, uint32_t count)
{
    struct closed_clusters *closed = ARENA_NEW(claims->arena, struct closed_clusters);
    const struct closing_group **items =
        ARENA_ARRAY(claims->arena, const struct closing_group *, count);

    for (uint32_t i = 0; i < count; i++) {
        if (groups[i]->closing.bits != NULL) {
            items[closed->n_groups++] = &groups[i]->closing;
        }
    }
    closed->groups = items;
    return closed->n_groups > 0 ? closed : NULL;
}

/* Returns the first closed target by cluster, with a preference for overrides; NULL: none. */
static const struct target *
first_closed_target(const struct binding *binding, const struct closed_clusters *closed)
{
    const struct target *first = NULL;
    bool overridden = false;

    for (uint32_t i = 0; closed != NULL && i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];

        if (target->cluster == CLUSTER_NONE || !closed_clusters_has(closed, target->cluster)) {
            continue;
        }
        bool by_override =
            closed_clusters_claim(closed, target->cluster)->kind == REPLICA_OWNER_OVERRIDE;

        if (first == NULL || by_override > overridden ||
            (by_override == overridden && target->cluster < first->cluster)) {
            first = target;
            overridden = by_override;
        }
    }
    return first;
}

/* Replicas that a member counts itself cannot be divided; in a lost cluster no member counts. */
static void
bound_by_member(struct arena *arena, const struct replica_owner *claim, const char *cluster,
                struct binding_state *state)
{
    const char *origin = quote_text(arena, claim->origin);

    state->only_lost = LEFT_ALONE_AUTOSCALED;
    state->moves_whole = true;
    state->left_alone_reason = claim->kind == REPLICA_OWNER_AUTOSCALER
                                   ? arena_printf(arena, "%s scales its replicas in %s", origin,
                                                  quote_text(arena, cluster))
                                   : arena_printf(arena, "%s leaves its replicas to %s", origin,
                                                  quote_text(arena, cluster));
}

static void
leave_alone(struct arena *arena, const struct replica_owner *claim, const char *cluster,
            struct binding_state *state)
{
    state->left_alone = LEFT_ALONE_OVERRIDDEN;
    state->left_alone_reason = arena_printf(
        arena, "%s overrides its replicas in %s%s", quote_text(arena, claim->origin),
        quote_text(arena, cluster),
        claim->by_label ? ", if its labels match, which its binding does not show" : "");
}

const struct closed_clusters *
replica_owners_closed(struct replica_owners *claims, const struct object_reference *workload)
{
    struct owned_group *groups[PATTERNS];
    uint32_t count = find_groups(claims, workload, groups);

    for (uint32_t i = 0; i < count; i++) {
        if (!groups[i]->is_closed) {
            close_group(claims, groups[i]);
        }
    }
    return count > 0 ? join_groups(claims, groups, count) : NULL;
}

/* An override voids the assigned number. In a target the number is then unknown; another cluster is
 * closed to this workload. */
void
replica_owners_heed(struct replica_owners *claims, const struct binding *binding,
                    struct binding_state *state)
{
    state->closed = replica_owners_closed(claims, &binding->resource);
    const struct target *target = first_closed_target(binding, state->closed);

    if (target == NULL) {
        return;
    }
    const struct replica_owner *claim = closed_clusters_claim(state->closed, target->cluster);

    (claim->kind == REPLICA_OWNER_OVERRIDE ? leave_alone : bound_by_member)(claims->arena, claim,
                                                                            target->name, state);
}
