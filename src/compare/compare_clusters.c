/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the clusters of two looks.
 */
#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "compare_internal.h"

/* A cluster in one look. `cluster` is NULL if the look lacks the cluster. */
struct cluster_look {
    const struct cluster *cluster;
    const struct cluster_health *health;
    const struct cluster_side *side;
    bool is_unseen;
};

static bool
has_taint(const struct taint_list *list, const struct taint *taint)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (str_eq(list->items[i].key, taint->key) && str_eq(list->items[i].value, taint->value) &&
            str_eq(list->items[i].effect, taint->effect)) {
            return true;
        }
    }
    return false;
}

/* Adds the taints of `list` that `other` lacks. */
static void
add_taints(struct compared_taint *taints, uint32_t *count, enum compared_change change,
           const struct taint_list *list, const struct taint_list *other)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (!has_taint(other, &list->items[i])) {
            taints[(*count)++] = (struct compared_taint){change, &list->items[i]};
        }
    }
}

static void
compare_taints(struct arena *arena, const struct cluster *was, const struct cluster *is,
               struct compared_cluster *ret)
{
    static const struct taint_list none = {.count = 0};
    const struct taint_list *before = was != NULL ? &was->taints : &none;
    const struct taint_list *after = is != NULL ? &is->taints : &none;
    struct compared_taint *taints =
        ARENA_ARRAY(arena, struct compared_taint, (size_t)before->count + after->count);

    add_taints(taints, &ret->n_taints, COMPARED_WENT, before, after);
    add_taints(taints, &ret->n_taints, COMPARED_CAME, after, before);
    ret->taints = taints;
}

static struct compared_amount
allocatable_of(const struct cluster_look *look, const char *name)
{
    const struct quantity *amount = look->cluster != NULL && look->cluster->has_resource_summary
                                        ? resource_list_find(&look->cluster->allocatable, name)
                                        : NULL;

    return amount != NULL ? (struct compared_amount){true, *amount}
                          : (struct compared_amount){.known = false};
}

static struct compared_amount
room_of(const struct cluster_look *look, const char *name)
{
    for (int i = 0; look->cluster != NULL && look->side->has_room && i < N_LEDGER_RESOURCES; i++) {
        const struct free_amount *amount = &look->side->room.of[i];

        if (amount->known && str_eq(ledger_resource_name((enum ledger_resource)i), name)) {
            return (struct compared_amount){true, amount->before};
        }
    }
    return (struct compared_amount){.known = false};
}

static bool
same_amount(const struct compared_amount *a, const struct compared_amount *b)
{
    return a->known == b->known && (!a->known || quantity_cmp(a->amount, b->amount) == 0);
}

static void
compare_resource(const char *name, const struct cluster_look *was, const struct cluster_look *is,
                 struct compared_cluster *ret, struct compared_resource *list)
{
    const struct compared_resource resource = {
        .name = name,
        .allocatable_before = allocatable_of(was, name),
        .allocatable_after = allocatable_of(is, name),
        .room_before = room_of(was, name),
        .room_after = room_of(is, name),
    };

    if (!same_amount(&resource.allocatable_before, &resource.allocatable_after) ||
        !same_amount(&resource.room_before, &resource.room_after)) {
        list[ret->n_resources++] = resource;
    }
}

static bool
is_counted(const char *name)
{
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        if (str_eq(ledger_resource_name((enum ledger_resource)i), name)) {
            return true;
        }
    }
    return false;
}

/* Lists the ledger's resources first, then all others that either status has, by name. */
static void
compare_resources(struct arena *arena, const struct cluster_look *was,
                  const struct cluster_look *is, struct compared_cluster *ret)
{
    static const struct resource_list none = {.count = 0};
    const struct resource_list *before = was->cluster != NULL ? &was->cluster->allocatable : &none;
    const struct resource_list *after = is->cluster != NULL ? &is->cluster->allocatable : &none;
    struct compared_resource *list = ARENA_ARRAY(
        arena, struct compared_resource, (size_t)N_LEDGER_RESOURCES + before->count + after->count);
    uint32_t i = 0, j = 0;

    for (int k = 0; k < N_LEDGER_RESOURCES; k++) {
        compare_resource(ledger_resource_name((enum ledger_resource)k), was, is, ret, list);
    }
    while (i < before->count || j < after->count) {
        int order = i == before->count  ? 1
                    : j == after->count ? -1
                                        : strcmp(before->items[i].name, after->items[j].name);
        const char *name = order <= 0 ? before->items[i].name : after->items[j].name;

        if (!is_counted(name)) {
            compare_resource(name, was, is, ret, list);
        }
        i += order <= 0 ? 1 : 0;
        j += order >= 0 ? 1 : 0;
    }
    ret->resources = list;
}

