/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds accounts from quotas and assignments, and finds those that count a binding.
 */
#include "quota_accounts.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"

#define UNIT ((nanos128)1000000000)
#define NANOS_MOST ((nanos128)INT64_MAX * UNIT)

struct quota_limit {
    struct subject subject;
    uint32_t quota; /* in the list */
    const struct resource_quantity *hard;
    nanos128 reported; /* used, by the quota's status */
    uint32_t account;
};

nanos128
quota_pin(nanos128 amount)
{
    if (amount > NANOS_MOST) {
        return NANOS_MOST;
    }
    return amount < -NANOS_MOST ? -NANOS_MOST : amount;
}

nanos128
quota_times(nanos128 amount, int64_t count)
{
    nanos128 product;

    return __builtin_mul_overflow(quota_pin(amount), (nanos128)count, &product)
               ? NANOS_MOST
               : quota_pin(product);
}

/* --- what a binding asks for --- */

static int
usage_cmp(const void *a, const void *b)
{
    return strcmp(((const struct usage *)a)->name, ((const struct usage *)b)->name);
}

static void
add_usage(struct usage_list *list, const struct requirements *requirements, int64_t replicas)
{
    uint32_t count = requirements != NULL ? requirements->request.count : 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct resource_quantity *item = &requirements->request.items[i];

        if (item->amount.nano > 0 && replicas > 0) {
            list->items[list->count++] =
                (struct usage){item->name, quota_times(item->amount.nano, replicas)};
        }
    }
}

