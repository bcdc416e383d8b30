/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the origin of a report, and unseen members.
 */
#include "document.h"
#include "report/view/view.h"

static const char *
dry_run_text(const struct report_options *options)
{
    return options->server_dry_run ? "server" : options->dry_run ? "client" : "none";
}

void
emit_source(struct emitter *out, const struct report *report)
{
    const struct fleet_origin *origin = report->origin;

    emit_object(out, "source");
    if (origin->path != NULL) {
        emit_string(out, "path", origin->path);
    } else {
        emit_string(out, "server", origin->server);
        emit_string(out, "context", origin->context);
        emit_string(out, "user", origin->user);
    }
    emit_time(out, "capturedAt", report->fleet->captured_at);
    emit_end(out);
}

void
emit_manner(struct emitter *out, const struct report_view *view)
{
    emit_string(out, "mode", report_mode_text(view->report));
    emit_string(out, "dryRun", dry_run_text(view->options));
}

void
emit_configuration(struct emitter *out, const struct report_view *view)
{
    emit_object(out, "configuration");
    emit_text(out, "file", report_config_file(view->options));
    emit_bool(out, "clusterFailover", view->report->policy->triggers[FINDING_UNHEALTHY_CLUSTER]);
    emit_end(out);
}

void
emit_members(struct emitter *out, const struct report *report)
{
    const struct coverage *coverage = report->coverage;

    emit_object(out, "members");
    emit_integer(out, "asked", coverage->asked);
    emit_integer(out, "seen", coverage->seen);
    emit_list(out, "unseen");
    for (uint32_t i = 0; i < coverage->n_unseen; i++) {
        const struct unseen_member *unseen = &coverage->unseen[i];

        emit_object(out, NULL);
        emit_string(out, "name", report->fleet->clusters[unseen->cluster].name);
        emit_string(out, "parts", unseen->parts);
        emit_string(out, "message", unseen->message);
        emit_bool(out, "ready", unseen->is_ready);
        emit_bool(out, "missed", unseen->is_missed);
        emit_end(out);
    }
    emit_end(out);
    emit_integer(out, "needed", coverage->needed);
    emit_integer(out, "missed", coverage->missed);
    emit_bool(out, "blind", coverage->is_blind);
    emit_time(out, "asOf", report->policy->now);
    emit_end(out);
}

static bool
is_problem(const struct unseen_member *unseen)
{
    return unseen->is_ready;
}

uint32_t
unseen_problems(const struct report *report)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < report->coverage->n_unseen; i++) {
        count += is_problem(&report->coverage->unseen[i]) ? 1 : 0;
    }
    return count;
}

void
emit_unseen_problems(struct emitter *out, const struct report_view *view)
{
    const struct report *report = view->report;

    for (uint32_t i = 0; i < report->coverage->n_unseen; i++) {
        const struct unseen_member *unseen = &report->coverage->unseen[i];

        if (is_problem(unseen)) {
            emit_object(out, NULL);
            emit_string(out, "object",
                        arena_printf(view->arena, "member %s",
                                     report->fleet->clusters[unseen->cluster].name));
            emit_string(
                out, "message",
                arena_printf(view->arena, "not seen: %s: %s", unseen->parts, unseen->message));
            emit_end(out);
        }
    }
}
