/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of requests, compared with what protoc's Python makes of the same
 * content from tests/estimator/proto, and what is read from replies.
 */
#include "estimator/messages.h"

#include "check.h"
#include "model_fixture.h"

void suite_estimator_messages(void);

/* As hexadecimal digits. */
static void
check_request(const struct estimator_call *call, const char *want)
{
    struct arena *scratch = arena_new();
    struct buf request, hex;

    buf_init(&request, SIZE_MAX);
    buf_init(&hex, SIZE_MAX);
    message_append_request(scratch, &request, call);
    for (size_t i = 0; i < request.length; i++) {
        buf_printf(&hex, "%02x", (unsigned)(unsigned char)request.data[i]);
    }
    CHECK_STR(buf_text(&hex), want);
    buf_release(&hex);
    buf_release(&request);
    arena_free(scratch);
}

static void
test_methods(void)
{
    CHECK_STR(message_method_path(ESTIMATOR_UNSCHEDULABLE_REPLICAS),
              "/github.com.karmada_io.karmada.pkg.estimator.service.Estimator/"
              "GetUnschedulableReplicas");
    CHECK_STR(message_method_path(ESTIMATOR_MAX_AVAILABLE_REPLICAS),
              "/github.com.karmada_io.karmada.pkg.estimator.service.Estimator/"
              "MaxAvailableReplicas");
    CHECK_STR(message_method_path(ESTIMATOR_MAX_AVAILABLE_COMPONENT_SETS),
              "/github.com.karmada_io.karmada.pkg.estimator.service.Estimator/"
              "MaxAvailableComponentSets");
    CHECK_STR(message_method_name(ESTIMATOR_MAX_AVAILABLE_REPLICAS), "MaxAvailableReplicas");
}

static void
test_unschedulable_replicas(void)
{
    const struct object_reference resource = {.api_version = "apps/v1",
                                              .kind = "Deployment",
                                              .namespace_ = "shop",
                                              .name = "web",
                                              .uid = uid_of("u")};
    const struct estimator_call call = {.method = ESTIMATOR_UNSCHEDULABLE_REPLICAS,
                                        .cluster = "m1",
                                        .resource = &resource,
                                        .threshold = INT64_C(300000000000)};

    check_request(
        &call,
        "0a026d3112200a07617070732f7631120a4465706c6f796d656e741a0473686f7022037765621880f092cbdd"
        "08");
}

static void
test_max_available_replicas(void)
{
    struct model_fixture f;
    struct estimator_call call = {.method = ESTIMATOR_MAX_AVAILABLE_REPLICAS, .cluster = "m1"};

    model_begin(&f);
    check_request(&call, "0a026d31");
    call.requirements = decode_requirements(
        f.builder,
        model_value(
            &f, "{'namespace':'shop','priorityClassName':'high',"
                "'resourceRequest':{'memory':'1Ki','cpu':'1.5'},"
                "'nodeClaim':{'nodeSelector':{'disk':'ssd','a':''},"
                "'hardNodeAffinity':{'nodeSelectorTerms':[{"
                "'matchExpressions':[{'key':'zone','operator':'In','values':['a','b']}],"
                "'matchFields':[{'key':'metadata.name','operator':'Exists'}]},{}]},"
                "'tolerations':[{'key':'k','operator':'Equal','value':'v','effect':'NoSchedule'},"
                "{'operator':'Exists','effect':'NoExecute','tolerationSeconds':0}]}}"),
        &f.err);
    if (CHECK_OK(call.requirements != NULL, f.err)) {
        check_request(&call, "0a026d3112b5020ae2010a2f0a2b0a100a047a6f6e651202496e1a01611a016212170"
                             "a0d6d65746164617461"
                             "2e6e616d6512064578697374730a0012050a01611200120b0a046469736b120373736"
                             "41a190a016b12054571"
                             "75616c1a0176220a4e6f5363686564756c651a190a0012064578697374731a0022094"
                             "e6f4578656375746528"
                             "00222f0a2b0a100a047a6f6e651202496e1a01611a016212170a0d6d6574616461746"
                             "12e6e616d6512064578"
                             "697374730a002a190a016b1205457175616c1a0176220a4e6f5363686564756c652a1"
                             "90a0012064578697374"
                             "731a0022094e6f457865637574652800120e0a0363707512070a05313530306d12100"
                             "a066d656d6f72791206"
                             "0a04313032341a0473686f702204686967682a0e0a0363707512070a05313530306d2"
                             "a100a066d656d6f7279"
                             "12060a0431303234");
    }
    model_end(&f);
}

