/* SPDX-License-Identifier: Apache-2.0
 *
 * Templates are tied, so that kube-scheduler's rules are asked of each node: with
 * the pods that nodes are kept free for, and without.
 */
#include "nominated.h"

#include <stdio.h>
#include <stdlib.h>

#include "child.h"
#include "synthetic.h"

#define RUNS 3

static bool
measure_least(const struct synthetic *fleet, struct measurement *ret)
{
    char directory[] = "/tmp/ballast-bench-XXXXXX";
    bool fine = mkdtemp(directory) != NULL && synthetic_write(fleet, directory) &&
                in_child(measure_ballast, directory, ret);

    for (int i = 1; fine && i < RUNS; i++) {
        struct measurement m = {.input_mb = 0};

        fine = in_child(measure_ballast, directory, &m);
        ret->plan_s = m.plan_s < ret->plan_s ? m.plan_s : ret->plan_s;
    }
    remove_directory(directory);
    return fine;
}

bool
bench_nominated(void)
{
    static const uint32_t nodes[] = {1, 30};
    struct synthetic fleet = {.seed = 1,
                              .bindings = 3000,
                              .clusters = 10,
                              .pods = true,
                              .nodes = 300,
                              .is_lean = true,
                              .is_tied = true};

    printf("\n%-28s %8s %8s %6s %8s %8s\n", "nodes kept free, of 300", "there s", "kept s", "ratio",
           "changed", "there");
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
        struct measurement there, awaited;

        fleet.latest = nodes[i];
        fleet.is_awaited = false;
        bool fine = measure_least(&fleet, &there);

        fleet.is_awaited = true;
        if (!fine || !measure_least(&fleet, &awaited)) {
            return false;
        }
        printf("%-28u %8.3f %8.3f %6.2f %8u %8u\n", nodes[i], there.plan_s, awaited.plan_s,
               awaited.plan_s / there.plan_s, awaited.changed, there.changed);
        fflush(stdout);
    }
    return true;
}
