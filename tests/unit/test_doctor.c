/* SPDX-License-Identifier: Apache-2.0
 *
 * What follows from the facts that the doctor gathers; and that the rights which
 * it asks for are those that the manifests grant.
 */
#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "ballast/format/yaml.h"
#include "check.h"
#include "doctor/doctor_internal.h"
#include "live_fleet.h"
#include "live_run.h"

#define NOW (INT64_C(1000000) * NANOS_PER_SECOND)
#define HOUR (60 * NANOS_PER_MINUTE)

/* ---- one change to facts with which all is well ---- */

struct rig {
    struct arena *arena;
    struct kube_config config;
    struct policy policy;
    struct doctor_needs needs;
    struct doctor_facts facts;
    struct doctor_report report;
};

static char *
unowned(const char *text)
{
    return (char *)(uintptr_t)text;
}

static struct rig *
make_rig(void)
{
    struct rig *rig = calloc(1, sizeof(*rig));
    const struct doctor_reply there = {.status = 200}, none = {.status = 404};

    rig->arena = arena_new();
    rig->config.server = unowned("https://karmada:5443");
    rig->config.origin = unowned("context \"prod\" of ~/.kube/config");
    rig->config.contexts = unowned("prod (current), dev");
    policy_init(&rig->policy);
    rig->needs = (struct doctor_needs){
        .config = &rig->config,
        .kubectl = "kubectl --context prod",
        .credential = "the token of user \"u\"",
        .config_file = "",
        .policy = &rig->policy,
        .kubefed_namespace = "",
        .writes = true,
        .lease_namespace = "karmada-system",
        .lease_name = "ballast",
        .lease_duration = 15 * NANOS_PER_SECOND,
        .estimator_namespace = "karmada-system",
    };
    rig->facts = (struct doctor_facts){.server = there,
                                       .kubernetes = "v1.31.3",
                                       .took = 12 * NANOS_PER_SECOND / 1000,
                                       .ours = NOW,
                                       .theirs = NOW,
                                       .user = "jane",
                                       .clusters = there,
                                       .bindings = there,
                                       .kubefed = none,
                                       .host = none,
                                       .member = none,
                                       .platform = PLATFORM_KARMADA,
                                       .image = "",
                                       .since_1_14 = KUBE_SERVED,
                                       .lease = {none, "", TIME_NONE, 0},
                                       .lease_namespace = there,
                                       .cron = there};
    for (uint32_t i = 0; i < n_doctor_rights; i++) {
        rig->facts.rights[i] = DOCTOR_ALLOWED;
    }
    return rig;
}

static void
free_rig(struct rig *rig)
{
    arena_free(rig->arena);
    free(rig);
}

/* The n-th line of a check. */
static const struct doctor_line *
line_of(const struct rig *rig, const char *check, uint32_t n)
{
    for (uint32_t i = 0; i < rig->report.n_lines; i++) {
        if (str_eq(rig->report.lines[i].check, check) && n-- == 0) {
            return &rig->report.lines[i];
        }
    }
    return NULL;
}

/* One line is there of that check, so; an advice of "" is none. */
static void
check_line(struct rig *rig, const char *check, enum doctor_mark mark, const char *text,
           const char *advice)
{
    rig->report = doctor_judge(&rig->needs, &rig->facts, rig->arena);
    const struct doctor_line *line = line_of(rig, check, 0);

    if (CHECK_MSG(line != NULL, "no line of %s", check)) {
        CHECK_MSG(line->mark == mark, "%s is %s, not %s: %s", check, doctor_mark_name(line->mark),
                  doctor_mark_name(mark), line->text);
        CHECK_CONTAINS(line->text, text);
        CHECK_CONTAINS(line->advice, advice);
        CHECK_MSG(!str_is_empty(line->advice) || mark == DOCTOR_OK || mark == DOCTOR_NOTE,
                  "%s says not what to do", check);
    }
}

static void
check_unasked(const struct rig *rig, const char *first)
{
    const struct doctor_line *line = line_of(rig, "not checked", 0);

    if (CHECK_MSG(line != NULL, "all is checked")) {
        CHECK_MSG(strncmp(line->text, first, strlen(first)) == 0, "not checked: %s", line->text);
    }
}

