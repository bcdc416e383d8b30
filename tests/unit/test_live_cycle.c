/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole command lines against a live control plane: what is asked of it, what
 * is left behind, and the exit status.
 */
#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "ballast/cli/cli.h"
#include "check.h"
#include "live_fleet.h"
#include "temp_dir.h"

#define MAX_ARGUMENTS 16
#define WEB(n) SHOP_BINDINGS_PATH "/web-" n
#define LEASE LEASES_PATH "/ballast"

struct outcome_of {
    enum exit_status status;
    char *out, *err;
};

static const char *
no_environment(const char *name)
{
    (void)name;
    return NULL;
}

/* As a user of this YAML; `dir` is where the kubeconfig is. */
static struct outcome_of
run_as(const struct fake_api *api, const struct temp_dir *dir, const char *user, const char *text)
{
    struct outcome_of got = {.status = STATUS_DONE};
    size_t out_size = 0, err_size = 0;
    atomic_bool stop = false;
    char *argv[MAX_ARGUMENTS] = {NULL};
    char words[512], kubeconfig[2048], *state = NULL;
    struct cli cli = {.stop = &stop,
                      .clock = fake_api_clock(),
                      .wall_clock = NANOS_PER_SECOND,
                      .getenv = no_environment};
    int argc = 1;

    snprintf(kubeconfig, sizeof(kubeconfig),
             "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
             "clusters: [{name: c, cluster: {server: \"%s\"}}]\n"
             "contexts: [{name: c, context: {cluster: c, user: u}}]\n"
             "users: [{name: u, user: %s}]\n",
             fake_api_url(api), user);
    snprintf(words, sizeof(words), "%s --kubeconfig %s", text,
             temp_write(dir, "config", kubeconfig, 0600));
    for (char *word = strtok_r(words, " ", &state); word != NULL && argc < MAX_ARGUMENTS;
         word = strtok_r(NULL, " ", &state)) {
        argv[argc++] = word;
    }
    cli.out = open_memstream(&got.out, &out_size);
    cli.err = open_memstream(&got.err, &err_size);
    got.status = cli_main(&cli, argc, argv);
    fclose(cli.out);
    fclose(cli.err);
    return got;
}

static struct outcome_of
run(const struct fake_api *api, const char *text)
{
    struct temp_dir dir = temp_dir_make();
    struct outcome_of got = run_as(api, &dir, "{}", text);

    temp_dir_remove(&dir);
    return got;
}

static void
release(struct outcome_of *got)
{
    free(got->out);
    free(got->err);
}

static void
test_run_writes(void)
{
    struct fake_api *api = unwell_fleet(3);
    struct outcome_of got = run(api, "run -v1");

    CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
    CHECK_CONTAINS(got.out, "written      3 bindings");
    CHECK_CONTAINS(got.err, "control plane: http://127.0.0.1:");
    CHECK_CONTAINS(fake_api_get(api, WEB("2")),
                   "\"clusters\":[{\"name\":\"m1\",\"ours\":true,\"replicas\":3}]");
    CHECK_INT(fake_api_count(api, "PATCH", "/"), 3);
    CHECK_INT(fake_api_count(api, "POST", EVENTS), 6);
    CHECK_CONTAINS(fake_api_body(api, "POST", EVENTS, 0), "placed 1 replica in m1 (1)");
    CHECK(strlen(fake_api_get(api, LEASE)) > 0);
    CHECK(strstr(fake_api_get(api, LEASE), "holderIdentity") == NULL);
    release(&got);

    got = run(api, "run --detailed-exitcode");
    CHECK_INT(got.status, STATUS_DONE);
    CHECK_CONTAINS(got.out, "mode Place: 3 bindings in ");
    CHECK_INT(fake_api_count(api, "PATCH", "/"), 3);
    CHECK_INT(fake_api_count(api, "POST", EVENTS), 6);
    CHECK_STR(got.err, "");
    release(&got);
    fake_api_stop(api);
}

