/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one cycle for run, plan and undo: fleet, cycle, report and exit status.
 */
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/cycle/cycle.h"
#include "ballast/report/history_report.h"
#include "cli/options/invocation.h"
#include "question.h"
#include "records.h"
#include "run.h"
#include "run_shards.h"
#include "telemetry.h"
#include "write_run_record.h"

#define PROBLEMS_LOGGED_MAX 20
#define NOTICES_LOGGED_MAX 20
#define DEFAULT_WIDTH 120 /* without a terminal */

/* --now=+10m counts from the capture of the fleet, which is known only after the read. */
static void
set_now(const struct invocation *invocation, const struct fleet *fleet)
{
    const struct time_setting *now = &invocation->settings->now;

    if (now->given) {
        int64_t captured =
            fleet->captured_at != TIME_NONE ? fleet->captured_at : invocation->cli->wall_clock;

        invocation->settings->policy.now =
            now->relative ? timestamp_add(captured, now->nanos) : now->nanos;
    }
}

static void
was_read(void *context, const struct fleet *fleet)
{
    const struct invocation *invocation = ((const struct watched *)context)->invocation;

    set_now(invocation, fleet);
    if (invocation->settings->policy.scope.n_workloads > 0) {
        resolve_workloads(invocation, fleet);
    }
}

/* Logs what was read before anything is planned. */
static void
was_surveyed(void *context, const struct fleet *fleet)
{
    const struct watched *watched = context;

    if (watched->port->was_surveyed != NULL) {
        watched->port->was_surveyed(watched->port->context, fleet);
    }
    log_fleet(watched->invocation, fleet);
}

static void
wrote(void *context, const struct report *report, const struct write_outcome *write)
{
    const struct watched *watched = context;
    const char *record = watched->record != NULL ? run_record_id(watched->record) : NULL;

    if (watched->port->wrote != NULL) {
        watched->port->wrote(watched->port->context, report, record, write);
    }
}

static void
on_phase(void *context, enum cycle_phase phase, bool begins)
{
    const struct invocation *invocation = ((const struct watched *)context)->invocation;

    telemetry_phase(invocation, cycle_phase_name(phase), begins);
}

struct cycle_watch
watch_cycle(struct watched *watched)
{
    return (struct cycle_watch){watched, was_read, was_surveyed, wrote, on_phase};
}

void
log_fleet(const struct invocation *invocation, const struct fleet *fleet)
{
    const struct logger *logger = &invocation->logger;

    for (uint32_t i = 0; i < fleet->n_problems && i < PROBLEMS_LOGGED_MAX; i++) {
        log_line(logger, LOG_ERROR, 0, "skipped %s: %s", fleet->problems[i].object,
                 fleet->problems[i].message);
    }
    if (fleet->n_problems > PROBLEMS_LOGGED_MAX) {
        log_line(logger, LOG_ERROR, 0, "... and %u more that were skipped",
                 (unsigned)(fleet->n_problems - PROBLEMS_LOGGED_MAX));
    }
    if (fleet_has_descheduler(fleet, invocation->settings->policy.now != TIME_NONE
                                         ? invocation->settings->policy.now
                                         : fleet->captured_at)) {
        log_line(logger, LOG_WARNING, 0,
                 "karmada-descheduler seems to run as well: two writers fight, stop one");
    }
    shards_check(invocation, fleet);
    log_line(logger, LOG_INFO, 1, "fleet: %u clusters, %u bindings", (unsigned)fleet->n_clusters,
             (unsigned)fleet->n_bindings);
}

/* True if the report on the same terminal says what a warning would say. */
static bool
is_said_by_report(const struct invocation *invocation)
{
    const struct cli *cli = invocation->cli;
    const enum report_format format = invocation->settings->format;

    return cli->err_is_terminal && cli->out_is_terminal &&
           (format == REPORT_DIFF || format == REPORT_TABLE || format == REPORT_WIDE);
}

/* A member whose cluster is not ready rarely answers, so that is no warning. */
void
log_unseen(const struct invocation *invocation, const struct report *report)
{
    const struct logger *logger = &invocation->logger;
    const struct coverage *coverage = report->coverage;

    if (is_said_by_report(invocation)) {
        return;
    }
    for (uint32_t i = 0; i < coverage->n_unseen && i < PROBLEMS_LOGGED_MAX; i++) {
        const struct unseen_member *unseen = &coverage->unseen[i];

        log_line(logger, unseen->is_ready ? LOG_WARNING : LOG_INFO, 1,
                 "member %s: not seen: %s: %s", report->fleet->clusters[unseen->cluster].name,
                 unseen->parts, unseen->message);
    }
    if (coverage->n_unseen > PROBLEMS_LOGGED_MAX) {
        log_line(logger, LOG_WARNING, 0, "... and %u more members that were not seen whole",
                 (unsigned)(coverage->n_unseen - PROBLEMS_LOGGED_MAX));
    }
}

