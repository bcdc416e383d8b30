/* SPDX-License-Identifier: Apache-2.0
 *
 * What is read of a live control plane and its members only where a workload in need
 * has to do with it: its pod template, quotas and limits of its namespace, volumes.
 * And the plan of a snapshot is the one made live.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kubefed_fleet.h"
#include "live_fleet.h"
#include "live_run.h"
#include "temp_dir.h"

#define DEPLOYMENT_PATH "/apis/apps/v1/namespaces/shop/deployments/web"
#define HOST_PORT "\"ports\":[{\"containerPort\":80,\"hostPort\":80}],"
#define DATA ",\"volumes\":[{\"persistentVolumeClaim\":{\"claimName\":\"data\"}}]"
#define OWN                                                                                        \
    ",\"volumes\":[{\"ephemeral\":{\"volumeClaimTemplate\":{\"spec\":{\"storageClassName\":"       \
    "\"local\"}}}}]"
#define DISK ",\"volumes\":[{\"cinder\":{\"volumeID\":\"v\"}}]"
#define IN_CORE(list) "api/v1/" list
#define IN_SHOP(list) "api/v1/namespaces/shop/" list
#define STORAGE(list) "apis/storage.k8s.io/v1/" list

/* What a member has beside pods and nodes. */
static const struct {
    const char *path, *api_version, *kind;
} lists[] = {
    {IN_SHOP("limitranges"), "v1", "LimitRange"},
    {IN_SHOP("resourcequotas"), "v1", "ResourceQuota"},
    {IN_CORE("persistentvolumeclaims"), "v1", "PersistentVolumeClaim"},
    {IN_CORE("persistentvolumes"), "v1", "PersistentVolume"},
    {STORAGE("storageclasses"), "storage.k8s.io/v1", "StorageClass"},
    {STORAGE("csinodes"), "storage.k8s.io/v1", "CSINode"},
};

#define N_LISTS (sizeof(lists) / sizeof(lists[0]))
#define FIRST_OF_VOLUMES 2

static void
member_path(char path[256], const char *member, const char *list)
{
    snprintf(path, 256, CLUSTERS_PATH "/%s/proxy/%s", member, list);
}

/* shop/web has two of five replicas, in m1; of its pods nothing is there yet. */
static struct fake_api *
fit_fleet(const char *container, const char *pod)
{
    struct fake_api *api = live_fleet(0, 0);
    char json[1024], path[256];

    live_members(api);
    fake_api_put(api, BINDINGS_PATH, SHOP_BINDINGS_PATH "/web",
                 "{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\",\"uid\":\"u\",\"labels\":{"
                 "\"propagationpolicy.karmada.io/permanent-id\":\"p\"}},\"spec\":{\"resource\":{"
                 "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"namespace\":\"shop\","
                 "\"name\":\"web\"},\"replicas\":5,\"replicaRequirements\":{\"resourceRequest\":{"
                 "\"cpu\":\"1\"}},\"placement\":{\"replicaScheduling\":{\"replicaSchedulingType\":"
                 "\"Divided\",\"replicaDivisionPreference\":\"Aggregated\"}},\"clusters\":[{"
                 "\"name\":\"m1\",\"replicas\":2}]}}");
    fake_api_serve(api, "/documents", "v1", "Document");
    fake_api_put(api, "/documents", "/apis/apps/v1",
                 "{\"resources\":[{\"name\":\"deployments/scale\",\"kind\":\"Deployment\"},"
                 "{\"name\":\"deployments\",\"kind\":\"Deployment\"}]}");
    fake_api_serve(api, "/apis/apps/v1/deployments", "apps/v1", "Deployment");
    snprintf(json, sizeof(json),
             "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\","
             "\"namespace\":\"shop\"},\"spec\":{\"template\":{\"spec\":{\"containers\":[{%s"
             "\"resources\":{\"requests\":{\"cpu\":\"1\"}}}]%s}}}}",
             container, pod);
    fake_api_put(api, "/apis/apps/v1/deployments", DEPLOYMENT_PATH, json);
    for (size_t i = 0; i < N_LISTS; i++) {
        for (int m = 1; m <= 2; m++) {
            member_path(path, m == 1 ? "m1" : "m2", lists[i].path);
            fake_api_serve(api, path, lists[i].api_version, lists[i].kind);
        }
    }
    return api;
}

