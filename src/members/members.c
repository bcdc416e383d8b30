/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the members side by side: a slow member costs only its own time, and parts that it does not
 * show stay unknown.
 *
 * The first step reads pods and the lists needed of every member. The second step follows pods that
 * are not ready to their workloads; without them, it reads no ReplicaSet and no Deployment. It
 * reads these in all members with pods in an affected namespace: the same workload elsewhere shows
 * whether a cluster is to blame.
 *
 * In a member that shards share, Ballast first finds the namespaces of this shard.
 *
 * If pods may belong to any kind, Ballast reads all lists of workloads, and members do not explain
 * each other. So it reads a few members at a time, each to its end, and can free a member's objects
 * early.
 */
#include "ballast/kube/kube_text.h"
#include "probe.h"

#define LATER_PART 4 /* divisor of the time: kept for the second step */

#define NOT_SUCCEEDED "&fieldSelector=status.phase%21%3DSucceeded"

enum { PODS, NODES, REPLICA_SETS, DEPLOYMENTS, STATEFUL_SETS, JOBS, AUTOSCALERS };

static const struct member_resource resources[] = {
    [PODS] = {"pods", "/api/v1", NULL, "PodList", MEMBER_PODS, false},
    [NODES] = {"nodes", "/api/v1", NULL, "NodeList", MEMBER_NODES, false},
    [REPLICA_SETS] = {"replicasets", "/apis/apps/v1", NULL, "ReplicaSetList", MEMBER_REPLICA_SETS,
                      false},
    [DEPLOYMENTS] = {"deployments", "/apis/apps/v1", NULL, "DeploymentList", MEMBER_DEPLOYMENTS,
                     false},
    [STATEFUL_SETS] = {"statefulsets", "/apis/apps/v1", NULL, "StatefulSetList",
                       MEMBER_STATEFUL_SETS, false},
    [JOBS] = {"jobs", "/apis/batch/v1", NULL, "JobList", MEMBER_JOBS, false},
    [AUTOSCALERS] = {"horizontalpodautoscalers", "/apis/autoscaling/v2", "/apis/autoscaling/v1",
                     "HorizontalPodAutoscalerList", -1, false},
};

static void
add_lists_of_namespaces(struct member_probe *member)
{
    const struct members_look *look = member->looking->look;

    if (!sources_have(&look->options->sources, SOURCE_PODS)) {
        return;
    }
    member_add_list_of_ours(member, &resources[PODS],
                            look->hints.has_finishing_kinds ? "" : NOT_SUCCEEDED);
    if (member->looking->marked != NULL) {
        member_add_list_of_ours(member, &resources[DEPLOYMENTS], member->looking->marked);
    }
    member_add_list_of_ours(member, &resources[AUTOSCALERS], "");
}

static void
add_budgets(struct member_probe *member)
{
    if (member->looking->look->options->budgets) {
        member_add_list_of_ours(member, &member_budgets, "");
    }
}

/* Other shards read some of the member's namespaces, and perhaps its cluster-wide objects. */
static void
add_lists_of_slices(struct member_probe *member)
{
    const struct member_probes *looking = member->looking;

    if (sources_have(&looking->look->options->sources, SOURCE_NODES) &&
        fleet_builder_takes(looking->builder, member->address->name, "")) {
        member_add_list(member, &resources[NODES], "", "");
    }
    member_ask_namespaces(member);
}

static void
add_first_lists(struct member_probe *member)
{
    const struct member_sources *sources = &member->looking->look->options->sources;
    /* a page or two, which shows that the member answers before others wait for its pods */
    bool nodes_first = member->looking->answered != NULL;

    if (nodes_first && fleet_builder_is_narrow(member->looking->builder, member->address->name)) {
        add_lists_of_slices(member);
        return;
    }
    if (nodes_first && sources_have(sources, SOURCE_NODES)) {
        member_add_list(member, &resources[NODES], "", "");
    }
    add_lists_of_namespaces(member);
    if (!nodes_first && sources_have(sources, SOURCE_NODES)) {
        member_add_list(member, &resources[NODES], "", "");
    }
    add_budgets(member);
}

/* Namespaces with bound Deployments whose pods are not ready in some member. */
struct troubles {
    struct few_namespaces in; /* are_too_many: any of `bound` */
    const struct map *bound;  /* namespaces with bound Deployments */
};

