/* SPDX-License-Identifier: Apache-2.0
 *
 * simulate [--trace NAME] [--policy NAME] [--seed N] [--seeds N] [--compare]
 * [--verbose]: fleets over time, and what policies make of them. Without
 * --compare Ballast's invariants are checked; with it all policies go through
 * the same, and the table is printed. --verbose tells the story of one seed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "table.h"

#include "ballast/base/str.h"

struct job_list {
    struct job *items;
    size_t count, capacity;
};

struct wish {
    const struct trace *trace;       /* NULL: all */
    const struct sim_policy *policy; /* NULL: all that are meant */
    uint64_t seed, seeds;
    bool compare, verbose;
};

static int
usage(const char *what, const char *value)
{
    fprintf(stderr, "simulate: %s %s\n", what, value);
    fprintf(stderr, "usage: simulate [--trace NAME] [--policy NAME] [--seed N] [--seeds N] "
                    "[--compare] [--verbose]\ntraces:\n");
    for (const struct trace *trace = traces; trace->name != NULL; trace++) {
        fprintf(stderr, "  %-18s %s\n", trace->name, trace->summary);
    }
    fprintf(stderr, "policies:\n");
    for (const struct sim_policy *policy = policies; policy->name != NULL; policy++) {
        fprintf(stderr, "  %-18s %s\n", policy->name, policy->summary);
    }
    return 64;
}

static bool
take_value(struct wish *wish, const char *flag, const char *value)
{
    if (str_eq(flag, "--trace")) {
        wish->trace = trace_find(value);
        return wish->trace != NULL;
    }
    if (str_eq(flag, "--policy")) {
        wish->policy = policy_find(value);
        return wish->policy != NULL;
    }
    char *end = NULL;
    uint64_t number = strtoull(value, &end, 10);

    if (*value == '\0' || *end != '\0') {
        return false;
    }
    if (str_eq(flag, "--seed")) {
        wish->seed = number;
        return true;
    }
    wish->seeds = number;
    return str_eq(flag, "--seeds") && number > 0;
}

/* The index of what is wrong; 0 when nothing is. */
static int
read_wish(int argc, char **argv, struct wish *wish)
{
    for (int i = 1; i < argc; i++) {
        if (str_eq(argv[i], "--compare")) {
            wish->compare = true;
        } else if (str_eq(argv[i], "--verbose")) {
            wish->verbose = true;
        } else if (i + 1 >= argc || !take_value(wish, argv[i], argv[i + 1])) {
            return i;
        } else {
            i++;
        }
    }
    return 0;
}

static bool
is_meant(const struct wish *wish, const struct sim_policy *policy)
{
    return wish->policy != NULL ? policy == wish->policy : wish->compare || policy->config != NULL;
}

static bool
is_among(const struct wish *wish, const struct trace *trace)
{
    return wish->trace == NULL || trace == wish->trace;
}

/* All seeds of a policy, for all policies of a trace, for all traces: in this order they are shown.
 */
static void
list_jobs(const struct wish *wish, struct job_list *jobs)
{
    for (const struct trace *trace = traces; trace->name != NULL; trace++) {
        for (const struct sim_policy *policy = policies; policy->name != NULL; policy++) {
            for (uint64_t i = 0; i < wish->seeds; i++) {
                struct job job = {.run = {trace, policy, wish->seed + i, wish->verbose}};

                if (is_among(wish, trace) && is_meant(wish, policy)) {
                    vec_add(jobs, job);
                }
            }
        }
    }
}

static void
print_table(const struct wish *wish, const struct job_list *jobs)
{
    const struct trace *trace = NULL;

    for (size_t i = 0; i < jobs->count; i += wish->seeds) {
        const struct run *run = &jobs->items[i].run;
        struct table_row row = {.settled = VEC_INIT};

        if (run->trace != trace) {
            trace = run->trace;
            table_title(trace);
        }
        for (size_t j = i; j < i + wish->seeds; j++) {
            table_add(&row, &jobs->items[j].result);
        }
        table_print(run->policy, &row);
        vec_free(&row.settled);
    }
    printf("\n");
}

int
main(int argc, char **argv)
{
    struct wish wish = {.seed = 1, .seeds = 1};
    int wrong = read_wish(argc, argv, &wish);
    struct job_list jobs = VEC_INIT;
    size_t broken = 0;
    int64_t cycles = 0;

    if (wrong > 0) {
        return usage("what is", argv[wrong]);
    }
    list_jobs(&wish, &jobs);
    bool fine = jobs_run(jobs.items, jobs.count);

    for (size_t i = 0; i < jobs.count; i++) {
        broken += jobs.items[i].result.failed ? 1 : 0;
        cycles += jobs.items[i].result.cycles;
    }
    if (wish.compare) {
        print_table(&wish, &jobs);
    }
    printf("simulations of %lld cycles: %zu passed, %zu failed\n", (long long)cycles,
           jobs.count - broken, broken);
    fine = fine && jobs.count > 0 && broken == 0;
    vec_free(&jobs);
    return fine ? 0 : 1;
}
