/* SPDX-License-Identifier: Apache-2.0
 *
 * PodDisruptionBudgets of live members: read where balance may take what runs there,
 * and nowhere else. And the plan of a snapshot is the one made live.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "kubefed_fleet.h"
#include "live_fleet.h"
#include "live_run.h"
#include "temp_dir.h"

#define BUDGETS "apis/policy/v1/namespaces/shop/poddisruptionbudgets"
#define OLDER_BUDGETS "apis/policy/v1beta1/namespaces/shop/poddisruptionbudgets"
#define DEPLOYMENT_PATH "/apis/apps/v1/namespaces/shop/deployments/web"

#define MOVES_RUNNING                                                                              \
    "apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\ntriggers: {Imbalance: true}\n"    \
    "balance: {staticWeights: true, moveRunning: true}\n"
#define MOVES_IDLE                                                                                 \
    "apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\ntriggers: {Imbalance: true}\n"    \
    "balance: {staticWeights: true}\n"

static void
put_pods(struct fake_api *api, const char *list)
{
    for (int i = 0; i < 4; i++) {
        char path[160], pod[768];

        snprintf(path, sizeof(path), "%s/web-h-%d", list, i);
        snprintf(
            pod, sizeof(pod),
            "{\"metadata\":{\"name\":\"web-h-%d\",\"namespace\":\"shop\",\"uid\":\"p%d\","
            "\"creationTimestamp\":\"2026-01-01T00:00:00Z\",\"labels\":{\"app\":\"web\","
            "\"pod-template-hash\":\"h\"},\"ownerReferences\":[{\"apiVersion\":\"apps/v1\","
            "\"kind\":\"ReplicaSet\",\"name\":\"web-h\",\"uid\":\"r\",\"controller\":true}]},"
            "\"spec\":{\"nodeName\":\"node\",\"containers\":[{\"name\":\"c\"}]},\"status\":{"
            "\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}",
            i, i);
        fake_api_put(api, list, path, pod);
    }
}

/* shop/web has its four replicas in m1, all of them ready, and is to have half of them in m2. */
static struct fake_api *
balanced_fleet(void)
{
    struct fake_api *api = live_fleet(0, 0);

    live_members(api);
    fake_api_put(
        api, BINDINGS_PATH, SHOP_BINDINGS_PATH "/web",
        "{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\",\"uid\":\"u\",\"labels\":{"
        "\"propagationpolicy.karmada.io/permanent-id\":\"p\"}},\"spec\":{\"resource\":{"
        "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"namespace\":\"shop\","
        "\"name\":\"web\"},\"replicas\":4,\"replicaRequirements\":{\"resourceRequest\":{"
        "\"cpu\":\"1\"}},\"placement\":{\"replicaScheduling\":{\"replicaSchedulingType\":"
        "\"Divided\",\"replicaDivisionPreference\":\"Weighted\",\"weightPreference\":{"
        "\"staticWeightList\":[{\"targetCluster\":{\"clusterNames\":[\"m1\"]},\"weight\":1}"
        ",{\"targetCluster\":{\"clusterNames\":[\"m2\"]},\"weight\":1}]}}},\"clusters\":[{"
        "\"name\":\"m1\",\"replicas\":4}]}}");
    put_pods(api, MEMBER("m1", "api/v1/pods"));
    fake_api_serve(api, "/documents", "v1", "Document");
    fake_api_put(api, "/documents", "/apis/apps/v1",
                 "{\"resources\":[{\"name\":\"deployments\",\"kind\":\"Deployment\"}]}");
    fake_api_serve(api, "/apis/apps/v1/deployments", "apps/v1", "Deployment");
    fake_api_put(api, "/apis/apps/v1/deployments", DEPLOYMENT_PATH,
                 "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":"
                 "\"web\",\"namespace\":\"shop\"},\"spec\":{\"template\":{"
                 "\"metadata\":{\"labels\":{\"app\":\"web\"}},\"spec\":{\"containers\":[{}]}}}}");
    fake_api_serve(api, MEMBER("m1", "api/v1/namespaces/shop/limitranges"), "v1", "LimitRange");
    fake_api_serve(api, MEMBER("m1", "api/v1/namespaces/shop/resourcequotas"), "v1",
                   "ResourceQuota");
    fake_api_serve(api, MEMBER("m2", "api/v1/namespaces/shop/limitranges"), "v1", "LimitRange");
    fake_api_serve(api, MEMBER("m2", "api/v1/namespaces/shop/resourcequotas"), "v1",
                   "ResourceQuota");
    return api;
}

