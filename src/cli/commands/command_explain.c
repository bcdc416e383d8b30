/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast explain: explains the state of a workload, and what a run would do about it, today or
 * after a loss of clusters.
 */
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/explain/explain.h"
#include "ballast/report/explain_report.h"

#include "cli/config/config_values.h"
#include "cli/options/invocation.h"
#include "cli/options/simulate_changes.h"
#include "cli/run/records.h"
#include "cli/run/run.h"
#include "commands.h"

#define CLUSTER_PREFIX "cluster/"

/* The changes to simulate first, the bindings to explain, each once, and the clusters. */
struct asked {
    struct change_list changes;
    uint32_t *bindings;
    uint32_t count;
    struct plan_trace *trace; /* of their decisions */
    uint32_t *clusters;       /* in the order of the arguments */
    uint32_t n_clusters;
    struct simulation_report simulated; /* if there are changes */
    const struct report *report;        /* of the plan to explain */
};

/* Returns, by asked binding, the runs that wrote to it. NULL: records are not kept, or cannot be
 * read; an explanation does without. */
static const struct history *const *
read_histories(const struct invocation *invocation, const struct fleet *fleet,
               const struct asked *asked)
{
    const struct history **histories =
        ARENA_ARRAY(invocation->arena, const struct history *, asked->count);
    struct record_list list;

    if (!records_read_kept(invocation, &list)) {
        return NULL;
    }
    for (uint32_t i = 0; i < asked->count; i++) {
        const struct binding *binding = &fleet->bindings[asked->bindings[i]];
        const struct history_question question = {.namespace_ = binding->namespace_,
                                                  .name = binding->name};

        histories[i] = history_new(invocation->arena, list.items, list.count, &question);
    }
    return histories;
}

/* Returns all keys of the configuration with their values and sources. */
static const struct explained_setting *
list_settings(const struct invocation *invocation, uint32_t *ret_count)
{
    const struct config_value *values =
        config_values(invocation->arena, invocation->line, invocation->config, ret_count);
    struct explained_setting *settings =
        ARENA_ARRAY(invocation->arena, struct explained_setting, *ret_count);

    for (uint32_t i = 0; i < *ret_count; i++) {
        settings[i] = (struct explained_setting){values[i].path, values[i].text, values[i].from};
    }
    return settings;
}

static bool
is_cluster(const char *argument)
{
    return strncmp(argument, CLUSTER_PREFIX, strlen(CLUSTER_PREFIX)) == 0;
}

static bool
print_explanations(const struct invocation *invocation, struct arena *arena,
                   const struct asked *asked, struct error *err)
{
    const struct settings *settings = invocation->settings;
    const struct cli *cli = invocation->cli;
    const struct report *report = asked->report;
    struct explain_subject subject = {
        .fleet = report->fleet,
        .diagnosis = report->diagnosis,
        .policy = report->policy,
        .plan = report->plan,
        .trace = asked->trace,
        .coverage = report->coverage,
    };
    const struct explanation **items = ARENA_ARRAY(arena, const struct explanation *, asked->count);

    subject.settings = list_settings(invocation, &subject.n_settings);
    for (uint32_t i = 0; i < asked->count; i++) {
        items[i] = explain(arena, &subject, asked->bindings[i]);
    }
    const struct explanations explanations = {
        .report = report,
        .simulated = asked->changes.count > 0 ? &asked->simulated : NULL,
        .bindings = asked->bindings,
        .items = items,
        .count = asked->count,
        .clusters = asked->clusters,
        .n_clusters = asked->n_clusters,
        .histories = asked->count > 0 ? read_histories(invocation, report->fleet, asked) : NULL,
        .undo_flags = records_flags(invocation),
    };
    const struct report_options shape = {
        .format = settings->format,
        .all = settings->all,
        .colour = invocation_colours(invocation, cli->out_is_terminal),
        .width = report_width(cli),
        .text_width = cli->out_columns,
        .dry_run = true,
        .config_file = settings->config_file,
    };

    return report_write_explanations(cli->out, &explanations, &shape, err);
}

static enum exit_status
status_of(const struct invocation *invocation, const struct cycle_result *result)
{
    if (*invocation->cli->stop) {
        return STATUS_STOPPED;
    }
    if (fleet_is_unread(result->surveyed)) {
        return STATUS_ERROR;
    }
    return result->report.coverage->is_blind ? STATUS_UNSEEN : STATUS_DONE;
}

