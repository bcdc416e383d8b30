/* SPDX-License-Identifier: Apache-2.0
 *
 * ResourceQuotas of a member: which of them count pods of a template, and what of these.
 */
#include "check.h"
#include "template_fleet.h"

static void
test_quotas_are_taken_and_given_back(void)
{
    struct small_fleet f;
    struct room_bound bound;
    const char *source;

    template_fleet_open(&f, CONTAINER, CONTAINER);
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'v1','kind':'ResourceQuota','metadata':{'namespace':'ns',"
                    "'name':'q'},'status':{'hard':{'requests.cpu':'5','pods':'9'},'used':{"
                    "'requests.cpu':'1500m','pods':'1'}}}");
    struct ledger *ledger = template_fleet_ledger(&f);
    const struct requirements *api = template_fleet_requirements(&f, 0),
                              *web = template_fleet_requirements(&f, 1);
    uint32_t m1 = fleet_find_cluster(f.fleet, "m1");

    CHECK_INT(ledger_available(ledger, m1, web), 3);
    CHECK_INT(ledger_room_for(ledger, m1, &f.fleet->bindings[1], &source), 3);
    CHECK_STR(source, "ResourceQuota");
    ledger_room_bound(ledger, m1, &f.fleet->bindings[1], &bound);
    CHECK_STR(bound.resource, "ResourceQuota");
    struct ledger_receipt *receipt = ledger_take(ledger, m1, api, 2);

    CHECK_INT(ledger_available(ledger, m1, web), 1);
    ledger_give_back(ledger, receipt);
    CHECK_INT(ledger_available(ledger, m1, web), 3);
    small_fleet_close(&f);
}

/* A quota that leaves three pods, whether or not it counts web. */
static const struct {
    const char *quota, *web;
    bool counts;
} scopes[] = {
    {"'spec':{'scopes':['PriorityClass']}", CONTAINER, false},
    {"'spec':{'scopes':['PriorityClass']}", CONTAINER ",'priorityClassName':'high'", true},
    {"'spec':{'scopeSelector':{}}", CONTAINER, true},
    {"'spec':{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In',"
     "'values':['low','high']}]}}",
     CONTAINER ",'priorityClassName':'high'", true},
    {"'spec':{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In',"
     "'values':['low']}]}}",
     CONTAINER ",'priorityClassName':'high'", false},
    {"'spec':{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In',"
     "'values':['low']}]}}",
     CONTAINER, false},
    {"'spec':{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'NotIn',"
     "'values':['low']}]}}",
     CONTAINER ",'priorityClassName':'low'", false},
    {"'spec':{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'NotIn',"
     "'values':['low']}]}}",
     CONTAINER ",'priorityClassName':'high'", true},
    /* as with labels, none is not in anything */
    {"'spec':{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'NotIn',"
     "'values':['low']}]}}",
     CONTAINER, true},
    {"'spec':{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':"
     "'Exists'}]}}",
     CONTAINER, false},
    {"'spec':{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':"
     "'DoesNotExist'}]}}",
     CONTAINER, true},
    {"'spec':{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':"
     "'DoesNotExist'}]}}",
     CONTAINER ",'priorityClassName':'high'", false},
    {"'spec':{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':"
     "'Like'}]}}",
     CONTAINER ",'priorityClassName':'high'", false},
    /* all have to be met */
    {"'spec':{'scopes':['NotTerminating'],'scopeSelector':{'matchExpressions':[{'scopeName':"
     "'BestEffort','operator':'Exists'}]}}",
     CONTAINER, false},
    {"'spec':{'scopes':['NotTerminating'],'scopeSelector':{'matchExpressions':[{'scopeName':"
     "'NotBestEffort','operator':'Exists'}]}}",
     CONTAINER, true},
    {"'spec':{'scopes':['Terminating']}", CONTAINER, false},
    {"'spec':{'scopes':['Terminating']}", CONTAINER ",'activeDeadlineSeconds':60", true},
    {"'spec':{'scopes':['NotTerminating']}", CONTAINER ",'activeDeadlineSeconds':60", false},
    /* what asks for neither cpu nor memory is of the class BestEffort, whatever else it asks for */
    {"'spec':{'scopes':['BestEffort']}", CONTAINER, false},
    {"'spec':{'scopes':['BestEffort']}",
     "'containers':[{'resources':{'requests':{'ephemeral-storage':'1','cpu':'0'}}}]", true},
    {"'spec':{'scopes':['NotBestEffort']}",
     "'containers':[{'resources':{'limits':{'ephemeral-storage':'1'}}}]", false},
    {"'spec':{'scopes':['NotBestEffort']}",
     "'containers':[{}],'initContainers':[{'resources':{'limits':{'memory':'1'}}}]", true},
    {"'spec':{'scopes':['NotBestEffort']}",
     "'containers':[{}],'resources':{'requests':{'memory':'1'}}", true},
    {"'spec':{'scopes':['CrossNamespacePodAffinity']}", CONTAINER, false},
    {"'spec':{'scopes':['CrossNamespacePodAffinity']}", CONTAINER APART("x", "zone"), false},
    {"'spec':{'scopes':['CrossNamespacePodAffinity']}",
     CONTAINER ",'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
               "'topologyKey':'zone','namespaces':['other']}]}}",
     true},
    {"'spec':{'scopes':['CrossNamespacePodAffinity']}",
     CONTAINER ",'affinity':{'podAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{"
               "'weight':1,'podAffinityTerm':{'topologyKey':'zone','namespaceSelector':{}}}]}}",
     true},
    {"'spec':{'scopes':['CrossNamespacePodAffinity']}",
     CONTAINER ",'affinity':{'podAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{"
               "'weight':1,'podAffinityTerm':{'topologyKey':'zone','namespaces':[]}}]}}",
     false},
    {"'spec':{'scopes':['VolumeAttributesClass']}", CONTAINER, false},
};

