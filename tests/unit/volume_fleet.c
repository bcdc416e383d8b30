/* SPDX-License-Identifier: Apache-2.0
 *
 * See volume_fleet.h.
 */
#include "volume_fleet.h"

#include "ballast/capacity/ledger.h"
#include "check.h"

void
volume_fleet_open(struct small_fleet *f, const char *volumes)
{
    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_sick_cluster(f, "gone", "False", 30, "");
    for (int i = 0; i < 3; i++) {
        small_fleet_add(f, "m1",
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'%c','labels':{"
                        "'kubernetes.io/hostname':'%c','topology.kubernetes.io/zone':'%s'}},"
                        "'status':{'allocatable':{'cpu':'8','pods':'110'}}}",
                        'a' + i, 'a' + i, i < 2 ? "z1" : "z2");
    }
    small_fleet_binding(f, "web", 30, "{'name':'gone','replicas':30}",
                        ",'replicaRequirements':{'resourceRequest':{'cpu':'1'}}");
    small_fleet_add(f, "",
                    "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate','resource':{"
                    "'apiVersion':'apps/v1','kind':'Deployment'},'metadata':{'namespace':'ns',"
                    "'name':'web'},'spec':{'template':{'spec':{" CONTAINERS ",'volumes':[%s]}}}}",
                    volumes);
}

void
volume_fleet_pod(struct small_fleet *f, const char *name, const char *node, const char *volumes)
{
    small_fleet_add(f, "m1",
                    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'%s'},"
                    "'spec':{'nodeName':'%s','containers':[{'name':'c'}],'volumes':[%s]},"
                    "'status':{'phase':'Running'}}",
                    name, node, volumes);
}

int32_t
volume_fleet_room(struct small_fleet *f)
{
    int32_t room = -1;

    if (CHECK(small_fleet_diagnose(f))) {
        struct ledger *ledger = ledger_new(f->arena, f->fleet, f->diagnosis, &f->policy);

        room = ledger_available(ledger, fleet_find_cluster(f->fleet, "m1"),
                                f->fleet->bindings[0].requirements);
    }
    small_fleet_close(f);
    return room;
}
