/* SPDX-License-Identifier: Apache-2.0
 *
 * NodePorts: a port of a node serves one pod.
 */
#include "fit_rules.h"

struct ports_state {
    bool *is_taken; /* by node */
};

static void *
open_ports(const struct fit_run *run)
{
    const struct host_port_list *ports = &run->requirements->pod_template->ports;

    if (ports->count == 0) {
        return NULL;
    }
    struct ports_state *state = ARENA_NEW(run->arena, struct ports_state);

    state->is_taken = ARENA_ARRAY(run->arena, bool, run->member->n_nodes);
    for (size_t i = 0; i < run->n_pods; i++) {
        const struct fit_pod *pod = &run->pods[i];

        state->is_taken[pod->node] |= host_ports_clash(ports, pod->ports);
    }
    return state;
}

static bool
refuses_port(const void *for_state, const struct fit_run *run, uint32_t node)
{
    const struct ports_state *state = for_state;

    (void)run;
    return state->is_taken[node];
}

/* Replicas want equal ports. */
static void
place_port(void *for_state, const struct fit_run *run, uint32_t node)
{
    struct ports_state *state = for_state;

    (void)run;
    state->is_taken[node] = true;
}

const struct fit_rule fit_node_ports = {
    .plugin = "NodePorts", .open = open_ports, .refuses = refuses_port, .place = place_port};
