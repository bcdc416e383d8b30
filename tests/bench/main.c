/* SPDX-License-Identifier: Apache-2.0
 *
 * bench [quick|members|hostile|kubefed|survival|program|packing|slices|live-slices|nominated]:
 * what reading, diagnosing and planning fleets of several sizes costs, large members, losing each
 * cluster in turn, the program on next to nothing, a huge member in slices, from files and live,
 * and nodes that are kept free. bench questions [MIB]: a live plan, with what it asks and without;
 * answers on their way may take so much. bench growth [BINDINGS]: by which powers that grows. bench
 * shards [PART]: sixteen shards and a million bindings, or the PARTth of it; bench shard [PART]:
 * the largest of them alone. bench list KUBECONFIG [ROUNDS]: the bindings of a live server, beside
 * curl. Each measurement runs in a process of its own, so that its peak of memory is its own. Times
 * are CPU times of one core, but those of a live list: wall.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "growth.h"
#include "list.h"
#include "live_slices.h"
#include "measure.h"
#include "nominated.h"
#include "packing.h"
#include "program.h"
#include "questions.h"
#include "shards.h"
#include "synthetic.h"
#include "synthetic_hostile.h"
#include "synthetic_kubefed.h"
#include "synthetic_member.h"

#include "ballast/schedule/divide.h"

#define GROWTH_BINDINGS 100000

/* --- the parent ------------------------------------------------------------------------------ */

static double input_bytes; /* nftw passes no context */

static int
add_size(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)path;
    (void)where;
    if (type == FTW_F) {
        input_bytes += (double)info->st_size;
    }
    return 0;
}

/* Of a fleet that was written to a directory (or was not); the directory goes. */
static bool
measure_written(char *directory, bool fine, bool with_jansson, struct measurement *ret)
{
    memset(ret, 0, sizeof(*ret));
    input_bytes = 0;
    fine = fine && nftw(directory, add_size, 16, FTW_PHYS) == 0;
    ret->input_mb = input_bytes / MEGABYTE;
    fine = fine && (!with_jansson || in_child(measure_jansson, directory, ret)) &&
           in_child(measure_ballast, directory, ret);
    remove_directory(directory);
    return fine;
}

static bool
measure_fleet(const struct synthetic *fleet, bool with_jansson, struct measurement *ret)
{
    char directory[] = "/tmp/ballast-bench-XXXXXX";
    bool fine = mkdtemp(directory) != NULL && synthetic_write(fleet, directory);

    return measure_written(directory, fine, with_jansson, ret);
}

static bool
measure_hostile(const struct synthetic_hostile *fleet, struct measurement *ret)
{
    char directory[] = "/tmp/ballast-bench-XXXXXX";
    bool fine = mkdtemp(directory) != NULL && synthetic_hostile_write(fleet, directory);

    return measure_written(directory, fine, false, ret);
}

static bool
measure_kubefed(const struct synthetic_kubefed *fleet, struct measurement *ret)
{
    char directory[] = "/tmp/ballast-bench-XXXXXX";
    bool fine = mkdtemp(directory) != NULL && synthetic_kubefed_write(fleet, directory);

    return measure_written(directory, fine, true, ret);
}

/* A small fleet, with what one of its members shows. */
static bool
measure_member(const struct synthetic_member *member, struct measurement *ret)
{
    const struct synthetic fleet = {.seed = 1, .bindings = 1000, .clusters = 10};
    char directory[] = "/tmp/ballast-bench-XXXXXX";
    char members[64], path[96];
    bool fine = mkdtemp(directory) != NULL && synthetic_write(&fleet, directory);

    memset(ret, 0, sizeof(*ret));
    snprintf(members, sizeof(members), "%s/members", directory);
    snprintf(path, sizeof(path), "%s/member-0000", members);
    fine = fine && mkdir(members, 0777) == 0 && synthetic_member_write(member, path);
    input_bytes = 0;
    fine = fine && nftw(path, add_size, 16, FTW_PHYS) == 0;
    ret->input_mb = input_bytes / MEGABYTE;
    fine = fine && in_child(measure_ballast, directory, ret);
    remove_directory(directory);
    return fine;
}

