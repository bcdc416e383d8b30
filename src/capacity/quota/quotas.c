/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers which capacity quotas leave and which splits they refuse, and charges them.
 */
#include "ballast/capacity/quotas.h"

#include <string.h>

#include "ballast/base/wide.h"
#include "quota_accounts.h"

struct quota_charge {
    struct quota_charge *next;
    struct quota_account *account;
    nanos128 amount;
};

/* --- capacity --- */

static const char *
name_bound(struct arena *arena, const struct quota *quota, const char *resource)
{
    return arena_printf(arena, "FederatedResourceQuota %s/%s: %s", quota->namespace_, quota->name,
                        resource);
}

struct tightest {
    int32_t room;
    const struct quota_account *account; /* NULL: none */
};

/* Orders equally tight accounts by quota, then by resource. */
static bool
comes_first(const struct quota_account *a, const struct quota_account *b)
{
    int order = strcmp(a->quota->name, b->quota->name);

    return order != 0 ? order < 0 : strcmp(a->limit->name, b->limit->name) < 0;
}

static void
bound_room(void *context, struct quota_account *account, nanos128 each, int64_t replicas)
{
    struct tightest *tightest = context;
    nanos128 left = account->left - account->charged;
    nanos128 room = left > 0 ? left / each : 0;

    (void)replicas;
    if (room < tightest->room || (room == tightest->room && tightest->account != NULL &&
                                  comes_first(account, tightest->account))) {
        *tightest = (struct tightest){pin_int32(room), account};
    }
}

int32_t
quotas_room(struct quotas *quotas, const struct binding *binding, uint32_t cluster,
            struct arena *arena, const char **ret_bound)
{
    struct tightest tightest = {.room = INT32_MAX};

    if (quotas_concern(quotas, binding)) {
        quota_accounts_in(quotas, binding, cluster, 1, bound_room, &tightest);
    }
    if (ret_bound != NULL) {
        *ret_bound = tightest.account != NULL
                         ? name_bound(arena, tightest.account->quota, tightest.account->limit->name)
                         : "";
    }
    return tightest.room;
}

/* --- over all clusters --- */

static const char *
refusal_text(struct arena *arena, const struct quota *quota, const struct resource_quantity *limit,
             nanos128 sum)
{
    struct quantity asked = {.nano = quota_pin(sum)};
    char of[QUANTITY_TEXT_MAX], text[QUANTITY_TEXT_MAX];

    return arena_printf(arena, "%s would be %s of %s", name_bound(arena, quota, limit->name),
                        quantity_format(asked, text), quantity_format(limit->amount, of));
}

struct quota_refusal {
    struct arena *arena;
    const char *text; /* NULL: none yet */
};

/* Karmada's webhook checks all limits of a quota, not only those whose usage grows. */
static void
refuse(void *context, struct quota_account *account, nanos128 each, int64_t more)
{
    struct quota_refusal *refusal = context;
    const struct overrun *over = &account->over;
    nanos128 asked = account->charged + quota_times(each, more);

    if (refusal->text != NULL) {
        return;
    }
    if (asked > account->left) {
        nanos128 used = quota_pin(account->limit->amount.nano) - account->left;

        refusal->text = refusal_text(refusal->arena, account->quota, account->limit, used + asked);
    } else if (over->quota != NULL) {
        refusal->text = refusal_text(refusal->arena, over->quota, over->limit,
                                     over->used + over->account->charged);
    }
}

const char *
quotas_refusal(struct quotas *quotas, const struct binding *binding,
               const struct target_list *before, const struct target_list *after,
               struct arena *arena)
{
    struct quota_refusal refusal = {.arena = arena};
    int64_t more = quota_usage_count(binding, after) - quota_usage_count(binding, before);

    if (more > 0 && quotas_concern(quotas, binding)) {
        struct usage_list usage = quota_usage(binding, arena);

        quota_accounts_overall(quotas, binding, &usage, more, refuse, &refusal);
    }
    return refusal.text;
}

/* --- charges --- */

struct charging {
    struct arena *arena;
    int64_t before; /* usage count; in one cluster: copies */
    struct quota_charge *charges;
};

/* A decrease frees nothing yet: its pods still have to stop. */
static void
charge(void *context, struct quota_account *account, nanos128 each, int64_t after)
{
    struct charging *charging = context;
    nanos128 more = quota_times(each, after) - quota_times(each, charging->before);

    if (more > 0) {
        struct quota_charge *charged = ARENA_NEW(charging->arena, struct quota_charge);

        *charged = (struct quota_charge){charging->charges, account, more};
        account->charged += more;
        charging->charges = charged;
    }
}

struct quota_charge *
quotas_charge(struct quotas *quotas, const struct binding *binding,
              const struct target_list *before, const struct target_list *after)
{
    if (!quotas_concern(quotas, binding)) {
        return NULL;
    }
    struct arena *scratch = arena_new();
    struct usage_list usage = quota_usage(binding, scratch);
    struct charging charging = {.arena = quotas->arena,
                                .before = quota_usage_count(binding, before)};

    quota_accounts_overall(quotas, binding, &usage, quota_usage_count(binding, after), charge,
                           &charging);
    for (uint32_t i = 0; i < after->count; i++) {
        const struct target *target = &after->items[i];
        const struct target *had = target_list_find(before, target->name);

        int64_t copies = quota_copies(binding, target->replicas);

        charging.before = had != NULL ? quota_copies(binding, had->replicas) : 0;
        if (target->cluster != CLUSTER_NONE && copies > charging.before) {
            quota_accounts_in(quotas, binding, target->cluster, copies, charge, &charging);
        }
    }
    arena_free(scratch);
    return charging.charges;
}

void
quotas_refund(struct quota_charge *charge)
{
    for (; charge != NULL; charge = charge->next) {
        charge->account->charged -= charge->amount;
    }
}
