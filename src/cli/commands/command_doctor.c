/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast doctor: names what keeps an operator from a run, and the next step.
 */
#include <string.h>

#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/doctor/doctor.h"
#include "ballast/report/emitter.h"
#include "cli/live/live.h"
#include "cli/live/live_access.h"
#include "cli/options/control_plane_client.h"
#include "cli/options/invocation.h"
#include "cli/run/run.h"
#include "commands.h"

#define RESPONSE_MAX ((size_t)16 << 20)
#define WORDS_MAX ((size_t)8192)
#define PATIENCE (4 * NANOS_PER_SECOND) /* until the first response */
#define CHECK_COLUMNS 14
#define TEXT_COLUMNS_MIN 40
#define DOCUMENT_API_VERSION "ballast.io/v1alpha1"

struct doctor_call {
    const struct invocation *invocation;
    struct doctor_needs needs;
    struct doctor_facts facts;
    struct cycle_result seen; /* the fleet; the facts point into it */
};

static struct doctor_needs
needs_of(const struct invocation *invocation, const struct kube_config *config)
{
    const struct settings *settings = invocation->settings;
    const struct control_plane_settings *live = &settings->control_plane;
    struct doctor_needs needs = {
        .config = config,
        .kubectl = "kubectl",
        .credential = "",
        .config_file = settings->config_file,
        .policy = &settings->policy,
        .platform = settings->platform,
        .kubefed_namespace = settings->kubefed_namespace,
        .access = live->member_access,
        .writes = !settings->dry_run,
        .lease_namespace = live->lease_namespace,
        .lease_name = live->lease_name,
        .lease_duration = live->lease_duration,
        .estimator_namespace = settings->estimator.service_namespace,
    };

    if (config != NULL) {
        struct buf kubectl, credential;

        buf_init(&kubectl, WORDS_MAX);
        kubectl_command(config, live->kubeconfig, &kubectl);
        needs.kubectl = buf_take(&kubectl, invocation->arena);
        buf_init(&credential, WORDS_MAX);
        refused_credential(config, &credential);
        needs.credential = buf_take(&credential, invocation->arena);
    }
    return needs;
}

static void
gather(struct doctor_call *call)
{
    const struct invocation *invocation = call->invocation;
    const struct control_plane_settings *live = &invocation->settings->control_plane;
    struct kube_contact contact = {.patience = PATIENCE};
    struct kube_client_options how = control_plane_client(invocation->cli, live);

    how.deadline = live->deadline;
    how.max_response_bytes = RESPONSE_MAX;
    how.contact = &contact;
    struct kube_client *client =
        kube_client_new(call->needs.config, &how, &call->facts.server.error);

    if (client != NULL) {
        doctor_gather(client, &call->needs, invocation->arena, &call->facts);
    }
    kube_client_free(client);
}

static enum exit_status
observe(const struct invocation *invocation, const struct fleet_port *port, void *context)
{
    struct doctor_call *call = context;
    struct doctor_facts *facts = &call->facts;
    const struct cycle cycle = {
        .backend = port->backend,
        .asks_all = true,
        .watch = {.context = port->context, .was_surveyed = port->was_surveyed},
        .policy = &invocation->settings->policy,
        .wall_clock = invocation->cli->wall_clock,
        .stop = invocation->cli->stop,
        .time_limit = port->time_limit,
    };

    if (cycle_observe(&cycle, &call->seen, &facts->unread)) {
        facts->fleet = call->seen.report.fleet;
        facts->coverage = call->seen.report.coverage;
        facts->diagnosis = call->seen.report.diagnosis;
        facts->notices = call->seen.report.notices;
        facts->now = invocation->settings->policy.now;
    }
    return STATUS_DONE;
}

/* Reads the fleet with the rest of --deadline. */
static void
read_fleet(struct doctor_call *call, int64_t begun)
{
    const struct clock *clock = &call->invocation->cli->clock;
    struct settings settings = *call->invocation->settings;
    struct invocation invocation = *call->invocation;
    const struct fleet_use use = {.run = observe, .context = call};
    int64_t *deadline = &settings.control_plane.deadline;

    invocation.settings = &settings;
    settings.platform = call->facts.platform;
    if (*deadline > 0) {
        *deadline -= clock->monotonic(clock->context) - begun;
        *deadline = *deadline > 0 ? *deadline : 1;
    }
    use_live_fleet(&invocation, &use);
}

