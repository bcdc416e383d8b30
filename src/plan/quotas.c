/* SPDX-License-Identifier: Apache-2.0
 *
 * Quotas as accounts: for each a limit and what is used, in units of 1e-9.
 */
#include "quotas.h"

#include <string.h>

#include "ballast/str.h"

#define UNIT ((nanos128)1000000000)
#define NANOS_MOST ((nanos128)INT64_MAX * UNIT)

/* One limit of a quota. */
struct account {
    nanos128 hard;
    nanos128 used;
};

/* The limits of one list, in its order. */
struct book {
    const struct resource_list *hard;
    struct account *accounts;
    uint32_t cluster; /* CLUSTER_NONE: over all of them */
};

struct quotas {
    struct arena *arena;
    const struct quota_list *list;
    struct book **books; /* by quota: that over all clusters, then one an assignment */
};

struct quota_charge {
    struct quota_charge *next;
    nanos128 *used;
    nanos128 amount;
};

static nanos128
pin(nanos128 amount)
{
    if (amount > NANOS_MOST) {
        return NANOS_MOST;
    }
    return amount < -NANOS_MOST ? -NANOS_MOST : amount;
}

/* Pinned far above what a fleet has, so that sums of a few do not overflow. */
static nanos128
times(nanos128 amount, int64_t count)
{
    nanos128 product;

    return __builtin_mul_overflow(pin(amount), (nanos128)count, &product) ? NANOS_MOST
                                                                          : pin(product);
}

/* --- what a binding asks for --- */

static nanos128
request_of(const struct requirements *requirements, const char *name)
{
    const struct quantity *found =
        requirements != NULL ? resource_list_find(&requirements->request, name) : NULL;

    return found != NULL && found->nano > 0 ? found->nano : 0;
}

/* Of each of what usage_count counts: a replica, or all components in one cluster. */
static nanos128
usage_of(const struct binding *binding, const char *name)
{
    nanos128 sum = 0;

    if (binding->n_components == 0) {
        return request_of(binding->requirements, name);
    }
    for (uint32_t i = 0; i < binding->n_components; i++) {
        const struct component *component = &binding->components[i];

        sum = pin(sum + times(request_of(component->requirements, name), component->replicas));
    }
    return sum;
}

static int64_t
usage_count(const struct binding *binding, const struct target_list *targets)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < targets->count; i++) {
        sum += targets->items[i].replicas;
    }
    return binding->n_components > 0 ? targets->count : sum;
}

/* A ResourceQuota's name for what a pod requests. Limits and other objects than pods we do not
 * know. */
static nanos128
pod_usage(const struct requirements *requirements, const char *name)
{
    static const char prefix[] = "requests.";

    if (str_eq(name, "pods") || str_eq(name, "count/pods")) {
        return UNIT;
    }
    return request_of(requirements, strncmp(name, prefix, sizeof(prefix) - 1) == 0
                                        ? name + sizeof(prefix) - 1
                                        : name);
}

/* --- the accounts --- */

