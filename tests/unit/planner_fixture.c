/* SPDX-License-Identifier: Apache-2.0
 *
 * Small fleets for the suites of the planner.
 */
#include "planner_fixture.h"

#include "check.h"

/* A ready cluster with room for so many replicas of 100m. */
void
add_cluster(struct small_fleet *f, const char *name, int room)
{
    small_fleet_add(
        f, "",
        "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster','metadata':{'name':'%s'},"
        "'spec':{},'status':{'conditions':[{'type':'Ready','status':'True',"
        "'lastTransitionTime':'%s'}],'apiEnablements':[{'groupVersion':'apps/v1','resources':"
        "[{'kind':'Deployment','name':'deployments'}]}],'resourceSummary':{'allocatable':"
        "{'cpu':'%d00m','pods':'1000'}}}}",
        name, ago(60), room);
}

void
add_lost_cluster(struct small_fleet *f, const char *name)
{
    small_fleet_sick_cluster(f, name, "False", 20, "");
}

/* A Deployment ns/web of 100m a replica under the given placement. */
void
add_web(struct small_fleet *f, int replicas, const char *clusters, const char *placement,
        const char *more_spec, const char *more_status)
{
    small_fleet_add(f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'ns','name':'web','resourceVersion':'1'," OWNED_LABEL
                    "},'spec':{'resource':"
                    "{'apiVersion':'apps/v1','kind':'Deployment','name':'web','namespace':'ns'},"
                    "'replicaRequirements':{'resourceRequest':{'cpu':'100m'}},"
                    "'replicas':%d,'clusters':[%s],'placement':{%s}%s},'status':{%s}}",
                    replicas, clusters, placement, more_spec, more_status);
}

/* "m1=2 m3=4" */
const char *
show(const struct target_list *list, char text[256])
{
    size_t at = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < list->count; i++) {
        at += (size_t)snprintf(text + at, 256 - at, "%s%s=%d", i > 0 ? " " : "",
                               list->items[i].name, list->items[i].replicas);
    }
    return text;
}

const struct plan *
plan_all(struct small_fleet *f)
{
    struct ledger *ledger = ledger_new(f->arena, f->fleet, f->diagnosis, &f->policy);
    struct run_accounts *run_accounts =
        run_accounts_new(f->arena, f->fleet, f->diagnosis, &f->policy.limits);

    return plan_fleet(f->arena, f->fleet, f->diagnosis, &f->policy, ledger, run_accounts);
}

const struct decision *
plan_only(struct small_fleet *f)
{
    return plan_decision(f->arena, plan_all(f), f->fleet, 0);
}
