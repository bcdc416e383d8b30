/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole command lines against a live KubeFed host: whose server it is, and what
 * is left behind.
 */
#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "ballast/cli/cli.h"
#include "check.h"
#include "kubefed_fleet.h"
#include "live_fleet.h"
#include "temp_dir.h"

#define MAX_ARGUMENTS 16

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

static struct outcome_of
run(const struct fake_api *api, const char *text)
{
    struct temp_dir dir = temp_dir_make();
    struct outcome_of got = {.status = STATUS_DONE};
    size_t out_size = 0, err_size = 0;
    atomic_bool stop = false;
    char *argv[MAX_ARGUMENTS] = {NULL}, words[512], kubeconfig[1024], *state = NULL;
    struct cli cli = {.stop = &stop,
                      .clock = fake_api_clock(),
                      .wall_clock = NANOS_PER_SECOND,
                      .getenv = no_environment};
    int argc = 1;

    snprintf(kubeconfig, sizeof(kubeconfig),
             "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
             "clusters: [{name: c, cluster: {server: \"%s\"}}]\n"
             "contexts: [{name: c, context: {cluster: c, user: u}}]\n"
             "users: [{name: u, user: {}}]\n",
             fake_api_url(api));
    snprintf(words, sizeof(words), "%s --allow-insecure-members --kubeconfig %s", text,
             temp_write(&dir, "config", kubeconfig, 0600));
    for (char *word = strtok_r(words, " ", &state); word != NULL && argc < MAX_ARGUMENTS;
         word = strtok_r(NULL, " ", &state)) {
        argv[argc++] = word;
    }
    cli.out = open_memstream(&got.out, &out_size);
    cli.err = open_memstream(&got.err, &err_size);
    got.status = cli_main(&cli, argc, argv);
    fclose(cli.out);
    fclose(cli.err);
    temp_dir_remove(&dir);
    return got;
}

static void
check_run(struct fake_api *api, const char *line, enum exit_status status, const char *out,
          const char *err)
{
    struct outcome_of got = run(api, line);

    CHECK_MSG(got.status == status, "%s: status %d: %s%s", line, (int)got.status, got.out, got.err);
    CHECK_CONTAINS(got.out, out);
    CHECK_CONTAINS(got.err, err);
    free(got.out);
    free(got.err);
}

static void
test_whose_it_is(void)
{
    struct fake_api *host = host_fleet("Cluster"), *karmada = live_fleet(1, 2);

    check_run(host, "plan", STATUS_DONE, "shop/web", "SchedulerPreferences");
    check_run(host, "plan --platform=kubefed", STATUS_DONE, "shop/web", "SchedulerPreferences");
    CHECK_INT(fake_api_count(host, "GET", CLUSTERS_PATH), 1); /* of the first */
    check_run(host, "plan --platform=karmada", STATUS_ERROR, "",
              "this is no Karmada control plane");
    check_run(host, "plan --platform=kubefed --kubefed-namespace=other", STATUS_ERROR, "",
              "its control plane is in another namespace than other");
    check_run(karmada, "plan --platform=kubefed", STATUS_ERROR, "", "this is no KubeFed host");
    CHECK_INT(fake_api_count(host, "PATCH", "/"), 0);
    fake_api_stop(host);
    fake_api_stop(karmada);
}

#define LEASES_OF_HOST "/apis/coordination.k8s.io/v1/namespaces/" KFNS "/leases"
#define RUN "run --lease-namespace=" KFNS

/* Whoever runs takes the Lease first, and asks on that way whose server it is. */
static void
test_run(void)
{
    struct fake_api *host = host_fleet("Cluster");

    fake_api_serve(host, LEASES_OF_HOST, "coordination.k8s.io/v1", "Lease");
    check_run(host, RUN " --platform=karmada", STATUS_ERROR, "",
              "this is no Karmada control plane");
    check_run(host, RUN, STATUS_ERROR, "", "this is no Karmada control plane"); /* nobody's */
    fake_api_serve(host, CORE_API_PATH, "v1", "APIResource");
    check_run(host, RUN, STATUS_USAGE, "", "--kubefed-takeover");
    CHECK_INT(fake_api_count(host, "PATCH", "/"), 0);
    check_run(host, RUN " --kubefed-takeover", STATUS_DONE, "written      1 binding\n", "");
    CHECK_INT(fake_api_count(host, "PATCH", "/"), 1); /* more replicas are no move to remember */
    CHECK_INT(fake_api_count(host, "PATCH", OBJECT), 1);
    CHECK_CONTAINS(fake_api_get(host, OBJECT), "\"path\":\"/spec/replicas\",\"value\":4");
    CHECK(strstr(fake_api_get(host, LEASES_OF_HOST "/ballast"), "holderIdentity") == NULL);
    fake_api_stop(host);
}

void suite_live_platform(void);

void
suite_live_platform(void)
{
    check_suite("live platforms");
    check_test("whose it is", test_whose_it_is);
    check_test("a run", test_run);
}
