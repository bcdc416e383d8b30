/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast migrate: prints a fleet of KubeFed as manifests for Karmada.
 */
#include "ballast/migrate/migrate.h"

#include "ballast/base/text.h"
#include "ballast/directory/fleet_directory.h"
#include "ballast/format/yaml.h"
#include "cli/options/invocation.h"
#include "cli/run/progress_line.h"
#include "commands.h"

static void
take_object(void *context, const struct value *object, const char *list_api_version,
            const char *list_kind)
{
    migration_add(context, object, list_api_version, list_kind);
}

static void
take_bad_object(void *context, const char *place, const char *why)
{
    migration_miss(context, place, why);
}

/* Appends notes as comments, each on one line. */
static void
append_notes(const struct migration_result *result, bool lost, const char *title, struct buf *out)
{
    bool is_first = true;

    for (size_t i = 0; i < result->n_notes; i++) {
        if (result->notes[i].is_lost == lost) {
            buf_printf(out, "%s# - ", is_first ? title : "");
            text_append_line(out, result->notes[i].text);
            buf_append_char(out, '\n');
            is_first = false;
        }
    }
}

static void
append_yaml(const struct migration_result *result, struct buf *out)
{
    append_notes(result, true, "# Not carried over:\n", out);
    append_notes(result, false, "# To be known, or done by hand:\n", out);
    for (size_t i = 0; i < result->n_documents; i++) {
        buf_append_str(out, "---\n");
        yaml_print(result->documents[i], out);
    }
}

static void
append_json(const struct migration_result *result, struct buf *out)
{
    buf_append_str(out, "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    for (size_t i = 0; i < result->n_documents; i++) {
        buf_append_str(out, i > 0 ? ",\n" : "\n");
        value_write_json(result->documents[i], false, out);
    }
    buf_append_str(out, "\n]}\n");
}

static enum exit_status
finish_migrate(const struct invocation *invocation, const struct migration_result *result)
{
    struct buf text;

    for (size_t i = 0; i < result->n_notes; i++) {
        const struct migration_note *note = &result->notes[i];

        log_line(&invocation->logger, note->is_lost ? LOG_WARNING : LOG_INFO, 0, "%s%s",
                 note->is_lost ? "not carried over: " : "", note->text);
    }
    buf_init(&text, SIZE_MAX);
    if (invocation->settings->format == REPORT_JSON) {
        append_json(result, &text);
    } else {
        append_yaml(result, &text);
    }
    fwrite(buf_text(&text), 1, text.length, invocation->cli->out);
    buf_release(&text);
    return result->n_lost > 0 ? STATUS_ERROR : STATUS_DONE;
}

static enum exit_status
migrate(const struct invocation *invocation, struct fleet_directory *directory,
        struct migration *migration)
{
    const struct fleet_visitor visitor = {migration, take_object, take_bad_object};
    struct error err = ERROR_INIT;

    fleet_directory_heed(directory, invocation->cli->stop);
    fleet_directory_watch(directory, progress_line_port(invocation->progress));
    if (!fleet_directory_visit(directory, &visitor, &err)) {
        return cli_fail(invocation, &err);
    }
    const struct migration_result result = migration_finish(migration);

    return finish_migrate(invocation, &result);
}

enum exit_status
command_migrate(const struct invocation *invocation)
{
    const struct settings *settings = invocation->settings;
    struct error err = ERROR_INIT;

    if (invocation->n_arguments == 0) {
        return cli_refuse(invocation->cli,
                          "migrate: from where? (ballast migrate --to=karmada DIR|FILE|-)");
    }
    if (settings->migrate_to == MIGRATE_TO_NOTHING) {
        return cli_refuse(invocation->cli, "migrate: to what? (ballast migrate --to=karmada %s)",
                          invocation->arguments[0]);
    }
    struct fleet_directory *directory = fleet_directory_open(invocation->arguments[0], &err);

    if (directory == NULL) {
        return cli_fail(invocation, &err);
    }
    struct migration *migration = migration_new();
    enum exit_status status = migrate(invocation, directory, migration);

    migration_free(migration);
    fleet_directory_close(directory);
    return status;
}
