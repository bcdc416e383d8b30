/* SPDX-License-Identifier: Apache-2.0
 *
 * What would fit if pods of lower priority were preempted, and pods that have preempted
 * already: kube-scheduler keeps a node free for them.
 */
#include <stdio.h>

#include "ballast/capacity/ledger.h"
#include "check.h"
#include "small_fleet.h"

#define NOMINATED "'status':{'phase':'Pending','nominatedNodeName':'a'}"
#define RUNNING "'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}"
#define STARTING "'status':{'phase':'Running'}"

static void
add_pod(struct small_fleet *f, const char *member, const char *name, const char *spec,
        const char *status)
{
    small_fleet_add(f, member,
                    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'%s',"
                    "'labels':{'app':'%s'}},'spec':{'containers':[{'resources':{'requests':{"
                    "'cpu':'3'}}}]%s},%s}",
                    name, name, spec, status);
}

/* A lost cluster of web, whose replicas ask for one cpu; and m1 and m2, with nodes a and b of four
 * each. */
static void
open_fleet(struct small_fleet *f, const char *class_, const char *pod_spec)
{
    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_cluster(f, "m2");
    small_fleet_sick_cluster(f, "gone", "False", 30, "");
    for (int i = 0; i < 4; i++) {
        small_fleet_add(
            f, i < 2 ? "m1" : "m2",
            "{'apiVersion':'v1','kind':'Node','metadata':{'name':'%c','labels':{"
            "'zone':'z','host':'%c'}},'status':{'allocatable':{'cpu':'4','pods':'110'}}}",
            'a' + i % 2, 'a' + i % 2);
    }
    small_fleet_binding(f, "web", 4, "{'name':'gone','replicas':4}",
                        arena_printf(f->arena,
                                     ",'replicaRequirements':{'resourceRequest':{'cpu':'1'},"
                                     "'priorityClassName':'%s'}",
                                     class_));
    if (pod_spec != NULL) {
        small_fleet_add(f, "",
                        "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate','resource':{"
                        "'apiVersion':'apps/v1','kind':'Deployment'},'metadata':{'namespace':'ns',"
                        "'name':'web'},'spec':{'template':{'metadata':{'labels':{'app':'web'}},"
                        "'spec':{'containers':[{'resources':{'requests':{'cpu':'1'}}}]%s}}}}",
                        pod_spec);
    }
}

static struct ledger *
open_ledger(struct small_fleet *f)
{
    return small_fleet_diagnose(f) ? ledger_new(f->arena, f->fleet, f->diagnosis, &f->policy)
                                   : NULL;
}

static int32_t
preempting(const struct small_fleet *f, struct ledger *ledger, const char *cluster)
{
    return ledger_room_preempting(ledger, fleet_find_cluster(f->fleet, cluster),
                                  &f->fleet->bindings[0]);
}

static int32_t
room(const struct small_fleet *f, struct ledger *ledger, const char *cluster)
{
    return ledger_available(ledger, fleet_find_cluster(f->fleet, cluster),
                            f->fleet->bindings[0].requirements);
}

#define APART_FROM_NOBODY                                                                          \
    ",'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"          \
    "'labelSelector':{'matchLabels':{'app':'nobody'}},'topologyKey':'zone'}]}}"
#define REQUIRED "'requiredDuringSchedulingIgnoredDuringExecution'"
#define APART                                                                                      \
    ",'affinity':{'podAntiAffinity':{" REQUIRED                                                    \
    ":[{'labelSelector':{'matchLabels':{'app':'web'}},'topologyKey':'zone'}]}}"
#define TOGETHER                                                                                   \
    ",'affinity':{'podAffinity':{" REQUIRED                                                        \
    ":[{'labelSelector':{'matchLabels':{'app':'there-a'}},'topologyKey':'zone'}]}}"

/* What tells of classes is in m2. */
static void
add_classes(struct small_fleet *f)
{
    add_pod(f, "m2", "high", ",'priorityClassName':'high','priority':100", RUNNING);
    add_pod(f, "m2", "higher", ",'priorityClassName':'high','priority':200", STARTING);
    add_pod(f, "m2", "low", ",'priorityClassName':'low','priority':-2", RUNNING);
    add_pod(f, "m2", "never",
            ",'priorityClassName':'never','priority':100,'preemptionPolicy':'Never'", STARTING);
}

