/* SPDX-License-Identifier: Apache-2.0
 *
 * A drill for copies: a Duplicated workload that one cluster at a time has.
 */
#include "drills.h"

/* Its cluster is lost, or not yet; the other has room for a copy, or not quite. */
void
drill_copies(struct gen *gen)
{
    static const int64_t ages[] = {299, 300, 301, 3600, 3600};
    int replicas = between(gen, 1, 6), room = between(gen, replicas - 1, replicas + 1);
    int64_t age = ages[below(gen, 5)];
    bool agent_down = percent(gen, 25), moves = age > 300 && !agent_down && room >= replicas;
    json_t *right = json_object();

    drill_cluster(gen, 1, room, 0);
    drill_lose(gen, drill_cluster(gen, 2, 30, replicas), age,
               agent_down ? "ClusterStatusUnknown" : "ClusterNotReachable");
    drill_cluster(gen, 3, 1, 1);
    json_t *web = drill_binding(gen, "shop", "web", "Deployment", drill_names(1, 2));

    put(web, "spec.placement.replicaScheduling",
        pack("{s:s}", "replicaSchedulingType", "Duplicated"));
    put(web, "spec.placement.spreadConstraints",
        pack("[{s:s,s:i,s:i}]", "spreadByField", "cluster", "minGroups", 1, "maxGroups", 1));
    put_key(web, "metadata.annotations", "policy.karmada.io/applied-placement", json_string("{}"));
    drill_assign(web, 2, replicas, replicas);
    if (agent_down) {
        drill_workload(gen, web, 2, replicas, 800000);
        drill_pods(gen, web, &(struct drill_pods){2, 0, replicas, POD_READY, 800000, 800000});
    }
    json_object_set_new(right, "m1", json_integer(moves ? replicas : 0));
    json_object_set_new(right, "m2", json_integer(moves ? 0 : replicas));
    drill_expect(gen, "web", "a copy leaves a lost cluster as a whole, where it fits", right);
}