static void
print_row(const struct synthetic *fleet, const struct measurement *m)
{
    double mb_s = m->input_mb / m->read_s;

    printf("%8u %8u %-4s %8.1f %8.1f %8.1f %6.2f %9.2f %6.2f %9.2f %8.3f %8.1f %8.1f %8.1f %6.2f "
           "%8.1f %8.1f %8.1f %6.2f %8u %7u\n",
           fleet->bindings, fleet->clusters, fleet->pods ? "yes" : "no", m->input_mb, mb_s,
           m->input_mb / m->jansson_s, m->jansson_s / m->read_s,
           m->diagnose_s * 1e6 / fleet->bindings, m->cold_s * 1e6 / fleet->bindings,
           m->plan_s * 1e6 / fleet->bindings, m->plan_s, m->read_rss_mb, m->diagnose_rss_mb,
           m->peak_rss_mb, m->peak_rss_mb / m->input_mb, m->jansson_rss_mb, m->print_mb,
           m->print_mb / m->print_s, m->print_s / m->read_s, m->findings, m->changed);
    fflush(stdout);
}

static void
print_growth(const struct measurement *small, const struct measurement *large, const char *what)
{
    printf("%-34s input x%.1f, read x%.1f, diagnose x%.1f (cold x%.1f), plan x%.1f, memory "
           "x%.1f\n",
           what, large->input_mb / small->input_mb, large->read_s / small->read_s,
           large->diagnose_s / small->diagnose_s, large->cold_s / small->cold_s,
           large->plan_s / small->plan_s, large->peak_rss_mb / small->peak_rss_mb);
}

static bool
bench_fleets(uint32_t largest)
{
    static const uint32_t clusters[2] = {10, 100};
    struct measurement found[2][3];
    uint32_t sizes = 0;
    bool fine = true;

    printf("%8s %8s %-4s %8s %8s %8s %6s %9s %6s %9s %8s %8s %8s %8s %6s %8s %8s %8s %6s %8s %7s\n",
           "bindings", "clusters", "pods", "MB", "MB/s", "jansson", "ratio", "diag us/b", "cold",
           "plan us/b", "plan s", "read RSS", "diag RSS", "peak RSS", "of in", "jans.RSS", "out MB",
           "MB/s", "/read", "findings", "changed");
    for (uint32_t bindings = 1000; fine && bindings <= largest; bindings *= 10, sizes++) {
        for (int c = 0; fine && c < 2; c++) {
            struct synthetic fleet = {.seed = 1, .bindings = bindings, .clusters = clusters[c]};

            fine = measure_fleet(&fleet, true, &found[c][sizes]);
            if (fine) {
                print_row(&fleet, &found[c][sizes]);
            }
        }
    }
    for (int c = 0; fine && c < 2; c++) {
        for (uint32_t i = 1; i < sizes; i++) {
            char what[64];

            snprintf(what, sizeof(what), "10 times the bindings, %u clusters:", clusters[c]);
            print_growth(&found[c][i - 1], &found[c][i], what);
        }
    }
    if (fine) {
        print_growth(&found[0][sizes - 1], &found[1][sizes - 1], "10 times the clusters:");
    }
    return fine;
}

static bool
bench_pods(uint32_t bindings)
{
    struct synthetic fleet = {.seed = 1, .bindings = bindings, .clusters = 10, .pods = true};
    struct measurement found;

    if (!measure_fleet(&fleet, true, &found)) {
        return false;
    }
    print_row(&fleet, &found);
    return true;
}

/* Bytes of memory that `count` things cost beyond `without` them. */
static double
bytes_each(const struct measurement *with, const struct measurement *without, uint32_t count)
{
    return count > 0 ? (with->peak_rss_mb - without->peak_rss_mb) * MEGABYTE / count : 0;
}

static bool
bench_members(void)
{
    static const struct synthetic_member members[] = {{1000, 30000}, {10000, 200000}};

    printf("\n%8s %8s %8s %8s %8s %9s %8s %8s %8s %8s\n", "nodes", "pods", "MB", "read s", "MB/s",
           "diagn. s", "plan s", "peak RSS", "B/node", "B/pod");
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        const struct synthetic_member none = {0, 0}, empty = {members[i].nodes, 0};
        struct measurement bare, nodes, all;

        if (!measure_member(&none, &bare) || !measure_member(&empty, &nodes) ||
            !measure_member(&members[i], &all)) {
            return false;
        }
        printf("%8u %8u %8.1f %8.2f %8.1f %9.3f %8.3f %8.1f %8.0f %8.0f\n", members[i].nodes,
               members[i].pods, all.input_mb, all.read_s, all.input_mb / all.read_s, all.diagnose_s,
               all.plan_s, all.peak_rss_mb, bytes_each(&nodes, &bare, members[i].nodes),
               bytes_each(&all, &nodes, members[i].pods));
        fflush(stdout);
    }
    return true;
}