static void
serve_budget(struct fake_api *api, const char *path, const char *version, const char *selector)
{
    char name[256], budget[256];

    snprintf(name, sizeof(name), "%s/web", path);
    snprintf(budget, sizeof(budget),
             "{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{\"minAvailable\":3,"
             "\"selector\":%s}}",
             selector);
    fake_api_serve(api, path, version, "PodDisruptionBudget");
    fake_api_put(api, path, name, budget);
}

#define OF_WEB "{\"matchLabels\":{\"app\":\"web\"}}"

/* Runs a line with that configuration. */
static struct live_outcome
run_with(struct fake_api *api, const char *config, const char *line)
{
    struct temp_dir dir = temp_dir_make();
    struct live_outcome got =
        live_run(api, "%s --config %s", line, temp_write(&dir, "config.yaml", config, 0600));

    temp_dir_remove(&dir);
    return got;
}

static void
check_said(struct fake_api *api, const char *config, enum exit_status status, const char *says)
{
    struct live_outcome got = run_with(api, config, "plan");

    CHECK_MSG(got.status == status, "status %d: %s", (int)got.status, got.err);
    CHECK_CONTAINS(got.out, says);
    live_release(&got);
}

static void
test_balance(void)
{
    struct fake_api *api = balanced_fleet();

    serve_budget(api, MEMBER("m1", BUDGETS), "policy/v1", OF_WEB);
    check_said(api, MOVES_RUNNING, STATUS_DONE,
               "DisruptionBudget m1: 1 of 2 replicas move in this run, PodDisruptionBudget web "
               "leaves 1 of 1 disruptions");
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", BUDGETS)), 1);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m2", BUDGETS)), 0); /* nothing leaves it */
    fake_api_stop(api);
}

/* Nobody knows the labels of its pods: whether a budget is there matters all the more. */
static void
test_without_template(void)
{
    struct fake_api *api = balanced_fleet();

    fake_api_fail(api, "GET", DEPLOYMENT_PATH, 404, "no such thing", 99);
    serve_budget(api, MEMBER("m1", BUDGETS), "policy/v1", OF_WEB);
    check_said(api, MOVES_RUNNING, STATUS_DONE,
               "DisruptionBudget m1: 2 replicas would move, PodDisruptionBudget web may protect "
               "it: labels of the pods are not known");
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", BUDGETS)), 1);
    fake_api_stop(api);
    api = balanced_fleet(); /* its pods are seen */
    fake_api_fail(api, "GET", DEPLOYMENT_PATH, 404, "no such thing", 99);
    serve_budget(api, MEMBER("m1", BUDGETS), "policy/v1", "{\"matchLabels\":{\"app\":\"api\"}}");
    check_said(api, MOVES_RUNNING, STATUS_DONE, "Taken m1: 2 of 4 replicas leave");
    fake_api_stop(api);
}

/* Only what is not ready would go: whom it protects does not matter. */
static void
test_not_asked(void)
{
    struct fake_api *api = balanced_fleet();

    serve_budget(api, MEMBER("m1", BUDGETS), "policy/v1", OF_WEB);
    check_said(api, MOVES_IDLE, STATUS_DONE, "BalanceWaits");
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", BUDGETS)), 0);
    fake_api_stop(api);
}