/* With pods of 3 cpus on a and on b; what is told where web has the class. */
static const struct {
    const char *class_, *on_a, *on_b;
    int32_t want;
} lower[] = {
    {"high", "", "", 8},
    {"high", ",'priority':99", ",'priority':-1", 8},
    {"high", ",'priority':100", "", 5},
    {"high", ",'priority':100", ",'priority':2000", -1},
    {"", "", "", -1},           /* it has none */
    {"unheard-of", "", "", -1}, /* nobody knows its priority */
    {"never", "", "", -1},
    {"low", "", "", -1},
    {"low", ",'priority':-3", "", 5},
    {"system-cluster-critical", ",'priority':1999999999", ",'priority':2000000000", 5},
};

static void
check_lower(const char *status, const char *template_spec)
{
    for (size_t i = 0; i < sizeof(lower) / sizeof(lower[0]); i++) {
        struct small_fleet f;
        char on_a[128], on_b[128];

        snprintf(on_a, sizeof(on_a), ",'nodeName':'a'%s", lower[i].on_a);
        snprintf(on_b, sizeof(on_b), ",'nodeName':'b'%s", lower[i].on_b);
        open_fleet(&f, lower[i].class_, template_spec);
        add_pod(&f, "m1", "there-a", on_a, status);
        add_pod(&f, "m1", "there-b", on_b, status);
        add_classes(&f);
        struct ledger *ledger = open_ledger(&f);

        CHECK_INT(room(&f, ledger, "m1"), 2);
        CHECK_MSG(preempting(&f, ledger, "m1") == lower[i].want, "%s, %s, %s: %d", lower[i].class_,
                  on_a, on_b, preempting(&f, ledger, "m1"));
        CHECK_INT(preempting(&f, ledger, "m2"), -1); /* nothing is short there */
        CHECK_INT(preempting(&f, ledger, "gone"), -1);
        small_fleet_close(&f);
    }
}

static void
test_lower_priorities(void)
{
    check_lower(RUNNING, NULL);
    check_lower(STARTING, NULL);
    check_lower(RUNNING, APART_FROM_NOBODY);
    check_lower(STARTING, APART_FROM_NOBODY);
}

/* What this run gives out is not preempted, and takes of what would be free. */
static void
test_less_what_is_given_out(void)
{
    struct small_fleet f;

    open_fleet(&f, "high", NULL);
    add_pod(&f, "m1", "there-a", ",'nodeName':'a'", RUNNING);
    add_pod(&f, "m1", "there-b", ",'nodeName':'b','priority':100", RUNNING);
    add_classes(&f);
    struct ledger *ledger = open_ledger(&f);
    const struct requirements *web = f.fleet->bindings[0].requirements;
    uint32_t m1 = fleet_find_cluster(f.fleet, "m1");
    struct ledger_receipt *receipt = ledger_take(ledger, m1, web, 1);

    CHECK_INT(room(&f, ledger, "m1"), 1);
    CHECK_INT(preempting(&f, ledger, "m1"), 4);
    ledger_take(ledger, m1, web, 1);
    CHECK_INT(preempting(&f, ledger, "m1"), 3);
    ledger_give_back(ledger, receipt);
    CHECK_INT(preempting(&f, ledger, "m1"), 4);
    small_fleet_close(&f);
}

/* With the pod what ties others to it is gone, too. */
static void
test_ties_of_what_is_preempted(void)
{
    struct small_fleet f;

    open_fleet(&f, "high", APART_FROM_NOBODY);
    add_pod(&f, "m1", "there-a", ",'nodeName':'a'" APART, RUNNING);
    add_classes(&f);
    struct ledger *ledger = open_ledger(&f);

    CHECK_INT(room(&f, ledger, "m1"), 0);
    CHECK_INT(preempting(&f, ledger, "m1"), 8);
    small_fleet_close(&f);
}

/* Room in m1 where a pod is to come to its node a. */
static int32_t
room_with_nominated(const char *pod_spec, const char *template_spec)
{
    struct small_fleet f;

    open_fleet(&f, "", template_spec);
    add_pod(&f, "m1", "there-a", pod_spec, NOMINATED);
    int32_t left = room(&f, open_ledger(&f), "m1");

    small_fleet_close(&f);
    return left;
}

static void
test_nominated_pods_count(void)
{
    CHECK_INT(room_with_nominated("", NULL), 5);
    CHECK_INT(room_with_nominated("", APART_FROM_NOBODY), 5);
    /* it keeps others off the node that is to be its own, and off no other node of its domain */
    CHECK_INT(room_with_nominated(APART, APART_FROM_NOBODY), 4);
    /* nobody relies on its coming */
    CHECK_INT(room_with_nominated("", TOGETHER), 0);
}

