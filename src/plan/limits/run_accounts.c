/* SPDX-License-Identifier: Apache-2.0
 *
 * The accounts of a run: one for the run, one a namespace, one a cluster.
 */
#include "ballast/plan/run_accounts.h"

#include <string.h>

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "disruptions.h"

/* The accounts of the run, or of a namespace. */
struct place_accounts {
    const char *namespace_; /* NULL: of the run */
    struct limit_account replicas, bindings;
};

struct run_accounts {
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
last_namespace(struct run_accounts *run_accounts, const char *name)
{
    if (run_accounts->n_namespaces == 0 ||
        !str_eq(run_accounts->namespaces[run_accounts->n_namespaces - 1].namespace_, name)) {
        run_accounts->namespaces[run_accounts->n_namespaces++].namespace_ = name;
    }
    return &run_accounts->namespaces[run_accounts->n_namespaces - 1];
}

static void
count_binding(struct run_accounts *run_accounts, const struct binding *binding,
              struct place_accounts *namespace_)
{
    run_accounts->run.bindings.whole++;
    namespace_->bindings.whole++;
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];

        run_accounts->run.replicas.whole += target->replicas;
        namespace_->replicas.whole += target->replicas;
        if (target->cluster != CLUSTER_NONE) {
            run_accounts->sources[target->cluster].whole += target->replicas;
        }
    }
}

static void
open_account(struct limit_account *account, const struct limits *limits, enum limit_rule rule)
{
    account->allowed = limit_allows(&limits->of[rule], account->whole);
}

static void
open_accounts(struct run_accounts *run_accounts, const struct fleet *fleet,
              const struct limits *limits)
{
    open_account(&run_accounts->run.replicas, limits, LIMIT_RUN_REPLICAS);
    open_account(&run_accounts->run.bindings, limits, LIMIT_RUN_BINDINGS);
    for (uint32_t i = 0; i < run_accounts->n_namespaces; i++) {
        open_account(&run_accounts->namespaces[i].replicas, limits, LIMIT_NAMESPACE_REPLICAS);
        open_account(&run_accounts->namespaces[i].bindings, limits, LIMIT_NAMESPACE_BINDINGS);
    }
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        run_accounts->destinations[i].whole = run_accounts->sources[i].whole;
        open_account(&run_accounts->sources[i], limits, LIMIT_SOURCE_REPLICAS);
        open_account(&run_accounts->destinations[i], limits, LIMIT_DESTINATION_REPLICAS);
    }
}

struct run_accounts *
run_accounts_new(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
                 const struct limits *limits)
{
    struct run_accounts *run_accounts = ARENA_NEW(arena, struct run_accounts);
    uint32_t n_namespaces = 0;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        n_namespaces +=
            i == 0 || !str_eq(fleet->bindings[i].namespace_, fleet->bindings[i - 1].namespace_);
    }
    run_accounts->namespaces = ARENA_ARRAY(arena, struct place_accounts, n_namespaces);
    run_accounts->sources = ARENA_ARRAY(arena, struct limit_account, fleet->n_clusters);
    run_accounts->destinations = ARENA_ARRAY(arena, struct limit_account, fleet->n_clusters);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        struct place_accounts *namespace_ =
            last_namespace(run_accounts, fleet->bindings[i].namespace_);

        if (is_counted(diagnosis, i)) {
            count_binding(run_accounts, &fleet->bindings[i], namespace_);
        }
    }
    open_accounts(run_accounts, fleet, limits);
    run_accounts->disruptions = disruptions_new(arena, fleet, diagnosis);
    return run_accounts;
}

struct disruptions *
run_disruptions(struct run_accounts *run_accounts)
{
    return run_accounts->disruptions;
}

void
run_drain_in_steps(struct run_accounts *run_accounts, struct drain_allowance *const *by_binding)
{
    if (run_accounts->disruptions != NULL) {
        disruptions_go_in_steps(run_accounts->disruptions, by_binding);
    }
}

static struct place_accounts *
find_namespace(struct run_accounts *run_accounts, const char *name)
{
    uint32_t found = names_find(run_accounts->namespaces, sizeof(run_accounts->namespaces[0]),
                                run_accounts->n_namespaces, name);

    if (found == NAME_NONE) {
        BUG("namespace %s is not in the fleet of the run", name);
    }
    return &run_accounts->namespaces[found];
}

struct limit_account *
run_account(struct run_accounts *run_accounts, enum limit_rule rule, const char *namespace_,
            uint32_t cluster)
{
    switch (rule) {
    case LIMIT_RUN_REPLICAS:
        return &run_accounts->run.replicas;
    case LIMIT_RUN_BINDINGS:
        return &run_accounts->run.bindings;
    case LIMIT_NAMESPACE_REPLICAS:
        return &find_namespace(run_accounts, namespace_)->replicas;
    case LIMIT_NAMESPACE_BINDINGS:
        return &find_namespace(run_accounts, namespace_)->bindings;
    case LIMIT_SOURCE_REPLICAS:
        return cluster == CLUSTER_NONE ? NULL : &run_accounts->sources[cluster];
    case LIMIT_DESTINATION_REPLICAS:
        return cluster == CLUSTER_NONE ? NULL : &run_accounts->destinations[cluster];
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
charges_spend(const struct charge *charges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        charges[i].account->spent += charges[i].amount;
    }
}

void
charges_give_back(const struct charge *charges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        charges[i].account->spent -= charges[i].amount;
    }
}
