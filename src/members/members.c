/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks into the members, all at once and each for itself: a member that does
 * not answer, or slowly, takes its own time and nobody else's; what it does not
 * show stays unknown.
 *
 * First the pods, and what has to be known of every member. Then, for the pods
 * that are not ready, what leads from them to their workloads: where nothing is
 * wrong, no ReplicaSet and no Deployment is asked for. They are looked at in all
 * members that have pods in a namespace with trouble: whether a cluster is to
 * blame is told by how the same workload fares elsewhere.
 *
 * Of a member of which others look at some namespaces, what is in ours is asked for
 * once it is known which those are.
 *
 * Where pods may hang on anything, all that leads to workloads is asked for, and
 * what other members show is of no account: so each is looked into to its end,
 * few at a time, and what it showed can be let go before all are through.
 */
#include "ballast/kube/kube_text.h"
#include "probe.h"

#define LATER_PART 4 /* of the time: what pods lead to, whoever was slow before */

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

/* --- what is listed at first --- */

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

/* Some of its namespaces are looked at by others, and so may be what is in none. */
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
    /* a page or two, which tells whether there is anybody before many wait with their pods */
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

/* --- what the pods lead to --- */

/* Namespaces with Deployments of ours whose pods are not ready, in any member. */
struct troubles {
    struct few_namespaces in; /* too many: then any of */
    const struct map *bound;  /* those with Deployments of ours */
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

/* What of the pods of a member leads further. */
struct leads {
    bool in[FEW_NAMESPACES]; /* ReplicaSets, in each namespace with trouble */
    bool anywhere;           /* in any of them */
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

/* Where there are kinds that nobody knows, their pods may hang on whatever there is. */
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

/* --- all of them --- */

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
        if (member->is_lost) { /* meanwhile */
            member_lose(member, member->loss);
        }
    }
}

/* What no pod leads to is known as far as it is needed. */
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

/* Of a member that is looked at by itself. */
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
