/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples of a run's fleet, findings, decisions and writes.
 */
#include "metrics_samples.h"

#include "ballast/annotations/last_move.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "report/view/tally.h"
#include "report/view/view.h"

/* ---- the fleet ---- */

static void
sample_clusters(struct sampler *s)
{
    static const char *const names[] = {
        [STANDING_WELL] = "well",
        [STANDING_UNHEALTHY] = "unhealthy",
        [STANDING_AGENT_DOWN] = "agent_down",
        [STANDING_NOT_READY] = "not_ready",
        [STANDING_SETTLING] = "settling",
        [STANDING_FAILING] = "failing",
    };
    const struct report *report = s->view->report;
    int64_t counts[sizeof(names) / sizeof(names[0])] = {0};

    for (uint32_t i = 0; i < report->fleet->n_clusters; i++) {
        counts[cluster_standing(&report->diagnosis->clusters[i])]++;
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        sample_of(s, "standing", names[i], counts[i]);
    }
}

static void
sample_guard(struct sampler *s)
{
    sample_number(s, s->view->report->diagnosis->guard_tripped ? 1 : 0);
}

static void
sample_members(struct sampler *s)
{
    sample_number(s, s->view->report->coverage->asked);
}

static void
sample_members_seen(struct sampler *s)
{
    sample_number(s, s->view->report->coverage->seen);
}

static void
sample_members_unseen(struct sampler *s)
{
    sample_number(s, s->view->report->coverage->n_unseen);
}

static void
sample_members_missed(struct sampler *s)
{
    sample_number(s, s->view->report->coverage->missed);
}

static void
sample_unseen(struct sampler *s)
{
    const struct report *report = s->view->report;

    for (uint32_t i = 0; i < report->coverage->n_unseen; i++) {
        sample_of(s, "cluster", report->fleet->clusters[report->coverage->unseen[i].cluster].name,
                  1);
    }
}

static void
sample_problems(struct sampler *s)
{
    sample_number(s, s->view->report->fleet->n_problems);
}

/* ---- findings ---- */

static void
sample_finding_bindings(struct sampler *s)
{
    for (int type = 0; type < N_FINDING_TYPES; type++) {
        sample_of(s, "type", finding_type_name((enum finding_type)type),
                  s->view->report->plan->totals.finding_bindings[type]);
    }
}

/* The last column holds findings without a cluster, or of one that is gone. */
static void
sample_finding_replicas(struct sampler *s)
{
    const struct report *report = s->view->report;
    const uint32_t n_clusters = report->fleet->n_clusters, columns = n_clusters + 1;
    int64_t *sums = ARENA_ARRAY(s->view->arena, int64_t, (size_t)columns * N_FINDING_TYPES);

    for (uint32_t i = 0; i < report->diagnosis->n_findings; i++) {
        const struct finding *finding = &report->diagnosis->findings[i];
        const uint32_t column =
            finding->cluster_index < n_clusters ? finding->cluster_index : n_clusters;

        sums[(size_t)finding->type * columns + column] += finding->replicas;
    }
    for (size_t i = 0; i < (size_t)columns * N_FINDING_TYPES; i++) {
        const uint32_t column = pin_uint32(i % columns);
        const struct sample_label labels[] = {
            {"type", finding_type_name((enum finding_type)(i / columns))},
            {"cluster", column < n_clusters ? report->fleet->clusters[column].name : ""}};

        if (sums[i] != 0) {
            sample_labelled(s, labels, 2, quantity_from_int(sums[i]));
        }
    }
}

/* ---- decisions ---- */

static void
sample_bindings(struct sampler *s)
{
    sample_number(s, s->view->report->plan->totals.bindings);
}

static void
sample_in_scope(struct sampler *s)
{
    sample_number(s, s->view->report->plan->totals.in_scope);
}

static void
sample_left_alone(struct sampler *s)
{
    sample_number(s, s->view->report->plan->totals.left_alone);
}

static void
sample_deferred(struct sampler *s)
{
    sample_number(s, s->view->report->plan->totals.by_action[ACTION_DEFERRED]);
}

static void
sample_replica_states(struct sampler *s)
{
    for (int state = 0; state < N_REPLICA_STATES; state++) {
        sample_of(s, "state", replica_state_name((enum replica_state)state),
                  s->view->replicas->of_state[state]);
    }
}

static void
sample_replicas_homeless(struct sampler *s)
{
    sample_number(s, s->view->replicas->homeless);
}

