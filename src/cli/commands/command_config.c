/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast config: checks and converts configuration files, and prints their schema.
 */
#include "ballast/report/emitter.h"
#include "cli/config/config_values.h"
#include "cli/options/invocation.h"
#include "commands.h"

#include <string.h>

#include "ballast/base/text.h"
#include "ballast/base/wide.h"

#define VALUE_COLUMNS_MAX 40

enum config_verb { CONFIG_VERB_SCHEMA, CONFIG_VERB_CHECK, CONFIG_VERB_CONVERT, CONFIG_VERB_SHOW };

#define DOCUMENT_API_VERSION "ballast.io/v1alpha1"

const struct setting_word config_verbs[] = {
    {"schema", CONFIG_VERB_SCHEMA, "print the JSON Schema"},
    {"check", CONFIG_VERB_CHECK, "check files"},
    {"convert", CONFIG_VERB_CONVERT, "print a file in the newest apiVersion"},
    {CONFIG_SHOW, CONFIG_VERB_SHOW, "print the values in force, and where each comes from"},
    {NULL, 0, NULL},
};

static enum exit_status
check(const struct invocation *invocation, const char *file)
{
    struct policy policy;
    struct error err = ERROR_INIT;
    bool is_older = false;

    policy_init(&policy);
    if (!config_load(file, invocation->arena, invocation->strings, &policy, &is_older, &err)) {
        return cli_refuse(invocation->cli, "%s", err.message);
    }
    fprintf(invocation->cli->out, "%s: valid\n", file);
    if (is_older) {
        log_line(&invocation->logger, LOG_INFO, 0, CONFIG_IS_OLDER, file, file);
    }
    return STATUS_DONE;
}

static enum exit_status
convert(const struct invocation *invocation, const char *file)
{
    struct error err = ERROR_INIT;
    struct buf text;

    buf_init(&text, 2 * (size_t)CONFIG_FILE_MAX);
    bool done = config_load_newest(file, invocation->arena, invocation->strings, &text, &err);

    if (done) {
        fwrite(buf_text(&text), 1, text.length, invocation->cli->out);
    }
    buf_release(&text);
    return done ? STATUS_DONE : cli_refuse(invocation->cli, "%s", err.message);
}

static enum exit_status
check_all(const struct invocation *invocation)
{
    enum exit_status status = STATUS_DONE;

    for (size_t i = 1; i < invocation->n_arguments; i++) {
        enum exit_status of_file = check(invocation, invocation->arguments[i]);

        status = of_file != STATUS_DONE ? of_file : status;
    }
    return status;
}

static void
show_document(const struct invocation *invocation, const struct config_value *values,
              uint32_t count)
{
    const bool is_yaml = invocation->settings->format == REPORT_YAML;
    struct emitter out;

    emitter_begin(&out, invocation->cli->out, is_yaml ? EMIT_YAML : EMIT_JSON);
    emit_object(&out, NULL);
    emit_string(&out, "apiVersion", DOCUMENT_API_VERSION);
    emit_string(&out, "kind", "ConfigurationInForce");
    emit_list(&out, "items");
    for (uint32_t i = 0; i < count; i++) {
        emit_object(&out, NULL);
        emit_string(&out, "path", values[i].path);
        emit_string(&out, "value", values[i].text);
        emit_string(&out, "from", values[i].from);
        emit_end(&out);
    }
    emit_end(&out);
    emit_end(&out);
}

static void
show_table(FILE *out, const struct config_value *values, uint32_t count)
{
    int path = 0, text = 0;

    for (uint32_t i = 0; i < count; i++) {
        const int of_path = pin_width(strlen(values[i].path));
        const int of_text = pin_width(strlen(values[i].text));

        path = of_path > path ? of_path : path;
        text = of_text > text && of_text <= VALUE_COLUMNS_MAX ? of_text : text;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct buf line;

        buf_init(&line, SIZE_MAX / 2);
        text_append_line(&line, str_is_empty(values[i].text) ? "-" : values[i].text);
        fprintf(out, "%-*s  %-*s  ", path, values[i].path, text, buf_text(&line));
        buf_clear(&line);
        text_append_line(&line, values[i].from);
        fprintf(out, "%s\n", buf_text(&line));
        buf_release(&line);
    }
}

static enum exit_status
show(const struct invocation *invocation)
{
    const enum report_format format = invocation->settings->format;
    uint32_t count;
    const struct config_value *values =
        config_values(invocation->arena, invocation->line, invocation->config, &count);

    if (format == REPORT_JSON || format == REPORT_YAML) {
        show_document(invocation, values, count);
    } else if (format == REPORT_DIFF) { /* the default */
        show_table(invocation->cli->out, values, count);
    } else {
        return cli_refuse(invocation->cli, "flag --output: config show knows json and yaml");
    }
    return STATUS_DONE;
}

enum exit_status
command_config(const struct invocation *invocation)
{
    const struct setting_param param = {.choices = config_verbs};
    enum config_verb verb = CONFIG_VERB_SCHEMA;
    struct error err = ERROR_INIT;
    const char *const *arguments = invocation->arguments;

    if (invocation->n_arguments == 0) {
        return cli_refuse(invocation->cli, "config: want schema, check, convert or show");
    }
    if (!setting_choice(invocation->arena, &param, arguments[0], &verb, &err)) {
        return cli_refuse(invocation->cli, "config: %s", err.message);
    }
    const bool takes_file = verb == CONFIG_VERB_CHECK || verb == CONFIG_VERB_CONVERT;
    const size_t most = !takes_file ? 1 : verb == CONFIG_VERB_CONVERT ? 2 : SIZE_MAX;

    if (invocation->n_arguments > most) {
        return cli_refuse(invocation->cli, "unexpected argument \"%s\": config %s takes %s",
                          arguments[most], arguments[0], most == 1 ? "none" : "one file");
    }
    if (verb == CONFIG_VERB_SHOW) {
        return show(invocation);
    }
    if (invocation->config != NULL) {
        return cli_refuse(invocation->cli,
                          "flag --config is not for config %s: give the file as "
                          "an argument",
                          arguments[0]);
    }
    if (verb == CONFIG_VERB_SCHEMA) {
        config_schema(invocation->cli->out);
        return STATUS_DONE;
    }
    if (invocation->n_arguments == 1) {
        return cli_refuse(invocation->cli, "config %s: which file? (ballast config %s FILE)",
                          arguments[0], arguments[0]);
    }
    return verb == CONFIG_VERB_CHECK ? check_all(invocation) : convert(invocation, arguments[1]);
}