static void
put_in_member(struct fake_api *api, const char *member, size_t list, const char *json)
{
    char path[256], name[300];

    member_path(path, member, lists[list].path);
    snprintf(name, sizeof(name), "%s/it", path);
    fake_api_put(api, path, name, json);
}

/* Of m1 and m2 together. */
static unsigned
count_list(struct fake_api *api, size_t list)
{
    char path[256];
    unsigned count = 0;

    for (int m = 1; m <= 2; m++) {
        member_path(path, m == 1 ? "m1" : "m2", lists[list].path);
        count += fake_api_count(api, "GET", path);
    }
    return count;
}

/* --- what is read, and what comes of it --- */

#define QUOTA(pods)                                                                                \
    "{\"metadata\":{\"name\":\"q\",\"namespace\":\"shop\"},\"status\":{\"hard\":{\"pods\":\"" pods \
    "\"}}}"
#define LIMITS                                                                                     \
    "{\"metadata\":{\"name\":\"l\",\"namespace\":\"shop\"},\"spec\":{\"limits\":[{\"type\":"       \
    "\"Container\",\"max\":{\"cpu\":\"500m\"}}]}}"
#define CLAIM                                                                                      \
    "{\"metadata\":{\"name\":\"data\",\"namespace\":\"shop\",\"annotations\":{"                    \
    "\"pv.kubernetes.io/bind-completed\":\"yes\"}},\"spec\":{\"volumeName\":\"v\"},\"status\":{"   \
    "\"phase\":\"Bound\"}}"
#define VOLUME(host)                                                                               \
    "{\"metadata\":{\"name\":\"v\"},\"spec\":{\"nodeAffinity\":{\"required\":{"                    \
    "\"nodeSelectorTerms\":[{\"matchFields\":[{\"key\":\"metadata.name\",\"operator\":\"In\","     \
    "\"values\":[\"" host "\"]}]}]}}}}"

#define LOCAL_CLASS "{\"metadata\":{\"name\":\"local\"},\"provisioner\":\"d\"}"
#define NO_VOLUMES(node)                                                                           \
    "{\"metadata\":{\"name\":\"" node                                                              \
    "\"},\"spec\":{\"drivers\":[{\"name\":\"d\",\"allocatable\":{\"count\":0}}]}}"
#define NO_DISKS(node)                                                                             \
    "{\"metadata\":{\"name\":\"" node                                                              \
    "\",\"annotations\":{\"storage.alpha.kubernetes.io/migrated-plugins\":"                        \
    "\"kubernetes.io/cinder\"}},\"spec\":{\"drivers\":[{\"name\":\"cinder.csi.openstack.org\","    \
    "\"allocatable\":{\"count\":0}}]}}"

/* In m1 two are on their way; what is there beside, and what comes of three more. */
static const struct {
    const char *container, *pod;
    struct {
        const char *member;
        size_t list;
        const char *json;
    } objects[4];
    const char *says;
} cases[] = {
    {"", "", {{NULL, 0, NULL}}, "Given m1: 3 more, of room for 62 (nodes)"},
    /* one of each node is left, and that of m1 is on its way */
    {HOST_PORT, "", {{NULL, 0, NULL}}, "2 of 3 more wait: no room for 2 of 5"},
    {"",
     "",
     {{"m1", 1, QUOTA("3")}, {"m2", 1, QUOTA("1")}},
     "1 of 3 more wait: no room for 1 of 5"},
    {"", "", {{"m1", 0, LIMITS}, {"m2", 0, LIMITS}}, "no room for 3 of 5 replicas"},
    {"", "", {{"m1", 0, LIMITS}}, "Given m2: 3 more, of room for 64 (nodes)"},
    {"", DATA, {{NULL, 0, NULL}}, "Given m1: 3 more, of room for 62 (nodes)"},
    {"",
     DATA,
     {{"m1", 2, CLAIM}, {"m1", 3, VOLUME("node")}},
     "Given m1: 3 more, of room for 62 (nodes)"},
    {"",
     DATA,
     {{"m1", 2, CLAIM}, {"m1", 3, VOLUME("other")}},
     "Given m2: 3 more, of room for 64 (nodes)"},
    /* what each makes for itself is more than its driver can have there */
    {"",
     OWN,
     {{"m1", 4, LOCAL_CLASS}, {"m2", 4, LOCAL_CLASS}, {"m1", 5, NO_VOLUMES("node")}},
     "Given m2: 3 more, of room for 64 (nodes)"},
    /* and of a class that is not there nobody makes any */
    {"", OWN, {{"m2", 4, LOCAL_CLASS}}, "Given m2: 3 more, of room for 64 (nodes)"},
    {"", DISK, {{"m1", 5, NO_DISKS("node")}}, "Given m2: 3 more, of room for 64 (nodes)"},
    /* their volumes are gone */
    {"", DATA, {{"m1", 2, CLAIM}, {"m2", 2, CLAIM}}, "no room for 3 of 5 replicas"},
};

