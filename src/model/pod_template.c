/* SPDX-License-Identifier: Apache-2.0
 *
 * What ties pods to each other: terms and ports (kube-scheduler's
 * interpodaffinity and nodeports); and what a pod of a template asks for.
 */
#include "ballast/model/pod_template.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"

/* Which namespaces a selector of them selects is not known: it may be any. */
bool
pod_affinity_term_selects(const struct pod_affinity_term *term, const char *own,
                          const char *namespace_, const struct label_list *labels)
{
    bool is_there = term->has_namespace_selector ||
                    (term->namespaces.count > 0 ? str_list_has(&term->namespaces, namespace_)
                                                : str_eq(own, namespace_));

    return is_there && label_selector_matches(term->selector, labels);
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

struct sums {
    struct resource_quantity *items;
    uint32_t count;
};

static struct quantity *
sum_of(struct sums *sums, const char *name)
{
    for (uint32_t i = 0; i < sums->count; i++) {
        if (str_eq(sums->items[i].name, name)) {
            return &sums->items[i].amount;
        }
    }
    sums->items[sums->count] = (struct resource_quantity){.name = name};
    return &sums->items[sums->count++].amount;
}

static nanos128
nanos_of(const struct resource_amount *item)
{
    return resource_amount_nanos(item->name, item->amount);
}

/* What leaves 64 bits would be nothing to who fits it onto nodes: a sum ends at the largest. */
static void
count(struct sums *sums, const struct resource_amount *item, bool raises)
{
    struct quantity *sum = sum_of(sums, item->name);
    nanos128 most = resource_amount_nanos(item->name, INT64_MAX);

    if (!raises) {
        sum->nano = sum->nano + nanos_of(item) < most ? sum->nano + nanos_of(item) : most;
    } else if (nanos_of(item) > sum->nano) {
        sum->nano = nanos_of(item);
    }
}

static void
count_containers(struct sums *sums, const struct container_resources_list *list, bool raises)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct container_resources *container = &list->items[i];

        for (uint32_t j = 0; j < container->requests.count; j++) {
            count(sums, &container->requests.items[j], raises);
        }
        for (uint32_t j = 0; j < container->limits.count; j++) {
            if (resource_amounts_get(&container->requests, container->limits.items[j].name) ==
                NULL) {
                count(sums, &container->limits.items[j], raises);
            }
        }
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
    uint32_t most = count_names(&pod_template->containers) +
                    count_names(&pod_template->init_containers) + pod_template->overhead.count;
    struct sums sums = {.items = ARENA_ARRAY(arena, struct resource_quantity, most)};

    count_containers(&sums, &pod_template->containers, false);
    count_containers(&sums, &pod_template->init_containers, true);
    for (uint32_t i = 0; i < pod_template->overhead.count; i++) {
        count(&sums, &pod_template->overhead.items[i], false);
    }
    if (sums.count > 1) {
        qsort(sums.items, sums.count, sizeof(*sums.items), quantity_by_name);
    }
    return (struct resource_list){.items = sums.items, .count = sums.count, .present = true};
}
