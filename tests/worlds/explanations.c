/* SPDX-License-Identifier: Apache-2.0
 *
 * The fleet is planned once more, with every binding asked about.
 */
#include "explanations.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/explain/explain.h"
#include "ballast/format/value.h"
#include "ballast/report/explain_report.h"
#include "ballast/schedule/schedule.h"

/* One binding explained. */
struct case_ {
    const struct planned_fleet *planned;
    struct scheduler *scheduler;
    const struct binding *binding;
    const struct decision *decision;
    const struct explanation *told;
    struct buf *complaints;
    unsigned met;
    int32_t beyond; /* replicas given where there is no room for them yet */
};

static void
complain(struct case_ *c, const char *cluster, const char *what, long long got, long long want)
{
    buf_printf(c->complaints, "explained %s/%s: %s: %s: %lld, want %lld\n", c->binding->namespace_,
               c->binding->name, cluster, what, got, want);
}

static void
expect(struct case_ *c, const char *cluster, const char *what, long long got, long long want)
{
    if (got != want) {
        complain(c, cluster, what, got, want);
    }
}

static int32_t
replicas_in(const struct target_list *list, const char *cluster)
{
    const struct target *target = target_list_find(list, cluster);

    return target != NULL ? target->replicas : 0;
}

/* In the term that was chosen, else in some term: upstream tries one after the other. */
static bool
passes(const struct case_ *c, const char *cluster)
{
    const struct placement *placement = c->binding->placement;
    uint32_t index = fleet_find_cluster(c->planned->fleet, cluster);
    const uint32_t n_terms = placement != NULL ? placement->cluster_affinities.count : 0;
    bool passed = false;

    if (n_terms == 0 || c->told->affinity[0] != '\0') {
        return scheduler_filter(c->scheduler, c->binding, c->told->affinity, index) ==
               FILTER_PASSED;
    }
    for (uint32_t i = 0; i < n_terms; i++) {
        passed = passed || scheduler_filter(c->scheduler, c->binding,
                                            placement->cluster_affinities.items[i].name,
                                            index) == FILTER_PASSED;
    }
    return passed;
}

/* A term that was not tried, since something stays in another one, may have let it in. */
static bool
knows_terms(const struct case_ *c)
{
    return c->binding->placement == NULL || c->binding->placement->cluster_affinities.count == 0 ||
           c->told->affinity[0] != '\0';
}

static void
check_verdict(struct case_ *c, const struct explained_cluster *cluster)
{
    bool is_refused = cluster->verdict != FILTER_PASSED;

    if (!cluster->exists || binding_is_grouped(c->binding)) {
        return; /* where mates are changes from decision to decision */
    }
    if (!is_refused || knows_terms(c)) {
        expect(c, cluster->name, "passes the filters", !is_refused, passes(c, cluster->name));
    }
    expect(c, cluster->name, "a refusal has a name", cluster->filter[0] != '\0', is_refused);
    expect(c, cluster->name, "and a reason", cluster->filter_reason[0] != '\0', is_refused);
    c->met += is_refused ? 1 : 0;
}

/* Lost replicas may wait for nodes where an autoscaler adds some, and the decision counts them. */
static void
check_beyond(struct case_ *c, const struct explained_cluster *cluster, int32_t given)
{
    const uint32_t index = fleet_find_cluster(c->planned->fleet, cluster->name);

    c->beyond += given - cluster->room;
    if (c->beyond > c->decision->growing ||
        policy_growth(c->planned->policy, &c->planned->fleet->clusters[index]) == 0) {
        complain(c, cluster->name, "room for what is given", cluster->room, given);
    }
}

/* What a divided workload is given in a cluster has passed the filters, and has room. Targets are
 * written whatever their cluster says where KubeFed keeps what is lost. */
static void
check_given(struct case_ *c, const struct explained_cluster *cluster)
{
    int32_t given = cluster->after - cluster->assigned;

    if (given <= 0 || !c->told->is_divided || !cluster->exists) {
        return;
    }
    c->met++;
    expect(c, cluster->name, "given replicas, and passed", cluster->verdict == FILTER_PASSED, 1);
    if (cluster->room < given) {
        check_beyond(c, cluster, given);
    }
    expect(c, cluster->name, "given replicas, and nothing in the way", cluster->code[0] != '\0', 0);
}

static void
check_clusters(struct case_ *c)
{
    int64_t before = 0, after = 0;

    c->beyond = 0;
    for (uint32_t i = 0; i < c->told->n_clusters; i++) {
        const struct explained_cluster *cluster = &c->told->clusters[i];

        expect(c, cluster->name, "has", cluster->assigned,
               replicas_in(&c->decision->before, cluster->name));
        expect(c, cluster->name, "gets", cluster->after,
               replicas_in(&c->decision->after, cluster->name));
        check_verdict(c, cluster);
        check_given(c, cluster);
        before += cluster->assigned;
        after += cluster->after;
    }
    expect(c, "", "assigned in all", c->told->assigned, before);
    expect(c, "", "after in all", c->told->after, after);
}