static struct fake_api *
fleet_of_case(size_t i)
{
    struct fake_api *api = fit_fleet(cases[i].container, cases[i].pod);

    for (size_t j = 0; j < 4 && cases[i].objects[j].member != NULL; j++) {
        put_in_member(api, cases[i].objects[j].member, cases[i].objects[j].list,
                      cases[i].objects[j].json);
    }
    return api;
}

static void
test_what_is_read(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_api *api = fleet_of_case(i);
        struct live_outcome got = live_run(api, "plan");
        unsigned volumes = cases[i].pod[0] != '\0' ? 2 : 0;

        CHECK_MSG(got.status == STATUS_DONE, "case %zu: status %d: %s", i, (int)got.status,
                  got.err);
        CHECK_CONTAINS(got.out, cases[i].says);
        CHECK_INT(fake_api_count(api, "GET", DEPLOYMENT_PATH), 1);
        for (size_t list = 0; list < N_LISTS; list++) {
            CHECK_INT(count_list(api, list), list < FIRST_OF_VOLUMES ? 2 : volumes);
        }
        live_release(&got);
        fake_api_stop(api);
    }
}

/* Of the document, without when and where it was seen. */
static const char *
from_problems(const struct live_outcome *got)
{
    const char *begin = strstr(got->out, "\"problems\": [");

    CHECK(begin != NULL);
    return begin != NULL ? begin : "";
}

static void
check_snapshot(struct fake_api *api, const char *flags, enum exit_status status)
{
    struct temp_dir dir = temp_dir_make();
    struct live_outcome live = live_run(api, "plan -o json %s", flags);
    struct live_outcome taken = live_run(api, "snapshot %s/s %s", dir.path, flags);
    struct live_outcome files = live_run(api, "plan -o json --fleet %s/s", dir.path);

    CHECK_MSG(taken.status == status, "status %d: %s", (int)taken.status, taken.err);
    CHECK_STR(from_problems(&files), from_problems(&live));
    live_release(&files);
    live_release(&taken);
    live_release(&live);
    temp_dir_remove(&dir);
    fake_api_stop(api);
}

static void
test_snapshot(void)
{
    struct fake_api *api;
    char path[256];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_snapshot(fleet_of_case(i), "", STATUS_DONE);
    }
    api = fit_fleet(HOST_PORT, "");
    fake_api_fail(api, "GET", DEPLOYMENT_PATH, 403, "not you", 9);
    check_snapshot(api, "", STATUS_DONE);
    api = fit_fleet("", DATA);
    put_in_member(api, "m1", 2, CLAIM);
    member_path(path, "m1", lists[3].path);
    fake_api_fail(api, "GET", path, 403, "not you", 9);
    check_snapshot(api, "", STATUS_UNSEEN);
}

/* Where it is, and may not get more, nothing but its claims is asked for: they keep what runs. */
static void
test_claims_where_it_is(void)
{
    struct fake_api *api = fit_fleet("", DATA);
    char path[256];

    fake_api_put(api, BINDINGS_PATH, SHOP_BINDINGS_PATH "/web",
                 "{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\",\"uid\":\"u\",\"labels\":{"
                 "\"propagationpolicy.karmada.io/permanent-id\":\"p\"}},\"spec\":{\"resource\":{"
                 "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"namespace\":\"shop\","
                 "\"name\":\"web\"},\"replicas\":2,\"replicaRequirements\":{\"resourceRequest\":{"
                 "\"cpu\":\"1\"}},\"placement\":{\"clusterAffinity\":{\"clusterNames\":[\"m2\"]},"
                 "\"replicaScheduling\":{\"replicaSchedulingType\":\"Divided\","
                 "\"replicaDivisionPreference\":\"Aggregated\"}},\"clusters\":[{\"name\":\"m1\","
                 "\"replicas\":2}]}}");
    put_in_member(api, "m1", 2,
                  "{\"metadata\":{\"name\":\"data\",\"namespace\":\"shop\"},\"spec\":{"
                  "\"storageClassName\":\"fast\",\"accessModes\":[\"ReadWriteOnce\"]}}");
    struct live_outcome got = live_run(api, "plan --triggers=InfeasibleCluster");

    CHECK_CONTAINS(got.out, "ClaimsNotMovable m1: claim data (ReadWriteOnce, storage class fast)");
    for (size_t list = 0; list < N_LISTS; list++) {
        member_path(path, "m1", lists[list].path);
        CHECK_INT(fake_api_count(api, "GET", path), list == 2 ? 1 : 0);
    }
    live_release(&got);
    check_snapshot(api, "", STATUS_DONE);
}