static void
sample_missing_copies(struct sampler *s)
{
    sample_number(s, s->view->replicas->missing_copies);
}

/* Skips owners without lost replicas: an OFF_TAINTED cluster is ready. */
static void
sample_replicas_lost(struct sampler *s)
{
    static const char *const names[] = {
        [FAILOVER_OWNER_OURS] = "on",
        [FAILOVER_OWNER_GUARDED] = "refused",
        [FAILOVER_OWNER_KARMADA] = "karmada",
        [FAILOVER_OWNER_CLAIMS] = "claims",
        [FAILOVER_OWNER_TOLERATED] = "tolerated",
        [FAILOVER_OWNER_OFF] = "off",
    };
    const int64_t *lost = s->view->replicas->lost_of_owner;

    for (size_t i = FAILOVER_OWNER_OURS; i < sizeof(names) / sizeof(names[0]); i++) {
        sample_of(s, "failover", names[i], lost[i]);
    }
}

static void
sample_replicas_deferred(struct sampler *s)
{
    sample_number(s, s->view->report->plan->totals.replicas_deferred);
}

static void
sample_changed(struct sampler *s)
{
    sample_number(s, report_changes(s->view->report).bindings);
}

static void
sample_moved(struct sampler *s)
{
    sample_number(s, report_changes(s->view->report).moved);
}

static void
sample_added(struct sampler *s)
{
    sample_number(s, report_changes(s->view->report).added);
}

static void
sample_blocked(struct sampler *s)
{
    uint32_t count;
    const struct blocked_reason *reasons = blocked_reasons(s->view, &count);

    for (uint32_t i = 0; i < count; i++) {
        sample_of(s, "reason", reasons[i].code, reasons[i].count);
    }
}

static void
sample_leaving(struct sampler *s)
{
    uint32_t count;
    const struct cluster_tally *clusters = tally_clusters(s->view, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (clusters[i].cluster != CLUSTER_NONE) {
            sample_of(s, "cluster", clusters[i].name, clusters[i].leaving);
        }
    }
}

static void
sample_arriving(struct sampler *s)
{
    uint32_t count;
    const struct cluster_tally *clusters = tally_clusters(s->view, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (clusters[i].cluster != CLUSTER_NONE) {
            sample_of(s, "cluster", clusters[i].name, clusters[i].arriving);
        }
    }
}

/* ---- undone moves ---- */

/* True within the first cooldown: no run takes the move back that early. */
static bool
is_recent(const struct policy *policy, const struct last_move *move)
{
    return move->last.time <= policy->now &&
           timestamp_add(move->last.time, policy->cooldown.initial) > policy->now;
}

static int32_t
replicas_in(const struct target_list *list, const char *cluster)
{
    const struct target *target = target_list_find(list, cluster);

    return target != NULL ? target->replicas : 0;
}

/* True if the sources have their replicas back and the targets have fewer. In mode Evict the
 * targets are unknown. */
static bool
is_back(const struct target_list *now, const struct past_move *move)
{
    bool is = move->to.count > 0 && move->from.count > 0;

    for (uint32_t i = 0; is && i < move->from.count; i++) {
        is = replicas_in(now, move->from.items[i].name) >= move->from.items[i].replicas;
    }
    for (uint32_t i = 0; is && i < move->to.count; i++) {
        is = replicas_in(now, move->to.items[i].name) < move->to.items[i].replicas;
    }
    return is;
}

static void
sample_undone(struct sampler *s)
{
    const struct report *report = s->view->report;
    int64_t by_undo = 0, by_others = 0;

    for (uint32_t i = 0; i < report->fleet->n_bindings; i++) {
        const struct binding *binding = &report->fleet->bindings[i];
        const struct last_move *move = binding->last_move;

        if (move == NULL || !is_recent(report->policy, move)) {
            continue;
        }
        if (str_eq(move->last.reason, LAST_MOVE_UNDONE)) {
            by_undo++;
        } else if (is_back(&binding->clusters, &move->last)) {
            by_others++;
        }
    }
    sample_of(s, "by", "undo", by_undo);
    sample_of(s, "by", "others", by_others);
}

/* ---- writes ---- */

static void
sample_writes(struct sampler *s)
{
    const struct outcome *outcome = s->view->report->outcome;
    int64_t counts[WRITE_DEFERRED + 1] = {0};

    for (uint32_t i = 0; outcome != NULL && i < outcome->n_writes; i++) {
        counts[outcome->writes[i].status]++;
    }
    for (int status = 0; outcome != NULL && status <= WRITE_DEFERRED; status++) {
        sample_of(s, "result", write_status_name((enum write_status)status), counts[status]);
    }
}

