/* SPDX-License-Identifier: Apache-2.0
 *
 * What ties pods to each other: terms and ports (kube-scheduler's
 * interpodaffinity and nodeports); and what a pod of a template asks for.
 */
#include "ballast/model/pod_template.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/model/pod_need.h"

bool
label_value_is_unknown(const char *value)
{
    return str_eq(value, LABEL_VALUE_UNKNOWN) || str_eq(value, LABEL_VALUE_OF_EACH);
}

bool
pod_volumes_have_replaced(const struct pod_volumes *volumes)
{
    bool have = false;

    for (uint32_t i = 0; i < volumes->n_disks && !have; i++) {
        have = !str_is_empty(volumes->disks[i].handle);
    }
    return have;
}

/* Ballast does not know the labels of namespaces, so a namespace selector may select any. */
static bool
looks_into(const struct pod_affinity_term *term, const char *own, const char *namespace_)
{
    return term->has_namespace_selector ||
           (term->namespaces.count > 0 ? str_list_has(&term->namespaces, namespace_)
                                       : str_eq(own, namespace_));
}

bool
pod_affinity_term_selects(const struct pod_affinity_term *term, const char *own,
                          const char *namespace_, const struct label_list *labels)
{
    return looks_into(term, own, namespace_) && label_selector_matches(term->selector, labels);
}

bool
pod_affinity_term_selects_replica(const struct pod_affinity_term *term,
                                  const struct pod_template *own)
{
    return looks_into(term, own->namespace_, own->namespace_) &&
           label_selector_matches(
               term->is_other_among_replicas ? term->among_replicas : term->selector, &own->labels);
}

static bool
clash(const struct host_port *a, const struct host_port *b)
{
    return a->port == b->port && str_eq(a->protocol, b->protocol) &&
           (str_eq(a->ip, b->ip) || str_eq(a->ip, "0.0.0.0") || str_eq(b->ip, "0.0.0.0"));
}

bool
host_ports_clash(const struct host_port_list *a, const struct host_port_list *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count; j++) {
            if (clash(&a->items[i], &b->items[j])) {
                return true;
            }
        }
    }
    return false;
}

bool
pod_template_is_tied(const struct pod_template *pod_template)
{
    bool is_tied = pod_template->ports.count > 0 || pod_template->affinity != NULL ||
                   pod_template->volumes != NULL;

    for (uint32_t i = 0; i < pod_template->spreads.count && !is_tied; i++) {
        is_tied = str_eq(pod_template->spreads.items[i].when_unsatisfiable, "DoNotSchedule");
    }
    return is_tied;
}

/* --- requests --- */

const struct resource_amount *
container_amount(const struct container_resources *container, const char *resource, bool is_limit)
{
    const struct resource_amount *request =
        is_limit ? NULL : resource_amounts_get(&container->requests, resource);

    return request != NULL ? request : resource_amounts_get(&container->limits, resource);
}

static struct pod_amount
sum_of_containers(const struct pod_template *pod_template, const char *resource, bool is_limit)
{
    struct pod_need need = POD_NEED_NONE;
    bool is_named = false;

    for (uint32_t i = 0; i < pod_template->containers.count; i++) {
        const struct resource_amount *amount =
            container_amount(&pod_template->containers.items[i], resource, is_limit);

        if (amount != NULL) {
            pod_need_add(&need, amount->amount);
            is_named = true;
        }
    }
    for (uint32_t i = 0; i < pod_template->init_containers.count; i++) {
        const struct container_resources *container = &pod_template->init_containers.items[i];
        const struct resource_amount *amount = container_amount(container, resource, is_limit);

        if (amount != NULL) {
            pod_need_add_init(&need, amount->amount, str_eq(container->restart_policy, "Always"));
            is_named = true;
        }
    }
    return (struct pod_amount){is_named, pod_need_total(&need)};
}

/* Huge pages are never overcommitted: their limit is their request. */
static bool
yields_to_limit(const struct pod_amount *sum, const char *resource)
{
    return !sum->is_named || strncmp(resource, "hugepages-", strlen("hugepages-")) == 0;
}

struct pod_amount
pod_template_amount(const struct pod_template *pod_template, const char *resource, bool is_limit)
{
    const struct container_resources *whole = &pod_template->whole;
    const struct resource_amount *named =
        resource_amounts_get(is_limit ? &whole->limits : &whole->requests, resource);
    struct pod_amount sum = sum_of_containers(pod_template, resource, is_limit);

    if (named == NULL && yields_to_limit(&sum, resource)) {
        named = container_amount(whole, resource, is_limit);
    }
    return named != NULL && pod_need_is_of_whole_pods(resource)
               ? (struct pod_amount){true, named->amount}
               : sum;
}

static bool
names_whole(const struct resource_amounts *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (pod_need_is_of_whole_pods(list->items[i].name)) {
            return true;
        }
    }
    return false;
}

bool
pod_template_has_whole(const struct pod_template *pod_template)
{
    return names_whole(&pod_template->whole.requests) || names_whole(&pod_template->whole.limits);
}

struct needs {
    const struct pod_template *pod_template;
    struct resource_quantity *items;
    uint32_t count;
};

/* A sum beyond 64 bits counts as nothing when fitted onto nodes, so it ends at the maximum. */
static void
add_names(struct needs *needs, const struct resource_amounts *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const char *name = list->items[i].name;
        const struct pod_amount of_containers =
            pod_template_amount(needs->pod_template, name, false);
        struct pod_need need = POD_NEED_OF(of_containers.amount);
        bool is_there = false;

        for (uint32_t j = 0; j < needs->count && !is_there; j++) {
            is_there = str_eq(needs->items[j].name, name);
        }
        if (!is_there && (of_containers.is_named || list == &needs->pod_template->overhead)) {
            pod_need_add(&need, resource_amounts_find(&needs->pod_template->overhead, name));
            needs->items[needs->count++] = (struct resource_quantity){
                .name = name,
                .amount = {.nano = resource_amount_nanos(name, pod_need_total(&need))},
            };
        }
    }
}

static void
add_names_of(struct needs *needs, const struct container_resources_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        add_names(needs, &list->items[i].requests);
        add_names(needs, &list->items[i].limits);
    }
}

static uint32_t
count_names(const struct container_resources_list *list)
{
    uint32_t names = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        names += list->items[i].requests.count + list->items[i].limits.count;
    }
    return names;
}

static int
quantity_by_name(const void *a, const void *b)
{
    return strcmp(((const struct resource_quantity *)a)->name,
                  ((const struct resource_quantity *)b)->name);
}

struct resource_list
pod_template_requests(struct arena *arena, const struct pod_template *pod_template)
{
    const struct container_resources_list whole = {&pod_template->whole, 1};
    uint32_t most = count_names(&pod_template->containers) +
                    count_names(&pod_template->init_containers) + count_names(&whole) +
                    pod_template->overhead.count + 1;
    struct needs needs = {.pod_template = pod_template,
                          .items = ARENA_ARRAY(arena, struct resource_quantity, most)};

    add_names_of(&needs, &pod_template->containers);
    add_names_of(&needs, &pod_template->init_containers);
    add_names_of(&needs, &whole);
    add_names(&needs, &pod_template->overhead);
    if (pod_template->claims_devices) {
        needs.items[needs.count++] = (struct resource_quantity){.name = RESOURCE_DEVICE_CLAIMS,
                                                                .amount = quantity_from_int(1)};
    }
    if (needs.count > 1) {
        qsort(needs.items, needs.count, sizeof(*needs.items), quantity_by_name);
    }
    return (struct resource_list){.items = needs.items, .count = needs.count, .present = true};
}
