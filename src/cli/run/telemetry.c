/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures phases and sums of a run, and writes them to the log and as metrics.
 */
#include "telemetry.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/file_replace.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "metrics_push.h"

#define SUCCESS_HEAD ((size_t)64 << 10) /* an older file has it at the beginning */
#define READABLE 0644                   /* node_exporter is another user */

static int64_t
monotonic(const struct telemetry *telemetry)
{
    const struct clock *clock = &telemetry->invocation->cli->clock;

    return clock->monotonic(clock->context);
}

static const struct metrics_policy *
policy_of(const struct telemetry *telemetry)
{
    return &telemetry->invocation->settings->policy.metrics;
}

static bool
wants_metrics(const struct telemetry *telemetry)
{
    return !str_is_empty(policy_of(telemetry)->file) ||
           !str_is_empty(policy_of(telemetry)->push.url);
}

static void
begin(struct telemetry *telemetry, const struct invocation *invocation, bool writes)
{
    const struct settings *settings = invocation->settings;

    *telemetry = (struct telemetry){
        .invocation = invocation,
        .command = invocation->command,
        .control_plane = settings->policy.metrics.control_plane,
        .is_dry = !writes || settings->control_plane.server_dry_run,
    };
    telemetry->begun = monotonic(telemetry);
    buf_init(&telemetry->of_report, METRICS_TEXT_MAX);
}

static void
release(struct telemetry *telemetry)
{
    buf_release(&telemetry->of_report);
}

static struct telemetry_phase *
phase_of(struct telemetry *telemetry, const char *name)
{
    for (size_t i = 0; i < telemetry->n_phases; i++) {
        if (str_eq(telemetry->phases[i].name, name)) {
            return &telemetry->phases[i];
        }
    }
    if (telemetry->n_phases == TELEMETRY_PHASES_MAX) {
        BUG("more phases than there is room for: %s", name);
    }
    struct telemetry_phase *phase = &telemetry->phases[telemetry->n_phases++];

    phase->name = name;
    return phase;
}

void
telemetry_phase(const struct invocation *invocation, const char *name, bool begins)
{
    struct telemetry *telemetry = invocation->telemetry;

    if (telemetry == NULL) {
        return;
    }
    struct telemetry_phase *phase = phase_of(telemetry, name);

    if (begins) {
        phase->begun = monotonic(telemetry);
    } else {
        phase->took += monotonic(telemetry) - phase->begun;
    }
}

void
telemetry_name(struct telemetry *telemetry, const char *server)
{
    if (telemetry == NULL || !str_is_empty(telemetry->control_plane)) {
        return;
    }
    const char *scheme = strstr(server, "://");

    telemetry->control_plane =
        arena_printf(telemetry->invocation->arena, "%s", scheme != NULL ? scheme + 3 : server);
}

void
telemetry_count(struct telemetry *telemetry, const char *client,
                const struct kube_statistics *statistics)
{
    if (telemetry != NULL && telemetry->n_clients < TELEMETRY_CLIENTS_MAX) {
        telemetry->clients[telemetry->n_clients++] = (struct metrics_client){client, *statistics};
    }
}

static struct metrics_labels
labels_of(const struct telemetry *telemetry)
{
    return (struct metrics_labels){telemetry->command, telemetry->control_plane};
}

void
telemetry_take(struct telemetry *telemetry, const struct report *report)
{
    if (telemetry == NULL) {
        return;
    }
    const struct outcome *outcome = report->outcome;
    const struct plan_totals *totals = &report->plan->totals;

    telemetry->has_report = true;
    telemetry->totals = *totals;
    telemetry->sums = (struct report_sums){
        .changed = outcome != NULL ? outcome->n_done : totals->changed,
        .moved = outcome != NULL ? outcome->replicas_moved : totals->replicas_moved,
        .added = outcome != NULL ? outcome->replicas_added : totals->replicas_added,
        .homeless = report_homeless(report),
        .failed = outcome != NULL ? outcome->n_failed : 0,
        .unseen = report->coverage->n_unseen,
        .guard_tripped = report->diagnosis->guard_tripped,
    };
    if (wants_metrics(telemetry)) {
        const struct metrics_labels labels = labels_of(telemetry);

        metrics_append_report(&telemetry->of_report, &labels, report,
                              policy_of(telemetry)->bindings);
    }
}

void
telemetry_take_simulation(struct telemetry *telemetry, const struct simulation_report *simulated)
{
    if (telemetry != NULL && wants_metrics(telemetry)) {
        const struct metrics_labels labels = labels_of(telemetry);

        metrics_append_simulation(&telemetry->of_report, &labels, simulated);
    }
}

static void
log_phases(const struct telemetry *telemetry)
{
    struct log_field fields[TELEMETRY_PHASES_MAX];

    for (size_t i = 0; i < telemetry->n_phases; i++) {
        const struct telemetry_phase *phase = &telemetry->phases[i];

        fields[i] = (struct log_field){.name = phase->name, .number = phase->took, .is_span = true};
    }
    log_fields(&telemetry->invocation->logger, LOG_INFO, 2, "seconds by phase", fields,
               telemetry->n_phases);
}

