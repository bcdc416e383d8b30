/* SPDX-License-Identifier: Apache-2.0
 *
 * The ledger: free capacity, less what this run gave out and what is in flight. Answers are cached
 * by requirements until a cluster's capacity changes.
 */
#include "ledger_parts.h"

#include <string.h>

#include "ballast/annotations/requirements_key.h"
#include "ballast/base/str.h"
#include "ballast/capacity/ledger_sums.h"
#include "ballast/schedule/estimate.h"
#include "ballast/schedule/workload_groups.h"
#include "capacity/nodes/device_claims.h"
#include "component_sets.h"

/* Refusals by kube-apiserver. */
#define SOURCE_LIMIT_RANGE "LimitRange"
#define SOURCE_QUOTA "ResourceQuota"

/* Apart, since few receipts have any. */
struct receipt_details {
    const struct status_taking *taken; /* by status; NULL: exactly the request */
    struct pod_fit_taking *placed;     /* by the template's rules, instead of parts */
    const char *set_key;               /* as in struct estimator_taking */
    int32_t sets;
    struct quota_charge *charge;  /* of quotas alone; NULL: none */
    const struct binding *member; /* of its groups alone; NULL: none */
    bool is_growth;               /* parts are of nodes to be added */
};

/* Small: the plan keeps one for each decision and cluster. */
struct ledger_receipt {
    uint32_t cluster;
    int32_t replicas;
    const struct requirements *requirements; /* NULL: not of a cluster */
    const struct requirements *asked;        /* as pods ask */
    const struct room_taken *parts;          /* from nodes; NULL: from none */
    const struct receipt_details *details;   /* NULL: none */
};

static const char *
key_of(struct ledger *ledger, const struct requirements *requirements)
{
    uint32_t slot = requirements != NULL ? requirements->id + 1 : 0;

    if (slot >= ledger->n_keys) { /* read after the ledger was made */
        return requirements_key(ledger->arena, requirements);
    }
    if (ledger->keys[slot] == NULL) {
        ledger->keys[slot] = requirements_key(ledger->arena, requirements);
    }
    return ledger->keys[slot];
}

/* True if the template's rules decide where replicas fit. */
static bool
decides(const struct cluster_account *account, const struct requirements *asked)
{
    return account->fit != NULL && pod_fit_concerns(account->fit, asked) &&
           !ledger_is_too_costly(account, asked);
}

int32_t
ledger_fit_on_nodes(const struct cluster_account *account, const struct requirements *asked,
                    struct kept_fit *kept)
{
    return decides(account, asked) ? pod_fit_count(account->fit, asked)
                                   : node_pools_fit_again(account->rooms, asked, kept);
}

/* The smallest answer so far. An answer below 0 abstains. */
struct smallest {
    bool known;
    int32_t available;
    const char *source;
};

static void
heed(struct smallest *smallest, int32_t answer, const char *source)
{
    if (answer >= 0 && (!smallest->known || answer <= smallest->available)) {
        *smallest = (struct smallest){true, answer, source};
    }
}

/* kube-apiserver may admit fewer than fit. */
static void
admit(const struct cluster_account *account, const struct requirements *asked,
      struct smallest *smallest)
{
    int32_t admitted = account->quotas != NULL ? member_quotas_room(account->quotas, asked) : -1;

    if (account->as_pods != NULL && asked->pod_template != NULL &&
        admission_refuses(account->member, asked->pod_template)) {
        *smallest = (struct smallest){smallest->known, 0, SOURCE_LIMIT_RANGE};
    } else if (admitted >= 0 && admitted < smallest->available) {
        *smallest = (struct smallest){smallest->known, admitted, SOURCE_QUOTA};
    }
}

/* Known nodes and pods make the summary redundant; it is coarser and later. */
static bool
do_nodes_decide(const struct cluster_account *account)
{
    return account->rooms != NULL && account->member->has_pods;
}