static bool
has_pods(const struct member_probe *member)
{
    bool has = false;

    for (unsigned i = 0; i < member->n_lists && !has; i++) {
        has = member->lists[i].resource == &resources[PODS] && member->lists[i].state == LIST_DONE;
    }
    return has;
}

static bool
is_of_replica_set(const struct pod *pod)
{
    return str_eq(pod->owner.kind, "ReplicaSet");
}

static bool
is_in_trouble(const struct troubles *troubles, const struct pod *pod)
{
    return is_of_replica_set(pod) && pod->deletion_timestamp == TIME_NONE && !pod_is_ready(pod) &&
           !str_eq(pod->phase, "Succeeded") &&
           map_get_str(troubles->bound, pod->namespace_) != NULL;
}

static bool
is_trouble_in(const struct troubles *troubles, const char *namespace_)
{
    return troubles->in.are_too_many ? map_get_str(troubles->bound, namespace_) != NULL
                                     : few_namespaces_have(&troubles->in, namespace_);
}

static void
note_troubles(const struct member_probe *member, struct troubles *troubles)
{
    uint32_t count;
    const struct pod *all =
        fleet_builder_pods(member->looking->builder, member->address->name, &count);

    for (uint32_t i = 0; i < count && !troubles->in.are_too_many; i++) {
        if (is_in_trouble(troubles, &all[i])) {
            few_namespaces_add(&troubles->in, all[i].namespace_);
        }
    }
}

/* The lists to which a member's pods lead. */
struct leads {
    bool in[FEW_NAMESPACES]; /* ReplicaSets in each namespace of the troubles */
    bool anywhere;           /* ReplicaSets in any of them */
    bool replica_sets, stateful_sets, jobs;
};

static void
follow_owner(const struct troubles *troubles, const char *kind, const char *namespace_,
             struct leads *leads)
{
    leads->stateful_sets |= str_eq(kind, "StatefulSet");
    leads->jobs |= str_eq(kind, "Job");
    if (!str_eq(kind, "ReplicaSet")) {
        return;
    }
    leads->replica_sets = true;
    leads->anywhere |= is_trouble_in(troubles, namespace_);
    for (unsigned i = 0; i < troubles->in.count; i++) {
        leads->in[i] |= str_eq(troubles->in.names[i], namespace_);
    }
}

static void
follow_pods(const struct member_probe *member, const struct troubles *troubles, struct leads *leads)
{
    struct fleet_builder *builder = member->looking->builder;
    uint32_t count;
    const struct pod *others = fleet_builder_pods(builder, member->address->name, &count);

    for (uint32_t i = 0; i < count; i++) {
        follow_owner(troubles, others[i].owner.kind, others[i].namespace_, leads);
    }
    const struct settled_pods *settled =
        fleet_builder_settled(builder, member->address->name, &count);

    for (uint32_t i = 0; i < count; i++) {
        follow_owner(troubles, settled[i].owner.kind, settled[i].namespace_, leads);
    }
}

static void
add_rollouts(struct member_probe *member, const char *namespace_)
{
    member_add_list(member, &resources[REPLICA_SETS], namespace_, "");
    member_add_list(member, &resources[DEPLOYMENTS], namespace_, member->looking->unmarked);
}

/* Pods of unknown kinds may belong to any workload. */
static void
add_chains(struct member_probe *member, const struct leads *leads)
{
    if (leads->stateful_sets) {
        member_add_list_of_ours(member, &resources[STATEFUL_SETS], "");
    }
    if (leads->jobs) {
        member_add_list_of_ours(member, &resources[JOBS], "");
    }
}

static void
add_second_lists(struct member_probe *member, const struct troubles *troubles)
{
    bool knows_kinds = !member->looking->look->hints.has_unknown_kinds;
    struct leads leads = {.anywhere = false};

    follow_pods(member, troubles, &leads);
    if (!knows_kinds) {
        add_chains(member, &leads);
    }
    if ((troubles->in.are_too_many && leads.anywhere) || (!knows_kinds && leads.replica_sets)) {
        member_add_list_of_ours(member, &resources[REPLICA_SETS], "");
        member_add_list_of_ours(member, &resources[DEPLOYMENTS], member->looking->unmarked);
        return;
    }
    for (unsigned i = 0; i < troubles->in.count; i++) {
        if (leads.in[i]) {
            add_rollouts(member, troubles->in.names[i]);
        }
    }
}

