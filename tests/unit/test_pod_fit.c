/* SPDX-License-Identifier: Apache-2.0
 *
 * Replicas of templates that are tied to other pods: what a ledger says of them,
 * takes and gives back. What kube-scheduler places is what conform_fit.c compares.
 */
#include <stdio.h>
#include <string.h>

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/base/str.h"
#include "check.h"
#include "template_fleet.h"

#define WITH_PORT                                                                                  \
    "'containers':[{'name':'c','ports':[{'containerPort':80,'hostPort':80}],'resources':{"         \
    "'requests':{'cpu':'1'}}}]"

static void
test_ports_are_taken_and_given_back(void)
{
    struct small_fleet f;

    template_fleet_open(&f, WITH_PORT, WITH_PORT);
    struct ledger *ledger = template_fleet_ledger(&f);
    const struct requirements *api = template_fleet_requirements(&f, 0),
                              *web = template_fleet_requirements(&f, 1);
    uint32_t m1 = fleet_find_cluster(f.fleet, "m1");

    CHECK_INT(ledger_available(ledger, m1, web), 2);
    struct ledger_receipt *first = ledger_take(ledger, m1, api, 1);

    CHECK_INT(ledger_available(ledger, m1, web), 1);
    struct ledger_receipt *second = ledger_take(ledger, m1, web, 1);

    CHECK_INT(ledger_available(ledger, m1, api), 0);
    ledger_give_back(ledger, first);
    CHECK_INT(ledger_available(ledger, m1, api), 1);
    ledger_give_back(ledger, second);
    CHECK_INT(ledger_available(ledger, m1, api), 2);
    small_fleet_close(&f);
}

static void
test_apart_from_what_a_run_places(void)
{
    struct small_fleet f;

    /* api keeps web out of its zone, which web does not know */
    template_fleet_open(&f, CONTAINER, CONTAINER APART("web", "zone"));
    struct ledger *ledger = template_fleet_ledger(&f);
    const struct requirements *api = template_fleet_requirements(&f, 0),
                              *web = template_fleet_requirements(&f, 1);
    uint32_t m1 = fleet_find_cluster(f.fleet, "m1");

    CHECK_INT(ledger_available(ledger, m1, web), 16);
    struct ledger_receipt *receipt = ledger_take(ledger, m1, api, 1);

    CHECK_INT(ledger_available(ledger, m1, web), 0);
    CHECK_INT(ledger_available(ledger, m1, api), 15);
    ledger_give_back(ledger, receipt);
    CHECK_INT(ledger_available(ledger, m1, web), 16);
    small_fleet_close(&f);
}

/* What is taken beyond what fits takes resources all the same. */
static void
test_more_is_taken_than_fits(void)
{
    struct small_fleet f;

    template_fleet_open(&f, CONTAINER APART("web", "kubernetes.io/hostname"), CONTAINER);
    struct ledger *ledger = template_fleet_ledger(&f);
    const struct requirements *api = template_fleet_requirements(&f, 0),
                              *web = template_fleet_requirements(&f, 1);
    uint32_t m1 = fleet_find_cluster(f.fleet, "m1");

    CHECK_INT(ledger_available(ledger, m1, web), 2);
    struct ledger_receipt *receipt = ledger_take(ledger, m1, web, 5);

    CHECK_INT(ledger_available(ledger, m1, web), 0);
    CHECK_INT(ledger_available(ledger, m1, api), 11);
    ledger_give_back(ledger, receipt);
    CHECK_INT(ledger_available(ledger, m1, api), 16);
    small_fleet_close(&f);
}

/* An anti-affinity of so many terms with 1,000 values each, which select nothing that is there. */
static char *
heavy_spec(struct arena *arena, int terms)
{
    struct buf text;

    buf_init(&text, 1 << 24);
    buf_append_str(&text, CONTAINER ",'affinity':{'podAntiAffinity':{"
                                    "'requiredDuringSchedulingIgnoredDuringExecution':[");
    for (int i = 0; i < terms; i++) {
        buf_printf(&text,
                   "%s{'topologyKey':'zone','labelSelector':{'matchExpressions':[{'key':'x%d',"
                   "'operator':'In','values':['v'",
                   i > 0 ? "," : "", i);
        for (int k = 1; k < 1000; k++) {
            buf_append_str(&text, ",'v'");
        }
        buf_append_str(&text, "]}]}}");
    }
    buf_append_str(&text, "]}}");
    char *copy = arena_memdup(arena, buf_text(&text), text.length + 1);

    buf_release(&text);
    return copy;
}

