/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares two looks, and refuses looks at different fleets.
 */
#include "ballast/compare/compare.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "compare_internal.h"

const char *
compared_change_name(enum compared_change change)
{
    static const char *const names[] = {
#define X(id, name, sign) [COMPARED_##id] = (name),
        COMPARED_CHANGES(X)
#undef X
    };

    return names[change];
}

char
compared_change_sign(enum compared_change change)
{
    static const char signs[] = {
#define X(id, name, sign) [COMPARED_##id] = (sign),
        COMPARED_CHANGES(X)
#undef X
    };

    return signs[change];
}

const char *
compared_who_name(enum compared_who who)
{
    static const char *const names[] = {
#define X(id, name, text) [COMPARED_BY_##id] = (name),
        COMPARED_WRITERS(X)
#undef X
    };

    return names[who];
}

const char *
compared_who_text(enum compared_who who)
{
    static const char *const texts[] = {
#define X(id, name, text) [COMPARED_BY_##id] = (text),
        COMPARED_WRITERS(X)
#undef X
    };

    return texts[who];
}

bool
comparison_is_empty(const struct comparison *comparison)
{
    return comparison->n_clusters == 0 && comparison->n_bindings == 0;
}

static const char *
platform_text(const struct fleet *fleet)
{
    return fleet->federation != NULL ? "KubeFed" : "Karmada";
}

/* True if a cluster is in both. Two control planes may use one name, so known uids must match. */
static bool
have_common_cluster(const struct fleet *a, const struct fleet *b)
{
    for (uint32_t i = 0; i < a->n_clusters; i++) {
        uint32_t at = fleet_find_cluster(b, a->clusters[i].name);
        const char *uid = a->clusters[i].uid;

        if (at != CLUSTER_NONE && (str_is_empty(uid) || str_is_empty(b->clusters[at].uid) ||
                                   str_eq(uid, b->clusters[at].uid))) {
            return true;
        }
    }
    return false;
}

static const char *
first_cluster(struct arena *arena, const struct fleet *fleet)
{
    return fleet->n_clusters > 0 ? arena_printf(arena, "%s, ...", fleet->clusters[0].name) : "none";
}

static bool
can_be_compared(struct arena *arena, const struct comparison_request *request, struct error *err)
{
    const struct fleet *before = request->before.fleet, *after = request->after.fleet;

    if ((before->federation != NULL) != (after->federation != NULL)) {
        return error_set(err, ERROR_INVALID,
                         "these are two fleets: the first is of %s, the second of %s",
                         platform_text(before), platform_text(after));
    }
    return request->any_fleet || have_common_cluster(before, after) ||
           error_set(err, ERROR_INVALID,
                     "these are two fleets: no cluster is in both (%s and %s); if they "
                     "are of one control plane, give --any-fleet",
                     first_cluster(arena, before), first_cluster(arena, after));
}

static bool *
unseen_of(struct arena *arena, const struct compared_look *look)
{
    bool *ret = ARENA_ARRAY(arena, bool, look->fleet->n_clusters);

    for (uint32_t i = 0; i < look->coverage->n_unseen; i++) {
        ret[look->coverage->unseen[i].cluster] = true;
    }
    return ret;
}

/* Servers report whole seconds, so two looks within a second have no known order. */
static bool
is_backwards(const struct fleet *before, const struct fleet *after)
{
    return before->captured_at != TIME_NONE && after->captured_at != TIME_NONE &&
           before->captured_at > timestamp_add(after->captured_at, NANOS_PER_SECOND);
}

const struct comparison *
compare(struct arena *arena, const struct comparison_request *request, struct error *err)
{
    if (!can_be_compared(arena, request, err)) {
        return NULL;
    }
    struct comparing comparing = {
        .arena = arena,
        .before = request->before,
        .after = request->after,
        .unseen_before = unseen_of(arena, &request->before),
        .unseen_after = unseen_of(arena, &request->after),
        .is_backwards = is_backwards(request->before.fleet, request->after.fleet),
    };
    struct comparison *ret = ARENA_NEW(arena, struct comparison);

    *ret = (struct comparison){
        .before = request->before,
        .after = request->after,
        .is_backwards = comparing.is_backwards,
    };
    writers_index(&comparing, request->records, request->n_records);
    compare_clusters(&comparing, ret);
    compare_bindings(&comparing, ret);
    return ret;
}