struct page {
    FILE *out;
    struct arena *arena;
    bool is_utf8, has_colours;
    uint32_t width; /* 0: lines stay whole */
};

struct mark_style {
    const char *sign, *word, *colour;
};

static const struct mark_style styles[] = {
    [DOCTOR_OK] = {"✓", "ok  ", "\033[32m"},
    [DOCTOR_WARNING] = {"!", "warn", "\033[33m"},
    [DOCTOR_FAILED] = {"✗", "FAIL", "\033[31m"},
    [DOCTOR_NOTE] = {"·", "-   ", ""},
};

/* Returns where a line of `columns` ends: after a word. A longer word stays whole. */
static size_t
fitting(const char *text, size_t columns)
{
    size_t end = 0;

    for (size_t i = 0; text[i] != '\0'; i++) {
        if (text[i] == ' ') {
            end = end == 0 || i <= columns ? i : end;
        }
        if (i >= columns && end > 0) {
            return end;
        }
    }
    return strlen(text);
}

static void
print_wrapped(const struct page *page, size_t column, const char *text)
{
    const size_t room = page->width > column + TEXT_COLUMNS_MIN ? page->width - column - 1
                        : page->width > 0                       ? TEXT_COLUMNS_MIN
                                                                : SIZE_MAX;
    struct buf line;

    buf_init(&line, SIZE_MAX / 2);
    text_append_line(&line, text);
    for (const char *rest = buf_text(&line); *rest != '\0';) {
        const size_t end = fitting(rest, room);

        fprintf(page->out, "%.*s\n", pin_width((wide_int)end), rest);
        rest += end;
        rest += *rest == ' ' ? 1 : 0;
        if (*rest != '\0') {
            fprintf(page->out, "%*s", pin_width((wide_int)column), "");
        }
    }
    buf_release(&line);
}

/* Returns the next line of an advice. NULL: there is none. */
static const char *
next_line(struct arena *arena, const char **advice)
{
    const size_t length = strcspn(*advice, "\n");
    const char *line = length > 0 ? arena_strndup(arena, *advice, length) : NULL;

    *advice += length + ((*advice)[length] == '\n' ? 1 : 0);
    return line;
}

/* Prints commands whole, so that users can paste them. */
static void
print_advice(const struct page *page, size_t column, const char *advice)
{
    const struct page whole = {.out = page->out};
    const char *line;

    while ((line = next_line(page->arena, &advice)) != NULL) {
        const bool is_command = strncmp(line, "kubectl", strlen("kubectl")) == 0;

        fprintf(page->out, "%*s%s ", pin_width((wide_int)column), "", page->is_utf8 ? "→" : "->");
        print_wrapped(is_command ? &whole : page, column + (page->is_utf8 ? 2 : 3), line);
    }
}

static void
print_line(const struct page *page, const struct doctor_line *line, bool is_repeated)
{
    const struct mark_style *style = &styles[line->mark];
    const size_t column = CHECK_COLUMNS + 2 + (page->is_utf8 ? 2 : strlen(style->word) + 1);

    fprintf(page->out, "%s%s%s %-*s  ", page->has_colours ? style->colour : "",
            page->is_utf8 ? style->sign : style->word,
            page->has_colours && !str_is_empty(style->colour) ? "\033[0m" : "", CHECK_COLUMNS,
            is_repeated ? "" : line->check);
    print_wrapped(page, column, line->text);
    print_advice(page, column, line->advice);
}

static void
print_verdict(const struct page *page, const struct doctor_report *report, bool writes)
{
    if (report->failed > 0) {
        fprintf(page->out, "\n%u thing%s to do before a run, %u warning%s\n",
                (unsigned)report->failed, report->failed == 1 ? "" : "s",
                (unsigned)report->warnings, report->warnings == 1 ? "" : "s");
        fprintf(page->out, "next: do what stands behind %s, then ballast doctor again\n",
                page->is_utf8 ? "→" : "->");
        return;
    }
    fprintf(page->out, "\nNothing stands in the way of a %s, %u warning%s\nnext: ballast plan\n",
            writes ? "run" : "dry run", (unsigned)report->warnings,
            report->warnings == 1 ? "" : "s");
}