/* It is refused by itself; what takes resources in its name does so all the same. */
static void
test_costly_template_is_refused(void)
{
    struct arena *arena = arena_new();

    for (int terms = 2; terms <= 3; terms++) {
        struct small_fleet f;
        const char *source = "";
        const bool is_costly = terms == 3;

        template_fleet_open(&f, heavy_spec(arena, terms), CONTAINER APART("api", "zone"));
        for (int i = 0; i < 38; i++) { /* 2,000 values for 40 nodes are few enough, 3,000 are not */
            small_fleet_add(
                &f, "m1",
                "{'apiVersion':'v1','kind':'Node','metadata':{'name':'more-%d','labels':{"
                "'zone':'z'}},'status':{'allocatable':{'cpu':'8','pods':'110'}}}",
                i);
        }
        struct ledger *ledger = template_fleet_ledger(&f);
        uint32_t m1 = fleet_find_cluster(f.fleet, "m1");

        CHECK_INT(ledger_room_for(ledger, m1, &f.fleet->bindings[1], &source), is_costly ? 0 : 320);
        CHECK_STR(source, is_costly ? LEDGER_SOURCE_COSTLY : "nodes");
        CHECK_INT(ledger_room_for(ledger, m1, &f.fleet->bindings[0], &source), 1);
        ledger_give_back(ledger, ledger_take(ledger, m1, template_fleet_requirements(&f, 1), 3));
        CHECK_INT(ledger_room_for(ledger, m1, &f.fleet->bindings[0], &source), 1);
        small_fleet_close(&f);
    }
    arena_free(arena);
}

/* What nobody works through keeps all out of its domain, whatever it selects. */
static void
test_costly_pod_keeps_all_away(void)
{
    struct arena *arena = arena_new();

    for (int terms = 0; terms < 2; terms++) {
        struct small_fleet f;

        template_fleet_open(&f, CONTAINER, CONTAINER APART("api", "kubernetes.io/hostname"));
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'else',"
                        "'uid':'p'},'spec':{'nodeName':'a',%s},'status':{'phase':'Running'}}",
                        heavy_spec(arena, terms));
        struct ledger *ledger = template_fleet_ledger(&f);

        CHECK_INT(ledger_available(ledger, fleet_find_cluster(f.fleet, "m1"),
                                   template_fleet_requirements(&f, 0)),
                  terms == 0 ? 2 : 0);
        small_fleet_close(&f);
    }
    arena_free(arena);
}

static void
test_who_refuses_is_told(void)
{
    struct small_fleet f;
    struct room_bound bound;

    template_fleet_open(&f, CONTAINER APART("web", "kubernetes.io/hostname"), WITH_PORT);
    struct ledger *ledger = template_fleet_ledger(&f);
    uint32_t m1 = fleet_find_cluster(f.fleet, "m1");

    ledger_room_bound(ledger, m1, &f.fleet->bindings[0], &bound);
    CHECK_STR(bound.resource, "NodePorts");
    ledger_room_bound(ledger, m1, &f.fleet->bindings[1], &bound);
    CHECK_STR(bound.resource, "InterPodAffinity");
    small_fleet_close(&f);
}

/* Upstream's own estimators know of no template. */
static void
test_off_with_overcommit_protection(void)
{
    struct small_fleet f;

    template_fleet_open(&f, WITH_PORT, WITH_PORT);
    f.policy.overcommit_protection = false;
    struct ledger *ledger = template_fleet_ledger(&f);

    CHECK_INT(ledger_available(ledger, fleet_find_cluster(f.fleet, "m1"),
                               template_fleet_requirements(&f, 0)),
              0); /* by the status alone, which has no summary */
    small_fleet_close(&f);
}