/* Members of before Kubernetes 1.21; there an empty selector selects nothing. */
static void
test_older(void)
{
    struct fake_api *api = balanced_fleet();

    serve_budget(api, MEMBER("m1", OLDER_BUDGETS), "policy/v1beta1", OF_WEB);
    check_said(api, MOVES_RUNNING, STATUS_DONE, "DisruptionBudget m1: 1 of 2 replicas move");
    fake_api_stop(api);
    api = balanced_fleet();
    serve_budget(api, MEMBER("m1", OLDER_BUDGETS), "policy/v1beta1", "{}");
    check_said(api, MOVES_RUNNING, STATUS_DONE, "Taken m1: 2 of 4 replicas leave");
    fake_api_stop(api);
}

/* Whatever is ready may be what nobody may take. */
#define NOT_SEEN                                                                                   \
    "DisruptionBudget m1: 2 replicas would move, its PodDisruptionBudgets were not seen"

static void
check_unseen(struct fake_api *api)
{
    check_said(api, MOVES_RUNNING, STATUS_UNSEEN, "m1 NOT SEEN: poddisruptionbudgets");
}

static void
test_unseen(void)
{
    static const struct {
        int status;
        const char *body;
    } answers[] = {{403, "not you"}, {404, "no such thing"},     {500, "no"},
                   {503, "not now"}, {200, "{\"items\":[{\"me"}, {200, "<html>"}};

    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        struct fake_api *api = balanced_fleet();

        serve_budget(api, MEMBER("m1", BUDGETS), "policy/v1", OF_WEB);
        fake_api_fail(api, "GET", MEMBER("m1", BUDGETS), answers[i].status, answers[i].body, 99);
        check_unseen(api);
        check_said(api, MOVES_RUNNING, STATUS_UNSEEN, NOT_SEEN);
        fake_api_stop(api);
    }
}

/* Nor of a second namespace's, nor by whoever has only what was seen. */
static void
test_unseen_in_snapshot(void)
{
    struct fake_api *api = balanced_fleet();
    struct temp_dir dir = temp_dir_make();
    const char *config = temp_write(&dir, "config.yaml", MOVES_RUNNING, 0600);

    fake_api_fail(api, "GET", MEMBER("m1", BUDGETS), 403, "not you", 9);
    struct live_outcome taken = live_run(api, "snapshot %s/s --config %s", dir.path, config);
    struct live_outcome files = live_run(api, "plan --fleet %s/s --config %s", dir.path, config);

    CHECK_MSG(taken.status == STATUS_UNSEEN, "status %d: %s", (int)taken.status, taken.err);
    CHECK_CONTAINS(files.out, NOT_SEEN);
    live_release(&files);
    live_release(&taken);
    temp_dir_remove(&dir);
    fake_api_stop(api);
}

/* Nothing is to be balanced; what is to be drained is asked for all the same. */
static void
check_drain(struct fake_api *api, enum exit_status status, const char *says)
{
    struct live_outcome got = live_run(api, "simulate --drain m1");

    CHECK_MSG(got.status == status, "status %d: %s", (int)got.status, got.err);
    CHECK_CONTAINS(got.out, says);
    live_release(&got);
}

static void
test_drain(void)
{
    struct fake_api *api = balanced_fleet();

    serve_budget(api, MEMBER("m1", BUDGETS), "policy/v1", OF_WEB);
    check_drain(api, STATUS_DONE,
                "1 of 4 replicas move in this run, PodDisruptionBudget web never lets more go");
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", BUDGETS)), 1);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m2", BUDGETS)), 0);
    fake_api_stop(api);
    api = balanced_fleet(); /* the first thing that is asked is not there */
    serve_budget(api, MEMBER("m1", OLDER_BUDGETS), "policy/v1beta1", OF_WEB);
    check_drain(api, STATUS_DONE, "PodDisruptionBudget web never lets more go");
    fake_api_stop(api);
    api = balanced_fleet();
    fake_api_fail(api, "GET", MEMBER("m1", BUDGETS), 403, "not you", 9);
    check_drain(api, STATUS_UNSEEN,
                "4 replicas would move, its PodDisruptionBudgets were not seen");
    fake_api_stop(api);
}

