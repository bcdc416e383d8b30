/* SPDX-License-Identifier: Apache-2.0
 *
 * A dry run of a cycle against an API server of ours (api_server.h), as `plan`
 * makes one: with the questions that a plan asks, and of a back end that answers
 * none, so that none are worked out. Each in a process of its own.
 */
#include "questions.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api_server.h"
#include "ballast/base/clock.h"
#include "ballast/cycle/cycle.h"
#include "ballast/karmada/control_plane.h"
#include "child.h"

#define MEBIBYTE ((size_t)1 << 20)
#define ANSWERS_MIB 128u /* as of --memory-limit 512Mi */
#define SHOWN (256 * MEBIBYTE)
#define MAPPED_PIECE (64 << 10) /* as the program has its heap */
#define RATE 10000              /* requests a second: they are not what is measured */

static const enum cycle_phase phases[] = {CYCLE_READ, CYCLE_DIAGNOSE, CYCLE_SURVEY, CYCLE_PLAN};
#define N_PHASES (sizeof(phases) / sizeof(phases[0]))

struct asking {
    const struct backend *of; /* who is asked */
    struct measurement *told;
};

static uint32_t answers_mib; /* that answers on their way may take: in_child hands on no context */

static int
by_list(const void *a, const void *b)
{
    const struct fit_question *x = a, *y = b;

    return ((uintptr_t)x->clusters > (uintptr_t)y->clusters) -
           ((uintptr_t)x->clusters < (uintptr_t)y->clusters);
}

/* What they take, each list once. */
static double
size_of_questions(const struct survey *asked)
{
    const size_t size = asked->n_fit * sizeof(*asked->fit);
    struct fit_question *sorted = malloc(size + 1);
    double bytes = (double)size;

    if (sorted == NULL || asked->n_fit == 0) {
        free(sorted);
        return 0;
    }
    memcpy(sorted, asked->fit, size);
    qsort(sorted, asked->n_fit, sizeof(*sorted), by_list);
    for (uint32_t i = 0; i < asked->n_fit; i++) {
        if (i == 0 || sorted[i].clusters != sorted[i - 1].clusters) {
            bytes += (double)sorted[i].n_clusters * sizeof(*sorted[i].clusters);
        }
    }
    free(sorted);
    return bytes;
}

static void
count_questions(const struct survey *asked, struct measurement *ret)
{
    ret->asked += asked->n_fit;
    ret->asked_mb += size_of_questions(asked) / MEGABYTE;
    for (uint32_t i = 0; i < asked->n_fit; i++) {
        ret->asked_about += asked->fit[i].n_clusters;
    }
}

static struct fleet *
survey(void *context, struct fleet *fleet, const struct survey *asked, struct error *err)
{
    const struct asking *asking = context;

    count_questions(asked, asking->told);
    return asking->of->survey(asking->of->context, fleet, asked, err);
}

static struct fleet *
read_fleet(void *context, struct error *err)
{
    const struct asking *asking = context;

    return asking->of->read(asking->of->context, err);
}

/* From now on. */
static void
forget_peak(void)
{
    int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

    if (fd < 0 || write(fd, "5", 1) != 1) {
        fprintf(stderr, "bench: a peak cannot be forgotten: those behind it are too high\n");
    }
    close(fd);
}

/* What comes until the next phase begins counts as that one's: questions are worked out before they
 * are asked. */
static void
on_phase(void *context, enum cycle_phase phase, bool begins)
{
    struct measurement *told = context;

    if (begins) {
        return;
    }
    told->phase_rss_mb[phase] = peak_rss_mb();
    forget_peak();
}

static bool
run_cycle(const struct backend *backend, struct measurement *ret)
{
    struct error err = ERROR_INIT;
    struct policy policy;
    struct cycle_result result;

    policy_init(&policy);
    policy.now = BENCH_NOW;
    const struct cycle cycle = {
        .backend = backend, .policy = &policy, .watch = {.context = ret, .phase = on_phase}};
    bool fine = cycle_run(&cycle, &result, &err);

    if (!fine) {
        fprintf(stderr, "bench: %s\n", err.message);
        return false;
    }
    ret->cpu_s = cpu_seconds();
    for (uint32_t i = 0; i < result.surveyed->n_clusters; i++) {
        ret->unseen += result.surveyed->members[i].gap.parts != NULL ? 1 : 0;
    }
    ret->changed = result.report.plan->totals.changed;
    ret->findings = result.report.diagnosis->n_findings;
    return true;
}

