/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast config: checks and converts configuration files, and prints their schema.
 */
#include "cli/config/config.h"
#include "cli/options/invocation.h"
#include "commands.h"

enum config_verb { CONFIG_SCHEMA, CONFIG_CHECK, CONFIG_CONVERT };

const struct setting_word config_verbs[] = {
    {"schema", CONFIG_SCHEMA, "print the JSON Schema"},
    {"check", CONFIG_CHECK, "check files"},
    {"convert", CONFIG_CONVERT, "print a file in the newest apiVersion"},
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

enum exit_status
command_config(const struct invocation *invocation)
{
    const struct setting_param param = {.choices = config_verbs};
    enum config_verb verb = CONFIG_SCHEMA;
    struct error err = ERROR_INIT;
    const char *const *arguments = invocation->arguments;

    if (invocation->n_arguments == 0) {
        return cli_refuse(invocation->cli, "config: want schema, check or convert");
    }
    if (!setting_choice(invocation->arena, &param, arguments[0], &verb, &err)) {
        return cli_refuse(invocation->cli, "config: %s", err.message);
    }
    const size_t most = verb == CONFIG_SCHEMA ? 1 : verb == CONFIG_CONVERT ? 2 : SIZE_MAX;

    if (invocation->n_arguments > most) {
        return cli_refuse(invocation->cli, "unexpected argument \"%s\": config %s takes %s",
                          arguments[most], arguments[0], most == 1 ? "none" : "one file");
    }
    if (verb == CONFIG_SCHEMA) {
        config_schema(invocation->cli->out);
        return STATUS_DONE;
    }
    if (invocation->n_arguments == 1) {
        return cli_refuse(invocation->cli, "config %s: which file? (ballast config %s FILE)",
                          arguments[0], arguments[0]);
    }
    return verb == CONFIG_CHECK ? check_all(invocation) : convert(invocation, arguments[1]);
}