/* The owner may think that the binding is in scope, and the report does not list it. */
static void
log_unclear_annotations(const struct logger *logger, const struct report *report)
{
    unsigned logged = 0;

    for (uint32_t i = 0; i < report->fleet->n_bindings && logged < PROBLEMS_LOGGED_MAX; i++) {
        const struct binding *binding = &report->fleet->bindings[i];
        const struct binding_state *state = &report->diagnosis->bindings[i];

        if (state->left_alone == LEFT_ALONE_OPTED_OUT && diagnose_opt_out_is_unclear(binding)) {
            log_line(logger, LOG_WARNING, 0, "binding %s%s%s: %s", binding->namespace_,
                     str_is_empty(binding->namespace_) ? "" : "/", binding->name,
                     state->left_alone_reason);
            logged++;
        }
    }
}

static void
log_notices(const struct logger *logger, const struct notice_list *notices)
{
    for (uint32_t i = 0; i < notices->count && i < NOTICES_LOGGED_MAX; i++) {
        log_line(logger, LOG_WARNING, 0, "%s: %s", notices->items[i].about,
                 notices->items[i].message);
    }
    if (notices->count > NOTICES_LOGGED_MAX) {
        log_line(logger, LOG_WARNING, 0, "... and %u more notices, see the report as json",
                 (unsigned)(notices->count - NOTICES_LOGGED_MAX));
    }
}

/* One reason may stop all writes, so the first is enough. */
static const char *
first_failure(const struct outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->n_writes; i++) {
        const struct write_outcome *write = &outcome->writes[i];

        if (write->status >= WRITE_CONFLICT && write->status < WRITE_NEEDLESS) {
            return write->message;
        }
    }
    return "";
}

/* Nothing moves for a silent agent, so the report would not show it. */
static void
log_silent_agents(const struct logger *logger, const struct report *report)
{
    for (uint32_t i = 0; i < report->fleet->n_clusters; i++) {
        const struct cluster_health *health = &report->diagnosis->clusters[i];

        if (health->agent_down) {
            log_line(logger, LOG_WARNING, 0,
                     "AgentDown: cluster %s: %s: nothing leaves it for that",
                     report->fleet->clusters[i].name, health->reason);
        }
    }
}

static void
log_guard(const struct logger *logger, const struct report *report)
{
    if (report->undo == NULL && report->diagnosis->guard_tripped) {
        log_line(logger, LOG_WARNING, 0, "%s in this run: %s", report->diagnosis->guard_verdict,
                 report->diagnosis->guard_reason);
    }
    if (report->undo == NULL && !str_is_empty(report->diagnosis->guard_warning)) {
        log_line(logger, LOG_WARNING, 0, "%s", report->diagnosis->guard_warning);
    }
}

static void
log_outcome(const struct invocation *invocation, const struct report *report)
{
    const struct logger *logger = &invocation->logger;

    if (!is_said_by_report(invocation)) {
        log_notices(logger, &report->notices);
        log_guard(logger, report);
        log_silent_agents(logger, report);
    }
    log_unclear_annotations(logger, report);
    if (report->outcome != NULL && report->outcome->n_failed > 0) {
        log_line(logger, LOG_ERROR, 0, "%u of %u writes failed: %s",
                 (unsigned)report->outcome->n_failed, (unsigned)report->outcome->n_writes,
                 first_failure(report->outcome));
    }
    if (report->outcome != NULL && report->outcome->n_pending > 0) {
        log_line(logger, LOG_WARNING, 0, "stopped: %u of %u writes were not made",
                 (unsigned)report->outcome->n_pending, (unsigned)report->outcome->n_writes);
    }
}

/* Returns the number of bindings that an undo could not restore. */
static uint32_t
count_not_put_back(const struct report *report)
{
    const struct plan_totals *totals = &report->plan->totals;

    return totals->by_action[ACTION_BLOCKED] + totals->by_action[ACTION_LEFT_ALONE] +
           totals->by_action[ACTION_DEFERRED] + report->notices.count;
}

