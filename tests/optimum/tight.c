/* SPDX-License-Identifier: Apache-2.0
 *
 * Random fleets that are tight.
 */
#include "tight.h"

#include <string.h>

#include "../worlds/random.h"
#include "ballast/base/arena.h"
#include "ballast/base/timestamp.h"
#include "ballast/kinds/decode.h"

#define CLUSTERS_MAX 64
#define BINDINGS_MAX 300 /* of fleets of any size */
#define TEXT_MAX ((size_t)1 << 26)
#define PODS 2000 /* slots of a cluster */
#define TAINTED ",\"taints\":[{\"key\":\"cluster.karmada.io/not-ready\",\"effect\":\"NoSchedule\"}]"

enum { CPU, MEMORY, N_AMOUNTS }; /* milli, Mi */

struct tight_binding {
    int on[CLUSTERS_MAX];
    bool may[CLUSTERS_MAX];
    int64_t each[N_AMOUNTS];
    int priority;
    bool aggregated;
};

struct tight_fleet {
    int n_clusters, n_bindings, n_lost;
    int64_t free[CLUSTERS_MAX][N_AMOUNTS];
    struct tight_binding *bindings;
    bool evicted;
};

static bool
is_lost(const struct tight_fleet *fleet, int cluster)
{
    return cluster < fleet->n_lost;
}

/* It ran in one cluster or two, most often in one that is lost. */
static void
generate_binding(const struct tight_fleet *fleet, struct random *random,
                 struct tight_binding *binding)
{
    static const int cpus[] = {100, 250, 500, 1000, 1500, 2000, 4000};
    static const int memories[] = {128, 256, 512, 1024, 2048, 4096, 8192};
    int share = 10 + random_below(random, 31);
    int lost = random_below(random, fleet->n_lost);
    int n_may = 0;

    for (int c = fleet->n_lost; c < fleet->n_clusters; c++) {
        binding->may[c] = random_percent(random, share);
        n_may += binding->may[c] ? 1 : 0;
    }
    if (n_may == 0) {
        int c = fleet->n_lost + random_below(random, fleet->n_clusters - fleet->n_lost);

        binding->may[c] = true;
    }
    binding->may[lost] = true;
    binding->on[lost] = 1 + random_below(random, random_percent(random, 70) ? 8 : 30);
    for (int c = fleet->n_lost; c < fleet->n_clusters; c++) {
        if (binding->may[c] && random_percent(random, 20)) {
            binding->on[c] = 1 + random_below(random, 6);
        }
    }
    binding->each[CPU] = cpus[random_below(random, sizeof(cpus) / sizeof(cpus[0]))];
    binding->each[MEMORY] = memories[random_below(random, sizeof(memories) / sizeof(memories[0]))];
    binding->priority = random_percent(random, 30) ? random_below(random, 3) : 0;
    binding->aggregated = random_percent(random, 40);
}

/* What is lost needs so much. */
static void
sum_lost(const struct tight_fleet *fleet, int64_t sums[N_AMOUNTS])
{
    for (int b = 0; b < fleet->n_bindings; b++) {
        for (int c = 0; c < fleet->n_lost; c++) {
            for (int i = 0; i < N_AMOUNTS; i++) {
                sums[i] += fleet->bindings[b].each[i] * fleet->bindings[b].on[c];
            }
        }
    }
}

