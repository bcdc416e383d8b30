/* SPDX-License-Identifier: Apache-2.0
 *
 * The accounts of a run: one for the run, one a namespace, one a cluster.
 */
#include "ballast/plan/budget.h"

#include <string.h>

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "disruptions.h"

/* The accounts of the run, or of a namespace. */
struct place_accounts {
    const char *namespace_; /* NULL: of the run */
    struct limit_account replicas, bindings;
};

struct budget {
    struct place_accounts run;
    struct place_accounts *namespaces; /* sorted by name */
    uint32_t n_namespaces;
    struct limit_account *sources, *destinations; /* by cluster */
    struct disruptions *disruptions;
};

static bool
is_counted(const struct diagnosis *diagnosis, uint32_t binding)
{
    enum left_alone left_alone = diagnosis->bindings[binding].left_alone;

    return left_alone != LEFT_ALONE_DELETING && left_alone != LEFT_ALONE_OUT_OF_SCOPE;
}

static struct place_accounts *
last_namespace(struct budget *budget, const char *name)
{
    if (budget->n_namespaces == 0 ||
        !str_eq(budget->namespaces[budget->n_namespaces - 1].namespace_, name)) {
        budget->namespaces[budget->n_namespaces++].namespace_ = name;
    }
    return &budget->namespaces[budget->n_namespaces - 1];
}

static void
count_binding(struct budget *budget, const struct binding *binding,
              struct place_accounts *namespace_)
{
    budget->run.bindings.whole++;
    namespace_->bindings.whole++;
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];

        budget->run.replicas.whole += target->replicas;
        namespace_->replicas.whole += target->replicas;
        if (target->cluster != CLUSTER_NONE) {
            budget->sources[target->cluster].whole += target->replicas;
        }
    }
}

static void
open_account(struct limit_account *account, const struct limits *limits, enum limit_rule rule)
{
    account->allowed = limit_allows(&limits->of[rule], account->whole);
}

static void
open_accounts(struct budget *budget, const struct fleet *fleet, const struct limits *limits)
{
    open_account(&budget->run.replicas, limits, LIMIT_RUN_REPLICAS);
    open_account(&budget->run.bindings, limits, LIMIT_RUN_BINDINGS);
    for (uint32_t i = 0; i < budget->n_namespaces; i++) {
        open_account(&budget->namespaces[i].replicas, limits, LIMIT_NAMESPACE_REPLICAS);
        open_account(&budget->namespaces[i].bindings, limits, LIMIT_NAMESPACE_BINDINGS);
    }
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        budget->destinations[i].whole = budget->sources[i].whole;
        open_account(&budget->sources[i], limits, LIMIT_SOURCE_REPLICAS);
        open_account(&budget->destinations[i], limits, LIMIT_DESTINATION_REPLICAS);
    }
}

struct budget *
budget_new(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
           const struct limits *limits)
{
    struct budget *budget = ARENA_NEW(arena, struct budget);
    uint32_t n_namespaces = 0;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        n_namespaces +=
            i == 0 || !str_eq(fleet->bindings[i].namespace_, fleet->bindings[i - 1].namespace_);
    }
    budget->namespaces = ARENA_ARRAY(arena, struct place_accounts, n_namespaces);
    budget->sources = ARENA_ARRAY(arena, struct limit_account, fleet->n_clusters);
    budget->destinations = ARENA_ARRAY(arena, struct limit_account, fleet->n_clusters);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        struct place_accounts *namespace_ = last_namespace(budget, fleet->bindings[i].namespace_);

        if (is_counted(diagnosis, i)) {
            count_binding(budget, &fleet->bindings[i], namespace_);
        }
    }
    open_accounts(budget, fleet, limits);
    budget->disruptions = disruptions_new(arena, fleet, diagnosis);
    return budget;
}

struct disruptions *
budget_disruptions(struct budget *budget)
{
    return budget->disruptions;
}

void
budget_drain_in_steps(struct budget *budget, struct drain_allowance *const *by_binding)
{
    if (budget->disruptions != NULL) {
        disruptions_go_in_steps(budget->disruptions, by_binding);
    }
}

static struct place_accounts *
find_namespace(struct budget *budget, const char *name)
{
    uint32_t found =
        names_find(budget->namespaces, sizeof(budget->namespaces[0]), budget->n_namespaces, name);

    if (found == NAME_NONE) {
        BUG("namespace %s is not in the fleet of the budget", name);
    }
    return &budget->namespaces[found];
}

struct limit_account *
budget_account(struct budget *budget, enum limit_rule rule, const char *namespace_,
               uint32_t cluster)
{
    switch (rule) {
    case LIMIT_RUN_REPLICAS:
        return &budget->run.replicas;
    case LIMIT_RUN_BINDINGS:
        return &budget->run.bindings;
    case LIMIT_NAMESPACE_REPLICAS:
        return &find_namespace(budget, namespace_)->replicas;
    case LIMIT_NAMESPACE_BINDINGS:
        return &find_namespace(budget, namespace_)->bindings;
    case LIMIT_SOURCE_REPLICAS:
        return cluster == CLUSTER_NONE ? NULL : &budget->sources[cluster];
    case LIMIT_DESTINATION_REPLICAS:
        return cluster == CLUSTER_NONE ? NULL : &budget->destinations[cluster];
    case LIMIT_WORKLOAD_IN_MOTION:
    case N_LIMIT_RULES:
        break;
    }
    BUG("no account is kept of %s", limit_rule_key(rule));
}

int64_t
account_left(const struct limit_account *account)
{
    if (account->allowed == LIMIT_OPEN) {
        return LIMIT_OPEN;
    }
    return account->allowed > account->spent ? account->allowed - account->spent : 0;
}

int64_t
account_left_for_whole(const struct limit_account *account)
{
    return account->allowed > 0 && account->spent == 0 ? LIMIT_OPEN : account_left(account);
}

void
budget_spend(const struct charge *charges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        charges[i].account->spent += charges[i].amount;
    }
}

void
budget_give_back(const struct charge *charges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        charges[i].account->spent -= charges[i].amount;
    }
}
