/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of all bindings together: room, quotas, limits.
 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

/* Given anew, but for what is there already and was about to be stopped. */
static int
given_to(const struct target_facts *target)
{
    int shown = target->seen ? target->pods : target->ready;
    int had = target->assigned && shown > target->before ? shown : target->before;

    return target->after > had ? target->after - had : 0;
}

static bool
is_seen_whole(const struct facts *facts, int index)
{
    return facts->has_nodes && facts->has_pods && facts->clusters[index].has_nodes &&
           facts->clusters[index].has_pods;
}

/* The node that it is on, or that is kept free for it. */
static const char *
place_of(const struct pod_facts *pod)
{
    const char *node = text_at(pod->json, "spec.nodeName");

    return is(node, "") ? text_at(pod->json, "status.nominatedNodeName") : node;
}

int64_t
free_on(const struct facts *facts, int index, const struct object_facts *node)
{
    int64_t left = milli_of(at(node->json, "status.allocatable.cpu"));

    if (!is(node->kind, "Node") || !is(node->member, facts->clusters[index].name)) {
        return -1;
    }
    for (int p = 0; p < facts->n_pods; p++) {
        const struct pod_facts *pod = &facts->pods[p];

        if (pod->cluster == index && !pod->finished && is(place_of(pod), node->name)) {
            left -= pod->on_node;
        }
    }
    return left > 0 ? left : 0;
}

/* In thousandths of a CPU; INT64_MAX: nobody says. */
static int64_t
room_by_summary(const struct facts *facts, int index)
{
    const json_t *cluster = facts->clusters[index].json;
    const json_t *summary = at(cluster, "status.resourceSummary");

    if (summary == NULL || at(cluster, "spec.resourceModels") != NULL) {
        return INT64_MAX;
    }
    int64_t left = milli_of(at(summary, "allocatable.cpu")) -
                   milli_of(at(summary, "allocated.cpu")) - milli_of(at(summary, "allocating.cpu"));

    return left > 0 ? left : 0;
}

/* What is free on the nodes; a full one lends nothing. */
static int64_t
room_on_nodes(const struct facts *facts, int index)
{
    int64_t sum = 0;

    if (!is_seen_whole(facts, index)) {
        return INT64_MAX;
    }
    for (int i = 0; i < facts->n_objects; i++) {
        int64_t left = free_on(facts, index, &facts->objects[i]);

        sum += left > 0 ? left : 0;
    }
    return sum;
}

/* The pods that may still come: by its nodes where they are seen, else by the summary; INT64_MAX:
 * nobody says. */
static int64_t
slots_in(const struct facts *facts, int index)
{
    const json_t *cluster = facts->clusters[index].json;
    const json_t *summary = at(cluster, "status.resourceSummary");
    int64_t sum = 0;

    if (!is_seen_whole(facts, index)) {
        return summary == NULL || at(cluster, "spec.resourceModels") != NULL
                   ? INT64_MAX
                   : (milli_of(at(summary, "allocatable.pods")) -
                      milli_of(at(summary, "allocated.pods")) -
                      milli_of(at(summary, "allocating.pods"))) /
                         1000;
    }
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *node = &facts->objects[i];
        int64_t left = milli_of(at(node->json, "status.allocatable.pods")) / 1000;

        for (int p = 0; p < facts->n_pods; p++) {
            const struct pod_facts *pod = &facts->pods[p];

            left -= pod->cluster == index && !pod->finished && is(place_of(pod), node->name);
        }
        sum += free_on(facts, index, node) >= 0 && left > 0 ? left : 0;
    }
    return sum;
}

/* The least that a pod of the current version takes in that cluster; 0: none is there that can be
 * read. */
static int64_t
cpu_shown_in(const struct facts *facts, int of, int index)
{
    int64_t least = INT64_MAX;

    for (int p = 0; p < facts->n_pods; p++) {
        const struct pod_facts *pod = &facts->pods[p];

        if (pod->cluster == index && pod->binding == of && pod->current && !pod->finished &&
            !pod->terminating && !pod->unread) {
            least = pod->on_node < least ? pod->on_node : least;
        }
    }
    return least < INT64_MAX ? least : 0;
}