static void
generate(struct arena *arena, struct tight_fleet *fleet, const struct tight_size *size)
{
    struct random random = random_from(size->seed);
    int64_t sums[N_AMOUNTS] = {0};
    int n_clusters = 10 + random_below(&random, 5);
    int n_bindings = 40 + random_below(&random, BINDINGS_MAX - 40 + 1);

    *fleet = (struct tight_fleet){
        .n_clusters = size->clusters > 0 ? size->clusters : n_clusters,
        .n_bindings = size->bindings > 0 ? size->bindings : n_bindings,
        .n_lost = 2,
        .evicted = size->evicted,
    };
    fleet->bindings = ARENA_ARRAY(arena, struct tight_binding, (size_t)fleet->n_bindings);
    for (int b = 0; b < fleet->n_bindings; b++) {
        generate_binding(fleet, &random, &fleet->bindings[b]);
    }
    sum_lost(fleet, sums);
    int tightness = 70 + random_below(&random, 51); /* percent of what is lost */

    for (int c = fleet->n_lost; c < fleet->n_clusters; c++) {
        for (int i = 0; i < N_AMOUNTS; i++) {
            int64_t part = sums[i] / (fleet->n_clusters - fleet->n_lost);

            fleet->free[c][i] = part * tightness / 100 * (50 + random_below(&random, 101)) / 100;
        }
    }
}

static void
taken_in(const struct tight_fleet *fleet, int cluster, int64_t taken[N_AMOUNTS], int *pods)
{
    for (int b = 0; b < fleet->n_bindings; b++) {
        *pods += fleet->bindings[b].on[cluster];
        for (int i = 0; i < N_AMOUNTS; i++) {
            taken[i] += fleet->bindings[b].each[i] * fleet->bindings[b].on[cluster];
        }
    }
}

static void
write_cluster(const struct tight_fleet *fleet, int cluster, struct buf *out)
{
    int64_t taken[N_AMOUNTS] = {0};
    int pods = 0;

    taken_in(fleet, cluster, taken, &pods);
    buf_printf(out,
               "{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":\"Cluster\","
               "\"metadata\":{\"name\":\"c%02d\",\"resourceVersion\":\"1\"},"
               "\"spec\":{\"syncMode\":\"Push\"%s},\"status\":{\"conditions\":[{\"type\":\"Ready\","
               "\"status\":\"%s\",\"lastTransitionTime\":\"2026-03-01T11:00:00Z\"}],"
               "\"apiEnablements\":[{\"groupVersion\":\"apps/v1\",\"resources\":[{\"kind\":"
               "\"Deployment\",\"name\":\"deployments\"}]}],\"resourceSummary\":{",
               cluster, fleet->evicted && is_lost(fleet, cluster) ? TAINTED : "",
               is_lost(fleet, cluster) ? "False" : "True");
    buf_printf(out,
               "\"allocatable\":{\"cpu\":\"%lldm\",\"memory\":\"%lldMi\",\"pods\":\"%d\"},"
               "\"allocated\":{\"cpu\":\"%lldm\",\"memory\":\"%lldMi\",\"pods\":\"%d\"}}}}\n",
               (long long)taken[CPU] + fleet->free[cluster][CPU],
               (long long)taken[MEMORY] + fleet->free[cluster][MEMORY], pods + PODS,
               (long long)taken[CPU], (long long)taken[MEMORY], pods);
}

/* `quote` is that of a JSON text, or of one in the quotes of another. */
static void
write_placement(const struct tight_fleet *fleet, const struct tight_binding *binding,
                const char *quote, struct buf *out)
{
    const char *const strategy[] = {"replicaSchedulingType", "Divided", "replicaDivisionPreference",
                                    binding->aggregated ? "Aggregated" : "Weighted"};
    const char *comma = "";

    buf_printf(out, "{%sclusterAffinity%s:{%sclusterNames%s:[", quote, quote, quote, quote);
    for (int c = 0; c < fleet->n_clusters; c++) {
        if (binding->may[c]) {
            buf_printf(out, "%s%sc%02d%s", comma, quote, c, quote);
            comma = ",";
        }
    }
    buf_printf(out, "]},%sreplicaScheduling%s:{", quote, quote);
    for (int i = 0; i < 4; i++) {
        buf_printf(out, "%s%s%s%s", quote, strategy[i], quote,
                   i == 3       ? ""
                   : i % 2 == 0 ? ":"
                                : ",");
    }
    if (!binding->aggregated) {
        buf_printf(out, ",%sweightPreference%s:{%sdynamicWeight%s:%sAvailableReplicas%s}", quote,
                   quote, quote, quote, quote, quote);
    }
    buf_append_str(out, "}}");
}

