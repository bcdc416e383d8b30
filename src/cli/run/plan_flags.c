/* SPDX-License-Identifier: Apache-2.0
 *
 * Repeats the flags of a plan in the commands that it suggests.
 */
#include <string.h>

#include "ballast/base/text.h"
#include "run.h"

#define FLAGS_MAX ((size_t)64 << 10)

/* The report knows the fleet and the configuration, and names them itself. */
static const char *const named_by_report[] = {"fleet", "kubeconfig", "context", "config",
                                              "dry-run"};

/* Only a run repeats what was selected: other commands name a workload. */
static bool
is_repeated(const struct option *option, unsigned command)
{
    for (size_t i = 0; i < sizeof(named_by_report) / sizeof(named_by_report[0]); i++) {
        if (str_eq(option->name, named_by_report[i])) {
            return false;
        }
    }
    return (option->commands & command) != 0 && !str_eq(option_section(option), "Output") &&
           !str_eq(option_section(option), "Advanced: log") &&
           (command == FOR_RUN || !str_eq(option_section(option), "Selection"));
}

const char *
plan_flags(const struct invocation *invocation, unsigned command)
{
    struct buf text;

    buf_init(&text, FLAGS_MAX);
    for (size_t i = 0; i < invocation->line->n_uses; i++) {
        const struct option_use *use = &invocation->line->uses[i];

        if (!is_repeated(use->option, command)) {
            continue;
        }
        buf_printf(&text, " --%s", use->option->name);
        if (use->option->metavar != NULL || !str_eq(use->value, "true")) {
            buf_append_str(&text, "=");
            text_append_word(&text, use->value);
        }
    }
    return buf_take(&text, invocation->arena);
}