/* Returns the status of the most important result. */
static enum exit_status
status_of_result(const struct invocation *invocation, const struct cycle_result *result)
{
    const struct report *report = &result->report;
    bool failed = report->outcome != NULL && report->outcome->n_failed > 0;

    if (*invocation->cli->stop) {
        return STATUS_STOPPED;
    }
    if (report->undo == NULL && report->diagnosis->guard_tripped) {
        return STATUS_REFUSED;
    }
    failed = failed || (report->undo != NULL && count_not_put_back(report) > 0);
    if (failed || fleet_is_unread(result->surveyed)) {
        return STATUS_ERROR;
    }
    if (report->coverage->is_blind) {
        return STATUS_UNSEEN;
    }
    bool is_dry = report->outcome == NULL || invocation->settings->control_plane.server_dry_run;
    bool found = is_dry && report->plan->totals.changed > 0;

    return found && invocation->settings->detailed_exitcode ? STATUS_CHANGES : STATUS_DONE;
}

uint32_t
report_width(const struct cli *cli)
{
    return cli->out_columns > 0 ? cli->out_columns : DEFAULT_WIDTH;
}

static uint32_t
limit_of(const struct settings *settings)
{
    if (settings->limit != LIMIT_NOT_GIVEN) {
        return settings->limit;
    }
    return report_format_limit(settings->format);
}

bool
cli_writes_utf8(const struct cli *cli)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = cli->getenv != NULL ? cli->getenv(names[i]) : NULL;

        if (value != NULL && !str_is_empty(value)) {
            return strcasestr(value, "utf-8") != NULL || strcasestr(value, "utf8") != NULL;
        }
    }
    return false;
}

struct report_options
report_shape(const struct invocation *invocation)
{
    const struct settings *settings = invocation->settings;
    const struct cli *cli = invocation->cli;

    return (struct report_options){
        .format = settings->format,
        .all = settings->all,
        .colour = invocation_colours(invocation, cli->out_is_terminal),
        .limit = limit_of(settings),
        .bars = !cli->out_is_terminal  ? BARS_NONE
                : cli_writes_utf8(cli) ? BARS_UNICODE
                                       : BARS_ASCII,
        .width = report_width(cli),
        .text_width = cli->out_columns,
        .config_file = settings->config_file,
        .kubeconfig = settings->control_plane.kubeconfig,
        .run_flags = plan_flags(invocation, FOR_RUN),
        .explain_flags = plan_flags(invocation, FOR_EXPLAIN),
        .stop = cli->stop,
    };
}

/* Returns the runs on this fleet, by their records, for a page. NULL: other formats, or no records
 * can be read. */
static const struct history_report *
history_of(const struct invocation *invocation, const struct fleet_origin *origin)
{
    const struct history_question any = {.name = NULL};
    struct history_report *ret = ARENA_NEW(invocation->arena, struct history_report);
    struct record_list list;

    if (invocation->settings->format != REPORT_HTML || !records_read_kept(invocation, &list)) {
        return NULL;
    }
    const struct record **own = ARENA_ARRAY(invocation->arena, const struct record *, list.count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < list.count; i++) {
        if (record_is_of(list.items[i], origin)) {
            own[count++] = list.items[i];
        }
    }
    *ret = (struct history_report){
        .history = history_new(invocation->arena, own, count, &any),
        .place = records_place(invocation),
        .since = TIME_NONE,
        .workload = "",
        .flags = records_flags(invocation),
    };
    return ret;
}

static bool
print_report(const struct invocation *invocation, const struct report *report, struct error *err)
{
    const bool server_dry_run = invocation->settings->control_plane.server_dry_run;
    const bool was_written = report->outcome != NULL;
    struct report_options shape = report_shape(invocation);

    shape.dry_run = !was_written || server_dry_run;
    shape.server_dry_run = was_written && server_dry_run;
    shape.stop = was_written ? NULL : shape.stop;
    return report_write(invocation->cli->out, report, &shape, err);
}

static enum exit_status
finish_run(const struct invocation *invocation, struct cycle_result *result)
{
    struct error err = ERROR_INIT;

    result->report.history = history_of(invocation, result->report.origin);
    log_unseen(invocation, &result->report);
    log_outcome(invocation, &result->report);
    telemetry_phase(invocation, "report", true);
    bool is_printed = print_report(invocation, &result->report, &err);

    telemetry_phase(invocation, "report", false);
    if (!is_printed && !cli_reader_is_gone(invocation->cli)) {
        error_wrap(&err, "writing the report");
        return cli_fail(invocation, &err);
    }
    return status_of_result(invocation, result);
}