static void
test_requests_of_a_template(void)
{
    struct small_fleet f;

    template_fleet_open(
        &f,
        "'overhead':{'cpu':'250m'},'containers':[{'resources':{'limits':{'cpu':'1',"
        "'memory':'1Gi'},'requests':{'cpu':'500m'}}},{'resources':{'limits':{'cpu':'2'}}}],"
        "'initContainers':[{'resources':{'limits':{'cpu':'3'}}}]",
        CONTAINER);
    small_fleet_diagnose(&f);
    const struct requirements *web = template_fleet_requirements(&f, 1);
    const struct resource_list wanted = pod_template_requests(f.arena, web->pod_template);

    CHECK_INT(wanted.count, 2);
    CHECK_STR(wanted.items[0].name, "cpu");
    CHECK_INT(quantity_milli_value(wanted.items[0].amount), 3250);
    CHECK_INT(quantity_value(wanted.items[1].amount), 1 << 30);
    /* one that adds nothing to its binding is left out */
    CHECK(template_fleet_requirements(&f, 0)->pod_template == NULL);
    small_fleet_close(&f);
}

static void
test_requests_of_sidecars_and_of_the_whole(void)
{
    static const struct {
        const char *spec;
        int64_t milli_cpu, memory, huge;
    } cases[] = {
        {"'containers':[{'resources':{'limits':{'cpu':'1'}}}],'initContainers':[{'restartPolicy':"
         "'Always','resources':{'limits':{'cpu':'250m','memory':'9'}}},{'resources':{'requests':{"
         "'cpu':'500m','memory':'2'}}}]",
         1250, 11, 0},
        {"'containers':[{'resources':{'requests':{'cpu':'1','memory':'9'}}}],'overhead':{'cpu':'1'}"
         ","
         "'resources':{'requests':{'cpu':'3'}}",
         4000, 9, 0},
        /* a limit is a request where no container has one, and of huge pages */
        {"'containers':[{'resources':{'requests':{'cpu':'1','hugepages-2Mi':'4'}}}],'resources':{"
         "'limits':{'cpu':'3','memory':'7','hugepages-2Mi':'6','example.com/gpu':'1'}}",
         1000, 7, 6},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        template_fleet_open(&f, cases[i].spec, CONTAINER);
        small_fleet_diagnose(&f);
        const struct resource_list wanted =
            pod_template_requests(f.arena, template_fleet_requirements(&f, 1)->pod_template);
        const struct quantity *huge = resource_list_find(&wanted, "hugepages-2Mi");

        CHECK_INT(quantity_milli_value(*resource_list_find(&wanted, "cpu")), cases[i].milli_cpu);
        CHECK_INT(quantity_value(*resource_list_find(&wanted, "memory")), cases[i].memory);
        CHECK_INT(huge != NULL ? quantity_value(*huge) : 0, cases[i].huge);
        CHECK(resource_list_find(&wanted, "example.com/gpu") == NULL);
        small_fleet_close(&f);
    }
}

/* Whoever takes of a quota leaves less of it to others of the namespace. */
/* Nodes a and b of zone z, and c that is tainted in zone y; two pods of app x on a, one of them
 * with the hash of a template. */
static const struct {
    const char *constraint;
    int32_t room;
} spreads[] = {
    /* y, where nobody comes, has fewest */
    {"'topologyKey':'zone'", 2},
    {"'topologyKey':'zone','nodeTaintsPolicy':'Ignore'", 2},
    {"'topologyKey':'zone','nodeTaintsPolicy':'Honor'", 16},
    {"'topologyKey':'zone','nodeTaintsPolicy':'Honor','minDomains':1", 16},
    {"'topologyKey':'zone','nodeTaintsPolicy':'Honor','minDomains':2", 2},
    /* a and b are two, and each may have two more than none */
    {"'topologyKey':'kubernetes.io/hostname','nodeTaintsPolicy':'Honor'", 16},
    {"'topologyKey':'kubernetes.io/hostname','nodeTaintsPolicy':'Honor','minDomains':3", 4},
    /* whose pods count; a Deployment's have the hash of their template, which nobody knows here */
    {"'topologyKey':'zone','labelSelector':{}", 0},
    {"'topologyKey':'zone','labelSelector':{},'matchLabelKeys':['app']", 2},
    {"'topologyKey':'zone','labelSelector':{},'matchLabelKeys':['pod-template-hash']", 1},
    {"'topologyKey':'zone','labelSelector':{'matchExpressions':[{'key':'pod-template-hash',"
     "'operator':'Exists'}]}",
     1},
    {"'topologyKey':'zone','labelSelector':{'matchExpressions':[{'key':'pod-template-hash',"
     "'operator':'DoesNotExist'}]}",
     16},
    {"'topologyKey':'zone','labelSelector':{'matchLabels':{'pod-template-hash':'1'}}", 16},
};