/* What webhooks and autoscalers of requests have made of a template, its pods show. */
static int64_t
cpu_shown(const struct facts *facts, const struct binding_facts *binding)
{
    int64_t most = 0;

    for (int i = 0; i < facts->n_clusters; i++) {
        if (is_seen_whole(facts, i) && binding->targets[i].before > 0) {
            int64_t shown = cpu_shown_in(facts, (int)(binding - facts->bindings), i);

            most = shown > most ? shown : most;
        }
    }
    return most;
}

int64_t
cpu_asked_for(const struct facts *facts, const struct binding_facts *binding)
{
    const json_t *workload = at(binding->json, "spec.replicaRequirements") != NULL
                                 ? find_workload_of(facts, binding->json)
                                 : NULL;
    const json_t *spec = at(workload, "spec.template.spec");

    int64_t said = spec != NULL ? cpu_of_pod(spec) : binding->cpu;
    int64_t shown = cpu_shown(facts, binding);

    /* pods that take what their binding says show nothing that the template does not */
    return shown > said && shown > binding->cpu ? shown : said;
}

/* No replica is cut in two: so many of this size are free on single nodes. */
static int64_t
replicas_on_nodes(const struct facts *facts, int index, int64_t cpu)
{
    int64_t sum = 0;

    for (int i = 0; i < facts->n_objects; i++) {
        int64_t left = free_on(facts, index, &facts->objects[i]);

        sum += left > 0 ? left / cpu : 0;
    }
    return sum;
}

static void
judge_whole_replicas(struct judge *judge, int index)
{
    const struct facts *facts = &judge->facts;

    for (int i = 0; i < facts->n_bindings; i++) {
        const struct binding_facts *binding = &facts->bindings[i];
        int64_t cpu = cpu_asked_for(facts, binding);
        int given = binding->divided ? given_to(&binding->targets[index]) : 0;

        if (given == 0 || cpu <= 0 || !is_seen_whole(facts, index) || may_grow(facts, index)) {
            continue;
        }
        judge_met(judge, INV_CAPACITY);
        if (given > replicas_on_nodes(facts, index, cpu)) {
            judge_fail(judge, INV_CAPACITY, binding, index,
                       "%d of %lldm are given where no nodes have so many free", given,
                       (long long)cpu);
        }
    }
}

/* Which devices are free nobody can say. */
static void
judge_devices(struct judge *judge, int index)
{
    const struct facts *facts = &judge->facts;

    for (int i = 0; i < facts->n_bindings; i++) {
        const struct binding_facts *binding = &facts->bindings[i];
        const json_t *workload = find_workload_of(facts, binding->json);
        bool claims = json_array_size(at(workload, "spec.template.spec.resourceClaims")) > 0;

        if (claims && binding->divided && given_to(&binding->targets[index]) > 0) {
            judge_fail(judge, INV_CAPACITY, binding, index,
                       "%d are given whose pods claim devices, which nobody has seen",
                       given_to(&binding->targets[index]));
        }
    }
}

/* How many of just these requirements an estimator of the member says that fit; INT64_MAX: it does
 * not tell. */
static int64_t
told_to_fit(const struct facts *facts, const struct binding_facts *binding, int index)
{
    const json_t *wanted = at(binding->json, "spec.replicaRequirements");
    int64_t fit = INT64_MAX;

    for (int i = 0; i < facts->n_objects && facts->has_estimator; i++) {
        const struct object_facts *object = &facts->objects[i];
        const json_t *answer;
        size_t k;

        if (!is(object->kind, "EstimatorAnswers") ||
            !is(object->member, facts->clusters[index].name)) {
            continue;
        }
        json_array_foreach(at(object->json, "available"), k, answer)
        {
            if (wanted != NULL && json_equal(at(answer, "requirements"), wanted)) {
                int64_t said = integer_at(answer, "replicas", -1);

                fit = fit == INT64_MAX && said >= 0 ? said : fit;
            }
        }
    }
    return fit;
}