/* Quotas are in the order of their namespaces; the first of one, count when there is none. */
static uint32_t
find_first(const struct quotas *quotas, const struct binding *binding)
{
    const struct quota_list *list = quotas->list;
    uint32_t low = 0, high = list->count;

    if (binding->kind != BINDING_RESOURCE) {
        return list->count;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (strcmp(list->items[middle].namespace_, binding->namespace_) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool
is_for(const struct quotas *quotas, uint32_t index, const struct binding *binding)
{
    return index < quotas->list->count &&
           str_eq(quotas->list->items[index].namespace_, binding->namespace_);
}

static void
open_book(struct quotas *quotas, struct book *book, const struct resource_list *hard,
          const struct resource_list *used, uint32_t cluster)
{
    *book = (struct book){
        .hard = hard,
        .accounts = ARENA_ARRAY(quotas->arena, struct account, hard->count),
        .cluster = cluster,
    };
    for (uint32_t i = 0; i < hard->count; i++) {
        const struct quantity *reported = resource_list_find(used, hard->items[i].name);

        book->accounts[i].hard = pin(hard->items[i].amount.nano);
        book->accounts[i].used = reported != NULL ? pin(reported->nano) : 0;
    }
}

/* With what it reports as used, or with nothing. */
static struct book *
open_books(struct quotas *quotas, uint32_t index, bool reported)
{
    static const struct resource_list nothing;
    const struct quota *quota = &quotas->list->items[index];
    struct book *books = ARENA_ARRAY(quotas->arena, struct book, quota->n_assignments + (size_t)1);

    open_book(quotas, &books[0], &quota->overall, reported ? &quota->overall_used : &nothing,
              CLUSTER_NONE);
    for (uint32_t i = 0; i < quota->n_assignments; i++) {
        const struct quota_assignment *assignment = &quota->assignments[i];

        open_book(quotas, &books[i + 1], &assignment->hard, reported ? &assignment->used : &nothing,
                  assignment->cluster);
    }
    return books;
}

/* What one binding has in a book's cluster, in replicas; over all, what the webhook counts. */
static nanos128
share_in(const struct book *book, const struct binding *binding, const struct target_list *targets,
         const char *name)
{
    if (book->cluster == CLUSTER_NONE) {
        return times(usage_of(binding, name), usage_count(binding, targets));
    }
    for (uint32_t i = 0; i < targets->count; i++) {
        if (targets->items[i].cluster == book->cluster) {
            return times(pod_usage(binding->requirements, name), targets->items[i].replicas);
        }
    }
    return 0;
}

/* A book of a cluster that is not there counts nothing. */
static bool
is_void(const struct quota *quota, uint32_t book)
{
    return book > 0 && quota->assignments[book - 1].cluster == CLUSTER_NONE;
}

/* What bindings assign, by book and resource, from zero. */
static void
add_assigned(struct quotas *quotas, const struct binding *binding, struct book **sums)
{
    for (uint32_t q = find_first(quotas, binding); is_for(quotas, q, binding); q++) {
        const struct quota *quota = &quotas->list->items[q];

        for (uint32_t b = 0; b <= quota->n_assignments; b++) {
            struct book *sum = &sums[q][b];

            for (uint32_t i = 0; !is_void(quota, b) && i < sum->hard->count; i++) {
                sum->accounts[i].used =
                    pin(sum->accounts[i].used +
                        share_in(sum, binding, &binding->clusters, sum->hard->items[i].name));
            }
        }
    }
}

/* What a quota reports may lag behind what has been assigned since, and knows of pods that no
 * binding made: the larger of both counts. */
static void
take_larger(struct quotas *quotas, struct book **sums)
{
    for (uint32_t q = 0; q < quotas->list->count; q++) {
        for (uint32_t b = 0; b <= quotas->list->items[q].n_assignments; b++) {
            const struct book *sum = &sums[q][b];
            struct account *accounts = quotas->books[q][b].accounts;

            for (uint32_t i = 0; i < sum->hard->count; i++) {
                if (sum->accounts[i].used > accounts[i].used) {
                    accounts[i].used = sum->accounts[i].used;
                }
            }
        }
    }
}

struct quotas *
quotas_new(struct arena *arena, const struct fleet *fleet)
{
    if (fleet->quotas.count == 0) {
        return NULL;
    }
    struct quotas *quotas = ARENA_NEW(arena, struct quotas);

    quotas->arena = arena;
    quotas->list = &fleet->quotas;
    quotas->books = ARENA_ARRAY(arena, struct book *, fleet->quotas.count);

    struct book **sums = ARENA_ARRAY(arena, struct book *, fleet->quotas.count);

    for (uint32_t i = 0; i < fleet->quotas.count; i++) {
        quotas->books[i] = open_books(quotas, i, true);
        sums[i] = open_books(quotas, i, false);
    }
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        add_assigned(quotas, &fleet->bindings[i], sums);
    }
    take_larger(quotas, sums);
    return quotas;
}

/* --- room --- */

static const char *
name_bound(struct arena *arena, const struct quota *quota, const char *resource)
{
    return arena_printf(arena, "FederatedResourceQuota %s/%s: %s", quota->namespace_, quota->name,
                        resource);
}

static int32_t
room_in(const struct account *account, nanos128 each)
{
    nanos128 left = account->hard - account->used;

    if (left <= 0) {
        return 0;
    }
    return left / each > INT32_MAX ? INT32_MAX : (int32_t)(left / each);
}

int32_t
quotas_room(struct quotas *quotas, const struct binding *binding, uint32_t cluster,
            struct arena *arena, const char **ret_bound)
{
    const struct quota *bound = NULL;
    const char *resource = "";
    int32_t room = INT32_MAX;

    for (uint32_t q = quotas != NULL ? find_first(quotas, binding) : 0;
         quotas != NULL && is_for(quotas, q, binding); q++) {
        const struct quota *quota = &quotas->list->items[q];

        for (uint32_t b = 1; b <= quota->n_assignments; b++) {
            const struct book *book = &quotas->books[q][b];

            for (uint32_t i = 0; book->cluster == cluster && i < book->hard->count; i++) {
                nanos128 each = pod_usage(binding->requirements, book->hard->items[i].name);

                if (each > 0 && room_in(&book->accounts[i], each) < room) {
                    room = room_in(&book->accounts[i], each);
                    bound = quota;
                    resource = book->hard->items[i].name;
                }
            }
        }
    }
    if (ret_bound != NULL) {
        *ret_bound = bound != NULL ? name_bound(arena, bound, resource) : "";
    }
    return room;
}

/* --- over all clusters --- */

static bool
asks_for_more(const struct binding *binding, const struct quota *quota, int64_t more)
{
    for (uint32_t i = 0; more > 0 && i < quota->overall.count; i++) {
        if (usage_of(binding, quota->overall.items[i].name) > 0) {
            return true;
        }
    }
    return false;
}

/* The webhook looks at all that the quota limits, and not only at what becomes more. */
static const char *
refusal_of(struct arena *arena, const struct quota *quota, const struct book *book,
           const struct binding *binding, int64_t more)
{
    for (uint32_t i = 0; i < quota->overall.count; i++) {
        const struct resource_quantity *limit = &quota->overall.items[i];
        nanos128 sum = book->accounts[i].used + times(usage_of(binding, limit->name), more);
        struct quantity asked = {.nano = pin(sum)};
        char of[QUANTITY_TEXT_MAX], text[QUANTITY_TEXT_MAX];

        if (sum > book->accounts[i].hard) {
            return arena_printf(arena, "%s would be %s of %s",
                                name_bound(arena, quota, limit->name), quantity_format(asked, text),
                                quantity_format(limit->amount, of));
        }
    }
    return NULL;
}

const char *
quotas_refusal(struct quotas *quotas, const struct binding *binding,
               const struct target_list *before, const struct target_list *after,
               struct arena *arena)
{
    const char *refusal = NULL;
    int64_t more = usage_count(binding, after) - usage_count(binding, before);

    for (uint32_t q = quotas != NULL ? find_first(quotas, binding) : 0;
         quotas != NULL && refusal == NULL && is_for(quotas, q, binding); q++) {
        const struct quota *quota = &quotas->list->items[q];

        if (asks_for_more(binding, quota, more)) {
            refusal = refusal_of(arena, quota, &quotas->books[q][0], binding, more);
        }
    }
    return refusal;
}

/* --- charges --- */

/* What leaves a cluster is no room there yet: its pods have still to go. */
static void
charge_book(struct quotas *quotas, struct book *book, const struct binding *binding,
            const struct target_list *before, const struct target_list *after,
            struct quota_charge **charges)
{
    for (uint32_t i = 0; i < book->hard->count; i++) {
        const char *name = book->hard->items[i].name;
        nanos128 more =
            share_in(book, binding, after, name) - share_in(book, binding, before, name);

        if (more > 0) {
            struct quota_charge *charge = ARENA_NEW(quotas->arena, struct quota_charge);

            *charge = (struct quota_charge){*charges, &book->accounts[i].used, more};
            book->accounts[i].used += more;
            *charges = charge;
        }
    }
}

struct quota_charge *
quotas_charge(struct quotas *quotas, const struct binding *binding,
              const struct target_list *before, const struct target_list *after)
{
    struct quota_charge *charges = NULL;

    for (uint32_t q = quotas != NULL ? find_first(quotas, binding) : 0;
         quotas != NULL && is_for(quotas, q, binding); q++) {
        const struct quota *quota = &quotas->list->items[q];

        for (uint32_t b = 0; b <= quota->n_assignments; b++) {
            if (!is_void(quota, b)) {
                charge_book(quotas, &quotas->books[q][b], binding, before, after, &charges);
            }
        }
    }
    return charges;
}

void
quotas_refund(struct quota_charge *charge)
{
    for (; charge != NULL; charge = charge->next) {
        *charge->used -= charge->amount;
    }
}
