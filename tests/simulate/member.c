/* SPDX-License-Identifier: Apache-2.0
 *
 * The controllers of a member.
 */
#include "member.h"

#include <string.h>

#define START_SECONDS_MIN 30
#define START_SECONDS_MAX 120

static struct sim_cluster *
cluster_at(struct sim *sim, int cluster)
{
    return &sim->clusters[cluster];
}

static void
change_pod(const struct sim *sim, struct sim_pod *pod, enum pod_state state)
{
    pod->state = state;
    pod->since = sim->now;
    document_free(pod->document);
    pod->document = NULL;
}

/* --- counting --- */

static void
count_pods(const struct sim *sim, struct sim_cluster *cluster)
{
    for (int w = 0; w < sim->n_workloads; w++) {
        cluster->deployments[w].count = cluster->deployments[w].ready = 0;
    }
    for (int n = 0; n < cluster->n_nodes; n++) {
        cluster->nodes[n].used = cluster->nodes[n].pods = 0;
    }
    for (size_t i = 0; i < cluster->pods.count; i++) {
        const struct sim_pod *pod = &cluster->pods.items[i];

        if (pod->workload != NOBODY) {
            cluster->deployments[pod->workload].count++;
            cluster->deployments[pod->workload].ready += pod->state == POD_READY ? 1 : 0;
        }
        if (pod->node != NOBODY) {
            cluster->nodes[pod->node].used += pod->cpu;
            cluster->nodes[pod->node].pods++;
        }
    }
}

/* --- propagation --- */

/* What Karmada's execution controller applies: to a cluster under eviction nothing new. It leaves
 * clusters that are not ready alone. */
static void
apply_works(struct sim *sim, int index)
{
    struct sim_cluster *cluster = cluster_at(sim, index);

    if (!sim_reaches(cluster) || !cluster->ready || (sim->now - SIM_START) % cluster->lag != 0) {
        return;
    }
    for (int w = 0; w < sim->n_workloads; w++) {
        const struct sim_workload *workload = &sim->workloads[w];

        if ((workload->denied_by >> index & 1) != 0) {
            continue;
        }
        if ((workload->assigned >> index & 1) != 0) {
            cluster->deployments[w].replicas =
                workload->is_finished ? workload->split[index] : sim_wanted_in(sim, index, w);
        } else if ((workload->evicting >> index & 1) == 0) {
            cluster->deployments[w].replicas = NOBODY;
        }
    }
}

/* --- the Deployment controller --- */

/* Of a StatefulSet the lowest that is missing. */
static int
next_number(const struct sim *sim, struct sim_cluster *cluster, int workload)
{
    uint64_t taken = 0;

    if (workload == NOBODY || sim->workloads[workload].kind != SIM_STATEFUL_SET) {
        return cluster->next_pod++;
    }
    for (size_t i = 0; i < cluster->pods.count; i++) {
        const struct sim_pod *pod = &cluster->pods.items[i];

        taken |= pod->workload == workload && pod->number < 64 ? UINT64_C(1) << pod->number : 0;
    }
    return ~taken == 0 ? 64 : __builtin_ctzll(~taken);
}

static void
add_pod(struct sim *sim, struct sim_cluster *cluster, int workload, int cpu)
{
    int number = next_number(sim, cluster, workload);
    struct sim_pod *pod = vec_push(&cluster->pods);

    *pod = (struct sim_pod){
        .workload = workload,
        .number = number,
        .node = NOBODY,
        .cpu = cpu,
        .state = POD_PENDING,
        .created = sim->now,
        .since = sim->now,
    };
}

static void
remove_pod(struct sim_cluster *cluster, size_t at)
{
    document_free(cluster->pods.items[at].document);
    memmove(&cluster->pods.items[at], &cluster->pods.items[at + 1],
            (cluster->pods.count - at - 1) * sizeof(cluster->pods.items[0]));
    cluster->pods.count--;
}

/* As a ReplicaSet ranks its pods: first those without a node, then those that are not ready, then
 * the newest. A StatefulSet ends its highest ordinals, whatever their state. */
