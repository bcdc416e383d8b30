/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast undo: puts back the splits that a run changed.
 */
#include <sys/stat.h>

#include "ballast/record/record_store.h"
#include "cli/options/invocation.h"
#include "cli/run/run.h"
#include "commands.h"

#define LATEST "latest"

/* Returns the file that an argument names. NULL with err. */
static const char *
record_file(const struct invocation *invocation, const char *argument, struct error *err)
{
    const char *directory = invocation->settings->policy.records.directory;
    struct stat info;

    if (str_eq(argument, LATEST)) {
        if (str_is_empty(directory)) {
            error_set(err, ERROR_USAGE, "the latest record of which directory? (--records DIR)");
            return NULL;
        }
        return record_latest(invocation->arena, directory, err);
    }
    return stat(argument, &info) == 0 && S_ISDIR(info.st_mode)
               ? record_latest(invocation->arena, argument, err)
               : argument;
}

static bool
is_there(const struct record *const *records, uint32_t count, const char *id)
{
    for (uint32_t i = 0; i < count; i++) {
        if (str_eq(records[i]->id, id)) {
            return true;
        }
    }
    return false;
}

/* Reads the records, each id once. */
static bool
read_records(const struct invocation *invocation, struct undo_request *ret, struct error *err)
{
    const struct record **records =
        ARENA_ARRAY(invocation->arena, const struct record *, invocation->n_arguments);

    ret->records = records;
    for (size_t i = 0; i < invocation->n_arguments; i++) {
        const char *path = record_file(invocation, invocation->arguments[i], err);
        const struct record *record =
            path != NULL ? record_read(invocation->arena, path, err) : NULL;

        if (record == NULL) {
            return false;
        }
        if (!is_there(records, ret->n_records, record->id)) {
            records[ret->n_records++] = record;
        }
    }
    ret->undo = undo_new(invocation->arena, records, ret->n_records);
    return true;
}

enum exit_status
command_undo(const struct invocation *invocation)
{
    struct undo_request undo = {.undo = NULL};
    struct error err = ERROR_INIT;

    if (invocation->n_arguments == 0) {
        return cli_refuse(invocation->cli,
                          "undo: which record? (ballast undo FILE, or ballast undo latest "
                          "--records DIR)");
    }
    if (!read_records(invocation, &undo, &err)) {
        return cli_fail(invocation, &err);
    }
    invocation->settings->policy.mode = MODE_PLACE; /* an undo restores splits */
    invocation->settings->policy.undo_stands_in = undo_stands_in(undo.undo);
    return run_undo(invocation, &undo, !invocation->settings->dry_run);
}
