/* SPDX-License-Identifier: Apache-2.0
 *
 * matchLabelKeys and mismatchLabelKeys of affinity terms: what kube-apiserver
 * makes of them, and what of it is not known of a replica beforehand.
 */
#include <stdio.h>

#include "ballast/base/str.h"
#include "ballast/capacity/ledger.h"
#include "check.h"
#include "small_fleet.h"

#define POD_NAME "statefulset.kubernetes.io/pod-name"
#define POD_INDEX "apps.kubernetes.io/pod-index"

static void
add_pod(struct small_fleet *f, const char *node, const char *labels, const char *spec)
{
    small_fleet_add(f, "m1",
                    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'on-%s',"
                    "'labels':{%s}},'spec':{'nodeName':'%s','containers':[{'name':'c'}]%s},"
                    "'status':{'phase':'Running'}}",
                    node, labels, node, spec);
}

/* A lost cluster of web, of team t, and m1 with nodes a, b and c, for eight of it each. */
static void
open_fleet(struct small_fleet *f, const char *kind, const char *affinity)
{
    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_sick_cluster(f, "gone", "False", 30, "");
    for (int i = 0; i < 3; i++) {
        small_fleet_add(f, "m1",
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'%c','labels':{"
                        "'host':'%c'}},'status':{'allocatable':{'cpu':'8','pods':'110'}}}",
                        'a' + i, 'a' + i);
    }
    small_fleet_add(f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':{"
                    "'namespace':'ns','name':'web'," OWNED_LABEL "},'spec':{'resource':{"
                    "'apiVersion':'apps/v1','kind':'%s','namespace':'ns','name':'web','uid':'u-web'"
                    "},'replicas':30,'clusters':[{'name':'gone','replicas':30}],"
                    "'replicaRequirements':{'resourceRequest':{'cpu':'1'}},'placement':{"
                    "'replicaScheduling':{'replicaSchedulingType':'Divided'}}}}",
                    kind);
    small_fleet_add(f, "",
                    "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate','resource':{"
                    "'apiVersion':'apps/v1','kind':'%s'},'metadata':{'namespace':'ns','name':'web'}"
                    ",'spec':{'template':{'metadata':{'labels':{'app':'web','team':'t'}},'spec':{"
                    "'affinity':{%s},'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}"
                    "}]}}}}",
                    kind, affinity);
}

#define AGAINST "podAntiAffinity"
#define TO "podAffinity"

struct row {
    const char *affinity, *kind;
    const char *keys;    /* of its one term, which selects all pods by node */
    const char *pods[3]; /* labels of those on a, b and c; NULL: there is none */
    int32_t room;
};

static const struct row rows[] = {
    /* without keys every pod keeps it away, itself too */
    {AGAINST, "Deployment", "", {"'team':'u'", NULL, NULL}, 2},
    /* its own value is known: other teams' pods do not count, or only they do */
    {AGAINST,
     "Deployment",
     "'matchLabelKeys':['team']",
     {"'team':'u'", "'team':'t'", "'x':'y'"},
     2},
    {AGAINST, "Deployment", "'mismatchLabelKeys':['team']", {"'team':'u'", "'team':'t'", NULL}, 16},
    {AGAINST, "Deployment", "'mismatchLabelKeys':['team']", {"'x':'y'", "'team':'t'", NULL}, 16},
    {TO, "Deployment", "'matchLabelKeys':['team']", {"'team':'u'", "'team':'t'", NULL}, 8},
    {TO, "Deployment", "'mismatchLabelKeys':['team']", {"'team':'u'", "'team':'t'", NULL}, 8},
    /* one that it does not have says nothing */
    {AGAINST, "Deployment", "'matchLabelKeys':['none']", {"'team':'u'", NULL, NULL}, 2},
    {AGAINST, "Deployment", "'mismatchLabelKeys':['none']", {"'team':'u'", NULL, NULL}, 2},
    /* both must hold */
    {AGAINST,
     "Deployment",
     "'matchLabelKeys':['app'],'mismatchLabelKeys':['team']",
     {"'app':'web','team':'u'", "'app':'api','team':'u'", NULL},
     16},
    /* whoever has a hash is taken to have that of the template */
    {AGAINST,
     "Deployment",
     "'matchLabelKeys':['pod-template-hash']",
     {"'pod-template-hash':'1'", "'app':'web'", NULL},
     2},
    {AGAINST,
     "Deployment",
     "'mismatchLabelKeys':['pod-template-hash']",
     {"'pod-template-hash':'1'", "'app':'web'", NULL},
     16},
    {TO,
     "Deployment",
     "'matchLabelKeys':['pod-template-hash']",
     {"'pod-template-hash':'1'", NULL, NULL},
     8},
    /* nobody there: the first goes anywhere, and the others go to it */
    {TO, "Deployment", "'matchLabelKeys':['pod-template-hash']", {NULL, NULL, NULL}, 8},
    /* it never is in such company, be it its own */
    {TO, "Deployment", "'mismatchLabelKeys':['pod-template-hash']", {NULL, NULL, NULL}, 0},
    /* replicas of a set have names of their own, so they do not see each other, or only each other
     */
    {AGAINST, "StatefulSet", "'matchLabelKeys':['" POD_NAME "']", {NULL, NULL, NULL}, 24},
    {AGAINST, "StatefulSet", "'mismatchLabelKeys':['" POD_INDEX "']", {NULL, NULL, NULL}, 3},
    {AGAINST,
     "StatefulSet",
     "'matchLabelKeys':['team'],'mismatchLabelKeys':['" POD_INDEX "']",
     {"'" POD_INDEX "':'0','team':'t'", "'team':'t'", "'team':'u'"},
     2},
    {AGAINST,
     "StatefulSet",
     "'matchLabelKeys':['controller-revision-hash']",
     {"'x':'y'", NULL, NULL},
     3},
    /* beside the pod of another set that has the same index, which is taken to be any */
    {TO,
     "StatefulSet",
     "'matchLabelKeys':['" POD_INDEX "']",
     {"'" POD_INDEX "':'0'", "'x':'y'", NULL},
     8},
    {TO, "StatefulSet", "'matchLabelKeys':['" POD_INDEX "']", {NULL, NULL, NULL}, 24},
};

static void
open_row(struct small_fleet *f, const struct row *row)
{
    char affinity[512];

    snprintf(affinity, sizeof(affinity),
             "'%s':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'host',"
             "'labelSelector':{}%s%s}]}",
             row->affinity, *row->keys == '\0' ? "" : ",", row->keys);
    open_fleet(f, row->kind, affinity);
    for (int i = 0; i < 3; i++) {
        if (row->pods[i] != NULL) {
            add_pod(f, (const char *const[]){"a", "b", "c"}[i], row->pods[i], "");
        }
    }
}

static void
test_label_keys(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct row *row = &rows[i];
        struct small_fleet f;

        open_row(&f, row);
        if (small_fleet_diagnose(&f)) {
            struct ledger *ledger = ledger_new(f.arena, f.fleet, f.diagnosis, &f.policy);
            const struct requirements *web = f.fleet->bindings[0].requirements;
            uint32_t m1 = fleet_find_cluster(f.fleet, "m1");
            int32_t room = ledger_available(ledger, m1, web);

            CHECK_MSG(room == row->room, "%s of a %s, %s: room for %d, not %d", row->affinity,
                      row->kind, row->keys, (int)room, (int)row->room);
            /* the same in two parts: the second finds others of its own there */
            if (room > 1) {
                ledger_take(ledger, m1, web, 1);
                CHECK_MSG(ledger_available(ledger, m1, web) == room - 1,
                          "%s of a %s, %s: room for %d beside one, not %d", row->affinity,
                          row->kind, row->keys, (int)ledger_available(ledger, m1, web),
                          (int)room - 1);
            }
        }
        small_fleet_close(&f);
    }
}