static enum exit_status
finish_explain(const struct invocation *invocation, const struct cycle_result *result,
               const struct asked *asked)
{
    struct error err = ERROR_INIT;

    log_unseen(invocation, &result->report);
    if (!print_explanations(invocation, result->arena, asked, &err) &&
        !cli_reader_is_gone(invocation->cli)) {
        error_wrap(&err, "writing the explanation");
        return cli_fail(invocation, &err);
    }
    return status_of(invocation, result);
}

/* Takes the arguments "cluster/NAME" out of the list. False with err if there is no such cluster.
 */
static bool
find_clusters(struct invocation *invocation, const struct fleet *fleet, struct asked *ret,
              struct error *err)
{
    const char **rest = ARENA_ARRAY(invocation->arena, const char *, invocation->n_arguments);
    size_t n_rest = 0;

    ret->clusters = ARENA_ARRAY(invocation->arena, uint32_t, invocation->n_arguments);
    for (size_t i = 0; i < invocation->n_arguments; i++) {
        const char *argument = invocation->arguments[i];

        if (!is_cluster(argument)) {
            rest[n_rest++] = argument;
            continue;
        }
        const char *name = argument + strlen(CLUSTER_PREFIX);
        const uint32_t cluster = fleet_find_cluster(fleet, name);

        if (cluster == CLUSTER_NONE) {
            return error_set(err, ERROR_NOT_FOUND, "there is no cluster %s", name);
        }
        ret->clusters[ret->n_clusters++] = cluster;
    }
    invocation->arguments = rest;
    invocation->n_arguments = n_rest;
    return true;
}

/* Finds the bindings and clusters that the arguments name, then plans the whole fleet as a run
 * would, after the changes. */
static bool
plan_asked(const struct invocation *invocation, const struct cycle *cycle,
           struct cycle_result *result, struct asked *ret, struct error *err)
{
    struct invocation workloads = *invocation;

    ret->bindings = ARENA_ARRAY(invocation->arena, uint32_t, result->surveyed->n_bindings);
    if (!find_clusters(&workloads, result->surveyed, ret, err)) {
        return false;
    }
    if (workloads.n_arguments > 0 &&
        !find_named_bindings(&workloads, result->surveyed, ret->bindings, &ret->count, err)) {
        return false;
    }
    ret->trace = plan_trace_new(result->arena, result->surveyed);
    for (uint32_t i = 0; i < ret->count; i++) {
        plan_trace_ask(ret->trace, ret->bindings[i]);
    }
    ret->report = ret->changes.count > 0 ? &ret->simulated.report : &result->report;
    return ret->changes.count > 0 ? simulate_observed(invocation, result, &ret->changes, ret->trace,
                                                      &ret->simulated, err)
                                  : cycle_plan(cycle, result, ret->trace, err);
}

static enum exit_status
explain_on_port(const struct invocation *invocation, const struct fleet_port *port, void *context)
{
    struct watched watched = {invocation, port, NULL};
    const struct cycle cycle = {
        .backend = port->backend,
        .asks_all = true,
        .watch = watch_cycle(&watched),
        .policy = &invocation->settings->policy,
        .wall_clock = invocation->cli->wall_clock,
        .stop = invocation->cli->stop,
        .time_limit = port->time_limit,
    };
    struct cycle_result result = {.fleet = NULL};
    struct asked asked = {.changes = *(const struct change_list *)context};
    struct error err = ERROR_INIT;
    enum exit_status status;

    if (cycle_observe(&cycle, &result, &err) &&
        plan_asked(invocation, &cycle, &result, &asked, &err)) {
        if (port->before_report != NULL) {
            port->before_report(port->context, &result);
        }
        status = finish_explain(invocation, &result, &asked);
    } else {
        status = port_fail(invocation, port, &result, &err);
    }
    cycle_result_release(&result);
    return status;
}

enum exit_status
command_explain(const struct invocation *invocation)
{
    const enum report_format format = invocation->settings->format;
    struct change_list changes;
    struct added_fleets added;
    struct error err = ERROR_INIT;

    if (invocation->n_arguments == 0) {
        return cli_refuse(invocation->cli,
                          "explain: which workload? (ballast explain NAMESPACE/NAME)");
    }
    for (size_t i = 0; i < invocation->n_arguments; i++) {
        if (format != REPORT_DIFF && is_cluster(invocation->arguments[i])) {
            return cli_refuse(invocation->cli, "explain %s: only as text, without --output",
                              invocation->arguments[i]);
        }
    }
    enum exit_status status;

    if (simulate_changes(invocation, &changes, &added, &err)) {
        status =
            use_fleet(invocation, &(struct fleet_use){.run = explain_on_port, .context = &changes});
    } else {
        status = cli_refuse(invocation->cli, "%s", err.message); /* --lose reads no file */
    }
    added_fleets_release(&added);
    return status;
}
