/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept of the objects of members.
 */
#include "decode_common.h"
#include "decode_placement.h"
#include "prune_rules.h"

static const struct field workload_spec[] = {
    SCALAR("replicas", TEXT_NUMBER),
    SCALAR("parallelism", TEXT_NUMBER),
    OBJECT("selector", label_selector_table),
    KEPT("template", .form = PRUNE_TEMPLATE),
    END,
};
static const struct field workload_status[] = {
    SCALAR("readyReplicas", TEXT_NUMBER),
    SCALAR("ready", TEXT_NUMBER),
    SCALAR("observedGeneration", TEXT_NUMBER),
    END,
};
const struct field prune_workload[] = {
    OBJECT("metadata", prune_workload_metadata),
    OBJECT("spec", workload_spec),
    OBJECT("status", workload_status),
    END,
};
const struct field prune_replica_set[] = {
    OBJECT("metadata", prune_metadata), /* its labels are selected by */
    OBJECT("spec", workload_spec),
    OBJECT("status", workload_status),
    END,
};
static const struct field other_spec[] = {
    SCALAR("replicas", TEXT_NUMBER),
    END,
};
static const struct field other_status[] = {
    SCALAR("readyReplicas", TEXT_NUMBER),
    SCALAR("observedGeneration", TEXT_NUMBER),
    END,
};
const struct field prune_other[] = {
    OBJECT("metadata", prune_workload_metadata),
    OBJECT("spec", other_spec),
    OBJECT("status", other_status),
    END,
};

static const struct field stuck_answer[] = {
    SCALAR("apiVersion", TEXT_API), SCALAR("kind", TEXT_KIND),       SCALAR("namespace", TEXT_NAME),
    SCALAR("name", TEXT_NAME),      SCALAR("replicas", TEXT_NUMBER), END,
};
static const struct field room_answer[] = {
    OBJECT("requirements", requirements_table),
    SCALAR("replicas", TEXT_NUMBER),
    END,
};
static const struct field set_answer[] = {
    SCALAR("namespace", TEXT_NAME),
    OBJECTS("components", decode_component_table),
    SCALAR("sets", TEXT_NUMBER),
    END,
};
const struct field prune_estimator_answers[] = {
    SCALAR("unschedulableThreshold", TEXT_TIME),
    OBJECTS("unschedulable", stuck_answer),
    OBJECTS("available", room_answer),
    OBJECTS("availableSets", set_answer),
    END,
};
