/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes what replicas need, by their pods. No template has the sidecars of a webhook, the requests
 * that an autoscaler raised, or the overhead of a RuntimeClass.
 */
#include "ballast/base/buf.h"
#include "ballast/base/map.h"
#include "observed.h"

struct pod_needs {
    struct arena *arena;
    const struct fleet *fleet;
    struct resource_amounts *by_binding;
};

bool
pod_takes_newer(const struct pod_takes *takes, const struct pod_takes *than)
{
    if (than->requests == NULL || takes->creation != than->creation) {
        return than->requests == NULL || takes->creation > than->creation;
    }
    int order = resource_amounts_order(takes->requests, than->requests);

    return order != 0 ? order > 0 : resource_amounts_order(takes->beyond, than->beyond) > 0;
}

struct pod_needs *
pod_needs_new(struct arena *arena, const struct fleet *fleet)
{
    struct pod_needs *needs = ARENA_NEW(arena, struct pod_needs);

    *needs = (struct pod_needs){.arena = arena, .fleet = fleet};
    return needs;
}

static int64_t
larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t
said(const struct binding *binding, const char *resource)
{
    const struct quantity *amount =
        binding->requirements != NULL
            ? resource_list_find(&binding->requirements->request, resource)
            : NULL;

    return amount != NULL ? resource_amount_of(resource, *amount) : 0;
}

/* The common case: pods request no more than the binding or earlier pods. */
static bool
is_known(const struct pod_needs *needs, uint32_t binding, const struct pod_takes *takes)
{
    static const struct resource_amounts nothing;
    const struct resource_amounts *noted =
        needs->by_binding != NULL ? &needs->by_binding[binding] : &nothing;
    const struct resource_amounts *lists[] = {takes->requests, takes->beyond};

    for (size_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < lists[list]->count; i++) {
            const char *name = lists[list]->items[i].name;
            int64_t taken = resource_amount_plus(resource_amounts_find(takes->requests, name),
                                                 resource_amounts_find(takes->beyond, name));

            if (taken > said(&needs->fleet->bindings[binding], name) &&
                taken > resource_amounts_find(noted, name)) {
                return false;
            }
        }
    }
    return true;
}

/* Components of a set differ in their needs, so only a request for devices counts for all. */
static struct pod_takes
takes_of_set(const struct pod_takes *takes)
{
    static const struct resource_amounts nothing;
    static const struct resource_amount device = {.name = RESOURCE_DEVICE_CLAIMS, .amount = 1};
    static const struct resource_amounts devices = {.items = &device, .count = 1};
    bool asks = resource_amounts_find(takes->requests, RESOURCE_DEVICE_CLAIMS) > 0 ||
                resource_amounts_find(takes->beyond, RESOURCE_DEVICE_CLAIMS) > 0;

    return (struct pod_takes){asks ? &devices : &nothing, &nothing, takes->creation};
}

void
pod_needs_note(struct pod_needs *needs, uint32_t binding, const struct pod_takes *takes)
{
    const struct pod_takes of_set = takes_of_set(takes);
    const struct pod_takes *told =
        binding_is_set(&needs->fleet->bindings[binding]) ? &of_set : takes;

    if (is_known(needs, binding, told)) {
        return;
    }
    if (needs->by_binding == NULL) {
        needs->by_binding =
            ARENA_ARRAY(needs->arena, struct resource_amounts, needs->fleet->n_bindings);
    }
    struct resource_amounts *noted = &needs->by_binding[binding];
    const struct resource_amounts taken =
        resource_amounts_join(needs->arena, told->requests, told->beyond, resource_amount_plus);

    *noted = resource_amounts_join(needs->arena, noted, &taken, larger);
}

const struct resource_amounts *
pod_needs_by_binding(const struct pod_needs *needs)
{
    return needs->by_binding;
}

/* Bindings share requirements if both their own and the seen requests are equal. */
static const struct requirements *
requirements_with(struct fleet *fleet, struct map *made, struct buf *key,
                  const struct requirements *said, const struct resource_amounts *seen)
{
    buf_clear(key);
    buf_append(key, &said, sizeof(said));
    buf_append(key, seen->items, seen->count * sizeof(*seen->items));
    void **slot = map_get(made, key->data, key->length);

    if (slot == NULL) {
        struct requirements *own = requirements_of_its_own(fleet, said);

        own->seen = *seen;
        slot = map_put(made, arena_memdup(fleet->arena, key->data, key->length), key->length, NULL);
        *slot = own;
    }
    return *slot;
}

void
diagnosis_fill_needs(struct fleet *fleet, const struct diagnosis *diagnosis)
{
    struct binding *bindings = (struct binding *)fleet->bindings; /* the fleet owns this memory */
    struct map *made = map_new();
    struct buf key;

    buf_init(&key, SIZE_MAX / 2);
    for (uint32_t i = 0; diagnosis->needs != NULL && i < fleet->n_bindings; i++) {
        const struct resource_amounts *seen = &diagnosis->needs[i];

        if (seen->count > 0) {
            bindings[i].requirements =
                requirements_with(fleet, made, &key, bindings[i].requirements, seen);
        }
    }
    buf_release(&key);
    map_free(made);
}