/* The Lease's client, the run's and the Events' are one and the same to the server. */
static void
test_run_asks_a_plugin_once(void)
{
    struct fake_api *api = unwell_fleet(3);
    struct temp_dir dir = temp_dir_make();
    char text[64] = "";

    temp_write(&dir, "plugin",
               "#!/bin/sh\ncd \"${0%/*}\"\necho x >> runs\n"
               "echo '{\"apiVersion\":\"client.authentication.k8s.io/v1\",'\n"
               "echo '\"kind\":\"ExecCredential\",\"status\":{\"token\":\"t\"}}'\n",
               0700);
    struct outcome_of got =
        run_as(api, &dir,
               "{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, "
               "command: ./plugin}}",
               "run");
    FILE *runs = fopen(temp_path(&dir, "runs"), "r");

    CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
    CHECK_INT(fake_api_count(api, "PATCH", "/"), 3);
    CHECK_INT(fake_api_count(api, "POST", EVENTS), 6);
    if (CHECK(runs != NULL)) {
        CHECK_INT(fread(text, 1, sizeof(text) - 1, runs), 2);
        fclose(runs);
    }
    release(&got);
    temp_dir_remove(&dir);
    fake_api_stop(api);
}

static void
test_dry_runs_leave_nothing(void)
{
    static const struct {
        const char *line;
        unsigned patches;
        const char *told;
    } cases[] = {
        {"plan --detailed-exitcode", 0, ""},
        {"run --dry-run --detailed-exitcode", 0, ""},
        {"run --server-dry-run --detailed-exitcode", 2, "checked by the server 2 bindings\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_api *api = unwell_fleet(2);
        struct outcome_of got = run(api, cases[i].line);

        CHECK_MSG(got.status == STATUS_CHANGES, "%s: status %d: %s", cases[i].line, (int)got.status,
                  got.err);
        CHECK_CONTAINS(got.out, "to change");
        CHECK_CONTAINS(got.out, cases[i].told);
        CHECK(strstr(got.out, "written ") == NULL && strstr(got.out, "  Done") == NULL);
        CHECK_INT(fake_api_count(api, "PATCH", "/"), cases[i].patches);
        CHECK_INT(fake_api_count(api, "POST", "/"), 0);
        CHECK_INT(fake_api_count(api, "PUT", "/"), 0);
        CHECK_CONTAINS(fake_api_get(api, WEB("0")), "\"replicas\":2}]");
        release(&got);
        fake_api_stop(api);
    }
}

/* The first Event of a kind, whichever was sent first; "" when there is none. */
static const char *
event_with(struct fake_api *api, const char *reason)
{
    const char *body;

    for (unsigned i = 0; (body = fake_api_body(api, "POST", EVENTS, i)) != NULL; i++) {
        if (strstr(body, reason) != NULL) {
            return body;
        }
    }
    return "";
}

static void
test_admission_says_no(void)
{
    struct fake_api *api = unwell_fleet(2);

    fake_api_fail(api, "PATCH", WEB("0"), 403, "admission webhook: quota is used up", 1);
    struct outcome_of got = run(api, "run");

    CHECK_INT(got.status, STATUS_ERROR);
    CHECK_CONTAINS(got.out, "quota is used up");
    CHECK_CONTAINS(got.err, "1 of 2 writes failed");
    CHECK_CONTAINS(event_with(api, "DescheduleBindingFailed"), "quota is used up");
    CHECK_INT(fake_api_count(api, "POST", EVENTS), 4);
    CHECK_CONTAINS(fake_api_get(api, WEB("1")), "\"replicas\":3}]");
    release(&got);
    fake_api_stop(api);
}

/* Somebody else's write, between list and patch. */
static void
test_conflicts(void)
{
    static const struct {
        const char *theirs, *clusters, *told, *changed;
        unsigned patches;
        const char *found; /* by what it is then; NULL: nothing */
    } cases[] = {
        /* it wants more meanwhile: planned again */
        {"{\"spec\":{\"replicas\":5}}", "{\"name\":\"m1\",\"ours\":true,\"replicas\":5}",
         "written      1 binding\n", "changed      1 binding, 3 replicas added", 2,
         "2 replicas are assigned, 5 are wanted"},
        /* all the room there is (2 of 200 are in flight): the first plan's share is not held */
        {"{\"spec\":{\"replicas\":200}}", "{\"name\":\"m1\",\"ours\":true,\"replicas\":100}",
         "written      1 binding\n", "changed      1 binding, 198 replicas added", 2,
         "2 replicas are assigned, 200 are wanted"},
        /* the reason is gone: theirs stands */
        {"{\"spec\":{\"clusters\":[{\"name\":\"m2\",\"replicas\":3}]}}",
         "{\"name\":\"m2\",\"replicas\":3}",
         "written      0 bindings\n"
         "  conflicts    nothing left to do 1\n",
         "changed      nothing", 1, NULL},
        /* it is suspended meanwhile: not ours to change */
        {"{\"spec\":{\"suspension\":{\"scheduling\":true}}}",
         "{\"name\":\"m1\",\"ours\":true,\"replicas\":2}",
         "conflicts    blocked 1\n  findings     ", "write  Blocked: Suspended: ", 1,
         "2 replicas are assigned, 3 are wanted"},
        /* no policy owns it any more, as this fleet's scheduler tells it */
        {"{\"metadata\":{\"labels\":{\"propagationpolicy.karmada.io/permanent-id\":null,"
         "\"propagationpolicy.karmada.io/name\":\"p\"}}}",
         "{\"name\":\"m1\",\"ours\":true,\"replicas\":2}",
         "conflicts    blocked 1\n  findings     ", "write  Blocked: NotScheduled: ", 1,
         "2 replicas are assigned, 3 are wanted"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_api *api = unwell_fleet(1);

        fake_api_interfere(api, "PATCH", WEB("0"), WEB("0"), cases[i].theirs);
        struct outcome_of got = run(api, "run");

        CHECK_MSG(got.status == STATUS_DONE, "case %zu: status %d: %s", i, (int)got.status,
                  got.err);
        CHECK_CONTAINS(fake_api_get(api, WEB("0")), cases[i].clusters);
        CHECK_INT(fake_api_count(api, "PATCH", "/"), cases[i].patches);
        CHECK_INT(fake_api_count(api, "GET", WEB("0")), 1);
        CHECK_CONTAINS(got.out, cases[i].told);
        CHECK_CONTAINS(got.out, cases[i].changed);
        CHECK((strstr(got.out, "ReplicaMismatch") != NULL) == (cases[i].found != NULL));
        CHECK_CONTAINS(got.out, cases[i].found != NULL ? cases[i].found : "");
        if (cases[i].patches > 1) {
            CHECK_CONTAINS(fake_api_body(api, "POST", EVENTS, 0), cases[i].found);
        }
        release(&got);
        fake_api_stop(api);
    }
}

/* Between list and patch the object becomes another one: the run goes on, and ends in order. */
static void
test_conflict_and_another_object(void)
{
    static const struct {
        const char *theirs, *told;
    } cases[] = {
        {"{\"metadata\":{\"name\":\"other\"}}", "it is another object: shop/other"},
        {"{\"metadata\":{\"namespace\":\"other\"}}", "it is another object: other/web-0"},
        {"{\"metadata\":{\"uid\":\"new\"}}", "write  Gone: it was deleted and created anew"},
        {"{\"kind\":\"Pod\"}", "it is no ResourceBinding but another object: Pod"},
        {"{\"kind\":\"ClusterResourceBinding\"}",
         "it is no ResourceBinding but another object: Cluster"},
        {"{\"kind\":7}", "read again, its kind is no text"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_api *api = unwell_fleet(2);

        fake_api_interfere(api, "PATCH", WEB("0"), WEB("0"), cases[i].theirs);
        struct outcome_of got = run(api, "run");

        CHECK_MSG(got.status == STATUS_ERROR, "case %zu: status %d: %s", i, (int)got.status,
                  got.err);
        CHECK_CONTAINS(got.out, cases[i].told);
        CHECK_CONTAINS(got.out, "written      1 binding, failed 1\n");
        CHECK_CONTAINS(fake_api_get(api, WEB("0")), "\"replicas\":2}]");
        CHECK(strstr(fake_api_get(api, LEASE), "holderIdentity") == NULL);
        release(&got);
        fake_api_stop(api);
    }
}

/* Two bindings want one replica more each, which is no move; somebody else changes the first. */
static void
test_limit_holds_after_a_conflict(void)
{
    static const char more[] = "{\"spec\":{\"replicas\":4}}";
    static const char left[] = "{\"spec\":{\"clusters\":[{\"name\":\"gone\",\"replicas\":3}]}}";
    static const struct {
        const char *command, *theirs, *clusters;
        unsigned patches[2];
    } cases[] = {
        /* what the first plan spent is given back */
        {"run --max-bindings 1", more, "\"replicas\":4}]", {2, 0}},
        /* all three that are to leave, a part of them, or none */
        {"run --triggers=+UnhealthyCluster --max-replicas 3",
         left,
         "[{\"name\":\"m2\",\"replicas\":3}]",
         {2, 1}},
        {"run --triggers=+UnhealthyCluster --max-replicas 2",
         left,
         "[{\"name\":\"gone\",\"replicas\":1},{\"name\":\"m2\",\"replicas\":2}]",
         {2, 1}},
        {"run --triggers=+UnhealthyCluster --max-replicas 0",
         left,
         "[{\"name\":\"gone\",\"replicas\":3}]",
         {1, 1}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_api *api = unwell_fleet(2);

        fake_api_interfere(api, "PATCH", WEB("0"), WEB("0"), cases[i].theirs);
        struct outcome_of got = run(api, cases[i].command);

        CHECK_MSG(got.status == STATUS_DONE, "case %zu: status %d: %s", i, (int)got.status,
                  got.err);
        CHECK_INT(fake_api_count(api, "PATCH", WEB("0")), cases[i].patches[0]);
        CHECK_INT(fake_api_count(api, "PATCH", WEB("1")), cases[i].patches[1]);
        CHECK_CONTAINS(fake_api_get(api, WEB("0")), cases[i].clusters);
        release(&got);
        fake_api_stop(api);
    }
}

static void
test_lease_of_another(void)
{
    struct fake_api *api = unwell_fleet(1);

    fake_api_put(api, LEASES_PATH, LEASE,
                 "{\"metadata\":{\"name\":\"ballast\"},\"spec\":{\"holderIdentity\":\"cron_1\","
                 "\"leaseDurationSeconds\":15,\"renewTime\":\"2026-01-01T00:00:00.000000Z\"}}");
    /* it renews while we look */
    fake_api_put(api, LEASES_PATH, "/decoy", "{}");
    fake_api_interfere(api, "GET", LEASE, "/decoy", "{}");
    fake_api_interfere(api, "GET", LEASE, LEASE,
                       "{\"spec\":{\"renewTime\":\"2026-01-01T00:00:02.000000Z\"}}");
    struct outcome_of got = run(api, "run --lease-duration 1s");

    CHECK_INT(got.status, STATUS_BUSY);
    CHECK_STR(got.out, "");
    CHECK_CONTAINS(got.err, "another run is under way: cron_1");
    CHECK_INT(fake_api_count(api, "PATCH", "/"), 0);
    CHECK_INT(fake_api_count(api, "GET", BINDINGS_PATH), 0);
    release(&got);
    fake_api_stop(api);
}

/* Karmada is there, the Lease's namespace is not, so no other context would help; or the server has
 * Leases, and nothing of Karmada. */
static void
test_no_karmada(void)
{
    struct fake_api *apis[] = {unwell_fleet(1), fake_api_start()};

    fake_api_fail(apis[0], "POST", LEASES_PATH, 404, "namespaces \"x\" not found", 1);
    fake_api_serve(apis[1], LEASES_PATH, "coordination.k8s.io/v1", "Lease");
    for (int i = 0; i < 2; i++) {
        struct outcome_of got = run(apis[i], "run");

        CHECK_INT(got.status, STATUS_ERROR);
        CHECK_CONTAINS(got.err,
                       i == 0 ? "HTTP 404: namespaces \"x\" not found"
                              : "ballast: this is no Karmada control plane: it does not serve "
                                "cluster.karmada.io/v1alpha1: GET ");
        CHECK_INT(fake_api_count(apis[i], "POST", LEASES_PATH), i == 0 ? 1 : 0);
        CHECK((strstr(got.err, "ballast: this run asked http://127.0.0.1:") != NULL) == (i == 1));
        CHECK((strstr(got.err, "no Karmada control plane") != NULL) == (i == 1));
        CHECK_INT(fake_api_count(apis[i], "PATCH", "/"), 0);
        CHECK(strstr(fake_api_get(apis[i], LEASE), "holderIdentity") == NULL);
        release(&got);
        fake_api_stop(apis[i]);
    }
}

static void
test_lost_lease_stops_writing(void)
{
    struct fake_api *api = unwell_fleet(1);

    /* the reading takes long enough for the first renewal to find the Lease taken */
    fake_api_interfere(api, "PUT", LEASE, LEASE, "{\"spec\":{\"holderIdentity\":\"thief\"}}");
    fake_api_fail(api, "GET", CLUSTERS_PATH, 503, "busy", 4);
    struct outcome_of got = run(api, "run --lease-duration 1s");

    CHECK_INT(got.status, STATUS_BUSY);
    CHECK_CONTAINS(got.err, "Lease karmada-system/ballast was lost");
    CHECK_INT(fake_api_count(api, "PATCH", "/"), 0);
    CHECK_CONTAINS(fake_api_get(api, LEASE), "\"holderIdentity\":\"thief\"");
    release(&got);
    fake_api_stop(api);
}

static void
test_members_unseen(void)
{
    struct fake_api *api = unwell_fleet(1);

    fake_api_fail(api, "GET", MEMBER("m2", "api/v1/pods"), 503, "m2 is away", 100);
    struct outcome_of got = run(api, "plan");

    CHECK_INT(got.status, STATUS_DONE);
    CHECK_CONTAINS(got.err,
                   "member m2: not seen: pods, deployments, horizontalpodautoscalers, nodes: ");
    CHECK_CONTAINS(got.err, "m2 is away");
    release(&got);
    got = run(api, "plan --members=none");
    CHECK_STR(got.err, "");
    release(&got);
    fake_api_stop(api);
}

/* A command line as it is, without a control plane. */
static struct outcome_of
run_plain(const char *text)
{
    struct outcome_of got = {.status = STATUS_DONE};
    size_t out_size = 0, err_size = 0;
    atomic_bool stop = false;
    char *argv[MAX_ARGUMENTS] = {NULL};
    char words[512], *state = NULL;
    struct cli cli = {.stop = &stop,
                      .clock = fake_api_clock(),
                      .wall_clock = NANOS_PER_SECOND,
                      .getenv = no_environment};
    int argc = 1;

    snprintf(words, sizeof(words), "%s", text);
    for (char *word = strtok_r(words, " ", &state); word != NULL && argc < MAX_ARGUMENTS;
         word = strtok_r(NULL, " ", &state)) {
        argv[argc++] = word;
    }
    cli.out = open_memstream(&got.out, &out_size);
    cli.err = open_memstream(&got.err, &err_size);
    got.status = cli_main(&cli, argc, argv);
    fclose(cli.out);
    fclose(cli.err);
    return got;
}

/* A report as JSON but for which fleet it is about. */
static const char *
behind_source(const char *report)
{
    const char *summary = strstr(report, "\"summary\"");

    return summary != NULL ? summary : "no summary";
}

/* The plan of a snapshot is the plan of the control plane, also where a member was not seen whole
 * and an object is bad; and a snapshot takes no Lease and writes nothing. */
static void
test_snapshot(void)
{
    static const char now[] = "--all -o json --now 2030-01-01T00:00:00Z";
    struct fake_api *api = unwell_fleet(3);
    struct temp_dir dir = temp_dir_make();
    char text[512];

    fake_api_put(
        api, BINDINGS_PATH, SHOP_BINDINGS_PATH "/bad",
        "{\"metadata\":{\"name\":\"bad\",\"namespace\":\"shop\"},\"spec\":{\"replicas\":\"x\"}}");
    fake_api_fail(api, "GET", MEMBER("m2", "api/v1/pods"), 403, "not for you", 100);
    snprintf(text, sizeof(text), "plan %s", now);
    struct outcome_of live = run(api, text);

    snprintf(text, sizeof(text), "snapshot %s", temp_path(&dir, "s"));
    struct outcome_of taken = run(api, text);

    snprintf(text, sizeof(text), "plan %s --fleet %s", now, temp_path(&dir, "s"));
    struct outcome_of again = run_plain(text);

    CHECK_CONTAINS(live.out, "\"problems\": 2"); /* the object and the member */
    CHECK_CONTAINS(live.out, "\"parts\": \"pods\"");
    CHECK_CONTAINS(live.out, "not for you\"");
    CHECK_MSG(taken.status == live.status, "status %d: %s", (int)taken.status, taken.err);
    CHECK_CONTAINS(taken.err, "member m2: not seen: pods");
    CHECK_CONTAINS(taken.out, "2 clusters, 3 bindings");
    CHECK_INT(again.status, live.status);
    CHECK_CONTAINS(again.out, "\"source\": {\n    \"path\": ");
    CHECK_STR(behind_source(again.out), behind_source(live.out));
    CHECK_INT(fake_api_count(api, "PATCH", "/") + fake_api_count(api, "POST", "/"), 0);
    release(&live);
    release(&taken);
    release(&again);
    temp_dir_remove(&dir);
    fake_api_stop(api);
}

static void
test_events_may_fail(void)
{
    struct fake_api *api = unwell_fleet(1);

    fake_api_fail(api, "POST", EVENTS, 403, "no Events for you", 100);
    struct outcome_of got = run(api, "run");

    CHECK_INT(got.status, STATUS_DONE);
    CHECK_CONTAINS(got.err, "2 of 2 Events were not written");
    release(&got);
    fake_api_stop(api);
}

static void
test_no_right_to_read(void)
{
    struct fake_api *api = unwell_fleet(1);

    fake_api_fail(api, "GET", BINDINGS_PATH, 403, "cannot list resource", 100);
    struct outcome_of got = run(api, "run");

    CHECK_INT(got.status, STATUS_ERROR);
    CHECK_CONTAINS(got.err, "listing resourcebindings");
    CHECK_CONTAINS(got.err, "cannot list resource");
    CHECK(strstr(fake_api_get(api, LEASE), "holderIdentity") == NULL);
    release(&got);
    fake_api_stop(api);
}

#define SERVICES "/api/v1/namespaces/karmada-system/services"
#define DEAD_SERVICE(name)                                                                         \
    "{\"metadata\":{\"name\":\"" name "\"},\"spec\":{\"type\":\"ExternalName\","                   \
    "\"externalName\":\"127.0.0.1\",\"ports\":[{\"port\":10352,\"targetPort\":1}]}}"

/* Estimators that nobody runs: they are asked, that they do not tell is said, and the status
 * decides.
 */
static void
test_dead_estimators(void)
{
    struct fake_api *api = live_fleet(1, 2);
    struct outcome_of got;

    fake_api_serve(api, SERVICES, "v1", "Service");
    fake_api_put(api, SERVICES, SERVICES "/karmada-scheduler-estimator-m1",
                 DEAD_SERVICE("karmada-scheduler-estimator-m1"));
    fake_api_put(api, SERVICES, SERVICES "/karmada-scheduler-estimator-m2",
                 DEAD_SERVICE("karmada-scheduler-estimator-m2"));
    got = run(api, "plan --members=estimator -v1");
    CHECK_MSG(got.status == STATUS_UNSEEN, "status %d: %s", (int)got.status, got.err);
    CHECK_CONTAINS(got.out, "0 of 2 seen; m1 NOT SEEN: estimator: ");
    CHECK_CONTAINS(got.out, "m1: 1 more, of room for 998 (resource summary)");
    CHECK_CONTAINS(got.err, "member m1: its estimator does not tell: ");
    CHECK_CONTAINS(got.err, "member m2: its estimator does not tell: ");
    CHECK_CONTAINS(got.err, "127.0.0.1:1");
    CHECK_CONTAINS(got.err, "estimators: 3 calls, 3 failed, 0 abstained");
    CHECK_CONTAINS(got.err, "read from control plane: ");
    CHECK_CONTAINS(got.err, "read from estimators, room: 2 requests, 0 bytes, ");
    release(&got);
    got = run(api, "plan --members=estimator --scheduler-estimator-ca-file=/nonexistent");
    CHECK_INT(got.status, STATUS_USAGE);
    CHECK_CONTAINS(got.err, "/nonexistent");
    release(&got);
    got = run(
        api,
        "plan --members=status --scheduler-estimator-ca-file=/nonexistent"); /* nobody is asked */
    CHECK_INT(got.status, STATUS_DONE);
    CHECK_INT(fake_api_count(api, "GET", SERVICES), 1);
    release(&got);
    fake_api_stop(api);
}

void suite_live_cycle(void);

void
suite_live_cycle(void)
{
    check_suite("live cycle");
    check_test("a run writes, the next has nothing to do", test_run_writes);
    check_test("a run asks a plugin once", test_run_asks_a_plugin_once);
    check_test("dry runs leave nothing behind", test_dry_runs_leave_nothing);
    check_test("admission says no", test_admission_says_no);
    check_test("conflicts are planned again", test_conflicts);
    check_test("conflicts, and another object is read", test_conflict_and_another_object);
    check_test("a limit holds after a conflict", test_limit_holds_after_a_conflict);
    check_test("another run holds the Lease", test_lease_of_another);
    check_test("no Karmada control plane", test_no_karmada);
    check_test("a lost Lease stops writing", test_lost_lease_stops_writing);
    check_test("members that are not seen", test_members_unseen);
    check_test("a snapshot plans as the control plane does", test_snapshot);
    check_test("estimators that nobody runs", test_dead_estimators);
    check_test("Events may fail", test_events_may_fail);
    check_test("no right to read", test_no_right_to_read);
}