static void
begin_first(struct member_probes *looking)
{
    for (size_t i = 0; i < looking->n_members; i++) {
        add_first_lists(&looking->members[i]);
        if (looking->members[i].n_lists > 0) {
            member_reach(&looking->members[i]);
        }
    }
}

static void
begin_second(struct member_probes *looking)
{
    struct troubles troubles = {.bound = looking->look->hints.namespaces};

    for (size_t i = 0; i < looking->n_members; i++) {
        if (has_pods(&looking->members[i])) {
            note_troubles(&looking->members[i], &troubles);
        }
    }
    for (size_t i = 0; i < looking->n_members; i++) {
        struct member_probe *member = &looking->members[i];

        if (has_pods(member)) {
            add_second_lists(member, &troubles);
            member_begin(member);
        }
        if (member->is_lost) { /* lost meanwhile */
            member_lose(member, member->loss);
        }
    }
}

/* Parts to which no pod leads count as seen. */
static void
finish_member(struct member_probe *member)
{
    if (member->is_over) {
        return;
    }
    struct fleet_builder *builder = member->looking->builder;
    const char *name = member->address->name;

    if (has_pods(member)) {
        for (int part = 0; part <= MEMBER_JOBS; part++) {
            if (part != MEMBER_NODES) {
                fleet_builder_saw(builder, name, (enum member_part)part);
            }
        }
    }
    for (unsigned i = 0; i < member->n_lists; i++) {
        if (member->lists[i].state == LIST_DONE && member->lists[i].resource->part >= 0) {
            fleet_builder_saw(builder, name, (enum member_part)member->lists[i].resource->part);
        }
    }
    member_choose_failure(member);
    fleet_builder_over(builder, name);
    member_end(member);
}

/* Continues a member that is read by itself. */
static void
follow_answers(struct member_probe *member)
{
    const struct troubles none = {.bound = NULL};

    if (member->awaits_namespaces && member_is_looked_into(member)) {
        member_choose_namespaces(member);
        add_lists_of_namespaces(member);
        add_budgets(member);
        member_begin(member);
    }
    if (!member->is_lost && !member->is_followed && has_pods(member)) {
        member->is_followed = true;
        add_second_lists(member, &none);
        member_begin(member);
    }
    if (member_is_looked_into(member)) {
        finish_member(member);
    }
}

static void
look_once(struct member_probes *looking)
{
    looking->answered = follow_answers;
    begin_first(looking);
    member_report_progress(looking);
    kube_engine_run(looking->engine);
    for (size_t i = 0; i < looking->n_members; i++) {
        finish_member(&looking->members[i]);
    }
}

static void
look_twice(struct member_probes *looking)
{
    const struct members_options *options = looking->look->options;
    int64_t end = looking->until;

    looking->until = end > 0 ? end - options->time / LATER_PART : 0;
    begin_first(looking);
    member_report_progress(looking);
    kube_engine_run(looking->engine);
    looking->until = end;
    if (looking->stopped.code == ERROR_NONE) {
        begin_second(looking);
        member_report_progress(looking);
        kube_engine_run(looking->engine);
    }
    for (size_t i = 0; i < looking->n_members; i++) {
        finish_member(&looking->members[i]);
    }
}

static const char *
label_query(const struct members_look *look, const char *operator, struct arena * arena)
{
    const struct label *label = &look->hints.marked;

    return kube_label_query(arena,
                            arena_printf(arena, "%s%s%s", label->key, operator, label->value));
}

bool
members_look(const struct members_look *look, struct fleet_builder *builder,
             struct kube_statistics *requests, struct error *err)
{
    const struct members_options *options = look->options;

    if (!sources_have(&options->sources, SOURCE_PODS) &&
        !sources_have(&options->sources, SOURCE_NODES)) {
        return true;
    }
    struct arena *arena = arena_new();
    bool has_mark = look->hints.marked.key != NULL;
    struct member_probes looking = {
        .look = look,
        .arena = arena,
        .builder = builder,
        .requests = requests,
        .marked = has_mark ? label_query(look, "=", arena) : NULL,
        .unmarked = has_mark ? label_query(look, "!=", arena) : "",
    };
    bool done = member_probes_run(&looking, look->hints.are_apart ? look_once : look_twice, err);

    arena_free(arena);
    return done;
}
