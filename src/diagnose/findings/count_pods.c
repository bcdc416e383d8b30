/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills what the member shows of each target: pods seen, ready and stuck. Unseen counts stay
 * unknown (-1), and unknown is no evidence. The binding's aggregatedStatus then still shows how
 * many replicas are ready.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/model/movable.h"
#include "diagnose/clusters/clusters.h"
#include "findings.h"

#define UNKNOWN (-1)
/* The default of Karmada's webhook. */
#define FAILOVER_TOLERATION_SECONDS 300

struct look {
    const struct policy *policy;
    const struct binding *binding;
    const struct target *target;
    const struct aggregated_status *status;
    struct workload_view view;
    bool by_replica_set; /* only pods of view.current are of the current version */
    struct replacing replacing;
    bool may_fail_over;
    int64_t failover_tolerance;
    /* counted */
    int32_t seen, scheduled, ready, ready_current, steady, succeeded, outdated, hanging;
    int32_t at_most; /* pods that have not run to their end; NO_BOUND */
    int32_t ended;   /* pods of the current version in phase Failed, of any age */
    int32_t going;   /* pods of a Deployment whose deletion is recent */
    int64_t newest_ready;
    const char *ready_revision;
    struct pod_takes takes; /* of the newest pod of the current version */
    struct trouble trouble;
    struct pod_tally finished; /* pods of the current version in phase Failed, past the threshold */
    bool has_ordinals;
    struct ordinals ordinals;
};

static bool
is_deployment(const struct binding *binding)
{
    return str_eq(binding->resource.kind, "Deployment");
}

/* spec.failover.application moves a workload whose health is Unhealthy for longer than it
 * tolerates. The API does not show since when. A pod that is not ready for that long proves it. */
static bool
is_failover_due(const struct look *look, const struct pod *pod)
{
    return look->may_fail_over &&
           timestamp_is_past(pod_not_ready_since(pod), look->failover_tolerance, look->policy->now);
}

static void
count_lingering(struct look *look, const struct pod *pod, int64_t since, bool of_current)
{
    if (tally_lingering(&look->trouble, look->view.member, look->policy, pod, since)) {
        look->hanging += of_current ? 1 : 0;
    }
}

static bool
may_end(const struct look *look, int64_t creation)
{
    return may_end_next(&look->replacing, creation, look->policy->now);
}

static void
count_unready(struct look *look, const struct pod *pod)
{
    const struct condition *unschedulable = pod_unschedulable_condition(pod);
    const struct policy *policy = look->policy;
    struct pod_failure failure;
    bool due = is_failover_due(look, pod);

    if (unschedulable != NULL) {
        const int64_t since = pod_unschedulable_since(pod, unschedulable);

        look->trouble.failover_due |= due;
        if (timestamp_is_past(since, policy->unschedulable_threshold, policy->now)) {
            pod_tally_add(&look->trouble.unschedulable, pod, since, unschedulable->reason,
                          unschedulable->message);
        }
        return;
    }
    bool fails = pod_find_failure(pod, policy->now, &failure);
    unsigned bit = fails ? FAILURE_BIT(failure_class(failure.reason)) : 0;

    if (!fails) {
        failure = (struct pod_failure){
            .reason = "not ready", .message = "", .since = pod_not_ready_since(pod)};
    } else if (timestamp_is_past(failure.since, policy->failed_threshold, policy->now)) {
        pod_tally_add(&look->trouble.failed, pod, failure.since, failure.reason, failure.message);
        look->trouble.classes |= bit;
        look->trouble.latest =
            failure.since > look->trouble.latest ? failure.since : look->trouble.latest;
        look->trouble.failover_asked |= due;
        look->trouble.failover_due |= due;
        return;
    }
    look->trouble.young |= bit;
    if (tally_ending(&look->trouble, &look->replacing, policy, pod)) {
        look->trouble.failover_asked |= due;
        look->trouble.failover_due |= due;
        return;
    }
    if (due) {
        look->trouble.failover_due = true;
        pod_tally_add(&look->trouble.failed, pod, failure.since, failure.reason, failure.message);
        look->trouble.failover_asked = true;
        return;
    }
    count_lingering(look, pod, pod_not_ready_since(pod), true);
}

