/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast history: shows what runs wrote, by their records, and how to take it back.
 */
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/report/history_report.h"
#include "cli/options/invocation.h"
#include "cli/run/records.h"
#include "cli/run/run.h"
#include "commands.h"

/* Reads NAMESPACE/NAME, KIND/NAME with -n, or NAME. A namespace has no capital letter and no known
 * kind's name, so only -n makes the first part a kind. */
static struct history_question
question_of(const struct invocation *invocation)
{
    const char *namespace_ = invocation->settings->named_namespace;
    const char *text = invocation->n_arguments > 0 ? invocation->arguments[0] : NULL;
    const char *slash = text != NULL ? strchr(text, '/') : NULL;
    struct history_question question = {.name = slash != NULL ? slash + 1 : text};
    const char *first =
        slash != NULL ? arena_strndup(invocation->arena, text, (size_t)(slash - text)) : NULL;

    if (!str_is_empty(namespace_)) {
        question.namespace_ = namespace_;
        question.kind = first;
    } else {
        question.namespace_ = first;
    }
    return question;
}

static int64_t
since_of(const struct invocation *invocation)
{
    const struct time_setting *since = &invocation->settings->since;
    const struct clock *clock = &invocation->cli->clock;

    if (!since->given) {
        return TIME_NONE;
    }
    return since->relative ? clock->wall(clock->context) - since->nanos : since->nanos;
}

static enum exit_status
print(const struct invocation *invocation, const struct history_report *report)
{
    const struct report_options shape = report_shape(invocation);
    struct error err = ERROR_INIT;

    if (!report_write_history(invocation->cli->out, report, &shape, &err) &&
        !cli_reader_is_gone(invocation->cli)) {
        error_wrap(&err, "writing the history");
        return cli_fail(invocation, &err);
    }
    return STATUS_DONE;
}

enum exit_status
command_history(const struct invocation *invocation)
{
    const struct history_question question = question_of(invocation);
    const int64_t since = since_of(invocation);
    struct record_list list = {.count = 0};
    struct error err = ERROR_INIT;
    struct records records;
    enum exit_status status;

    if (records_open(invocation, records_place(invocation), &records, &err) &&
        (records_read_since(invocation, &records.store, since, &list, &err) ||
         records_wrap_error(&records, &err))) {
        status =
            print(invocation,
                  &(struct history_report){
                      .history = history_new(invocation->arena, list.items, list.count, &question),
                      .place = records.store.place,
                      .since = since,
                      .workload = invocation->n_arguments > 0 ? invocation->arguments[0] : "",
                      .flags = records_flags(invocation),
                  });
    } else {
        status = cli_fail(invocation, &err);
    }
    records_close(&records);
    return status;
}
