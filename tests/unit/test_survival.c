/* SPDX-License-Identifier: Apache-2.0
 *
 * The certificate of survival: which replicas are homeless, which loss is the worst, and that
 * the number of workers changes nothing.
 */
#include "ballast/simulate/survival.h"

#include <stdatomic.h>

#include "ballast/base/str.h"
#include "check.h"
#include "planner_fixture.h"

#define CLUSTERS 24
#define BINDINGS 60
#define CPU ",'replicaRequirements':{'resourceRequest':{'cpu':'100m'}}"
#define PRIORITY ",'schedulePriority':{'priority':100}"

/* Clusters with little room, each in one of three regions. */
static void
add_fleet(struct small_fleet *f)
{
    char name[16], clusters[128];

    for (int i = 0; i < CLUSTERS; i++) {
        snprintf(name, sizeof(name), "m%02d", i);
        small_fleet_add(
            f, "",
            "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster','metadata':{'name':'%s'},"
            "'spec':{'region':'r%d'},'status':{'conditions':[{'type':'Ready','status':'True',"
            "'lastTransitionTime':'%s'}],'apiEnablements':[{'groupVersion':'apps/v1','resources':"
            "[{'kind':'Deployment','name':'deployments'}]}],'resourceSummary':{'allocatable':"
            "{'cpu':'%d00m','pods':'1000'}}}}",
            name, i % 3, ago(60), i % 3);
    }
    for (int i = 0; i < BINDINGS; i++) {
        snprintf(name, sizeof(name), "b%02d", i);
        snprintf(clusters, sizeof(clusters),
                 "{'name':'m%02d','replicas':%d},{'name':'m%02d','replicas':2}", i % CLUSTERS,
                 i % 4 + 1, (i + 7) % CLUSTERS);
        small_fleet_binding(f, name, i % 4 + 3, clusters, i % 6 == 0 ? CPU PRIORITY : CPU);
    }
}

static struct survival
survive(struct small_fleet *f, enum guard_group by, uint32_t count)
{
    const struct policy policy = simulation_policy(&f->policy, true);
    const struct workers workers = workers_threads(count);
    struct survival ret;

    CHECK(survival_of(f->arena, f->fleet, &policy, by, &workers, &ret));
    return ret;
}

static void
check_same(const struct survival *a, const struct survival *b)
{
    if (!CHECK_INT(a->n_losses, b->n_losses)) {
        return;
    }
    for (uint32_t i = 0; i < a->n_losses; i++) {
        const struct loss *x = &a->losses[i], *y = &b->losses[i];

        CHECK_STR(x->name, y->name);
        CHECK_INT(x->replicas, y->replicas);
        CHECK_INT(x->rehomed, y->rehomed);
        CHECK_INT(x->homeless, y->homeless);
        CHECK(memcmp(x->missing, y->missing, sizeof(x->missing)) == 0);
        for (uint32_t j = 0; CHECK_INT(x->n_items, y->n_items) && j < x->n_items; j++) {
            CHECK_INT(x->items[j].binding, y->items[j].binding);
            CHECK_INT(x->items[j].replicas, y->items[j].replicas);
            CHECK_STR(x->items[j].code, y->items[j].code);
            CHECK_STR(x->items[j].message, y->items[j].message);
        }
    }
}

static void
test_workers(void)
{
    static const uint32_t counts[] = {2, 3, 7, 64};
    struct small_fleet f;

    small_fleet_open(&f);
    add_fleet(&f);
    if (small_fleet_diagnose(&f)) {
        for (enum guard_group by = GUARD_BY_NONE; by <= GUARD_BY_REGION; by++) {
            const struct survival alone = survive(&f, by, 1);

            CHECK_INT(alone.n_losses, by == GUARD_BY_NONE ? CLUSTERS : 3);
            CHECK(alone.losses[0].homeless > 0);
            for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
                const struct survival several = survive(&f, by, counts[i]);

                check_same(&several, &alone);
            }
        }
    }
    small_fleet_close(&f);
}

static void
test_sums(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    add_fleet(&f);
    if (small_fleet_diagnose(&f)) {
        const struct survival survival = survive(&f, GUARD_BY_NONE, 2);
        uint32_t survived = 0;

        CHECK(survival_worst(&survival) == &survival.losses[0]);
        for (uint32_t i = 0; i < survival.n_losses; i++) {
            const struct loss *loss = &survival.losses[i];
            int64_t by_binding = 0, by_priority = 0;

            CHECK(i == 0 || loss->homeless <= survival.losses[i - 1].homeless);
            CHECK_INT(loss->rehomed + loss->homeless + loss->copies, loss->replicas);
            for (uint32_t j = 0; j < loss->n_items; j++) {
                by_binding += loss->items[j].replicas;
                CHECK(j == 0 || loss->items[j].priority <= loss->items[j - 1].priority);
            }
            for (uint32_t j = 0; j < loss->n_priorities; j++) {
                by_priority += loss->priorities[j].replicas;
            }
            CHECK_INT(by_binding, loss->homeless);
            CHECK_INT(by_priority, loss->homeless);
            survived += loss->homeless == 0 ? 1 : 0;
        }
        CHECK_INT(survival.n_survived, survived);
    }
    small_fleet_close(&f);
}

/* Clusters whose objects name no provider are in none that could be lost. */
static void
test_no_group(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    add_fleet(&f);
    if (small_fleet_diagnose(&f)) {
        const struct survival survival = survive(&f, GUARD_BY_PROVIDER, 2);

        CHECK_INT(survival.n_losses, 0);
        CHECK_INT(survival.n_ungrouped, survival.fleet->n_clusters);
        CHECK(survival_worst(&survival) == NULL);
    }
    small_fleet_close(&f);
}

static void
test_stopped(void)
{
    const struct workers workers = workers_threads(3);
    atomic_bool stop = true;
    struct survival survival;
    struct small_fleet f;

    small_fleet_open(&f);
    add_fleet(&f);
    if (small_fleet_diagnose(&f)) {
        struct policy policy = simulation_policy(&f.policy, true);

        policy.stop = &stop;
        CHECK(!survival_of(f.arena, f.fleet, &policy, GUARD_BY_NONE, &workers, &survival));
    }
    small_fleet_close(&f);
}

void suite_survival(void);

void
suite_survival(void)
{
    check_suite("survival");
    check_test("the number of workers changes nothing", test_workers);
    check_test("sums and order", test_sums);
    check_test("clusters in no group", test_no_group);
    check_test("stopped", test_stopped);
}
