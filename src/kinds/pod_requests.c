/* SPDX-License-Identifier: Apache-2.0
 *
 * A pod's requests. Amounts are rounded up one by one before they are added:
 * two containers of 500u cpu take 2m.
 */
#include "pod_requests.h"

#include <stdlib.h>

#include "decode_common.h"

/* A few names, so that looking for one from the front is quickest. */
struct amount_sum {
    VEC_OF(struct resource_amount) items;
};

static int64_t *
amount_of(struct amount_sum *sum, const char *name)
{
    for (size_t i = 0; i < sum->items.count; i++) {
        if (str_eq(sum->items.items[i].name, name)) {
            return &sum->items.items[i].amount;
        }
    }
    struct resource_amount *added = vec_push(&sum->items);

    added->name = name;
    return &added->amount;
}

enum how { ADD, RAISE };

static void
count_amounts(struct amount_sum *sum, const struct resource_amounts *more, enum how how)
{
    for (uint32_t i = 0; i < more->count; i++) {
        int64_t *amount = amount_of(sum, more->items[i].name);

        if (how == ADD) {
            *amount = resource_amount_plus(*amount, more->items[i].amount);
        } else if (more->items[i].amount > *amount) {
            *amount = more->items[i].amount;
        }
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
    count_amounts(sum, &amounts, how);
    decoder_pop(decoder, before);
    return true;
}

/* One container's resources.requests. */
static bool
count_container(struct decoder *decoder, const struct value *container, enum how how,
                struct amount_sum *sum)
{
    if (value_type(container) == VALUE_NULL) {
        return true;
    }
    if (value_type(container) != VALUE_OBJECT) {
        return decode_fail_type(decoder, "object", container);
    }
    const struct value *resources = value_get(container, "resources");

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
        size_t before_index = decoder_push_index(decoder, i);

        if (!count_container(decoder, value_at(list, i), how, sum)) {
            return false;
        }
        decoder_pop(decoder, before_index);
    }
    decoder_pop(decoder, before);
    return true;
}

/* "pods" is no resource that a pod takes: it takes a slot. */
static void
drop_pods(struct amount_sum *sum)
{
    for (size_t i = 0; i < sum->items.count; i++) {
        if (str_eq(sum->items.items[i].name, "pods")) {
            sum->items.items[i] = sum->items.items[--sum->items.count];
            return;
        }
    }
}

bool
pod_requests_decode(struct decoder *decoder, const struct value *spec, struct resource_amounts *ret)
{
    struct amount_sum sum = {.items = VEC_INIT};
    bool done = count_containers(decoder, spec, "containers", ADD, &sum) &&
                count_containers(decoder, spec, "initContainers", RAISE, &sum) &&
                count_resources(decoder, spec, "overhead", ADD, &sum);

    if (done) {
        drop_pods(&sum);
        if (sum.items.count > 1) {
            qsort(sum.items.items, sum.items.count, sizeof(*sum.items.items), resource_amount_cmp);
        }
        ret->items = builder_share(builder_of(decoder), sum.items.items,
                                   sum.items.count * sizeof(*sum.items.items));
        ret->count = (uint32_t)sum.items.count;
    }
    vec_free(&sum.items);
    return done;
}
