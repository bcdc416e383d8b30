/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pod takes on a node.
 */
#include <stdio.h>
#include <string.h>

#include "model_fixture.h"

struct amounts {
    int64_t cpu, memory, gpu;
    int64_t beyond_cpu, beyond_memory; /* by kube-scheduler alone */
};

static const struct {
    const char *spec;
    struct amounts want;
} cases[] = {
    {"'containers':[]", {0, 0, 0, 0, 0}},
    {"'containers':[{'resources':{'requests':{'cpu':'100m','memory':'1Ki'}}},"
     "{'resources':{'requests':{'cpu':'1'}}},{'resources':null},{}]",
     {1100, 1024, 0, 0, 0}},
    /* limits do not stand in for requests, nor does the pod's own, but for kube-scheduler */
    {"'containers':[{'resources':{'limits':{'cpu':'1'}}}],'resources':{'requests':{'cpu':'2'}}",
     {0, 0, 0, 2000, 0}},
    {"'containers':[{'resources':{'requests':{'cpu':'1','memory':'4'}}}],'resources':{"
     "'requests':{'cpu':'3','example.com/gpu':'1'},'limits':{'memory':'9'}},"
     "'overhead':{'cpu':'100m','memory':'1'}",
     {1100, 5, 0, 2000, 0}},
    /* each rounded up by itself */
    {"'containers':[{'resources':{'requests':{'cpu':'500u','memory':'500m'}}},"
     "{'resources':{'requests':{'cpu':'500u','memory':'500m'}}}]",
     {2, 2, 0, 0, 0}},
    /* init containers run one by one, resource by resource; sidecars are like them, but for
     * kube-scheduler they run beside the others from then on */
    {"'containers':[{'resources':{'requests':{'cpu':'300m','memory':'10'}}}],"
     "'initContainers':[{'resources':{'requests':{'cpu':'200m','memory':'50'}}},"
     "{'restartPolicy':'Always','resources':{'requests':{'cpu':'400m','memory':'20'}}}]",
     {400, 50, 0, 300, 0}},
    {"'containers':[{'resources':{'requests':{'cpu':'1','memory':'1'}}}],'initContainers':["
     "{'restartPolicy':'Always','resources':{'requests':{'cpu':'2','memory':'2'}}},"
     "{'restartPolicy':'Never','resources':{'requests':{'cpu':'2','memory':'9'}}}],"
     "'overhead':{'cpu':'1'}",
     {3000, 9, 0, 2000, 2}},
    {"'initContainers':[{'resources':{'requests':{'cpu':'-1'}}}]", {0, 0, 0, 0, 0}},
    /* the overhead comes on top of either */
    {"'containers':[{'resources':{'requests':{'cpu':'1'}}}],"
     "'initContainers':[{'resources':{'requests':{'cpu':'2'}}}],'overhead':{'cpu':'250m'}",
     {2250, 0, 0, 0, 0}},
    {"'containers':[{'resources':{'requests':{'example.com/gpu':'1','storage':'9',"
     "'requests.example.com/gpu':'9','foo':'9','pods':'9'}}}]",
     {0, 0, 1, 0, 0}},
    {"'containers':[{'resources':{'requests':{'memory':'9223372036854775807'}}},"
     "{'resources':{'requests':{'memory':'9223372036854775807'}}}]",
     {0, INT64_MAX, 0, 0, 0}},
};

static void
sums(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;
        char text[1024];

        model_begin(&f);
        snprintf(text, sizeof(text), "{'metadata':{'name':'x'},'spec':{%s}}", cases[i].spec);
        const struct pod *pod = decode_pod(f.builder, model_value(&f, text), &f.err);

        if (CHECK_MSG(pod != NULL, "%s: %s", cases[i].spec, f.err.message)) {
            CHECK_INT(resource_amounts_find(&pod->requests, "cpu"), cases[i].want.cpu);
            CHECK_INT(resource_amounts_find(&pod->requests, "memory"), cases[i].want.memory);
            CHECK_INT(resource_amounts_find(&pod->requests, "example.com/gpu"), cases[i].want.gpu);
            CHECK_INT(resource_amounts_find(&pod->beyond, "cpu"), cases[i].want.beyond_cpu);
            CHECK_INT(resource_amounts_find(&pod->beyond, "memory"), cases[i].want.beyond_memory);
            CHECK_INT(resource_amounts_find(&pod->beyond, "example.com/gpu"), 0);
            CHECK_INT(resource_amounts_find(&pod->requests, "storage"), 0);
            CHECK_INT(resource_amounts_find(&pod->requests, "foo"), 0);
            CHECK_INT(resource_amounts_find(&pod->requests, "pods"), 0);
        }
        model_end(&f);
    }
}