static void
count_finished(struct look *look, const struct pod *pod, bool of_current)
{
    struct pod_failure failure;

    if (str_eq(pod->phase, "Succeeded")) {
        look->succeeded++;
        return;
    }
    look->ended += of_current ? 1 : 0;
    if (of_current && pod_find_failure(pod, look->policy->now, &failure) &&
        timestamp_is_past(failure.since, look->policy->failed_threshold, look->policy->now)) {
        pod_tally_add(&look->finished, pod, failure.since, failure.reason, failure.message);
    }
}

/* The revision decides between pods of equal age, so that their order does not matter. */
static bool
is_newer(const struct look *look, int64_t creation, const char *revision)
{
    return look->ready_current == 0 || creation > look->newest_ready ||
           (creation == look->newest_ready && strcmp(revision, look->ready_revision) > 0);
}

struct ready_pods {
    int32_t count;
    int64_t newest; /* creation of the newest */
    const char *revision;
    bool of_current, is_shaky;
};

static void
count_ready(struct look *look, struct ready_pods pods)
{
    look->ready += pods.count;
    if (!pods.of_current) {
        return;
    }
    look->steady += pods.is_shaky ? 0 : pods.count;
    if (is_newer(look, pods.newest, pods.revision)) {
        look->newest_ready = pods.newest;
        look->ready_revision = pods.revision;
    }
    look->ready_current += pods.count;
}

static bool
is_of_current(const struct look *look, const struct owner *owner)
{
    return is_owner_current(look->binding, &look->view, owner);
}

static void
note_takes(struct look *look, struct pod_takes takes, bool of_current)
{
    if (of_current && pod_takes_newer(&takes, &look->takes)) {
        look->takes = takes;
    }
}

/* Reads pods even if not all are known: each shows what a replica takes. */
static void
note_all_takes(struct look *look, const struct workload_index *index)
{
    for (uint32_t i = look->view.first_pod; i != POD_NONE; i = workload_index_next_pod(index, i)) {
        const struct pod *pod = &look->view.member->pods[i];

        if (!pod->is_unread && !pod_is_finished(pod) && pod->deletion_timestamp == TIME_NONE) {
            note_takes(look, (struct pod_takes){&pod->requests, &pod->beyond, pod->creation},
                       is_of_current(look, &pod->owner));
        }
    }
    for (uint32_t i = look->view.first_settled; i != POD_NONE;
         i = workload_index_next_settled(index, i)) {
        const struct settled_pods *pods = &look->view.member->settled[i];

        note_takes(look, (struct pod_takes){&pods->requests, &pods->beyond, pods->newest_creation},
                   is_of_current(look, &pods->owner));
    }
}

/* A ReplicaSet and a Job never roll out: their pods are of one version, without a label. */
static const char *
version_of(const struct look *look, const char *revision)
{
    const char *kind = look->binding->resource.kind;

    return str_is_empty(revision) && (str_eq(kind, "ReplicaSet") || str_eq(kind, "Job")) ? kind
                                                                                         : revision;
}

static void
count_settled(struct look *look, const struct settled_pods *pods)
{
    look->ordinals.is_unclear = true;
    look->seen += pin_int32(pods->count);
    look->scheduled += pin_int32(pods->count);
    count_ready(look, (struct ready_pods){.count = pin_int32(pods->count),
                                          .newest = pods->newest_creation,
                                          .revision = version_of(look, pods->revision),
                                          .of_current = is_of_current(look, &pods->owner),
                                          .is_shaky = may_end(look, pods->newest_creation)});
}

static void
count_settled_workload(struct look *look, const struct settled_workload *workload)
{
    const struct settled_version *version = workload->version;

    if (workload->count > 0) {
        note_takes(
            look,
            (struct pod_takes){&version->requests, &version->beyond, workload->newest_creation},
            true);
        look->seen += pin_int32(workload->count);
        look->scheduled += pin_int32(workload->count);
        count_ready(look, (struct ready_pods){.count = pin_int32(workload->count),
                                              .newest = workload->newest_creation,
                                              .revision = "",
                                              .of_current = true});
    }
}