static void
test_snapshot(void)
{
    struct fake_api *api = balanced_fleet();
    struct temp_dir dir = temp_dir_make();
    const char *config = temp_write(&dir, "config.yaml", MOVES_RUNNING, 0600);

    serve_budget(api, MEMBER("m1", BUDGETS), "policy/v1", OF_WEB);
    struct live_outcome taken = live_run(api, "snapshot %s/s --config %s", dir.path, config);
    struct live_outcome files = live_run(api, "plan --fleet %s/s --config %s", dir.path, config);

    CHECK_MSG(taken.status == STATUS_DONE, "status %d: %s", (int)taken.status, taken.err);
    CHECK_CONTAINS(files.out, "DisruptionBudget m1: 1 of 2 replicas move");
    live_release(&files);
    live_release(&taken);
    temp_dir_remove(&dir);
    fake_api_stop(api);
}

/* --- what shards wrote down --- */

#define ALL_BUDGETS "apis/policy/v1/poddisruptionbudgets"

/* A shard looks into all of them with one configuration, and a plan is made of that with another.
 */
static void
check_summaries(struct fake_api *api, const char *looks, const char *plans, enum exit_status status,
                const char *says)
{
    struct temp_dir dir = temp_dir_make();
    char line[512];

    snprintf(line, sizeof(line), "observe --shard 1/1 --summaries %s", dir.path);
    struct live_outcome looked = run_with(api, looks, line);

    snprintf(line, sizeof(line), "plan --summaries %s", dir.path);
    struct live_outcome planned = run_with(api, plans, line);

    CHECK_MSG(looked.status == STATUS_DONE, "status %d: %s", (int)looked.status, looked.err);
    CHECK_MSG(planned.status == status, "status %d: %s", (int)planned.status, planned.err);
    CHECK_CONTAINS(planned.out, says);
    live_release(&planned);
    live_release(&looked);
    temp_dir_remove(&dir);
    fake_api_stop(api);
}

static struct fake_api *
summarized_fleet(void)
{
    struct fake_api *api = balanced_fleet();

    serve_budget(api, MEMBER("m1", ALL_BUDGETS), "policy/v1", OF_WEB);
    fake_api_serve(api, MEMBER("m2", ALL_BUDGETS), "policy/v1", "PodDisruptionBudget");
    return api;
}

static void
test_summaries(void)
{
    struct fake_api *api = summarized_fleet();

    check_summaries(api, MOVES_RUNNING, MOVES_RUNNING, STATUS_DONE,
                    "DisruptionBudget m1: 1 of 2 replicas move");
    /* what nobody looked for is not what is not there */
    check_summaries(summarized_fleet(), MOVES_IDLE, MOVES_RUNNING, STATUS_UNSEEN,
                    "it was made with other settings");
    check_summaries(summarized_fleet(), MOVES_IDLE, MOVES_IDLE, STATUS_DONE, "BalanceWaits");
    api = summarized_fleet();
    fake_api_fail(api, "GET", MEMBER("m1", ALL_BUDGETS), 403, "not you", 9);
    check_summaries(api, MOVES_RUNNING, MOVES_RUNNING, STATUS_UNSEEN, NOT_SEEN);
}

static void
test_summaries_without(void)
{
    struct fake_api *api = summarized_fleet();
    struct temp_dir dir = temp_dir_make();
    char line[512];

    snprintf(line, sizeof(line), "observe --shard 1/1 --summaries %s", dir.path);
    struct live_outcome got = run_with(api, MOVES_IDLE, line);

    CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
    CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", ALL_BUDGETS)), 0);
    live_release(&got);
    temp_dir_remove(&dir);
    fake_api_stop(api);
}