#define APART_FROM_IT                                                                              \
    ",'affinity':{'podAntiAffinity':{" REQUIRED                                                    \
    ":[{'labelSelector':{'matchLabels':{'app':'there-a'}},'topologyKey':'zone'}]}}"
#define SPREAD_WITH_IT                                                                             \
    ",'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'host','whenUnsatisfiable':"         \
    "'DoNotSchedule','labelSelector':{'matchExpressions':[{'key':'app','operator':'In','values':"  \
    "['web','there-a']}]}}]"
#define WITH_CLAIM ",'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c'}}]"

/* Each rule that looks at pods of other nodes has to hold with it and without it. */
static void
test_nominated_pods_and_rules(void)
{
    CHECK_INT(room_with_nominated("", APART_FROM_IT), 4);
    /* with it there would be one on a and three on b, without it no more than two on b */
    CHECK_INT(room_with_nominated("", SPREAD_WITH_IT), 3);
}

/* A claim of one pod is its own on its node, and nobody's on the other: it may not come. */
static void
test_nominated_pods_and_claims(void)
{
    struct small_fleet f;

    open_fleet(&f, "", WITH_CLAIM);
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':'ns'"
                    ",'name':'c','annotations':{'pv.kubernetes.io/bind-completed':'yes'}},'spec':{"
                    "'accessModes':['ReadWriteOncePod'],'volumeName':'v'},'status':{'phase':"
                    "'Bound'}}");
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'v'},'spec':{"
                    "'accessModes':['ReadWriteOncePod'],'csi':{'driver':'d','volumeHandle':'h'}}}");
    add_pod(&f, "m1", "there-a", WITH_CLAIM, NOMINATED);
    CHECK_INT(room(&f, open_ledger(&f), "m1"), 1);
    small_fleet_close(&f);
}

/* --- more than are told apart --- */

#define MANY 300

/* A pod that takes a hundredth of a cpu of node a of m1, as one of so many that are in order. */
static void
add_small_pod(struct small_fleet *f, int number)
{
    small_fleet_add(f, "m1",
                    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'p%03d'},"
                    "'spec':{'nodeName':'a','priority':%d,'priorityClassName':'c%03d',"
                    "'containers':[{'resources':{'requests':{'cpu':'10m'}}}]}," RUNNING "}",
                    number, number + 1, number);
}

/* What is told does not depend on the order in which pods come. */
static void
test_any_order(void)
{
    static const char *const classes[] = {"c000", "c020", "c040", "c255", "c256", "c299"};

    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        int32_t told[2];

        for (int down = 0; down < 2; down++) {
            struct small_fleet f;

            open_fleet(&f, classes[i], NULL);
            for (int n = 0; n < MANY; n++) {
                add_small_pod(&f, down == 1 ? MANY - 1 - n : n);
            }
            told[down] = preempting(&f, open_ledger(&f), "m1");
            small_fleet_close(&f);
        }
        CHECK_MSG(told[0] == told[1], "%s: %d fit, or %d", classes[i], (int)told[0], (int)told[1]);
    }
}

/* What a live member is not asked for, pods that have succeeded, tells of no class. */
static void
test_not_told(void)
{
    static const struct {
        const char *pod;
        int32_t want;
    } cases[] = {
        {"{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'there'},'spec':{"
         "'priorityClassName':'high','priority':100},'status':{'phase':'Failed'}}",
         8},
        {"{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'there'},'spec':{"
         "'priorityClassName':'high','priority':100},'status':{'phase':'Succeeded'}}",
         -1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        open_fleet(&f, "high", NULL);
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':"
                        "'low'},'spec':{'nodeName':'a','containers':[{'resources':{'requests':{"
                        "'cpu':'3'}}}]}," RUNNING "}");
        small_fleet_add(&f, "m1", "%s", cases[i].pod);
        int32_t fit = preempting(&f, open_ledger(&f), "m1");

        small_fleet_close(&f);
        CHECK_MSG(fit == cases[i].want, "%zu: %d fit", i, (int)fit);
    }
}

void suite_preempting(void);

void
suite_preempting(void)
{
    check_suite("preempting");
    check_test("lower priorities", test_lower_priorities);
    check_test("less what is given out", test_less_what_is_given_out);
    check_test("ties of what is preempted", test_ties_of_what_is_preempted);
    check_test("nominated pods count", test_nominated_pods_count);
    check_test("nominated pods and rules", test_nominated_pods_and_rules);
    check_test("nominated pods and claims", test_nominated_pods_and_claims);
    check_test("any order", test_any_order);
    check_test("not told", test_not_told);
}