static bool
goes_before(const struct sim_pod *a, const struct sim_pod *b, bool by_ordinal)
{
    if (by_ordinal) {
        return a->number > b->number;
    }
    if ((a->node == NOBODY) != (b->node == NOBODY)) {
        return a->node == NOBODY;
    }
    if ((a->state == POD_READY) != (b->state == POD_READY)) {
        return b->state == POD_READY;
    }
    return a->number > b->number;
}

static void
remove_one(const struct sim *sim, struct sim_cluster *cluster, int workload)
{
    bool by_ordinal = sim->workloads[workload].kind == SIM_STATEFUL_SET;
    size_t victim = cluster->pods.count;

    for (size_t i = 0; i < cluster->pods.count; i++) {
        const struct sim_pod *pod = &cluster->pods.items[i];

        if (pod->workload == workload &&
            (victim == cluster->pods.count ||
             goes_before(pod, &cluster->pods.items[victim], by_ordinal))) {
            victim = i;
        }
    }
    if (victim < cluster->pods.count) {
        remove_pod(cluster, victim);
    }
}

static void
run_deployments(struct sim *sim, struct sim_cluster *cluster)
{
    for (int w = 0; w < sim->n_workloads; w++) {
        const struct sim_deployment *deployment = &cluster->deployments[w];
        const struct sim_workload *workload = &sim->workloads[w];
        bool is_over = workload->is_finished || deployment->replicas < 0;
        int wanted = is_over ? 0 : deployment->replicas;
        bool is_starved = (workload->starved_in >> (cluster - sim->clusters) & 1) != 0;

        for (int surplus = deployment->count - wanted; surplus > 0; surplus--) {
            remove_one(sim, cluster, w);
        }
        for (int missing = wanted - deployment->count; missing > 0 && !is_starved; missing--) {
            add_pod(sim, cluster, w, workload->cpu + workload->sidecar);
        }
    }
}

/* --- kube-scheduler --- */

static bool
fits(const struct sim_node *node, int cpu)
{
    return node->present && !node->cordoned && node->cpu - node->used >= cpu &&
           node->pods < POD_SLOTS;
}

/* The least allocated of the nodes that take it; NOBODY when none does. */
static int
pick_node(const struct sim_cluster *cluster, int cpu)
{
    int best = NOBODY;

    for (int n = 0; n < cluster->n_nodes; n++) {
        const struct sim_node *node = &cluster->nodes[n];

        if (fits(node, cpu) &&
            (best == NOBODY ||
             (int64_t)(node->cpu - node->used) * cluster->nodes[best].cpu >
                 (int64_t)(cluster->nodes[best].cpu - cluster->nodes[best].used) * node->cpu)) {
            best = n;
        }
    }
    return best;
}

static int
start_seconds(const struct sim *sim, const struct sim_cluster *cluster, const struct sim_pod *pod)
{
    struct random random =
        random_from(sim->seed * 1000003 + (uint64_t)pod->number * 31 + (uint64_t)cluster->name[0]);

    return START_SECONDS_MIN + random_below(&random, START_SECONDS_MAX - START_SECONDS_MIN + 1);
}

static void
bind_pods(struct sim *sim, int index)
{
    struct sim_cluster *cluster = cluster_at(sim, index);

    for (size_t i = 0; i < cluster->pods.count; i++) { /* the oldest first */
        struct sim_pod *pod = &cluster->pods.items[i];
        bool is_refused =
            pod->workload != NOBODY && (sim->workloads[pod->workload].refused_by >> index & 1) != 0;
        int node = pod->node == NOBODY && !is_refused ? pick_node(cluster, pod->cpu) : NOBODY;

        if (node != NOBODY) {
            pod->node = node;
            pod->starts_at = sim->now + start_seconds(sim, cluster, pod);
            cluster->nodes[node].used += pod->cpu;
            cluster->nodes[node].pods++;
            change_pod(sim, pod, POD_STARTING);
        }
    }
}

/* --- kubelets --- */

static bool
is_sick(const struct sim *sim, int cluster, const struct sim_pod *pod)
{
    const struct sim_workload *workload =
        pod->workload != NOBODY ? &sim->workloads[pod->workload] : NULL;

    const struct sim_cluster *there = &sim->clusters[cluster];
    bool is_poisoned = there->poisoned != 0 && (there->poisons_all || pod->state != POD_READY);

    return workload != NULL &&
           (workload->crashing || is_poisoned || (workload->broken_in >> cluster & 1) != 0);
}