/* --- KubeFed --- */

/* Likewise, as its preference wants it. */
static struct fake_api *
federated_fleet(void)
{
    static const char *const lists[][3] = {
        {"/m2/api/v1/nodes", "v1", "Node"},
        {"/m2/api/v1/pods", "v1", "Pod"},
        {"/m2/apis/apps/v1/deployments", "apps/v1", "Deployment"},
        {"/m2/apis/autoscaling/v2/horizontalpodautoscalers", "autoscaling/v2",
         "HorizontalPodAutoscaler"},
        {"/m1/api/v1/namespaces/shop/limitranges", "v1", "LimitRange"},
        {"/m1/api/v1/namespaces/shop/resourcequotas", "v1", "ResourceQuota"},
        {"/m2/api/v1/namespaces/shop/limitranges", "v1", "LimitRange"},
        {"/m2/api/v1/namespaces/shop/resourcequotas", "v1", "ResourceQuota"},
    };
    struct fake_api *api = host_fleet("Cluster");

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        fake_api_serve(api, lists[i][0], lists[i][1], lists[i][2]);
    }
    fake_api_put(api, lists[0][0], "/m2/api/v1/nodes/n",
                 "{\"metadata\":{\"name\":\"n\"},\"status\":{\"allocatable\":{\"cpu\":\"64\","
                 "\"memory\":\"256Gi\",\"pods\":\"100\"}}}");
    put_pods(api, "/m1/api/v1/pods");
    fake_api_put(
        api, OBJECTS, OBJECT,
        "{\"apiVersion\":\"types.kubefed.io/v1beta1\",\"kind\":\"FederatedDeployment\","
        "\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{\"template\":{"
        "\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"app\":\"web\"}},\"spec\":{"
        "\"containers\":[{\"resources\":{\"requests\":{\"cpu\":\"1\"}}}]}}}},"
        "\"placement\":{\"clusters\":[{\"name\":\"m1\"},{\"name\":\"m2\"}]},\"overrides\":[{"
        "\"clusterName\":\"m1\",\"clusterOverrides\":[{\"path\":\"/spec/replicas\","
        "\"value\":4}]},{\"clusterName\":\"m2\",\"clusterOverrides\":[{\"path\":"
        "\"/spec/replicas\",\"value\":0}]}]}}");
    fake_api_put(
        api, RECORDS, RECORD,
        "{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{\"targetKind\":"
        "\"FederatedDeployment\",\"totalReplicas\":4,\"rebalance\":true,\"clusters\":{\"m1\":{"
        "\"weight\":1},\"m2\":{\"weight\":1}}}}");
    return api;
}

static void
test_kubefed(void)
{
    struct fake_api *api = federated_fleet();

    serve_budget(api, "/m1/" BUDGETS, "policy/v1", OF_WEB);
    struct live_outcome got =
        run_with(api, MOVES_RUNNING, "plan --platform=kubefed --allow-insecure-members");

    CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
    CHECK_CONTAINS(got.out, "DisruptionBudget m1: 1 of 2 replicas move in this run");
    CHECK_INT(fake_api_count(api, "GET", "/m1/" BUDGETS), 1);
    CHECK_INT(fake_api_count(api, "GET", "/m2/" BUDGETS), 0);
    live_release(&got);
    fake_api_stop(api);
}

void suite_live_disruptions(void);

void
suite_live_disruptions(void)
{
    check_suite("live_disruptions");
    check_test("balance", test_balance);
    check_test("no pod template", test_without_template);
    check_test("where nothing ready goes", test_not_asked);
    check_test("older members", test_older);
    check_test("not seen", test_unseen);
    check_test("not seen, in a snapshot", test_unseen_in_snapshot);
    check_test("a drain", test_drain);
    check_test("snapshot", test_snapshot);
    check_test("summaries", test_summaries);
    check_test("summaries where none matter", test_summaries_without);
    check_test("KubeFed", test_kubefed);
}