static void
test_server(void)
{
    struct rig *rig = make_rig();

    check_line(rig, "API server", DOCTOR_OK, "https://karmada:5443 answers in 12ms, Kubernetes v1",
               "");
    check_line(rig, "version", DOCTOR_OK, "1.14 or later", "");
    CHECK_INT(rig->report.failed + rig->report.warnings, 0);
    rig->facts.image = "docker.io/karmada/karmada-controller-manager:v1.17.2";
    check_line(rig, "version", DOCTOR_OK, "Karmada v1.17.2", "");
    rig->facts.server = (struct doctor_reply){.status = 0};
    error_set(&rig->facts.server.error, ERROR_UNAVAILABLE, "connection refused");
    check_line(rig, "API server", DOCTOR_FAILED, "connection refused", "VPN");
    check_line(rig, "API server", DOCTOR_FAILED, "", "--context: prod (current), dev");
    check_unasked(rig, "identity, clock");
    error_set(&rig->facts.server.error, ERROR_CONFIG, "the certificate is of another authority");
    check_line(rig, "API server", DOCTOR_FAILED, "authority", "certificate-authority");
    rig->needs.config = NULL;
    error_set(&rig->facts.unreadable, ERROR_CONFIG, "no such file");
    check_line(rig, "kubeconfig", DOCTOR_FAILED, "no such file", "--kubeconfig FILE");
    check_unasked(rig, "API server, identity");
    free_rig(rig);
}

static void
test_identity_and_clock(void)
{
    struct rig *rig = make_rig();

    check_line(rig, "identity", DOCTOR_OK, "jane", "");
    check_line(rig, "clock", DOCTOR_OK, "the same", "");
    rig->facts.ours = NOW + 3 * NANOS_PER_MINUTE + 7 * NANOS_PER_SECOND;
    check_line(rig, "clock", DOCTOR_WARNING, "3m7s ahead of", "set the clock");
    rig->facts.theirs = TIME_NONE;
    check_line(rig, "clock", DOCTOR_NOTE, "does not tell", "");
    rig->facts.user = "system:anonymous";
    check_line(rig, "identity", DOCTOR_FAILED, "system:anonymous", "log in again");
    rig->facts.user = "";
    rig->facts.clusters.status = 401;
    check_line(rig, "identity", DOCTOR_FAILED, "the token of user \"u\" is not accepted (HTTP 401)",
               "expired");
    check_unasked(rig, "platform");
    free_rig(rig);
}

static void
test_platform(void)
{
    struct rig *rig = make_rig();

    check_line(rig, "platform", DOCTOR_OK, "Karmada", "");
    rig->facts.clusters.status = 503;
    check_line(rig, "platform", DOCTOR_FAILED, "Clusters", "karmada-aggregated-apiserver");
    rig->facts.clusters.status = 404;
    check_line(rig, "platform", DOCTOR_FAILED, "has no Clusters", "get apiservices");
    rig->facts.bindings.status = 404;
    check_line(rig, "platform", DOCTOR_FAILED, "neither Karmada's", "--kubeconfig FILE");
    rig->facts.platform = PLATFORM_AUTO;
    rig->facts.member.status = 200;
    check_line(rig, "platform", DOCTOR_FAILED, "member", "--kubeconfig FILE");
    rig->facts.host.status = 200;
    check_line(rig, "platform", DOCTOR_FAILED, "API server is another one", "karmada-apiserver");
    check_unasked(rig, "version, rights to plan");
    free_rig(rig);
}

/* ---- rights ---- */

static void
deny(struct rig *rig, const char *verb, const char *resource, const char *name)
{
    for (uint32_t i = 0; i < n_doctor_rights; i++) {
        const struct doctor_right *right = &doctor_rights[i];

        if (right->platform == PLATFORM_KARMADA && str_eq(right->verb, verb) &&
            str_eq(right->resource, resource) &&
            str_eq(right->name != NULL ? right->name : "any", name)) {
            rig->facts.rights[i] = DOCTOR_DENIED;
            rig->facts.denied_in[i] = right_namespace(right, &rig->needs, 0);
        }
    }
}