/* Absent, empty and present with nothing in it are three things to a server. */
static void
test_what_is_empty(void)
{
    static const struct {
        const char *requirements, *want;
    } table[] = {
        {"{}", "0a026d311200"},
        {"{'nodeClaim':{}}", "0a026d3112020a00"},
        {"{'nodeClaim':{'hardNodeAffinity':{}}}", "0a026d3112040a020a00"},
        {"{'resourceRequest':{},'nodeClaim':{'tolerations':[],'nodeSelector':{}}}",
         "0a026d3112020a00"},
    };
    struct model_fixture f;
    struct estimator_call call = {.method = ESTIMATOR_MAX_AVAILABLE_REPLICAS, .cluster = "m1"};

    model_begin(&f);
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        call.requirements =
            decode_requirements(f.builder, model_value(&f, table[i].requirements), &f.err);
        if (CHECK_OK(call.requirements != NULL, f.err)) {
            check_request(&call, table[i].want);
        }
    }
    model_end(&f);
}

static void
test_max_available_component_sets(void)
{
    const struct component assumed = {.name = "x", .replicas = 2};
    const struct estimator_assumed workload = {
        .namespace_ = "other", .components = &assumed, .n_components = 1};
    struct model_fixture f;

    model_begin(&f);
    const struct component components[] = {
        {"job", 1,
         decode_requirements(
             f.builder,
             model_value(&f, "{'priorityClassName':'low','resourceRequest':{'cpu':'1'}}"), &f.err)},
        {"task", 4, NULL},
    };
    const struct estimator_call call = {.method = ESTIMATOR_MAX_AVAILABLE_COMPONENT_SETS,
                                        .cluster = "m1",
                                        .namespace_ = "shop",
                                        .components = components,
                                        .n_components = 2,
                                        .assumed = &workload,
                                        .n_assumed = 1};

    check_request(
        &call,
        "0a026d3112260a036a6f62121d120a0a0363707512030a01311a036c6f77220a0a0363707512030a01311801"
        "12080a047461736b18041a0473686f70220e0a056f7468657212050a01781802");
    model_end(&f);
}

static void
test_replies(void)
{
    static const struct {
        const char *bytes;
        size_t length;
        int32_t want;
        bool is_fine;
    } table[] = {
        {"", 0, 0, true},
        {"\x08\x07", 2, 7, true},
        {"\x08\xff\xff\xff\xff\x07", 6, INT32_MAX, true},
        {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, -1, true},
        {"\x08\x01\x08\x02", 4, 2, true}, /* the last one counts */
        {"\x12\x03"
         "abc\x08\x07",
         7, 7, true}, /* a field that we do not know */
        {"\x08", 1, 0, false},
        {"\x08\x80", 2, 0, false},
        {"\x0a\x02"
         "ab",
         4, 0, false}, /* not of this type */
        {"\x12\x7f"
         "abc",
         5, 0, false},
        {"\x07", 1, 0, false},
        {"\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12, 0, false},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        for (int method = 0; method <= ESTIMATOR_MAX_AVAILABLE_COMPONENT_SETS; method++) {
            struct error err = ERROR_INIT;
            int32_t answer = 0;
            bool is_fine = message_read_reply((enum estimator_method)method, table[i].bytes,
                                              table[i].length, &answer, &err);

            CHECK_MSG(is_fine == table[i].is_fine, "reply %zu", i);
            CHECK_INT(answer, table[i].want);
            CHECK_INT(err.code, is_fine ? ERROR_NONE : ERROR_PARSE);
        }
    }
}

void
suite_estimator_messages(void)
{
    check_suite("estimator_messages");
    check_test("method paths", test_methods);
    check_test("GetUnschedulableReplicas", test_unschedulable_replicas);
    check_test("MaxAvailableReplicas", test_max_available_replicas);
    check_test("what is absent and what is empty", test_what_is_empty);
    check_test("MaxAvailableComponentSets", test_max_available_component_sets);
    check_test("replies", test_replies);
}