#define ASKS(cpu_, memory_)                                                                        \
    "'containers':[{'name':'c','resources':{'requests':{'cpu':'" cpu_ "','memory':'" memory_ "'}}" \
    "}]"
#define TOLD(name_, allocated_, actual_)                                                           \
    "{'name':'" name_ "','allocatedResources':{" allocated_ "},'resources':{'requests':{" actual_  \
    "}}}"
#define PENDING(reason_)                                                                           \
    "'conditions':[{'type':'PodResizePending','status':'True','reason':'" reason_ "'}],"

/* What kube-scheduler counts is the sum of both lists. */
static const struct {
    const char *spec, *status;
    struct amounts want;
    bool is_resized;
} cases_in_place[] = {
    {ASKS("1", "8"),
     "'containerStatuses':[" TOLD("c", "'cpu':'1','memory':'8'", "'cpu':'1','memory':'8'") "]",
     {1000, 8, 0, 0, 0},
     false},
    /* one that says nothing of it, as kubelets before 1.33 do; and one of another container */
    {ASKS("1", "8"), "'containerStatuses':[{'name':'c'}]", {1000, 8, 0, 0, 0}, false},
    {ASKS("1", "8"),
     "'containerStatuses':[" TOLD("d", "'cpu':'9'", "'cpu':'9'") "]",
     {1000, 8, 0, 0, 0},
     false},
    /* the same in other words; and what is told in part */
    {ASKS("1", "8"),
     "'containerStatuses':[" TOLD("c", "'cpu':'1000m'", "'memory':'8'") "]",
     {1000, 8, 0, 0, 0},
     false},
    /* it grows: its node may not have given it yet */
    {ASKS("2", "8"),
     "'containerStatuses':[" TOLD("c", "'cpu':'1','memory':'8'", "'cpu':'1','memory':'8'") "]",
     {2000, 8, 0, 0, 0},
     false},
    {ASKS("2", "8"),
     PENDING("Deferred") "'containerStatuses':[" TOLD("c", "'cpu':'1'", "'cpu':'1'") "]",
     {2000, 8, 0, 0, 0},
     false},
    /* it shrinks: allocated is what it may have, and it still has what it had */
    {ASKS("1", "8"),
     "'containerStatuses':[" TOLD("c", "'cpu':'2','memory':'8'", "'cpu':'2','memory':'8'") "]",
     {1000, 8, 0, 1000, 0},
     true},
    {ASKS("1", "8"),
     "'containerStatuses':[" TOLD("c", "'cpu':'1','memory':'8'", "'cpu':'1','memory':'9'") "]",
     {1000, 8, 0, 0, 1},
     true},
    /* no node can give it what it wants, and it stays as it is */
    {ASKS("4", "8"),
     PENDING("Infeasible") "'containerStatuses':[" TOLD("c", "'cpu':'1','memory':'8'",
                                                        "'cpu':'1500m','memory':'8'") "]",
     {4000, 8, 0, -2500, 0},
     true},
    {ASKS("4", "8"),
     "'resize':'Infeasible','containerStatuses':[" TOLD("c", "'cpu':'1'", "'cpu':'1'") "]",
     {4000, 8, 0, -3000, -8},
     true},
    {ASKS("4", "8"),
     PENDING("Infeasible") "'containerStatuses':[{'name':'c'}]",
     {4000, 8, 0, 0, 0},
     false},
    /* of each container the most: what one gives up another has not got yet */
    {"'containers':[{'name':'a','resources':{'requests':{'cpu':'1'}}},"
     "{'name':'b','resources':{'requests':{'cpu':'2'}}}]",
     "'containerStatuses':[" TOLD("a", "'cpu':'2'", "'cpu':'2'") "," TOLD("b", "'cpu':'1'",
                                                                          "'cpu':'1'") "]",
     {3000, 0, 0, 1000, 0},
     true},
    /* sidecars are resized, too; what ends before the others begin is not */
    {"'containers':[{'name':'c'}],'initContainers':[{'name':'s','restartPolicy':'Always',"
     "'resources':{'requests':{'cpu':'1'}}}]",
     "'initContainerStatuses':[" TOLD("s", "'cpu':'3'", "'cpu':'1'") "]",
     {1000, 0, 0, 2000, 0},
     true},
    {"'containers':[{'name':'c'}],'initContainers':[{'name':'i',"
     "'resources':{'requests':{'cpu':'1'}}}]",
     "'initContainerStatuses':[" TOLD("i", "'cpu':'3'", "'cpu':'1'") "]",
     {1000, 0, 0, 0, 0},
     false},
    /* what the pod names for all of them stands instead; its overhead comes on top */
    {ASKS("1", "8") ",'resources':{'requests':{'cpu':'5'}},'overhead':{'cpu':'1'}",
     "'containerStatuses':[" TOLD("c", "'cpu':'2','memory':'9'", "'cpu':'2'") "]",
     {2000, 8, 0, 4000, 1},
     true},
};

