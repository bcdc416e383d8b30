/* SPDX-License-Identifier: Apache-2.0
 *
 * A pod's requests, as Karmada's scheduler-estimator and as kube-scheduler count
 * them. Amounts are rounded up one by one before they are added: two containers
 * of 500u cpu take 2m.
 */
#include "pod_requests.h"

#include <stdlib.h>

#include "ballast/model/pod_need.h"
#include "decode_common.h"

/* Of one resource, by two rules. */
struct amount {
    const char *name;
    bool is_asked; /* by a container, or as overhead */
    int64_t estimated;
    struct pod_need need; /* by kube-scheduler's rule, unless: */
    bool has_total;
    int64_t total; /* named by the pod, or with its overhead */
};

/* A few names, so that looking for one from the front is quickest. */
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

static int64_t
counted(const struct amount *amount)
{
    return amount->has_total ? amount->total : pod_need_total(&amount->need);
}

/* Sidecars are like other init containers to the scheduler-estimator, and what the pod names for
 * all of its containers is nothing. */
static void
count_amount(struct amount *amount, int64_t more, enum how how)
{
    if (how == WHOLE_POD) {
        amount->has_total = pod_need_is_of_whole_pods(amount->name);
        amount->total = more;
        return;
    }
    amount->is_asked = true;
    if (how == CONTAINER || how == OVERHEAD) {
        amount->estimated = resource_amount_plus(amount->estimated, more);
    } else if (more > amount->estimated) {
        amount->estimated = more;
    }
    if (how == CONTAINER) {
        pod_need_add(&amount->need, more);
    } else if (how == OVERHEAD) {
        amount->total = resource_amount_plus(counted(amount), more);
        amount->has_total = true;
    } else {
        pod_need_add_init(&amount->need, more, how == SIDECAR);
    }
}

/* The member `name` of `object`, a resource list. */
static bool
count_resources(struct decoder *decoder, const struct value *object, const char *name, enum how how,
                struct amount_sum *sum)
{
    const struct value *value = value_get(object, name);
    struct resource_amounts amounts = {.count = 0};

    if (!value_is_set(value)) {
        return true;
    }
    size_t before = decoder_push_name(decoder, name);

    if (!convert_resource_amounts(decoder, NULL, value, &amounts)) {
        return false;
    }
    for (uint32_t i = 0; i < amounts.count; i++) {
        count_amount(amount_of(sum, amounts.items[i].name), amounts.items[i].amount, how);
    }
    decoder_pop(decoder, before);
    return true;
}

/* The resources.requests of a container, or of the pod. */
static bool
count_requests(struct decoder *decoder, const struct value *object, enum how how,
               struct amount_sum *sum)
{
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
    bool done = count_resources(decoder, resources, "requests", how, sum);

    if (done) {
        decoder_pop(decoder, before);
    }
    return done;
}

static enum how
how_of(const struct value *container, enum how how)
{
    return how == INIT_CONTAINER && str_eq(value_text(container, "restartPolicy"), "Always")
               ? SIDECAR
               : how;
}

static bool
count_containers(struct decoder *decoder, const struct value *spec, const char *name, enum how how,
                 struct amount_sum *sum)
{
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

        if (!count_requests(decoder, container, how_of(container, how), sum)) {
            return false;
        }
        decoder_pop(decoder, before_index);
    }
    decoder_pop(decoder, before);
    return true;
}

/* What kube-scheduler counts on top of the estimated. */
static int64_t
beyond(const struct amount *amount)
{
    return counted(amount) > amount->estimated ? counted(amount) - amount->estimated : 0;
}

static struct resource_amounts
keep_sorted(struct decoder *decoder, struct resource_amount *items, size_t count)
{
    if (count > 1) {
        qsort(items, count, sizeof(*items), resource_amount_cmp);
    }
    return (struct resource_amounts){
        .items = builder_share(builder_of(decoder), items, count * sizeof(*items)),
        .count = (uint32_t)count,
    };
}

/* "pods" is no resource that a pod takes: it takes a slot. */
static void
keep_sums(struct decoder *decoder, const struct amount_sum *sum, struct pod *ret)
{
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
        if (beyond(amount) > 0) {
            more[n_more++] = (struct resource_amount){amount->name, beyond(amount)};
        }
    }
    ret->requests = keep_sorted(decoder, lists, count);
    ret->beyond = keep_sorted(decoder, more, n_more);
}

bool
pod_requests_decode(struct decoder *decoder, const struct value *spec, struct pod *ret)
{
    struct amount_sum sum = {.items = VEC_INIT};
    bool done = count_containers(decoder, spec, "containers", CONTAINER, &sum) &&
                count_containers(decoder, spec, "initContainers", INIT_CONTAINER, &sum) &&
                count_requests(decoder, spec, WHOLE_POD, &sum) &&
                count_resources(decoder, spec, "overhead", OVERHEAD, &sum);

    if (done) {
        keep_sums(decoder, &sum, ret);
    }
    vec_free(&sum.items);
    return done;
}