/* Without a summary the status abstains; if all sources do, capacity is 0, as in Karmada. */
static struct smallest
by_status(const struct ledger *ledger, const struct cluster_account *account, int32_t available)
{
    if (do_nodes_decide(account)) {
        return (struct smallest){.source = ""};
    }
    return (struct smallest){
        .known = status_room_tells(account->status) || !ledger->protects,
        .available = available,
        .source = status_room_source(account->status),
    };
}

/* `kept`: the last answer of the nodes, updated. */
static struct smallest
estimate(struct ledger *ledger, struct cluster_account *account,
         const struct requirements *requirements, struct kept_fit *kept)
{
    const struct requirements *asked = ledger_as_pods_ask(ledger, account, requirements);

    if (ledger->protects && device_claims_are_asked(asked)) {
        return (struct smallest){.known = true, .source = LEDGER_SOURCE_DEVICES};
    }
    if (ledger_is_too_costly(account, asked)) {
        return (struct smallest){.known = true, .source = LEDGER_SOURCE_COSTLY};
    }
    struct smallest smallest =
        by_status(ledger, account,
                  status_room_available(account->status, requirements != NULL ? asked : NULL));

    if (account->estimator != NULL) {
        heed(&smallest, estimator_room_available(account->estimator, key_of(ledger, requirements)),
             "estimator");
    }
    if (account->rooms != NULL) {
        heed(&smallest, ledger_fit_on_nodes(account, asked, kept), "nodes");
    }
    admit(account, asked, &smallest);
    if (smallest.available == 0 && account->rooms != NULL &&
        device_claims_may_serve(&ledger->fleet->clusters[account->member->cluster], account->member,
                                asked)) {
        smallest.source = LEDGER_SOURCE_DEVICES;
    }
    return smallest;
}

static int32_t
room_of(struct ledger *ledger, uint32_t cluster, const struct requirements *requirements,
        const char **ret_source)
{
    struct cluster_account *account = &ledger->accounts[cluster];

    if (requirements != NULL && requirements->is_absent && !ledger->protects) {
        requirements = NULL; /* the binding itself has none */
    }
    ledger_open_account(ledger, cluster);
    uint32_t slot = requirements != NULL ? (requirements->id + 1) & account->cache_mask : 0;
    struct cache_entry *entry = &account->cache[slot];

    if (entry->stamp != account->stamp || entry->requirements != requirements) {
        struct kept_fit nodes = {.n_seen = 0};

        if (entry->requirements == requirements) {
            nodes = entry->nodes;
        }
        struct smallest smallest = estimate(ledger, account, requirements, &nodes);

        *entry = (struct cache_entry){
            .requirements = requirements,
            .stamp = account->stamp,
            .available = smallest.available,
            .source = smallest.source,
            .nodes = nodes,
        };
    }
    *ret_source = entry->source;
    return entry->available;
}

int32_t
ledger_available(struct ledger *ledger, uint32_t cluster, const struct requirements *requirements)
{
    const char *source;

    return room_of(ledger, cluster, requirements, &source);
}

static const char *
set_key_of(struct arena *arena, const struct binding *set)
{
    return component_set_key(arena, set->resource.namespace_, binding_rare(set)->components,
                             binding_rare(set)->n_components);
}

/* Does for sets what estimate() does for replicas. */
static struct smallest
estimate_sets(struct ledger *ledger, struct cluster_account *account, const struct binding *set)
{
    if (ledger->protects && device_claims_are_of_set(set)) {
        return (struct smallest){.known = true, .source = LEDGER_SOURCE_DEVICES};
    }
    bool has_summary = status_room_tells(account->status);
    struct arena *scratch = arena_new();
    struct smallest smallest = by_status(
        ledger, account,
        has_summary ? status_room_sets(account->status, scratch, set, LEDGER_SETS_MAX) : 0);

    if (account->estimator != NULL && estimator_room_tells_sets(account->estimator)) {
        heed(&smallest, estimator_room_sets(account->estimator, set_key_of(scratch, set)),
             "estimator");
    }
    if (account->rooms != NULL && (!smallest.known || smallest.available > 0)) {
        int32_t most = smallest.known && smallest.available < LEDGER_SETS_MAX ? smallest.available
                                                                              : LEDGER_SETS_MAX;

        heed(&smallest, component_sets_on_nodes(scratch, account->rooms, set, most), "nodes");
    }
    arena_free(scratch);
    return smallest;
}