static void
test_secret_namespaces(void)
{
    const char *namespaces[] = {"karmada-cluster", "prod"};
    struct rig *rig = make_rig();

    rig->policy.trust.secret_namespaces = (struct str_list){.items = namespaces, .count = 2};
    for (uint32_t i = 0; i < n_doctor_rights; i++) {
        const struct doctor_right *right = &doctor_rights[i];

        if (right->platform == PLATFORM_KARMADA && str_eq(right->resource, "secrets")) {
            CHECK_INT(right_count_namespaces(right, &rig->needs), 2);
            CHECK_STR(right_namespace(right, &rig->needs, 1), "prod");
            rig->facts.rights[i] = DOCTOR_DENIED;
            rig->facts.denied_in[i] = "prod";
        }
    }
    check_line(rig, "rights to plan", DOCTOR_FAILED, "you may not get secrets in prod",
               "grant get");
    free_rig(rig);
}

static void
test_rights(void)
{
    struct rig *rig = make_rig();

    check_line(rig, "rights to run", DOCTOR_OK, "all", "");
    deny(rig, "get", "leases", "karmada-descheduler");
    check_line(rig, "rights to plan", DOCTOR_WARNING,
               "get leases.coordination.k8s.io/karmada-descheduler in karmada-system (whether",
               "kubectl --context prod -n karmada-system create rolebinding "
               "ballast-reader-by-hand --role=ballast-reader --user=jane");
    deny(rig, "list", "overridepolicies", "any");
    check_line(rig, "rights to plan", DOCTOR_FAILED, "list overridepolicies.policy.karmada.io",
               "kubectl --context prod apply -k cronjob/karmada/rbac");
    deny(rig, "update", "leases", "");
    check_line(rig, "rights to run", DOCTOR_FAILED,
               "update leases.coordination.k8s.io/ballast in karmada-system", "ballast-lease");
    rig->facts.user = "system:serviceaccount:ops:bot";
    check_line(rig, "rights to run", DOCTOR_FAILED, "", "--serviceaccount=ops:bot");
    rig->facts.user = "Jane O'Hara";
    check_line(rig, "rights to run", DOCTOR_FAILED, "", "--user='Jane O'\\''Hara'");
    rig->facts.user = "system:serviceaccount:karmada-system:ballast-dry-run";
    check_line(rig, "rights to run", DOCTOR_FAILED, "", "apply -k");
    CHECK(strstr(line_of(rig, "rights to run", 0)->advice, "create") == NULL);
    free_rig(rig);
}

/* Of the roles below a directory: each rule as texts "ROLE KIND verb resource.group/sub in name".
 */
static bool
has_right(const struct right_role *role, const char *verb, const char *group, const char *resource,
          const char *name)
{
    for (uint32_t i = 0; i < n_doctor_rights; i++) {
        const struct doctor_right *right = &doctor_rights[i];
        struct arena *arena = arena_new();
        char *full = str_print("%s%s%s", right->resource, right->subresource != NULL ? "/" : "",
                               right->subresource != NULL ? right->subresource : "");
        const char *own = right->name == NULL         ? ""
                          : str_is_empty(right->name) ? "ballast"
                                                      : right->name;
        bool is_it = right->role->directory != NULL && str_eq(right->role->name, role->name) &&
                     right->role->is_of_namespace == role->is_of_namespace &&
                     str_eq(right->verb, verb) && str_eq(right_group(arena, right), group) &&
                     str_eq(full, resource) && str_eq(own, name);

        free(full);
        arena_free(arena);
        if (is_it) {
            return true;
        }
    }
    return false;
}

