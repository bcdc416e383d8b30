/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts a pod's requests as Karmada's scheduler-estimator and as kube-scheduler do. Each amount is
 * rounded up before the sum: two containers of 500u cpu take 2m.
 */
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

#include <stdlib.h>

#include "ballast/base/wide.h"
#include "ballast/model/pod_need.h"

/* The amount of one resource, by two rules. */
struct amount {
    const char *name;
    bool is_asked; /* by a container, or as overhead */
    int64_t estimated;
    struct pod_need need; /* by kube-scheduler's rule, unless has_total */
    bool has_total;
    int64_t total; /* the pod's own, or with its overhead */
};

/* Few names: a linear search is fastest. */
struct amount_sum {
    VEC_OF(struct amount) items;
};

static struct amount *
amount_of(struct amount_sum *sum, const char *name)
{
    for (size_t i = 0; i < sum->items.count; i++) {
        if (str_eq(sum->items.items[i].name, name)) {
            return &sum->items.items[i];
        }
    }
    struct amount *added = vec_push(&sum->items);

    *added = (struct amount){.name = name, .need = POD_NEED_NONE};
    return added;
}

enum how { CONTAINER, INIT_CONTAINER, SIDECAR, WHOLE_POD, OVERHEAD };

struct counting {
    struct decoder *decoder;
    const struct containers_in_place *in_place; /* NULL: the pod has no node */
    struct amount_sum sum;
    bool is_resized;
};

static int64_t
counted(const struct amount *amount)
{
    return amount->has_total ? amount->total : pod_need_total(&amount->need);
}

/* The scheduler-estimator counts sidecars as init containers, and not the pod's own resources. */
static void
count_estimated(struct amount *amount, int64_t more, enum how how)
{
    amount->is_asked = true;
    if (how == CONTAINER || how == OVERHEAD) {
        amount->estimated = resource_amount_plus(amount->estimated, more);
    } else if (more > amount->estimated) {
        amount->estimated = more;
    }
}

static void
count_need(struct amount *amount, int64_t more, enum how how)
{
    switch (how) {
    case WHOLE_POD:
        amount->has_total = pod_need_is_of_whole_pods(amount->name);
        amount->total = more;
        break;
    case OVERHEAD:
        amount->total = resource_amount_plus(counted(amount), more);
        amount->has_total = true;
        break;
    case CONTAINER:
        pod_need_add(&amount->need, more);
        break;
    default:
        pod_need_add_init(&amount->need, more, how == SIDECAR);
        break;
    }
}

static void
count_asked(struct counting *counting, const struct resource_amounts *asked, enum how how)
{
    for (uint32_t i = 0; i < asked->count; i++) {
        struct amount *amount = amount_of(&counting->sum, asked->items[i].name);

        if (how != WHOLE_POD) {
            count_estimated(amount, asked->items[i].amount, how);
        }
        count_need(amount, asked->items[i].amount, how);
    }
}

static bool
read_amounts(struct decoder *decoder, const struct value *object, const char *name,
             struct resource_amounts *ret)
{
    const struct value *value = value_get(object, name);

    *ret = (struct resource_amounts){.count = 0};
    if (!value_is_set(value)) {
        return true;
    }
    size_t before = decoder_push_name(decoder, name);

    if (!convert_resource_amounts(decoder, NULL, value, ret)) {
        return false;
    }
    decoder_pop(decoder, before);
    return true;
}

/* Reads resources.requests of a container, or of the pod. */
static bool
read_requests(struct decoder *decoder, const struct value *object, struct resource_amounts *ret)
{
    *ret = (struct resource_amounts){.count = 0};
    if (value_type(object) == VALUE_NULL) {
        return true;
    }
    if (value_type(object) != VALUE_OBJECT) {
        return decode_fail_type(decoder, "object", object);
    }
    const struct value *resources = value_get(object, "resources");

    if (!value_is_set(resources)) {
        return true;
    }
    size_t before = decoder_push_name(decoder, "resources");

    if (value_type(resources) != VALUE_OBJECT) {
        return decode_fail_type(decoder, "object", resources);
    }
    bool done = read_amounts(decoder, resources, "requests", ret);

    if (done) {
        decoder_pop(decoder, before);
    }
    return done;
}

/* NULL: no status has its resources. An init container never changes in place. */
static const struct container_in_place *
find_in_place(const struct counting *counting, const struct value *container, enum how how)
{
    const struct containers_in_place *all = counting->in_place;

    if (all == NULL || all->count == 0 || how == INIT_CONTAINER) {
        return NULL;
    }
    const char *name = value_text(container, "name");
    uint32_t i = 0;

    while (i < all->count && !str_eq(all->items[i].name, name)) {
        i++;
    }
    return i < all->count && all->items[i].is_told ? &all->items[i] : NULL;
}

/* Equal amounts that are not empty share their items. */
static bool
are_same(const struct resource_amounts *a, const struct resource_amounts *b)
{
    return a->count == b->count && (a->count == 0 || a->items == b->items);
}

#define LISTS 3

/* Returns the largest amount of a resource in the lists; 0: none. */
static int64_t
most_of(const struct resource_amounts *const *lists, const char *name)
{
    int64_t most = INT64_MIN;

    for (size_t i = 0; i < LISTS; i++) {
        const struct resource_amount *amount = resource_amounts_get(lists[i], name);

        most = amount != NULL && amount->amount > most ? amount->amount : most;
    }
    return most == INT64_MIN ? 0 : most;
}

static bool
is_counted(const struct resource_amounts *const *lists, size_t before, const char *name)
{
    for (size_t i = 0; i < before; i++) {
        if (resource_amounts_get(lists[i], name) != NULL) {
            return true;
        }
    }
    return false;
}

