/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pod takes on a node.
 */
#include <stdio.h>

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
    check_test("sorted by name", sorted);
}