/* Each try after the first follows a conflict. */
static void
sample_conflicts(struct sampler *s)
{
    const struct outcome *outcome = s->view->report->outcome;
    int64_t conflicts = 0;

    if (outcome == NULL) {
        return;
    }
    for (uint32_t i = 0; i < outcome->n_writes; i++) {
        const struct write_outcome *write = &outcome->writes[i];

        conflicts += write->tries > 1 ? write->tries - 1 : 0;
        conflicts += write->status == WRITE_CONFLICT ? 1 : 0;
    }
    sample_number(s, conflicts);
}

/* ---- capacity ---- */

static void
sample_room(struct sampler *s, enum ledger_resource resource, bool allocatable)
{
    const struct report *report = s->view->report;
    struct ledger_free room;

    for (uint32_t i = 0; report->ledger != NULL && i < report->fleet->n_clusters; i++) {
        if (report->diagnosis->clusters[i].ready && ledger_free(report->ledger, i, &room) &&
            room.of[resource].known) {
            const struct free_amount *amount = &room.of[resource];

            sample_labelled(s, &(struct sample_label){"cluster", report->fleet->clusters[i].name},
                            1, allocatable ? amount->allocatable : amount->after);
        }
    }
}

static void
sample_room_cpu(struct sampler *s)
{
    sample_room(s, LEDGER_CPU, false);
}

static void
sample_room_memory(struct sampler *s)
{
    sample_room(s, LEDGER_MEMORY, false);
}

static void
sample_room_pods(struct sampler *s)
{
    sample_room(s, LEDGER_PODS, false);
}

static void
sample_allocatable_cpu(struct sampler *s)
{
    sample_room(s, LEDGER_CPU, true);
}

static void
sample_allocatable_memory(struct sampler *s)
{
    sample_room(s, LEDGER_MEMORY, true);
}

static void
sample_allocatable_pods(struct sampler *s)
{
    sample_room(s, LEDGER_PODS, true);
}

const struct metric metrics_of_report[] = {
    {"clusters", "", "standing", "Clusters by how they stand.", sample_clusters},
    {"guard_tripped", "", "", "1 when the disruption guard refused to fail clusters over.",
     sample_guard},
    {"members", "", "", "Members that the run looked into, or tried to.", sample_members},
    {"members_seen", "", "", "Members that showed all that was asked for.", sample_members_seen},
    {"members_unseen", "", "", "Members that did not, whether they were ready or not.",
     sample_members_unseen},
    {"members_missed", "", "", "Unseen members that are ready and hold replicas in scope.",
     sample_members_missed},
    {"member_unseen", "", "cluster", "1 for each member that was not seen whole.", sample_unseen},
    {"problems", "", "", "Objects that could not be used, and were skipped.", sample_problems},
    {"finding_bindings", "", "type", "Bindings with a finding of the type.",
     sample_finding_bindings},
    {"finding_replicas", "", "type, cluster",
     "Replicas that findings are about; the cluster is empty where it is none of the fleet.",
     sample_finding_replicas},
    {"replicas", "", "state", "Assigned replicas by their state; each is in one.",
     sample_replica_states},
    {"replicas_lost", "", "failover",
     "Replicas in lost clusters, by who fails them over: on, refused, karmada, claims, tolerated, "
     "off.",
     sample_replicas_lost},
    {"bindings", "", "", "Bindings of the fleet.", sample_bindings},
    {"bindings_in_scope", "", "", "Bindings in the scope of the run.", sample_in_scope},
    {"bindings_left_alone", "", "", "Bindings in scope that Ballast leaves alone.",
     sample_left_alone},
    {"bindings_changed", "", "", "Bindings that were changed, or in a dry run would be.",
     sample_changed},
    {"bindings_blocked", "", "reason",
     "Bindings with something wrong that nothing can or may be done about.", sample_blocked},
    {"bindings_deferred", "", "", "Bindings that a limit left to a later run.", sample_deferred},
    {"replicas_moved", "", "", "Replicas that were moved, or in a dry run would be.", sample_moved},
    {"replicas_added", "", "",
     "Replicas that clusters gained and none lost, or in a dry run would.", sample_added},
    {"replicas_homeless", "", "",
     "Replicas that are wanted, run nowhere and get no place, whatever the reason.",
     sample_replicas_homeless},
    {"replicas_missing_copies", "", "",
     "Replicas of copies that run nowhere, while other copies of their workloads do.",
     sample_missing_copies},
    {"replicas_deferred", "", "", "Replicas that a limit left to a later run.",
     sample_replicas_deferred},
    {"cluster_replicas_leaving", "", "cluster", "Replicas that leave a cluster in moves.",
     sample_leaving},
    {"cluster_replicas_arriving", "", "cluster", "Replicas that a cluster gets in moves.",
     sample_arriving},
    {"bindings_undone", "", "by",
     "Bindings whose last move, within cooldown.initial, was taken back: by an undo, or by others.",
     sample_undone},
    {"writes", "", "result", "Writes by what became of them; none in a dry run.", sample_writes},
    {"write_conflicts", "", "", "Writes that met a newer version of the object; none in a dry run.",
     sample_conflicts},
    {"cluster_room_cpu", "cores", "cluster", "CPU that is free in a ready cluster, after the plan.",
     sample_room_cpu},
    {"cluster_room_memory", "bytes", "cluster",
     "Memory that is free in a ready cluster, after the plan.", sample_room_memory},
    {"cluster_room_pods", "", "cluster",
     "Pods that a ready cluster can still take, after the plan.", sample_room_pods},
    {"cluster_allocatable_cpu", "cores", "cluster", "CPU that the cluster has for pods.",
     sample_allocatable_cpu},
    {"cluster_allocatable_memory", "bytes", "cluster", "Memory that the cluster has for pods.",
     sample_allocatable_memory},
    {"cluster_allocatable_pods", "", "cluster", "Pods that the cluster can run.",
     sample_allocatable_pods},
    {.name = NULL},
};

