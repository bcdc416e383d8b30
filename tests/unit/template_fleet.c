/* SPDX-License-Identifier: Apache-2.0
 *
 * See template_fleet.h.
 */
#include "template_fleet.h"

void
template_fleet_open(struct small_fleet *f, const char *web_spec, const char *api_spec)
{
    static const char *const names[] = {"web", "api"};
    const char *const specs[] = {web_spec, api_spec};

    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_sick_cluster(f, "gone", "False", 30, "");
    for (int i = 0; i < 2; i++) {
        small_fleet_add(f, "m1",
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'%c','labels':{"
                        "'kubernetes.io/hostname':'%c','zone':'z'}},'status':{'allocatable':{"
                        "'cpu':'8','pods':'110'}}}",
                        'a' + i, 'a' + i);
        small_fleet_binding(f, names[i], 4, "{'name':'gone','replicas':4}",
                            ",'replicaRequirements':{'resourceRequest':{'cpu':'1'}}");
        small_fleet_add(f, "",
                        "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate','resource':{"
                        "'apiVersion':'apps/v1','kind':'Deployment'},'metadata':{'namespace':'ns',"
                        "'name':'%s'},'spec':{'template':{'metadata':{'labels':{'app':'%s'}},"
                        "'spec':{%s}}}}",
                        names[i], names[i], specs[i]);
    }
}

struct ledger *
template_fleet_ledger(struct small_fleet *f)
{
    return small_fleet_diagnose(f) ? ledger_new(f->arena, f->fleet, f->diagnosis, &f->policy)
                                   : NULL;
}

const struct requirements *
template_fleet_requirements(const struct small_fleet *f, uint32_t binding)
{
    return f->fleet->bindings[binding].requirements;
}
