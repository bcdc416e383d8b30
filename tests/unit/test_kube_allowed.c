/* SPDX-License-Identifier: Apache-2.0
 *
 * A 403 about what the server has allowed before: it passes, as after a restart of the
 * API server. Any other 403 is the last word.
 */
#include "check.h"
#include "fake_api.h"
#include "kube/request/allowed.h"
#include "kube_test.h"

#define THINGS(ns) "/apis/g.io/v1/namespaces/" ns "/things"
#define ALL_THINGS "/apis/g.io/v1/things"
#define PROXY(member) "/apis/cluster.karmada.io/v1alpha1/clusters/" member "/proxy/api/v1/pods"
#define CANNOT                                                                                     \
    "things.g.io \"b\" is forbidden: User \"system:serviceaccount:k:ballast\" cannot patch "       \
    "resource \"things\" in API group \"g.io\" in the namespace \"two\": RBAC: "                   \
    "clusterrole.rbac.authorization.k8s.io \"ballast-writer\" not found"
#define WEBHOOK "admission webhook \"x\" denied the request: User \"ballast\" cannot patch"
#define QUOTA "things.g.io \"b\" is forbidden: exceeded quota: q"

static struct kube_request
request(enum kube_method method, const char *path)
{
    return (struct kube_request){.method = method, .path = path, .body = "{}", .body_length = 2};
}

