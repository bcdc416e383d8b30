/* SPDX-License-Identifier: Apache-2.0
 *
 * Scopes against a live control plane: the labels of workloads, what is asked
 * of the server for them, and workloads by name.
 */
#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "ballast/cli/cli.h"
#include "check.h"
#include "live_fleet.h"
#include "live_run.h"
#include "temp_dir.h"

#define PAGED " --page-size=2"
#define DISCOVERY "/apis/apps/v1"
#define DEPLOYMENTS DISCOVERY "/deployments"
#define WEB(n) SHOP_BINDINGS_PATH "/web-" n

static void
put_deployment(struct fake_api *api, const char *name, const char *labels)
{
    char path[128], json[512];

    snprintf(path, sizeof(path), DISCOVERY "/namespaces/shop/deployments/%s", name);
    snprintf(json, sizeof(json),
             "{\"apiVersion\":\"meta.k8s.io/v1\",\"kind\":\"PartialObjectMetadata\",\"metadata\":{"
             "\"namespace\":\"shop\",\"name\":\"%s\"%s}}",
             name, labels);
    fake_api_put(api, DEPLOYMENTS, path, json);
}

/* Four bindings that lack a replica each, and the Deployments that they bind: web-0 of the
 * frontend, web-1 a cache, web-2 without labels; that of web-3 is gone. */
static struct fake_api *
labelled_fleet(void)
{
    struct fake_api *api = live_fleet(4, 2);

    live_members(api);
    fake_api_serve(api, EVENTS, "v1", "Event");
    fake_api_serve(api, DEPLOYMENTS, "meta.k8s.io/v1", "PartialObjectMetadata");
    fake_api_put(api, "", DISCOVERY,
                 "{\"kind\":\"APIResourceList\",\"groupVersion\":\"apps/v1\",\"resources\":["
                 "{\"name\":\"deployments/scale\",\"kind\":\"Deployment\"},"
                 "{\"name\":\"deployments\",\"kind\":\"Deployment\"}]}");
    put_deployment(api, "web-0", ",\"labels\":{\"tier\":\"frontend\"}");
    put_deployment(api, "web-1", ",\"labels\":{\"tier\":\"cache\"}");
    put_deployment(api, "web-2", "");
    return api;
}

