/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the record of a run, before its first write and after its last.
 */
#include "write_run_record.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ballast/report/run_record.h"
#include "telemetry.h"

#define HOST_MAX 256

static bool
open_record(void *context, const struct report *report, struct error *err)
{
    struct run_record *run = context;
    const struct invocation *invocation = run->invocation;
    const struct clock *clock = &invocation->cli->clock;
    struct arena *arena = invocation->arena;
    char host[HOST_MAX] = "";

    if (gethostname(host, sizeof(host) - 1) != 0) {
        host[0] = '\0';
    }
    run->record = (struct record){
        .id = record_id_new(arena, clock),
        .command = run->command,
        .version = BALLAST_VERSION,
        .written = clock->wall(clock->context),
        .host = arena_strndup(arena, host, strlen(host)),
        .configuration = invocation->settings->config_file,
    };
    run_record_fill(arena, report, &run->record);
    const struct record_store *store = &run->records.store;

    return (records_open(invocation, invocation->settings->policy.records.directory, &run->records,
                         err) &&
            store->create(store->context, &run->record, err)) ||
           error_wrap(err, "nothing was written, since no record can be left (--records)");
}

void
run_record_init(struct run_record *run, const struct invocation *invocation, const char *command)
{
    *run = (struct run_record){.invocation = invocation,
                               .command = command,
                               .record = {.id = ""},
                               .journal = {run, open_record}};
}

const struct journal *
run_record_journal(const struct run_record *run)
{
    const struct settings *settings = run->invocation->settings;
    bool leaves_one = !str_is_empty(settings->policy.records.directory) &&
                      !settings->control_plane.server_dry_run;

    return leaves_one ? &run->journal : NULL;
}

const char *
run_record_id(const struct run_record *run)
{
    return str_is_empty(run->record.id) ? NULL : run->record.id;
}

bool
run_record_close(struct run_record *run, struct report *report, struct error *err)
{
    const struct invocation *invocation = run->invocation;
    const struct record_store *store = &run->records.store;

    if (str_is_empty(run->record.id)) {
        return true;
    }
    report->record_id = run->record.id;
    report->record_path = store->name(store->context, invocation->arena, run->record.id);
    run_record_fill(invocation->arena, report, &run->record);
    bool done = store->replace(store->context, &run->record, err);
    uint32_t removed =
        done ? store->prune(store->context, invocation->settings->policy.records.keep) : 0;

    if (run->records.ring != NULL) {
        const struct kube_statistics cost = record_ring_statistics(run->records.ring);

        telemetry_count(invocation->telemetry, "records", &cost);
    }
    if (removed > 0) {
        log_line(&invocation->logger, LOG_INFO, 1, "removed %u old record%s of %s",
                 (unsigned)removed, removed == 1 ? "" : "s", store->place);
    }
    return done;
}

void
run_record_release(struct run_record *run)
{
    records_close(&run->records);
}

static const char *
where_text(const char *path, const char *server)
{
    return str_is_empty(path) ? server : path;
}

bool
records_are_of(const struct undo_request *undo, const struct fleet_origin *origin,
               struct error *err)
{
    char *real = origin->path != NULL ? realpath(origin->path, NULL) : NULL;
    const char *path = real != NULL ? real : origin->path != NULL ? origin->path : "";
    bool same = true;

    for (uint32_t i = 0; i < undo->n_records && same; i++) {
        const struct record *record = undo->records[i];

        same = record_is_of(record, origin) ||
               error_set(err, ERROR_USAGE,
                         "record %s is of another fleet: it was written to %s%s, and this is %s%s; "
                         "if they are the same, give --any-fleet",
                         record->id, str_is_empty(record->path) ? "" : "the files ",
                         where_text(record->path, record->server),
                         str_is_empty(path) ? "" : "the files ", where_text(path, origin->server));
    }
    free(real);
    return same;
}