static void
sum_up(struct usage_list *list)
{
    uint32_t kept = 0;

    qsort(list->items, list->count, sizeof(*list->items), usage_cmp);
    for (uint32_t i = 0; i < list->count; i++) {
        if (kept > 0 && str_eq(list->items[kept - 1].name, list->items[i].name)) {
            list->items[kept - 1].amount =
                quota_pin(list->items[kept - 1].amount + list->items[i].amount);
        } else {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

struct usage_list
quota_usage(const struct binding *binding, struct arena *arena)
{
    struct usage_list list = {.count = 0};
    size_t most = binding->requirements != NULL ? binding->requirements->request.count : 0;

    for (uint32_t i = 0; i < binding_rare(binding)->n_components; i++) {
        const struct requirements *requirements = binding_rare(binding)->components[i].requirements;

        most += requirements != NULL ? requirements->request.count : 0;
    }
    list.items = ARENA_ARRAY(arena, struct usage, most);
    if (binding_rare(binding)->n_components == 0) {
        add_usage(&list, binding->requirements, 1);
    }
    for (uint32_t i = 0; i < binding_rare(binding)->n_components; i++) {
        add_usage(&list, binding_rare(binding)->components[i].requirements,
                  binding_rare(binding)->components[i].replicas);
    }
    sum_up(&list);
    return list;
}

int64_t
quota_usage_count(const struct binding *binding, const struct target_list *targets)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < targets->count; i++) {
        sum += targets->items[i].replicas;
    }
    return binding_rare(binding)->n_components > 0 ? targets->count : sum;
}

int64_t
quota_copies(const struct binding *binding, int32_t replicas)
{
    return binding_is_set(binding) && replicas > 0 ? 1 : replicas;
}

static nanos128
amount_of(const struct component *component, const char *name)
{
    const struct quantity *amount =
        component->requirements != NULL
            ? resource_list_find(&component->requirements->request, name)
            : NULL;

    return amount != NULL && amount->nano > 0 ? quota_times(amount->nano, component->replicas) : 0;
}

/* Returns the amount of all components; 0 if a component before `first` also asks for it. */
static nanos128
amount_in_set(const struct binding *set, uint32_t first, const char *name)
{
    nanos128 sum = 0;

    for (uint32_t i = 0; i < binding_rare(set)->n_components; i++) {
        nanos128 amount = amount_of(&binding_rare(set)->components[i], name);

        if (i < first && amount > 0) {
            return 0;
        }
        sum = quota_pin(sum + amount);
    }
    return sum;
}

/* --- subjects --- */

static int
subject_cmp(const struct subject *a, const struct subject *b)
{
    int order = strcmp(a->namespace_, b->namespace_);

    if (order != 0) {
        return order;
    }
    if (a->cluster != b->cluster) {
        return a->cluster < b->cluster ? -1 : 1;
    }
    return a->counts_pods != b->counts_pods ? (a->counts_pods ? -1 : 1) : strcmp(a->name, b->name);
}

static int
limit_cmp(const void *a, const void *b)
{
    const struct quota_limit *x = a, *y = b;
    int order = subject_cmp(&x->subject, &y->subject);

    if (order == 0) {
        order = (x->quota > y->quota) - (x->quota < y->quota);
    }
    return order != 0 ? order : strcmp(x->hard->name, y->hard->name);
}

/* In a cluster, a ResourceQuota counts what pods request. Limits and other objects are unknown. */
static struct subject
subject_of(const struct quota *quota, uint32_t cluster, const char *name)
{
    static const char prefix[] = "requests.";
    struct subject subject = {.namespace_ = quota->namespace_, .cluster = cluster, .name = name};

    if (cluster == CLUSTER_NONE) {
        return subject;
    }
    if (str_eq(name, "pods") || str_eq(name, "count/pods")) {
        subject.counts_pods = true;
        subject.name = "";
    } else if (strncmp(name, prefix, sizeof(prefix) - 1) == 0) {
        subject.name = name + sizeof(prefix) - 1;
    }
    return subject;
}

static int
account_cmp(const void *key, const void *item)
{
    return subject_cmp(key, &((const struct quota_account *)item)->subject);
}

static int
namespace_cmp(const void *key, const void *item)
{
    return strcmp(key, ((const struct quota *)item)->namespace_);
}

/* Quotas are sorted by namespace. */
bool
quotas_concern(const struct quotas *quotas, const struct binding *binding)
{
    return quotas != NULL && binding->kind == BINDING_RESOURCE &&
           bsearch(binding->namespace_, quotas->list->items, quotas->list->count,
                   sizeof(quotas->list->items[0]), namespace_cmp) != NULL;
}

/* A subject without a limit has no account. */
static void
take_from(struct quotas *quotas, const struct subject *subject, nanos128 each, int64_t replicas,
          take_share *take, void *context)
{
    struct quota_account *account = bsearch(subject, quotas->accounts, quotas->n_accounts,
                                            sizeof(quotas->accounts[0]), account_cmp);

    if (account != NULL) {
        take(context, account, each, replicas);
    }
}

void
quota_accounts_overall(struct quotas *quotas, const struct binding *binding,
                       const struct usage_list *usage, int64_t count, take_share *take,
                       void *context)
{
    struct subject subject = {.namespace_ = binding->namespace_, .cluster = CLUSTER_NONE};

    for (uint32_t i = 0; i < usage->count; i++) {
        subject.name = usage->items[i].name;
        take_from(quotas, &subject, usage->items[i].amount, count, take, context);
    }
}

static void
take_of_set(struct quotas *quotas, struct subject *subject, const struct binding *set,
            int64_t copies, take_share *take, void *context)
{
    for (uint32_t i = 0; i < binding_rare(set)->n_components; i++) {
        const struct requirements *requirements = binding_rare(set)->components[i].requirements;
        uint32_t count = requirements != NULL ? requirements->request.count : 0;

        for (uint32_t j = 0; j < count; j++) {
            subject->name = requirements->request.items[j].name;
            nanos128 each = amount_in_set(set, i, subject->name);

            if (each > 0) {
                take_from(quotas, subject, each, copies, take, context);
            }
        }
    }
}

void
quota_accounts_in(struct quotas *quotas, const struct binding *binding, uint32_t cluster,
                  int64_t copies, take_share *take, void *context)
{
    struct subject subject = {.namespace_ = binding->namespace_, .cluster = cluster};
    bool is_set = binding_is_set(binding);
    uint32_t count = binding->requirements != NULL ? binding->requirements->request.count : 0;

    for (uint32_t i = 0; !is_set && i < count; i++) {
        const struct resource_quantity *item = &binding->requirements->request.items[i];

        subject.name = item->name;
        if (item->amount.nano > 0) {
            take_from(quotas, &subject, item->amount.nano, copies, take, context);
        }
    }
    if (is_set) {
        take_of_set(quotas, &subject, binding, copies, take, context);
    }
    if (!is_set || binding_rare(binding)->set_pods > 0) {
        subject.counts_pods = true;
        subject.name = "";
        take_from(quotas, &subject, quota_times(UNIT, is_set ? binding_rare(binding)->set_pods : 1),
                  copies, take, context);
    }
}

/* --- the accounts --- */

/* A quota's limits in one cluster or over all. */
struct quota_part {
    const struct quota *quota;
    uint32_t index;   /* of the quota */
    uint32_t cluster; /* CLUSTER_NONE: over all */
    const struct resource_list *hard, *used;
};

static void
add_limits(struct quota_limit *limits, uint32_t *count, const struct quota_part *part)
{
    for (uint32_t i = 0; i < part->hard->count; i++) {
        const struct resource_quantity *hard = &part->hard->items[i];
        const struct quantity *reported = resource_list_find(part->used, hard->name);

        limits[(*count)++] = (struct quota_limit){
            .subject = subject_of(part->quota, part->cluster, hard->name),
            .quota = part->index,
            .hard = hard,
            .reported = reported != NULL ? quota_pin(reported->nano) : 0,
        };
    }
}

/* Leaves out assignments to unknown clusters. */
static struct quota_limit *
gather_limits(struct arena *scratch, const struct quota_list *list, uint32_t *ret_count)
{
    size_t most = 0;

    for (uint32_t q = 0; q < list->count; q++) {
        most += list->items[q].overall.count;
        for (uint32_t i = 0; i < list->items[q].n_assignments; i++) {
            most += list->items[q].assignments[i].hard.count;
        }
    }
    struct quota_limit *limits = ARENA_ARRAY(scratch, struct quota_limit, most);

    for (uint32_t q = 0; q < list->count; q++) {
        const struct quota *quota = &list->items[q];

        add_limits(
            limits, ret_count,
            &(struct quota_part){quota, q, CLUSTER_NONE, &quota->overall, &quota->overall_used});
        for (uint32_t i = 0; i < quota->n_assignments; i++) {
            const struct quota_assignment *assignment = &quota->assignments[i];

            if (assignment->cluster != CLUSTER_NONE) {
                add_limits(limits, ret_count,
                           &(struct quota_part){quota, q, assignment->cluster, &assignment->hard,
                                                &assignment->used});
            }
        }
    }
    return limits;
}

static void
open_accounts(struct quotas *quotas, struct quota_limit *limits, uint32_t count)
{
    quotas->accounts = ARENA_ARRAY(quotas->arena, struct quota_account, count);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || subject_cmp(&limits[i].subject, &limits[i - 1].subject) != 0) {
            quotas->accounts[quotas->n_accounts++].subject = limits[i].subject;
        }
        limits[i].account = quotas->n_accounts - 1;
    }
}

