/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts pods with one trouble, and pods that are not ready for long without any other sign.
 */
#include <string.h>

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "observed.h"

void
pod_tally_add(struct pod_tally *tally, const struct pod *pod, int64_t since, const char *reason,
              const char *message)
{
    if (tally->count == 0 || since < tally->since) {
        *tally = (struct pod_tally){.count = tally->count,
                                    .since = since,
                                    .pod = pod,
                                    .reason = reason,
                                    .message = message};
    }
    tally->count++;
}

static bool
is_on_dead_node(const struct member *member, const struct pod *pod)
{
    uint32_t at =
        names_find(member->nodes, sizeof(*member->nodes), member->n_nodes, pod->node_name);

    return at != NAME_NONE && node_is_dead(&member->nodes[at]);
}

/* Returns the class that counts against the cluster if others fail there alike; 0: none. */
static unsigned
hung_class(const struct pod *pod)
{
    bool waits = str_is_empty(pod->node_name);

    for (uint32_t i = 0; i < pod->n_containers && !waits; i++) {
        waits = !str_is_empty(pod->containers[i].waiting_reason);
    }
    if (pod->deletion_timestamp != TIME_NONE ||
        (str_is_empty(pod->node_name) &&
         condition_list_find(&pod->conditions, "PodScheduled") != NULL)) {
        return 0; /* a scheduling gate is the workload's own */
    }
    return FAILURE_BIT(waits ? FAILURE_START : FAILURE_READINESS);
}

bool
tally_lingering(struct trouble *trouble, const struct member *member, const struct policy *policy,
                const struct pod *pod, int64_t since)
{
    bool on_dead = is_on_dead_node(member, pod);
    struct pod_tally *tally = on_dead ? &trouble->on_dead : &trouble->lingering;
    const char *reason = pod_waiting_reason(pod);

    if (!timestamp_is_past(
            since, on_dead ? policy->unhealthy_cluster_threshold : policy->in_flight_threshold,
            policy->now)) {
        return false;
    }
    pod_tally_add(tally, pod, since, reason, "");
    if (!on_dead && hung_class(pod) != 0) {
        trouble->hung |= hung_class(pod);
        trouble->hung_latest = since > trouble->hung_latest ? since : trouble->hung_latest;
    }
    if (since == tally->since && /* of pods of equal age the texts decide, not the order of pods */
        (strcmp(reason, tally->reason) < 0 ||
         (str_eq(reason, tally->reason) && strcmp(pod->node_name, tally->pod->node_name) < 0))) {
        tally->reason = reason;
        tally->pod = pod;
    }
    return true;
}