struct port_question {
    struct write_question question;
    const struct fleet_port *port;
};

static bool
ask(void *context, const struct report *report)
{
    struct port_question *asking = context;
    const struct fleet_port *port = asking->port;
    bool agreed = question_ask(&asking->question, report);

    if (port->waited != NULL) {
        port->waited(port->context, asking->question.waited);
    }
    return agreed;
}

/* The answer was no, or missing, or a signal came first. */
static enum exit_status
status_of_refusal(const struct cli *cli)
{
    return *cli->stop ? STATUS_STOPPED : STATUS_ERROR;
}

enum exit_status
port_fail(const struct invocation *invocation, const struct fleet_port *port,
          const struct cycle_result *result, const struct error *err)
{
    if (port->unread != NULL && result->fleet == NULL) {
        port->unread(port->context, err);
    }
    return cli_fail(invocation, err);
}

static enum exit_status
end_cycle(const struct invocation *invocation, const struct fleet_port *port,
          struct run_record *run_record, struct cycle_result *result)
{
    struct error err = ERROR_INIT;
    bool is_recorded = run_record_close(run_record, &result->report, &err);

    if (port->before_report != NULL) {
        port->before_report(port->context, result);
    }
    telemetry_take(invocation->telemetry, &result->report);
    if (!is_recorded) {
        log_line(&invocation->logger, LOG_ERROR, 0,
                 "the record does not say what became of the writes: %s", err.message);
    }
    if (result->is_declined) {
        return status_of_refusal(invocation->cli);
    }
    enum exit_status status = finish_run(invocation, result);

    return is_recorded || status != STATUS_DONE ? status : STATUS_ERROR;
}

static enum exit_status
run_cycle_on(const struct invocation *invocation, const struct fleet_port *port,
             const struct undo_request *undo)
{
    const struct cli *cli = invocation->cli;
    struct run_record run_record;
    struct watched watched = {invocation, port, &run_record};
    struct port_question asking = {.question = {.invocation = invocation}, .port = port};
    const struct confirmation confirmation = {&asking, ask};

    run_record_init(&run_record, invocation, undo != NULL ? "undo" : "run");
    struct cycle cycle = {
        .backend = port->backend,
        .writes = port->writes,
        .watch = watch_cycle(&watched),
        .confirmation = question_is_due(cli, invocation->settings) ? &confirmation : NULL,
        .journal = run_record_journal(&run_record),
        .undo = undo != NULL ? undo->undo : NULL,
        .policy = &invocation->settings->policy,
        .wall_clock = cli->wall_clock,
        .stop = cli->stop,
        .time_limit = port->time_limit,
    };
    struct cycle_result result = {.fleet = NULL};
    struct error err = ERROR_INIT;
    enum exit_status status;

    if (cycle_run(&cycle, &result, &err)) {
        status = end_cycle(invocation, port, &run_record, &result);
    } else {
        status = port_fail(invocation, port, &result, &err);
    }
    run_record_release(&run_record);
    cycle_result_release(&result);
    return status;
}

static enum exit_status
run_on_port(const struct invocation *invocation, const struct fleet_port *port, void *context)
{
    (void)context;
    return run_cycle_on(invocation, port, NULL);
}

static enum exit_status
undo_on_port(const struct invocation *invocation, const struct fleet_port *port, void *context)
{
    const struct undo_request *undo = context;
    struct error err = ERROR_INIT;

    if (!invocation->settings->any_fleet && !records_are_of(undo, port->backend->origin, &err)) {
        return cli_fail(invocation, &err);
    }
    return run_cycle_on(invocation, port, undo);
}

enum exit_status
run_undo(const struct invocation *invocation, const struct undo_request *undo, bool writes)
{
    struct undo_request request = *undo;

    return telemetry_use_fleet(
        invocation,
        &(struct fleet_use){.run = undo_on_port, .context = &request, .writes = writes});
}

enum exit_status
run_cycle(const struct invocation *invocation, bool writes)
{
    const struct shard_settings *shards = &invocation->settings->shards;

    if (shards->shard.count > 0 && str_is_empty(shards->summaries)) {
        return cli_refuse(invocation->cli,
                          "--shard: where are the summaries? (--summaries DIR|configmap:PREFIX)");
    }
    enum exit_status status = read_workloads(invocation);

    if (status != STATUS_DONE) {
        return status;
    }
    return telemetry_use_fleet(
        invocation, &(struct fleet_use){.run = run_on_port,
                                        .writes = writes,
                                        .from_summaries = !str_is_empty(shards->summaries)});
}