/* One verb on one resource, by name where there are names. */
static unsigned
check_names(const struct right_role *role, const struct value *rule, const char *verb,
            const char *group, const char *resource)
{
    const struct value *names = value_get(rule, "resourceNames");
    size_t count = value_count(names);

    for (size_t i = 0; i < (count > 0 ? count : 1); i++) {
        const char *name = count > 0 ? value_string(value_at(names, i)) : "";

        CHECK_MSG(has_right(role, verb, group, resource, name),
                  "%s grants %s %s of \"%s\" (%s), which the doctor does not ask for", role->name,
                  verb, resource, group, name);
    }
    return (unsigned)(count > 0 ? count : 1);
}

static unsigned
check_rule(const struct right_role *role, const struct value *rule)
{
    const struct value *groups = value_get(rule, "apiGroups");
    const struct value *resources = value_get(rule, "resources");
    const struct value *verbs = value_get(rule, "verbs");
    unsigned count = 0;

    for (size_t g = 0; g < value_count(groups); g++) {
        for (size_t r = 0; r < value_count(resources); r++) {
            for (size_t v = 0; v < value_count(verbs); v++) {
                count += check_names(role, rule, value_string(value_at(verbs, v)),
                                     value_string(value_at(groups, g)),
                                     value_string(value_at(resources, r)));
            }
        }
    }
    return count;
}

/* Returns how many rights its roles grant. */
static unsigned
check_manifest(const char *path)
{
    static char text[1 << 16];
    struct yaml_documents documents = {.count = 0};
    struct error err = ERROR_INIT;
    unsigned count = 0;
    FILE *file = fopen(path, "r");

    if (file == NULL) {
        CHECK_MSG(false, "%s is not there", path);
        return 0;
    }
    size_t length = fread(text, 1, sizeof(text) - 1, file);

    fclose(file);
    text[length] = '\0';
    if (CHECK_OK(yaml_parse(path, text, length, &documents, &err), err)) {
        for (size_t i = 0; i < documents.count; i++) {
            const struct value *root = documents.items[i];
            const struct right_role role = {"", value_text(value_get(root, "metadata"), "name"),
                                            str_eq(value_text(root, "kind"), "Role")};
            const struct value *rules = value_get(root, "rules");

            for (size_t r = 0; r < value_count(rules); r++) {
                count += check_rule(&role, value_at(rules, r));
            }
        }
    }
    yaml_documents_free(&documents);
    return count;
}

static void
test_manifests(void)
{
    static const char *const paths[] = {
        "cronjob/karmada/rbac/reader.yaml",   "cronjob/karmada/rbac/writer.yaml",
        "cronjob/karmada/labels/labels.yaml", "cronjob/karmada/estimators/estimators.yaml",
        "cronjob/kubefed/rbac/reader.yaml",   "cronjob/kubefed/rbac/writer.yaml",
    };
    unsigned granted = 0, asked = 0;

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        granted += check_manifest(paths[i]);
    }
    for (uint32_t i = 0; i < n_doctor_rights; i++) {
        asked += doctor_rights[i].role->directory != NULL ? 1 : 0;
    }
    CHECK_INT(granted, asked); /* and so they grant all that is asked for */
}

/* ---- runs ---- */

static void
test_lease(void)
{
    struct rig *rig = make_rig();

    check_line(rig, "Lease", DOCTOR_OK, "no run has taken it yet", "");
    rig->facts.lease_namespace.status = 404;
    check_line(rig, "Lease", DOCTOR_FAILED, "does not exist", "create namespace karmada-system");
    rig->facts.lease = (struct doctor_lease){{.status = 200}, "", NOW - 2 * HOUR, 0};
    check_line(rig, "Lease", DOCTOR_OK, "is free; the last run ended 120m ago", "");
    rig->facts.lease.holder = "pod_1_a";
    check_line(rig, "Lease", DOCTOR_WARNING, "has not renewed it for 120m",
               "after waiting for 15s");
    rig->facts.lease.duration = 3 * HOUR;
    check_line(rig, "Lease", DOCTOR_OK, "a run is under way", "");
    rig->facts.lease.renewed = TIME_NONE;
    check_line(rig, "Lease", DOCTOR_WARNING, "an unknown time", "takes it over");
    rig->facts.lease.reply.status = 403;
    check_line(rig, "Lease", DOCTOR_NOTE, "not seen", "");
    free_rig(rig);
}

