/* SPDX-License-Identifier: Apache-2.0
 *
 * Estimators of random worlds. What they tell follows from the pods, as that of
 * a real one does; but one may not answer about everything, may be asked about
 * another time than the threshold, and may count a pod less.
 */
#include "world.h"

#define SIZES 7 /* that are told apart when an estimator abstains */

void
world_generate_estimator(struct world_estimator *estimator, struct random *random)
{
    estimator->is_there = random_percent(random, 35);
    estimator->cpu = 500 * random_below(random, 40);
    estimator->pods = random_percent(random, 20) ? random_below(random, 8) : 110;
    estimator->tells_room =
        random_percent(random, 60) ? ~0u : (unsigned)random_below(random, 1 << SIZES);
    estimator->tells_stuck =
        random_percent(random, 60) ? ~0u : (unsigned)random_below(random, 1 << WORLD_BINDINGS);
    estimator->threshold_minutes =
        random_percent(random, 80) ? WORLD_THRESHOLD_MINUTES : 3 + 17 * random_below(random, 2);
    estimator->misses = random_percent(random, 20) ? 1 : 0;
}

bool
world_estimator_tells_room(const struct world *world, int cluster, int cpu)
{
    const struct world_estimator *estimator = &world->clusters[cluster].estimator;

    return estimator->is_there && (estimator->tells_room >> (cpu / 100 % SIZES) & 1) != 0;
}

int64_t
world_estimator_free(const struct world *world, int cluster, bool pods)
{
    const struct world_estimator *estimator = &world->clusters[cluster].estimator;
    int64_t left = pods ? estimator->pods - world_taken_pods(world, cluster, false)
                        : estimator->cpu - world_taken_cpu(world, cluster, false);

    return left > 0 ? left : 0;
}

int
world_estimator_stuck(const struct world *world, int cluster, int binding)
{
    const struct world_estimator *estimator = &world->clusters[cluster].estimator;
    const struct world_pods *pods = &world->bindings[binding].pods[cluster];

    if (!estimator->is_there || (estimator->tells_stuck >> binding & 1) == 0) {
        return -1;
    }
    int stuck = pods->minutes > estimator->threshold_minutes ? pods->stuck : 0;

    return stuck > estimator->misses ? stuck - estimator->misses : 0;
}

static void
write_stuck(const struct world *world, int cluster, struct buf *out)
{
    const char *comma = "";

    buf_printf(out, "\"unschedulableThreshold\":\"%dm\",\"unschedulable\":[",
               world->clusters[cluster].estimator.threshold_minutes);
    for (int b = 0; b < world->n_bindings; b++) {
        int stuck = world_estimator_stuck(world, cluster, b);

        if (stuck >= 0) {
            buf_printf(out,
                       "%s{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"namespace\":\"n\","
                       "\"name\":\"%s\",\"replicas\":%d}",
                       comma, world->bindings[b].name, stuck);
            comma = ",";
        }
    }
    buf_append_str(out, "]");
}

static void
write_room(const struct world *world, int cluster, struct buf *out)
{
    const char *comma = "";

    buf_append_str(out, "\"available\":[");
    for (int b = 0; b < world->n_bindings; b++) {
        int cpu = world->bindings[b].cpu;
        int64_t fit = world_estimator_free(world, cluster, true);

        if (!world_estimator_tells_room(world, cluster, cpu)) {
            continue;
        }
        buf_append_str(out, comma);
        buf_append_char(out, '{');
        if (cpu > 0) {
            int64_t by_cpu = world_estimator_free(world, cluster, false) / cpu;

            fit = by_cpu < fit ? by_cpu : fit;
            buf_printf(out, "\"requirements\":{\"resourceRequest\":{\"cpu\":\"%dm\"}},", cpu);
        }
        buf_printf(out, "\"replicas\":%lld}", (long long)fit);
        comma = ",";
    }
    buf_append_str(out, "]");
}

void
world_write_estimator(const struct world *world, int cluster, struct buf *out)
{
    const struct world_cluster *of = &world->clusters[cluster];

    if (!of->estimator.is_there) {
        return;
    }
    buf_printf(out,
               "{\"apiVersion\":\"ballast.io/v1alpha1\",\"kind\":\"EstimatorAnswers\","
               "\"metadata\":{\"annotations\":{\"resource.karmada.io/cached-from-cluster\":"
               "\"%s\"}},",
               of->name);
    write_stuck(world, cluster, out);
    buf_append_char(out, ',');
    write_room(world, cluster, out);
    buf_append_char(out, '}');
    buf_append(out, "", 1);
}