/* Of web, which asks for one cpu of the nodes that `claim` leaves. */
static int32_t
room_spread(const char *constraint, const char *claim)
{
    struct small_fleet f;
    char requirements[200];

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_sick_cluster(&f, "gone", "False", 30, "");
    for (int i = 0; i < 3; i++) {
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'%c','labels':{"
                        "'kubernetes.io/hostname':'%c','zone':'%s'}},'spec':{%s},'status':{"
                        "'allocatable':{'cpu':'8','pods':'110'}}}",
                        'a' + i, 'a' + i, i < 2 ? "z" : "y",
                        i < 2 ? "" : "'taints':[{'key':'t','effect':'NoSchedule'}]");
    }
    for (int i = 0; i < 2; i++) {
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'p%d',"
                        "'labels':{'app':'x'%s}},'spec':{'nodeName':'a'},'status':{'phase':"
                        "'Running'}}",
                        i, i == 0 ? "" : ",'pod-template-hash':'1'");
    }
    snprintf(requirements, sizeof(requirements),
             ",'replicaRequirements':{'nodeClaim':{%s},'resourceRequest':{'cpu':'1'}}", claim);
    small_fleet_binding(&f, "web", 30, "{'name':'gone','replicas':30}", requirements);
    small_fleet_add(&f, "",
                    "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate','resource':{"
                    "'apiVersion':'apps/v1','kind':'Deployment'},'metadata':{'namespace':'ns',"
                    "'name':'web'},'spec':{'template':{'metadata':{'labels':{'app':'web'}},'spec':{"
                    "'topologySpreadConstraints':[{'maxSkew':2,'whenUnsatisfiable':"
                    "'DoNotSchedule',%s%s}]," CONTAINER "}}}}",
                    strstr(constraint, "labelSelector") != NULL
                        ? ""
                        : "'labelSelector':{'matchLabels':{'app':'web'}},",
                    constraint);
    struct ledger *ledger = template_fleet_ledger(&f);
    int32_t room = ledger_available(ledger, fleet_find_cluster(f.fleet, "m1"),
                                    template_fleet_requirements(&f, 0));

    small_fleet_close(&f);
    return room;
}

static void
test_spread_constraints(void)
{
    for (size_t i = 0; i < sizeof(spreads) / sizeof(spreads[0]); i++) {
        int32_t room = room_spread(spreads[i].constraint, "");

        CHECK_MSG(room == spreads[i].room, "%s: room for %d, not %d", spreads[i].constraint,
                  (int)room, (int)spreads[i].room);
    }
    /* nodes that it does not select count only if the policy says so */
    CHECK_INT(room_spread("'topologyKey':'zone'", "'nodeSelector':{'zone':'z'}"), 16);
    CHECK_INT(room_spread("'topologyKey':'zone','nodeAffinityPolicy':'Honor'",
                          "'nodeSelector':{'zone':'z'}"),
              16);
    CHECK_INT(room_spread("'topologyKey':'zone','nodeAffinityPolicy':'Ignore'",
                          "'nodeSelector':{'zone':'z'}"),
              2);
}