static void
check_attempts(struct case_ *c)
{
    unsigned chosen = 0;

    for (uint32_t i = 0; i < c->told->n_attempts; i++) {
        const struct explained_attempt *attempt = &c->told->attempts[i];

        chosen += attempt->is_chosen ? 1 : 0;
        if (!attempt->is_chosen && attempt->refusal[0] == '\0' && attempt->error_type[0] == '\0') {
            complain(c, attempt->step, "not chosen, and no word why", 0, 1);
        }
    }
    if (c->told->n_attempts > 0 && c->told->n_more_attempts == 0) {
        expect(c, "", "attempts that are chosen", chosen, 1);
    }
    if (c->decision->changes && c->told->n_attempts == 0) {
        complain(c, "", "a change that nothing led to", 0, 1);
    }
}

static void
check_findings(struct case_ *c)
{
    const uint32_t index = c->decision->binding;
    uint32_t found = 0;

    for (uint32_t i = 0; i < c->told->n_findings; i++) {
        const struct explained_finding *finding = &c->told->findings[i];

        found += finding->standing != EXPLAINED_PENDING ? 1 : 0;
        if (finding->standing != EXPLAINED_TRIGGERS && finding->why_not[0] == '\0') {
            complain(c, finding->cluster, "no word why a finding does not trigger", 0, 1);
        }
        if (finding->counts_at != TIME_NONE && finding->counts_at < c->planned->policy->now &&
            finding->type != FINDING_UNHEALTHY_CLUSTER) {
            complain(c, finding->cluster, "a finding that should count", finding->counts_at,
                     c->planned->policy->now);
        }
    }
    expect(c, "", "findings", found, c->planned->diagnosis->bindings[index].n_findings);
}

static void
check_decision(struct case_ *c)
{
    expect(c, "", "action", c->told->action, c->decision->action);
    expect(c, "", "changes", c->told->changes, c->decision->changes);
    expect(c, "", "moved", c->told->moved, c->decision->moved);
    expect(c, "", "unplaced", c->told->unplaced, c->decision->unplaced);
    expect(c, "", "reasons", c->told->n_reasons, c->decision->n_reasons);
    for (uint32_t i = 0; i < c->told->n_reasons && i < c->decision->n_reasons; i++) {
        expect(c, c->decision->reasons[i].code, "says the same",
               strcmp(c->told->reasons[i].message, c->decision->reasons[i].message), 0);
    }
    expect(c, "", "a headline", c->told->headline[0] != '\0', 1);
}

/* What is printed can be read, and is nothing that steers a terminal. */
static void
check_print(const struct explanations *explanations, struct buf *complaints)
{
    static const enum report_format formats[] = {REPORT_JSON, REPORT_DIFF};
    struct error err = ERROR_INIT;

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        const struct report_options options = {
            .format = formats[i], .width = 80, .text_width = 80, .dry_run = true};
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);

        report_write_explanations(stream, explanations, &options, &err);
        fclose(stream);
        struct document *document =
            formats[i] == REPORT_JSON ? document_parse_json(text, size, 1, &err) : NULL;

        if (formats[i] == REPORT_JSON && document == NULL) {
            buf_printf(complaints, "explained: the JSON cannot be read: %s\n", err.message);
        }
        for (size_t at = 0; at < size; at++) {
            if ((unsigned char)text[at] < ' ' && text[at] != '\n') {
                buf_printf(complaints, "explained: a control character is printed\n");
                break;
            }
        }
        document_free(document);
        free(text);
    }
}

static unsigned
check_all(struct arena *arena, const struct planned_fleet *planned, const struct plan *plan,
          const struct plan_trace *trace, struct buf *complaints)
{
    const struct fleet *fleet = planned->fleet;
    const struct explain_subject subject = {.fleet = fleet,
                                            .diagnosis = planned->diagnosis,
                                            .policy = planned->policy,
                                            .plan = plan,
                                            .trace = trace};
    const struct explanation **items =
        ARENA_ARRAY(arena, const struct explanation *, fleet->n_bindings);
    struct case_ c = {
        .planned = planned,
        .scheduler = scheduler_new(arena, fleet),
        .complaints = complaints,
    };

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        items[i] = explain(arena, &subject, i);
        c.binding = &fleet->bindings[i];
        c.decision = plan_decision(arena, planned->plan, fleet, i);
        c.told = items[i];
        check_clusters(&c);
        check_attempts(&c);
        check_findings(&c);
        check_decision(&c);
    }
    const struct report report = {
        .fleet = fleet,
        .diagnosis = planned->diagnosis,
        .coverage = coverage_of(arena, fleet, planned->diagnosis, planned->policy),
        .origin = &(struct fleet_origin){.path = "world"},
        .policy = planned->policy,
        .plan = plan,
    };

    const struct explanations explanations = {
        .report = &report, .items = items, .count = fleet->n_bindings};

    check_print(&explanations, complaints);
    return c.met;
}

unsigned
explained_check(const struct planned_fleet *planned, struct buf *complaints)
{
    const struct fleet *fleet = planned->fleet;
    struct arena *arena = arena_new();
    struct plan_trace *trace = plan_trace_new(arena, fleet);
    const struct plan_inputs inputs = {
        .fleet = fleet,
        .diagnosis = planned->diagnosis,
        .policy = planned->policy,
        .ledger = ledger_new(arena, fleet, planned->diagnosis, planned->policy),
        .run_accounts =
            run_accounts_new(arena, fleet, planned->diagnosis, &planned->policy->limits),
    };

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        plan_trace_ask(trace, i);
    }
    const struct plan *plan = plan_fleet_traced(arena, &inputs, trace);

    unsigned met = check_all(arena, planned, plan, trace, complaints);

    arena_free(arena);
    return met;
}
