/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks before a run by hand writes. No answer is a no: the fleet changes meanwhile, and the Lease
 * blocks the next run.
 */
#include "question.h"
#include "run.h"

#include <ctype.h>
#include <poll.h>
#include <unistd.h>

#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"

#define MAX_REPLICAS 500 /* enough for most incidents, few enough to review */
#define PATIENCE (2 * NANOS_PER_MINUTE)
#define GLANCE_MILLISECONDS 200 /* between checks of `stop` */
#define WHERE_MAX 8192

bool
question_is_due(const struct cli *cli, const struct settings *settings)
{
    return cli->in_is_terminal && cli->err_is_terminal && !settings->yes && !settings->dry_run &&
           !settings->control_plane.server_dry_run && !settings->help;
}

void
question_set_limit(struct settings *settings)
{
    settings->policy.limits.of[LIMIT_RUN_REPLICAS] =
        (struct limit){.unit = LIMIT_UNIT_COUNT, .value = MAX_REPLICAS};
}

static int64_t
monotonic(const struct cli *cli)
{
    return cli->clock.monotonic(cli->clock.context);
}

static char
read_byte(const struct cli *cli, int64_t until)
{
    struct pollfd in = {.fd = cli->in, .events = POLLIN};
    char byte = '\0';
    bool is_over = false;

    while (!is_over && !*cli->stop && monotonic(cli) < until) {
        is_over = poll(&in, 1, GLANCE_MILLISECONDS) == 1;
    }
    if (is_over && read(cli->in, &byte, 1) != 1) {
        byte = '\0';
    }
    return byte;
}

/* Returns the first letter of the next line, in lower case. '\0': none came in time. */
static char
read_letter(const struct cli *cli, int64_t until)
{
    const char letter = read_byte(cli, until);
    char last = letter;

    while (last != '\n' && last != '\0') {
        last = read_byte(cli, until);
    }
    return (char)tolower((unsigned char)letter);
}

static const char *
limit_text(struct arena *arena, const struct policy *policy)
{
    const struct limit *limit = &policy->limits.of[LIMIT_RUN_REPLICAS];

    if (limit->unit == LIMIT_UNIT_NONE) {
        return "No limit is set to how many it moves";
    }
    return arena_printf(arena, "It moves %lld%s at most", (long long)limit->value,
                        limit->unit == LIMIT_UNIT_PERCENT ? "% of all replicas" : " replicas");
}

/* Returns " and moves 3 replicas". Limits do not count added replicas: separate numbers. */
static const char *
replicas_text(struct arena *arena, const struct plan_totals *totals)
{
    const long long moved = totals->replicas_moved, added = totals->replicas_added;
    const bool only_adds = moved == 0 && added > 0;
    const long long first = only_adds ? added : moved;
    const char *also = !only_adds && added > 0 ? arena_printf(arena, " and adds %lld", added) : "";

    return arena_printf(arena, "%s %s %lld %s%s", str_is_empty(also) ? " and" : ",",
                        only_adds ? "adds" : "moves", first, first == 1 ? "replica" : "replicas",
                        also);
}

static void
put_question(const struct invocation *invocation, const struct report *report)
{
    const struct fleet_origin *origin = report->origin;
    const struct plan_totals *totals = &report->plan->totals;
    struct buf where;

    buf_init(&where, WHERE_MAX);
    if (origin->path == NULL && !str_is_empty(origin->context)) {
        buf_append_str(&where, "context ");
        text_append_line(&where, origin->context);
        buf_append_str(&where, ", ");
    }
    text_append_line(&where, origin->path != NULL ? origin->path : origin->server);
    fprintf(invocation->cli->err,
            "This %s changes %u %s%s. %s (--max-replicas-moved).\n"
            "Write it to %s? [y/N, d shows the changes] ",
            report->undo != NULL ? "undo" : "run", (unsigned)totals->changed,
            totals->changed == 1 ? "binding" : "bindings", replicas_text(invocation->arena, totals),
            limit_text(invocation->arena, report->policy), buf_text(&where));
    fflush(invocation->cli->err);
    buf_release(&where);
}

static struct report_options
shape_of(const struct invocation *invocation)
{
    const uint32_t given = invocation->settings->limit;

    return (struct report_options){
        .format = REPORT_DIFF,
        .colour = invocation_colours(invocation, invocation->cli->err_is_terminal),
        .limit = given == LIMIT_NOT_GIVEN ? REPORT_LIMIT_TERMINAL : given,
        .width = report_width(invocation->cli),
        .text_width = invocation->cli->out_columns,
        .dry_run = true,
        .is_question = true,
        .config_file = invocation->settings->config_file,
        .stop = invocation->cli->stop,
    };
}

bool
question_ask(struct write_question *question, const struct report *report)
{
    const struct invocation *invocation = question->invocation;
    const struct cli *cli = invocation->cli;
    const struct report_options shape = shape_of(invocation);
    const int64_t begun = monotonic(cli);
    struct error ignored = ERROR_INIT;
    char letter = 'd';

    report_write_totals(cli->err, report, &shape);
    put_question(invocation, report);
    while ((letter = read_letter(cli, begun + PATIENCE)) == 'd') {
        report_write(cli->err, report, &shape, &ignored);
        put_question(invocation, report);
    }
    question->waited = monotonic(cli) - begun;
    if (letter != 'y') {
        fputs(letter == '\0' ? "\n" : "", cli->err); /* ends the question's line */
        cli_end(invocation,
                *cli->stop ? "stopped before anything was written" : "nothing was written");
    }
    return letter == 'y';
}