/* A StatefulSet replaces deleted pods one by one, and a Deployment with the strategy Recreate all
 * together, when they are gone. Other controllers replace a pod as soon as its deletion begins. */
static void
count_leaving(struct look *look, const struct pod *pod, bool of_current)
{
    const struct workload *workload = look->view.workload;
    const bool is_awaited = str_eq(look->binding->resource.kind, "StatefulSet") ||
                            (workload != NULL && workload->is_recreated);

    if (pod_is_finished(pod)) {
        return;
    }
    if (is_awaited) {
        look->trouble.leaving++; /* not replaced yet */
        count_lingering(look, pod, pod->deletion_timestamp, of_current);
    } else if (is_deployment(look->binding) && is_recent(look->policy, pod->deletion_timestamp)) {
        look->going++;
    }
}

static void
count_pod(struct look *look, const struct pod *pod)
{
    bool of_current = is_of_current(look, &pod->owner);

    if (pod->deletion_timestamp != TIME_NONE) {
        count_leaving(look, pod, of_current);
        return;
    }
    if (pod_is_finished(pod)) {
        count_finished(look, pod, of_current);
        return;
    }
    look->seen++;
    look->scheduled += str_is_empty(pod->node_name) ? 0 : 1;
    if (pod_stays_up(pod, look->policy)) {
        count_ready(look, (struct ready_pods){.count = 1,
                                              .newest = pod->creation,
                                              .revision = version_of(look, pod_revision(pod)),
                                              .of_current = of_current,
                                              .is_shaky = pod_is_shaky(pod, look->policy->now) ||
                                                          may_end(look, pod->creation)});
    } else if (of_current) {
        count_unready(look, pod);
    } else {
        look->outdated++;
        count_lingering(look, pod, pod_not_ready_since(pod), false);
    }
}

static int32_t
wanted_replicas(const struct workload_view *view)
{
    int64_t told = view->workload != NULL  ? view->workload->replicas
                   : view->settled != NULL ? view->settled->replicas
                                           : UNKNOWN;

    return told > INT32_MAX ? INT32_MAX : told < 0 ? UNKNOWN : pin_int32(told);
}

/* Without a number, which the API server would fill in, the assigned replicas count. */
static int64_t
told_replicas(const struct look *look)
{
    int32_t told = wanted_replicas(&look->view);

    return told != UNKNOWN ? told : look->target->replicas;
}

static int32_t
count_missing(const struct look *look, int64_t wanted)
{
    const int64_t at_most = look->at_most;
    const int64_t missing =
        (at_most != NO_BOUND && at_most < wanted ? at_most : wanted) - look->seen;

    return missing > INT32_MAX ? INT32_MAX : missing < 0 ? 0 : pin_int32(missing);
}

static int32_t
least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Pods in phase Failed stay until they are collected; usually their controller has replaced them.
 * They count as failed only as far as pods are missing, of the replicas told or assigned, whichever
 * are fewer. A write that has not reached the member has replaced no pod yet. `unreplaced` goes by
 * the replicas told: pods that a coming scale-down spares still show that the workload fails there.
 * If the controller reports that successors are refused, the refusal is the trouble. */
static void
add_unreplaced(struct look *look)
{
    const struct workload *workload = look->view.workload;
    int64_t told = told_replicas(look), assigned = look->target->replicas;
    struct pod_tally *failed = &look->trouble.failed;
    struct pod_tally *finished = &look->finished;
    const int32_t missing = count_missing(look, told < assigned ? told : assigned);

    if (workload != NULL && workload->refusal != NULL) {
        finished->count = 0;
        return;
    }
    look->trouble.ended = least(look->ended, missing);
    look->trouble.unreplaced = least(finished->count, count_missing(look, told));
    finished->count = least(finished->count, missing);
    look->trouble.classes |= look->trouble.unreplaced > 0 ? FAILURE_BIT(FAILURE_OTHER) : 0;
    if (finished->count == 0) {
        return;
    }
    int32_t total = failed->count + finished->count;

    if (failed->count == 0 || finished->since < failed->since) {
        *failed = *finished;
    }
    failed->count = total;
}