static void
add_assigned(void *context, struct quota_account *account, nanos128 each, int64_t replicas)
{
    (void)context;
    account->assigned = quota_pin(account->assigned + quota_times(each, replicas));
}

static void
count_binding(struct quotas *quotas, struct arena *scratch, const struct binding *binding)
{
    const struct target_list *targets = &binding->clusters;

    if (!quotas_concern(quotas, binding)) {
        return;
    }
    struct usage_list usage = quota_usage(binding, scratch);

    quota_accounts_overall(quotas, binding, &usage, quota_usage_count(binding, targets),
                           add_assigned, NULL);
    for (uint32_t i = 0; i < targets->count; i++) {
        const struct target *target = &targets->items[i];

        if (target->cluster != CLUSTER_NONE) {
            quota_accounts_in(quotas, binding, target->cluster,
                              quota_copies(binding, target->replicas), add_assigned, NULL);
        }
    }
}

/* A quota's report may lag behind assigned replicas, and includes pods without a binding. So the
 * larger count holds. */
static nanos128
used_of(const struct quotas *quotas, const struct quota_limit *limit)
{
    nanos128 assigned = quotas->accounts[limit->account].assigned;

    return assigned > limit->reported ? assigned : limit->reported;
}

static void
find_tightest(const struct quotas *quotas, const struct quota_limit *limits, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct quota_account *account = &quotas->accounts[limits[i].account];
        nanos128 left = quota_pin(limits[i].hard->amount.nano) - used_of(quotas, &limits[i]);

        if (account->quota == NULL || left < account->left) {
            account->left = left;
            account->quota = &quotas->list->items[limits[i].quota];
            account->limit = limits[i].hard;
        }
    }
}

/* Returns, by quota, the first limit over all clusters that is exceeded. */
static struct overrun *
find_overruns(const struct quotas *quotas, struct arena *scratch, const struct quota_limit *limits,
              uint32_t count)
{
    struct overrun *overruns = ARENA_ARRAY(scratch, struct overrun, quotas->list->count);

    for (uint32_t i = 0; i < count; i++) {
        struct overrun *over = &overruns[limits[i].quota];
        nanos128 used = used_of(quotas, &limits[i]);

        if (limits[i].subject.cluster == CLUSTER_NONE && over->quota == NULL &&
            used > quota_pin(limits[i].hard->amount.nano)) {
            *over = (struct overrun){&quotas->list->items[limits[i].quota], limits[i].hard,
                                     &quotas->accounts[limits[i].account], used};
        }
    }
    return overruns;
}

static void
spread_overruns(const struct quotas *quotas, const struct overrun *overruns,
                const struct quota_limit *limits, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct quota_account *account = &quotas->accounts[limits[i].account];

        if (limits[i].subject.cluster == CLUSTER_NONE && account->over.quota == NULL) {
            account->over = overruns[limits[i].quota];
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
    struct arena *scratch = arena_new(), *of_binding = arena_new();
    uint32_t count = 0;

    quotas->arena = arena;
    quotas->list = &fleet->quotas;
    struct quota_limit *limits = gather_limits(scratch, quotas->list, &count);

    if (count > 1) {
        qsort(limits, count, sizeof(*limits), limit_cmp);
    }
    open_accounts(quotas, limits, count);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        count_binding(quotas, of_binding, &fleet->bindings[i]);
        arena_reset(of_binding);
    }
    find_tightest(quotas, limits, count);
    spread_overruns(quotas, find_overruns(quotas, scratch, limits, count), limits, count);
    arena_free(of_binding);
    arena_free(scratch);
    return quotas;
}