/* Where there is nothing to be done about it, or nobody would look at nodes, nothing is asked. */
static void
test_nothing_is_asked(void)
{
    static const char *const lines[] = {"plan --members=none", "plan --members=nodes",
                                        "plan --mode=Evict", "plan --triggers=UnhealthyCluster",
                                        "plan --overcommit-protection=false"};

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct fake_api *api = fit_fleet("", DATA);
        struct live_outcome got = live_run(api, "%s", lines[i]);

        CHECK_MSG(got.status == STATUS_DONE, "%s: status %d: %s", lines[i], (int)got.status,
                  got.err);
        CHECK_INT(fake_api_count(api, "GET", "/apis/apps/"), 0);
        for (size_t list = 0; list < N_LISTS; list++) {
            CHECK_INT(count_list(api, list), 0);
        }
        live_release(&got);
        fake_api_stop(api);
    }
}

/* --- what is not seen --- */

static const struct {
    int status; /* 0: garbage with 200 */
    const char *says;
} failures[] = {{403, "HTTP 403"}, {404, "HTTP 404"}, {503, "HTTP 503"}, {0, "no "}};

#define N_FAILURES (sizeof(failures) / sizeof(failures[0]))

static void
test_unseen_lists(void)
{
    for (size_t list = 0; list < N_LISTS; list++) {
        for (size_t i = 0; i < N_FAILURES; i++) {
            struct fake_api *api = fit_fleet("", DATA);
            char path[256], name[64];

            member_path(path, "m1", lists[list].path);
            put_in_member(api, "m1", list, "{\"metadata\":{\"name\":7}}");
            if (failures[i].status != 0) {
                fake_api_fail(api, "GET", path, failures[i].status, "not now", 9);
            }
            struct live_outcome got = live_run(api, "plan");

            snprintf(name, sizeof(name), "m1 NOT SEEN: %s", strrchr(path, '/') + 1);
            CHECK_MSG(got.status == STATUS_UNSEEN, "%s: status %d: %s", path, (int)got.status,
                      got.err);
            CHECK_CONTAINS(got.out, name);
            /* nothing is refused for it */
            CHECK_CONTAINS(got.out, "Given m1: 3 more, of room for 62 (nodes)");
            live_release(&got);
            fake_api_stop(api);
        }
    }
}

static void
test_unseen_templates(void)
{
    static const struct {
        const char *path;
        int status;
        const char *says;
    } cases_of[] = {
        {DEPLOYMENT_PATH, 403, "HTTP 403"}, {DEPLOYMENT_PATH, 404, "HTTP 404"},
        {"/apis/apps/v1", 403, "HTTP 403"}, {"/apis/apps/v1", 404, "HTTP 404"},
        {DEPLOYMENT_PATH, 400, "HTTP 400"},
    };

    for (size_t i = 0; i < sizeof(cases_of) / sizeof(cases_of[0]); i++) {
        struct fake_api *api = fit_fleet(HOST_PORT, "");

        fake_api_fail(api, "GET", cases_of[i].path, cases_of[i].status, "not now", 9);
        struct live_outcome got = live_run(api, "plan");

        CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
        CHECK_CONTAINS(got.out,
                       "apps/v1 Deployment: Ballast did not see the pod templates of some");
        CHECK_CONTAINS(got.out, cases_of[i].says);
        CHECK_CONTAINS(got.out, "Given m1: 3 more, of room for 62 (nodes)");
        CHECK_INT(count_list(api, 0), 0);
        live_release(&got);
        fake_api_stop(api);
    }
}