static void
look_init(struct look *look, const struct target_look *at, const struct aggregated_status *status)
{
    const struct binding *binding = at->binding;
    const struct failover_behavior *failover = binding_rare(binding)->failover_application;

    memset(look, 0, sizeof(*look));
    look->policy = at->policy;
    look->binding = binding;
    look->target = at->target;
    look->status = status;
    look->view = at->view;
    look->ready_revision = "";
    look->trouble.revision = "";
    look->trouble.latest = TIME_NONE;
    look->by_replica_set = is_deployment(binding);
    look->has_ordinals = binding_is_stateful_set(binding);
    look->may_fail_over =
        failover != NULL && look->status != NULL && look->status->health == HEALTH_UNHEALTHY;
    look->failover_tolerance = span_of_seconds(failover != NULL && failover->has_toleration_seconds
                                                   ? failover->toleration_seconds
                                                   : FAILOVER_TOLERATION_SECONDS);
}

/* For a Deployment, only pods of its current ReplicaSet are counted. */
static bool
is_updated(const struct look *look, const char *revision)
{
    const struct workload *workload = look->view.workload;

    return look->by_replica_set || (workload != NULL && !str_is_empty(revision) &&
                                    str_eq(workload->update_revision, revision));
}

static void
record_version(const struct look *look, struct observation *item)
{
    const struct workload_view *view = &look->view;

    item->generation = view->settled != NULL    ? view->settled->template_generation
                       : view->workload != NULL ? view->workload->template_generation
                                                : 0;
    item->is_updated = is_updated(look, look->ready_revision);
}

static bool
is_any_trouble(const struct trouble *trouble)
{
    return trouble->failed.count > 0 || trouble->unreplaced > 0 || trouble->leaving > 0 ||
           trouble->ended > 0 || trouble->lingering.count > 0 || trouble->on_dead.count > 0 ||
           trouble->replacing.ended > 0;
}

/* Returns the pod that shows the version of what fails or lingers; NULL: none. */
static const struct pod *
oldest_failing(const struct look *look)
{
    const struct trouble *trouble = &look->trouble;

    return trouble->failed.pod != NULL  ? trouble->failed.pod
           : look->finished.pod != NULL ? look->finished.pod
                                        : trouble->lingering.pod;
}

static void
record(struct look *look, bool is_current_known, struct target_state *state,
       struct observation *item, struct observations *all)
{
    state->seen = look->seen;
    state->scheduled = look->scheduled;
    state->ready = look->ready;
    if (!is_current_known) {
        return;
    }
    const struct workload_view *view = &look->view;
    bool is_seen = !look->by_replica_set || view->workload != NULL || view->settled != NULL;

    state->outdated = look->outdated;
    state->unschedulable = look->trouble.unschedulable.count;
    state->failed = look->trouble.failed.count;
    state->hanging = look->ready_current == 0 ? look->hanging : 0;
    if (view->settled != NULL) {
        item->current = &view->settled->version->pod_template;
        item->current_since = view->settled->creation;
    } else if (view->current != NULL) {
        item->current = &view->current->version.pod_template;
        item->current_since = view->current->version.creation;
    } else {
        item->ready_revision = look->ready_revision;
    }
    item->ready_current = is_seen ? look->ready_current : UNKNOWN;
    item->steady = look->steady;
    item->newest_ready = look->ready_current > 0 ? look->newest_ready : TIME_NONE;
    record_version(look, item);
    const struct pod *failing = oldest_failing(look);

    if (failing != NULL) {
        look->trouble.revision = version_of(look, pod_revision(failing));
        look->trouble.is_updated = is_updated(look, look->trouble.revision);
    }
    if (state->unschedulable > 0 || state->failed > 0 || look->trouble.young != 0 ||
        is_any_trouble(&look->trouble)) {
        item->trouble = pin_uint32(all->troubles.count);
        vec_add(&all->troubles, look->trouble);
    }
}

static int32_t
count_hung(const struct look *look)
{
    const bool *triggers = look->policy->triggers;

    return (triggers[FINDING_NOT_READY_REPLICAS] ? look->trouble.lingering.count : 0) +
           (triggers[FINDING_NODES_NOT_READY] ? look->trouble.on_dead.count : 0);
}