static void
test_cron_job(void)
{
    struct rig *rig = make_rig();
    struct doctor_cron_job job = {.name = "ballast",
                                  .schedule = "*/2 * * * *",
                                  .created = NOW - 72 * HOUR,
                                  .scheduled = TIME_NONE,
                                  .succeeded = TIME_NONE};

    check_line(rig, "CronJob", DOCTOR_NOTE, "not in this cluster", "");
    rig->facts.cron.status = 403;
    check_line(rig, "CronJob", DOCTOR_NOTE, "you may not list CronJobs", "");
    rig->facts.cron_jobs = &job;
    rig->facts.n_cron_jobs = 1;
    check_line(rig, "CronJob", DOCTOR_OK, "ballast (*/2 * * * *) has not started a run yet", "");
    job.scheduled = NOW - NANOS_PER_MINUTE;
    check_line(rig, "CronJob", DOCTOR_WARNING, "no success is recorded", "get jobs,pods");
    job.succeeded = NOW - 51 * HOUR;
    check_line(rig, "CronJob", DOCTOR_FAILED, "last success 2d3h ago", "get jobs,pods");
    job.succeeded = NOW - NANOS_PER_MINUTE;
    check_line(rig, "CronJob", DOCTOR_OK, "last success 60s ago", "");
    job.is_suspended = true;
    check_line(rig, "CronJob", DOCTOR_WARNING, "is suspended",
               "-n karmada-system patch cronjob ballast");
    free_rig(rig);
}

/* ---- a whole command line ---- */

static void
test_command(void)
{
    struct fake_api *api = live_fleet(2, 3);

    live_members(api);
    fake_api_serve(api, "/api/v1/namespaces", "v1", "Namespace");
    fake_api_put(api, "/api/v1/namespaces", "/api/v1/namespaces/karmada-system",
                 "{\"metadata\":{\"name\":\"karmada-system\"}}");
    struct live_outcome got = live_run(api, "doctor");

    CHECK_CONTAINS(got.out, "ok   fleet           2 clusters, 2 bindings");
    CHECK_CONTAINS(got.out, "2 of 2 seen by the control plane's proxy: m1, m2");
    CHECK_CONTAINS(got.out, "next: ballast plan");
    CHECK_STR(got.err, "");
    CHECK_INT(got.status, STATUS_DONE);
    live_release(&got);
    fake_api_fail(api, "GET", MEMBER("m2", "api/v1/pods"), 403, "pods is forbidden", 99);
    got = live_run(api, "doctor -o json");
    CHECK_CONTAINS(got.out, "\"kind\": \"Checkup\"");
    CHECK_CONTAINS(got.out, "m2 is out of reach: ");
    CHECK_CONTAINS(got.out, "apply -k cronjob/karmada/members");
    CHECK_INT(got.status, STATUS_ERROR);
    live_release(&got);
    got = live_run(api, "doctor --allow-unseen 50%%");
    CHECK_CONTAINS(got.out, "warn members");
    CHECK_INT(got.status, STATUS_DONE);
    live_release(&got);
    got = live_run(api, "doctor -o table");
    CHECK_INT(got.status, STATUS_USAGE);
    live_release(&got);
    for (unsigned i = 0; i < fake_api_count(api, "POST", ""); i++) {
        CHECK_CONTAINS(fake_api_target(api, "POST", "", i), "/selfsubject");
    }
    CHECK_INT(fake_api_count(api, "PUT", "") + fake_api_count(api, "PATCH", ""), 0);
    fake_api_stop(api);
}

void suite_doctor(void);

void
suite_doctor(void)
{
    check_suite("doctor");
    check_test("the server answers, or what to look at", test_server);
    check_test("who we are, and what time it is", test_identity_and_clock);
    check_test("whose control plane it is", test_platform);
    check_test("missing rights, and what grants them", test_rights);
    check_test("rights in each namespace of Secrets", test_secret_namespaces);
    check_test("the rights are those of the manifests", test_manifests);
    check_test("the Lease", test_lease);
    check_test("the CronJob", test_cron_job);
    check_test("a command line", test_command);
}