/* kube-apiserver has merged the keys into the selector of a pod when it was made, by the labels
 * that the pod had then: what the keys would say by those of now does not count. */
static void
test_keys_of_pods_are_merged_already(void)
{
    static const char keeps_away[] =
        ",'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
        "'topologyKey':'host','matchLabelKeys':['team'],'labelSelector':{'matchExpressions':[{"
        "'key':'team','operator':'In','values':['t']}]}}]}}";
    struct small_fleet f;

    open_fleet(&f, "Deployment", "");
    add_pod(&f, "a", "'team':'u'", keeps_away);
    if (small_fleet_diagnose(&f)) {
        struct ledger *ledger = ledger_new(f.arena, f.fleet, f.diagnosis, &f.policy);

        CHECK_INT(ledger_available(ledger, fleet_find_cluster(f.fleet, "m1"),
                                   f.fleet->bindings[0].requirements),
                  16);
    }
    small_fleet_close(&f);
}

/* Of a constraint that names what each replica has another value of, none sees the others. */
static void
test_spread_by_what_each_has_alone(void)
{
    static const struct {
        const char *key;
        int32_t room;
    } spreads[] = {{"app", 3}, {POD_INDEX, 24}, {"controller-revision-hash", 3}};

    for (size_t i = 0; i < sizeof(spreads) / sizeof(spreads[0]); i++) {
        struct small_fleet f;
        char spread[300];

        /* beside its containers; the affinity is none */
        snprintf(spread, sizeof(spread),
                 "},'topologySpreadConstraints':[{'maxSkew':1,'minDomains':9,'topologyKey':'host',"
                 "'whenUnsatisfiable':'DoNotSchedule','labelSelector':{},'matchLabelKeys':['%s']}],"
                 "'securityContext':{",
                 spreads[i].key);
        open_fleet(&f, "StatefulSet", spread);
        if (small_fleet_diagnose(&f)) {
            struct ledger *ledger = ledger_new(f.arena, f.fleet, f.diagnosis, &f.policy);
            const struct requirements *web = f.fleet->bindings[0].requirements;
            uint32_t m1 = fleet_find_cluster(f.fleet, "m1");

            CHECK_INT(ledger_available(ledger, m1, web), spreads[i].room);
            ledger_take(ledger, m1, web, 2);
            CHECK_INT(ledger_available(ledger, m1, web), spreads[i].room - 2);
        }
        small_fleet_close(&f);
    }
}

void suite_label_keys(void);

void
suite_label_keys(void)
{
    check_suite("label_keys");
    check_test("label keys", test_label_keys);
    check_test("keys of pods are merged already", test_keys_of_pods_are_merged_already);
    check_test("spread by what each has alone", test_spread_by_what_each_has_alone);
}