/* What is there is no template of it. */
static void
test_bad_templates(void)
{
    static const struct {
        const char *path, *json, *says;
    } objects[] = {
        {DEPLOYMENT_PATH,
         "{\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\",\"namespace\":"
         "\"shop\"},\"spec\":{}}",
         "it has no spec.template"},
        {DEPLOYMENT_PATH,
         "{\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":"
         "{\"template\":{\"spec\":{\"containers\":[{\"ports\":[{\"hostPort\":\"x\"}]}]}}}}",
         "hostPort"},
        {DEPLOYMENT_PATH,
         "{\"kind\":\"Deployment\",\"metadata\":{\"name\":\"api\",\"namespace\":"
         "\"shop\"}}",
         "the answer is another object"},
        {"/apis/apps/v1", "{\"resources\":[]}", "it has no kind Deployment"},
    };

    for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
        struct fake_api *api = fit_fleet(HOST_PORT, "");

        fake_api_delete(api, objects[i].path);
        fake_api_put(api, "/documents", objects[i].path, objects[i].json);
        struct live_outcome got = live_run(api, "plan");

        CHECK_INT(got.status, STATUS_DONE);
        CHECK_CONTAINS(got.out, objects[i].says);
        CHECK_CONTAINS(got.out, "Given m1: 3 more, of room for 62 (nodes)");
        live_release(&got);
        fake_api_stop(api);
    }
}

/* --- KubeFed --- */

#define KUBEFED "--platform=kubefed --allow-insecure-members"
#define KUBEFED_LIST(list) "/m1/api/v1/namespaces/shop/" list

/* shop/web has three of four replicas, in m1; m2 is not there. */
static struct fake_api *
federated_fleet(const char *container, const char *pod)
{
    struct fake_api *api = host_fleet("Cluster");
    char json[1024];

    snprintf(json, sizeof(json),
             "{\"apiVersion\":\"types.kubefed.io/v1beta1\",\"kind\":\"FederatedDeployment\","
             "\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{\"template\":{"
             "\"spec\":{\"template\":{\"spec\":{\"containers\":[{%s\"resources\":{\"requests\":{"
             "\"cpu\":\"1\"}}}]%s}}}},\"placement\":{\"clusters\":[{\"name\":\"m1\"}]},"
             "\"overrides\":[{\"clusterName\":\"m1\",\"clusterOverrides\":[{\"path\":"
             "\"/spec/replicas\",\"value\":3}]}]}}",
             container, pod);
    fake_api_put(api, OBJECTS, OBJECT, json);
    for (size_t i = 0; i < N_LISTS; i++) {
        char path[256];

        snprintf(path, sizeof(path), "/m1/%s", lists[i].path);
        fake_api_serve(api, path, lists[i].api_version, lists[i].kind);
    }
    return api;
}

static void
test_kubefed(void)
{
    static const struct {
        const char *container, *pod, *quota; /* NULL: none */
        const char *says;
    } of[] = {
        {"", "", NULL, "Given m1: 1 more, of room for 61 (nodes)"},
        {"", "", QUOTA("4"), "Given m1: 1 more, of room for 1 (ResourceQuota)"},
        {"", "", QUOTA("3"), "leaves 1 of 4 replicas without a place"},
        {HOST_PORT, "", NULL, "leaves 1 of 4 replicas without a place"},
        {"", DATA, NULL, "Given m1: 1 more, of room for 61 (nodes)"},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct fake_api *api = federated_fleet(of[i].container, of[i].pod);

        if (of[i].quota != NULL) {
            fake_api_put(api, KUBEFED_LIST("resourcequotas"), "/m1/q", of[i].quota);
        }
        struct live_outcome got = live_run(api, "plan " KUBEFED);

        CHECK_CONTAINS(got.out, of[i].says);
        CHECK_INT(fake_api_count(api, "GET", KUBEFED_LIST("limitranges")), 1);
        CHECK_INT(fake_api_count(api, "GET", KUBEFED_LIST("resourcequotas")), 1);
        CHECK_INT(fake_api_count(api, "GET", "/m1/api/v1/persistentvolumes"),
                  of[i].pod[0] != '\0' ? 1 : 0);
        CHECK_INT(fake_api_count(api, "GET", OBJECT), 0); /* its list has it */
        live_release(&got);
        check_snapshot(api, KUBEFED, STATUS_DONE);
    }
}