/* An estimator's answer bounds what a workload is given, whatever else is known. */
static void
judge_answers(struct judge *judge, int index)
{
    const struct facts *facts = &judge->facts;

    for (int i = 0; i < facts->n_bindings; i++) {
        const struct binding_facts *binding = &facts->bindings[i];
        int given = binding->divided ? given_to(&binding->targets[index]) : 0;
        int64_t fit = given > 0 ? told_to_fit(facts, binding, index) : INT64_MAX;

        if (fit == INT64_MAX || may_grow(facts, index)) {
            continue;
        }
        judge_met(judge, INV_TOLD_ROOM);
        if (given > fit) {
            judge_fail(judge, INV_TOLD_ROOM, binding, index, "%d are given, %lld fit", given,
                       (long long)fit);
        }
    }
}

static void
judge_room(struct judge *judge, int index)
{
    const struct facts *facts = &judge->facts;
    const json_t *protect = at(facts->world->config, "overcommitProtection");
    int64_t by_summary = room_by_summary(facts, index);
    int64_t on_nodes = room_on_nodes(facts, index), given = 0;
    int64_t room = is_seen_whole(facts, index) ? on_nodes : by_summary, pods = 0;

    for (int i = 0; i < facts->n_bindings; i++) {
        const struct binding_facts *binding = &facts->bindings[i];

        if (binding->divided) { /* copies go where nobody knows of room, too */
            given += cpu_asked_for(facts, binding) * given_to(&binding->targets[index]);
            pods += given_to(&binding->targets[index]);
        }
    }
    if (json_is_false(protect)) {
        return;
    }
    judge_whole_replicas(judge, index);
    judge_devices(judge, index);
    judge_answers(judge, index);
    if (pods > 0 && pods > slots_in(facts, index) && !may_grow(facts, index)) {
        judge_fail(judge, INV_CAPACITY, NULL, index, "%lld pods are given where %lld may come",
                   (long long)pods, (long long)slots_in(facts, index));
    }
    if (given == 0 || room == INT64_MAX || may_grow(facts, index)) {
        return;
    }
    judge_met(judge, INV_CAPACITY);
    if (given > room) {
        judge_fail(judge, INV_CAPACITY, NULL, index,
                   "%lldm are given where %lldm are free (summary %lld, nodes %lld)",
                   (long long)given, (long long)room, (long long)by_summary, (long long)on_nodes);
    }
}

static int64_t
amount_of(const json_t *list)
{
    const json_t *plain = json_object_get(list, "cpu");
    const json_t *requests = json_object_get(list, "requests.cpu");

    return plain != NULL ? milli_of(plain) : requests != NULL ? milli_of(requests) : -1;
}

static void
judge_quota(struct judge *judge, const struct object_facts *quota)
{
    const struct facts *facts = &judge->facts;
    const json_t *limit = at(quota->json, "spec.overall.cpu"); /* as requests name it */
    int64_t hard = limit != NULL ? milli_of(limit) : -1;
    int64_t used = milli_of(at(quota->json, "status.overallUsed.cpu")), more = 0, assigned = 0;

    for (int i = 0; i < facts->n_bindings; i++) {
        const struct binding_facts *binding = &facts->bindings[i];

        /* of what has components Karmada counts those, and not the replicas */
        if (is(binding->namespace_, quota->namespace_) &&
            json_array_size(at(binding->json, "spec.components")) == 0) {
            more += binding->cpu * (binding->sum_after - binding->sum_before);
            assigned += binding->cpu * binding->sum_before;
        }
    }
    used = used > assigned ? used : assigned;
    if (hard >= 0 && more > 0) {
        judge_met(judge, INV_QUOTA);
        if (used + more > hard) {
            judge_fail(judge, INV_QUOTA, NULL, -1, "%lldm more are asked for, %lldm of %lldm used",
                       (long long)more, (long long)used, (long long)hard);
        }
    }
}