static void
test_what_counts(void)
{
    static const struct {
        enum kube_method allowed_method;
        const char *allowed;
        enum kube_method method;
        const char *path, *message;
        bool is_relayed, passes;
    } cases[] = {
        /* the same verb and resource, in whatever namespace and of whatever name */
        {KUBE_PATCH_MERGE, THINGS("one") "/a", KUBE_PATCH_MERGE, THINGS("two") "/b", CANNOT, false,
         true},
        {KUBE_GET, ALL_THINGS, KUBE_GET, THINGS("two"), CANNOT, false, true},
        {KUBE_POST, THINGS("one"), KUBE_POST, THINGS("two"), CANNOT, false, true},
        /* another verb, another resource, another group */
        {KUBE_GET, THINGS("one") "/a", KUBE_PATCH_MERGE, THINGS("one") "/a", CANNOT, false, false},
        {KUBE_GET, THINGS("one") "/a", KUBE_GET, THINGS("one"), CANNOT, false, false},
        {KUBE_GET, ALL_THINGS, KUBE_GET, "/apis/g.io/v1/others", CANNOT, false, false},
        {KUBE_GET, ALL_THINGS, KUBE_GET, "/apis/h.io/v1/things", CANNOT, false, false},
        {KUBE_GET, "/apis", KUBE_GET, "/apis", CANNOT, false, false},
        /* refused by admission, or nobody knows by whom */
        {KUBE_PATCH_MERGE, THINGS("one") "/a", KUBE_PATCH_MERGE, THINGS("two") "/b", WEBHOOK, false,
         false},
        {KUBE_PATCH_MERGE, THINGS("one") "/a", KUBE_PATCH_MERGE, THINGS("two") "/b", QUOTA, false,
         false},
        {KUBE_PATCH_MERGE, THINGS("one") "/a", KUBE_PATCH_MERGE, THINGS("two") "/b", "no", false,
         false},
        /* what one member allows, another one need not */
        {KUBE_GET, PROXY("m1"), KUBE_GET, PROXY("m1"), CANNOT, true, true},
        {KUBE_GET, PROXY("m1"), KUBE_GET, PROXY("m2"), CANNOT, true, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct allowed allowed = {NULL, NULL};
        struct kube_request before = request(cases[i].allowed_method, cases[i].allowed);
        struct kube_request now = request(cases[i].method, cases[i].path);

        before.is_relayed = now.is_relayed = cases[i].is_relayed;
        CHECK_INT(allowed_until(&allowed, &now, cases[i].message, 7), 0);
        allowed_note(&allowed, &before);
        allowed_note(&allowed, &before);
        CHECK_MSG((allowed_until(&allowed, &now, cases[i].message, 7) > 0) == cases[i].passes,
                  "case %zu", i);
        allowed_release(&allowed);
    }
}

/* The time runs from the first refusal on, whichever request met it. */
static void
test_how_long(void)
{
    struct allowed allowed = {NULL, NULL};
    struct kube_request one = request(KUBE_PATCH_MERGE, THINGS("one") "/a");
    struct kube_request two = request(KUBE_PATCH_MERGE, THINGS("two") "/b");

    allowed_note(&allowed, &one);
    CHECK_INT(allowed_until(&allowed, &one, CANNOT, 5), 5 + ALLOWED_DOUBT);
    allowed_note(&allowed, &one);
    CHECK_INT(allowed_until(&allowed, &two, CANNOT, 9), 5 + ALLOWED_DOUBT);
    allowed_release(&allowed);
}

struct scene {
    struct fake_api *api;
    struct kube_config config;
    struct kube_client *client;
};

static void
set_scene(struct scene *scene, int64_t deadline)
{
    struct kube_client_options options = fast_options();
    struct error err = ERROR_INIT;

    scene->api = fake_api_start();
    fake_api_serve(scene->api, ALL_THINGS, "g.io/v1", "Thing");
    fake_api_put(scene->api, ALL_THINGS, THINGS("one") "/a",
                 "{\"metadata\":{\"name\":\"a\",\"namespace\":\"one\"}}");
    fake_api_put(scene->api, ALL_THINGS, THINGS("two") "/b",
                 "{\"metadata\":{\"name\":\"b\",\"namespace\":\"two\"}}");
    scene->config = (struct kube_config){.server = unowned(fake_api_url(scene->api))};
    options.deadline = deadline;
    scene->client = kube_client_new(&scene->config, &options, &err);
    CHECK_MSG(scene->client != NULL, "%s", err.message);
}

static void
end_scene(struct scene *scene)
{
    kube_client_free(scene->client);
    fake_api_stop(scene->api);
}

static struct kube_request
perform(struct scene *scene, enum kube_method method, const char *path)
{
    struct kube_request asked = request(method, path);

    kube_perform(scene->client, &asked, 1);
    kube_request_release(&asked);
    return asked;
}

/* A server that refuses for a while is asked again, and one that goes on in vain. */
static void
test_restart(void)
{
    static const struct {
        bool was_let_in;
        const char *message;
        unsigned refusals;
        int64_t deadline;
        enum error_code want;
        uint32_t least, most; /* tries */
    } cases[] = {
        {true, CANNOT, 3, SHORT_DEADLINE, ERROR_NONE, 4, 4},
        {false, CANNOT, 3, SHORT_DEADLINE, ERROR_FORBIDDEN, 1, 1},
        {true, WEBHOOK, 3, SHORT_DEADLINE, ERROR_FORBIDDEN, 1, 1},
        /* half a minute later it was the last word */
        {true, CANNOT, 99, 10 * SHORT_DEADLINE, ERROR_FORBIDDEN, 6, 12},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scene scene;

        set_scene(&scene, cases[i].deadline);
        if (cases[i].was_let_in) {
            CHECK_INT(perform(&scene, KUBE_PATCH_MERGE, THINGS("one") "/a").error.code, ERROR_NONE);
        }
        fake_api_fail(scene.api, "PATCH", THINGS("two") "/b", 403, cases[i].message,
                      cases[i].refusals);
        struct kube_request got = perform(&scene, KUBE_PATCH_MERGE, THINGS("two") "/b");

        CHECK_MSG(got.error.code == cases[i].want, "case %zu: %s", i, got.error.message);
        CHECK_MSG(got.tries >= cases[i].least && got.tries <= cases[i].most, "case %zu: %u tries",
                  i, got.tries);
        CHECK(!got.in_doubt);
        if (cases[i].want != ERROR_NONE) {
            CHECK_CONTAINS(got.error.message, cases[i].message);
            CHECK_INT(got.error.request.status, 403);
        }
        end_scene(&scene);
    }
}

/* An answer about the object itself tells that we were let in: not found, a conflict. */
static void
test_other_answers(void)
{
    static const struct {
        int status;
        bool lets_in;
    } cases[] = {{404, true}, {409, true}, {422, true}, {400, false}, {403, false}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scene scene;

        set_scene(&scene, SHORT_DEADLINE);
        fake_api_fail(scene.api, "PATCH", THINGS("one") "/a", cases[i].status, "so it is", 1);
        perform(&scene, KUBE_PATCH_MERGE, THINGS("one") "/a");
        fake_api_fail(scene.api, "PATCH", THINGS("two") "/b", 403, CANNOT, 1);
        struct kube_request got = perform(&scene, KUBE_PATCH_MERGE, THINGS("two") "/b");

        CHECK_MSG((got.error.code == ERROR_NONE) == cases[i].lets_in, "%d: %s", cases[i].status,
                  got.error.message);
        end_scene(&scene);
    }
}

void suite_kube_allowed(void);

void
suite_kube_allowed(void)
{
    check_suite("kube_allowed");
    check_test("which refusals may pass", test_what_counts);
    check_test("for how long", test_how_long);
    check_test("a server that starts anew", test_restart);
    check_test("answers that tell of rights", test_other_answers);
}
