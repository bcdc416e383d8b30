/* SPDX-License-Identifier: Apache-2.0
 *
 * Where estimators are looked for.
 */
#include "ballast/estimator/estimator_client.h"
#include "check.h"

void suite_estimator_address(void);

static const struct estimator_naming naming = {
    .prefix = ESTIMATOR_PREFIX, .namespace_ = ESTIMATOR_NAMESPACE, .port = ESTIMATOR_PORT};

static struct document *
parse(const char *json)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(json, strlen(json), 1, &err);

    CHECK_OK(document != NULL, err);
    return document;
}

/* The host of the Service in `json`, or the error. */
static void
check_service(const char *json, const char *want)
{
    struct arena *arena = arena_new();
    struct document *document = parse(json);
    struct estimator_address address;
    struct error err = ERROR_INIT;

    if (document != NULL &&
        estimator_resolve(arena, document_root(document), &naming, "member1", &address, &err)) {
        CHECK_INT(address.count, 1);
        CHECK_STR(address.hosts[0], want);
    } else {
        CHECK_INT(err.code, ERROR_INVALID);
        CHECK_CONTAINS(err.message, want);
        CHECK_CONTAINS(err.message, "estimator of member1: Service "
                                    "karmada-system/karmada-scheduler-estimator-member1: ");
    }
    document_free(document);
    arena_free(arena);
}

static void
test_without_service(void)
{
    struct arena *arena = arena_new();
    struct estimator_address address;
    struct error err = ERROR_INIT;

    CHECK_STR(estimator_service_name(arena, &naming, "member1"),
              "karmada-scheduler-estimator-member1");
    if (CHECK_OK(estimator_resolve(arena, NULL, &naming, "member1", &address, &err), err)) {
        CHECK_INT(address.count, 2);
        CHECK_STR(address.hosts[0],
                  "karmada-scheduler-estimator-member1.karmada-system.svc.cluster.local:10352");
        CHECK_STR(address.hosts[1], "karmada-scheduler-estimator-member1.karmada-system.svc:10352");
    }
    arena_free(arena);
}

static void
test_what_is_no_host(void)
{
    static const char *const clusters[] = {"a/b", "a b", "a@b", "a?b", "a#b", "a\nb", "a%62"};
    struct arena *arena = arena_new();
    struct estimator_address address;

    for (size_t i = 0; i < sizeof(clusters) / sizeof(clusters[0]); i++) {
        struct error err = ERROR_INIT;

        CHECK(!estimator_resolve(arena, NULL, &naming, clusters[i], &address, &err));
        CHECK_INT(err.code, ERROR_INVALID);
        CHECK_CONTAINS(err.message, "is no host name");
    }
    arena_free(arena);
}

static void
test_external_name(void)
{
    check_service("{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"est.example.com\","
                  "\"ports\":[{\"port\":1,\"targetPort\":2},{\"port\":10352,\"targetPort\":443}]}}",
                  "est.example.com:443");
    check_service("{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"fd00::1\","
                  "\"ports\":[{\"port\":10352,\"targetPort\":10352}]}}",
                  "[fd00::1]:10352");
    check_service("{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"10.0.0.7\","
                  "\"ports\":[{\"port\":10352}]}}",
                  "10.0.0.7:10352");
}

static void
test_services_of_no_use(void)
{
    check_service("{\"spec\":{\"type\":\"ClusterIP\",\"ports\":[{\"port\":10352}]}}",
                  "want type ExternalName, got \"ClusterIP\"");
    check_service("{}", "want type ExternalName");
    check_service("[]", "want type ExternalName");
    check_service("{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"a\",\"ports\":7}}",
                  "it has no port 10352");
    check_service("{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"a\","
                  "\"ports\":[{\"port\":10352,\"targetPort\":\"grpc\"}]}}",
                  "targetPort of port 10352 has to be a number");
    check_service("{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"a\","
                  "\"ports\":[{\"port\":10352,\"targetPort\":65536}]}}",
                  "65536 is no port");
    check_service("{\"spec\":{\"type\":\"ExternalName\",\"ports\":[{\"port\":10352}]}}",
                  "\"\" is no host name");
    check_service("{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"user@host/path\","
                  "\"ports\":[{\"port\":10352}]}}",
                  "is no host name");
}

void
suite_estimator_address(void)
{
    check_suite("estimator_address");
    check_test("the names that the hosting cluster gives", test_without_service);
    check_test("names that make no host", test_what_is_no_host);
    check_test("ExternalName on the control plane", test_external_name);
    check_test("Services of no use", test_services_of_no_use);
}