/* Room that a LimitRange of these limits leaves for web. */
static int32_t
room_of_within(const char *spec, const char *limits)
{
    struct small_fleet f;

    template_fleet_open(&f, spec, CONTAINER);
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'v1','kind':'LimitRange','metadata':{'namespace':'ns','name':"
                    "'l'},'spec':{'limits':[%s]}}",
                    limits);
    struct ledger *ledger = template_fleet_ledger(&f);
    int32_t room = ledger_available(ledger, fleet_find_cluster(f.fleet, "m1"),
                                    template_fleet_requirements(&f, 1));

    small_fleet_close(&f);
    return room;
}

/* Whose container asks for one cpu. */
static int32_t
room_within(const char *limits)
{
    return room_of_within(CONTAINER, limits);
}

/* A pod's requests are made of its limits before containers get any by default. */
static void
test_limits_of_the_whole_in_limit_ranges(void)
{
    static const char by_default[] = "{'type':'Container','defaultRequest':{'cpu':'1'}}";

    CHECK_INT(room_of_within("'containers':[{'name':'c'}],'resources':{'limits':{'cpu':'4'}}",
                             by_default),
              4);
    CHECK_INT(room_of_within("'containers':[{'name':'c','resources':{'requests':{'cpu':'2'}}},"
                             "{'name':'d'}],'resources':{'limits':{'cpu':'4'}}",
                             by_default),
              8);
    /* also of what they do not limit, and not where they limit nothing */
    CHECK_INT(room_of_within("'containers':[{'name':'c','resources':{'requests':{'cpu':'2'}}},"
                             "{'name':'d'}],'resources':{'limits':{'example.com/x':'4'}}",
                             by_default),
              8);
    CHECK_INT(room_of_within("'containers':[{'name':'c','resources':{'requests':{'cpu':'3'}}},"
                             "{'name':'d'}]",
                             by_default),
              4);
}

static void
test_limit_ranges_fill_and_refuse(void)
{
    CHECK_INT(room_within("{'type':'Container','defaultRequest':{'cpu':'4'}}"), 16);
    CHECK_INT(room_within("{'type':'Container','defaultRequest':{'memory':'1'}}"), 0);
    CHECK_INT(room_within("{'type':'Container','min':{'cpu':'1'}}"), 16);
    CHECK_INT(room_within("{'type':'Container','min':{'cpu':'1001m'}}"), 0);
    CHECK_INT(room_within("{'type':'Pod','min':{'memory':'1'}}"), 0);
    CHECK_INT(room_within("{'type':'Container','max':{'cpu':'2'}}"), 0); /* it has no limit */
    CHECK_INT(room_within("{'type':'Container','max':{'cpu':'2'},'default':{'cpu':'2'}}"), 16);
    CHECK_INT(room_within("{'type':'Pod','max':{'cpu':'1'}},"
                          "{'type':'Container','default':{'cpu':'2'}}"),
              0);
    CHECK_INT(room_within("{'type':'Container','default':{'cpu':'3'},'maxLimitRequestRatio':{"
                          "'cpu':'2'}}"),
              0);
    /* a limit below the request is not valid */
    CHECK_INT(room_within("{'type':'Container','default':{'cpu':'999m'}}"), 0);
    CHECK_INT(room_within("{'type':'Container','default':{'cpu':'1'}}"), 16);
    CHECK_INT(room_within("{'type':'PersistentVolumeClaim','min':{'cpu':'9'}}"), 16);
}

/* Who says how much room there is for web, whose two containers ask for all that a number holds,
 * where m1 has that object, too. */
static const char *
source_of_huge(const char *object)
{
    static const char huge[] =
        "'containers':[{'name':'c','resources':{'requests':{'memory':'9223372036854775807'}}},"
        "{'name':'d','resources':{'requests':{'memory':'9223372036854775807'}}}]";
    struct small_fleet f;
    const char *source = "";

    template_fleet_open(&f, huge, CONTAINER);
    small_fleet_add(&f, "m1", "%s", object);
    struct ledger *ledger = template_fleet_ledger(&f);
    uint32_t m1 = fleet_find_cluster(f.fleet, "m1");

    ledger_room_for(ledger, m1, &f.fleet->bindings[1], &source);
    small_fleet_close(&f);
    return source;
}

