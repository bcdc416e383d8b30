/* SPDX-License-Identifier: Apache-2.0
 *
 * From the model to a fleet.
 */
#include "observe.h"

#include <stdio.h>

#include "objects.h"

#include "../finders.h"
#include "ballast/base/timestamp.h"
#include "ballast/kinds/decode.h"

static void
add(struct fleet_builder *builder, const struct value *object, const char *member)
{
    struct error err = ERROR_INIT;
    struct object_origin origin = {.file = "", .member = member};

    if (fleet_builder_add(builder, object, "", "", &origin, &err) != ADD_TAKEN) {
        BUG("an object of %s is not taken: %s", member, err.message);
    }
}

/* Nothing is taken of it but what its pods ask for. */
static void
add_template(struct fleet_builder *builder, struct sim_workload *workload)
{
    static const struct object_origin origin = {.file = "", .member = ""};
    struct error err = ERROR_INIT;

    if (fleet_builder_add(builder, objects_template(workload), "", "", &origin, &err) !=
        ADD_IGNORED) {
        BUG("the template of %s is not what it was: %s", workload->name, err.message);
    }
}

static void
add_control_plane(struct fleet_builder *builder, struct sim *sim)
{
    for (int c = 0; c < sim->n_clusters; c++) {
        add(builder, objects_cluster(sim, &sim->clusters[c]), "");
    }
    for (int w = 0; w < sim->n_workloads; w++) {
        if (sim->workloads[w].binding != NULL) {
            add(builder, document_root(sim->workloads[w].binding), "");
        }
        if (sim->workloads[w].binding != NULL && sim->workloads[w].keeps_apart) {
            add_template(builder, &sim->workloads[w]);
        }
    }
}

static void
add_workloads(struct fleet_builder *builder, struct sim *sim, struct sim_cluster *cluster)
{
    for (int w = 0; w < sim->n_workloads; w++) {
        if (cluster->deployments[w].replicas != NOBODY) {
            add(builder, objects_deployment(sim, cluster, w), cluster->name);
        }
        if (cluster->deployments[w].replicas != NOBODY &&
            sim->workloads[w].kind == SIM_DEPLOYMENT) {
            add(builder, objects_replica_set(&sim->workloads[w]), cluster->name);
        }
    }
}

static void
add_guards(struct fleet_builder *builder, const struct sim *sim, const struct sim_cluster *cluster)
{
    int index = (int)(cluster - sim->clusters);

    for (int w = 0; w < sim->n_workloads; w++) {
        const struct sim_workload *workload = &sim->workloads[w];
        bool is_guarded = workload->keeps_apart && (workload->refused_by >> index & 1) != 0;

        for (int n = 0; is_guarded && n < cluster->n_nodes; n++) {
            if (cluster->nodes[n].present) {
                struct document *guard = objects_guard(cluster, n, workload);

                add(builder, document_root(guard), cluster->name);
                document_free(guard);
            }
        }
    }
}

static void
add_member(struct fleet_builder *builder, struct sim *sim, struct sim_cluster *cluster)
{
    for (int part = 0; part < N_MEMBER_PARTS; part++) {
        fleet_builder_saw(builder, cluster->name, (enum member_part)part);
    }
    for (int n = 0; n < cluster->n_nodes; n++) {
        if (cluster->nodes[n].present) {
            add(builder, objects_node(cluster, &cluster->nodes[n], n), cluster->name);
        }
    }
    add_guards(builder, sim, cluster);
    for (size_t i = 0; i < cluster->pods.count; i++) {
        add(builder, objects_pod(sim, cluster, &cluster->pods.items[i]), cluster->name);
    }
    add_workloads(builder, sim, cluster);
}

static struct fleet *
finish(struct fleet_builder *builder, const struct sim *sim)
{
    struct error err = ERROR_INIT;
    struct fleet *fleet = fleet_builder_finish(builder, sim->now * NANOS_PER_SECOND, &err);

    if (fleet == NULL) {
        BUG("%s", err.message);
    }
    if (fleet != NULL && fleet->n_problems > 0) {
        BUG("%s: %s", fleet->problems[0].object, fleet->problems[0].message);
    }
    fleet_builder_free(builder);
    return fleet;
}

struct fleet *
observe_control_plane(struct sim *sim)
{
    struct fleet_builder *builder = fleet_builder_new();

    add_control_plane(builder, sim);
    return finish(builder, sim);
}

struct fleet *
observe_fleet(struct sim *sim)
{
    struct fleet_builder *builder = fleet_builder_new();

    add_control_plane(builder, sim);
    for (int c = 0; c < sim->n_clusters; c++) {
        if (sim->estimators) {
            add(builder, objects_answers(sim, c), sim->clusters[c].name);
        } else if (sim_reaches(&sim->clusters[c])) {
            add_member(builder, sim, &sim->clusters[c]);
        }
    }
    return finish(builder, sim);
}

const struct binding *
observe_find(const struct fleet *fleet, const struct sim_workload *workload)
{
    char name[40];

    snprintf(name, sizeof(name), "%s-deployment", workload->name);
    const struct binding *binding =
        fleet_find_binding(fleet, BINDING_RESOURCE, workload->namespace_, name);

    if (binding == NULL) {
        BUG("%s is not in the fleet", name);
    }
    return binding;
}