static void
judge_assignment(struct judge *judge, const struct object_facts *quota, const json_t *assignment)
{
    const struct facts *facts = &judge->facts;
    int index = find_name(facts, text_at(assignment, "clusterName"));
    int64_t hard = amount_of(at(assignment, "hard")), given = 0, assigned = 0;

    for (int i = 0; index >= 0 && i < facts->n_bindings; i++) {
        const struct binding_facts *binding = &facts->bindings[i];
        const struct target_facts *target = &binding->targets[index];

        if (is(binding->namespace_, quota->namespace_) &&
            json_array_size(at(binding->json, "spec.components")) == 0) {
            given += !binding->divided || target->after < target->before
                         ? 0 /* copies go where nobody knows of room, too */
                         : binding->cpu * (target->after - target->before);
            assigned += binding->cpu * target->before;
        }
    }
    if (index >= 0 && hard >= 0 && given > 0) {
        judge_met(judge, INV_QUOTA);
        if (assigned + given > hard) {
            judge_fail(judge, INV_QUOTA, NULL, index, "%lldm are given and %lldm assigned of %lldm",
                       (long long)given, (long long)assigned, (long long)hard);
        }
    }
}

/* How many a limit allows of a whole; -1: as many as one likes. */
static int64_t
allowed(const struct judge *judge, const char *path, int64_t whole)
{
    const json_t *limit = at(judge->facts.world->config, path);

    if (json_is_integer(limit)) {
        return json_integer_value(limit);
    }
    if (limit == NULL) {
        return -1;
    }
    int64_t share = strtoll(json_string_value(limit), NULL, 10);
    int64_t part = whole * share / 100;

    return part == 0 && share > 0 ? 1 : part;
}

struct tally {
    int64_t moved, assigned, changed, bindings;
    int movers;    /* bindings of which something moved */
    bool is_whole; /* one of them may go as a whole */
};

/* `alone`: what is larger than the limit goes as a whole, and nothing else does. */
static void
check_limit(struct judge *judge, const char *path, int64_t got, int64_t whole, bool alone)
{
    int64_t most = allowed(judge, path, whole);

    if (most < 0) {
        return;
    }
    judge_met(judge, INV_LIMITS);
    if (got > most && (!alone || most == 0)) {
        judge_fail(judge, INV_LIMITS, NULL, -1, "%s: %lld of %lld, where %lld are allowed", path,
                   (long long)got, (long long)whole, (long long)most);
    }
}

/* Of a set of components the report counts pods, and the binding may count anything. */
static struct target_facts
counted(const struct facts *facts, const struct binding_facts *binding, int index)
{
    struct target_facts target = binding->targets[index];
    const char *name = facts->clusters[index].name;

    if (binding->is_set) {
        target.before =
            (int)integer_at(find_by(at(binding->item, "before"), "name", name), "replicas", 0);
        target.after =
            (int)integer_at(find_by(at(binding->item, "after"), "name", name), "replicas", 0);
    }
    return target;
}

/* Copies, what would be spread too wide half done or over two terms, and what is left as one. */
static bool
may_go_as_one(const struct binding_facts *binding)
{
    size_t index;
    json_t *finding;

    json_array_foreach(at(binding->item, "findings"), index, finding)
    {
        if (is(text_at(finding, "type"), "InfeasibleCluster")) {
            return true;
        }
    }
    return !binding->divided || at(binding->json, "spec.placement.spreadConstraints") != NULL ||
           at(binding->json, "spec.placement.clusterAffinities") != NULL;
}

/* Replicas that change place; in mode Evict, those that are taken away. */
static int64_t
count_moved(const struct facts *facts, const struct binding_facts *binding, int64_t come,
            int64_t left)
{
    int ended = binding->sum_before - binding->replicas; /* by a scale-down: that is no move */

    if (facts->evicts) {
        return ended > 0 ? (left > ended ? left - ended : 0) : left;
    }
    return come > left ? left : come;
}

/* By how many the binding grows there, below 0: shrinks. A copy that stays only changes its size.
 */
static int64_t
growth_in(const struct facts *facts, const struct binding_facts *binding, int index)
{
    const struct target_facts target = counted(facts, binding, index);

    return !binding->divided && target.assigned && target.stays ? 0 : target.after - target.before;
}

