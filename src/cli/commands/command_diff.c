/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast diff: shows what changed between two looks at a fleet, and who changed it.
 */
#include <sys/stat.h>

#include "ballast/report/compare_report.h"
#include "cli/options/invocation.h"
#include "cli/run/records.h"
#include "cli/run/run.h"
#include "commands.h"

#define LIVE "live"
#define N_LOOKS 2

const struct setting_word look_words[] = {{LIVE, 0, "the control plane as it is now"},
                                          {NULL, 0, NULL}};

/* One look: read, surveyed and diagnosed as in a run of its own. */
struct look {
    struct invocation invocation; /* with the look's settings */
    struct settings settings;     /* with the look's time */
    struct fleet_origin origin;
    struct cycle_result result;
    bool is_there;
};

static const char *
kept(const struct invocation *invocation, const char *text)
{
    return text != NULL ? arena_printf(invocation->arena, "%s", text) : NULL;
}

/* The port frees its origin when it closes. */
static struct fleet_origin
keep_origin(const struct invocation *invocation, const struct fleet_origin *origin)
{
    return (struct fleet_origin){.path = kept(invocation, origin->path),
                                 .server = kept(invocation, origin->server),
                                 .context = kept(invocation, origin->context),
                                 .user = kept(invocation, origin->user)};
}

static enum exit_status
look_on_port(const struct invocation *invocation, const struct fleet_port *port, void *context)
{
    struct look *look = context;
    struct watched watched = {invocation, port, NULL};
    const struct cycle cycle = {
        .backend = port->backend,
        .watch = watch_cycle(&watched),
        .policy = &invocation->settings->policy,
        .wall_clock = invocation->cli->wall_clock,
        .stop = invocation->cli->stop,
        .time_limit = port->time_limit,
    };
    struct error err = ERROR_INIT;

    if (!cycle_observe(&cycle, &look->result, &err)) {
        return port_fail(invocation, port, &look->result, &err);
    }
    if (port->before_report != NULL) {
        port->before_report(port->context, &look->result);
    }
    look->origin = keep_origin(invocation, port->backend->origin);
    look->result.report.origin = &look->origin;
    look->is_there = true;
    log_unseen(invocation, &look->result.report);
    return STATUS_DONE;
}

static enum exit_status
take_look(const struct invocation *invocation, const char *argument, struct look *ret)
{
    const bool is_live = str_eq(argument, LIVE);

    ret->settings = *invocation->settings;
    ret->settings.fleet = is_live ? "" : argument;
    if (!is_live) { /* --kubeconfig and --context are for the look `live` */
        ret->settings.control_plane.kubeconfig = ret->settings.control_plane.context = "";
    }
    ret->invocation = *invocation;
    ret->invocation.settings = &ret->settings;
    return use_fleet(&ret->invocation, &(struct fleet_use){.run = look_on_port, .context = ret});
}

static bool
read_file(const struct invocation *invocation, const char *path, struct comparison_request *ret,
          struct error *err)
{
    const struct record **records = ARENA_ARRAY(invocation->arena, const struct record *, 1);

    records[0] = record_read(invocation->arena, path, err);
    ret->records = records;
    ret->n_records = 1;
    return records[0] != NULL;
}

static bool
read_records(const struct invocation *invocation, struct comparison_request *ret, struct error *err)
{
    const char *place = invocation->settings->policy.records.directory;
    struct record_list list = {.count = 0};
    struct records records;
    struct stat info;

    if (str_is_empty(place)) {
        return true;
    }
    if (stat(place, &info) == 0 && !S_ISDIR(info.st_mode)) {
        return read_file(invocation, place, ret, err);
    }
    bool done = records_open(invocation, place, &records, err) &&
                (records_read_all(invocation, &records.store, &list, err) ||
                 records_wrap_error(&records, err));

    records_close(&records);
    ret->records = list.items;
    ret->n_records = list.count;
    return done;
}

static struct compared_look
compared(const struct look *look)
{
    const struct report *report = &look->result.report;

    return (struct compared_look){report->fleet, report->diagnosis, report->coverage,
                                  report->policy};
}

