/* SPDX-License-Identifier: Apache-2.0
 *
 * See list.h. Each time is that of a process that knows nothing of the one before it: libraries are
 * loaded, the connection is made, the list is read. Curl writes what it unpacked to /dev/null.
 */
#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

#include "ballast/base/clock.h"
#include "ballast/kinds/decode.h"
#include "ballast/kube/kube_client.h"

#define API "work.karmada.io/v1alpha2"
#define PATH "/apis/" API "/resourcebindings"
#define MAX_ROUNDS 101
#define USUAL_ROUNDS 11

struct reading {
    double wall_s, cpu_s, rss_mb;
    uint32_t bindings;
    uint64_t bytes; /* as they came */
};

struct taker {
    struct fleet_builder *builder;
    uint32_t bindings;
};

static bool
take(void *context, const struct stream_object *object, struct error *err)
{
    struct taker *taker = context;
    const struct object_origin origin = {.file = "", .member = ""};

    taker->bindings++;
    return fleet_builder_add(taker->builder, object->root, API, "ResourceBindingList", &origin,
                             err) != ADD_FAILED;
}

static bool
read_list(const struct kube_config *config, struct reading *ret, struct error *err)
{
    static const struct stream_ops ops = {take, NULL};
    const struct kube_client_options settings = {
        .qps = 1000,
        .burst = 1000,
        .request_timeout = 300 * NANOS_PER_SECOND,
        .max_response_bytes = (size_t)64 << 20,
        .concurrency = 16,
        .user_agent = "ballast-bench",
        .clock = clock_of_system(),
    };
    struct taker taker = {.builder = fleet_builder_new()};
    const struct kube_list_options options = {
        .path = PATH,
        .page_limit = 500,
        .from_cache = true,
        .ops = &ops,
        .wanted = fleet_builder_wanted,
        .wanted_context = taker.builder,
        .context = &taker,
    };
    double begin = wall_seconds(), cpu = cpu_seconds();
    struct kube_client *client = kube_client_new(config, &settings, err);
    bool fine = client != NULL && kube_list(client, &options, err);

    ret->wall_s = wall_seconds() - begin;
    ret->cpu_s = cpu_seconds() - cpu;
    ret->rss_mb = peak_rss_mb();
    ret->bindings = taker.bindings;
    ret->bytes = fine ? kube_client_statistics(client).bytes_read : 0;
    kube_client_free(client);
    fleet_builder_free(taker.builder);
    return fine;
}

static bool
ended_well(pid_t child)
{
    int status = 1;

    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool
measure_own(const struct kube_config *config, struct reading *ret)
{
    pid_t child = fork();

    if (child == 0) {
        struct error err = ERROR_INIT;
        bool fine = read_list(config, ret, &err);

        if (!fine) {
            fprintf(stderr, "bench: %s\n", err.message);
        }
        _exit(fine ? 0 : 1);
    }
    return ended_well(child);
}

static void
become_curl(const struct kube_config *config, bool packed)
{
    char url[1024], token[4096];

    snprintf(url, sizeof(url), "%s" PATH "?resourceVersion=0", config->server);
    snprintf(token, sizeof(token), "Authorization: Bearer %.*s", (int)config->token.length,
             (const char *)config->token.data);
    execlp("curl", "curl", "-fsS", "-o", "/dev/null", "--cacert", config->ca_file, "-H", token, url,
           packed ? "--compressed" : NULL, NULL);
    _exit(127);
}

static bool
measure_curl(const struct kube_config *config, bool packed, double *ret_wall_s)
{
    double begin = wall_seconds();
    pid_t child = fork();

    if (child == 0) {
        become_curl(config, packed);
    }
    bool fine = ended_well(child);

    *ret_wall_s = wall_seconds() - begin;
    return fine;
}

static int
by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

static double
median(double *times, uint32_t count)
{
    qsort(times, count, sizeof(*times), by_size);
    return times[count / 2];
}

static bool
run_rounds(const struct kube_config *config, uint32_t rounds, struct reading *own)
{
    static double list[MAX_ROUNDS], packed[MAX_ROUNDS], plain[MAX_ROUNDS], cpu[MAX_ROUNDS];

    for (uint32_t i = 0; i < rounds; i++) {
        if (!measure_curl(config, true, &packed[i]) || !measure_own(config, own) ||
            !measure_curl(config, false, &plain[i])) {
            return false;
        }
        list[i] = own->wall_s;
        cpu[i] = own->cpu_s;
    }
    double ours = median(list, rounds), curl = median(packed, rounds);

    printf("%8s %8s %8s %8s %6s %8s %8s %6s %8s %8s\n", "bindings", "MB read", "list s", "curl s",
           "ratio", "least s", "curl", "ratio", "CPU s", "as it is");
    printf("%8u %8.1f %8.3f %8.3f %6.2f %8.3f %8.3f %6.2f %8.3f %8.3f\n", own->bindings,
           (double)own->bytes / MEGABYTE, ours, curl, ours / curl, list[0], packed[0],
           list[0] / packed[0], median(cpu, rounds), median(plain, rounds));
    return true;
}

static const char *
variable(const char *name)
{
    return getenv(name);
}

bool
bench_list(const char *kubeconfig, uint32_t rounds)
{
    struct error err = ERROR_INIT;
    const struct kube_config_options options = {.kubeconfig = kubeconfig, .getenv = variable};
    struct kube_config *config = kube_config_load(&options, &err);
    struct reading *own =
        mmap(NULL, sizeof(*own), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool fine = config != NULL && own != MAP_FAILED;

    if (config == NULL) {
        fprintf(stderr, "bench: %s\n", err.message);
    }
    rounds = rounds > 0 && rounds < MAX_ROUNDS ? rounds : USUAL_ROUNDS;
    if (fine && (config->ca_file == NULL || config->token.data == NULL)) {
        fprintf(stderr, "bench: %s: want a certificate-authority and a token\n", kubeconfig);
        fine = false;
    }
    fine = fine && run_rounds(config, rounds, own);
    kube_config_free(config);
    return fine;
}