/* The labels of a Deployment whose binding has none of them; pages; metadata and nothing else. */
static void
test_selects_by_workload(void)
{
    struct fake_api *api = labelled_fleet();
    struct live_outcome got = live_run(api, "plan --selector tier=frontend" PAGED);

    CHECK_INT(got.status, STATUS_DONE);
    CHECK_CONTAINS(got.out, "1 of 4 bindings in scope, in 2 clusters");
    CHECK_CONTAINS(got.out, "+++ shop/web-0 ");
    CHECK_CONTAINS(got.err, "selector: the labels of 1 workload are not known here");
    CHECK_INT(fake_api_count(api, "GET", DISCOVERY "/"), 3); /* and the template of web-0 */
    CHECK_CONTAINS(fake_api_target(api, "GET", DEPLOYMENTS, 0), "?limit=2");
    CHECK_CONTAINS(fake_api_target(api, "GET", DEPLOYMENTS, 1), "continue=2");
    CHECK_CONTAINS(fake_api_head(api, "GET", DEPLOYMENTS, 1),
                   "as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
    live_release(&got);
    fake_api_stop(api);
}

/* What has no replicas is not read for its labels, nor missed: nobody has to let Ballast list
 * Secrets. */
static void
test_only_workloads_are_read(void)
{
    struct fake_api *api = labelled_fleet();
    struct live_outcome got;

    fake_api_put(api, BINDINGS_PATH, SHOP_BINDINGS_PATH "/key-secret",
                 "{\"metadata\":{\"namespace\":\"shop\",\"name\":\"key-secret\"},\"spec\":{"
                 "\"resource\":{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"namespace\":"
                 "\"shop\",\"name\":\"key\"},\"clusters\":[{\"name\":\"m1\"}]}}");
    got = live_run(api, "plan -l tier=frontend" PAGED);
    CHECK_INT(got.status, STATUS_DONE);
    CHECK_CONTAINS(got.out, "1 of 5 bindings in scope");
    CHECK_CONTAINS(got.err, "the labels of 1 workload are not known here"); /* web-3's */
    CHECK_INT(fake_api_count(api, "GET", "/api/v1"), 0);
    live_release(&got);
    fake_api_stop(api);
}

/* What is not known is not taken for "has no such label". */
static void
test_negative_selectors(void)
{
    static const struct {
        const char *line, *scope;
    } cases[] = {
        {"plan -l tier!=cache", "2 of 4 bindings in scope"},
        {"plan -l !tier", "1 of 4 bindings in scope"},
        {"plan -l tier", "2 of 4 bindings in scope"},
        {"plan -l propagationpolicy.karmada.io/permanent-id=p", "4 bindings in 2 clusters"},
        {"plan -l propagationpolicy.karmada.io/permanent-id=p,tier!=cache",
         "2 of 4 bindings in scope"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_api *api = labelled_fleet();
        struct live_outcome got = live_run(api, "%s" PAGED, cases[i].line);

        CHECK_INT(got.status, STATUS_DONE);
        CHECK_CONTAINS(got.out, cases[i].scope);
        live_release(&got);
        fake_api_stop(api);
    }
}

/* Labels that nothing has, with those that were meant. */
static void
test_label_hints(void)
{
    struct fake_api *api = labelled_fleet();
    struct live_outcome got;

    put_deployment(api, "web-3", ",\"labels\":{\"app\":\"web\"}");
    got = live_run(api, "plan -l tier=frontnd" PAGED);
    CHECK_CONTAINS(got.err, "label tier=frontnd: no workload or binding is known to have it: did "
                            "you mean frontend? (0 of 4 bindings in scope)");
    live_release(&got);
    got = live_run(api, "plan -l tear=frontend" PAGED);
    CHECK_CONTAINS(got.err, "label tear: no workload or binding is known to have one of that "
                            "name: did you mean tier?");
    live_release(&got);
    fake_api_stop(api);
}

/* A preference's selector looks at the labels of workloads, too, and they are read for it. */
static void
test_preferences_select_by_workload(void)
{
    static const char config[] =
        "apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\npreferences:\n"
        "- selector: {labelSelector: {matchLabels: {tier: frontend}}}\n"
        "  clusters: {m1: {weight: 1}}\n";
    struct temp_dir dir = temp_dir_make();
    char line[512];

    snprintf(line, sizeof(line), "plan --config %s",
             temp_write(&dir, "ballast.yaml", config, 0600));
    struct fake_api *api = labelled_fleet();
    struct live_outcome got = live_run(api, "%s" PAGED, line);

    CHECK_INT(fake_api_count(api, "GET", DEPLOYMENTS), 2);
    CHECK_CONTAINS(got.err, "preferences: the labels of 1 workload are not known here");
    CHECK(strstr(got.err, "asks for label") == NULL);
    live_release(&got);
    fake_api_stop(api);
    api = labelled_fleet();
    fake_api_fail(api, "GET", DEPLOYMENTS, 403, "no", 1);
    got = live_run(api, "%s" PAGED, line);
    CHECK_INT(got.status, STATUS_ERROR);
    CHECK_CONTAINS(got.err, "grant the verb list on deployments.apps");
    CHECK_CONTAINS(got.err, "preferences: the labels of 4 workloads are not known here");
    live_release(&got);
    fake_api_stop(api);
    temp_dir_remove(&dir);
}

static void
test_asked_only_for_a_selector(void)
{
    struct fake_api *api = labelled_fleet();
    struct live_outcome got = live_run(api, "plan -n shop --kind Deployment shop/web-0" PAGED);

    CHECK_INT(got.status, STATUS_DONE);
    CHECK_INT(fake_api_count(api, "GET", DEPLOYMENTS), 0);
    live_release(&got);
    fake_api_stop(api);
}

/* A kind that cannot be read leaves what it has unknown, and the run is not well. */
static void
test_kinds_that_cannot_be_read(void)
{
    static const struct {
        const char *path;
        int status;
        const char *message;
    } cases[] = {
        {DEPLOYMENTS, 403,
         "skipped apps/v1 Deployment: the labels of its objects cannot be read: "},
        {DEPLOYMENTS, 404, "HTTP 404"},
        {DISCOVERY, 403, "HTTP 403"},
        {DISCOVERY, 404, "HTTP 404"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_api *api = labelled_fleet();
        struct live_outcome got;

        fake_api_fail(api, "GET", cases[i].path, cases[i].status, "no", 1);
        got = live_run(api, "run -l !canary" PAGED);
        CHECK_INT(got.status, STATUS_ERROR);
        CHECK_CONTAINS(got.err, cases[i].message);
        CHECK_CONTAINS(got.err, "the labels of 4 workloads are not known here");
        CHECK_CONTAINS(got.out, "0 of 4 bindings in scope");
        CHECK_INT(fake_api_count(api, "PATCH", "/"), 0);
        live_release(&got);
        fake_api_stop(api);
    }
}

/* The binding that is read again is in scope as it was. */
static void
test_conflict_in_scope(void)
{
    struct fake_api *api = labelled_fleet();
    struct live_outcome got;

    fake_api_interfere(api, "PATCH", WEB("0"), WEB("0"),
                       "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");
    got = live_run(api, "run -l tier=frontend" PAGED);
    CHECK_INT(got.status, STATUS_DONE);
    CHECK_CONTAINS(got.out, "written      1 binding");
    CHECK_INT(fake_api_count(api, "PATCH", "/"), 2);
    live_release(&got);
    fake_api_stop(api);
}

static void
test_names(void)
{
    struct fake_api *api = labelled_fleet();
    struct live_outcome got = live_run(api, "run shop/web-1" PAGED);

    CHECK_INT(got.status, STATUS_DONE);
    CHECK_INT(fake_api_count(api, "PATCH", "/"), 1);
    CHECK_INT(fake_api_count(api, "PATCH", WEB("1")), 1);
    live_release(&got);
    got = live_run(api, "run shop/web-2 shop/wep-0" PAGED);
    CHECK_INT(got.status, STATUS_ERROR);
    CHECK_CONTAINS(got.err, "no binding belongs to workload shop/wep-0: did you mean shop/web-0?");
    CHECK_INT(fake_api_count(api, "PATCH", "/"), 1);
    live_release(&got);
    fake_api_stop(api);
}

void suite_live_scope(void);

void
suite_live_scope(void)
{
    check_suite("live scope");
    check_test("a selector looks at the workload's labels", test_selects_by_workload);
    check_test("what has no replicas is not read", test_only_workloads_are_read);
    check_test("what is unknown is not missing", test_negative_selectors);
    check_test("labels that nothing has", test_label_hints);
    check_test("preferences select by the workload's labels", test_preferences_select_by_workload);
    check_test("labels are read for a selector only", test_asked_only_for_a_selector);
    check_test("kinds that cannot be read", test_kinds_that_cannot_be_read);
    check_test("a conflict within a scope", test_conflict_in_scope);
    check_test("workloads by name", test_names);
}
