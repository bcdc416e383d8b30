/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast observe: writes a summary of one shard's members for the shard that plans.
 */
#include "ballast/base/str.h"
#include "cli/run/run.h"
#include "cli/run/run_shards.h"
#include "commands.h"

struct observing {
    struct summary_writer *writer;
    struct shards_store store;
};

static void
log_summary(const struct invocation *invocation, const struct summary_writer *writer,
            const char *name, const struct fleet *fleet, size_t bytes)
{
    FILE *out = invocation->cli->out;
    uint32_t sliced;

    fprintf(out, "%s: %u of %u members", name, (unsigned)summary_writer_members(writer, &sliced),
            (unsigned)fleet->n_clusters);
    if (sliced > 0) {
        fprintf(out, ", %u of them in slices", (unsigned)sliced);
    }
    fprintf(out, ", %zu bytes\n", bytes);
}

static enum exit_status
finish_observe(const struct invocation *invocation, struct observing *observing,
               const struct fleet *fleet)
{
    const struct summary_carrier *carrier = &observing->store.carrier;
    struct summary_writer *writer = observing->writer;
    struct error err = ERROR_INIT;
    const char *name = NULL;
    struct buf text;

    if (*invocation->cli->stop) {
        return STATUS_STOPPED;
    }
    log_fleet(invocation, fleet);
    buf_init(&text, SUMMARY_MAX);
    if (summary_writer_finish(writer, fleet, &text, &err)) {
        name = carrier->put(carrier->context, invocation->arena, summary_writer_shard(writer),
                            &text, &err);
    }
    if (name != NULL) {
        log_summary(invocation, writer, name, fleet, text.length);
    }
    buf_release(&text);
    return name != NULL ? STATUS_DONE : cli_fail(invocation, &err);
}

/* A summary names the parts of members that its shard could not see. */
static enum exit_status
observe(const struct invocation *invocation, const struct fleet_port *port, void *context)
{
    const struct backend *backend = port->backend;
    const struct fleet_origin *origin = backend->origin;
    struct observing *observing = context;
    struct error err = ERROR_INIT;

    summary_writer_is_for(
        observing->writer,
        shards_purpose(invocation, origin->path != NULL ? origin->path : origin->server));
    struct fleet *fleet = backend->read(backend->context, &err);

    if (fleet == NULL) {
        const struct cycle_result unread = {.fleet = NULL};

        return port_fail(invocation, port, &unread, &err);
    }
    enum exit_status status = finish_observe(invocation, observing, fleet);

    fleet_free(fleet);
    return status;
}

/* Logs the requests for summaries. Another line has the requests that read the fleet. */
static void
count_requests(const struct invocation *invocation, const struct shards_store *store)
{
    if (store->configmaps != NULL) {
        const struct kube_statistics asked = shards_statistics(store);

        log_line(&invocation->logger, LOG_INFO, 1,
                 "summary: %llu requests, %llu retries, %llu bytes read",
                 (unsigned long long)asked.requests, (unsigned long long)asked.retries,
                 (unsigned long long)asked.bytes_read);
    }
}

enum exit_status
command_observe(const struct invocation *invocation)
{
    const struct shard_settings *shards = &invocation->settings->shards;
    const struct clock *clock = &invocation->cli->clock;
    const struct shard shard = shards->shard.count > 0 ? shards->shard : (struct shard){1, 1};

    if (str_is_empty(shards->summaries)) {
        return cli_refuse(invocation->cli, "observe: where to? (--summaries DIR|configmap:PREFIX)");
    }
    if (shard.index == 0) {
        return cli_refuse(invocation->cli, "observe: shard 0 is the one that plans: ballast run");
    }
    struct observing observing = {
        .writer = summary_writer_new(shard, shards->slicing, clock->wall(clock->context))};
    const struct member_choice choice = share_choice(summary_writer_share(observing.writer));
    const struct fleet_use use = {.run = observe,
                                  .context = &observing,
                                  .tap = summary_writer_tap(observing.writer),
                                  .observes = &choice};
    struct error err = ERROR_INIT;
    enum exit_status status = shards_open(invocation, &observing.store, &err)
                                  ? use_fleet(invocation, &use)
                                  : cli_fail(invocation, &err);

    count_requests(invocation, &observing.store);
    shards_close(&observing.store);
    summary_writer_free(observing.writer);
    return status;
}