static void
run_pods(struct sim *sim, int index)
{
    struct sim_cluster *cluster = cluster_at(sim, index);

    for (size_t i = 0; i < cluster->pods.count; i++) {
        struct sim_pod *pod = &cluster->pods.items[i];
        bool sick = is_sick(sim, index, pod);

        if (pod->state == POD_CRASHING && !sick) {
            pod->starts_at = sim->now + start_seconds(sim, cluster, pod);
            change_pod(sim, pod, POD_STARTING);
        } else if (pod->state == POD_STARTING && sim->now >= pod->starts_at) {
            change_pod(sim, pod, sick ? POD_CRASHING : POD_READY);
        } else if (pod->state == POD_READY && sick) {
            change_pod(sim, pod, POD_CRASHING);
        }
    }
}

void
member_step(struct sim *sim, int index)
{
    struct sim_cluster *cluster = cluster_at(sim, index);

    if (cluster->down) {
        return;
    }
    apply_works(sim, index);
    count_pods(sim, cluster);
    run_deployments(sim, cluster);
    count_pods(sim, cluster);
    bind_pods(sim, index);
    run_pods(sim, index);
    count_pods(sim, cluster);
}

/* --- what happens to it --- */

void
member_add_node(struct sim_cluster *cluster, int cpu)
{
    if (cluster->n_nodes < SIM_NODES) {
        cluster->nodes[cluster->n_nodes++] = (struct sim_node){.present = true, .cpu = cpu};
    }
}

void
member_remove_node(struct sim *sim, struct sim_cluster *cluster, int node)
{
    cluster->nodes[node].present = false;
    for (size_t i = cluster->pods.count; i-- > 0;) {
        if (cluster->pods.items[i].node == node) {
            remove_pod(cluster, i);
        }
    }
    count_pods(sim, cluster);
}

void
member_cordon(struct sim_cluster *cluster, int node, bool cordoned)
{
    cluster->nodes[node].cordoned = cordoned;
    document_free(cluster->nodes[node].document);
    cluster->nodes[node].document = NULL;
}

void
member_add_local(struct sim *sim, struct sim_cluster *cluster, int count, int cpu)
{
    for (int i = 0; i < count; i++) {
        add_pod(sim, cluster, NOBODY, cpu);
    }
}

void
member_remove_local(struct sim *sim, struct sim_cluster *cluster, int count)
{
    for (size_t i = cluster->pods.count; i-- > 0 && count > 0;) {
        if (cluster->pods.items[i].workload == NOBODY) {
            remove_pod(cluster, i);
            count--;
        }
    }
    count_pods(sim, cluster);
}

void
member_restart(struct sim *sim, struct sim_cluster *cluster)
{
    for (size_t i = 0; i < cluster->pods.count; i++) {
        struct sim_pod *pod = &cluster->pods.items[i];

        if (pod->node != NOBODY) {
            pod->starts_at = sim->now + start_seconds(sim, cluster, pod);
            change_pod(sim, pod, POD_STARTING);
        }
    }
    count_pods(sim, cluster);
}

/* --- questions --- */

int
member_room(const struct sim_cluster *cluster, int cpu)
{
    int room = 0;

    for (int n = 0; n < cluster->n_nodes; n++) {
        const struct sim_node *node = &cluster->nodes[n];

        if (fits(node, cpu)) {
            int by_cpu = (node->cpu - node->used) / cpu;
            int by_slots = POD_SLOTS - node->pods;

            room += by_cpu < by_slots ? by_cpu : by_slots;
        }
    }
    return room;
}

int
member_stuck(const struct sim *sim, int cluster, int workload, int64_t seconds)
{
    int stuck = 0;

    for (size_t i = 0; i < sim->clusters[cluster].pods.count; i++) {
        const struct sim_pod *pod = &sim->clusters[cluster].pods.items[i];

        stuck += pod->workload == workload && pod->state == POD_PENDING &&
                         sim->now - pod->since > seconds
                     ? 1
                     : 0;
    }
    return stuck;
}
