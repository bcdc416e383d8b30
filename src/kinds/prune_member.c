/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept of the objects of members.
 */
#include "prune_rules.h"

static const struct prune_rule container_resources[] = {
    RESOURCES("requests"),
    END,
};
static const struct prune_rule container[] = {
    OBJECT("resources", container_resources),
    END,
};
static const struct prune_rule pod_spec[] = {
    SCALAR("nodeName", TEXT_NAME),
    OBJECTS("containers", container),
    OBJECTS("initContainers", container),
    RESOURCES("overhead"),
    END,
};
static const struct prune_rule waiting[] = {
    SCALAR("reason", TEXT_WORD),
    SCALAR("message", TEXT_MESSAGE),
    END,
};
static const struct prune_rule terminated[] = {
    SCALAR("reason", TEXT_WORD),
    SCALAR("exitCode", TEXT_NUMBER),
    END,
};
static const struct prune_rule container_state[] = {
    OBJECT("waiting", waiting),
    OBJECT("terminated", terminated),
    END,
};
static const struct prune_rule container_status[] = {
    SCALAR("name", TEXT_NAME),
    SCALAR("ready", TEXT_NUMBER),
    SCALAR("restartCount", TEXT_NUMBER),
    OBJECT("state", container_state),
    OBJECT("lastState", container_state),
    END,
};
static const struct prune_rule pod_status[] = {
    SCALAR("phase", TEXT_WORD),
    SCALAR("reason", TEXT_WORD),
    OBJECTS("conditions", prune_condition),
    OBJECTS("initContainerStatuses", container_status),
    OBJECTS("containerStatuses", container_status),
    END,
};
const struct prune_rule prune_pod[] = {
    OBJECT("metadata", prune_metadata),
    OBJECT("spec", pod_spec),
    OBJECT("status", pod_status),
    END,
};

static const struct prune_rule node_spec[] = {
    SCALAR("unschedulable", TEXT_NUMBER),
    OBJECTS("taints", prune_taint),
    END,
};
static const struct prune_rule node_status[] = {
    RESOURCES("allocatable"),
    END,
};
const struct prune_rule prune_node[] = {
    OBJECT("metadata", prune_metadata),
    OBJECT("spec", node_spec),
    OBJECT("status", node_status),
    END,
};

static const struct prune_rule workload_spec[] = {
    SCALAR("replicas", TEXT_NUMBER),
    SCALAR("parallelism", TEXT_NUMBER),
    OBJECT("selector", prune_label_selector),
    TEMPLATE("template"),
    END,
};
static const struct prune_rule workload_status[] = {
    SCALAR("readyReplicas", TEXT_NUMBER),
    SCALAR("ready", TEXT_NUMBER),
    SCALAR("observedGeneration", TEXT_NUMBER),
    END,
};
const struct prune_rule prune_workload[] = {
    OBJECT("metadata", prune_workload_metadata),
    OBJECT("spec", workload_spec),
    OBJECT("status", workload_status),
    END,
};
const struct prune_rule prune_replica_set[] = {
    OBJECT("metadata", prune_metadata), /* its labels are selected by */
    OBJECT("spec", workload_spec),
    OBJECT("status", workload_status),
    END,
};
static const struct prune_rule other_spec[] = {
    SCALAR("replicas", TEXT_NUMBER),
    END,
};
static const struct prune_rule other_status[] = {
    SCALAR("readyReplicas", TEXT_NUMBER),
    SCALAR("observedGeneration", TEXT_NUMBER),
    END,
};
const struct prune_rule prune_other[] = {
    OBJECT("metadata", prune_workload_metadata),
    OBJECT("spec", other_spec),
    OBJECT("status", other_status),
    END,
};

static const struct prune_rule stuck_answer[] = {
    SCALAR("apiVersion", TEXT_API), SCALAR("kind", TEXT_KIND),       SCALAR("namespace", TEXT_NAME),
    SCALAR("name", TEXT_NAME),      SCALAR("replicas", TEXT_NUMBER), END,
};
static const struct prune_rule room_answer[] = {
    OBJECT("requirements", prune_requirements),
    SCALAR("replicas", TEXT_NUMBER),
    END,
};
static const struct prune_rule set_answer[] = {
    SCALAR("namespace", TEXT_NAME),
    OBJECTS("components", prune_component),
    SCALAR("sets", TEXT_NUMBER),
    END,
};
const struct prune_rule prune_estimator_answers[] = {
    SCALAR("unschedulableThreshold", TEXT_TIME),
    OBJECTS("unschedulable", stuck_answer),
    OBJECTS("available", room_answer),
    OBJECTS("availableSets", set_answer),
    END,
};
