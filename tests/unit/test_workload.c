/* SPDX-License-Identifier: Apache-2.0
 *
 * What controllers say of a workload in a member.
 */
#include <stdio.h>

#include "model_fixture.h"

static void
check_refusal(const char *condition, const char *want)
{
    struct model_fixture f;
    char text[400];

    model_begin(&f);
    model_add_cluster(&f, "m1");
    snprintf(text, sizeof(text),
             "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web'},"
             "'status':{'conditions':[{'type':'Available','status':'False'},%s]}}",
             condition);
    model_add(&f, "w", 1, "m1", text);
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL && CHECK_INT(fleet->members[0].n_workloads, 1)) {
        const struct condition *refusal = fleet->members[0].workloads[0].refusal;

        CHECK((refusal != NULL) == (want != NULL));
        if (refusal != NULL && want != NULL) {
            CHECK_STR(refusal->message, want);
        }
    }
    fleet_free(fleet);
    model_end(&f);
}

static void
conditions_that_refuse_pods(void)
{
    check_refusal("{'type':'ReplicaFailure','status':'True','message':'no'}", "no");
    check_refusal("{'type':'ReplicaFailure','status':'False','message':'no'}", NULL);
    check_refusal("{'type':'Progressing','status':'False','reason':'ReplicaSetCreateError',"
                  "'message':'denied'}",
                  "denied");
    check_refusal("{'type':'Progressing','status':'False','reason':'ProgressDeadlineExceeded'}",
                  NULL);
    check_refusal("{'type':'Progressing','status':'True','reason':'ReplicaSetCreateError'}", NULL);
}

/* What Kubernetes says when the rule is the namespace's own, and what it says of anything else. */
static void
rules_of_a_namespace(void)
{
    static const struct {
        const char *message, *want;
    } rows[] = {
        {"pods \"web-1\" is forbidden: exceeded quota: small, requested: cpu=1, used: cpu=9, "
         "limited: cpu=9",
         QUOTA_EXCEEDED},
        {"pods \"web-1\" is forbidden: failed quota: small: must specify cpu", "failed quota"},
        {"pods \"web-1\" is forbidden: insufficient quota to match these scopes: [{}]",
         "insufficient quota"},
        {"pods \"web-1\" is forbidden: maximum cpu usage per Container is 1, but limit is 2",
         "per Container is"},
        {"pods \"web-1\" is forbidden: maximum memory usage per Pod is 1Gi, but limit is 2Gi",
         "per Pod is"},
        {"pods \"web-1\" is forbidden: violates PodSecurity \"restricted:latest\": privileged",
         "violates PodSecurity"},
        {"pods \"web-1\" is forbidden: error looking up service account shop/ci: serviceaccount "
         "\"ci\" not found",
         "serviceaccount \""},
        {"Internal error occurred: failed calling webhook \"pods.example.com\": connection refused",
         NULL},
        {"admission webhook \"pods.example.com\" denied the request", NULL},
        {"", NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *got = refusal_by_namespace(rows[i].message);

        CHECK_STR(got != NULL ? got : "none", rows[i].want != NULL ? rows[i].want : "none");
    }
}

static void
generations(void)
{
    struct workload workload = {.generation = 3, .observed_generation = 2};

    CHECK(workload_is_behind(&workload));
    workload.observed_generation = 3;
    CHECK(!workload_is_behind(&workload));
}

void suite_workload(void);

void
suite_workload(void)
{
    check_suite("workload");
    check_test("conditions that refuse pods", conditions_that_refuse_pods);
    check_test("rules of a namespace", rules_of_a_namespace);
    check_test("generations", generations);
}