static bool
is_recreated(const struct cluster *was, const struct cluster *is)
{
    return was != NULL && is != NULL && !str_is_empty(was->uid) && !str_is_empty(is->uid) &&
           !str_eq(was->uid, is->uid);
}

static bool
is_another(const struct compared_cluster *ret)
{
    return ret->change != COMPARED_CHANGED || ret->is_recreated || ret->stood != ret->stands ||
           ret->n_taints > 0 || ret->n_resources > 0 ||
           ret->replicas_before != ret->replicas_after || ret->stuck_before != ret->stuck_after ||
           ret->was_seen != ret->is_seen;
}

/* False: nothing changed. */
static bool
compare_cluster(struct arena *arena, const char *name, const struct cluster_look *was,
                const struct cluster_look *is, struct compared_cluster *ret)
{
    const bool is_there = is->cluster != NULL, was_there = was->cluster != NULL;

    *ret = (struct compared_cluster){
        .change = !was_there  ? COMPARED_CAME
                  : !is_there ? COMPARED_WENT
                              : COMPARED_CHANGED,
        .name = name,
        .is_recreated = is_recreated(was->cluster, is->cluster),
        .stood = was_there ? cluster_standing(was->health) : STANDING_WELL,
        .stands = is_there ? cluster_standing(is->health) : STANDING_WELL,
        .health_before = "",
        .health_after = "",
        .was_seen = was_there && !was->is_unseen,
        .is_seen = is_there && !is->is_unseen,
    };
    if (was_there) {
        ret->health_before = ret->stood != STANDING_WELL ? was->health->reason : "";
        ret->replicas_before = was->side->replicas;
        ret->stuck_before = was->side->stuck;
    }
    if (is_there) {
        ret->health_after = ret->stands != STANDING_WELL ? is->health->reason : "";
        ret->replicas_after = is->side->replicas;
        ret->stuck_after = is->side->stuck;
    }
    compare_taints(arena, was->cluster, is->cluster, ret);
    compare_resources(arena, was, is, ret);
    return is_another(ret);
}

static const struct cluster_side *
sides_of(struct arena *arena, const struct compared_look *look)
{
    return cluster_sides(arena, look->fleet, look->diagnosis, NULL,
                         ledger_new(arena, look->fleet, look->diagnosis, look->policy));
}

static struct cluster_look
look_at(const struct compared_look *look, const struct cluster_side *sides, const bool *unseen,
        uint32_t index)
{
    return (struct cluster_look){&look->fleet->clusters[index], &look->diagnosis->clusters[index],
                                 &sides[index], unseen[index]};
}

void
compare_clusters(struct comparing *comparing, struct comparison *ret)
{
    const struct compared_look *before = &comparing->before, *after = &comparing->after;
    const struct cluster_side *sides_before = sides_of(comparing->arena, before);
    const struct cluster_side *sides_after = sides_of(comparing->arena, after);
    const uint32_t n_before = before->fleet->n_clusters, n_after = after->fleet->n_clusters;
    struct compared_cluster *list =
        ARENA_ARRAY(comparing->arena, struct compared_cluster, (size_t)n_before + n_after);

    ret->clusters = list;
    for (uint32_t i = 0, j = 0; i < n_before || j < n_after;) {
        int order = i == n_before ? 1
                    : j == n_after
                        ? -1
                        : strcmp(before->fleet->clusters[i].name, after->fleet->clusters[j].name);
        const char *name =
            order <= 0 ? before->fleet->clusters[i].name : after->fleet->clusters[j].name;
        struct cluster_look was = {.cluster = NULL}, is = {.cluster = NULL};

        if (order <= 0) {
            was = look_at(before, sides_before, comparing->unseen_before, i++);
        }
        if (order >= 0) {
            is = look_at(after, sides_after, comparing->unseen_after, j++);
        }
        if (compare_cluster(comparing->arena, name, &was, &is, &list[ret->n_clusters])) {
            ret->totals.clusters[list[ret->n_clusters].change]++;
            ret->n_clusters++;
        }
    }
}
