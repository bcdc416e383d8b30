/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods of files that cannot be read, and pods of some namespaces alone.
 */
#include "ballast/base/str.h"
#include "check.h"
#include "small_fleet.h"

/* What the metadata says of a pod whose spec is malformed, and whether any pods of the member are
 * known then, and those of web. */
static void
test_whose(void)
{
    static const struct {
        const char *metadata;
        bool has_pods, knows_web;
    } cases[] = {
        {"'namespace':'ns','name':'p','ownerReferences':[{'apiVersion':'apps/v1','kind':"
         "'ReplicaSet','name':'web-v1','uid':'m1/web-v1','controller':true}]",
         true, false},
        {"'namespace':'ns','name':'p','ownerReferences':[{'apiVersion':'apps/v1','kind':"
         "'ReplicaSet','name':'api-v1','uid':'m1/api-v1','controller':true}]",
         true, true},
        {"'namespace':'ns','name':'p'", true, true}, /* nobody's */
        {"'namespace':'ns','name':'p','ownerReferences':7", false, false},
        {"'namespace':7,'name':'p'", false, false},
        {"'namespace':'ns'", false, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_binding(&f, "web", 2, "{'name':'m1','replicas':2}", "");
        small_fleet_web(&f, "m1", 2, 1);
        small_fleet_add_bad(&f, "m1",
                            "{'apiVersion':'v1','kind':'Pod','metadata':{%s},'spec':"
                            "{'containers':'none'}}",
                            cases[i].metadata);
        if (small_fleet_diagnose(&f)) {
            const struct member *member = &f.fleet->members[0];

            CHECK_INT(f.fleet->n_problems, 1);
            CHECK_MSG(member->has_pods == cases[i].has_pods &&
                          (small_fleet_target(&f, 0)->failed >= 0) == cases[i].knows_web,
                      "case %zu: %d failed", i, small_fleet_target(&f, 0)->failed);
            CHECK_MSG((member->gap.message == NULL) == cases[i].has_pods, "case %zu", i);
        }
        small_fleet_close(&f);
    }
}

/* An item of a list of pods is no object. */
static void
test_no_object(void)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json("[null]", 6, 1, &err);
    const struct object_origin origin = {.file = "pods.json", .line = 3, .member = "m1"};
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_binding(&f, "web", 2, "{'name':'m1','replicas':2}", "");
    small_fleet_web(&f, "m1", 2, 1);
    CHECK_INT(fleet_builder_add(f.builder, value_at(document_root(document), 0), "v1", "PodList",
                                &origin, &err),
              ADD_SKIPPED);
    f.n_bad = 1;
    if (small_fleet_diagnose(&f)) {
        CHECK(!f.fleet->members[0].has_pods);
        CHECK_STR(f.fleet->members[0].gap.message,
                  "pods.json:3: Pod (without a name) cannot be read, and nobody knows whose pod it "
                  "is");
    }
    small_fleet_close(&f);
    document_free(document);
}

/* No pod of web is there, and by its own object or its status some are ready. */
static void
test_left_out(void)
{
    static const struct {
        int status, own; /* ready; -1: it is not there */
        bool is_shown;   /* another pod of the namespace */
        bool is_known;
    } cases[] = {
        {2, -1, false, false}, {2, 2, false, false}, {0, 2, false, false}, {2, 0, false, true},
        {0, -1, false, true},  {2, 2, true, true},   {2, -1, true, true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_add(&f, "",
                        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                        "'metadata':{'namespace':'ns','name':'b','resourceVersion':'1'," OWNED_LABEL
                        "},'spec':{'resource':{'apiVersion':'apps/v1','kind':'StatefulSet','name':"
                        "'db','namespace':'ns'},'replicas':2,'placement':{},'clusters':[{'name':"
                        "'m1','replicas':2}]},'status':{'aggregatedStatus':[{'clusterName':'m1',"
                        "'status':{'replicas':2,'readyReplicas':%d}}]}}",
                        cases[i].status);
        if (cases[i].own >= 0) {
            small_fleet_add(&f, "m1",
                            "{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'namespace':"
                            "'ns','name':'db','uid':'db'},'spec':{'replicas':2},'status':"
                            "{'readyReplicas':%d}}",
                            cases[i].own);
        }
        small_fleet_pods(&f, "m1", "ReplicaSet", "other-v1",
                         (struct small_pods){cases[i].is_shown ? 1 : 0, POD_READY, 9});
        if (small_fleet_diagnose(&f)) {
            CHECK_MSG((small_fleet_target(&f, 0)->failed >= 0) == cases[i].is_known, "case %zu", i);
        }
        small_fleet_close(&f);
    }
}

void suite_unread_pods(void);

void
suite_unread_pods(void)
{
    check_suite("unread pods");
    check_test("whose a pod is", test_whose);
    check_test("no object", test_no_object);
    check_test("a namespace that is left out", test_left_out);
}