static enum exit_status
status_of(const struct invocation *invocation, const struct look looks[N_LOOKS],
          const struct comparison *comparison)
{
    bool is_bad = false, is_blind = false;

    for (int i = 0; i < N_LOOKS; i++) {
        is_bad = is_bad || fleet_is_unread(looks[i].result.surveyed);
        is_blind = is_blind || looks[i].result.report.coverage->is_blind;
    }
    if (*invocation->cli->stop) {
        return STATUS_STOPPED;
    }
    if (is_bad || is_blind) {
        return is_bad ? STATUS_ERROR : STATUS_UNSEEN;
    }
    return invocation->settings->detailed_exitcode && !comparison_is_empty(comparison)
               ? STATUS_CHANGES
               : STATUS_DONE;
}

static enum exit_status
compare_looks(const struct invocation *invocation, const struct look looks[N_LOOKS])
{
    struct comparison_request request = {
        .before = compared(&looks[0]),
        .after = compared(&looks[1]),
        .any_fleet = invocation->settings->any_fleet,
    };
    struct error err = ERROR_INIT;

    if (!read_records(invocation, &request, &err)) {
        return cli_fail(invocation, &err);
    }
    const struct comparison *comparison = compare(looks[1].result.arena, &request, &err);

    if (comparison == NULL) {
        return cli_fail(invocation, &err);
    }
    const struct comparison_report report = {comparison, &looks[0].result.report,
                                             &looks[1].result.report};
    struct report_options shape = report_shape(invocation);

    shape.dry_run = true;
    if (!report_write_comparison(invocation->cli->out, &report, &shape, &err) &&
        !cli_reader_is_gone(invocation->cli)) {
        error_wrap(&err, "writing the comparison");
        return cli_fail(invocation, &err);
    }
    return status_of(invocation, looks, comparison);
}

/* Standard input can be read only once. */
static bool
reads_twice(const struct invocation *invocation)
{
    int count = str_eq(invocation->settings->config_file, "-") ? 1 : 0;

    for (int i = 0; i < N_LOOKS; i++) {
        count += str_eq(invocation->arguments[i], "-") ? 1 : 0;
    }
    return count > 1;
}

static enum exit_status
refuse_arguments(const struct invocation *invocation)
{
    const struct control_plane_settings *live = &invocation->settings->control_plane;
    const char *const *arguments = invocation->arguments;

    if (invocation->n_arguments < N_LOOKS) {
        return cli_refuse(invocation->cli, "diff: which two looks? (ballast diff SNAPSHOT "
                                           "SNAPSHOT, or ballast diff SNAPSHOT live)");
    }
    if (str_eq(arguments[0], LIVE)) {
        return cli_refuse(invocation->cli,
                          "diff: the first look is a snapshot, and live only the second");
    }
    if (!str_eq(arguments[1], LIVE) &&
        (!str_is_empty(live->kubeconfig) || !str_is_empty(live->context))) {
        return cli_refuse(invocation->cli,
                          "diff: --%s is for the look live, and neither is: leave it out",
                          str_is_empty(live->kubeconfig) ? "context" : "kubeconfig");
    }
    if (reads_twice(invocation)) {
        return cli_refuse(invocation->cli,
                          "diff: give one look, or --config, as -, since there is one standard "
                          "input");
    }
    return STATUS_DONE;
}

enum exit_status
command_diff(const struct invocation *invocation)
{
    enum exit_status status = refuse_arguments(invocation);
    struct look looks[N_LOOKS] = {{.is_there = false}};

    for (int i = 0; i < N_LOOKS && status == STATUS_DONE; i++) {
        status = take_look(invocation, invocation->arguments[i], &looks[i]);
    }
    if (looks[0].is_there && looks[1].is_there && status == STATUS_DONE) {
        status = compare_looks(invocation, looks);
    }
    for (int i = 0; i < N_LOOKS; i++) {
        cycle_result_release(&looks[i].result);
    }
    return status;
}