static void
add_mover(struct tally *tally, int64_t moved, bool is_whole)
{
    if (moved > 0) {
        tally->moved += moved;
        tally->movers++;
        tally->is_whole = tally->is_whole || is_whole;
    }
}

/* What surely moved out of a cluster and into it: replicas that a change of scale ends or adds may
 * be among those that leave or come. */
static void
tally_binding(struct tally *tally, struct tally *out, struct tally *in, const struct facts *facts,
              const struct binding_facts *binding)
{
    int64_t come = 0, left = 0, assigned = 0;

    for (int i = 0; i < facts->n_names; i++) {
        int64_t more = growth_in(facts, binding, i);

        come += more > 0 ? more : 0;
        left -= more < 0 ? more : 0;
        assigned += counted(facts, binding, i).before;
    }
    const int64_t moved = count_moved(facts, binding, come, left);
    const bool is_whole = may_go_as_one(binding);

    for (int i = 0; i < facts->n_clusters; i++) {
        int64_t more = growth_in(facts, binding, i), before = counted(facts, binding, i).before;

        out[i].assigned += before;
        in[i].assigned += before;
        add_mover(&out[i], -more - (left - moved), is_whole);
        add_mover(&in[i], more - (come - moved), is_whole);
    }
    add_mover(tally, moved, is_whole);
    tally->assigned += assigned;
    tally->changed += binding->changed ? 1 : 0;
    tally->bindings++;
}

static void
check_moved(struct judge *judge, const char *path, const struct tally *tally)
{
    const bool alone = tally->movers == 1 && tally->is_whole && !judge->facts.evicts;

    check_limit(judge, path, tally->moved, tally->assigned, alone);
}

/* Shares are of what is in scope; so is all that changes. */
static void
judge_limits(struct judge *judge, const char *namespace_)
{
    const struct facts *facts = &judge->facts;
    struct tally tally = {0}, out[NAMES_MAX] = {{0}}, in[NAMES_MAX] = {{0}};

    for (int i = 0; i < facts->n_bindings; i++) {
        const struct binding_facts *binding = &facts->bindings[i];

        if ((namespace_ == NULL || is(binding->namespace_, namespace_)) &&
            !is(binding->left_alone, "being deleted") && !is(binding->left_alone, "out of scope")) {
            struct tally own = {0}, none[NAMES_MAX] = {{0}};

            tally_binding(&tally, out, in, facts, binding);
            tally_binding(&own, none, none, facts, binding);
            check_moved(judge, "limits.perWorkload.maxReplicasInMotion", &own);
        }
    }
    if (namespace_ != NULL) {
        check_moved(judge, "limits.perNamespace.maxReplicasMoved", &tally);
        check_limit(judge, "limits.perNamespace.maxBindingsChanged", tally.changed, tally.bindings,
                    false);
        return;
    }
    check_moved(judge, "limits.maxReplicasMoved", &tally);
    check_limit(judge, "limits.maxBindingsChanged", tally.changed, tally.bindings, false);
    for (int i = 0; i < facts->n_clusters; i++) {
        check_moved(judge, "limits.perSourceCluster.maxReplicasMoved", &out[i]);
        check_moved(judge, "limits.perDestinationCluster.maxReplicasMoved", &in[i]);
    }
}

void
judge_sums(struct judge *judge)
{
    const struct facts *facts = &judge->facts;

    if (facts->world->reschedule_all) {
        return; /* as the scheduler would, which knows of none of it */
    }
    for (int i = 0; i < facts->n_clusters; i++) {
        judge_room(judge, i);
    }
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];
        size_t index;
        json_t *assignment;

        if (!is(object->kind, "FederatedResourceQuota")) {
            continue;
        }
        judge_quota(judge, object);
        json_array_foreach(at(object->json, "spec.staticAssignments"), index, assignment)
        {
            judge_assignment(judge, object, assignment);
        }
    }
    judge_limits(judge, NULL);
    judge_limits(judge, "n1");
    judge_limits(judge, "n2");
}