/* A federated kind without a template that can be read asks for nothing more. */
static void
test_kubefed_without_template(void)
{
    struct fake_api *api = host_fleet("Cluster");
    struct live_outcome got = live_run(api, "plan " KUBEFED);

    CHECK_INT(fake_api_count(api, "GET", KUBEFED_LIST("limitranges")), 0);
    live_release(&got);
    fake_api_stop(api);
}

/* --- members by summaries --- */

/* Nobody may ask a member for what pods fit in by. */
static void
refuse_lists(struct fake_api *api, const char *before, const char *behind)
{
    for (size_t list = 0; list < N_LISTS; list++) {
        for (int m = 1; m <= 2; m++) {
            char path[256];

            snprintf(path, sizeof(path), "%s/m%d%s/%s", before, m, behind, lists[list].path);
            fake_api_fail(api, "GET", path, 403, "not you", 9);
        }
    }
}

/* A shard looks into the members, and whoever plans with what it saw into none, neither for pods
 * and nodes nor for quotas and volumes: that these are not known is no gap in what is seen. */
static struct live_outcome
plan_with_summaries(struct fake_api *api, const char *flags)
{
    struct temp_dir dir = temp_dir_make();
    struct live_outcome seen =
        live_run(api, "observe --shard 1/1 --summaries %s/s %s", dir.path, flags);

    CHECK_MSG(seen.status == STATUS_DONE, "status %d: %s", (int)seen.status, seen.err);
    struct live_outcome got =
        live_run(api, "plan --shard 0/1 --summaries %s/s %s", dir.path, flags);

    CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
    live_release(&seen);
    temp_dir_remove(&dir);
    return got;
}

static void
test_summaries(void)
{
    static const struct {
        const char *container, *pod, *says;
    } of[] = {
        {"", "", "Given m1: 3 more, of room for 62 (nodes)"},
        /* the template is the control plane's, and known */
        {HOST_PORT, "", "2 of 3 more wait: no room for 2 of 5"},
        {"", DATA, "Given m1: 3 more, of room for 62 (nodes)"},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct fake_api *api = fit_fleet(of[i].container, of[i].pod);

        refuse_lists(api, CLUSTERS_PATH, "/proxy");
        struct live_outcome got = plan_with_summaries(api, "");

        CHECK_CONTAINS(got.out, of[i].says);
        CHECK(strstr(got.out, "NOT SEEN") == NULL);
        CHECK_INT(fake_api_count(api, "GET", DEPLOYMENT_PATH), 1);
        CHECK_INT(fake_api_count(api, "GET", MEMBER("m1", "api/v1/pods")), 1); /* the shard's */
        for (size_t list = 0; list < N_LISTS; list++) {
            CHECK_INT(count_list(api, list), 0);
        }
        live_release(&got);
        fake_api_stop(api);
    }
}

static void
test_summaries_of_kubefed(void)
{
    struct fake_api *api = federated_fleet("", DATA);

    refuse_lists(api, "", "");
    struct live_outcome got = plan_with_summaries(api, KUBEFED);

    CHECK_CONTAINS(got.out, "Given m1: 1 more, of room for 61 (nodes)");
    CHECK_INT(fake_api_count(api, "GET", "/m1/api/v1/pods"), 1);
    CHECK_INT(fake_api_count(api, "GET", KUBEFED_LIST("limitranges")), 0);
    CHECK_INT(fake_api_count(api, "GET", KUBEFED_LIST("resourcequotas")), 0);
    CHECK_INT(fake_api_count(api, "GET", "/m1/api/v1/persistentvolumeclaims"), 0);
    live_release(&got);
    fake_api_stop(api);
}

void suite_live_fit(void);

void
suite_live_fit(void)
{
    check_suite("live_fit");
    check_test("claims where it is", test_claims_where_it_is);
    check_test("what is read", test_what_is_read);
    check_test("snapshot", test_snapshot);
    check_test("nothing is asked", test_nothing_is_asked);
    check_test("unseen lists", test_unseen_lists);
    check_test("unseen templates", test_unseen_templates);
    check_test("bad templates", test_bad_templates);
    check_test("KubeFed", test_kubefed);
    check_test("KubeFed without template", test_kubefed_without_template);
    check_test("summaries", test_summaries);
    check_test("summaries of KubeFed", test_summaries_of_kubefed);
}