int32_t
ledger_room_for(struct ledger *ledger, uint32_t cluster, const struct binding *binding,
                const char **ret_source)
{
    if (!binding_is_set(binding)) {
        return room_of(ledger, cluster, binding->requirements, ret_source);
    }
    ledger_open_account(ledger, cluster);
    struct smallest smallest = estimate_sets(ledger, &ledger->accounts[cluster], binding);

    *ret_source = smallest.source;
    return smallest.available;
}

/* Returns the capacity by one requested resource, or (NULL) by pods, without the estimator. */
static int32_t
room_by(struct ledger *ledger, const struct cluster_account *account,
        const struct requirements *requirements, const struct resource_quantity *resource)
{
    struct cluster_account unasked = *account;
    struct requirements alone = *requirements;
    struct kept_fit nothing_kept = {.n_seen = 0};

    unasked.estimator = NULL;
    unasked.fit = NULL;
    unasked.quotas = NULL;
    alone.pod_template = NULL;
    alone.request = (struct resource_list){
        .items = resource, .count = resource != NULL ? 1 : 0, .present = true};
    return estimate(ledger, &unasked, &alone, &nothing_kept).available;
}

void
ledger_room_bound(struct ledger *ledger, uint32_t cluster, const struct binding *binding,
                  struct room_bound *ret)
{
    struct cluster_account *account = &ledger->accounts[cluster];
    const char *source;

    *ret = (struct room_bound){.resource = ""};
    ledger_open_account(ledger, cluster);
    const struct requirements *requirements =
        ledger_as_pods_ask(ledger, account, binding->requirements);

    if (binding_is_set(binding)) {
        return;
    }
    if (account->rooms != NULL) {
        ret->has_nodes = true;
        node_pools_count(account->rooms, requirements, ret);
    }
    int32_t room = room_of(ledger, cluster, binding->requirements, &source);

    if (str_eq(source, "estimator") || room == INT32_MAX) {
        return;
    }
    if (str_eq(source, SOURCE_LIMIT_RANGE) || str_eq(source, SOURCE_QUOTA)) {
        ret->resource = source;
        return;
    }
    int32_t least = room_by(ledger, account, requirements, NULL);

    ret->resource = "pods";
    for (uint32_t i = 0; i < requirements->request.count; i++) {
        const struct resource_quantity *item = &requirements->request.items[i];
        int32_t by = room_by(ledger, account, requirements, item);

        if (by < least) {
            least = by;
            ret->resource = item->name;
        }
    }
    ret->is_together = least > room;
    const char *plugin =
        decides(account, requirements) ? pod_fit_refusal(account->fit, requirements) : NULL;

    if (plugin != NULL) {
        ret->resource = plugin;
        ret->is_together = false;
    }
}

static int32_t
available_port(void *context, uint32_t cluster, const struct requirements *requirements)
{
    return ledger_available(context, cluster, requirements);
}

struct capacity
ledger_capacity(struct ledger *ledger)
{
    return (struct capacity){.available = available_port, .context = ledger};
}

static const struct receipt_details *
keep_details(struct arena *arena, const struct receipt_details *details)
{
    static const struct receipt_details none;
    bool is_plain = details->taken == none.taken && details->placed == none.placed &&
                    details->set_key == none.set_key && details->sets == none.sets &&
                    !details->is_growth;

    return is_plain ? NULL : arena_memdup(arena, details, sizeof(*details));
}

struct ledger_receipt *
ledger_take_in(struct ledger *ledger, struct arena *arena, uint32_t cluster,
               struct estimator_taking taking)
{
    struct cluster_account *account = &ledger->accounts[cluster];
    struct receipt_details details = {.set_key = taking.set_key, .sets = taking.sets};
    const struct room_taken *parts = NULL;