/* What somebody means to be dear, at three sizes: the last columns say by how much the time and the
 * memory of the largest grew beyond its bytes (1.0: as they did). */
static bool
bench_hostile(void)
{
    static const struct {
        const char *what;
        enum hostile kind;
        uint32_t sizes[3];
    } rows[] = {
        {"names of one hash", HOSTILE_NAMES, {8192, 32768, 131072}},
        {"targets of one binding", HOSTILE_TARGETS, {625, 2500, 10000}},
        {"quotas of one namespace", HOSTILE_QUOTAS, {64, 256, 1024}},
    };

    printf("\n%-24s %8s %8s %8s %9s %8s %8s %6s %6s\n", "hostile", "how many", "MB", "read s",
           "diagn. s", "plan s", "peak RSS", "time", "memory");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct measurement found[3];

        for (int j = 0; j < 3; j++) {
            const struct synthetic_hostile fleet = {rows[i].kind, rows[i].sizes[j]};
            struct measurement *m = &found[j];

            if (!measure_hostile(&fleet, m)) {
                return false;
            }
            double growth = m->input_mb / found[0].input_mb;
            double seconds = m->read_s + m->diagnose_s + m->plan_s;
            double first = found[0].read_s + found[0].diagnose_s + found[0].plan_s;

            printf("%-24s %8u %8.1f %8.3f %9.3f %8.3f %8.1f %6.2f %6.2f\n", rows[i].what,
                   fleet.size, m->input_mb, m->read_s, m->diagnose_s, m->plan_s, m->peak_rss_mb,
                   seconds / first / growth, m->peak_rss_mb / found[0].peak_rss_mb / growth);
            fflush(stdout);
        }
    }
    return true;
}

/* Every preference has one replica to move: what one costs is to grow as the clusters do, and no
 * more (the last column; 1.0: as they did, beside the row before). */
static bool
bench_kubefed(bool quick)
{
    static const struct synthetic_kubefed fleets[] = {{1000, 10},  {1000, 50},  {1000, 200},
                                                      {10000, 10}, {10000, 50}, {10000, 200}};
    struct measurement before = {.input_mb = 0};

    printf("\n%11s %8s %8s %8s %6s %9s %9s %8s %8s %6s\n", "preferences", "clusters", "MB", "MB/s",
           "ratio", "diag us/b", "plan us/b", "peak RSS", "changed", "growth");
    for (size_t i = 0; i < sizeof(fleets) / sizeof(fleets[0]); i++) {
        const struct synthetic_kubefed *fleet = &fleets[i];
        struct measurement m;

        if (quick && fleet->preferences > 1000) {
            break;
        }
        if (!measure_kubefed(fleet, &m)) {
            return false;
        }
        bool grows = i > 0 && fleet->preferences == fleets[i - 1].preferences;
        double growth =
            grows ? m.plan_s / before.plan_s * fleets[i - 1].clusters / fleet->clusters : 0;

        printf("%11u %8u %8.1f %8.1f %6.2f %9.2f %9.2f %8.1f %8u", fleet->preferences,
               fleet->clusters, m.input_mb, m.input_mb / m.read_s, m.jansson_s / m.read_s,
               m.diagnose_s * 1e6 / fleet->preferences, m.plan_s * 1e6 / fleet->preferences,
               m.peak_rss_mb, m.changed);
        if (grows) {
            printf(" %6.2f", growth);
        }
        printf("\n");
        fflush(stdout);
        before = m;
    }
    return true;
}

/* Ten times the bindings in as many clusters, without pods and with them. */
static bool
bench_survival(bool quick)
{
    static const struct synthetic fleets[] = {
        {.seed = 1, .bindings = 1000, .clusters = 100},
        {.seed = 1, .bindings = 1000, .clusters = 100, .pods = true},
        {.seed = 1, .bindings = 10000, .clusters = 1000},
        {.seed = 1, .bindings = 10000, .clusters = 1000, .pods = true},
    };

    printf("\n%-8s %8s %-4s %8s %8s %9s %8s\n", "survival", "clusters", "pods", "CPU s", "wall s",
           "ms a loss", "peak RSS");
    for (size_t i = 0; i < sizeof(fleets) / sizeof(fleets[0]); i++) {
        const struct synthetic *fleet = &fleets[i];
        char directory[] = "/tmp/ballast-bench-XXXXXX";
        struct measurement m = {.input_mb = 0};

        if (quick && fleet->clusters > 100) {
            break;
        }
        bool fine = mkdtemp(directory) != NULL && synthetic_write(fleet, directory) &&
                    in_child(measure_survival, directory, &m);

        remove_directory(directory);
        if (!fine) {
            return false;
        }
        printf("%8u %8u %-4s %8.2f %8.2f %9.2f %8.1f\n", fleet->bindings, fleet->clusters,
               fleet->pods ? "yes" : "no", m.survival_s, m.survival_wall_s,
               m.survival_s * 1e3 / m.changed, m.peak_rss_mb);
        fflush(stdout);
    }
    return true;
}