/* The targets; or what each of them reports. */
static void
write_targets(const struct tight_fleet *fleet, const struct tight_binding *binding, bool reported,
              struct buf *out)
{
    const char *comma = "";

    for (int c = 0; c < fleet->n_clusters; c++) {
        if (binding->on[c] == 0 || (fleet->evicted && is_lost(fleet, c))) {
            continue;
        }
        if (reported) {
            buf_printf(out,
                       "%s{\"clusterName\":\"c%02d\",\"applied\":true,\"status\":{\"replicas\":%d,"
                       "\"readyReplicas\":%d}}",
                       comma, c, binding->on[c], binding->on[c]);
        } else {
            buf_printf(out, "%s{\"name\":\"c%02d\",\"replicas\":%d}", comma, c, binding->on[c]);
        }
        comma = ",";
    }
}

static void
write_binding(const struct tight_fleet *fleet, int index, struct buf *out)
{
    const struct tight_binding *binding = &fleet->bindings[index];
    int replicas = 0;

    for (int c = 0; c < fleet->n_clusters; c++) {
        replicas += binding->on[c];
    }
    buf_printf(
        out,
        "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\","
        "\"metadata\":{\"name\":\"w%03d-deployment\",\"namespace\":\"n\","
        "\"resourceVersion\":\"1\",\"labels\":{\"propagationpolicy.karmada.io/permanent-id\":"
        "\"p\"},\"annotations\":{\"policy.karmada.io/applied-placement\":\"",
        index);
    write_placement(fleet, binding, "\\\"", out);
    buf_printf(out,
               "\"}},\"spec\":{\"resource\":{\"apiVersion\":\"apps/v1\","
               "\"kind\":\"Deployment\",\"namespace\":\"n\",\"name\":\"w%03d\",\"uid\":\"w%03d\"},"
               "\"replicas\":%d,\"replicaRequirements\":{\"resourceRequest\":{\"cpu\":\"%lldm\","
               "\"memory\":\"%lldMi\"}},\"placement\":",
               index, index, replicas, (long long)binding->each[CPU],
               (long long)binding->each[MEMORY]);
    write_placement(fleet, binding, "\"", out);
    buf_append_str(out, ",\"clusters\":[");
    write_targets(fleet, binding, false, out);
    buf_printf(out,
               "],\"schedulePriority\":{\"priority\":%d}},\"status\":{\"lastScheduledTime\":"
               "\"2026-02-01T00:00:00Z\",\"aggregatedStatus\":[",
               binding->priority);
    write_targets(fleet, binding, true, out);
    buf_append_str(out, "]}}\n");
}

void
tight_write(const struct tight_size *size, struct buf *out)
{
    struct arena *arena = arena_new();
    struct tight_fleet fleet;

    generate(arena, &fleet, size);
    for (int c = 0; c < fleet.n_clusters; c++) {
        write_cluster(&fleet, c, out);
    }
    for (int b = 0; b < fleet.n_bindings; b++) {
        write_binding(&fleet, b, out);
    }
    arena_free(arena);
}

struct fleet *
tight_fleet(const struct tight_size *size, struct error *err)
{
    static const struct object_origin origin = {.file = "fleet", .member = ""};
    struct fleet_builder *builder = fleet_builder_new();
    struct buf text;
    bool fine = true;

    buf_init(&text, TEXT_MAX);
    tight_write(size, &text);
    for (char *line = text.data, *end; fine && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        struct document *document = document_parse_json(line, (size_t)(end - line), 1, err);

        fine = document != NULL && fleet_builder_add(builder, document_root(document), "", "",
                                                     &origin, err) == ADD_TAKEN;
        document_free(document);
    }
    struct fleet *fleet =
        fine ? fleet_builder_finish(builder, TIGHT_NOW * NANOS_PER_SECOND, err) : NULL;

    fleet_builder_free(builder);
    buf_release(&text);
    return fleet;
}