    if (taking.requirements == NULL) {
        taking.requirements = &ledger_no_requirements;
    }
    ledger_open_account(ledger, cluster);
    const struct requirements *asked = ledger_as_pods_ask(ledger, account, taking.requirements);

    details.taken = status_room_take(account->status, arena, asked, taking.replicas);
    if (decides(account, asked)) {
        details.placed = pod_fit_take(account->fit, arena, asked, taking.replicas);
    } else if (account->rooms != NULL) {
        parts = node_pools_take(account->rooms, arena, asked, taking.replicas);
    }
    if (account->estimator != NULL) {
        estimator_room_give_out(account->estimator, &taking, 1);
    }
    if (account->quotas != NULL) {
        member_quotas_take(account->quotas, asked, taking.replicas);
    }
    ledger_count_given(ledger, account, &taking, 1);
    account->stamp++;
    const struct ledger_receipt receipt = {
        .cluster = cluster,
        .replicas = taking.replicas,
        .requirements = taking.requirements,
        .asked = asked,
        .parts = parts,
        .details = keep_details(arena, &details),
    };

    return arena_memdup(arena, &receipt, sizeof(receipt));
}

struct ledger_receipt *
ledger_take(struct ledger *ledger, uint32_t cluster, const struct requirements *requirements,
            int32_t replicas)
{
    const struct estimator_taking taking = {.requirements = requirements, .replicas = replicas};

    return ledger->protects && replicas > 0 ? ledger_take_in(ledger, ledger->arena, cluster, taking)
                                            : NULL;
}

struct ledger_receipt *
ledger_take_component(struct ledger *ledger, uint32_t cluster, const struct binding *set,
                      uint32_t component)
{
    const struct component *wanted = &binding_rare(set)->components[component];

    if (!ledger->protects) {
        return NULL;
    }
    ledger_open_account(ledger, cluster);
    struct estimator_room *estimator = ledger->accounts[cluster].estimator;
    bool is_told = estimator != NULL && estimator_room_tells_sets(estimator);
    const struct estimator_taking taking = {
        .requirements = wanted->requirements,
        .replicas = wanted->replicas,
        .set_key = is_told ? set_key_of(ledger->arena, set) : NULL,
        .sets = component == 0 ? 1 : 0,
    };

    return ledger_take_in(ledger, ledger->arena, cluster, taking);
}

struct ledger_receipt *
ledger_take_growth(struct ledger *ledger, uint32_t cluster, const struct requirements *requirements,
                   int32_t replicas)
{
    struct node_pools *pools = replicas > 0 ? ledger_growth_pools(ledger, cluster) : NULL;
    struct cluster_account *account = &ledger->accounts[cluster];
    const struct requirements *asked = ledger_as_pods_ask(ledger, account, requirements);

    if (pools == NULL) {
        return NULL;
    }
    if (account->quotas != NULL) {
        member_quotas_take(account->quotas, asked, replicas);
        account->stamp++;
    }
    const struct ledger_receipt receipt = {
        .cluster = cluster,
        .replicas = replicas,
        .requirements = requirements != NULL ? requirements : &ledger_no_requirements,
        .asked = asked,
        .parts = node_pools_take(pools, ledger->arena, asked, replicas),
        .details = keep_details(ledger->arena, &(struct receipt_details){.is_growth = true}),
    };

    return arena_memdup(ledger->arena, &receipt, sizeof(receipt));
}

struct quotas *
ledger_quotas(struct ledger *ledger)
{
    return ledger->quotas;
}

/* Returns a receipt that is not of a cluster. */
static struct ledger_receipt *
receipt_of(struct ledger *ledger, const struct receipt_details *details)
{
    struct ledger_receipt *receipt = ARENA_NEW(ledger->arena, struct ledger_receipt);

    receipt->details = arena_memdup(ledger->arena, details, sizeof(*details));
    return receipt;
}