/* Collectors of JSON lines want a summary of every run; a person has the report. */
static void
log_summary(const struct telemetry *telemetry, enum exit_status status)
{
    const struct logger *logger = &telemetry->invocation->logger;
    const struct plan_totals *totals = &telemetry->totals;
    const struct log_field fields[] = {
        {.name = "command", .text = telemetry->command},
        {.name = "controlPlane", .text = telemetry->control_plane},
        {.name = "status", .number = (int64_t)status},
        {.name = "seconds", .number = monotonic(telemetry) - telemetry->begun, .is_span = true},
        {.name = "dryRun", .number = telemetry->is_dry ? 1 : 0},
        /* only with a plan */
        {.name = "bindings", .number = totals->bindings},
        {.name = "inScope", .number = totals->in_scope},
        {.name = "changed", .number = telemetry->sums.changed},
        {.name = "failed", .number = telemetry->sums.failed},
        {.name = "blocked", .number = totals->by_action[ACTION_BLOCKED]},
        {.name = "deferred", .number = totals->by_action[ACTION_DEFERRED]},
        {.name = "replicasMoved", .number = telemetry->sums.moved},
        {.name = "replicasAdded", .number = telemetry->sums.added},
        {.name = "replicasHomeless", .number = telemetry->sums.homeless},
        {.name = "replicasDeferred", .number = totals->replicas_deferred},
        {.name = "membersUnseen", .number = telemetry->sums.unseen},
        {.name = "guardTripped", .number = telemetry->sums.guard_tripped ? 1 : 0},
    };
    const size_t always = 5;

    log_fields(logger, LOG_INFO, logger->format == LOG_JSON ? 0 : 1, "run ended", fields,
               telemetry->has_report ? sizeof(fields) / sizeof(fields[0]) : always);
}

static bool
is_success(enum exit_status status)
{
    return status == STATUS_DONE || status == STATUS_CHANGES;
}

static struct metrics_run
run_of(const struct telemetry *telemetry, enum exit_status status,
       struct metrics_phase phases[TELEMETRY_PHASES_MAX])
{
    const struct clock *clock = &telemetry->invocation->cli->clock;
    const int64_t now = clock->wall(clock->context);

    for (size_t i = 0; i < telemetry->n_phases; i++) {
        phases[i] = (struct metrics_phase){telemetry->phases[i].name, telemetry->phases[i].took};
    }
    return (struct metrics_run){
        .labels = labels_of(telemetry),
        .version = BALLAST_VERSION,
        .is_dry = telemetry->is_dry,
        .status = (int)status,
        .ended = now,
        .took = monotonic(telemetry) - telemetry->begun,
        .last_success = is_success(status) ? now : TIME_NONE,
        .phases = phases,
        .n_phases = telemetry->n_phases,
        .clients = telemetry->clients,
        .n_clients = telemetry->n_clients,
    };
}

/* Returns the last success in the file of an earlier run. TIME_NONE: none. */
static int64_t
success_before(const char *path, const struct metrics_run *run)
{
    size_t length = 0;
    char *text = file_read_head(path, SUCCESS_HEAD, &length);
    int64_t success = TIME_NONE;

    if (text != NULL) {
        success = metrics_read_success(text, length, run->labels.command, run->ended);
    }
    free(text);
    return success;
}

static void
write_file(const struct telemetry *telemetry, struct metrics_run run, const struct buf *rest)
{
    const char *path = policy_of(telemetry)->file;
    struct error err = ERROR_INIT;
    struct buf text;

    if (run.last_success == TIME_NONE) {
        run.last_success = success_before(path, &run);
    }
    buf_init(&text, METRICS_TEXT_MAX + SUCCESS_HEAD);
    metrics_append_success(&text, &run);
    buf_append(&text, buf_text(rest), rest->length);
    if (!file_replace(path, buf_text(&text), text.length, READABLE, &err)) {
        log_line(&telemetry->invocation->logger, LOG_WARNING, 0, "metrics: %s", err.message);
    }
    buf_release(&text);
}

static void
write_metrics(const struct telemetry *telemetry, const struct metrics_run *run)
{
    struct buf text;

    buf_init(&text, METRICS_TEXT_MAX);
    metrics_append_run(&text, run);
    buf_append(&text, buf_text(&telemetry->of_report), telemetry->of_report.length);
    if (text.overflowed || telemetry->of_report.overflowed) {
        log_line(&telemetry->invocation->logger, LOG_WARNING, 0, "metrics: more than %zu MiB",
                 METRICS_TEXT_MAX >> 20);
    } else {
        if (!str_is_empty(policy_of(telemetry)->file)) {
            write_file(telemetry, *run, &text);
        }
        if (!str_is_empty(policy_of(telemetry)->push.url)) {
            metrics_push(telemetry->invocation, run, &text);
        }
    }
    buf_release(&text);
}

static void
write_telemetry(struct telemetry *telemetry, enum exit_status status)
{
    struct metrics_phase phases[TELEMETRY_PHASES_MAX];
    const struct metrics_run run = run_of(telemetry, status, phases);

    if (wants_metrics(telemetry)) {
        write_metrics(telemetry, &run);
    }
    log_phases(telemetry);
    log_summary(telemetry, status);
}

enum exit_status
telemetry_use_fleet(const struct invocation *invocation, const struct fleet_use *use)
{
    struct telemetry telemetry;
    struct invocation watched = *invocation;

    begin(&telemetry, invocation, use->writes);
    watched.telemetry = &telemetry;
    enum exit_status status = use_fleet(&watched, use);

    write_telemetry(&telemetry, status);
    release(&telemetry);
    return status;
}