static void
test_scopes_of_quotas(void)
{
    for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++) {
        struct small_fleet f;
        int32_t room = -1;

        template_fleet_open(&f, scopes[i].web, CONTAINER);
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'ResourceQuota','metadata':{'namespace':'ns',"
                        "'name':'q'},%s,'status':{'hard':{'pods':'4'},'used':{'pods':'1'}}}",
                        scopes[i].quota);
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'big'},'status':{"
                        "'allocatable':{'cpu':'16','memory':'64Gi','pods':'110',"
                        "'ephemeral-storage':'64Gi'}}}");
        struct ledger *ledger = template_fleet_ledger(&f);

        if (ledger != NULL) {
            room = ledger_available(ledger, fleet_find_cluster(f.fleet, "m1"),
                                    template_fleet_requirements(&f, 1));
        }
        CHECK_MSG(scopes[i].counts ? room == 3 : room > 3, "%s %s: %d", scopes[i].quota,
                  scopes[i].web, (int)room);
        small_fleet_close(&f);
    }
}

/* What a quota's names count of a pod with these limits, requests and this overhead. */
static void
test_names_in_quotas(void)
{
    static const struct {
        const char *hard;
        int32_t room;
    } names[] = {
        {"'limits.cpu':'4'", 2},    /* 1 and the overhead */
        {"'limits.memory':'4'", 0}, /* it has to be named */
        {"'limits.ephemeral-storage':'4'", 16},
        {"'requests.memory':'64'", 8}, /* 4, and the overhead */
        {"'requests.example.com/gpu':'3'", 3},
        {"'example.com/gpu':'3'", 16},
        {"'limits.example.com/gpu':'3'", 16},
        {"'services':'0'", 16},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct small_fleet f;
        int32_t room = -1;

        template_fleet_open(
            &f,
            "'containers':[{'resources':{'requests':{'memory':'4'},'limits':{'cpu':'1',"
            "'example.com/gpu':'1'}}}],'overhead':{'cpu':'1','memory':'4',"
            "'ephemeral-storage':'4'}",
            CONTAINER);
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'ResourceQuota','metadata':{'namespace':'ns',"
                        "'name':'q'},'status':{'hard':{%s}}}",
                        names[i].hard);
        for (int node = 0; node < 2; node++) {
            small_fleet_add(&f, "m1",
                            "{'apiVersion':'v1','kind':'Node','metadata':{'name':'big-%d'},"
                            "'status':{'allocatable':{'cpu':'16','memory':'64Gi','pods':'110',"
                            "'ephemeral-storage':'64Gi','example.com/gpu':'8'}}}",
                            node);
        }
        struct ledger *ledger = template_fleet_ledger(&f);

        if (ledger != NULL) {
            room = ledger_available(ledger, fleet_find_cluster(f.fleet, "m1"),
                                    template_fleet_requirements(&f, 1));
        }
        CHECK_MSG(room == names[i].room, "%s: %d", names[i].hard, (int)room);
        small_fleet_close(&f);
    }
}

void suite_member_quotas(void);

void
suite_member_quotas(void)
{
    check_suite("member_quotas");
    check_test("quotas are taken and given back", test_quotas_are_taken_and_given_back);
    check_test("scopes of quotas", test_scopes_of_quotas);
    check_test("names in quotas", test_names_in_quotas);
}
