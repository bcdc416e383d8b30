/* SPDX-License-Identifier: Apache-2.0
 *
 * See list.h. Each time is that of a process that knows nothing of the one before it: libraries are
 * loaded, the connection is made, the list is read. Curl writes what it unpacked to /dev/null.
 */
#include "list.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

#include "ballast/base/clock.h"
#include "ballast/kinds/decode.h"
#include "ballast/kube/kube_list.h"

#define API "work.karmada.io/v1alpha2"
#define PATH "/apis/" API "/resourcebindings"
#define USER_AGENT "ballast-bench"
#define MAX_ROUNDS 101
#define USUAL_ROUNDS 6
#define PAUSE_LEAST 300000u /* microseconds */
#define PAUSE_STEP 370820u
#define PAUSE_SPREAD 600000u

/* What one list took. */
struct times {
    double wall_s;
    double rest_s; /* of that, behind the first byte of the answer: until then the server works */
    double cpu_s;
};

struct reading {
    struct times times;
    double rss_mb;
    uint32_t bindings;
    uint64_t bytes; /* as they came */
};

struct taker {
    struct fleet_builder *builder;
    uint32_t bindings;
    double first; /* when the first one was there */
};

static bool
take(void *context, const struct stream_object *object, struct error *err)
{
    struct taker *taker = context;
    const struct object_origin origin = {.file = "", .member = ""};

    taker->first = taker->bindings++ == 0 ? wall_seconds() : taker->first;
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
        .user_agent = USER_AGENT,
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

    ret->times.wall_s = wall_seconds() - begin;
    ret->times.rest_s = begin + ret->times.wall_s - taker.first;
    ret->times.cpu_s = cpu_seconds() - cpu;
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
become_curl(const struct kube_config *config, bool packed, int tell)
{
    char url[1024], token[4096];

    snprintf(url, sizeof(url), "%s" PATH "?resourceVersion=0", config->server);
    snprintf(token, sizeof(token), "Authorization: Bearer %.*s", (int)config->token.length,
             (const char *)config->token.data);
    dup2(tell, STDOUT_FILENO);
    /* whoever calls himself curl is answered for eyes: another way, and in less time */
    execlp("curl", "curl", "-fsS", "-A", USER_AGENT, "-o", "/dev/null", "-w",
           "%{time_starttransfer}", "--cacert", config->ca_file, "-H", token, url,
           packed ? "--compressed" : NULL, NULL);
    _exit(127);
}

/* What curl tells of when the answer began. */
static bool
read_seconds(int fd, double *ret)
{
    char text[64] = "", *end;
    ssize_t length = read(fd, text, sizeof(text) - 1);

    *ret = strtod(text, &end);
    return length > 0 && end > text;
}

static double
seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static bool
measure_curl(const struct kube_config *config, bool packed, struct times *ret)
{
    int ends[2], status = 1;
    double first = 0, begin = wall_seconds();
    struct rusage usage;

    if (pipe(ends) != 0) {
        return false;
    }
    pid_t child = fork();

    if (child == 0) {
        become_curl(config, packed, ends[1]);
    }
    bool fine = child > 0 && wait4(child, &status, 0, &usage) == child && status == 0;

    ret->wall_s = wall_seconds() - begin;
    close(ends[1]);
    fine = fine && read_seconds(ends[0], &first);
    close(ends[0]);
    ret->rest_s = ret->wall_s - first;
    ret->cpu_s = fine ? seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime) : 0;
    return fine;
}

struct samples {
    struct times list[2 * MAX_ROUNDS], packed[2 * MAX_ROUNDS], plain[MAX_ROUNDS];
    uint32_t n_list, n_packed, pauses;
};

static int
by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

/* Of one of the times. */
static double
median(const struct times *times, uint32_t count, size_t which)
{
    double values[2 * MAX_ROUNDS] = {0};

    for (uint32_t i = 0; i < count; i++) {
        memcpy(&values[i], (const char *)&times[i] + which, sizeof(values[i]));
    }
    qsort(values, count, sizeof(*values), by_size);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Who comes after another one meets a server that still tidies up, and whoever asks in turn with
 * others may meet them in the same step each time: so each comes after a pause, of another length
 * each. */
static void
pause_differently(uint32_t *count)
{
    usleep(PAUSE_LEAST + ++*count * PAUSE_STEP % PAUSE_SPREAD);
}

static bool
take_own(const struct kube_config *config, struct reading *own, struct samples *ret)
{
    pause_differently(&ret->pauses);
    bool fine = measure_own(config, own);

    ret->list[ret->n_list++] = own->times;
    return fine;
}

static bool
take_packed(const struct kube_config *config, struct samples *ret)
{
    pause_differently(&ret->pauses);
    return measure_curl(config, true, &ret->packed[ret->n_packed++]);
}

/* Each comes once after the other, and once after itself. */
static bool
run_round(const struct kube_config *config, struct reading *own, struct samples *ret)
{
    return take_packed(config, ret) && take_own(config, own, ret) && take_own(config, own, ret) &&
           take_packed(config, ret);
}

static void
print_row(const char *what, const struct times *list, const struct times *curl, uint32_t rounds,
          size_t which)
{
    double ours = median(list, rounds, which), theirs = median(curl, rounds, which);

    printf("%-28s %8.3f %8.3f %6.2f\n", what, ours, theirs, ours / theirs);
}

static bool
run_rounds(const struct kube_config *config, uint32_t rounds, struct reading *own)
{
    static struct samples samples;

    for (uint32_t i = 0; i < rounds; i++) {
        if (!run_round(config, own, &samples)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < rounds; i++) { /* whose garbage the others are not to find */
        pause_differently(&samples.pauses);
        if (!measure_curl(config, false, &samples.plain[i])) {
            return false;
        }
    }
    const struct times *list = samples.list, *packed = samples.packed;

    printf("%u bindings, %.1f MB as they came, %.1f MB of memory\n", own->bindings,
           (double)own->bytes / MEGABYTE, own->rss_mb);
    printf("%-28s %8s %8s %6s\n", "medians", "list", "curl", "ratio");
    print_row("wall s", list, packed, 2 * rounds, offsetof(struct times, wall_s));
    print_row("  behind the first byte", list, packed, 2 * rounds, offsetof(struct times, rest_s));
    print_row("CPU s", list, packed, 2 * rounds, offsetof(struct times, cpu_s));
    printf("%-28s %8s %8.3f\n", "wall s without gzip", "",
           median(samples.plain, rounds, offsetof(struct times, wall_s)));
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