static void
bench_division(void)
{
    enum { PARTIES = 100, ROUNDS = 1000 };
    static char names[PARTIES][16];
    static struct share shares[PARTIES];

    printf("\ndividing among %d clusters:", PARTIES);
    for (int32_t replicas = 10; replicas > 0 && replicas <= 1000000000; replicas *= 10) {
        double start = cpu_seconds();

        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < PARTIES; i++) {
                snprintf(names[i], sizeof(names[i]), "member-%04d", i);
                shares[i] = (struct share){.name = names[i], .weight = 1 + (i * 7919) % 1000};
            }
            webster_allocate(shares, PARTIES, replicas, false);
        }
        printf(" %d: %.1f us", replicas, (cpu_seconds() - start) * 1e6 / ROUNDS);
        if (replicas == 1000000000) {
            break;
        }
    }
    printf("\n");
}

static bool
bench_program(void)
{
    static const struct {
        const char *what;
        const char *arguments[PROGRAM_ARGUMENTS_MAX];
    } rows[] = {
        {"version", {"version"}},
        {"version, libraries included", {"version", "-o", "json"}},
        {"plan of examples/fleet", {"plan", "--fleet", "examples/fleet"}},
    };

    printf("\n%-28s %8s %8s\n", "the program", "CPU ms", "peak RSS");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct program_run run = {.is_heard = false};

        memcpy(run.arguments, rows[i].arguments, sizeof(run.arguments));
        if (!program_run(&run)) {
            fprintf(stderr, "bench: ballast %s did not run\n", rows[i].what);
            return false;
        }
        printf("%-28s %8.1f %8.1f\n", rows[i].what, program_cpu_seconds(&run) * 1e3,
               program_peak_mb(&run));
    }
    return true;
}

static bool
bench_all(bool quick)
{
    bool fine = bench_fleets(quick ? 10000 : 100000) && bench_pods(quick ? 1000 : 10000) &&
                bench_hostile() && bench_program() && bench_kubefed(quick) && bench_packing() &&
                bench_survival(quick) && bench_shards(quick ? 1000 : 100, false) &&
                (quick || (bench_growth(GROWTH_BINDINGS) && bench_members()));

    if (fine) {
        bench_division();
    }
    return fine;
}

static bool
bench_kubefed_whole(void)
{
    return bench_kubefed(false);
}

static bool
bench_survival_whole(void)
{
    return bench_survival(false);
}

/* Those of a size that may be said. */
static bool
bench_sized(const char *what, uint32_t size, bool *ret_is_one)
{
    *ret_is_one = true;
    if (strcmp(what, "growth") == 0) {
        return bench_growth(size > 0 ? size : GROWTH_BINDINGS);
    }
    if (strcmp(what, "shards") == 0 || strcmp(what, "shard") == 0) {
        return bench_shards(size > 0 ? size : 1, strcmp(what, "shard") == 0);
    }
    if (strcmp(what, "questions") == 0) {
        return bench_questions(size);
    }
    *ret_is_one = false;
    return false;
}

int
main(int argc, char **argv)
{
    static const struct {
        const char *what;
        bool (*run)(void);
    } parts[] = {
        {"members", bench_members},         {"hostile", bench_hostile},
        {"kubefed", bench_kubefed_whole},   {"survival", bench_survival_whole},
        {"program", bench_program},         {"packing", bench_packing},
        {"slices", bench_slices},           {"nominated", bench_nominated},
        {"live-slices", bench_live_slices},
    };
    const char *what = argc > 1 ? argv[1] : "";
    bool is_one;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (strcmp(what, parts[i].what) == 0) {
            return parts[i].run() ? 0 : 1;
        }
    }
    bool fine = bench_sized(what, argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0, &is_one);

    if (is_one) {
        return fine ? 0 : 1;
    }
    if (strcmp(what, "list") == 0) {
        if (argc < 3) {
            fputs("bench: list: want a kubeconfig\n", stderr);
            return 2;
        }
        return bench_list(argv[2], argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0) ? 0 : 1;
    }
    return bench_all(strcmp(what, "quick") == 0) ? 0 : 1;
}