static int32_t
count_stuck(const struct look *look)
{
    return look->trouble.unschedulable.count + look->trouble.failed.count + count_hung(look);
}

static void
look_at_pod(struct look *look, const struct pod *pod)
{
    int32_t stuck = count_stuck(look);

    count_pod(look, pod);
    if (look->has_ordinals && !pod_is_finished(pod)) {
        ordinals_note(&look->ordinals, pod, count_stuck(look) > stuck);
    }
}

static bool
may_miss_pods(const struct look *look)
{
    return (look->policy->triggers[FINDING_PODS_NOT_CREATED] ||
            look->policy->triggers[FINDING_NOT_APPLIED]) &&
           look->seen < look->target->replicas;
}

/* If the pods are not seen, nothing shows which of them are stuck. */
static void
find_below_stuck(struct look *look, bool are_seen, struct target_state *state)
{
    const struct workload *workload = look->view.workload;

    if (!look->has_ordinals || (state->unschedulable + state->failed <= 0 &&
                                !(are_seen && (count_hung(look) > 0 || may_miss_pods(look))))) {
        return;
    }
    if (are_seen) {
        state->below_stuck =
            ordinals_below_stuck(&look->ordinals, workload != NULL ? workload->first_ordinal : 0);
    } else if (state->ready != 0) {
        state->below_stuck = INT32_MAX;
    }
}

static void
look_at_pods(struct look *look, const struct workload_index *index, struct target_state *state,
             struct observation *item, struct observations *all)
{
    const struct member *member = look->view.member;

    look->replacing =
        find_replacing(look->binding, &look->view, index, told_replicas(look), look->policy->now);
    for (uint32_t i = look->view.first_pod; i != POD_NONE; i = workload_index_next_pod(index, i)) {
        look_at_pod(look, &member->pods[i]);
    }
    for (uint32_t i = look->view.first_settled; i != POD_NONE;
         i = workload_index_next_settled(index, i)) {
        count_settled(look, &member->settled[i]);
    }
    if (look->view.settled != NULL) {
        count_settled_workload(look, look->view.settled);
    }
    look->at_most =
        pods_at_most(look->binding, look->view.workload,
                     &(struct pods_shown){look->seen, look->succeeded, told_replicas(look)});
    item->at_most = look->at_most;
    if (look->seen == 0) { /* a rolling update would have made others by now */
        look->trouble.leaving += look->going;
    }
    add_unreplaced(look);
    note_replacing(&look->trouble, &look->replacing, look->policy);
    record(look, !is_deployment(look->binding) || member->has_deployments, state, item, all);
}

static void
observe(struct look *look, const struct workload_index *index, struct target_state *state,
        struct observation *item, struct observations *all)
{
    bool are_seen = are_pods_known(look->binding, look->status, &look->view, index);

    note_all_takes(look, index);
    if (are_seen) {
        look_at_pods(look, index, state, item, all);
    } else {
        state_by_status(look->status, state);
        item->by_status = true;
        item->shows_none = look->view.member->has_pods && look->view.first_pod == POD_NONE &&
                           look->view.first_settled == POD_NONE;
    }
    heed_estimator(
        &(struct estimator_view){look->policy, look->binding, look->target, look->view.member},
        state, item, all);
    find_below_stuck(look, are_seen, state);
    vec_free(&look->ordinals.seen);
    if (look->view.workload != NULL &&
        binding_has_ended(look->binding, (enum ended)look->view.workload->ended)) {
        state->owner = FAILOVER_OWNER_FINISHED;
    }
}

void
observe_target(const struct target_look *at, uint32_t target, struct observations *all)
{
    struct look look;

    look_init(&look, at, all->items[target].status);
    all->items[target].workload = at->view.workload;
    all->items[target].wanted = wanted_replicas(&at->view);
    observe(&look, at->index, &all->states[target], &all->items[target], all);
    all->items[target].newest = look.takes.requests != NULL ? look.takes.creation : TIME_NONE;
    if (look.takes.requests != NULL && all->needs != NULL) {
        pod_needs_note(all->needs, at->number, &look.takes);
    }
}