/* ---- single bindings, on request ---- */

#define BINDING_LABELS "namespace, name, kind"

static void
sample_binding(struct sampler *s, const struct row *row, int64_t value)
{
    const struct object_reference *resource = &row->binding->resource;
    const struct sample_label labels[] = {{"namespace", row->binding->namespace_},
                                          {"name", row->binding->name},
                                          {"kind", resource->kind}};

    if (value != 0) {
        sample_labelled(s, labels, sizeof(labels) / sizeof(labels[0]), quantity_from_int(value));
    }
}

static int64_t
replicas_found(const struct report_view *view, const struct row *row)
{
    const struct finding *findings = row_findings(view, row);
    int64_t sum = 0;

    for (uint32_t i = 0; i < row->state->n_findings; i++) {
        sum += findings[i].replicas;
    }
    return sum;
}

static void
sample_each_binding(struct sampler *s,
                    int64_t (*value)(const struct report_view *view, const struct row *row))
{
    for (uint32_t i = 0; i < s->view->report->fleet->n_bindings; i++) {
        struct row row = view_row(s->view, i);

        sample_binding(s, &row, value(s->view, &row));
    }
}

static int64_t
replicas_moved(const struct report_view *view, const struct row *row)
{
    (void)view;
    return row_takes_effect(row) ? row->decision->moved : 0;
}

static int64_t
replicas_homeless(const struct report_view *view, const struct row *row)
{
    int64_t copies;

    return row_is_counted(row) ? row_homeless(view, row, &copies) : 0;
}

static int64_t
is_blocked(const struct report_view *view, const struct row *row)
{
    (void)view;
    return row->decision->action == ACTION_BLOCKED ? 1 : 0;
}

static void
sample_binding_found(struct sampler *s)
{
    sample_each_binding(s, replicas_found);
}

static void
sample_binding_moved(struct sampler *s)
{
    sample_each_binding(s, replicas_moved);
}

static void
sample_binding_homeless(struct sampler *s)
{
    sample_each_binding(s, replicas_homeless);
}

static void
sample_binding_blocked(struct sampler *s)
{
    sample_each_binding(s, is_blocked);
}

const struct metric metrics_of_bindings[] = {
    {"binding_finding_replicas", "", BINDING_LABELS,
     "With --metrics-bindings: replicas that findings of a binding are about.",
     sample_binding_found},
    {"binding_replicas_moved", "", BINDING_LABELS,
     "With --metrics-bindings: replicas of a binding that were moved.", sample_binding_moved},
    {"binding_replicas_homeless", "", BINDING_LABELS,
     "With --metrics-bindings: replicas of a binding that are homeless.", sample_binding_homeless},
    {"binding_blocked", "", BINDING_LABELS,
     "With --metrics-bindings: 1 where a binding is blocked.", sample_binding_blocked},
    {.name = NULL},
};
