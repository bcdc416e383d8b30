/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast undo: puts back the splits that a run changed.
 */
#include <string.h>
#include <sys/stat.h>

#include "cli/options/invocation.h"
#include "cli/run/records.h"
#include "cli/run/run.h"
#include "commands.h"

#define LATEST "latest"

static const struct record *
read_from(const struct invocation *invocation, const struct record_store *store, const char *id,
          struct error *err)
{
    const char *wanted = id != NULL ? id : record_latest(store, invocation->arena, err);

    return wanted != NULL ? store->read(store->context, invocation->arena, wanted, err) : NULL;
}

/* Reads `latest` or an id from the place of records. The undo leaves its own record there, too. */
static const struct record *
read_kept(const struct invocation *invocation, const char *argument, struct error *err)
{
    struct record_policy *policy = &invocation->settings->policy.records;
    const struct record *record = NULL;
    struct records records;

    policy->directory = records_place(invocation);
    if (records_open(invocation, policy->directory, &records, err)) {
        record =
            read_from(invocation, &records.store, str_eq(argument, LATEST) ? NULL : argument, err);
        if (record == NULL) {
            records_wrap_error(&records, err);
        }
    }
    records_close(&records);
    return record;
}

/* Reads the record that an argument names. NULL with err. */
static const struct record *
read_argument(const struct invocation *invocation, const char *argument, struct error *err)
{
    struct stat info;

    if (str_eq(argument, LATEST) || record_id_is_fine(argument, strlen(argument))) {
        return read_kept(invocation, argument, err);
    }
    if (stat(argument, &info) == 0 && S_ISDIR(info.st_mode)) {
        const struct record_store directory = record_directory(argument);

        return read_from(invocation, &directory, NULL, err);
    }
    return record_read(invocation->arena, argument, err);
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
        const struct record *record = read_argument(invocation, invocation->arguments[i], err);

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
                          "undo: which record? (ballast undo latest; ballast history lists "
                          "the records)");
    }
    if (!read_records(invocation, &undo, &err)) {
        return cli_fail(invocation, &err);
    }
    invocation->settings->policy.mode = MODE_PLACE; /* an undo restores splits */
    invocation->settings->policy.undo_stands_in = undo_stands_in(undo.undo);
    return run_undo(invocation, &undo, !invocation->settings->dry_run);
}