static bool
measure_live(const char *url, bool asks, struct measurement *ret)
{
    struct error err = ERROR_INIT;
    struct kube_config config = {.server = (char *)(uintptr_t)url};
    struct byte_budget answers = {.limit = answers_mib * MEBIBYTE};
    const struct kube_client_options settings = {
        .qps = RATE,
        .burst = RATE,
        .request_timeout = 300 * NANOS_PER_SECOND,
        .max_response_bytes = 64 * MEBIBYTE,
        .budget = &answers,
        .concurrency = 16,
        .user_agent = "ballast-bench",
        .clock = clock_of_system(),
    };
    const struct control_plane_options options = {
        .clock = clock_of_system(),
        .page_size = 500,
        .concurrency = 16,
        .members = {.timeout = 300 * NANOS_PER_SECOND,
                    .memory = SHOWN,
                    .sources = {{SOURCE_PODS, SOURCE_NODES, SOURCE_STATUS}, 3}},
    };

    mallopt(M_MMAP_THRESHOLD, MAPPED_PIECE);
    struct kube_client *client = kube_client_new(&config, &settings, &err);

    if (client == NULL) {
        fprintf(stderr, "bench: %s\n", err.message);
        return false;
    }
    struct control_plane *plane = control_plane_new(client, &options);
    const struct backend live = control_plane_backend(plane);
    struct asking asking = {.of = &live, .told = ret};
    const struct backend backend = {.context = &asking,
                                    .origin = live.origin,
                                    .read = read_fleet,
                                    .survey = asks ? survey : NULL};
    bool fine = run_cycle(&backend, ret);

    control_plane_free(plane);
    kube_client_free(client);
    return fine;
}

static bool
measure_asking(const char *url, struct measurement *ret)
{
    return measure_live(url, true, ret);
}

static bool
measure_alone(const char *url, struct measurement *ret)
{
    return measure_live(url, false, ret);
}

static void
print_row(const char *what, const struct api_server *server, const struct measurement *m)
{
    printf("%-18s %9.1f %9u %8u %10.0f %8.2f %8.2f %8u", what,
           (double)api_server_bytes(server) / MEGABYTE, (unsigned)api_server_requests(server),
           m->asked, m->asked_about, m->asked_mb, m->cpu_s, m->changed);
    for (size_t i = 0; i < N_PHASES; i++) {
        printf(" %8.1f", m->phase_rss_mb[phases[i]]);
    }
    printf("\n");
    fflush(stdout);
}

/* Else less was read than is told. */
static bool
was_seen(const struct synthetic *fleet, const struct measurement *m)
{
    uint32_t lost = 0;

    for (uint32_t i = 0; i < fleet->clusters; i++) {
        lost += synthetic_is_lost(fleet, i) ? 1 : 0;
    }
    if (m->unseen != lost) {
        fprintf(stderr, "bench: %u members were not seen, and %u are lost\n", m->unseen, lost);
    }
    return m->unseen == lost;
}

static bool
measure_fleet(const struct synthetic *fleet)
{
    struct synthetic_targets targets = synthetic_targets_find(fleet);
    struct api_server server = {.fleet = fleet, .targets = &targets, .clusters = fleet->clusters};
    struct measurement alone = {.asked = 0}, asking = {.asked = 0};
    bool fine = targets.all != NULL && api_server_start(&server);

    synthetic_targets_free(&targets); /* the server has its own */
    if (fine) {
        printf("%u bindings, %u clusters\n", fleet->bindings, fleet->clusters);
        fine = in_child(measure_alone, server.url, &alone) && was_seen(fleet, &alone);
        print_row("nothing is asked", &server, &alone);
        api_server_forget(&server);
        fine = fine && in_child(measure_asking, server.url, &asking) && was_seen(fleet, &asking);
        print_row("questions", &server, &asking);
    }
    api_server_stop(&server);
    return fine;
}

bool
bench_questions(uint32_t mebibytes)
{
    static const struct {
        uint32_t bindings, clusters;
    } sizes[] = {{10000, 100}, {10000, 200}, {50000, 200}};

    answers_mib = mebibytes > 0 ? mebibytes : ANSWERS_MIB;
    printf("\n%-18s %9s %9s %8s %10s %8s %8s %8s", "live plans, peaks", "MB read", "requests",
           "asked", "clusters", "asked MB", "CPU s", "changed");
    for (size_t i = 0; i < N_PHASES; i++) {
        printf(" %8s", cycle_phase_name(phases[i]));
    }
    printf("\n");
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        const struct synthetic fleet = {.seed = 1,
                                        .bindings = sizes[i].bindings,
                                        .clusters = sizes[i].clusters,
                                        .pods = true,
                                        .replicas = 2,
                                        .nodes = 20,
                                        .is_lean = true};

        if (!measure_fleet(&fleet)) {
            return false;
        }
    }
    return true;
}