/* Sums and products of them do not turn over, so that no LimitRange refuses what it allows. */
static void
test_amounts_beyond_any_fleet(void)
{
    CHECK_STR(
        source_of_huge("{'apiVersion':'v1','kind':'LimitRange','metadata':{'namespace':'ns',"
                       "'name':'l'},'spec':{'limits':[{'type':'Pod','min':{'memory':'1'}}]}}"),
        "nodes");
    CHECK_STR(source_of_huge("{'apiVersion':'v1','kind':'LimitRange','metadata':{'namespace':'ns',"
                             "'name':'l'},'spec':{'limits':[{'type':'Container','default':{"
                             "'memory':'9223372036854775807'},'maxLimitRequestRatio':{"
                             "'memory':'9223372036854775807'}}]}}"),
              "nodes");
}

/* Nor is their sum nothing, which would fit anywhere. */
static void
test_sum_beyond_any_node(void)
{
    static const char *const largest[][2] = {{"memory", "9223372036854775807"},
                                             {"cpu", "9223372036854775"}};

    for (int i = 0; i < 2; i++) {
        struct small_fleet f;
        char spec[512];

        snprintf(spec, sizeof(spec),
                 "'containers':[{'resources':{'requests':{'%s':'%s'}}},"
                 "{'resources':{'requests':{'%s':'%s'}}}]",
                 largest[i][0], largest[i][1], largest[i][0], largest[i][1]);
        template_fleet_open(&f, spec, CONTAINER);
        for (int node = 0; node < 2; node++) {
            small_fleet_add(&f, "m1",
                            "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n%d'},'status':{"
                            "'allocatable':{'cpu':'8','memory':'64Gi','pods':'110'}}}",
                            node);
        }
        struct ledger *ledger = template_fleet_ledger(&f);
        uint32_t m1 = fleet_find_cluster(f.fleet, "m1");

        CHECK_INT(ledger_available(ledger, m1, template_fleet_requirements(&f, 1)), 0);
        CHECK_INT(ledger_available(ledger, m1, template_fleet_requirements(&f, 0)), 32);
        small_fleet_close(&f);
    }
}

static void
test_ports_clash(void)
{
    static const struct host_port any = {"0.0.0.0", "TCP", 80}, one = {"10.0.0.1", "TCP", 80},
                                  two = {"127.0.0.1", "TCP", 80}, udp = {"0.0.0.0", "UDP", 80},
                                  other = {"0.0.0.0", "TCP", 81};
    const struct host_port_list all = {&any, 1}, first = {&one, 1};

    CHECK(host_ports_clash(&all, &first));
    CHECK(host_ports_clash(&first, &first));
    CHECK(!host_ports_clash(&first, &(struct host_port_list){&two, 1}));
    CHECK(!host_ports_clash(&all, &(struct host_port_list){&udp, 1}));
    CHECK(!host_ports_clash(&all, &(struct host_port_list){&other, 1}));
    CHECK(!host_ports_clash(&all, &(struct host_port_list){NULL, 0}));
}

void suite_pod_fit(void);

void
suite_pod_fit(void)
{
    check_suite("pod_fit");
    check_test("ports are taken and given back", test_ports_are_taken_and_given_back);
    check_test("apart from what a run places", test_apart_from_what_a_run_places);
    check_test("more is taken than fits", test_more_is_taken_than_fits);
    check_test("a costly template is refused", test_costly_template_is_refused);
    check_test("a costly pod keeps all away", test_costly_pod_keeps_all_away);
    check_test("who refuses is told", test_who_refuses_is_told);
    check_test("off with overcommit protection", test_off_with_overcommit_protection);
    check_test("requests of a template", test_requests_of_a_template);
    check_test("requests of sidecars and of the whole", test_requests_of_sidecars_and_of_the_whole);
    check_test("spread constraints", test_spread_constraints);
    check_test("limit ranges fill and refuse", test_limit_ranges_fill_and_refuse);
    check_test("limits of the whole in limit ranges", test_limits_of_the_whole_in_limit_ranges);
    check_test("amounts beyond any fleet", test_amounts_beyond_any_fleet);
    check_test("sum beyond any node", test_sum_beyond_any_node);
    check_test("ports clash", test_ports_clash);
}
