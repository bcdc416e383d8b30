/* SPDX-License-Identifier: Apache-2.0
 *
 * estimate-*.json: the general estimator, every requirement in every cluster.
 */
#include "../decode_one.h"
#include "ballast/schedule/estimate.h"
#include "conform.h"

/* A requirement that is null stands for none at all. */
struct request {
    const struct requirements *requirements;
    bool broken;
};

static struct request
decode_request(struct conform *run, struct fleet_builder *builder, const struct value *item)
{
    struct conform_case c = {.name = "a requirement", .input = item};
    struct error err = ERROR_INIT;
    struct request request = {0};

    if (value_type(item) != VALUE_NULL) {
        request.requirements = decode_requirements(builder, item, &err);
        request.broken = request.requirements == NULL;
    }
    if (request.broken) {
        conform_broken(run, &c, &err);
    }
    return request;
}

static void
check_cluster(struct conform *run, struct fleet_builder *builder, const struct value *root,
              size_t column, const struct request *requests)
{
    const struct value *item = value_at(value_get(root, "clusters"), column);
    const struct value *expected = value_get(root, "expected");
    struct conform_case c = {.name = "a cluster", .input = item};
    struct error err = ERROR_INIT;
    const struct cluster *cluster = decode_cluster(builder, item, &err);

    if (cluster == NULL) {
        conform_broken(run, &c, &err);
        return;
    }
    for (size_t row = 0; row < value_count(expected); row++) {
        if (requests[row].broken) {
            continue;
        }
        c.name = arena_printf(run->arena, "requirement %zu in %s", row, cluster->name);
        c.input = value_at(value_get(root, "requirements"), row);
        int32_t got = estimate_cluster(cluster, requests[row].requirements);

        conform_compare(run, &c, arena_printf(run->arena, "%d", got),
                        conform_json(run, value_at(value_at(expected, row), column)));
    }
}

void
conform_estimate(struct conform *run, const struct value *root)
{
    const struct value *requirements = value_get(root, "requirements");
    size_t n_requests = value_count(requirements);
    struct fleet_builder *builder = fleet_builder_new();
    struct request *requests = ARENA_ARRAY(run->arena, struct request, n_requests);

    for (size_t i = 0; i < n_requests; i++) {
        requests[i] = decode_request(run, builder, value_at(requirements, i));
    }
    if (value_count(value_get(root, "expected")) == n_requests) {
        for (size_t i = 0; i < value_count(value_get(root, "clusters")); i++) {
            check_cluster(run, builder, root, i, requests);
        }
    } else {
        struct conform_case c = {.name = "expected"};
        struct error err = ERROR_INIT;

        error_set(&err, ERROR_INVALID, "want as many rows as there are requirements");
        conform_broken(run, &c, &err);
    }
    fleet_builder_free(builder);
}