/* Counts the largest amount of each resource, but no request that the node cannot meet. */
static void
count_in_place(struct counting *counting, const struct resource_amounts *asked,
               const struct container_in_place *container, enum how how)
{
    static const struct resource_amounts nothing;
    const struct resource_amounts *lists[LISTS] = {counting->in_place->is_infeasible ? &nothing
                                                                                     : asked,
                                                   &container->allocated, &container->actual};

    for (size_t list = 0; list < LISTS; list++) {
        for (uint32_t i = 0; i < lists[list]->count; i++) {
            const char *name = lists[list]->items[i].name;
            int64_t most = most_of(lists, name);

            if (!is_counted(lists, list, name)) {
                counting->is_resized |= most != resource_amounts_find(asked, name);
                count_need(amount_of(&counting->sum, name), most, how);
            }
        }
    }
    for (uint32_t i = 0; i < asked->count; i++) {
        const struct resource_amount *amount = &asked->items[i];

        counting->is_resized |= most_of(lists, amount->name) != amount->amount;
        count_estimated(amount_of(&counting->sum, amount->name), amount->amount, how);
    }
}

static bool
count_container(struct counting *counting, const struct value *container, enum how how)
{
    struct resource_amounts asked;

    if (!read_requests(counting->decoder, container, &asked)) {
        return false;
    }
    const struct container_in_place *in_place = find_in_place(counting, container, how);

    if (in_place == NULL ||
        (are_same(&asked, &in_place->allocated) && are_same(&asked, &in_place->actual))) {
        count_asked(counting, &asked, how);
    } else {
        count_in_place(counting, &asked, in_place, how);
    }
    return true;
}

static enum how
how_of(const struct value *container, enum how how)
{
    return how == INIT_CONTAINER && str_eq(value_text(container, "restartPolicy"), "Always")
               ? SIDECAR
               : how;
}

static bool
count_containers(struct counting *counting, const struct value *spec, const char *name,
                 enum how how)
{
    struct decoder *decoder = counting->decoder;
    const struct value *list = value_get(spec, name);

    if (!value_is_set(list)) {
        return true;
    }
    size_t before = decoder_push_name(decoder, name);

    if (value_type(list) != VALUE_LIST) {
        return decode_fail_type(decoder, "list", list);
    }
    for (size_t i = 0; i < value_count(list); i++) {
        const struct value *container = value_at(list, i);
        size_t before_index = decoder_push_index(decoder, i);

        if (!count_container(counting, container, how_of(container, how))) {
            return false;
        }
        decoder_pop(decoder, before_index);
    }
    decoder_pop(decoder, before);
    return true;
}

/* Returns the amount that kube-scheduler counts beyond the estimate; below 0 only if the node
 * cannot meet the request. */
static int64_t
beyond(const struct counting *counting, const struct amount *amount)
{
    int64_t more;

    if (__builtin_sub_overflow(counted(amount), amount->estimated, &more)) {
        more = INT64_MAX;
    }
    return more > 0 || (counting->in_place != NULL && counting->in_place->is_infeasible) ? more : 0;
}

static struct resource_amounts
keep_sorted(struct decoder *decoder, struct resource_amount *items, size_t count)
{
    if (count > 1) {
        qsort(items, count, sizeof(*items), resource_amount_cmp);
    }
    return (struct resource_amounts){
        .items = builder_share(builder_of(decoder), items, count * sizeof(*items)),
        .count = pin_uint32(count),
    };
}

/* A pod takes a slot for pods, not an amount of "pods". */
static void
keep_sums(const struct counting *counting, struct pod *ret)
{
    struct decoder *decoder = counting->decoder;
    const struct amount_sum *sum = &counting->sum;
    struct resource_amount *lists =
        ARENA_ARRAY(decoder->arena, struct resource_amount, 2 * sum->items.count + 1);
    struct resource_amount *more = lists + sum->items.count;
    size_t count = 0, n_more = 0;

    for (size_t i = 0; i < sum->items.count; i++) {
        const struct amount *amount = &sum->items.items[i];

        if (str_eq(amount->name, "pods")) {
            continue;
        }
        if (amount->is_asked) {
            lists[count++] = (struct resource_amount){amount->name, amount->estimated};
        }
        if (beyond(counting, amount) != 0) {
            more[n_more++] = (struct resource_amount){amount->name, beyond(counting, amount)};
        }
    }
    ret->requests = keep_sorted(decoder, lists, count);
    ret->beyond = keep_sorted(decoder, more, n_more);
    ret->is_resized = counting->is_resized;
}

/* Only kube-scheduler counts resource claims. */
static void
count_claims(struct counting *counting, const struct value *spec)
{
    if (value_count(value_get(spec, "resourceClaims")) > 0) {
        pod_need_add(&amount_of(&counting->sum, RESOURCE_DEVICE_CLAIMS)->need, 1);
    }
}

bool
pod_requests_decode(struct decoder *decoder, const struct value *spec,
                    const struct containers_in_place *in_place, struct pod *ret)
{
    struct counting counting = {.decoder = decoder, .in_place = in_place};
    struct resource_amounts whole, overhead;
    bool done = count_containers(&counting, spec, "containers", CONTAINER) &&
                count_containers(&counting, spec, "initContainers", INIT_CONTAINER) &&
                read_requests(decoder, spec, &whole) &&
                read_amounts(decoder, spec, "overhead", &overhead);

    if (done) {
        count_asked(&counting, &whole, WHOLE_POD);
        count_asked(&counting, &overhead, OVERHEAD);
        count_claims(&counting, spec);
        keep_sums(&counting, ret);
    }
    vec_free(&counting.sum.items);
    return done;
}
