/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast config: configuration files checked, and the schema they are to fit.
 */
#include "command.h"
#include "config.h"

enum config_verb { CONFIG_SCHEMA, CONFIG_CHECK };

const struct setting_word config_verbs[] = {
    {"schema", CONFIG_SCHEMA, "print the JSON Schema"},
    {"check", CONFIG_CHECK, "check files"},
    {NULL, 0, NULL},
};

static enum exit_status
check(const struct invocation *invocation, const char *file)
{
    struct policy policy;
    struct error err = ERROR_INIT;

    policy_init(&policy);
    if (!config_load(file, invocation->arena, invocation->strings, &policy, &err)) {
        return cli_refuse(invocation->cli, "%s", err.message);
    }
    fprintf(invocation->cli->out, "%s: valid\n", file);
    return STATUS_DONE;
}

enum exit_status
command_config(const struct invocation *invocation)
{
    const struct setting_param param = {.choices = config_verbs};
    enum config_verb verb = CONFIG_SCHEMA;
    enum exit_status status = STATUS_DONE;
    struct error err = ERROR_INIT;

    if (invocation->n_arguments == 0) {
        return cli_refuse(invocation->cli, "config: want schema or check");
    }
    if (!setting_choice(invocation->arena, &param, invocation->arguments[0], &verb, &err)) {
        return cli_refuse(invocation->cli, "config: %s", err.message);
    }
    if (verb == CONFIG_SCHEMA && invocation->n_arguments > 1) {
        return cli_refuse(invocation->cli, "unexpected argument \"%s\": config schema takes none",
                          invocation->arguments[1]);
    }
    if (verb == CONFIG_SCHEMA) {
        config_schema(invocation->cli->out);
        return STATUS_DONE;
    }
    if (invocation->n_arguments == 1) {
        return cli_refuse(invocation->cli, "config check: which file? (ballast config check FILE)");
    }
    for (size_t i = 1; i < invocation->n_arguments; i++) {
        enum exit_status of_file = check(invocation, invocation->arguments[i]);

        status = of_file != STATUS_DONE ? of_file : status;
    }
    return status;
}
