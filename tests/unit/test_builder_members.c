/* SPDX-License-Identifier: Apache-2.0
 *
 * From the objects of members to a fleet.
 */
#include <stdio.h>

#include "model_fixture.h"

static void
members(void)
{
    struct model_fixture f;

    model_begin(&f);
    model_add_cluster(&f, "m2");
    model_add_cluster(&f, "m1");
    model_add(&f, "p", 1, "m2", "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'b'}}");
    model_add(&f, "p", 1, "m2", "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a'}}");
    model_add(&f, "p", 1, "gone", "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a'}}");
    fleet_builder_saw(f.builder, "m1", MEMBER_NODES);
    fleet_builder_saw(f.builder, "m1", MEMBER_DEPLOYMENTS);
    fleet_builder_problem(f.builder, "m1", "pods.json", "cut short");
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL && CHECK(fleet->n_clusters == 2 && fleet->n_problems == 2)) {
        const struct member *m1 = &fleet->members[0], *m2 = &fleet->members[1];

        CHECK_STR(m1->name, "m1");
        CHECK_INT(m2->cluster, 1);
        CHECK(m1->has_nodes && m1->has_deployments && !m1->has_pods && !m1->has_replica_sets);
        CHECK(m2->has_pods && !m2->has_nodes);
        if (CHECK(m2->n_pods == 2)) {
            CHECK_STR(m2->pods[0].name, "a");
        }
        CHECK_STR(fleet->problems[1].object, "pods.json");
        CHECK_STR(fleet->problems[1].message, "cut short");
        CHECK_STR(fleet->problems[0].object, "members/gone");
        CHECK_CONTAINS(fleet->problems[0].message, "no Cluster of that name");
    }
    fleet_free(fleet);
    model_end(&f);
}

/* One list's failure makes nothing else unknown. */
static void
forgotten_part(void)
{
    static const char *const kinds_of[] = {"Deployment", "StatefulSet"};
    struct model_fixture f;

    model_begin(&f);
    model_add_cluster(&f, "m1");
    for (unsigned i = 0; i < 6; i++) {
        char text[160];

        snprintf(text, sizeof(text),
                 "{'apiVersion':'apps/v1','kind':'%s','metadata':{'name':'w%u'}}", kinds_of[i % 2],
                 i / 2);
        model_add(&f, "w", 1, "m1", text);
    }
    fleet_builder_forget(f.builder, "m1", MEMBER_STATEFUL_SETS);
    /* taken before, and taken again */
    CHECK_INT(model_add(&f, "w", 2, "m1",
                        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'w2'}}"),
              ADD_SKIPPED);
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL) {
        const struct member *m1 = &fleet->members[0];

        CHECK(m1->has_deployments && !m1->has_stateful_sets && !m1->has_jobs);
        CHECK_INT(m1->n_workloads, 3);
        for (uint32_t i = 0; i < m1->n_workloads; i++) {
            CHECK_STR(m1->workloads[i].kind, "Deployment");
        }
    }
    fleet_free(fleet);
    model_end(&f);
}

/* A ReplicaSet that a Deployment controls is no workload of its own; another one is. */
static void
lone_replica_set(void)
{
    struct model_fixture f;

    model_begin(&f);
    model_add_cluster(&f, "m1");
    model_add(&f, "r", 1, "m1",
              "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'owned',"
              "'ownerReferences':[{'kind':'Deployment','name':'d','controller':true}]}}");
    model_add(&f, "r", 1, "m1",
              "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'lone'},"
              "'spec':{'replicas':2}}");
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL && CHECK(fleet->members[0].n_workloads == 1)) {
        CHECK_INT(fleet->members[0].n_replica_sets, 2);
        CHECK_STR(fleet->members[0].workloads[0].name, "lone");
        CHECK_STR(fleet->members[0].workloads[0].kind, "ReplicaSet");
        CHECK_INT(fleet->members[0].workloads[0].replicas, 2);
    }
    fleet_free(fleet);
    model_end(&f);
}

void suite_builder_members(void);

void
suite_builder_members(void)
{
    check_suite("builder_members");
    check_test("members", members);
    check_test("what was not seen whole is forgotten", forgotten_part);
    check_test("a ReplicaSet on its own", lone_replica_set);
}