struct ledger_receipt *
ledger_charge_quotas(struct ledger *ledger, const struct binding *binding,
                     const struct target_list *before, const struct target_list *after)
{
    struct quota_charge *charge = quotas_charge(ledger->quotas, binding, before, after);

    return charge != NULL ? receipt_of(ledger, &(struct receipt_details){.charge = charge}) : NULL;
}

struct workload_groups *
ledger_groups(struct ledger *ledger)
{
    return ledger->groups;
}

struct ledger_receipt *
ledger_enter_group(struct ledger *ledger, const struct binding *binding,
                   const struct target_list *targets)
{
    return workload_groups_give(ledger->groups, binding, targets)
               ? receipt_of(ledger, &(struct receipt_details){.member = binding})
               : NULL;
}

bool
ledger_receipt_of_sum(const struct ledger_receipt *receipt, uint32_t *ret_cluster,
                      int32_t *ret_replicas)
{
    if (receipt == NULL || receipt->details != NULL || receipt->parts != NULL) {
        return false;
    }
    *ret_cluster = receipt->cluster;
    *ret_replicas = receipt->replicas;
    return true;
}

static void
give_room_back(struct ledger *ledger, const struct ledger_receipt *receipt,
               const struct receipt_details *details)
{
    struct cluster_account *account = &ledger->accounts[receipt->cluster];

    if (details->is_growth) {
        node_pools_give_back(account->growth, receipt->parts);
        if (account->quotas != NULL) {
            member_quotas_take(account->quotas, receipt->asked, -receipt->replicas);
        }
        account->stamp++;
        return;
    }
    const struct estimator_taking taking = {receipt->requirements, receipt->replicas,
                                            details->set_key, details->sets};

    status_room_give_back(account->status, receipt->asked, receipt->replicas, details->taken);
    if (details->placed != NULL) {
        pod_fit_give_back(account->fit, details->placed);
    } else if (account->rooms != NULL) {
        node_pools_give_back(account->rooms, receipt->parts);
    }
    if (account->estimator != NULL) {
        estimator_room_give_out(account->estimator, &taking, -1);
    }
    if (account->quotas != NULL) {
        member_quotas_take(account->quotas, receipt->asked, -receipt->replicas);
    }
    ledger_count_given(ledger, account, &taking, -1);
    account->stamp++;
}

void
ledger_give_back(struct ledger *ledger, struct ledger_receipt *receipt)
{
    static const struct receipt_details none;

    if (receipt == NULL) {
        return;
    }
    const struct receipt_details *details = receipt->details != NULL ? receipt->details : &none;

    if (details->charge != NULL) {
        quotas_refund(details->charge);
    } else if (details->member != NULL) {
        workload_groups_take_back(ledger->groups, details->member);
    } else {
        give_room_back(ledger, receipt, details);
    }
}

struct ledger *
ledger_new(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
           const struct policy *policy)
{
    return ledger_new_about(arena, fleet, diagnosis, policy, NULL);
}

struct ledger *
ledger_new_about(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
                 const struct policy *policy, const bool *about)
{
    struct ledger *ledger = ARENA_NEW(arena, struct ledger);

    ledger->arena = arena;
    ledger->fleet = fleet;
    ledger->policy = policy;
    ledger->quotas = quotas_new(arena, fleet);
    ledger->groups = workload_groups_new(arena, fleet, policy->reschedule_all);
    ledger->protects = policy->overcommit_protection;
    ledger->n_keys = fleet->n_requirements + 1;
    ledger->keys = ARENA_ARRAY(arena, const char *, ledger->n_keys);
    ledger->as_pods = template_requests_new(arena, fleet, NULL);
    ledger->unfolds = template_requests_matter(fleet, diagnosis, policy, about);
    ledger->accounts = ARENA_ARRAY(arena, struct cluster_account, fleet->n_clusters);
    if (ledger->protects) {
        ledger_take_in_flight(ledger, diagnosis);
    }
    ledger->counts_given = true;
    return ledger;
}
