/* SPDX-License-Identifier: Apache-2.0
 *
 * worlds [FLEETS [SEED [KNOWN]]]: plans that many random worlds, from that seed
 * on, and judges every plan. KNOWN names invariants that are known to be broken,
 * with commas between them: they are counted and shown, and fail nothing. worlds --shrink SEED
 * [INVARIANT]: the smallest world found that still breaks it, in worlds-SEED.json and
 * worlds-SEED.config.json, which `ballast plan --fleet F --config C --now 2026-03-01T12:00:00Z`
 * reads. worlds --fields FLEETS: whether all that is decoded is varied.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fields.h"
#include "story.h"

#define SHOWN_MAX 3 /* worlds that a worker shows, of each invariant */
#define WORKERS_MAX 64
#define COUNTED_IN 10000

struct tally {
    unsigned long broken /* by what is not known */, met[N_INVARIANTS], failed[N_INVARIANTS];
};

static struct judge *
judge_new(void)
{
    struct judge *judge = calloc(1, sizeof(*judge));

    if (judge == NULL) {
        abort();
    }
    return judge;
}

/* The name is one of the words of a list. */
static bool
is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = strstr(list, name); at != NULL; at = strstr(at + 1, name)) {
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static void
run_seed(uint64_t seed, const char *known, struct tally *tally)
{
    struct judge *judge = judge_new();
    struct world world;
    bool shown = false, broken = false;

    world_generate(&world, seed);
    check_world(&world, seed, judge);
    for (int i = 0; i < N_INVARIANTS; i++) {
        bool is_known = is_listed(known, invariant_infos[i].name);

        tally->met[i] += judge->met[i] > 0;
        broken = broken || (judge->broken[i] && !is_known);
        shown = shown || (judge->broken[i] && !is_known && tally->failed[i] < SHOWN_MAX);
        tally->failed[i] += judge->broken[i] ? 1 : 0;
    }
    tally->broken += broken ? 1 : 0;
    if (shown) {
        printf("seed %llu:\n%s", (unsigned long long)seed, judge->complaints);
        fflush(stdout);
    }
    world_free(&world);
    free(judge);
}

static void
add_tally(struct tally *sum, const struct tally *more)
{
    sum->broken += more->broken;
    for (int i = 0; i < N_INVARIANTS; i++) {
        sum->met[i] += more->met[i];
        sum->failed[i] += more->failed[i];
    }
}

/* Every `step`-th seed, in a process of its own; what it counted comes through the pipe. */
static int
start_worker(uint64_t first, uint64_t last, uint64_t step, const char *known)
{
    int ends[2];

    if (pipe(ends) != 0) {
        abort();
    }
    fflush(stdout);
    pid_t child = fork();

    if (child != 0) {
        close(ends[1]);
        return child > 0 ? ends[0] : -1;
    }
    struct tally tally = {0};

    for (uint64_t seed = first; seed < last; seed += step) {
        run_seed(seed, known, &tally);
    }
    _exit(write(ends[1], &tally, sizeof(tally)) == (ssize_t)sizeof(tally) ? 0 : 1);
}

static struct tally
run_workers(uint64_t first, uint64_t last, const char *known)
{
    uint64_t count = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    struct tally sum = {0}, one;
    int pipes[WORKERS_MAX];

    count = count < WORKERS_MAX ? count : WORKERS_MAX;
    for (uint64_t i = 0; i < count; i++) {
        pipes[i] = start_worker(first + i, last, count, known);
    }
    for (uint64_t i = 0; i < count; i++) {
        if (read(pipes[i], &one, sizeof(one)) == (ssize_t)sizeof(one)) {
            add_tally(&sum, &one);
        } else {
            fprintf(stderr, "a worker died\n");
            sum.broken++;
        }
        close(pipes[i]);
    }
    while (wait(NULL) > 0) {
    }
    return sum;
}

/* false: an invariant had too little to say. */
static bool
show_tally(const struct tally *tally, unsigned long fleets, const char *known)
{
    bool enough = true;

    for (int i = 0; i < N_INVARIANTS; i++) {
        const struct invariant_info *info = &invariant_infos[i];
        bool rare = fleets >= COUNTED_IN / 2 &&
                    tally->met[i] * COUNTED_IN < (unsigned long)info->least * fleets;

        enough = enough && !rare;
        printf("%-20s %8lu times %6lu broken  %s%s%s\n", info->name, tally->met[i],
               tally->failed[i], info->text, rare ? " (TOO RARE)" : "",
               is_listed(known, info->name) ? " (KNOWN)" : "");
    }
    printf("worlds: %lu passed, %lu failed\n", fleets - tally->broken, tally->broken);
    return enough;
}

static void
save(const char *path, const json_t *value)
{
    if (json_dump_file(value, path, JSON_INDENT(1)) != 0) {
        fprintf(stderr, "%s: cannot be written\n", path);
    }
}

static void
save_world(const struct world *world, uint64_t seed)
{
    char path[96];
    json_t *list =
        pack("{s:s,s:s,s:O}", "apiVersion", "v1", "kind", "List", "items", world->objects);

    snprintf(path, sizeof(path), "worlds-%llu.config.json", (unsigned long long)seed);
    save(path, world->config);
    snprintf(path, sizeof(path), "worlds-%llu.json", (unsigned long long)seed);
    save(path, list);
    json_decref(list);
}

/* `name` NULL: the world as it is. */
static int
shrink(uint64_t seed, const char *name)
{
    struct judge *judge = judge_new();
    struct world world;
    int invariant = 0;

    while (name != NULL && invariant < N_INVARIANTS && !is(invariant_infos[invariant].name, name)) {
        invariant++;
    }
    if (invariant == N_INVARIANTS) {
        fprintf(stderr, "no invariant \"%s\"\n", name);
        return 64;
    }
    world_generate(&world, seed);
    if (name != NULL) {
        world = shrink_world(world, seed, (enum invariant)invariant);
    }
    check_world(&world, seed, judge);
    printf("%s%s",
           world.as_karmada08     ? "--scheduler=karmada-0.8\n"
           : world.reschedule_all ? "--reschedule-all\n"
                                  : "",
           judge->complaints);
    save_world(&world, seed);
    world_free(&world);
    free(judge);
    return 0;
}

int
main(int argc, char **argv)
{
    if ((argc == 3 || argc == 4) && is(argv[1], "--shrink")) {
        return shrink(strtoull(argv[2], NULL, 10), argv[3]);
    }
    /* memory that a world frees the next one takes */
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
    mallopt(M_MMAP_THRESHOLD, 1 << 26);
    if (argc >= 2 && is(argv[1], "--fields")) {
        return check_fields(argc > 2 ? strtoull(argv[2], NULL, 10) : 2000) ? 0 : 1;
    }
    unsigned long fleets = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const char *known = argc > 3 ? argv[3] : "";
    struct tally tally = run_workers(first, first + fleets, known);
    bool enough = show_tally(&tally, fleets, known);

    return tally.broken == 0 && enough ? 0 : 1;
}