static void
print_page(const struct invocation *invocation, const struct doctor_report *report, bool writes)
{
    const struct cli *cli = invocation->cli;
    const struct page page = {
        .out = cli->out,
        .arena = invocation->arena,
        .is_utf8 = cli_writes_utf8(cli),
        .has_colours = invocation_colours(invocation, cli->out_is_terminal),
        .width = cli->out_columns,
    };

    for (uint32_t i = 0; i < report->n_lines; i++) {
        const bool is_repeated =
            i > 0 && page.width > 0 && str_eq(report->lines[i - 1].check, report->lines[i].check);

        print_line(&page, &report->lines[i], is_repeated);
    }
    print_verdict(&page, report, writes);
}

static void
emit_report(FILE *stream, enum emit_style style, const struct doctor_call *call,
            const struct doctor_report *report)
{
    const struct kube_config *config = call->needs.config;
    struct emitter out;

    emitter_begin(&out, stream, style);
    emit_object(&out, NULL);
    emit_string(&out, "apiVersion", DOCUMENT_API_VERSION);
    emit_string(&out, "kind", "Checkup");
    emit_string(&out, "server", config != NULL ? config->server : "");
    emit_string(&out, "user", call->facts.user);
    emit_bool(&out, "dryRun", !call->needs.writes);
    emit_integer(&out, "failed", report->failed);
    emit_integer(&out, "warnings", report->warnings);
    emit_list(&out, "checks");
    for (uint32_t i = 0; i < report->n_lines; i++) {
        const struct doctor_line *line = &report->lines[i];
        const char *advice, *rest = line->advice;

        emit_object(&out, NULL);
        emit_string(&out, "check", line->check);
        emit_string(&out, "status", doctor_mark_name(line->mark));
        emit_string(&out, "message", line->text);
        emit_list(&out, "advice");
        while ((advice = next_line(call->invocation->arena, &rest)) != NULL) {
            emit_string(&out, NULL, advice);
        }
        emit_end(&out);
        emit_end(&out);
    }
    emit_end(&out);
    emit_end(&out);
}

static enum exit_status
finish_doctor(const struct doctor_call *call)
{
    const struct invocation *invocation = call->invocation;
    const struct doctor_report report = doctor_judge(&call->needs, &call->facts, invocation->arena);
    const enum report_format format = invocation->settings->format;

    if (*invocation->cli->stop) {
        return STATUS_STOPPED;
    }
    if (format == REPORT_JSON || format == REPORT_YAML) {
        emit_report(invocation->cli->out, format == REPORT_JSON ? EMIT_JSON : EMIT_YAML, call,
                    &report);
    } else {
        print_page(invocation, &report, call->needs.writes);
    }
    return report.failed > 0 ? STATUS_ERROR : STATUS_DONE;
}

enum exit_status
command_doctor(const struct invocation *invocation)
{
    const struct settings *settings = invocation->settings;
    const struct clock *clock = &invocation->cli->clock;
    const int64_t begun = clock->monotonic(clock->context);
    const struct kube_config_options how =
        control_plane_config(invocation->cli, &settings->control_plane);
    struct doctor_call call = {.invocation = invocation,
                               .facts = {.user = "",
                                         .kubernetes = "",
                                         .image = "",
                                         .lease = {.holder = "", .renewed = TIME_NONE},
                                         .ours = TIME_NONE,
                                         .theirs = TIME_NONE}};

    struct kube_config *config = kube_config_load(&how, &call.facts.unreadable);

    call.needs = needs_of(invocation, config);
    if (config != NULL) {
        gather(&call);
    }
    if (doctor_may_read(&call.facts)) {
        read_fleet(&call, begun);
    }
    const enum exit_status status = finish_doctor(&call);

    cycle_result_release(&call.seen);
    kube_config_free(config);
    return status;
}
