/* SPDX-License-Identifier: Apache-2.0
 *
 * A drain against one PodDisruptionBudget: its steps are what somebody would see
 * who drains the cluster by hand, and asks the budget again after each.
 */
#include "ballast/base/str.h"
#include "ballast/simulate/simulate.h"
#include "check.h"
#include "planner_fixture.h"

#define WAVES_MAX 8

/* `share` of minAvailable, or of maxUnavailable: a number, or a percentage. */
struct drained_case {
    int replicas, ready;
    bool is_least, is_percent;
    int share;
    int status; /* -1: there is none */
};

struct by_hand {
    int stopped[WAVES_MAX];
    int n_waves, stays;
};

/* Pods that may be missing of those that are expected, so many of them ready. */
static int
asked(const struct drained_case *c, int expected, int ready)
{
    double pods = c->is_percent ? expected * c->share / 100.0 : c->share;
    int share = (int)pods < pods ? (int)pods + 1 : (int)pods;
    int wanted = c->is_least ? share : expected - share;

    wanted = wanted > 0 ? wanted : 0;
    return expected > 0 && ready > wanted ? ready - wanted : 0;
}

static struct by_hand
drain_by_hand(const struct drained_case *c)
{
    struct by_hand ret = {.stays = c->replicas};
    int ready = c->ready;

    for (bool is_first = true; ret.stays > 0; is_first = false) {
        int may = is_first && c->status >= 0 ? c->status : asked(c, ret.stays, ready);
        int unready = ret.stays - ready;
        int ends = unready + (may < ready ? may : ready);

        if (ends == 0 && !is_first) {
            break;
        }
        if (ends > 0) {
            ret.stopped[ret.n_waves++] = ends;
        }
        ready -= ends - unready;
        ret.stays -= ends;
    }
    return ret;
}

static void
add_fleet(struct small_fleet *f, const struct drained_case *c)
{
    char clusters[64], status[96] = "";

    small_fleet_cluster(f, "m1");
    add_cluster(f, "m2", 100);
    snprintf(clusters, sizeof(clusters), "{'name':'m1','replicas':%d}", c->replicas);
    add_web(f, c->replicas, clusters, DYNAMIC, "", REPORTED);
    small_fleet_deployment(f, "m1", "web", c->replicas, "v1");
    small_fleet_replica_set(f, "m1", "web", "v1", 60);
    small_fleet_pods(f, "m1", "ReplicaSet", "web-v1", (struct small_pods){c->ready, POD_READY, 60});
    small_fleet_pods(f, "m1", "ReplicaSet", "web-v1",
                     (struct small_pods){c->replicas - c->ready, POD_STARTING, 60});
    small_fleet_add(f, "",
                    "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate',"
                    "'resource':{'apiVersion':'apps/v1','kind':'Deployment'},'metadata':{"
                    "'namespace':'ns','name':'web'},'spec':{'template':{'metadata':{'labels':{"
                    "'app':'web'}},'spec':{'containers':[{'name':'c'}]}}}}");
    if (c->status >= 0) {
        snprintf(status, sizeof(status),
                 ",'status':{'observedGeneration':1,'disruptionsAllowed':%d}", c->status);
    }
    small_fleet_add(f, "m1",
                    "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{"
                    "'namespace':'ns','name':'web','generation':1},'spec':{'%s':%s%d%s,"
                    "'selector':{'matchLabels':{'app':'web'}}}%s}",
                    c->is_least ? "minAvailable" : "maxUnavailable", c->is_percent ? "'" : "",
                    c->share, c->is_percent ? "%'" : "", status);
}

static void
check_steps(const struct drained_case *c, const struct drain *drain)
{
    const struct by_hand want = drain_by_hand(c);
    bool same = drain->staying == want.stays && drain->n_steps == 2 * (unsigned)want.n_waves;

    for (int i = 0; same && i < want.n_waves; i++) {
        const struct drain_step *pair = &drain->steps[2 * (size_t)i];

        same = pair[0].replicas == want.stopped[i] && pair[1].replicas == want.stopped[i] &&
               pair[1].parts[0].replicas == want.stopped[i] && pair[1].ready >= drain->ready_now;
    }
    CHECK_MSG(same,
              "%d of %d ready, %s %d%s, status %d: %lld stay after %u steps and not %d after %d",
              c->ready, c->replicas, c->is_least ? "minAvailable" : "maxUnavailable", c->share,
              c->is_percent ? "%" : "", c->status, (long long)drain->staying, drain->n_steps,
              want.stays, 2 * want.n_waves);
    if (same && want.stays > 0) {
        CHECK_STR(drain->stays[0].code, "DisruptionBudget");
        CHECK_CONTAINS(drain->stays[0].message, "PodDisruptionBudget web never lets more go");
    }
    if (same && want.n_waves > 0) {
        CHECK_INT(drain->moves[0].wave, 0);
        CHECK_INT(drain->moves[0].last_wave, want.n_waves - 1);
    }
}

static void
check_case(const struct drained_case *c)
{
    static const struct change change = {.type = CHANGE_DRAIN, .text = "m1", .name = "m1"};
    const struct change_list changes = {&change, 1};
    struct changed_fleet changed;
    struct error err = ERROR_INIT;
    struct small_fleet f;

    small_fleet_open(&f);
    add_fleet(&f, c);
    if (small_fleet_diagnose(&f) &&
        CHECK_OK(fleet_change(f.arena, f.fleet, &changes, &f.policy, &changed, &err), err)) {
        check_steps(c, &simulate(f.arena, f.fleet, f.diagnosis, &changed, &f.policy, NULL)->drain);
    }
    small_fleet_close(&f);
}

static void
test_steps(void)
{
    static const struct {
        bool is_percent;
        int share;
    } shares[] = {{false, 0}, {false, 1}, {false, 2}, {false, 5},
                  {true, 0},  {true, 30}, {true, 50}, {true, 100}};

    for (int replicas = 1; replicas <= 5; replicas++) {
        for (int i = 0; i < 16 * 3 * (replicas + 1); i++) {
            const int status = i / 16 % 3;

            check_case(&(struct drained_case){
                .replicas = replicas,
                .ready = i / 48,
                .is_least = i % 2 == 0,
                .is_percent = shares[i / 2 % 8].is_percent,
                .share = shares[i / 2 % 8].share,
                .status = status - 1,
            });
        }
    }
}

void suite_drain_budgets(void);

void
suite_drain_budgets(void)
{
    check_suite("drain_budgets");
    check_test("steps", test_steps);
}
