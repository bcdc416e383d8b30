/* SPDX-License-Identifier: Apache-2.0
 *
 * The defaults of a run.
 */
#include "ballast/model/policy.h"

#include <string.h>

#include "ballast/base/timestamp.h"

/* karmada-descheduler's --unschedulable-threshold. A cluster that is away for less may come back:
 * moving a workload away and back costs more than the wait. */
#define DEFAULT_THRESHOLD (5 * NANOS_PER_MINUTE)
/* Fixed in KubeFed's controller. */
#define KUBEFED_THRESHOLD (60 * NANOS_PER_SECOND)
/* A workload that is stuck everywhere tries each cluster for one threshold. The cooldown is long
 * enough for all clusters. With a shorter one, the workload tours two or three clusters until no
 * attempt is left for a cluster that gets capacity (docs/dev/simulation.md, late-room). */
#define DEFAULT_COOLDOWN (60 * NANOS_PER_MINUTE)
#define DEFAULT_COOLDOWN_MAX (360 * NANOS_PER_MINUTE)
#define DEFAULT_MAX_UNHEALTHY_PERCENT 55
#define DEFAULT_PUSH_TIMEOUT (5 * NANOS_PER_SECOND)
#define DEFAULT_RECORDS 500 /* days of a fleet with a move every ten minutes */
/* A write becomes listed pods in seconds, or in minutes with a slow agent. */
#define DEFAULT_IN_FLIGHT (10 * NANOS_PER_MINUTE)
/* A cluster that returns often fails again within minutes. As long as the threshold for leaving, so
 * that no workload goes back and forth faster. */
#define DEFAULT_STABILIZATION (5 * NANOS_PER_MINUTE)
/* A cluster that returns after an outage often fails again, and balancing is not urgent. */
#define DEFAULT_BALANCE_STABILIZATION (10 * NANOS_PER_MINUTE)

/* Karmada keeps its credentials for members here (its --cluster-namespace). */
static const char *const karmadas_own[] = {"karmada-cluster"};

/* A cloud brings up a node in minutes, and may have to try another zone. */
#define DEFAULT_GROWTH_WAIT (15 * NANOS_PER_MINUTE)

void
policy_init(struct policy *policy)
{
    memset(policy, 0, sizeof(*policy));
    policy->unschedulable_threshold = DEFAULT_THRESHOLD;
    policy->failed_threshold = DEFAULT_THRESHOLD;
    policy->unhealthy_cluster_threshold = DEFAULT_THRESHOLD;
    policy->in_flight_threshold = DEFAULT_IN_FLIGHT;
    policy->cluster_stabilization = DEFAULT_STABILIZATION;
    for (int type = 0; type < N_FINDING_TYPES; type++) {
        policy->triggers[type] = finding_type_default_trigger((enum finding_type)type);
    }
    policy->sources = (struct member_sources){{SOURCE_PODS, SOURCE_NODES, SOURCE_STATUS}, 3};
    policy->allow_unseen = (struct limit){.unit = LIMIT_UNIT_COUNT, .value = 0};
    policy->trust.secret_namespaces =
        (struct str_list){.items = karmadas_own, .count = 1, .present = true};
    policy->scheduler_name = "default-scheduler";
    policy->metrics = (struct metrics_policy){
        .file = "",
        .control_plane = "",
        .push = {.url = "", .auth_file = "", .ca_file = "", .timeout = DEFAULT_PUSH_TIMEOUT}};
    policy->mode = MODE_PLACE;
    policy->overcommit_protection = true;
    policy->records = (struct record_policy){.directory = "", .keep = DEFAULT_RECORDS};
    policy->cooldown = (struct cooldown_policy){
        .initial = DEFAULT_COOLDOWN, .max = DEFAULT_COOLDOWN_MAX, .max_attempts = 5};
    policy->max_unhealthy_percent = DEFAULT_MAX_UNHEALTHY_PERCENT;
    policy->failover.purge_mode = PURGE_GRACEFULLY;
    policy->failover.karmada = KARMADA_FAILOVER_AUTO;
    policy->balance.stabilization = DEFAULT_BALANCE_STABILIZATION;
    policy->guard_by = GUARD_BY_AUTO;
    policy->growth.wait = DEFAULT_GROWTH_WAIT;
}

void
policy_stand_in_for(struct policy *policy, enum upstream_scheduler upstream)
{
    policy->upstream = upstream;
    policy->reschedule_all = true;
    policy->overcommit_protection = false;
    policy->mode = MODE_PLACE;
    if (upstream == UPSTREAM_KUBEFED) {
        policy->unschedulable_threshold = KUBEFED_THRESHOLD;
    }
}

bool
policy_stands_in(const struct policy *policy)
{
    return policy->reschedule_all || policy->undo_stands_in;
}

bool
policy_takes_running(const struct policy *policy)
{
    return policy->triggers[FINDING_IMBALANCE] && policy->balance.move_running &&
           !policy_stands_in(policy);
}

bool
policy_selects_labels(const struct policy *policy)
{
    bool selects = policy->scope.labels != NULL;

    for (uint32_t i = 0; i < policy->preferences.count && !selects; i++) {
        selects = policy->preferences.items[i].scope.labels != NULL;
    }
    return selects;
}

int
policy_growth(const struct policy *policy, const struct cluster *cluster)
{
    for (uint32_t i = 0; i < policy->growth.rules.count; i++) {
        const struct growth_rule *rule = &policy->growth.rules.items[i];

        if ((rule->names.count == 0 || str_list_has(&rule->names, cluster->name)) &&
            (rule->labels == NULL || label_selector_matches(rule->labels, &cluster->labels))) {
            return rule->max_nodes;
        }
    }
    return 0;
}

const struct policy *
policy_in(const struct policy *policy, const struct cluster *cluster, struct policy *copy)
{
    if (policy->growth.wait <= policy->unschedulable_threshold ||
        policy_growth(policy, cluster) == 0) {
        return policy;
    }
    *copy = *policy;
    copy->unschedulable_threshold = policy->growth.wait;
    return copy;
}

int64_t
policy_stay_until(const struct policy *policy)
{
    return timestamp_add(policy->now, policy->cooldown.initial);
}