static void
in_place(void)
{
    for (size_t i = 0; i < sizeof(cases_in_place) / sizeof(cases_in_place[0]); i++) {
        struct model_fixture f;
        char text[1024];

        model_begin(&f);
        snprintf(text, sizeof(text), "{'metadata':{'name':'x'},'spec':{%s},'status':{%s}}",
                 cases_in_place[i].spec, cases_in_place[i].status);
        const struct pod *pod = decode_pod(f.builder, model_value(&f, text), &f.err);
        const struct amounts *want = &cases_in_place[i].want;

        if (CHECK_MSG(pod != NULL, "%s: %s", cases_in_place[i].status, f.err.message)) {
            CHECK_MSG(resource_amounts_find(&pod->requests, "cpu") == want->cpu &&
                          resource_amounts_find(&pod->requests, "memory") == want->memory &&
                          resource_amounts_find(&pod->beyond, "cpu") == want->beyond_cpu &&
                          resource_amounts_find(&pod->beyond, "memory") == want->beyond_memory &&
                          pod->is_resized == cases_in_place[i].is_resized,
                      "%s %s: %lld %lld", cases_in_place[i].spec, cases_in_place[i].status,
                      (long long)resource_amounts_find(&pod->beyond, "cpu"),
                      (long long)resource_amounts_find(&pod->beyond, "memory"));
        }
        model_end(&f);
    }
}

static void
in_place_malformed(void)
{
    static const char *const malformed[][2] = {
        {"{'resources':[]}", "status.containerStatuses[0].resources: want object, got list"},
        {"{'resources':{'requests':{'cpu':true}}}",
         "status.containerStatuses[0].resources.requests.cpu: "},
        {"{'allocatedResources':1}",
         "status.containerStatuses[0].allocatedResources: want object, got integer"},
    };

    for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
        struct model_fixture f;
        char text[256];

        model_begin(&f);
        snprintf(text, sizeof(text),
                 "{'metadata':{'name':'x'},'spec':{},'status':{'containerStatuses':[%s]}}",
                 malformed[i][0]);
        CHECK(decode_pod(f.builder, model_value(&f, text), &f.err) == NULL);
        CHECK_MSG(strstr(f.err.message, malformed[i][1]) != NULL, "%s: %s", malformed[i][0],
                  f.err.message);
        model_end(&f);
    }
}

static void
sorted(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct pod *pod = decode_pod(
        f.builder,
        model_value(&f, "{'metadata':{'name':'x'},'spec':{'containers':[{'resources':{'requests':"
                        "{'memory':'1'}}},{'resources':{'requests':{'z.com/a':'1'}}},{'resources':"
                        "{'requests':{'cpu':'1'}}},{'resources':{'requests':{'a.com/z':'1'}}}]}}"),
        &f.err);

    if (CHECK(pod != NULL) && CHECK(pod->requests.count == 4)) {
        CHECK_STR(pod->requests.items[0].name, "a.com/z");
        CHECK_STR(pod->requests.items[1].name, "cpu");
        CHECK_STR(pod->requests.items[2].name, "memory");
        CHECK_STR(pod->requests.items[3].name, "z.com/a");
    }
    model_end(&f);
}

void suite_pod_requests(void);

void
suite_pod_requests(void)
{
    check_suite("pod_requests");
    check_test("sums", sums);
    check_test("resized in place", in_place);
    check_test("malformed in place", in_place_malformed);
    check_test("sorted by name", sorted);
}
